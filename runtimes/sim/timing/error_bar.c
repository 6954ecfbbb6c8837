/* error_bar.c - see error_bar.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/timing/error_bar.h"

#include <stddef.h>
#include <string.h>

/* `./check bars` derives and judges these; they are rounded up to 5 %. `any` is
 * of all kernels; hbm has it, because too few that HBM bounds were recorded.
 * Three that no bound is named after: `channels`, bound by an L2 of which
 * some channels have more to do than others; `reuse`, which share through the L1
 * a matrix that they do not stage; and `direct`, which stage none. */
static const struct error_bar bars[] = {
  {"valu",     0.10},
  {"lds",      0.15},
  {"l2",       0.20},
  {"channels", 0.60},
  {"hbm",      0.25},
  {"latency",  0.25},
  {"reuse",    0.35},
  {"direct",   0.45},
  {"any",      0.25},
};

enum {BARS = sizeof bars / sizeof *bars};

/* Where more of the lines asked for hits the L1, a kernel shares through it: all
 * of CLBlast's do that stage no matrix, and a tenth of those that stage both. */
#define REUSE 0.65

/* Where lines take longer than this, channels are not used evenly. */
#define UNEVEN 1.5

static int is(const char *a, const char *b)
{
  return !strcmp(a, b);
}

static const char *kind_of(const struct error_signs *s)
{
  if (s->l1_hits > REUSE && !s->uses_lds)
    return "direct";
  if (s->l1_hits > REUSE && !is(s->bound, "lds"))
    return "reuse";
  if (is(s->bound, "l1") || is(s->bound, "l2"))
    return s->lines_take > UNEVEN ? "channels" : "l2";
  return s->bound;
}

const struct error_bar *error_bar(const struct error_signs *s)
{
  const char *kind = kind_of(s);
  size_t i = 0;
  while (i + 1 < BARS && !is(bars[i].kind, kind))
    i++;
  return &bars[i];
}
