// atomic.hip - read, change and write at once
// SPDX-License-Identifier: MIT

KERNEL(histogram_lds, u32, u32)
{
  __shared__ u32 bins[64];
  if (threadIdx.x < 64)
    bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = GLOBAL_ID; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(bins + (in[i] >> 7 & 63), 1u);
  __syncthreads();
  if (threadIdx.x < 64)
    atomicAdd(out + threadIdx.x, bins[threadIdx.x]);
}

KERNEL(histogram_bytes, u32, u8)
{
  for (int i = GLOBAL_ID; i < 4 * n; i += gridDim.x * blockDim.x)
    atomicAdd(out + in[i], 1u);
}

// Sums of small integers are exact in any order.
KERNEL(cas_float, float, u32)
{
  u32 *cell = (u32 *)out + in[GLOBAL_ID] % 5, old = *cell, seen;
  do {
    seen = old;
    const float sum = __uint_as_float(seen) + (float)(in[GLOBAL_ID] >> 20);
    old = atomicCAS(cell, seen, __float_as_uint(sum));
  } while (old != seen);
}

// In LDS, of 32 and of 64 bits.
KERNEL(cas_lds, u64, u32)
{
  __shared__ u32 hash;
  __shared__ u64 sum;
  if (!threadIdx.x)
    hash = 7, sum = 0;
  __syncthreads();
  for (u32 old = hash, seen = ~old; old != seen;)
    old = atomicCAS(&hash, seen = old, old ^ in[threadIdx.x]);
  for (u64 old = sum, seen = ~old; old != seen;)
    old = atomicCAS(&sum, seen = old, old + (u64)in[threadIdx.x] * 3);
  __syncthreads();
  out[threadIdx.x] = threadIdx.x ? sum : hash;
}

KERNEL(add_float, float, u32)
{
  __shared__ float part;
  if (!threadIdx.x)
    part = 0;
  __syncthreads();
  atomicAdd(&part, (float)(in[GLOBAL_ID] >> 20));
  atomicAdd(out + 1, (float)(in[GLOBAL_ID] >> 24));
  __syncthreads();
  if (!threadIdx.x)
    atomicAdd(out, part);
}

KERNEL(add_double, double, u32)
{
  __shared__ double part;
  if (!threadIdx.x)
    part = 0;
  __syncthreads();
  atomicAdd(&part, (double)in[GLOBAL_ID]);
  __syncthreads();
  if (!threadIdx.x)
    atomicAdd(out, part);
}

KERNEL(extremes_64, u64, u64)
{
  const u64 x = in[GLOBAL_ID];
  atomicMin(out, x), atomicMax(out + 1, x);
  __hip_atomic_fetch_min((i64 *)out + 2, (i64)x, __ATOMIC_RELAXED,
                         __HIP_MEMORY_SCOPE_AGENT);
  __hip_atomic_fetch_max((i64 *)out + 3, (i64)x, __ATOMIC_RELAXED,
                         __HIP_MEMORY_SCOPE_AGENT);
  atomicAdd(out + 4, x), atomicXor(out + 5, x), atomicAnd(out + 6, x | 1);
}

KERNEL(extremes_lds, int, int)
{
  __shared__ int low, high;
  __shared__ u32 first, last;
  __shared__ u64 wide;
  if (!threadIdx.x)
    low = high = 5, first = last = 5, wide = 0;
  __syncthreads();
  const int x = in[GLOBAL_ID];
  atomicMin(&low, x), atomicMax(&high, x);
  atomicMin(&first, x + 1u), atomicMax(&last, (u32)x);
  atomicAdd(&wide, (u64)(u32)x);
  __syncthreads();
  if (threadIdx.x)
    return;
  out[0] = low, out[1] = high, out[2] = first, out[3] = last;
  out[4] = wide, out[5] = wide >> 32;
}

// Each ticket is drawn once; the counters wrap.
KERNEL(tickets, u32, u32)
{
  const u32 mine = atomicAdd(out, 1u);
  out[4 + mine] = 1;
  atomicInc(out + 1, 99u);
  atomicDec(out + 2, 49u);
  atomicSub(out + 3, in[GLOBAL_ID]);
}

// Whoever comes last adds up what all left.
KERNEL(last_group, u32, u32)
{
  __shared__ u32 order;
  u32 *parts = out + 2;
  if (!threadIdx.x) {
    parts[blockIdx.x] = in[blockIdx.x] * 3;
    __threadfence();
    order = atomicAdd(out, 1u);
  }
  __syncthreads();
  if (order != gridDim.x - 1)
    return;
  atomicAdd(out + 1, threadIdx.x < gridDim.x ? parts[threadIdx.x] : 0);
}

// Each value is seen by exactly one of those who bring another.
KERNEL(exchange, u32, u32)
{
  u32 old = atomicExch(out, in[threadIdx.x]);
  __syncthreads();
  if (!threadIdx.x)
    old ^= atomicExch(out, 7u);
  atomicXor(out + 1, old);
}
