@ -- exponential.hip - e^x without a library, the same on every arch.
@ -- SPDX-License-Identifier: MIT

// e^x, whose exponents beyond those of floats are taken for the last ones.
static __device__ inline float exponential(float x)
{
  x = x < -87 ? -87 : x > 88 ? 88 : x;
  float n = x * 1.44269504f + 12582912.0f - 12582912.0f; // to a whole number
  float r = x - n * 0.693359375f + n * 2.12194440e-4f;   // less n ln 2
  float sum = 1.0f / 5040; // Taylor's series
  sum = sum * r + 1.0f / 720;
  sum = sum * r + 1.0f / 120;
  sum = sum * r + 1.0f / 24;
  sum = sum * r + 1.0f / 6;
  sum = sum * r + 0.5f;
  sum = sum * r + 1;
  sum = sum * r + 1;
  return sum * __builtin_bit_cast(float, ((int)n + 127) << 23);
}
