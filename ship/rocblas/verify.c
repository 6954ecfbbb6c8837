/* verify.c - see verify.h. */
// SPDX-License-Identifier: MIT
#include "ship/rocblas/verify.h"

#include <stdio.h>
#include <stdlib.h>

#include "ship/rocblas/number.h"

enum {TO_DEVICE = 1, TO_HOST = 2, ON_DEVICE = 3 /* hipMemcpyKind */};

/* --- where things are ---------------------------------------------------- */

static size_t bytes_of(const struct matrix *x, int op, int rows, int columns)
{
  return number_bytes(x->type) *
         (op == OP_NONE ? compare_extent(x->ld, rows, columns)
                        : compare_extent(x->ld, columns, rows));
}

static size_t bytes_of_c(const struct product *p)
{
  return bytes_of(&p->c, OP_NONE, p->m, p->n);
}

/* From one product's C in the copy to the next. */
static size_t step_of_copy(const struct product *p)
{
  return p->batching == BATCH_STRIDED
             ? number_bytes(p->c.type) * (size_t)p->c.stride
             : (bytes_of_c(p) + 255) / 256 * 256;
}

static int copy_bytes(const struct serving *s, void *to, const void *from,
                      size_t bytes, int kind)
{
  return s->runtime->hipMemcpyAsync(to, from, bytes, kind, s->stream) ||
         s->runtime->hipStreamSynchronize(s->stream);
}

/* Where the matrices of each product are: NULL where that cannot be told. */
static const void **places_of(const struct matrix *x, const struct product *p,
                              const struct serving *s)
{
  const void **to = calloc((size_t)p->batch, sizeof *to);
  int bad = !to;
  if (to && p->batching == BATCH_POINTERS)
    bad = copy_bytes(s, to, x->at, (size_t)p->batch * sizeof *to, TO_HOST);
  for (int i = 0; !bad && p->batching != BATCH_POINTERS && i < p->batch; i++)
    to[i] = (const char *)x->at +
            i * x->stride * (int64_t)number_bytes(x->type);
  if (!bad)
    return to;
  free(to);
  return NULL;
}

/* A copy on the host; NULL where that fails. */
static void *fetch(const struct serving *s, const void *from, size_t bytes)
{
  void *to = malloc(bytes);
  if (to && copy_bytes(s, to, from, bytes, TO_HOST)) {
    free(to);
    return NULL;
  }
  return to;
}

/* --- the product aside --------------------------------------------------- */

static int find_places(struct verify *v, const struct product *p,
                       const struct serving *s)
{
  v->a = places_of(&p->a, p, s);
  v->b = places_of(&p->b, p, s);
  v->c = places_of(&p->c, p, s);
  v->one = calloc((size_t)v->n, sizeof *v->one);
  return !v->a || !v->b || !v->c || !v->one;
}

static char *in_copy(const struct verify *v, const struct product *p, int i)
{
  return (char *)v->copy + (size_t)i * step_of_copy(p);
}

static int copy_c(struct verify *v, const struct product *p,
                  const struct serving *s)
{
  size_t step = step_of_copy(p), all = step * (size_t)(p->batch - 1);
  if (s->runtime->hipMalloc(&v->copy, all + bytes_of_c(p))) {
    v->copy = NULL;
    return -1;
  }
  for (int i = 0; i < p->batch; i++)
    if (copy_bytes(s, in_copy(v, p, i), v->c[i], bytes_of_c(p), ON_DEVICE))
      return -1;
  return 0;
}

/* A batch of pointers takes the copy as pointers into it, on the device. */
static int point_to_copy(struct verify *v, const struct product *p,
                         const struct serving *s)
{
  size_t bytes = (size_t)p->batch * sizeof(void *);
  void **to = malloc(bytes);
  int bad = !to || s->runtime->hipMalloc(&v->places, bytes);
  for (int i = 0; !bad && i < p->batch; i++)
    to[i] = in_copy(v, p, i);
  bad = bad || copy_bytes(s, v->places, to, bytes, TO_DEVICE);
  free(to);
  return bad;
}

static int fetch_operands(struct verify *v, const struct product *p,
                          const struct serving *s)
{
  for (int i = 0; i < v->n; i++) {
    struct verified *o = &v->one[i];
    o->c = fetch(s, v->c[i], bytes_of_c(p));
    o->a = fetch(s, v->a[i], bytes_of(&p->a, p->op_a, p->m, p->k));
    o->b = fetch(s, v->b[i], bytes_of(&p->b, p->op_b, p->k, p->n));
    if (!o->a || !o->b || !o->c)
      return -1;
  }
  return 0;
}

static int fetch_products(struct verify *v, const struct product *p,
                          const struct serving *s)
{
  for (int i = 0; i < v->n; i++) {
    v->one[i].d = fetch(s, in_copy(v, p, i), bytes_of_c(p));
    if (!v->one[i].d)
      return -1;
  }
  return 0;
}

enum reason verify_begin(struct verify *v, const struct product *p,
                         const struct serving *s, int most)
{
  *v = (struct verify){.batch = p->batch,
                       .n = p->batch < most ? p->batch : most,
                       .capture = runtime_relax(s->runtime)};
  if (s->runtime->hipStreamSynchronize(s->stream) || find_places(v, p, s) ||
      copy_c(v, p, s) || fetch_operands(v, p, s))
    return WHY_HIP;
  if (p->batching == BATCH_POINTERS && point_to_copy(v, p, s))
    return WHY_HIP;
  enum reason why = serve_launch(p, s, v->places ? v->places : v->copy);
  if (why)
    return why;
  return fetch_products(v, p, s) ? WHY_HIP : SERVED;
}

void verify_end(struct verify *v, const struct serving *s)
{
  if (v->copy)
    s->runtime->hipFree(v->copy);
  if (v->places)
    s->runtime->hipFree(v->places);
  for (int i = 0; v->one && i < v->n; i++) {
    free(v->one[i].a);
    free(v->one[i].b);
    free(v->one[i].c);
    free(v->one[i].d);
  }
  free(v->a);
  free(v->b);
  free(v->c);
  free(v->one);
  runtime_restore(s->runtime, v->capture);
  *v = (struct verify){0};
}

/* --- comparing ----------------------------------------------------------- */

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
  struct difference d = {0};
  int wrong = 0;
  for (int i = 0; i < v->n && !wrong; i++) {
    const struct operands o = {v->one[i].a, v->one[i].b, v->one[i].c};
    wrong = compare_defined(p, &o, v->one[i].d, &d);
  }
  return agrees(p, s, wrong, &d);
}

int verify_library(const struct verify *v, const struct product *p,
                   const struct serving *s)
{
  struct difference d = {0};
  int wrong = 0;
  for (int i = 0; i < v->n && !wrong; i++) {
    const struct operands o = {v->one[i].a, v->one[i].b, v->one[i].c};
    void *theirs = fetch(s, v->c[i], bytes_of_c(p));
    if (!theirs)
      runtime_forget_error(s->runtime);
    wrong = theirs ? compare_other(p, &o, v->one[i].d, theirs, &d) : -1;
    free(theirs);
  }
  return agrees(p, s, wrong, &d);
}
