/* client.c - a program that multiplies with rocBLAS and knows of nothing else.
 * Prints what it made, and whether it was right. */
// SPDX-License-Identifier: MIT
#include <hip/hip_runtime_api.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum {M = 64, N = 32, MOST = 64 * 64 + 4, NONE = 111, TRANSPOSE = 112};

int rocblas_create_handle(void **out);
int rocblas_sgemm(void *handle, int op_a, int op_b, int m, int n, int k,
                  const float *alpha, const float *a, int lda, const float *b,
                  int ldb, const float *beta, float *c, int ldc);
int rocblas_hgemm(void *handle, int op_a, int op_b, int m, int n, int k,
                  const uint16_t *alpha, const uint16_t *a, int lda,
                  const uint16_t *b, int ldb, const uint16_t *beta,
                  uint16_t *c, int ldc);

int rocblas_sgemm_strided_batched(void *handle, int op_a, int op_b, int m, int n,
                                  int k, const float *alpha, const float *a,
                                  int lda, long long stride_a, const float *b,
                                  int ldb, long long stride_b,
                                  const float *beta, float *c, int ldc,
                                  long long stride_c, int batch);
int rocblas_sgemm_batched(void *handle, int op_a, int op_b, int m, int n, int k,
                          const float *alpha, const float *const a[], int lda,
                          const float *const b[], int ldb, const float *beta,
                          float *const c[], int ldc, int batch);

static float a[MOST], b[MOST], c[MOST], d[MOST];

static void fill(float *x, unsigned seed)
{
  for (int i = 0; i < MOST; i++) {
    seed = seed * 1664525u + 1013904223u;
    x[i] = (float)(seed >> 24) - 128;
  }
}

static float *upload(const float *x)
{
  float *to;
  if (hipMalloc((void **)&to, MOST * sizeof *x) ||
      hipMemcpy(to, x, MOST * sizeof *x, hipMemcpyHostToDevice))
    return NULL;
  return to;
}

/* Product number `at` of matrices that lie one behind the other from element
 * `from` on. */
static int is_right(int at, int from, int ta, int tb, int k, float beta)
{
  const float *x = a + from + at * M * k, *y = b + from + at * k * N;
  const float *was = c + from + at * M * N, *is = d + from + at * M * N;
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      double sum = beta * was[j * M + i];
      for (int l = 0; l < k; l++)
        sum += (double)x[ta ? i * k + l : l * M + i] *
               y[tb ? l * N + j : j * k + l];
      if (fabs(sum - is[j * M + i]) > 0) /* whole numbers below 2^24 */
        return 0;
    }
  return 1;
}

static int multiply(void *handle, int ta, int tb, int k, float beta)
{
  const float alpha = 1;
  float *x = upload(a), *y = upload(b), *z = upload(c);
  int status = rocblas_sgemm(handle, ta ? TRANSPOSE : NONE,
                             tb ? TRANSPOSE : NONE, M, N, k, &alpha, x,
                             ta ? k : M, y, tb ? N : k, &beta, z, M);
  if (status || hipDeviceSynchronize() ||
      hipMemcpy(d, z, sizeof d, hipMemcpyDeviceToHost))
    return 1;
  int right = is_right(0, 0, ta, tb, k, beta);
  printf("%c%c %d %d %d beta %g: %s\n", ta ? 't' : 'n', tb ? 't' : 'n', M, N, k,
         beta, right ? "right" : "wrong");
  hipFree(x);
  hipFree(y);
  hipFree(z);
  return !right;
}

/* The addresses of two matrices, on the device. */
static float **listed(float *first, float *second)
{
  float *both[2] = {first, second}, **to;
  if (hipMalloc((void **)&to, sizeof both) ||
      hipMemcpy(to, both, sizeof both, hipMemcpyHostToDevice))
    return NULL;
  return to;
}

/* Two products at once, by strides or by lists, that begin at element `from`. */
static int multiply_two(void *handle, int from, int by_list)
{
  enum {K = 16, A = M * K, B = K * N, C = M * N};
  const float alpha = 1, beta = 0;
  float *x = upload(a), *y = upload(b), *z = upload(c);
  float *p = x + from, *q = y + from, *r = z + from;
  int status;
  if (by_list)
    status = rocblas_sgemm_batched(
        handle, NONE, NONE, M, N, K, &alpha,
        (const float *const *)listed(p, p + A), M,
        (const float *const *)listed(q, q + B), K, &beta, listed(r, r + C), M, 2);
  else
    status = rocblas_sgemm_strided_batched(handle, NONE, NONE, M, N, K, &alpha, p,
                                           M, A, q, K, B, &beta, r, M, C, 2);
  if (status || hipDeviceSynchronize() ||
      hipMemcpy(d, z, sizeof d, hipMemcpyDeviceToHost))
    return 1;
  int right = is_right(0, from, 0, 0, K, 0) && is_right(1, from, 0, 0, K, 0);
  printf("two from %d by %s: %s\n", from, by_list ? "lists" : "strides",
         right ? "right" : "wrong");
  return !right;
}

int main(void)
{
  void *handle;
  uint16_t one = 0x3c00;
  fill(a, 1);
  fill(b, 2);
  fill(c, 3);
  if (rocblas_create_handle(&handle))
    return 2;
  uint16_t *half = (uint16_t *)upload(c);
  rocblas_hgemm(handle, NONE, NONE, M, N, 8, &one, half, M, half, 8, &one, half,
                M);
  return multiply(handle, 0, 0, 40, 0) + multiply(handle, 0, 0, 48, 0) +
         multiply(handle, 1, 0, 64, 1) + multiply(handle, 1, 1, 40, 0) +
         multiply_two(handle, 0, 0) + multiply_two(handle, 0, 1) +
         multiply_two(handle, 1, 0);
}
