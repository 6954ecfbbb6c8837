/* rival.c - rocBLAS, by dlopen: see rival.h. */
// SPDX-License-Identifier: MIT
#include "tuner/device/rival.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tuner/device/check.h"
#include "tuner/reference/problem.h"
#include "tuner/reference/reference.h"

/* As in rocblas-types.h, which is not needed to build. */
enum {ROCBLAS_NONE = 111, ROCBLAS_TRANSPOSE = 112};
enum {
  ROCBLAS_F16 = 150, ROCBLAS_F32 = 151, ROCBLAS_I8 = 160, ROCBLAS_I32 = 162,
  ROCBLAS_BF16 = 168
};

/* Its number of an element's type; -1: it has none. */
static int type_of(enum element type)
{
  switch (type) {
  case ELEMENT_F32: return ROCBLAS_F32;
  case ELEMENT_F16: return ROCBLAS_F16;
  case ELEMENT_BF16: return ROCBLAS_BF16;
  case ELEMENT_I8: return ROCBLAS_I8;
  case ELEMENT_I32: return ROCBLAS_I32;
  default: return -1;
  }
}

/* Newest first, by ROCm's majors 7, 6 and 5; the last is Debian's. */
static const char *const names[] = {
    "librocblas.so.5", "librocblas.so.4", "librocblas.so.3", "librocblas.so.0",
    "/opt/rocm/lib/librocblas.so"};

enum {NAMES = sizeof names / sizeof *names};

int rival_can(const char *name, const struct family *f,
              const struct problem *p, const struct arch *a, struct err *e)
{
  const char *reference = family_reference(f);
  if (strcmp(name, "rocblas") != 0)
    return err_set(e, ERR_USAGE, "--against %s: must be rocblas, or with explain "
                   "FILE:KERNEL, a kernel of a code object", name);
  if (!reference || strcmp(reference, "gemm") != 0)
    return err_set(e, ERR_USAGE, "--against rocblas: %s is no matrix product; "
                   "rocBLAS can stand beside gemm", family_name(f));
  const struct value *dtype = problem_value(f, p, "dtype");
  const struct value *batch = problem_value(f, p, "batch");
  if (dtype && !strcmp(dtype->s, "i4"))
    return err_set(e, ERR_USAGE, "--against rocblas: it has no product of i4");
  if (batch && batch->i > 0)
    return err_set(e, ERR_USAGE, "--against rocblas: only single products are "
                   "compared; leave batch at 0");
  return arch_fact(a, "amdgcn")
             ? 0
             : err_set(e, ERR_USAGE, "--against rocblas: %s is not AMD's, and "
                       "rocBLAS does not run there", arch_name(a));
}

static void *find(const char *name)
{
  return name && *name ? dlopen(name, RTLD_NOW | RTLD_LOCAL) : NULL;
}

static int open_library(struct rival *r, struct err *e)
{
  const char *given = getenv("TUNE_ROCBLAS");
  if (given && *given) {
    r->library = find(given);
    return r->library ? 0 : err_set(e, ERR_FAILED, "TUNE_ROCBLAS: %s",
                                    dlerror());
  }
  for (size_t i = 0; i < NAMES && !r->library; i++)
    r->library = find(names[i]);
  return r->library
             ? 0
             : err_set(e, ERR_FAILED, "there is no rocBLAS here (librocblas.so "
                       ".5, .4, .3 or .0); install it (Debian 13: librocblas0), "
                       "or set TUNE_ROCBLAS to its path");
}

/* The HIP library that the symbol of `library` lies in. */
static int runtime_of(void *library, char out[PATH_MAX], struct err *e)
{
  Dl_info info;
  void *call = dlsym(library, "hipMalloc");
  if (!call || !dladdr(call, &info))
    return err_set(e, ERR_FAILED, "rocBLAS came without a HIP runtime");
  snprintf(out, PATH_MAX, "%s", info.dli_fname);
  return 0;
}

int rival_load(struct rival *r, const char *name, const char *launch,
               const struct device *device, char runtime[PATH_MAX],
               struct err *e)
{
  *r = (struct rival){0};
  if (rival_code_is(name))
    return rival_code_parse(&r->code, name, launch, e);
  if (device->modelled) {
    snprintf(runtime, PATH_MAX, "%s", device->library);
    if (!dlopen(runtime, RTLD_NOW | RTLD_GLOBAL))
      return err_set(e, ERR_FAILED, "cannot load %s", dlerror());
  }
  if (open_library(r, e))
    return e->code;
  return device->modelled ? 0 : runtime_of(r->library, runtime, e);
}

static int find_calls(struct rival *r, struct err *e)
{
  static const struct {
    const char *name;
    size_t offset;
  } calls[] = {
#define X(type, name, arguments) {#name, offsetof(struct rival, name)},
      ROCBLAS_CALLS(X)
#undef X
  };
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    void *at = dlsym(r->library, calls[i].name);
    if (!at)
      return err_set(e, ERR_FAILED, "%s; is it a rocBLAS?", dlerror());
    memcpy((char *)r + calls[i].offset, &at, sizeof at);
  }
  return 0;
}

static int refused(const struct rival *r, const char *what, int status,
                   struct err *e)
{
  return err_set(e, ERR_FAILED, "%s: %s", what,
                 r->rocblas_status_to_string(status));
}

int rival_begin(struct rival *r, const struct hip *h, const struct family *f,
                struct err *e)
{
  char number[96];
  r->family = f;
  r->hip = h;
  if (r->code.kernel) {
    snprintf(r->name, sizeof r->name, "%s", r->code.file);
    return rival_code_load(&r->code, h, e);
  }
  if (find_calls(r, e))
    return e->code;
  int status = r->rocblas_create_handle(&r->handle);
  if (status)
    return refused(r, "rocblas_create_handle", status, e);
  status = r->rocblas_get_version_string(number, sizeof number);
  if (status)
    return refused(r, "rocblas_get_version_string", status, e);
  size_t n = strlen(number); /* Debian's ends "2.47.0." */
  snprintf(r->name, sizeof r->name, "rocblas-%.*s",
           (int)(n && number[n - 1] == '.' ? n - 1 : n), number);
  return 0;
}

static void *data(const struct plan *plan, const struct buffers *set,
                   const char *name)
{
  return (void *)(set->at[reference_buffer(plan, name)].base + GUARD);
}

static int number(const struct rival *r, const struct problem *p,
                  const char *name)
{
  return (int)problem_int(r->family, p, name);
}

static enum status said(const struct rival *r, const char *call, int status,
                        struct err *e)
{
  if (status)
    refused(r, call, status, e);
  return status ? STATUS_LAUNCH : STATUS_OK;
}

/* Its matrices are column-major, where ours are the transposed ones: it makes
 * C' = op(B)' op(A)'. */
enum status rival_launch(const struct rival *r, const struct problem *p,
                         const struct plan *plan, const struct buffers *set,
                         struct err *e)
{
  if (r->code.kernel)
    return rival_code_launch(&r->code, r->hip, r->family, p, plan, set, e);
  const char *layout = problem_text(r->family, p, "layout");
  int op_a = layout[0] == 't' ? ROCBLAS_TRANSPOSE : ROCBLAS_NONE;
  int op_b = layout[1] == 't' ? ROCBLAS_TRANSPOSE : ROCBLAS_NONE;
  float alpha = (float)problem_num(r->family, p, "alpha");
  float beta = (float)problem_num(r->family, p, "beta");
  int m = number(r, p, "n"), n = number(r, p, "m"), k = number(r, p, "k");
  int lda = number(r, p, "ldb"), ldb = number(r, p, "lda");
  int ldc = number(r, p, "ldc");
  void *a = data(plan, set, "b"), *b = data(plan, set, "a");
  void *c = data(plan, set, "c");
  int type = type_of(plan->buffers[reference_buffer(plan, "a")].type);
  int type_c = type_of(plan->buffers[reference_buffer(plan, "c")].type);
  if (type == ROCBLAS_F32)
    return said(r, "rocblas_sgemm",
                r->rocblas_sgemm(r->handle, op_b, op_a, m, n, k, &alpha, a,
                                 lda, b, ldb, &beta, c, ldc), e);
  int32_t whole_alpha = (int32_t)alpha, whole_beta = (int32_t)beta;
  int whole = type_c == ROCBLAS_I32;
  const void *x = whole ? (void *)&whole_alpha : (void *)&alpha;
  const void *y = whole ? (void *)&whole_beta : (void *)&beta;
  return said(r, "rocblas_gemm_ex",
              r->rocblas_gemm_ex(r->handle, op_b, op_a, m, n, k, x, a, type,
                                 lda, b, type, ldb, y, c, type_c, ldc, c,
                                 type_c, ldc, whole ? type_c : ROCBLAS_F32, 0,
                                 0, 0), e);
}
