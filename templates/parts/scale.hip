@ -- scale.hip - the kernel of a product in which nothing is multiplied.
@ -- SPDX-License-Identifier: MIT
@
@ local store <const> = include "parts/store.hip"
@ local epilogue <const> = include "parts/epilogue.hip"
@ local T <const> = include("parts/types.lua").text(problem, arch)
@ local formula <const> = include("parts/epilogue.lua").formula(problem, true)
@ local zero <const> = alpha == 0 and "alpha" or "k"
@ local factor <const> = beta ~= 0 and ", float beta" or ""
@ local blanks <const> = (" "):rep(5) -- before a line of parameters
@ local entry <const> = include("parts/batch.hip", blanks)
@ local stride <const> = entry.strides({ "c" }, " ")
@ local columns <const>, rows <const> = table.unpack(include("parts/product.lua").scaled)
// $formula, row-major.
// $zero is 0, so that A and B are not read. A workgroup goes down $columns
// columns of C, a row of every $rows.
@ if not T.plain then

@   include("parts/convert.hip", true, epilogue.some)
@ end
@ epilogue.define()

extern "C" __global__ void __launch_bounds__($columns)
gemm($(entry.matrix(T.c_element, "c")), int m, int n, int ldc$factor$(epilogue.params(blanks))$stride)
{
  int x = blockIdx.x * $columns + threadIdx.x;
  if (x >= n)
    return;
@ entry.go(T.c_element, "c")
@ epilogue.take()
  for (int y = blockIdx.z; y < m; y += $rows) {
    $(T.c_element) *to = c + (long long)y * ldc + x;
    *to = $(store.scaled(nil, "*to", epilogue, "y", "x"));
  }
}
