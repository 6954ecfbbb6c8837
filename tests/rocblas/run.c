/* run.c - do rocBLAS's kernels give the right product?
 *
 *   rocblas_run FILE.co [PART/PARTS] [WORD...]
 *
 * Runs every kernel of the file (those whose name holds one of the words) on
 * three problems and prints a line for each: the number of the kernel, the
 * problem, the modelled time and what limits it, then the result. Where it
 * leaves parts of the sums, another kernel adds them up, which is not timed.
 * With PART/PARTS only that part of the kernels, for several processes at once.
 */
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "runtimes/sim/hipsim.h"
#include "tests/rocblas/parts.h"

/* A launch that is this much above or below what the arithmetic alone would
 * take at the card's peak rate is not a time to believe. */
#define PEAK_TFLOPS_FLOAT 13.25
#define PEAK_TFLOPS_HALF 26.5
#define PEAK_TFLOPS_DOUBLE 6.63
#define SLOWEST_US 5000

struct modules {
  hipModule_t products, adders;
};

struct request {
  const char *path;
  unsigned part, parts;
  char **words;
  int nwords;
};

static int wanted(const struct request *r, const char *name)
{
  int found = !r->nwords;
  for (int i = 0; i < r->nwords; i++)
    found |= strstr(name, r->words[i]) != NULL;
  return found;
}

static int compare(const struct gemm_kernel *k, const struct problem *p,
                   const struct buffers *b, struct data *d, struct err *e)
{
  size_t worst;
  if (buffers_get(b, p, k, D, d->x[D], e))
    return e->code;
  size_t wrong = data_wrong(d, p, &worst);
  if (!wrong)
    return 0;
  return err_set(e, ERR_FAILED,
                 "%zu elements wrong; at row %zu, column %zu, batch %zu: "
                 "(%g, %g), expected (%g, %g)", wrong, worst % p->stride[D][2] %
                 p->stride[D][1], worst % p->stride[D][2] / p->stride[D][1],
                 worst / p->stride[D][2], creal(d->x[D][worst]),
                 cimag(d->x[D][worst]), creal(d->want[worst]),
                 cimag(d->want[worst]));
}

/* Is the modelled time possible at all? With HIPSIM_CHECK there is none. */
static int believable(const struct gemm_kernel *k, const struct problem *p,
                      struct err *e)
{
  struct hipsim_report r = {.size = sizeof r};
  if (hip_check(hipsimReport(&r), "hipsimReport", e))
    return e->code;
  if (!r.timed)
    return 0;
  unsigned parts = type_parts(k->type); /* 4 products of a complex one */
  double flops = 2.0 * p->m * p->n * p->k * p->batch * parts * parts;
  double peak = k->type == 'H' || k->type == '8'   ? PEAK_TFLOPS_HALF
                : k->type == 'D' || k->type == 'Z' ? PEAK_TFLOPS_DOUBLE
                                                   : PEAK_TFLOPS_FLOAT;
  printf(" %9.2f us %-8s", r.time_us, r.bound);
  if (r.time_us * peak * 1e6 < flops || r.time_us > SLOWEST_US)
    return err_set(e, ERR_FAILED, "a time that cannot be");
  return 0;
}

static int run(const struct modules *modules, const struct gemm_kernel *k,
               const struct problem *p, struct data *d, struct err *e)
{
  struct buffers b;
  if (buffers_open(&b, p, k, e))
    return e->code;
  int code = 0;
  for (int x = 0; x < MATRICES && !code; x++)
    code = buffers_put(&b, p, k, x, d->x[x], e);
  if (!code)
    code = kernel_run(modules->products, k, p, &b, e);
  if (!code)
    code = believable(k, p, e);
  if (!code && k->parts)
    code = parts_add(modules->adders, k, p, &b, e);
  if (!code)
    code = compare(k, p, &b, d, e);
  buffers_close(&b);
  return code;
}

static int try_shape(const struct modules *modules,
                     const struct gemm_kernel *k, int shape, size_t number)
{
  struct problem p;
  struct data d;
  struct err e;
  problem_choose(&p, k, shape);
  data_make(&d, &p, k, number * SHAPES + (size_t)shape);
  printf("%4zu %4ux%-4u k %-4u batch %u", number, p.m, p.n, p.k, p.batch);
  int code = run(modules, k, &p, &d, &e);
  printf("  %s\n", code ? "FAILED" : "ok");
  if (code)
    printf("FAILED %s\n  %s\n", k->name, e.text);
  fflush(stdout);
  data_free(&d);
  return code;
}

static int run_all(const struct modules *modules,
                   const struct kernel_list *list,
                   const struct request *r)
{
  unsigned passed = 0, failed = 0;
  for (size_t n = r->part; n < list->n; n += r->parts) {
    const struct gemm_kernel *k = &list->at[n];
    if (!wanted(r, k->name))
      continue;
    printf("%4zu %s\n", n, k->name);
    int bad = 0;
    for (int shape = 0; shape < SHAPES; shape++)
      bad |= try_shape(modules, k, shape, n);
    passed += !bad;
    failed += bad != 0;
  }
  printf("%u passed, %u failed\n", passed, failed);
  return failed || !passed;
}

/* Those that add up parts are in a file beside this one. */
static int load(struct modules *m, const char *path, struct err *e)
{
  struct str beside = {0};
  const char *slash = strrchr(path, '/');
  int folder = slash ? (int)(slash + 1 - path) : 0;
  str_addf(&beside, "%.*s" PARTS_FILE, folder, path);
  int code = hip_check(hipModuleLoad(&m->products, path), "hipModuleLoad", e);
  if (!code)
    code = hip_check(hipModuleLoad(&m->adders, beside.at), "hipModuleLoad", e);
  str_free(&beside);
  return code;
}

static int work(const struct request *r, struct err *e)
{
  struct kernel_list list = {0};
  struct modules modules = {NULL, NULL};
  int code = kernels_read(&list, r->path, e);
  if (!code)
    code = load(&modules, r->path, e);
  if (!code) {
    code = run_all(&modules, &list, r);
    (void)hipModuleUnload(modules.products);
    (void)hipModuleUnload(modules.adders);
  } else {
    fprintf(stderr, "rocblas_run: %s: %s\n", r->path, e->text);
  }
  kernels_free(&list);
  return code;
}

int main(int argc, char **argv)
{
  struct request r = {.parts = 1};
  struct err e;
  if (argc < 2) {
    fprintf(stderr, "usage: rocblas_run FILE.co [PART/PARTS] [WORD...]\n");
    return 2;
  }
  r.path = argv[1];
  int first = argc > 2 && sscanf(argv[2], "%u/%u", &r.part, &r.parts) == 2 &&
              r.parts > 0 ? 3 : 2;
  r.words = argv + first;
  r.nwords = argc - first;
  return work(&r, &e);
}
