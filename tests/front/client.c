/* client.c - a program that multiplies with rocBLAS and knows of nothing else.
 * Prints what it made, and whether it was right. */
// SPDX-License-Identifier: MIT
#include <hip/hip_runtime_api.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum {M = 64, N = 32, MOST = 64 * 64, NONE = 111, TRANSPOSE = 112};

int rocblas_create_handle(void **out);
int rocblas_sgemm(void *handle, int op_a, int op_b, int m, int n, int k,
                  const float *alpha, const float *a, int lda, const float *b,
                  int ldb, const float *beta, float *c, int ldc);
int rocblas_hgemm(void *handle, int op_a, int op_b, int m, int n, int k,
                  const uint16_t *alpha, const uint16_t *a, int lda,
                  const uint16_t *b, int ldb, const uint16_t *beta,
                  uint16_t *c, int ldc);

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

static int is_right(int ta, int tb, int k, float beta)
{
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      double sum = beta * c[j * M + i];
      for (int l = 0; l < k; l++)
        sum += (double)a[ta ? i * k + l : l * M + i] *
               b[tb ? l * N + j : j * k + l];
      if (fabs(sum - d[j * M + i]) > 0) /* whole numbers below 2^24 */
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
  int right = is_right(ta, tb, k, beta);
  printf("%c%c %d %d %d beta %g: %s\n", ta ? 't' : 'n', tb ? 't' : 'n', M, N, k,
         beta, right ? "right" : "wrong");
  hipFree(x);
  hipFree(y);
  hipFree(z);
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
         multiply(handle, 1, 0, 64, 1) + multiply(handle, 1, 1, 40, 0);
}
