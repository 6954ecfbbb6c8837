/* error_bar.c - see error_bar.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/timing/error_bar.h"

#include <stddef.h>
#include <string.h>

/* `./check bars` derives and judges these; they are rounded up to 5 %. The last is
 * of all kernels; hbm has it, because too few that HBM bounds were recorded. */
static const struct error_bar bars[] = {
  {"valu",    0.10},
  {"lds",     0.15},
  {"l2",      0.35},
  {"hbm",     0.35},
  {"latency", 0.25},
  {"reuse",   0.90},
  {"any",     0.35},
};

enum {BARS = sizeof bars / sizeof *bars};

/* Where more of the lines asked for hits the L1: so it is for all of CLBlast's
 * kernels that stage no matrix, and for a tenth of those that stage both. */
#define REUSE 0.65

const struct error_bar *error_bar(const char *bound, double l1_hits)
{
  int cached = !strcmp(bound, "l1") || !strcmp(bound, "l2");
  const char *kind = !cached ? bound : l1_hits > REUSE ? "reuse" : "l2";
  size_t i = 0;
  while (i + 1 < BARS && strcmp(bars[i].kind, kind) != 0)
    i++;
  return &bars[i];
}
