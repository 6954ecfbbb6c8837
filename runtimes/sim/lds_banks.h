/* lds_banks.h - LDS phases, banks and conflicts.
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
 * bytes, 21 strides) exactly. Nothing here knows of waves or of the device's
 * memory: addresses are byte offsets into LDS.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_lds_banks_h
#define sim_lds_banks_h

#include <stdint.h>

enum { LDS_LANES = 64 };

/* The groups of one width: phase p are the lanes order[p * 64 / phases ...]. */
struct lds_phases {
  uint8_t phases;
  const uint8_t *order; /* [64] */
};

struct lds_layout {
  unsigned banks; /* of 4 bytes */
  struct lds_phases read[5], write[5]; /* by dwords a lane; 0 unused */
};

extern const struct lds_layout lds_layout_gfx9; /* up to CDNA3 */

enum lds_kind { LDS_READ, LDS_WRITE, LDS_ATOMIC };

const struct lds_phases *lds_phases_find(const struct lds_layout *y,
                                         enum lds_kind kind, unsigned bytes);

/* Data cycles of one instruction in which the active lanes move `bytes` (1 2
 * 4 8 12 16) each at addr[lane]; *phases gets the groups with an active lane.
 * An instruction with two addresses is two such. */
unsigned lds_cycles(const struct lds_layout *y, enum lds_kind kind,
                    unsigned bytes, uint64_t lanes,
                    const uint64_t addr[LDS_LANES], unsigned *phases);

#endif
