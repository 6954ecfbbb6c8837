// wait.hip - workgroups that wait for each other
// SPDX-License-Identifier: MIT

// Each waits for the one before it: groups start in that order.
KERNEL(chain, u32, u32)
{
  volatile u32 *sum = out;
  const int g = blockIdx.x;
  if (threadIdx.x)
    return;
  u32 before = 0;
  while (g && !(before = sum[g - 1]))
    ;
  sum[g] = before + in[g] % 100 + 1;
}

// Each waits for the one behind it, which the card has started as well.
KERNEL(backwards, u32, u32)
{
  const int g = blockIdx.x, last = gridDim.x - 1;
  u32 before = 0;
  if (threadIdx.x == 0) {
    while (g < last && !(before = atomicAdd(out + g + 1, 0u)))
      ;
    atomicExch(out + g, before + in[g] % 100 + 1);
  }
}

// All stay, and meet after every step; the last two words count.
static __device__ void meet(u32 *count, u32 *turn)
{
  __syncthreads();
  if (threadIdx.x == 0) {
    const u32 now = atomicAdd(turn, 0u);
    __threadfence();
    if (atomicAdd(count, 1u) == gridDim.x - 1) {
      atomicExch(count, 0u);
      atomicAdd(turn, 1u);
    } else {
      while (atomicAdd(turn, 0u) == now)
        __builtin_amdgcn_s_sleep(1);
    }
    __threadfence();
  }
  __syncthreads();
}

KERNEL(persistent, u32, u32)
{
  const int all = gridDim.x * blockDim.x, i = GLOBAL_ID;
  u32 *now = out, *next = out + all, *end = out + 2 * all;
  now[i] = in[i] % 1000;
  for (int step = 0; step < 4; step++) {
    meet(end, end + 1);
    next[i] = now[(i + 65) % all] + now[(i + all - 1) % all];
    u32 *old = now;
    now = next;
    next = old;
  }
}

// A lock in memory, and what it guards.
KERNEL(lock, u32, u32)
{
  if (threadIdx.x)
    return;
  while (atomicCAS(out, 0u, 1u))
    ;
  volatile u32 *sum = out + 1;
  *sum = *sum + in[blockIdx.x] % 100;
  __threadfence();
  atomicExch(out, 0u);
}

// The second half of a group waits for the first, and then both go through a
// loop of loads, as the model reads it where nothing is stored.
KERNEL(halves, u32, u32)
{
  volatile u32 *begun = out + gridDim.x * blockDim.x + blockIdx.x;
  if (threadIdx.x == 0)
    *begun = 1;
  while (threadIdx.x >= 64 && !*begun)
    ;
  u32 sum = 0;
  for (int k = 0; k < 64; k++)
    sum += in[(GLOBAL_ID + 256 * k) % n];
  out[GLOBAL_ID] = sum;
}
