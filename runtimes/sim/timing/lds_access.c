/* lds_access.c - the LDS cycles of what a wave has just done. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/timing/lds_access.h"

#include "arch/lds_banks.h"

static enum lds_kind kind_of(const struct access *a)
{
  return a->atomic ? LDS_ATOMIC : a->store ? LDS_WRITE : LDS_READ;
}

static struct lds_cost cost_at(const struct lds_layout *y,
                               const struct access *a, unsigned k)
{
  unsigned phases;
  unsigned cycles = lds_cycles(y, kind_of(a), a->bytes, a->lanes, a->addr[k],
                               &phases);
  return (struct lds_cost){cycles, cycles - phases};
}

struct lds_cost lds_access_cost(const struct lds_layout *y,
                                const struct access *a)
{
  struct lds_cost cost = {0, 0};
  for (unsigned k = 0; k < a->n; k++) {
    struct lds_cost one = cost_at(y, a, k);
    cost.cycles += one.cycles;
    cost.conflicts += one.conflicts;
  }
  return cost;
}

/* --- what was asked before ------------------------------------------------ */

static int is_known(const struct lds_known *k, const struct access *a,
                    const uint64_t addr[LANES])
{
  enum {WIDEST = 16}; /* bytes */
  uint64_t differ = (addr[0] - k->first) % WIDEST | (a->lanes ^ k->lanes) |
                    (a->bytes ^ k->bytes) | (kind_of(a) ^ k->kind);
  if (differ)
    return 0;
  for (unsigned l = 0; l < LANES; l++)
    differ |= (addr[l] - addr[0]) ^ k->apart[l];
  return !differ;
}

static void learn(const struct lds_layout *y, struct lds_known *k,
                  const struct access *a, unsigned n)
{
  const uint64_t *addr = a->addr[n];
  *k = (struct lds_known){.first = addr[0], .lanes = a->lanes,
                          .bytes = a->bytes, .kind = kind_of(a),
                          .cost = cost_at(y, a, n)};
  for (unsigned l = 0; l < LANES; l++)
    k->apart[l] = addr[l] - addr[0];
}

struct lds_cost lds_access_again(struct lds_memo *m, uint32_t pc,
                                 const struct access *a)
{
  struct lds_cost cost = {0, 0};
  for (unsigned n = 0; n < a->n; n++) {
    struct lds_known *k = &m->at[pc % LDS_KNOWN][n];
    if (!is_known(k, a, a->addr[n]))
      learn(m->layout, k, a, n);
    cost.cycles += k->cost.cycles;
    cost.conflicts += k->cost.conflicts;
  }
  return cost;
}
