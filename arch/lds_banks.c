/* lds_banks.c - see lds_banks.h.
 *
 * Mostly all lanes are aligned alike. Then what they move falls on whole
 * units, groups of neighbouring banks as wide as the access, and it is enough
 * to count units: one step a lane instead of one a dword. The widest accesses
 * of a full wave, most of what a tuned kernel executes, have a way of their
 * own that takes all phases at once and the same time for any addresses.
 */
// SPDX-License-Identifier: MIT
#include "arch/lds_banks.h"

#include <string.h>

enum {WANTED = 64 /* dwords of one bank */};

/* What one group of lanes wants of each bank, or unit of banks. */
struct bank_use {
  uint64_t used; /* bit n: bank n is wanted, the rest of its entry is set */
  unsigned worst;
  uint8_t count[LDS_BANKS];
  uint32_t top[LDS_BANKS]; /* the highest in the list */
  uint32_t list[LDS_BANKS][WANTED];
};

static int listed(const uint32_t *list, unsigned n, uint32_t what)
{
  while (n--)
    if (list[n] == what)
      return 1;
  return 0;
}

/* Addresses mostly rise with the lane: above the highest there is nothing to
 * search. */
static void want(struct bank_use *t, unsigned bank, uint32_t what, int share)
{
  unsigned n = t->used >> bank & 1 ? t->count[bank] : 0;
  uint32_t *list = t->list[bank];
  int above = !n || what > t->top[bank];
  if (share && !above && listed(list, n, what))
    return;
  if (above)
    t->top[bank] = what;
  list[n] = what;
  t->used |= (uint64_t)1 << bank;
  t->count[bank] = (uint8_t)(n + 1);
  if (n >= t->worst)
    t->worst = n + 1;
}

/* Cycles of one group, whose n active lanes want these units. */
static unsigned by_units(const uint32_t *unit, unsigned n, unsigned units,
                         int share)
{
  uint64_t used = 0;
  for (unsigned k = 0; k < n; k++)
    used |= (uint64_t)1 << (unit[k] & (units - 1));
  if ((unsigned)__builtin_popcountll(used) == n)
    return n != 0;
  struct bank_use t;
  t.used = t.worst = 0;
  for (unsigned k = 0; k < n; k++)
    want(&t, unit[k] & (units - 1), unit[k], share);
  return t.worst;
}

static unsigned by_dwords(const uint64_t *addr, unsigned n, unsigned bytes,
                          unsigned banks, int share)
{
  struct bank_use t;
  t.used = t.worst = 0;
  for (unsigned k = 0; k < n; k++)
    for (uint64_t d = addr[k] / 4; d <= (addr[k] + bytes - 1) / 4; d++)
      want(&t, d & (banks - 1), (uint32_t)d, share);
  return t.worst;
}

/* The active lanes' addresses, phase after phase; n[] lanes in each. */
static void arrange(const struct lds_layout *y, const struct lds_phases *p,
                    uint64_t lanes, const uint64_t *addr, uint64_t *out,
                    uint8_t *n)
{
  unsigned size = y->wave / p->phases;
  if (lanes == lds_wave(y)) {
    for (unsigned k = 0; k < y->wave; k++)
      out[k] = addr[p->order[k]];
    memset(n, (int)size, p->phases);
    return;
  }
  memset(n, 0, p->phases);
  for (unsigned k = 0; k < y->wave; k++)
    if (lanes >> p->order[k] & 1) {
      *out++ = addr[p->order[k]];
      n[k / size]++;
    }
}

/* The unit of each active lane's address. 0: they are not aligned alike. */
static int split(const uint64_t *addr, uint64_t lanes, unsigned bytes,
                 unsigned wide, uint32_t *unit)
{
  unsigned shift = (unsigned)__builtin_ctz(wide);
  unsigned n = (unsigned)__builtin_popcountll(lanes);
  uint64_t crosses = 0;
  /* Narrow accesses fall on a dword unless they cross into the next. */
  uint64_t start = n && bytes >= 4 ? addr[0] & (wide - 4) : 0;
  for (unsigned k = 0; k < n; k++) {
    uint64_t from = addr[k] - start;
    crosses |= (from & (wide - 1)) + bytes - 1;
    unit[k] = (uint32_t)(from >> shift);
  }
  return crosses < wide;
}

typedef int16_t column __attribute__((vector_size(16))); /* one a phase */

/* Eight phases of eight lanes: entry p of row[k] is what lane k of phase p
 * wants. A lane counts the earlier lanes of its phase that want other units of
 * its bank, each unit once; the highest count is what the phase takes. */
static unsigned eight_by_eight(const column row[8], int units)
{
  column repeats[8], worst = {0};
  for (unsigned k = 0; k < 8; k++) {
    column repeat = {0}, before = {0};
    for (unsigned j = 0; j < k; j++) {
      column differ = row[j] ^ row[k];
      repeat |= differ == 0;
      before += ((differ & (int16_t)(units - 1)) == 0) & ~repeats[j];
    }
    repeats[k] = repeat;
    before += ~repeat; /* minus one for the lane itself, if it is new */
    column more = before < worst; /* counts are negative: a true is -1 */
    worst = (more & before) | (~more & worst);
  }
  int cycles = 0;
  for (unsigned p = 0; p < 8; p++)
    cycles -= worst[p];
  return (unsigned)cycles;
}

static int aligned_alike(const uint64_t *addr, unsigned bytes)
{
  uint64_t mixed = 0;
  for (unsigned l = 0; l < LDS_LANES; l++)
    mixed |= addr[l] ^ addr[0];
  return !((mixed & (bytes - 1)) | (addr[0] & 3));
}

static unsigned whole_wave(const struct lds_phases *p, const uint64_t *addr,
                           unsigned bytes, unsigned units)
{
  union {
    column row[8];
    uint16_t at[8][8];
  } want;
  unsigned shift = (unsigned)__builtin_ctz(bytes);
  uint64_t start = addr[0] & (bytes - 1);
  for (unsigned k = 0; k < LDS_LANES; k++)
    want.at[k % 8][k / 8] = (uint16_t)((addr[p->order[k]] - start) >> shift);
  return eight_by_eight(want.row, (int)units);
}

static unsigned by_groups(const struct lds_layout *y,
                          const struct lds_phases *p, unsigned bytes,
                          uint64_t lanes, const uint64_t *addr, int share,
                          unsigned *phases)
{
  unsigned wide = bytes < 4 ? 4 : bytes, cycles = 0;
  uint64_t at[LDS_LANES];
  uint32_t unit[LDS_LANES];
  uint8_t n[LDS_LANES];
  arrange(y, p, lanes, addr, at, n);
  int whole = bytes != 12 &&
              split(at, lanes, bytes, wide, unit);
  *phases = 0;
  for (unsigned k = 0, l = 0; k < p->phases; l += n[k++]) {
    cycles += whole ? by_units(unit + l, n[k], p->banks * 4 / wide, share)
                    : by_dwords(at + l, n[k], bytes, p->banks, share);
    *phases += n[k] != 0;
  }
  return cycles;
}

const struct lds_phases *lds_phases_find(const struct lds_layout *y,
                                         enum lds_kind kind, unsigned bytes)
{
  unsigned dwords = (bytes + 3) / 4;
  return kind == LDS_READ ? &y->read[dwords] : &y->write[dwords];
}

unsigned lds_cycles(const struct lds_layout *y, enum lds_kind kind,
                    unsigned bytes, uint64_t lanes,
                    const uint64_t addr[LDS_LANES], unsigned *phases)
{
  const struct lds_phases *p = lds_phases_find(y, kind, bytes);
  int full = lanes == ~(uint64_t)0; /* and y->wave is 64 */
  *phases = p->phases;
  if (full && bytes == 16 && p->phases == 8 && kind != LDS_ATOMIC &&
      aligned_alike(addr, bytes))
    return whole_wave(p, addr, bytes, p->banks * 4 / bytes);
  return by_groups(y, p, bytes, lanes, addr, kind != LDS_ATOMIC, phases);
}
