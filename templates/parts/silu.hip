@ -- silu.hip - x / (1 + e^-x), by exponential.hip.
@ -- SPDX-License-Identifier: MIT
// x / (1 + e^-x). Below -88 it is less than 1e-36, which is taken for 0.
static __device__ inline float silu(float x)
{
  x = x < -88 ? 0 : x;
  return x * inverse(1 + exponential(-x));
}
