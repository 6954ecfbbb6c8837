/* count.c - what workgroups executed. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/dispatch.h"

void counts_add(struct counts *to, const struct group *g)
{
  to->waves += g->nwaves;
  for (uint32_t n = 0; n < g->nwaves; n++) {
    const struct wave *w = &g->waves[n];
    for (unsigned k = 0; k < CLASS_N; k++)
      to->insts[k] += w->counts[k];
    to->waits += w->waits;
    to->lines += w->lines;
    to->merged += w->merged;
  }
}
