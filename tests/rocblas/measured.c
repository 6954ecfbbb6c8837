/* measured.c - modelled beside measured speed of rocBLAS's fastest kernels.
 *
 *   rocblas_measured FILE.co INDEX.dat SCALERS.hsaco COUNT
 *
 * What the index says was measured on Vega 20 when the library was tuned: the
 * winner for each product of a sweep. Prints a row of a TSV for COUNT of them,
 * spread over the sweep: file, m, n, k, GFLOP/s, modelled us, bound, kernel.
 * Card and clock are the simulator's (HIPSIM_CARD, HIPSIM_CLOCK).
 */
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "runtimes/sim/hipsim.h"
#include "tests/rocblas/scale.h"
#include "tests/rocblas/winners.h"

/* Sizes of the sweep that Tensile's tuning files have for every type. Others
 * in the index come from applications, in sessions of their own. */
static const unsigned sides[] = {4,    64,   128,  256,  448,  704,
                                 1024, 1408, 1856, 2368, 2944, 3584,
                                 4288, 5056, 5888, 6784};
static const unsigned sums[] = {128, 256, 1280, 3328};

#define COUNT(a) (sizeof(a) / sizeof *(a))

struct session {
  const char *file; /* without folders */
  hipModule_t module, scalers;
  struct kernel_list kernels;
  struct winner_list winners;
};

/* --- which ---------------------------------------------------------------- */

static int is_one_of(unsigned x, const unsigned *list, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (list[i] == x)
      return 1;
  return 0;
}

/* GFLOP/s of a CU at the highest clock of these cards, two operations a lane
 * and cycle; halves go in pairs, doubles at half rate. */
static double peak_of_cu(char type)
{
  const double lanes = 64, ghz = 1.8;
  return 2 * lanes * ghz * (type == 'H' ? 2 : type == 'D' ? 0.5 : 1);
}

static struct problem problem_of(const struct winner *w,
                                 const struct gemm_kernel *k)
{
  struct problem p = {.m = w->m, .n = w->n, .k = w->k, .batch = 1};
  problem_layout(&p, k, 0);
  p.alpha = p.beta = 2; /* Tensile's default */
  return p;
}

/* The index leaves out how many batches a product had. What is faster than the
 * CUs that one product's workgroups can be on had several. */
static int is_possible(const struct winner *w, const struct gemm_kernel *k)
{
  const struct problem p = problem_of(w, k);
  unsigned grid[3];
  kernel_grid(k, &p, grid);
  double groups = (double)grid[0] * grid[1], cus = groups < 64 ? groups : 64;
  return w->gflops > 0 && w->gflops <= cus * peak_of_cu(k->type);
}

static int wanted(const struct session *s, const struct winner *w)
{
  if (!is_one_of(w->m, sides, COUNT(sides)) ||
      !is_one_of(w->n, sides, COUNT(sides)) ||
      !is_one_of(w->k, sums, COUNT(sums)))
    return 0;
  const struct gemm_kernel *k = kernels_find(&s->kernels, w->kernel);
  return k && !k->general && is_possible(w, k);
}

static int by_size(const void *a, const void *b)
{
  const struct winner *x = a, *y = b;
  const unsigned p[] = {x->m, x->n, x->k}, q[] = {y->m, y->n, y->k};
  for (int i = 0; i < 3; i++)
    if (p[i] != q[i])
      return p[i] < q[i] ? -1 : 1;
  return strcmp(x->kernel, y->kernel);
}

/* Those wanted to the front, in order, each once. Returns how many. */
static size_t choose(struct session *s)
{
  struct winner *at = s->winners.at;
  size_t n = 0;
  qsort(at, s->winners.n, sizeof *at, by_size);
  for (size_t i = 0; i < s->winners.n; i++) {
    struct winner held = at[i];
    if (!wanted(s, &held) || (n && !by_size(&at[n - 1], &held)))
      continue;
    at[i] = at[n];
    at[n++] = held;
  }
  return n;
}

/* --- one ------------------------------------------------------------------ */

/* Modelled us of what ran last. */
static int modelled(double *us, struct hipsim_report *r, struct err *e)
{
  *r = (struct hipsim_report){.size = sizeof *r};
  int code = hip_check(hipsimReport(r), "hipsimReport", e);
  *us += code ? 0 : r->time_us;
  return code;
}

static int time_one(const struct session *s, const struct winner *w,
                    struct err *e)
{
  const struct gemm_kernel *k = kernels_find(&s->kernels, w->kernel);
  struct problem p = problem_of(w, k);
  struct buffers b;
  struct hipsim_report r;
  double us = 0;
  int code = buffers_open(&b, &p, k, e);
  if (!code && k->split > 1) {
    code = scale_run(s->scalers, k, &p, &b, e);
    if (!code)
      code = modelled(&us, &r, e);
  }
  if (!code)
    code = kernel_run(s->module, k, &p, &b, e);
  if (!code)
    code = modelled(&us, &r, e);
  buffers_close(&b);
  if (!code)
    printf("%s\t%u\t%u\t%u\t%g\t%.2f\t%s\t%s\t%s\t%g\n", s->file, w->m, w->n, w->k,
           w->gflops, us, r.bound, w->kernel, r.error_kind, r.error_80);
  fflush(stdout);
  return code;
}

/* --- all ------------------------------------------------------------------ */

static int time_some(struct session *s, size_t count)
{
  size_t n = choose(s);
  int bad = 0;
  count = count < n ? count : n;
  for (size_t i = 0; i < count; i++) {
    const struct winner *w = &s->winners.at[i * n / count];
    struct err e;
    if (!time_one(s, w, &e))
      continue;
    fprintf(stderr, "FAILED %s, %u x %u x %u, %s: %s\n", s->file, w->m, w->n,
            w->k, w->kernel, e.text);
    bad = 1;
  }
  return bad;
}

static int open_session(struct session *s, char *const paths[], struct err *e)
{
  struct str index = {0};
  const char *slash = strrchr(paths[0], '/');
  s->file = slash ? slash + 1 : paths[0];
  int code = kernels_read(&s->kernels, paths[0], e);
  if (!code)
    code = file_read(paths[1], (size_t)1 << 30, &index, e);
  if (!code)
    code = winners_read(&s->winners, str_text(&index), index.len, e);
  if (!code)
    code = hip_check(hipModuleLoad(&s->module, paths[0]), "hipModuleLoad", e);
  if (!code)
    code = hip_check(hipModuleLoad(&s->scalers, paths[2]), "hipModuleLoad", e);
  if (!code)
    code = hip_check(hipsimSetMode(HIPSIM_TIMED), "hipsimSetMode", e);
  str_free(&index);
  return code;
}

int main(int argc, char **argv)
{
  struct session s = {0};
  struct err e;
  if (argc != 5) {
    fprintf(stderr, "usage: rocblas_measured FILE.co INDEX.dat SCALERS.hsaco "
            "COUNT\n");
    return 2;
  }
  int code = open_session(&s, argv + 1, &e);
  if (code)
    fprintf(stderr, "FAILED %s: %s\n", argv[1], e.text);
  else
    code = time_some(&s, strtoul(argv[4], NULL, 10));
  winners_free(&s.winners);
  kernels_free(&s.kernels);
  return code != 0;
}
