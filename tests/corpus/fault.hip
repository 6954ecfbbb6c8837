// fault.hip - kernels that have to end with an error
// SPDX-License-Identifier: MIT

KERNEL(asserts, u32, u32)
{
  if (in[threadIdx.x] > 255)
    __builtin_trap();
  out[threadIdx.x] = 1;
}

KERNEL(stray_load, u32, u32)
{
  out[threadIdx.x] = in[threadIdx.x == 9 ? 1 << 26 : 0];
}

KERNEL(stray_store, u32, u32)
{
  out[threadIdx.x == 33 ? -(1 << 26) : 0] = 1;
}

KERNEL(null_pointer, u32, u32)
{
  const u32 *volatile nothing = 0;
  out[threadIdx.x] = *nothing;
}

KERNEL(stray_atomic, u32, u32)
{
  atomicAdd(out + (threadIdx.x == 17 ? 1 << 26 : 0), 1u);
}

KERNEL(misaligned_atomic, u32, u8)
{
  atomicAdd((u32 *)((u8 *)out + (threadIdx.x == 21 ? 2 : 0)), 1u);
}

// The second wave never comes.
KERNEL(lost_barrier, u32, u32)
{
  volatile u32 *v = out;
  if (threadIdx.y)
    while (*v == 0)
      ;
  __syncthreads();
  out[1 + threadIdx.x] = in[0];
}

KERNEL(endless, u32, u32)
{
  volatile u32 *v = out;
  while (*v == 0)
    ;
}

// All but the first wait for what nobody does.
KERNEL(deadlock, u32, u32)
{
  volatile u32 *v = out;
  while (blockIdx.y && v[blockIdx.y] == 0)
    ;
}

// Works, after all of that.
KERNEL(alive, u32, u32)
{
  out[threadIdx.x] = in[threadIdx.x];
}
