// reduce.hip - many values to one, by LDS, shuffles and atomics
// SPDX-License-Identifier: MIT

KERNEL(sum_lds, u32, u32)
{
  __shared__ u32 part[256];
  const int t = threadIdx.x;
  part[t] = in[GLOBAL_ID];
  __syncthreads();
  for (int half = 128; half; half /= 2) {
    if (t < half)
      part[t] += part[t + half];
    __syncthreads();
  }
  if (!t)
    out[blockIdx.x] = part[0];
}

KERNEL(sum_shuffle, int, int)
{
  int sum = in[GLOBAL_ID];
  for (int half = WAVE / 2; half; half /= 2)
    sum += __shfl_down(sum, half);
  if (threadIdx.x % WAVE == 0)
    out[GLOBAL_ID / WAVE] = sum;
}

KERNEL(max_float, float, float)
{
  extern __shared__ float part_f[];
  const int t = threadIdx.x, size = blockDim.x;
  part_f[t] = in[GLOBAL_ID];
  for (int step = 1; step < size; step *= 2) {
    __syncthreads();
    if (t % (2 * step) == 0 && t + step < size)
      part_f[t] = fmaxf(part_f[t], part_f[t + step]);
  }
  if (!t)
    out[blockIdx.x] = part_f[0];
}

// The order of the sum is the same on the host, and so is every bit.
KERNEL(sum_double, double, double)
{
  __shared__ double part_d[64];
  const int t = threadIdx.x;
  double sum = 0;
  for (int i = t; i < n / 2; i += 64)
    sum += in[i];
  part_d[t] = sum;
  __syncthreads();
  if (t)
    return;
  for (int i = 1; i < 64; i++)
    sum += part_d[i];
  out[0] = sum;
}

KERNEL(sum_atomic, u32, u32)
{
  atomicAdd(out, in[GLOBAL_ID]);
  atomicAdd(out + 1 + threadIdx.x % 7, 1u);
}

KERNEL(argmin, u64, u32)
{
  const u64 me = (u64)in[GLOBAL_ID] << 32 | GLOBAL_ID;
  atomicMin(out, me);
}

KERNEL(logic_atomic, u32, u32)
{
  const u32 x = in[GLOBAL_ID];
  atomicAnd(out, x | 0xffff0000 | x << 5);
  atomicOr(out + 1, x & x >> 3 & x >> 7 & x >> 11);
  atomicXor(out + 2, x);
}

KERNEL(dot_product, float, float)
{
  __shared__ float part_s[256 / WAVE];
  float sum = 0;
  for (int i = threadIdx.x; i < n / 2; i += 256)
    sum += in[i] * in[n / 2 + i];
  for (int half = WAVE / 2; half; half /= 2)
    sum += __shfl_xor(sum, half);
  if (threadIdx.x % WAVE == 0)
    part_s[threadIdx.x / WAVE] = sum;
  __syncthreads();
  if (threadIdx.x)
    return;
  for (int w = 1; w < 256 / WAVE; w++)
    sum += part_s[w];
  out[0] = sum;
}
