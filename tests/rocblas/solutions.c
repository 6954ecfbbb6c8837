/* solutions.c - the best of all solutions that rocBLAS has for a product.
 *
 *   rocblas_solutions M N K LAYOUT
 *
 * A product of f32, row-major; LAYOUT is nn, nt, tn or tt. rocBLAS lists its
 * solutions for it, and each is launched once on the simulated device, in the mode
 * that executes no more than the time needs; those that it then refuses are left
 * out. Prints the best modelled time in us, its number, and how many were timed.
 * librocblas.so.4 is taken from where the loader looks.
 */
// SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runtimes/sim/hipsim.h"
#include "tests/rocblas/launch.h"

/* As in rocblas-types.h, which is not needed to build. */
enum {NONE = 111, TRANSPOSE = 112, F32 = 151, BY_INDEX = 1};

/* What rocblas_gemm_ex_get_solutions takes, and what rocblas_gemm_ex takes but for
 * the number of the solution. */
#define PRODUCT \
  void *handle, int op_a, int op_b, int m, int n, int k, const void *alpha, \
  const void *a, int a_type, int lda, const void *b, int b_type, int ldb, \
  const void *beta, const void *c, int c_type, int ldc, void *d, int d_type, \
  int ldd, int compute_type, int algo

struct rocblas {
  int (*create)(void **handle);
  int (*list)(PRODUCT, unsigned flags, int *solutions, int *size);
  int (*gemm)(PRODUCT, int solution, unsigned flags);
  void *handle;
};

/* op_a, op_b, m, n, k: as rocBLAS sees it, whose matrices are column-major. */
struct product {
  int op_a, op_b, m, n, k, lda, ldb;
  void *a, *b, *c;
};

static const float one = 1, zero = 0;

#define ARGUMENTS(r, p) \
  (r)->handle, (p)->op_a, (p)->op_b, (p)->m, (p)->n, (p)->k, &one, (p)->a, F32, \
  (p)->lda, (p)->b, F32, (p)->ldb, &zero, (p)->c, F32, (p)->m, (p)->c, F32, \
  (p)->m, F32, BY_INDEX

static int find(void *library, const char *name, void *call, struct err *e)
{
  void *at = dlsym(library, name);
  if (!at)
    return err_set(e, ERR_FAILED, "%s; is it a rocBLAS?", dlerror());
  memcpy(call, &at, sizeof at);
  return 0;
}

static int open_rocblas(struct rocblas *r, struct err *e)
{
  void *library = dlopen("librocblas.so.4", RTLD_NOW);
  if (!library)
    return err_set(e, ERR_FAILED, "%s", dlerror());
  if (find(library, "rocblas_create_handle", &r->create, e) ||
      find(library, "rocblas_gemm_ex_get_solutions", &r->list, e) ||
      find(library, "rocblas_gemm_ex", &r->gemm, e))
    return e->code;
  return r->create(&r->handle)
             ? err_set(e, ERR_FAILED, "rocblas_create_handle failed")
             : 0;
}

static int parse(char **words, struct product *p, struct err *e)
{
  int m = atoi(words[1]), n = atoi(words[2]), k = atoi(words[3]);
  const char *layout = words[4];
  if (m < 1 || n < 1 || k < 1 || strspn(layout, "nt") != 2 || layout[2])
    return err_set(e, ERR_USAGE, "sizes are at least 1, a layout is nn, nt, tn "
                   "or tt");
  int a_turned = layout[0] == 't', b_turned = layout[1] == 't';
  *p = (struct product){
      .op_a = b_turned ? TRANSPOSE : NONE,
      .op_b = a_turned ? TRANSPOSE : NONE,
      .m = n, .n = m, .k = k,
      .lda = b_turned ? k : n,
      .ldb = a_turned ? m : k,
  };
  return 0;
}

static int fill(void **to, size_t elements, struct err *e)
{
  float *from = mem_array(elements, sizeof *from);
  for (size_t i = 0; i < elements; i++)
    from[i] = (float)(i % 7) - 3;
  int failed =
      hip_check(hipMalloc(to, elements * sizeof *from), "hipMalloc", e) ||
      hip_check(hipMemcpy(*to, from, elements * sizeof *from,
                          hipMemcpyHostToDevice), "hipMemcpy", e);
  free(from);
  return failed;
}

/* From event to event, so that all kernels of a solution count; 0 where rocBLAS
 * refuses it. */
static int time_one(const struct rocblas *r, const struct product *p,
                    int solution, hipEvent_t at[2], double *us, struct err *e)
{
  float ms;
  *us = 0;
  if (hip_check(hipEventRecord(at[0], NULL), "hipEventRecord", e))
    return e->code;
  if (r->gemm(ARGUMENTS(r, p), solution, 0))
    return 0;
  if (hip_check(hipEventRecord(at[1], NULL), "hipEventRecord", e) ||
      hip_check(hipEventSynchronize(at[1]), "hipEventSynchronize", e) ||
      hip_check(hipEventElapsedTime(&ms, at[0], at[1]), "hipEventElapsedTime", e))
    return e->code;
  *us = 1e3 * (double)ms;
  return 0;
}

static int time_all(const struct rocblas *r, const struct product *p,
                    struct err *e)
{
  hipEvent_t at[2];
  int n = 0, timed = 0, best = 0;
  double least = 0, us;
  if (hip_check(hipEventCreate(&at[0]), "hipEventCreate", e) ||
      hip_check(hipEventCreate(&at[1]), "hipEventCreate", e))
    return e->code;
  if (r->list(ARGUMENTS(r, p), 0, NULL, &n) || n < 1)
    return err_set(e, ERR_FAILED, "rocBLAS lists no solutions");
  int *list = mem_array((size_t)n, sizeof *list);
  int failed = r->list(ARGUMENTS(r, p), 0, list, &n) != 0;
  for (int i = 0; i < n && !failed; i++) {
    failed = time_one(r, p, list[i], at, &us, e);
    if (failed || us <= 0)
      continue;
    if (!timed++ || us < least) {
      least = us;
      best = list[i];
    }
  }
  free(list);
  if (!failed)
    printf("%.2f %d %d\n", least, best, timed);
  return failed;
}

int main(int argc, char **argv)
{
  struct rocblas r = {0};
  struct product p;
  struct err e = {0};
  if (argc != 5) {
    fprintf(stderr, "usage: rocblas_solutions M N K LAYOUT\n");
    return 2;
  }
  int failed =
      parse(argv, &p, &e) || open_rocblas(&r, &e) ||
      fill(&p.a, (size_t)p.m * (size_t)p.k, &e) ||
      fill(&p.b, (size_t)p.n * (size_t)p.k, &e) ||
      fill(&p.c, (size_t)p.m * (size_t)p.n, &e) ||
      hip_check(hipsimSetMode(HIPSIM_TIMED), "hipsimSetMode", &e) ||
      time_all(&r, &p, &e);
  if (failed)
    fprintf(stderr, "rocblas_solutions: %s\n", e.text);
  return failed;
}
