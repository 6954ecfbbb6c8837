// floating.hip - f32 and f64: arithmetic to the bit, functions nearly
// SPDX-License-Identifier: MIT

KERNEL(float_basic, float, float)
{
  const int i = GLOBAL_ID;
  const float a = in[i] * 100 - 50, b = in[n - 1 - i] + 0.125f;
  out[6 * i] = a / b;
  out[6 * i + 1] = sqrtf(b);
  out[6 * i + 2] = __builtin_fmaf(a, b, a);
  out[6 * i + 3] = floorf(a) + 100 * truncf(a) + 10000 * rintf(a) + ceilf(a);
  out[6 * i + 4] = (float)(int)a + (float)(u64)(b * 1e15f);
  out[6 * i + 5] = fminf(a, b) - fmaxf(-a, 3 * b) + fabsf(a);
}

KERNEL(double_basic, double, double)
{
  const int i = GLOBAL_ID, m = n / 2;
  const double a = in[i] * 100 - 50, b = in[m - 1 - i] + 0.125;
  out[5 * i] = a / b;
  out[5 * i + 1] = sqrt(b);
  out[5 * i + 2] = __builtin_fma(a, b, a);
  out[5 * i + 3] = floor(a) + 100 * trunc(a) + 1e4 * rint(a) + ceil(a);
  out[5 * i + 4] = (double)(i64)(a * 1e15) + (double)(u32)(b * 1e9) +
                   (double)(float)a;
}

KERNEL(polynomial, double, double)
{
  double x = in[GLOBAL_ID], sum = 0;
  for (int k = 12; k >= 0; k--)
    sum = sum * x + 1.0 / (k + 1);
  out[GLOBAL_ID] = sum;
}

KERNEL(functions_float, float, float)
{
  const int i = GLOBAL_ID;
  const float x = in[i];
  float *to = out + 16 * i;
  to[0] = sinf(20 * x);
  to[1] = cosf(20 * x);
  to[2] = tanf(x);
  to[3] = expf(5 * x - 3);
  to[4] = logf(x + 0.001f);
  to[5] = powf(x + 0.5f, 3.7f);
  to[6] = tanhf(4 * x - 2);
  to[7] = atan2f(x - 0.5f, 0.3f);
  to[8] = asinf(x);
  to[9] = erff(x);
  to[10] = rsqrtf(x + 0.01f);
  to[11] = cbrtf(x - 0.5f);
  to[12] = exp2f(8 * x - 4);
  to[13] = log2f(x + 0.25f);
  to[14] = sinf(1e5f * x);
  to[15] = tgammaf(x + 1);
}

KERNEL(functions_double, double, double)
{
  const int i = GLOBAL_ID;
  const double x = in[i];
  double *to = out + 10 * i;
  to[0] = sin(20 * x);
  to[1] = cos(1e8 * x);
  to[2] = exp(5 * x - 3);
  to[3] = log(x + 0.001);
  to[4] = pow(x + 0.5, 3.7);
  to[5] = tanh(4 * x - 2);
  to[6] = atan(9 * x);
  to[7] = erf(x);
  to[8] = 1 / sqrt(x + 0.01);
  to[9] = lgamma(x + 2);
}

// What the hardware's own instructions give, less exact by contract.
KERNEL(functions_fast, float, float)
{
  const int i = GLOBAL_ID;
  const float x = in[i];
  float *to = out + 6 * i;
  to[0] = __sinf(x);
  to[1] = __cosf(x);
  to[2] = __expf(x);
  to[3] = __logf(x + 1);
  to[4] = __fdividef(x, x + 1);
  to[5] = __frsqrt_rn(x + 1);
}

KERNEL(parts, float, u32)
{
  const int i = GLOBAL_ID;
  const float x = __uint_as_float((in[i] & 0x87ffffff) + 0x38000000);
  int exponent;
  float whole;
  out[5 * i] = frexpf(x, &exponent);
  out[5 * i + 1] = exponent;
  out[5 * i + 2] = ldexpf(x, (int)(in[i] % 41) - 20);
  out[5 * i + 3] = modff(x, &whole) + whole;
  out[5 * i + 4] = fmodf(x, 0.3f);
}

// Denormals, infinities and NaNs among the operands: classes and order.
KERNEL(special, u32, u32)
{
  const int i = GLOBAL_ID;
  const u32 a = in[i] & 0x807fffff, b = in[n - 1 - i] | 0x7f800000;
  const float x = __uint_as_float(i % 3 ? a : b);
  const float y = __uint_as_float(in[i] << 3);
  out[i] = (x < y) | (x <= y) << 1 | (x == y) << 2 | (x != y) << 3 |
           !(x > y) << 4 | !!isnan(x) << 5 | !!isinf(x) << 6 |
           !!signbit(x) << 7 | !!isnormal(x) << 8 |
           (__float_as_uint(x * 4) & 0xffff) << 9 * !isnan(x);
}
