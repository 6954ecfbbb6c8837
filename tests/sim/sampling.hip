// sampling.hip - kernels of many shapes, for timing them sampled and whole.
// SPDX-License-Identifier: MIT
// All take x and y of 32 MiB and a length n; sampling.c launches them.

typedef float f4 __attribute__((ext_vector_type(4)));
#define KERNEL extern "C" __global__ __launch_bounds__(256) void
#define THREAD (blockIdx.x * 256 + threadIdx.x)

// A tile of 128 x 128, 8 x 8 a thread; STAGES 2 needs one barrier a step.
template <int STAGES, int PAD>
__device__ void gemm(const float *a, const float *b, float *c, int k)
{
  __shared__ float as[STAGES][8][128 + PAD], bs[STAGES][8][128];
  const int t = threadIdx.x, tx = t % 16, ty = t / 16, n = 1024;
  a += ((blockIdx.x >> 3 & 7) * 128 + t / 2) * k + t % 2 * 4;
  b += t / 32 * n + (blockIdx.x & 7) * 128 + t % 32 * 4;
  f4 ra = *(const f4 *)a, rb = *(const f4 *)b;
  float acc[8][8] = {};
  int p = 0;
  for (int i = 0; i < k; i += 8) {
    for (int j = 0; j < 4; j++)
      as[p][t % 2 * 4 + j][t / 2] = ra[j];
    *(f4 *)&bs[p][t / 32][t % 32 * 4] = rb;
    __syncthreads();
    if (i + 8 < k) {
      a += 8;
      b += 8 * n;
      ra = *(const f4 *)a;
      rb = *(const f4 *)b;
    }
#pragma unroll
    for (int kk = 0; kk < 8; kk++) {
      f4 u[2] = {*(f4 *)&as[p][kk][ty * 4], *(f4 *)&as[p][kk][64 + ty * 4]};
      f4 v[2] = {*(f4 *)&bs[p][kk][tx * 4], *(f4 *)&bs[p][kk][64 + tx * 4]};
      for (int r = 0; r < 8; r++)
        for (int s = 0; s < 8; s++)
          acc[r][s] += u[r / 4][r % 4] * v[s / 4][s % 4];
    }
    if (STAGES == 2)
      p ^= 1;
    else
      __syncthreads();
  }
  c += ((blockIdx.x >> 3 & 7) * 128 + ty * 4) * n + (blockIdx.x & 7) * 128;
  for (int r = 0; r < 8; r++)
    for (int s = 0; s < 8; s++)
      c[(r / 4 * 64 + r % 4) * n + s / 4 * 64 + tx * 4 + s % 4] = acc[r][s];
}

KERNEL gemm_stages(const float *x, float *y, int n) { gemm<2, 4>(x, x, y, n); }
KERNEL gemm_simple(const float *x, float *y, int n) { gemm<1, 0>(x, x, y, n); }

KERNEL axpy(const float *x, float *y, int n)
{
  y[THREAD] += 3 * x[THREAD];
}

KERNEL copy(const f4 *x, f4 *y, int n) { y[THREAD] = x[THREAD]; }

KERNEL stream(const f4 *x, float *y, int n)
{
  f4 s = 0;
  for (int i = 0; i < n; i++)
    s += x[(i * 122880 + THREAD) & 0x1fffff];
  y[THREAD] = s.x + s.y + s.z + s.w;
}

KERNEL scale_stride(const float *x, float *y, int n)
{
  for (int i = THREAD; i < n; i += 61440)
    y[i] = x[i] * 2;
}

KERNEL fma_chain(const float *x, float *y, int n)
{
  float s = THREAD, a = x[0], b = x[1];
#pragma unroll 8
  for (int i = 0; i < n; i++)
    s = s * a + b;
  y[THREAD] = s;
}

KERNEL fma_wide(const float *x, float *y, int n)
{
  float s[8], a = x[0], b = x[1], sum = 0;
  for (int j = 0; j < 8; j++)
    s[j] = THREAD + j;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 8; j++)
      s[j] = s[j] * a + b;
  for (int j = 0; j < 8; j++)
    sum += s[j];
  y[THREAD] = sum;
}

template <int LD, int COLUMN>
__device__ void lds_read(float *y, int n)
{
  __shared__ f4 s[32 * LD + 8];
  const int t = threadIdx.x;
  for (int i = t; i < 32 * LD; i += 256)
    s[i] = f4(i);
  __syncthreads();
  f4 sum = 0;
  int at = COLUMN ? t % 32 * LD + t / 32 : t;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < 4; j++)
      sum += s[at + (COLUMN ? j * 8 : 0)];
    at ^= i & 1;
  }
  y[THREAD] = sum.x + sum.y + sum.z + sum.w;
}

KERNEL lds_row(const float *x, float *y, int n) { lds_read<32, 0>(y, n); }
KERNEL lds_column(const float *x, float *y, int n) { lds_read<32, 1>(y, n); }
KERNEL lds_padded(const float *x, float *y, int n) { lds_read<33, 1>(y, n); }

KERNEL lds_exchange(const float *x, float *y, int n)
{
  __shared__ float s[256];
  float v = x[THREAD];
  for (int i = 0; i < n; i++) {
    s[threadIdx.x] = v;
    __syncthreads();
    v += s[threadIdx.x ^ 1];
    __syncthreads();
  }
  y[THREAD] = v;
}

KERNEL reduce(const float *x, float *y, int n)
{
  __shared__ float s[256];
  float sum = 0;
  for (int i = 0; i < n; i++) {
    s[threadIdx.x] = x[(i * 61440 + THREAD) & 0x7fffff];
    __syncthreads();
    for (int half = 128; half; half >>= 1) {
      if (threadIdx.x < half)
        s[threadIdx.x] += s[threadIdx.x + half];
      __syncthreads();
    }
    sum += s[0];
    __syncthreads();
  }
  y[THREAD] = sum;
}

// Each wave has its own number of rounds.
KERNEL triangle(const float *x, float *y, int n)
{
  float s = THREAD, a = x[0];
  int rounds = n + (blockIdx.x & 3) * n / 4 + (threadIdx.x >> 6) * 64;
  for (int i = 0; i < rounds; i++)
    s = __builtin_fmaf(s, a, s) - a;
  y[THREAD] = s;
}

KERNEL nested(const float *x, float *y, int n)
{
  float s = 0;
  for (int i = 0; i < n; i++) {
    float v = x[(i * 64 + THREAD) & 0x7fffff];
#pragma unroll 1
    for (int j = 0; j < 24; j++)
      s = s * v + 1;
  }
  y[THREAD] = s;
}

// Every group takes an even share of a row of tiles, 37 steps each, so that its
// loops are of other lengths than its neighbour's.
KERNEL shares(const float *x, float *y, int n)
{
  __shared__ float tile[256];
  long long at = (long long)n * blockIdx.x / 120, end = (long long)n * (blockIdx.x + 1) / 120;
  while (at < end) {
    int steps = 37 - (int)(at % 37);
    if (steps > end - at)
      steps = (int)(end - at);
    float s[8] = {};
    for (int i = 0; i < steps; i++) {
      tile[threadIdx.x] = x[((at + i) * 256 + threadIdx.x) & 0x7fffff];
      __syncthreads();
      for (int j = 0; j < 32; j++)
#pragma unroll
        for (int e = 0; e < 8; e++)
          s[e] = s[e] * tile[(threadIdx.x + 8 * j + e) % 256] + 1;
      __syncthreads();
    }
    at += steps;
    y[(at * 256 + threadIdx.x) & 0x7fffff] =
        s[0] + s[1] + s[2] + s[3] + s[4] + s[5] + s[6] + s[7];
  }
}

KERNEL transcendental(const float *x, float *y, int n)
{
  float s = threadIdx.x;
  for (int i = 0; i < n; i++)
    s = __builtin_amdgcn_sqrtf(__builtin_amdgcn_rcpf(s + 2));
  y[THREAD] = s;
}

KERNEL integers(const int *x, int *y, int n)
{
  unsigned s = THREAD;
  for (int i = 0; i < n; i++)
    s = s * 1664525u + 1013904223u + (s >> 7);
  y[THREAD] = s;
}

KERNEL stencil(const float *x, float *y, int n)
{
  float s = 0;
  for (int i = 0; i < n; i++) {
    int first = i * 512 + blockIdx.x * 4096 + threadIdx.x;
    const float *at = x + (first & 0x3fffff);
    s += at[0] + at[1] + at[2] + at[256];
  }
  y[THREAD] = s;
}

KERNEL matvec(const f4 *x, float *y, int n)
{
  f4 s = 0;
  const f4 *row = x + (THREAD / 64 & 2047) * 1024 + threadIdx.x % 64;
  for (int i = 0; i < n; i++)
    s += row[i % 16 * 64] * x[i % 16 * 64 + threadIdx.x % 64];
  y[THREAD] = s.x + s.y + s.z + s.w;
}

KERNEL divergent(const int *x, int *y, int n)
{
  unsigned v = threadIdx.x * 7 + 27, steps = 0;
  while (steps < n) {
    v = v & 1 ? 3 * v + 1 : v / 2;
    steps++;
  }
  y[THREAD] = v;
}

// Two sums a thread in the shortest of loops: groups end one by one.
KERNEL fma_short(const float *x, float *y, int n)
{
  float s = x[THREAD & 1023], t = s + 1;
#pragma unroll 1
  for (int i = 0; i < n; i++) {
    s = s * 0.5f + 1;
    t = t * 0.25f + 1;
  }
  y[THREAD] = s + t;
}
