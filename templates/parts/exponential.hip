@ -- exponential.hip - e^x and 1/x, each by an instruction where there is one.
@ -- SPDX-License-Identifier: MIT

// e^x by a power of 2.
static __device__ inline float exponential(float x)
{
  return $(arch.amdgcn == 1 and "__builtin_exp2f" or "exp2f")(1.44269504f * x);
}

// 1/x, whose last bit may be wrong.
static __device__ inline float inverse(float x)
{
  return $(arch.amdgcn == 1 and "__builtin_amdgcn_rcpf(x)" or "1 / x");
}
