/* lds_access.c - the LDS cycles of what a wave has just done. */
// SPDX-License-Identifier: MIT
#include "db/lds_banks.h"
#include "runtimes/sim/model.h"

struct lds_cost lds_access_cost(const struct access *a)
{
  enum lds_kind kind = a->atomic ? LDS_ATOMIC : a->store ? LDS_WRITE : LDS_READ;
  struct lds_cost cost = { 0, 0 };
  for (unsigned k = 0; k < a->n; k++) {
    unsigned phases;
    unsigned cycles = lds_cycles(&lds_layout_gfx906, kind, a->bytes, a->lanes,
                                 a->addr[k], &phases);
    cost.cycles += cycles;
    cost.conflicts += cycles - phases;
  }
  return cost;
}
