/* stub_rocblas.c - stands in for rocBLAS: notes what it is asked for.
 *
 * It makes the products of plain sgemm on the host, and nothing else.
 */
// SPDX-License-Identifier: MIT
#include "tests/front/fakes.h"

#include <string.h>

enum {TRANSPOSE = 112};

struct fake_call fake_last;
int fake_forwarded, fake_initialized;

static void begin(const char *name)
{
  __atomic_add_fetch(&fake_forwarded, 1, __ATOMIC_RELAXED);
  fake_last.name = name;
  fake_last.n = 0;
}

static void note(uint64_t value)
{
  fake_last.arg[fake_last.n++] = value;
}

#define NOTE(x) note((uint64_t)(x))
#define SIZES() NOTE(handle), NOTE(op_a), NOTE(op_b), NOTE(m), NOTE(n), NOTE(k)

int rocblas_get_stream(void *handle, void **stream)
{
  *stream = ((struct fake_handle *)handle)->stream;
  return 0;
}

int rocblas_get_pointer_mode(void *handle, int *mode)
{
  *mode = ((struct fake_handle *)handle)->pointer_mode;
  return 0;
}

_Bool rocblas_is_device_memory_size_query(void *handle)
{
  return ((struct fake_handle *)handle)->size_query;
}

void rocblas_initialize(void)
{
  fake_initialized++;
}

int rocblas_sgemm(void *handle, int op_a, int op_b, int m, int n, int k,
                  const float *alpha, const float *a, int lda, const float *b,
                  int ldb, const float *beta, float *c, int ldc)
{
  begin("rocblas_sgemm");
  SIZES(), NOTE(alpha), NOTE(a), NOTE(lda), NOTE(b), NOTE(ldb), NOTE(beta);
  NOTE(c), NOTE(ldc);
  if (!handle || ((struct fake_handle *)handle)->pointer_mode || !alpha || !c)
    return 1;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++) {
      float sum = 0, *to = &c[(size_t)j * (size_t)ldc + (size_t)i];
      for (int l = 0; l < k && *alpha != 0; l++)
        sum += a[op_a == TRANSPOSE ? i * lda + l : l * lda + i] *
               b[op_b == TRANSPOSE ? l * ldb + j : j * ldb + l];
      *to = *alpha * sum + (*beta == 0 ? 0 : *beta * *to);
    }
  return 0;
}

int rocblas_hgemm(void *handle, int op_a, int op_b, int m, int n, int k,
                  const uint16_t *alpha, const uint16_t *a, int lda,
                  const uint16_t *b, int ldb, const uint16_t *beta,
                  uint16_t *c, int ldc)
{
  begin("rocblas_hgemm");
  SIZES(), NOTE(alpha), NOTE(a), NOTE(lda), NOTE(b), NOTE(ldb), NOTE(beta);
  NOTE(c), NOTE(ldc);
  return 0;
}

int rocblas_sgemm_strided_batched(
    void *handle, int op_a, int op_b, int m, int n, int k, const float *alpha,
    const float *a, int lda, int64_t stride_a, const float *b, int ldb,
    int64_t stride_b, const float *beta, float *c, int ldc, int64_t stride_c,
    int batch)
{
  begin("rocblas_sgemm_strided_batched");
  SIZES(), NOTE(alpha), NOTE(a), NOTE(lda), NOTE(stride_a), NOTE(b), NOTE(ldb);
  NOTE(stride_b), NOTE(beta), NOTE(c), NOTE(ldc), NOTE(stride_c), NOTE(batch);
  return 0;
}

int rocblas_hgemm_strided_batched(
    void *handle, int op_a, int op_b, int m, int n, int k,
    const uint16_t *alpha, const uint16_t *a, int lda, int64_t stride_a,
    const uint16_t *b, int ldb, int64_t stride_b, const uint16_t *beta,
    uint16_t *c, int ldc, int64_t stride_c, int batch)
{
  begin("rocblas_hgemm_strided_batched");
  SIZES(), NOTE(alpha), NOTE(a), NOTE(lda), NOTE(stride_a), NOTE(b), NOTE(ldb);
  NOTE(stride_b), NOTE(beta), NOTE(c), NOTE(ldc), NOTE(stride_c), NOTE(batch);
  return 0;
}

int rocblas_sgemm_batched(void *handle, int op_a, int op_b, int m, int n,
                          int k, const float *alpha, const float *const *a,
                          int lda, const float *const *b, int ldb,
                          const float *beta, float *const *c, int ldc,
                          int batch)
{
  begin("rocblas_sgemm_batched");
  SIZES(), NOTE(alpha), NOTE(a), NOTE(lda), NOTE(b), NOTE(ldb), NOTE(beta);
  NOTE(c), NOTE(ldc), NOTE(batch);
  return 0;
}

int rocblas_gemm_ex(void *handle, int op_a, int op_b, int m, int n, int k,
                    const void *alpha, const void *a, int a_type, int lda,
                    const void *b, int b_type, int ldb, const void *beta,
                    const void *c, int c_type, int ldc, void *d, int d_type,
                    int ldd, int compute, int algo, int32_t solution,
                    uint32_t flags)
{
  begin("rocblas_gemm_ex");
  SIZES(), NOTE(alpha), NOTE(a), NOTE(a_type), NOTE(lda), NOTE(b);
  NOTE(b_type), NOTE(ldb), NOTE(beta), NOTE(c), NOTE(c_type), NOTE(ldc);
  NOTE(d), NOTE(d_type), NOTE(ldd), NOTE(compute), NOTE(algo), NOTE(solution);
  NOTE(flags);
  return 0;
}

int rocblas_gemm_strided_batched_ex(
    void *handle, int op_a, int op_b, int m, int n, int k, const void *alpha,
    const void *a, int a_type, int lda, int64_t stride_a, const void *b,
    int b_type, int ldb, int64_t stride_b, const void *beta, const void *c,
    int c_type, int ldc, int64_t stride_c, void *d, int d_type, int ldd,
    int64_t stride_d, int batch, int compute, int algo, int32_t solution,
    uint32_t flags)
{
  begin("rocblas_gemm_strided_batched_ex");
  SIZES(), NOTE(alpha), NOTE(a), NOTE(a_type), NOTE(lda), NOTE(stride_a);
  NOTE(b), NOTE(b_type), NOTE(ldb), NOTE(stride_b), NOTE(beta), NOTE(c);
  NOTE(c_type), NOTE(ldc), NOTE(stride_c), NOTE(d), NOTE(d_type), NOTE(ldd);
  NOTE(stride_d), NOTE(batch), NOTE(compute), NOTE(algo), NOTE(solution);
  NOTE(flags);
  return 0;
}

int rocblas_gemm_batched_ex(void *handle, int op_a, int op_b, int m, int n,
                            int k, const void *alpha, const void *a,
                            int a_type, int lda, const void *b, int b_type,
                            int ldb, const void *beta, const void *c,
                            int c_type, int ldc, void *d, int d_type, int ldd,
                            int batch, int compute, int algo,
                            int32_t solution, uint32_t flags)
{
  begin("rocblas_gemm_batched_ex");
  SIZES(), NOTE(alpha), NOTE(a), NOTE(a_type), NOTE(lda), NOTE(b);
  NOTE(b_type), NOTE(ldb), NOTE(beta), NOTE(c), NOTE(c_type), NOTE(ldc);
  NOTE(d), NOTE(d_type), NOTE(ldd), NOTE(batch), NOTE(compute), NOTE(algo);
  NOTE(solution), NOTE(flags);
  return 0;
}
