/* verify.c - see verify.h. */
// SPDX-License-Identifier: MIT
#include "ship/rocblas/verify.h"

#include <stdio.h>
#include <stdlib.h>

#include "ship/rocblas/compare.h"

enum {TO_HOST = 2, ON_DEVICE = 3 /* hipMemcpyKind */, F32 = 4 /* bytes */};

static size_t bytes_of_c(const struct product *p)
{
  return F32 * compare_extent(p->c.ld, p->m, p->n);
}

static size_t bytes_of(const struct matrix *x, int op, int rows, int columns)
{
  return F32 * (op == OP_NONE ? compare_extent(x->ld, rows, columns)
                              : compare_extent(x->ld, columns, rows));
}

/* A copy on the host; NULL where that fails. */
static void *fetch(const struct runtime *r, const void *from, size_t bytes)
{
  void *to = malloc(bytes);
  if (to && r->hipMemcpy(to, from, bytes, TO_HOST)) {
    free(to);
    return NULL;
  }
  return to;
}

/* hipMemcpy() is ordered after the null stream alone: the stream of the product
 * is waited for first. */
static enum reason make(struct verify *v, const struct product *p,
                        const struct serving *s)
{
  const struct runtime *r = s->runtime;
  size_t bytes = bytes_of_c(p);
  if (r->hipStreamSynchronize(s->stream) ||
      r->hipMalloc(&v->copy, bytes) ||
      r->hipMemcpy(v->copy, p->c.at, bytes, ON_DEVICE))
    return WHY_HIP;
  v->c = fetch(r, p->c.at, bytes);
  v->a = fetch(r, p->a.at, bytes_of(&p->a, p->op_a, p->m, p->k));
  v->b = fetch(r, p->b.at, bytes_of(&p->b, p->op_b, p->k, p->n));
  if (!v->a || !v->b || !v->c)
    return WHY_HIP;
  enum reason why = serve_launch(p, s, v->copy);
  if (why)
    return why;
  if (r->hipStreamSynchronize(s->stream))
    return WHY_HIP;
  v->d = fetch(r, v->copy, bytes);
  return v->d ? SERVED : WHY_HIP;
}

enum reason verify_begin(struct verify *v, const struct product *p,
                         const struct serving *s)
{
  *v = (struct verify){0};
  return make(v, p, s);
}

void verify_end(struct verify *v, const struct serving *s)
{
  if (v->copy)
    s->runtime->hipFree(v->copy);
  free(v->a);
  free(v->b);
  free(v->c);
  free(v->d);
  *v = (struct verify){0};
}

static int agrees(const struct product *p, const struct serving *s, int wrong,
                  const struct difference *d)
{
  char why[256];
  if (!wrong)
    return 1;
  if (wrong < 0)
    snprintf(why, sizeof why, "there is no memory to compare a product");
  else
    snprintf(why, sizeof why, "element %d, %d of a product of %d x %d x %d is "
             "%.9g and should be %.9g, within %.2g (%.90s)", d->row, d->column,
             p->m, p->n, p->k, d->value, d->expected, d->bound,
             s->kernel.config);
  card_step_aside(s->card, why);
  return 0;
}

int verify_defined(const struct verify *v, const struct product *p,
                   const struct serving *s)
{
  const struct operands o = {v->a, v->b, v->c};
  struct difference d = {0};
  int wrong = compare_defined(p, &o, v->d, &d);
  return agrees(p, s, wrong, &d);
}

int verify_library(const struct verify *v, const struct product *p,
                   const struct serving *s)
{
  const struct operands o = {v->a, v->b, v->c};
  struct difference d = {0};
  void *theirs = s->runtime->hipStreamSynchronize(s->stream)
                     ? NULL
                     : fetch(s->runtime, p->d.at, bytes_of_c(p));
  int wrong = theirs ? compare_other(p, &o, v->d, theirs, &d) : -1;
  free(theirs);
  return agrees(p, s, wrong, &d);
}
