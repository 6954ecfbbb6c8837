@ -- reduce.hip - the kernel that adds up the parts of k.
@ -- SPDX-License-Identifier: MIT
@
@ local store <const> = include "parts/store.hip"
@ local T <const> = include("parts/types.lua").text(problem, arch)
@ local factors <const>, batched <const> = ...

// Add the planes of sums up into C.
extern "C" __global__ void __launch_bounds__(256)
reduce(const $(T.sum) *__restrict__ planes, $(T.c_element) *__restrict__ c,
       int m, int n, int ldc$factors$(batched and ", long long stride_c" or ""))
{
@ if batched then
  planes += (unsigned long long)blockIdx.y * split_k * m * n;
  c += blockIdx.y * stride_c;
@ end
  unsigned i = blockIdx.x * 256u + threadIdx.x, size = (unsigned)m * n;
  if (i >= size)
    return;
  $(T.sum) sum = 0;
#pragma unroll
  for (int z = 0; z < split_k; z++)
    sum += planes[(unsigned long long)z * size + i];
  $(T.c_element) *to = c + (unsigned long long)(i / n) * ldc + i % n;
  *to = $(store.scaled("sum", "*to"));
}
