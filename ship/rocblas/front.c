/* front.c - libtuned_rocblas: rocBLAS's products, made by kernels of a pack.
 *
 *     LD_PRELOAD=libtuned_rocblas.so program
 *
 * The functions below stand before rocBLAS's own. Each describes the product
 * that it is asked for; what the pack has a kernel for is served, and all else
 * goes to rocBLAS with its arguments as they came. See mode.h for the
 * environment, docs/shipping.md for the way there.
 */
// SPDX-License-Identifier: MIT
#include <limits.h>

#include "ship/rocblas/decide.h"
#include "ship/rocblas/mode.h"
#include "ship/rocblas/record.h"
#include "ship/rocblas/stats.h"
#include "ship/rocblas/verify.h"

#define EXPORT __attribute__((visibility("default")))

/* A call on its way: what verify_library() needs after rocBLAS. */
struct call {
  struct serving serving;
  struct verify verify;
  int verifying;
};

/* --- one product --------------------------------------------------------- */

/* The first product of each kind is made aside and held to its definition: this
 * card, its driver and its HIP are not those that the pack was made with. */
static enum reason check_first(const struct product *p, struct serving *s)
{
  struct verify v;
  uint64_t kind = serve_kind(p, s);
  if (mode_get()->trust ||
      __atomic_load_n(&s->card->checked, __ATOMIC_ACQUIRE) & kind)
    return SERVED;
  if (s->capturing) /* alone: this one is served, and the next is checked */
    return s->card->alone ? SERVED : WHY_CAPTURE;
  enum reason why = verify_begin(&v, p, s, VERIFY_FEW);
  if (!why && !verify_defined(&v, p, s))
    why = WHY_ASIDE;
  verify_end(&v, s);
  if (!why)
    __atomic_fetch_or(&s->card->checked, kind, __ATOMIC_RELEASE);
  return why;
}

static enum reason verify_this(const struct product *p, struct call *c)
{
  if (c->serving.capturing)
    return WHY_CAPTURE;
  enum reason why = verify_begin(&c->verify, p, &c->serving, INT_MAX);
  c->verifying = !why;
  if (why)
    verify_end(&c->verify, &c->serving);
  return why ? why : WHY_VERIFY;
}

static enum reason serve(const struct product *p, struct call *c)
{
  struct serving *s = &c->serving;
  enum reason why = serve_prepare(p, s);
  if (!why)
    why = mode_get()->verify ? verify_this(p, c) : check_first(p, s);
  return why ? why : serve_launch(p, s, (void *)(uintptr_t)p->d.at);
}

static enum reason make(const struct product *p, struct call *c)
{
  struct serving *s = &c->serving;
  enum reason why = mode_get()->layer ? WHY_LAYER : decide(p);
  if (why)
    return why;
  s->library = library_get();
  s->runtime = runtime_get();
  if (s->runtime->missing)
    return WHY_NO_RUNTIME;
  why = serve(p, c);
  if (why == WHY_HIP)
    runtime_forget_error(s->runtime);
  return why;
}

/* 1: the product is made, or will be in its stream. */
static int begin(const struct product *p, struct call *c)
{
  c->verifying = 0;
  if (mode_get()->record)
    record_product(p);
  enum reason why = mode_get()->off ? WHY_OFF : make(p, c);
  stats_count(why);
  return why == SERVED;
}

/* rocBLAS has made it. */
static void end(const struct product *p, struct call *c)
{
  if (!c->verifying)
    return;
  verify_library(&c->verify, p, &c->serving);
  verify_end(&c->verify, &c->serving);
}

/* --- rocBLAS's functions ------------------------------------------------- */

/* A name, its arguments, their names, the fields of the product. */
#define PRODUCT(name, arguments, names, ...) \
  EXPORT int name arguments; \
  EXPORT int name arguments \
  { \
    const struct product asked = {__VA_ARGS__}; \
    struct call call; \
    if (begin(&asked, &call)) \
      return ROCBLAS_SUCCESS; \
    const struct library *real = library_get(); \
    int status = real->name ? real->name names : ROCBLAS_NOT_IMPLEMENTED; \
    end(&asked, &call); \
    return status; \
  }

#define SIZES \
  .handle = handle, .op_a = op_a, .op_b = op_b, .m = m, .n = n, .k = k, \
  .alpha = alpha, .beta = beta

/* Of one type, in place. */
#define SIMPLE(type) \
  SIZES, .a = {a, type, lda, 0}, .b = {b, type, ldb, 0}, \
  .c = {c, type, ldc, 0}, .d = {c, type, ldc, 0}, .compute = type

#define SIMPLE_STRIDED(type) \
  SIZES, .a = {a, type, lda, stride_a}, .b = {b, type, ldb, stride_b}, \
  .c = {c, type, ldc, stride_c}, .d = {c, type, ldc, stride_c}, \
  .compute = type, .batching = BATCH_STRIDED, .batch = batch

#define ANY \
  SIZES, .a = {a, a_type, lda, 0}, .b = {b, b_type, ldb, 0}, \
  .c = {c, c_type, ldc, 0}, .d = {d, d_type, ldd, 0}, .compute = compute, \
  .algo = algo, .solution = solution, .flags = flags

#define ANY_STRIDED \
  SIZES, .a = {a, a_type, lda, stride_a}, .b = {b, b_type, ldb, stride_b}, \
  .c = {c, c_type, ldc, stride_c}, .d = {d, d_type, ldd, stride_d}, \
  .compute = compute, .algo = algo, .solution = solution, .flags = flags, \
  .batching = BATCH_STRIDED, .batch = batch

#define FIELDS_rocblas_sgemm SIMPLE(TYPE_F32), .batch = 1
#define FIELDS_rocblas_hgemm SIMPLE(TYPE_F16), .batch = 1
#define FIELDS_rocblas_sgemm_strided_batched SIMPLE_STRIDED(TYPE_F32)
#define FIELDS_rocblas_hgemm_strided_batched SIMPLE_STRIDED(TYPE_F16)
#define FIELDS_rocblas_sgemm_batched \
  SIMPLE(TYPE_F32), .batching = BATCH_POINTERS, .batch = batch
#define FIELDS_rocblas_gemm_ex ANY, .batch = 1
#define FIELDS_rocblas_gemm_strided_batched_ex ANY_STRIDED
#define FIELDS_rocblas_gemm_batched_ex \
  ANY, .batching = BATCH_POINTERS, .batch = batch

#define X(name, arguments, names) \
  PRODUCT(name, arguments, names, FIELDS_##name)
PRODUCT_CALLS(X)
#undef X

/* Programs call it to have rocBLAS load its kernels. Where it has none for the
 * card it would end the program, which does not need them. */
EXPORT void rocblas_initialize(void);
EXPORT void rocblas_initialize(void)
{
  const struct library *l = library_get();
  const struct runtime *r = runtime_get();
  struct card *c = r->missing ? NULL : card_get(r);
  if (l->rocblas_initialize && (!c || !c->alone))
    l->rocblas_initialize();
}
