/* floating.c - IEEE 754 on the host */
// SPDX-License-Identifier: MIT
#include "tests/corpus/corpus.h"

#include <math.h>
#include <string.h>

HOST(float_basic, float, float)
{
  for (int i = 0; i < n; i++) {
    const float a = in[i] * 100 - 50, b = in[n - 1 - i] + 0.125f;
    out[6 * i] = a / b;
    out[6 * i + 1] = sqrtf(b);
    out[6 * i + 2] = fmaf(a, b, a);
    out[6 * i + 3] = floorf(a) + 100 * truncf(a) + 10000 * rintf(a) + ceilf(a);
    out[6 * i + 4] = (float)(int)a + (float)(u64)(b * 1e15f);
    out[6 * i + 5] = fminf(a, b) - fmaxf(-a, 3 * b) + fabsf(a);
  }
}

HOST(double_basic, double, double)
{
  for (int i = 0, m = n / 2; i < m; i++) {
    const double a = in[i] * 100 - 50, b = in[m - 1 - i] + 0.125;
    out[5 * i] = a / b;
    out[5 * i + 1] = sqrt(b);
    out[5 * i + 2] = fma(a, b, a);
    out[5 * i + 3] = floor(a) + 100 * trunc(a) + 1e4 * rint(a) + ceil(a);
    out[5 * i + 4] = (double)(i64)(a * 1e15) + (double)(u32)(b * 1e9) +
                     (double)(float)a;
  }
}

HOST(polynomial, double, double)
{
  for (int i = 0; i < n / 2; i++) {
    out[i] = 0;
    for (int k = 12; k >= 0; k--)
      out[i] = out[i] * in[i] + 1.0 / (k + 1);
  }
}

/* In double: the right digits of what the device has in float. */
HOST(functions_float, float, float)
{
  for (int i = 0; i < n; i++) {
    const double x = in[i];
    const double want[16] = {
      sin(20 * in[i]), cos(20 * in[i]), tan(x), exp(5 * in[i] - 3),
      log(in[i] + 0.001f), pow(in[i] + 0.5f, 3.7f), tanh(4 * in[i] - 2),
      atan2(in[i] - 0.5f, 0.3f), asin(x), erf(x), 1 / sqrt(in[i] + 0.01f),
      cbrt(in[i] - 0.5f), exp2(8 * in[i] - 4), log2(in[i] + 0.25f),
      sin(1e5f * in[i]), tgamma(in[i] + 1)};
    for (int k = 0; k < 16; k++)
      out[16 * i + k] = (float)want[k];
  }
}

HOST(functions_double, double, double)
{
  for (int i = 0; i < n / 2; i++) {
    const double x = in[i];
    const double want[10] = {
      sin(20 * x), cos(1e8 * x), exp(5 * x - 3), log(x + 0.001),
      pow(x + 0.5, 3.7), tanh(4 * x - 2), atan(9 * x), erf(x),
      1 / sqrt(x + 0.01), lgamma(x + 2)};
    memcpy(out + 10 * i, want, sizeof want);
  }
}

HOST(functions_fast, float, float)
{
  for (int i = 0; i < n; i++) {
    const double x = in[i];
    const double want[6] = {sin(x), cos(x), exp(x), log(x + 1), x / (x + 1),
                            1 / sqrt(x + 1)};
    for (int k = 0; k < 6; k++)
      out[6 * i + k] = (float)want[k];
  }
}

static float as_float(u32 bits)
{
  float x;
  memcpy(&x, &bits, 4);
  return x;
}

HOST(parts, float, u32)
{
  for (int i = 0; i < n; i++) {
    const float x = as_float((in[i] & 0x87ffffff) + 0x38000000);
    int exponent;
    out[5 * i] = frexpf(x, &exponent);
    out[5 * i + 1] = (float)exponent;
    out[5 * i + 2] = ldexpf(x, (int)(in[i] % 41) - 20);
    out[5 * i + 3] = x;
    out[5 * i + 4] = fmodf(x, 0.3f);
  }
}

HOST(special, u32, u32)
{
  for (int i = 0; i < n; i++) {
    const float x = as_float(i % 3 ? in[i] & 0x807fffff
                                   : in[n - 1 - i] | 0x7f800000);
    const float y = as_float(in[i] << 3), by4 = x * 4;
    u32 bits;
    memcpy(&bits, &by4, 4);
    out[i] = (u32)((x < y) | (x <= y) << 1 | (x == y) << 2 | (x != y) << 3 |
                   !(x > y) << 4 | !!isnan(x) << 5 | !!isinf(x) << 6 |
                   !!signbit(x) << 7 | !!isnormal(x) << 8) |
             (bits & 0xffff) << 9 * !isnan(x);
  }
}

TOPIC(floating,
  CASE(float_basic, 512, 3072, 2, 256, .fill = UNIT)
  CASE(double_basic, 512, 2560, 1, 256, .fill = DOUBLES)
  CASE(polynomial, 512, 512, 1, 256, .fill = DOUBLES)
  CASE(functions_float, 256, 4096, 1, 256, .fill = UNIT, .compare = FLOAT,
       .within = 2e-6)
  CASE(functions_double, 256, 2560, 1, 128, .fill = DOUBLES,
       .compare = DOUBLE, .within = 4e-15)
  CASE(functions_fast, 256, 1536, 1, 256, .fill = UNIT, .compare = FLOAT,
       .within = 2e-6)
  CASE(parts, 256, 1280, 1, 256)
  CASE(special, 768, 768, 3, 256))
