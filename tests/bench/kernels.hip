/* kernels.hip - what bench_kernels executes: one kernel for each of the ways
 * in which programs keep a compute unit busy.
 */
// SPDX-License-Identifier: MIT
typedef float float4_t __attribute__((ext_vector_type(4)));

/* C = A^T B, all of them row-major: tiles of 128 x 128 x 8 in LDS, 8 x 8
 * elements a thread. n and m are multiples of 128, k of 8. */
extern "C" __attribute__((global)) __launch_bounds__(256)
void gemm(const float *a, const float *b, float *c, int m, int n, int k)
{
  __shared__ __attribute__((aligned(16))) float a_tile[8][128];
  __shared__ __attribute__((aligned(16))) float b_tile[8][128];
  int thread = threadIdx.x, tx = thread % 16 * 4, ty = thread / 16 * 4;
  int blocks = m / 128;
  int row = blockIdx.x % blocks * 128, column = blockIdx.x / blocks * 128;
  int k0 = thread / 32, at = thread % 32 * 4;
  float sum[8][8] = {};
  for (int tile = 0; tile < k; tile += 8) {
    *(float4_t *)&a_tile[k0][at] =
        *(const float4_t *)&a[(tile + k0) * m + row + at];
    *(float4_t *)&b_tile[k0][at] =
        *(const float4_t *)&b[(tile + k0) * n + column + at];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 8; i++) {
      float4_t x[2] = {*(float4_t *)&a_tile[i][ty],
                       *(float4_t *)&a_tile[i][ty + 64]};
      float4_t y[2] = {*(float4_t *)&b_tile[i][tx],
                       *(float4_t *)&b_tile[i][tx + 64]};
#pragma unroll
      for (int r = 0; r < 8; r++)
#pragma unroll
        for (int s = 0; s < 8; s++)
          sum[r][s] += x[r / 4][r % 4] * y[s / 4][s % 4];
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < 8; r++)
#pragma unroll
    for (int s = 0; s < 8; s += 4) {
      float4_t out = {sum[r][s], sum[r][s + 1], sum[r][s + 2], sum[r][s + 3]};
      int at_row = row + ty + r % 4 + r / 4 * 64;
      *(float4_t *)&c[at_row * n + column + tx + s / 4 * 64] = out;
    }
}

/* Transposes in LDS, written by rows and read by columns with one dword of
 * padding, and a tree over what was read. */
extern "C" __attribute__((global)) __launch_bounds__(256)
void lds(const float *in, float *out, int rounds)
{
  __shared__ float tile[64][65];
  int thread = threadIdx.x, lane = thread % 64, wave = thread / 64;
  float x = in[blockIdx.x * 256 + thread], sum = 0;
  for (int round = 0; round < rounds; round++) {
#pragma unroll
    for (int i = 0; i < 16; i++)
      tile[wave * 16 + i][lane] = x + i;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 16; i++)
      sum += tile[lane][wave * 16 + i];
    __syncthreads();
    x = sum * 0.5f;
  }
  out[blockIdx.x * 256 + thread] = sum;
}

/* y = a x + y, four elements a thread and step, so many times. */
extern "C" __attribute__((global)) __launch_bounds__(256)
void stream(const float4_t *x, float4_t *y, float a, int n, int rounds)
{
  int threads = gridDim.x * 256;
  for (int round = 0; round < rounds; round++)
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += threads)
      y[i] = a * x[i] + y[i];
}
