/* count.c - which counter an instruction goes to. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/dispatch.h"

static enum count memory_count(const struct inst *i)
{
  enum count read = i->format == FLAT ? COUNT_FLAT_RD
                    : i->format == MUBUF || i->format == MTBUF
                        ? COUNT_BUFFER_RD
                        : COUNT_GLOBAL_RD;
  return inst_writes(i) ? read + 1 : read;
}

enum count count_of(const struct inst *i)
{
  static const uint8_t counts[UNIT_N] = { /* ORDER UNIT */
      COUNT_VALU, COUNT_SALU, COUNT_SMEM, COUNT_LDS,
      COUNT_BUFFER_RD, COUNT_OTHER, COUNT_OTHER};
  return i->unit == UNIT_VMEM ? memory_count(i) : counts[i->unit];
}

void counts_add(struct counts *to, const struct group *g)
{
  to->waves += g->nwaves;
  for (uint32_t n = 0; n < g->nwaves; n++)
    for (unsigned k = 0; k < COUNT_N; k++)
      to->insts[k] += g->waves[n].counts[k];
}
