/* lds_banks.c - see lds_banks.h.
 *
 * Mostly all lanes are aligned alike. Then what they move falls on whole
 * units, groups of neighbouring banks as wide as the access, and it is enough
 * to count units: one step a lane instead of one a dword.
 */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/lds_banks.h"

#include <string.h>

#include "runtimes/sim/model.h"

enum { BANKS_MAX = 64, WANTED_MAX = 64 };

/* What one group of lanes wants of each bank, or unit of banks. */
struct tally {
  uint64_t used; /* bit n: bank n is wanted, the rest of its entry is set */
  unsigned worst;
  uint8_t count[BANKS_MAX];
  uint32_t top[BANKS_MAX]; /* the highest in the list */
  uint32_t list[BANKS_MAX][WANTED_MAX];
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
static void want(struct tally *t, unsigned bank, uint32_t what, int share)
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

static unsigned tally_units(const uint32_t *unit, unsigned n, unsigned units)
{
  struct tally t;
  t.used = t.worst = 0;
  for (unsigned k = 0; k < n; k++)
    want(&t, unit[k] & (units - 1), unit[k], 1);
  return t.worst;
}

/* Cycles of one group, whose n active lanes want these units.
 *
 * Neighbours that want the same unit, a run, share it. Counting runs is exact
 * if the units rise with the lane, or if no bank has two runs; else the tally
 * looks for lanes further apart that share. */
static unsigned by_units(const uint32_t *unit, unsigned n, unsigned units,
                         int share)
{
  uint8_t runs[BANKS_MAX] = { 0 };
  unsigned worst = 0, falls = 0;
  if (!n)
    return 0;
  runs[unit[0] & (units - 1)] = 1;
  for (unsigned k = 1; k < n; k++) {
    runs[unit[k] & (units - 1)] += !share | (unit[k] != unit[k - 1]);
    falls |= unit[k] < unit[k - 1];
  }
  for (unsigned k = 0; k < units; k++)
    worst = runs[k] > worst ? runs[k] : worst;
  return !falls || worst == 1 || !share ? worst : tally_units(unit, n, units);
}

static unsigned by_dwords(const uint64_t *addr, unsigned n, unsigned bytes,
                          unsigned banks, int share)
{
  struct tally t;
  t.used = t.worst = 0;
  for (unsigned k = 0; k < n; k++)
    for (uint64_t d = addr[k] / 4; d <= (addr[k] + bytes - 1) / 4; d++)
      want(&t, d & (banks - 1), (uint32_t)d, share);
  return t.worst;
}

/* The active lanes' addresses, phase after phase; n[] lanes in each. */
static void arrange(const struct lds_phases *p, uint64_t lanes,
                    const uint64_t *addr, uint64_t *out, uint8_t *n)
{
  unsigned size = LDS_LANES / p->phases;
  if (lanes == ~(uint64_t)0) {
    for (unsigned k = 0; k < LDS_LANES; k++)
      out[k] = addr[p->order[k]];
    memset(n, (int)size, p->phases);
    return;
  }
  memset(n, 0, p->phases);
  for (unsigned k = 0; k < LDS_LANES; k++)
    if (lanes >> p->order[k] & 1) {
      *out++ = addr[p->order[k]];
      n[k / size]++;
    }
}

/* The unit of each address. 0: they are not aligned alike. */
static int split(const uint64_t *addr, unsigned n, unsigned bytes,
                 unsigned wide, uint32_t *unit)
{
  unsigned shift = (unsigned)__builtin_ctz(wide);
  uint64_t crosses = 0;
  /* Narrow accesses share a dword, if they do not cross into the next. */
  uint64_t start = bytes < 4 ? 0 : addr[0] & (wide - 1);
  for (unsigned k = 0; k < n; k++) {
    uint64_t from = addr[k] - start;
    crosses |= (from & (wide - 1)) + bytes - 1;
    unit[k] = (uint32_t)(from >> shift);
  }
  return crosses < wide;
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
  unsigned wide = bytes < 4 ? 4 : bytes, cycles = 0;
  int share = kind != LDS_ATOMIC;
  uint64_t at[LDS_LANES];
  uint32_t unit[LDS_LANES];
  uint8_t n[LDS_LANES];
  *phases = 0;
  if (!lanes)
    return 0;
  arrange(p, lanes, addr, at, n);
  int alike = bytes != 12 &&
              split(at, (unsigned)__builtin_popcountll(lanes), bytes, wide,
                    unit);
  for (unsigned k = 0, l = 0; k < p->phases; l += n[k++]) {
    cycles += alike ? by_units(unit + l, n[k], y->banks * 4 / wide, share)
                    : by_dwords(at + l, n[k], bytes, y->banks, share);
    *phases += n[k] != 0;
  }
  return cycles;
}

struct lds_cost lds_access_cost(const struct access *a)
{
  enum lds_kind kind = a->atomic ? LDS_ATOMIC : a->store ? LDS_WRITE : LDS_READ;
  struct lds_cost cost = { 0, 0 };
  for (unsigned k = 0; k < a->n; k++) {
    unsigned phases;
    unsigned cycles = lds_cycles(&lds_layout_gfx9, kind, a->bytes, a->lanes,
                                 a->addr[k], &phases);
    cost.cycles += cycles;
    cost.conflicts += cycles - phases;
  }
  return cost;
}
