/* parts.c - see parts.h. Names, arguments and grid are those of Tensile
 * (ContractionSolution.cpp, generateOutputConversionCall()). */
// SPDX-License-Identifier: MIT
#include "tests/rocblas/parts.h"

#include <stdio.h>
#include <string.h>

enum {THREADS = 256, UNROLL = 16};

struct list {
  uint8_t bytes[128];
  size_t n;
};

static void add(struct list *l, const void *value, size_t size)
{
  l->n = (l->n + size - 1) / size * size;
  memcpy(l->bytes + l->n, value, size);
  l->n += size;
}

static void add_address(struct list *l, const void *at)
{
  add(l, &at, sizeof at);
}

static void add_number(struct list *l, uint32_t value)
{
  add(l, &value, sizeof value);
}

static void add_float(struct list *l, double value)
{
  float f = (float)value;
  add(l, &f, sizeof f);
}

static void fill(struct list *l, const struct gemm_kernel *k,
                 const struct problem *p, const struct buffers *b)
{
  const uint64_t offset = 0;
  add_address(l, k->general ? b->lists[D] : b->x[D]);
  add_address(l, b->parts);
  add_address(l, k->general ? b->lists[C] : b->x[C]);
  for (int x = 0; x < 2 && k->general; x++)
    add(l, &offset, sizeof offset);
  add_float(l, creal(p->alpha));
  add_float(l, creal(p->beta));
  const uint32_t numbers[] = {
      p->stride[D][1], p->stride[D][2], p->m, p->m * p->n,
      p->stride[C][1], p->stride[C][2], p->m, p->n, p->batch, k->split};
  for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
    add_number(l, numbers[n]);
}

/* Elements that a thread takes. */
static unsigned width(const struct problem *p)
{
  unsigned all = p->m * p->n * p->batch;
  return all > device_cus() * THREADS * 2 && p->m % 2 == 0 ? 2 : 1;
}

int parts_add(hipModule_t adders, const struct gemm_kernel *k,
              const struct problem *p, const struct buffers *b,
              struct err *e)
{
  char name[64];
  struct list args = {.n = 0};
  unsigned each = THREADS * width(p), all = p->m * p->n * p->batch;
  if (k->sum != 'S')
    return err_set(e, ERR_FAILED, "no kernel is known that adds up parts of "
                   "type %c", k->sum);
  snprintf(name, sizeof name, "Cijk_%c%s_PostGSU%u%s%s", k->out,
           k->general ? "_GB" : "", (k->split - 1) % UNROLL + 1,
           k->split > UNROLL ? "_mod16" : "", width(p) == 2 ? "_VW2" : "");
  fill(&args, k, p, b);
  const unsigned grid[3] = {(all + each - 1) / each, 1, 1};
  return kernel_launch(adders, name, grid, THREADS, args.bytes, args.n, e);
}
