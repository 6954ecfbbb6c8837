// sort.hip - sorting networks and other sorts
// SPDX-License-Identifier: MIT

KERNEL(bitonic_lds, u32, u32)
{
  __shared__ u32 x[256];
  const int t = threadIdx.x;
  x[t] = in[GLOBAL_ID];
  for (int size = 2; size <= 256; size *= 2)
    for (int step = size / 2; step; step /= 2) {
      __syncthreads();
      const int other = t ^ step;
      if (other > t && (x[t] > x[other]) == !(t & size)) {
        const u32 swap = x[t];
        x[t] = x[other];
        x[other] = swap;
      }
    }
  __syncthreads();
  out[GLOBAL_ID] = x[t];
}

KERNEL(bitonic_wave, int, int)
{
  const int lane = threadIdx.x % WAVE;
  int x = in[GLOBAL_ID];
  for (int size = 2; size <= WAVE; size *= 2)
    for (int step = size / 2; step; step /= 2) {
      const int other = __shfl_xor(x, step);
      const bool low = !(lane & step), up = !(lane & size);
      x = low == up ? min(x, other) : max(x, other);
    }
  out[GLOBAL_ID] = x;
}

KERNEL(odd_even, float, float)
{
  __shared__ float x[101];
  const int t = threadIdx.x;
  for (int i = t; i < n; i += 51)
    x[i] = in[i];
  for (int round = 0; round < n; round++) {
    __syncthreads();
    const int i = 2 * t + (round & 1);
    if (i + 1 < n && x[i] > x[i + 1]) {
      const float swap = x[i];
      x[i] = x[i + 1];
      x[i + 1] = swap;
    }
  }
  __syncthreads();
  for (int i = t; i < n; i += 51)
    out[i] = x[i];
}

// Of each wave's: one bit a round, zeros before ones, keeping the order among equals.
KERNEL(radix, u32, u32)
{
  __shared__ u32 x[64];
  const int t = threadIdx.x % WAVE, first = threadIdx.x - t;
  u32 me = in[first + t] & 0xffff;
  for (int bit = 0; bit < 16; bit++) {
    const u64 ones = __ballot(me >> bit & 1), before = (1ull << t) - 1;
    const int zeros = WAVE - __popcll(ones);
    const int at = me >> bit & 1 ? zeros + __popcll(ones & before)
                                 : __popcll(~ones & before);
    x[first + at] = me;
    __syncthreads();
    me = x[first + t];
    __syncthreads();
  }
  out[first + t] = me;
}

KERNEL(rank_sort, u64, u64)
{
  const int words = n / 2;
  const u64 me = in[GLOBAL_ID];
  int rank = 0;
  for (int i = 0; i < words; i++)
    rank += in[i] < me || (in[i] == me && i < GLOBAL_ID);
  out[rank] = me;
}

// Each thread sorts 24 values of its own.
KERNEL(insertion, u32, u32)
{
  u32 mine[24];
  for (int i = 0; i < 24; i++) {
    const u32 x = in[24 * GLOBAL_ID + i];
    int at = i;
    for (; at && mine[at - 1] > x; at--)
      mine[at] = mine[at - 1];
    mine[at] = x;
  }
  for (int i = 0; i < 24; i++)
    out[24 * GLOBAL_ID + i] = mine[i];
}
