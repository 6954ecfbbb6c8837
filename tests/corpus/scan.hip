// scan.hip - prefix sums
// SPDX-License-Identifier: MIT

KERNEL(scan_hillis_steele, u32, u32)
{
  __shared__ u32 part[2][256];
  const int t = threadIdx.x;
  int from = 0;
  part[0][t] = in[GLOBAL_ID];
  __syncthreads();
  for (int step = 1; step < 256; step *= 2) {
    part[1 - from][t] = part[from][t] + (t >= step ? part[from][t - step] : 0);
    from = 1 - from;
    __syncthreads();
  }
  out[GLOBAL_ID] = part[from][t];
}

KERNEL(scan_blelloch, u32, u32)
{
  extern __shared__ u32 tree[];
  const int t = threadIdx.x, size = 2 * blockDim.x;
  tree[2 * t] = in[2 * t];
  tree[2 * t + 1] = in[2 * t + 1];
  int step = 1;
  for (int d = size / 2; d; d /= 2, step *= 2) {
    __syncthreads();
    if (t < d)
      tree[step * (2 * t + 2) - 1] += tree[step * (2 * t + 1) - 1];
  }
  if (!t)
    tree[size - 1] = 0;
  for (int d = 1; d < size; d *= 2) {
    step /= 2;
    __syncthreads();
    if (t < d) {
      const u32 left = tree[step * (2 * t + 1) - 1];
      tree[step * (2 * t + 1) - 1] = tree[step * (2 * t + 2) - 1];
      tree[step * (2 * t + 2) - 1] += left;
    }
  }
  __syncthreads();
  out[2 * t] = tree[2 * t];
  out[2 * t + 1] = tree[2 * t + 1];
}

KERNEL(scan_shuffle, u32, u32)
{
  const int lane = threadIdx.x % WAVE;
  u32 sum = in[GLOBAL_ID];
  for (int step = 1; step < WAVE; step *= 2) {
    const u32 left = __shfl_up(sum, step);
    if (lane >= step)
      sum += left;
  }
  out[GLOBAL_ID] = sum;
}

// As compilers scan a wave: within rows of 16, then across rows.
KERNEL(scan_dpp, u32, u32)
{
  u32 x = in[threadIdx.x];
  x += __builtin_amdgcn_update_dpp(0, x, 0x111, 0xf, 0xf, false); // row_shr:1
  x += __builtin_amdgcn_update_dpp(0, x, 0x112, 0xf, 0xf, false);
  x += __builtin_amdgcn_update_dpp(0, x, 0x114, 0xf, 0xe, false);
  x += __builtin_amdgcn_update_dpp(0, x, 0x118, 0xf, 0xc, false);
#if WAVE == 64
  x += __builtin_amdgcn_update_dpp(0, x, 0x142, 0xa, 0xf, false); // bcast:15
  x += __builtin_amdgcn_update_dpp(0, x, 0x143, 0xc, 0xf, false); // bcast:31
#else
  const u32 other = __builtin_amdgcn_permlanex16(0, x, -1, -1, false, false);
  x += threadIdx.x & 16 ? other : 0; // the other row's last
#endif
  out[threadIdx.x] = x;
}

// Keep the odd values, in order.
KERNEL(compact, u32, u32)
{
  __shared__ u32 counts[8];
  const int wave = threadIdx.x / WAVE;
  const u32 x = in[threadIdx.x];
  const u64 keep = __ballot(x & 1);
  u32 at = __builtin_amdgcn_mbcnt_hi(
      keep >> 32, __builtin_amdgcn_mbcnt_lo((u32)keep, 0));
  if (threadIdx.x % WAVE == 0)
    counts[wave] = __popcll(keep);
  __syncthreads();
  for (int w = 0; w < wave; w++)
    at += counts[w];
  if (x & 1)
    out[at] = x;
}
