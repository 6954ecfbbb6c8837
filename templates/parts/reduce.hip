@ -- reduce.hip - the kernel that adds up the parts of k.
@ -- SPDX-License-Identifier: MIT
@
@ local store <const> = include "parts/store.hip"
@ local T <const> = include("parts/types.lua").text(problem, arch)
@ -- entry: batch.hip's; without it products of a batch are stride_c apart.
@ local factors <const>, batched <const>, entry <const>, epilogue <const> = ...
@ local c <const> = entry and entry.matrix(T.c_element, "c") or
@                   T.c_element .. " *__restrict__ c"
@ local stride <const> = entry and entry.strides({ "c" }, " ") or
@                        batched and ", long long stride_c" or ""

// Add the planes of sums up into C.
extern "C" __global__ void __launch_bounds__(256)
reduce(const $(T.sum) *__restrict__ planes, $c,
       int m, int n, int ldc$factors$stride)
{
@ if batched then
  planes += (unsigned long long)blockIdx.y * split_k * m * n;
@   if entry then
@     entry.go(T.c_element, "c")
@   else
  c += blockIdx.y * stride_c;
@   end
@ end
@ if epilogue then epilogue.take() end
  unsigned i = blockIdx.x * 256u + threadIdx.x, size = (unsigned)m * n;
  if (i >= size)
    return;
  $(T.sum) sum = 0;
#pragma unroll
  for (int z = 0; z < split_k; z++)
    sum += planes[(unsigned long long)z * size + i];
  $(T.c_element) *to = c + (unsigned long long)(i / n) * ldc + i % n;
  *to = $(store.scaled("sum", "*to", epilogue, "(int)(i / n)", "(int)(i % n)"));
}
