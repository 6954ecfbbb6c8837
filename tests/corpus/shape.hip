// shape.hip - grids and workgroups of all forms
// SPDX-License-Identifier: MIT

// What each thread knows of its place.
KERNEL(places, u32, u32)
{
  const u32 t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y *
                                            threadIdx.z);
  const u32 g = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const u32 size = blockDim.x * blockDim.y * blockDim.z;
  u32 *to = out + 2 * (g * size + t);
  to[0] = threadIdx.x | threadIdx.y << 10 | threadIdx.z << 20;
  to[1] = (blockIdx.x | blockIdx.y << 8 | blockIdx.z << 16) * 31 +
          gridDim.x + gridDim.y * 7 + gridDim.z * 11 + in[0];
}

// A group's threads pass values round: fails where waves are not whole.
#define RING(name)                                                            \
  KERNEL(name, u32, u32)                                                      \
  {                                                                           \
    extern __shared__ u32 ring[];                                             \
    const u32 t = threadIdx.x, size = blockDim.x;                             \
    ring[t] = in[GLOBAL_ID];                                                  \
    for (u32 i = 1; i < 9; i++) {                                             \
      __syncthreads();                                                        \
      const u32 x = ring[(t + i) % size];                                     \
      __syncthreads();                                                        \
      ring[t] = ring[t] * 5 + x;                                              \
    }                                                                         \
    out[GLOBAL_ID] = ring[t];                                                 \
  }
RING(ring_1)
RING(ring_63)
RING(ring_65)
RING(ring_256)
RING(ring_1024)

// The grid covers more than there is.
KERNEL(bounds, u32, u32)
{
  if (GLOBAL_ID < n)
    out[GLOBAL_ID] = in[GLOBAL_ID] + 1;
}

KERNEL(stride_loop, u32, u32)
{
  for (int i = GLOBAL_ID; i < n; i += blockDim.x * gridDim.x)
    out[i] += in[n - 1 - i];
}

extern "C" __global__ __launch_bounds__(64, 1) void many_registers(
    u32 *out, const u32 *in, int n)
{
  u32 x[100];
#pragma unroll
  for (int i = 0; i < 100; i++)
    x[i] = in[(GLOBAL_ID * 7 + i) % n];
#pragma unroll
  for (int round = 1; round < 4; round++)
#pragma unroll
    for (int i = 0; i < 100; i++)
      x[i] = x[i] * 3 ^ x[(i + 33 * round) % 100];
  u32 sum = 0;
#pragma unroll
  for (int i = 0; i < 100; i++)
    sum = sum * 17 + x[i];
  out[GLOBAL_ID] = sum;
}
