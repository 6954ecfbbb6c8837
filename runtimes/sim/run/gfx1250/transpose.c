/* transpose.c - loads of waves of 32 lanes that hand rows out as columns.
 *
 * Lanes work together in groups: each loads a row, at its own address, and gets a
 * column. Of 16 bits groups are 8 lanes, of 4 and 6 bits 16; of 8 bits the eight are
 * lanes 0-3 and 8-11, or 4-7 and 12-15, of sixteen, of which lanes 0-7 or 8-15 get
 * the columns. Seen on cards: those of 16 bits (from LDS and from memory) and of 8
 * from LDS; of 8 from memory, 4 and 6 it is assumed (for 4 and 6 with AMD's
 * translator of gfx1250's code, which takes 8 bits from memory otherwise: as 16).
 * All lanes must be on, which is assumed, too.
 */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/gfx1250/transpose.h"

#include <string.h>

#include "runtimes/sim/run/cluster.h"
#include "runtimes/sim/run/ds.h"
#include "runtimes/sim/run/own.h"

enum {WAVE32 = 32, DWORDS = 4};

/* The lane whose row element n of lane l comes of. */
static unsigned source(unsigned l, unsigned n, unsigned bits)
{
  if (bits == 16)
    return (l & ~7u) + n;
  if (bits == 8)
    return (l & ~15u) + (l & 8) / 2 + n % 4 + n / 4 * 8;
  return (l & ~15u) + n;
}

static void columns(struct wave *w, const struct inst *i, uintptr_t base,
                    unsigned bits, unsigned bytes)
{
  uint32_t rows[WAVE32][DWORDS], out[DWORDS];
  unsigned each = bytes * 8 / bits;
  for (unsigned l = 0; l < WAVE32; l++)
    memcpy(rows[l], (const void *)(base + w->access.addr[0][l]), bytes);
  for (unsigned l = 0; l < WAVE32; l++) {
    memset(out, 0, sizeof out);
    for (unsigned n = 0; n < each; n++)
      element_put(out, n, bits, element_get(rows[source(l, n, bits)], l % each, bits));
    for (unsigned k = 0; k < bytes / 4; k++)
      w->v[i->dst + k][l] = out[k];
  }
}

static int all_on(struct wave *w)
{
  if (WAVE_EXEC(w) == UINT32_MAX)
    return 1;
  wave_fault(w, FAULT_LAUNCH, "a transposing load needs all 32 lanes, EXEC is 0x%llx",
             (unsigned long long)WAVE_EXEC(w));
  return 0;
}

/* On a card it loads rows where an address is not a multiple. */
static int aligned(struct wave *w, unsigned to)
{
  for (unsigned l = 0; l < WAVE32; l++)
    if (w->access.addr[0][l] % to) {
      wave_fault(w, FAULT_ADDRESS,
                 "lane %u: LDS address 0x%llx of a transposing load, which is not a "
                 "multiple of %u", l, (unsigned long long)w->access.addr[0][l], to);
      return 0;
    }
  return 1;
}

static void from_lds(struct wave *w, const struct inst *i, unsigned bits,
                     unsigned bytes)
{
  const struct memory_op op = {MEMORY_LOAD, (uint8_t)bytes, 0, WHOLE, 0};
  memory_begin(w, &op, 1, 1);
  if (all_on(w) && ds_addresses(w, vgpr(i->src[0]), i->offset & 0xffff, bytes, 0) &&
      aligned(w, bytes == 12 ? 4 : bytes))
    columns(w, i, (uintptr_t)w->group->lds, bits, bytes);
}

static void from_memory(struct wave *w, const struct inst *i, unsigned bits,
                        unsigned bytes)
{
  const struct memory_op op = {MEMORY_LOAD, (uint8_t)bytes, 0, WHOLE, 0};
  memory_begin(w, &op, 1, 0);
  global_addresses(w, i);
  if (!all_on(w) || !memory_check(w, bytes))
    return;
  columns(w, i, 0, bits, bytes);
  cluster_count(w);
}

#define TRANSPOSING(suffix, bits, bytes) \
  void own_ds_load_tr##suffix(struct wave *w, const struct inst *i) \
  { \
    from_lds(w, i, bits, bytes); \
  } \
  void own_global_load_tr##suffix(struct wave *w, const struct inst *i) \
  { \
    from_memory(w, i, bits, bytes); \
  }
TRANSPOSING(4_b64, 4, 8)
TRANSPOSING(6_b96, 6, 12)
TRANSPOSING(8_b64, 8, 8)
TRANSPOSING(16_b128, 16, 16)
