/* quantity.c - rates of a run, from its cost and its time; see figure.h. */
// SPDX-License-Identifier: MIT
#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "gen/figure.h"

enum part {PART_FLOPS, PART_BYTES, PART_EXCHANGES, PART_TIME, PART_COUNTS};

static const char *const parts[] = {"flops", "bytes", "exchanges", "", ""};

/* value = part of cost / microseconds * scale */
static const struct known {
  struct quantity q;
  enum part part;
  double scale;
} quantities[] = {
  {{"gbps", "GB/s", "bandwidth"}, PART_BYTES, 1e-3},
  {{"tbps", "TB/s", "bandwidth"}, PART_BYTES, 1e-6},
  {{"gflops", "GFLOP/s", "speed"}, PART_FLOPS, 1e-3},
  {{"tflops", "TFLOP/s", "speed"}, PART_FLOPS, 1e-6},
  {{"gops", "Gop/s", "speed"}, PART_FLOPS, 1e-3},
  {{"tops", "TOPS", "speed"}, PART_FLOPS, 1e-6},
  {{"gxchgps", "Gxchg/s", "lane exchanges"}, PART_EXCHANGES, 1e-3},
  {{"time_us", "us", "time"}, PART_TIME, 1},
  {{"saved", "%", "requests to the L2 saved"}, PART_COUNTS, 1},
};

enum {QUANTITIES = sizeof quantities / sizeof *quantities};

static_assert(offsetof(struct known, q) == 0, "a quantity is a known one");

const struct quantity *quantity_at(size_t i)
{
  return i < QUANTITIES ? &quantities[i].q : NULL;
}

const struct quantity *quantity_find(const char *name)
{
  size_t i = 0;
  while (i < QUANTITIES && strcmp(quantities[i].q.name, name))
    i++;
  return quantity_at(i);
}

/* The facts of an arch that count integer operations are called so. */
static int counts_integers(const struct plan *p)
{
  size_t n = strlen(p->peak), end = strlen("_ops");
  return n > end && !strcmp(p->peak + n - end, "_ops");
}

const struct quantity *quantity_rate(const struct plan *p)
{
  const char *name = "gxchgps";
  if (p->flops > 0)
    name = counts_integers(p) ? "gops" : "gflops";
  else if (p->bytes > 0 || p->exchanges <= 0)
    name = "gbps";
  return quantity_find(name);
}

double quantity_of(const struct quantity *q, const struct plan *p, double us)
{
  const struct known *k = (const struct known *)q;
  const double amounts[] = {p->flops, p->bytes, p->exchanges};
  if (k->part == PART_TIME)
    return us;
  if (k->part == PART_COUNTS)
    return 0;
  return us > 0 ? amounts[k->part] / us * k->scale : 0;
}

int quantity_counted(const struct quantity *q)
{
  return ((const struct known *)q)->part == PART_COUNTS;
}

const char *quantity_cost(const struct quantity *q)
{
  return parts[((const struct known *)q)->part];
}
