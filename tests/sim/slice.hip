// slice.hip - kernels whose values decide where they go; slice.c has them behind
// those of sampling.hip.
// SPDX-License-Identifier: MIT

// The kernel may have written what it reads its addresses from.
KERNEL by_index(int *x, int *y, int n)
{
  int at = threadIdx.x;
  for (int i = 0; i < n; i++) {
    y[THREAD] = at;
    at = x[at & 255] + i;
  }
  y[THREAD + 65536] = x[at & 255];
}

KERNEL counted(const int *x, int *y, int n)
{
  for (int i = 0; i < n; i++)
    atomicAdd(&y[threadIdx.x], x[i]);
}

KERNEL own_flag(const int *x, volatile int *y, int n)
{
  for (int i = 0; i < n; i++)
    y[THREAD] = i;
  while (y[THREAD] < n - 1)
    y[THREAD] = n;
}

// Addresses that go through the LDS.
KERNEL by_lds(const float *x, float *y, int n)
{
  __shared__ int next[256];
  next[threadIdx.x] = threadIdx.x * 7 & 255;
  __syncthreads();
  float s = 0;
  int at = threadIdx.x;
  for (int i = 0; i < n; i++) {
    at = next[at];
    s += x[at] * x[at + 256];
  }
  y[THREAD] = s;
}

// Conditions within each other, and addresses that are computed within.
KERNEL nested_lanes(const float *x, float *y, int n)
{
  float s = x[THREAD];
  for (int i = 0; i < n; i++) {
    int lane = threadIdx.x & 63;
    if (lane > 2 * i) {
      float t = s * s + x[lane + i];
      if (lane & 1) {
        t += x[THREAD * 2 & 0xffff];
        y[(THREAD + 256 * i) & 0xfffff] = t;
      } else if (lane & 2) {
        t -= x[THREAD * 3 & 0xffff];
      }
      s += t;
    }
    s *= x[i];
  }
  y[THREAD] = s;
}

// A sum decides how often.
KERNEL float_branch(const float *x, float *y, int n)
{
  float s = 1, t = 0;
  for (int i = 0; i < n && s < 100; i++) {
    s = s * 1.25f + (threadIdx.x & 3);
    t = t * s + 2;
  }
  y[THREAD] = t;
}

__device__ __attribute__((noinline)) float twice(float v) { return v * v + v; }

KERNEL called(const float *x, float *y, int n)
{
  float s = x[THREAD];
  for (int i = 0; i < n; i++)
    s = twice(s);
  y[THREAD] = s;
}

// A store goes where the kernel itself has written that it should: a slice may fault.
KERNEL own_index(const int *x, int *y, int n)
{
  int *next = y + 65536;
  next[THREAD] = THREAD / 2 + n;
  __syncthreads();
  y[next[THREAD ^ 1]] = x[THREAD];
}

// Masks that the scalar unit counts.
KERNEL vote(const float *x, float *y, int n)
{
  float s = 0;
  for (int i = 0; i < n; i++) {
    unsigned long long mask = __ballot((threadIdx.x * 7 + i) % 5 > 2);
    s += mask & 1 ? x[__builtin_popcountll(mask)] : x[THREAD];
  }
  y[THREAD] = s;
}
