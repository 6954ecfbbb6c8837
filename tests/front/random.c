/* random.c - 200 random calls, each served right or forwarded as it came. */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "tests/front/scenarios.h"
#include "tests/front/sums.h"

/* How a call differs from what the front takes; NONE: it does not. */
enum oddity {
  NONE, ODD_K, NO_ALPHA, NAN_ALPHA, UNALIGNED, ON_DEVICE, SIZE_QUERY, NO_ROWS,
  SHORT_LD, NO_HANDLE, NO_C, ODDITIES
};

static void make_odd(struct sum *s, enum oddity odd)
{
  switch (odd) {
  case ODD_K: s->k--; break;
  case NO_ALPHA: s->alpha = 0; break;
  case NAN_ALPHA: s->alpha = NAN; break;
  case UNALIGNED: s->a++; break;
  case ON_DEVICE: s->handle->pointer_mode = 1; break;
  case SIZE_QUERY: s->handle->size_query = 1; break;
  case NO_ROWS: s->m = 0; break;
  case SHORT_LD: s->lda = 0; break;
  case NO_HANDLE: s->handle = NULL; break;
  case NO_C: s->c = NULL; break;
  default: break;
  }
}

static void random_sgemm(struct rng *r, enum oddity odd)
{
  struct fake_handle handle = {0};
  struct sum s = some_sum(r, &handle), was = s;
  if (rng_below(r, 2))
    s.beta = was.beta = 0.5f;
  if (odd == NONE) {
    if (s.beta == 0)
      s.c[0] = was.c[0] = NAN; /* is not read */
    CHECK(do_sgemm(&s) == 1);
    free_sum(&was);
    return;
  }
  make_odd(&s, odd);
  int forwarded = *lib->forwarded;
  int launches = lib->counts->launches;
  call_sgemm(&s);
  const uint64_t want[] = {
      (uint64_t)s.handle, (uint64_t)s.op_a, (uint64_t)s.op_b, (uint64_t)s.m,
      (uint64_t)s.n, (uint64_t)s.k, (uint64_t)&s.alpha, (uint64_t)s.a,
      (uint64_t)s.lda, (uint64_t)s.b, (uint64_t)s.ldb, (uint64_t)&s.beta,
      (uint64_t)s.c, (uint64_t)s.ldc};
  CHECK(*lib->forwarded == forwarded + 1);
  CHECK(lib->counts->launches == launches);
  CHECK(lib->last->n == 14 && !memcmp(lib->last->arg, want, sizeof want));
  free_sum(&was);
}

/* gemm_ex of f32 in place, whose fields differ in one way at most. */
static void random_ex(struct rng *r)
{
  struct fake_handle handle = {0};
  struct sum s = some_sum(r, &handle);
  float other[SPACE], before[SPACE];
  int type[5] = {TYPE_F32, TYPE_F32, TYPE_F32, TYPE_F32, TYPE_F32};
  int algo = 0, solution = 0, ldd = s.ldc;
  uint32_t flags = 0;
  void *d = s.c;
  unsigned odd = (unsigned)rng_below(r, 12);
  switch (odd) {
  case 0: case 1: case 2: case 3: case 4: type[odd] = TYPE_F16; break;
  case 5: algo = 1; break;
  case 6: solution = 7; break;
  case 7: flags = 0x1; break;
  case 8: d = other; break;
  case 9: ldd++; break;
  case 10: flags = FLAG_F16_ALTERNATIVE; break;
  default: break;
  }
  int forwarded = *lib->forwarded;
  memcpy(before, s.c, sizeof before);
  lib->rocblas_gemm_ex(&handle, s.op_a, s.op_b, s.m, s.n, s.k, &s.alpha, s.a,
                       type[0], s.lda, s.b, type[1], s.ldb, &s.beta, s.c,
                       type[2], s.ldc, d, type[3], ldd, type[4], algo, solution,
                       flags);
  const uint64_t want[] = {
      (uint64_t)&handle, (uint64_t)s.op_a, (uint64_t)s.op_b, (uint64_t)s.m,
      (uint64_t)s.n, (uint64_t)s.k, (uint64_t)&s.alpha, (uint64_t)s.a,
      (uint64_t)type[0], (uint64_t)s.lda, (uint64_t)s.b, (uint64_t)type[1],
      (uint64_t)s.ldb, (uint64_t)&s.beta, (uint64_t)s.c, (uint64_t)type[2],
      (uint64_t)s.ldc, (uint64_t)d, (uint64_t)type[3], (uint64_t)ldd,
      (uint64_t)type[4], (uint64_t)algo, (uint64_t)solution, flags};
  if (odd >= 10)
    CHECK(*lib->forwarded == forwarded && is_right(&s, before));
  else
    CHECK(*lib->forwarded == forwarded + 1 && lib->last->n == 24 &&
          !memcmp(lib->last->arg, want, sizeof want));
  free_sum(&s);
}

/* What has no kernels yet arrives with its strides and its batch. */
static void random_batch(struct rng *r)
{
  struct fake_handle handle = {0};
  struct sum s = some_sum(r, &handle);
  int forwarded = *lib->forwarded, batch = 2 + (int)rng_below(r, 3);
  lib->rocblas_sgemm_strided_batched(
      &handle, s.op_a, s.op_b, s.m, s.n, s.k, &s.alpha, s.a, s.lda, 1ll << 33,
      s.b, s.ldb, 5, &s.beta, s.c, s.ldc, 6, batch);
  CHECK(*lib->forwarded == forwarded + 1 && lib->last->n == 18);
  CHECK(lib->last->arg[9] == 1ull << 33 && lib->last->arg[17] == (unsigned)batch);
  lib->rocblas_hgemm(&handle, s.op_a, s.op_b, s.m, s.n, s.k, NULL, NULL, 1,
                     NULL, 2, NULL, NULL, 3);
  CHECK(*lib->forwarded == forwarded + 2 && lib->last->n == 14);
  CHECK(!strcmp(lib->last->name, "rocblas_hgemm"));
  free_sum(&s);
}

void random_calls(void)
{
  struct rng r = rng_seeded(29);
  for (int i = 0; i < 200; i++) {
    unsigned kind = (unsigned)rng_below(&r, 8);
    if (kind == 0)
      random_batch(&r);
    else if (kind < 3)
      random_ex(&r);
    else
      random_sgemm(&r, rng_below(&r, 2) ? NONE
                                        : (enum oddity)rng_below(&r, ODDITIES));
  }
}
