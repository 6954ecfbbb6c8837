/* lds_banks.h - LDS phases, banks and conflicts, architecture by architecture.
 *
 * An LDS instruction is carried out in phases: the lanes are split into fixed
 * groups, by the width that a lane moves, and each group takes one cycle if
 * no bank has to deliver two different dwords. Lanes of one group that want
 * the same dword share it (a broadcast); an atomic cannot share.
 *
 *   cycles = sum over groups with an active lane of
 *            max over banks of the different dwords wanted from that bank
 *   conflicts = cycles - such groups      (SQ_LDS_BANK_CONFLICT)
 *
 * The formula reproduces published counts of an MI300X (widths of 4, 8 and 16
 * bytes, 21 strides) exactly. Addresses are byte offsets into LDS. An access
 * of two addresses (ds_read2_b64) is two accesses, one after the other.
 *
 * This is the one copy of these facts (lds_layout.c): the simulated device and
 * all that explains or chooses layouts read it.
 */
// SPDX-License-Identifier: MIT
#ifndef arch_lds_banks_h
#define arch_lds_banks_h

#include <stddef.h>
#include <stdint.h>

enum {LDS_LANES = 64, LDS_BANKS = 64}; /* at most */

/* The groups of one width: phase p are the lanes order[p * wave / phases ...],
 * in the order in which the hardware walks them where that is known. */
struct lds_phases {
  uint8_t phases; /* 0: no such width */
  uint8_t banks;  /* of 4 bytes, that a phase can use */
  const uint8_t *order; /* [wave] */
  const char *source;
};

struct lds_layout {
  const char *arch;
  unsigned wave; /* lanes */
  struct lds_phases read[5], write[5]; /* by dwords a lane; 0 unused */
};

extern const struct lds_layout lds_layout_gfx906; /* of the simulated device */

/* NULL where the lane groups of the arch are not published. */
const struct lds_layout *lds_layout_find(const char *arch);
const struct lds_layout *lds_layout_at(size_t i); /* NULL past the last */

enum lds_kind {LDS_READ, LDS_WRITE, LDS_ATOMIC};

const struct lds_phases *lds_phases_find(const struct lds_layout *y,
                                         enum lds_kind kind, unsigned bytes);

/* Data cycles of one instruction in which the active lanes move `bytes` (1 2
 * 4 8 12 16) each at addr[lane]; *phases gets the groups with an active lane.
 * An instruction with two addresses is two such. */
unsigned lds_cycles(const struct lds_layout *y, enum lds_kind kind,
                    unsigned bytes, uint64_t lanes,
                    const uint64_t addr[LDS_LANES], unsigned *phases);

/* All lanes of a wave. */
static inline uint64_t lds_wave(const struct lds_layout *y)
{
  return ~(uint64_t)0 >> (64 - y->wave);
}

#endif
