/* half.c - f16 through double, rounded once */
// SPDX-License-Identifier: MIT
#include "tests/corpus/corpus.h"

#include <math.h>

HOST(half_basic, u16, u16)
{
  for (int i = 0; i < s->grid[0] * s->block[0]; i++) {
    const double a = half_value(in[i]), b = half_value(in[2 * n - 1 - i]);
    const double square = half_value(half_of(a * a)); /* as it is stored */
    const double all[] = {a + b, a - b, a * b, a / b, sqrt(square)};
    for (int k = 0; k < 5; k++)
      out[5 * i + k] = half_of(all[k]);
  }
}

static double larger(double a, double b)
{
  return a > b ? a : b;
}

HOST(half_packed, u16, u16)
{
  for (int i = 0; i < n; i++)
    for (int h = 0; h < 2; h++) {
      const double a = half_value(in[2 * i + h]);
      const double b = half_value(in[2 * (n - 1 - i) + h]);
      const double other = half_value(in[2 * (n - 1 - i) + 1 - h]);
      out[6 * i + h] = half_of(a * b);
      out[6 * i + 2 + h] = half_of(a + other);
      out[6 * i + 4 + h] = half_of(larger(a, -b));
    }
}

HOST(half_axpy, u16, u16)
{
  for (int i = 0; i < n; i++)
    for (int h = 0; h < 2; h++) {
      double sum = 0;
      for (int k = 0; k < 8; k++)
        sum = larger(sum, half_value(in[2 * ((i + k) % n) + h]) * 2 + k);
      out[2 * i + h] = half_of(sum);
    }
}

HOST(half_header, u16, u16)
{
  for (int i = 0; i < n; i++) {
    u16 *to = out + 8 * i;
    for (int h = 0; h < 2; h++) {
      const double a = half_value(in[2 * i + h]);
      const double b = half_value(in[2 * (n - 1 - i) + h]);
      to[h] = half_of(a * b + a);
      to[2 + h] = half_of(half_value(in[2 * i + 1 - h]) - b);
      to[4 + h] = half_of(a < b);
      to[6 + h] = half_of(h ? (float)b * 7 : (float)a / 3);
    }
  }
}

HOST(half_convert, u32, u32)
{
  for (int i = 0; i < n; i++) {
    const float x = (float)(int)in[i] * 1e-6f * (i % 7 ? 1 : 1e-8f);
    const u16 half = half_of(x);
    const float back = (float)half_value(half);
    u32 bits;
    __builtin_memcpy(&bits, &back, 4);
    out[i] = half | bits >> 13 << 16;
  }
}

/* Exact in float: multiples of 2^-12 below 2^9. */
HOST(dot_half, float, u16)
{
  for (int i = 0; i < n / 4; i++) {
    double sum = 0.5;
    for (int k = 0; k < 4; k++)
      for (int h = 0; h < 2; h++)
        sum += half_value(in[2 * (4 * i + k) + h]) *
               half_value(in[2 * (n - 1 - k) + h]);
    out[i] = (float)sum;
  }
}

/* The i-th field of so many bits. */
static i64 field(u32 x, int i, int bits, int is_signed)
{
  const u32 value = x >> i * bits & ((1u << bits) - 1);
  return is_signed && value >> (bits - 1) ? (i64)value - (1ll << bits) : value;
}

static i64 dot(u32 a, u32 b, i64 sum, int bits, int is_signed)
{
  for (int i = 0; i < 32 / bits; i++)
    sum += field(a, i, bits, is_signed) * field(b, i, bits, is_signed);
  return sum;
}

static i64 clamp(i64 x, i64 low, i64 high)
{
  return x < low ? low : x > high ? high : x;
}

HOST(dot_bytes, u32, u32)
{
  for (int i = 0; i < n; i++) {
    const u32 a = in[i], b = in[n - 1 - i];
    out[2 * i] = (u32)dot(a, b, (int)a, 8, 1);
    out[2 * i + 1] = (u32)clamp(dot(a, b, b, 8, 0), 0, UINT32_MAX);
  }
}

HOST(dot_nibbles, u32, u32)
{
  for (int i = 0; i < n; i++) {
    const u32 a = in[i], b = in[n - 1 - i];
    out[2 * i] = (u32)clamp(dot(a, b, 0x7fffff80 ^ i, 4, 1), INT32_MIN,
                            INT32_MAX);
    out[2 * i + 1] = (u32)dot(a, b, b, 4, 0);
  }
}

HOST(dot_shorts, u32, u32)
{
  for (int i = 0; i < n; i++) {
    const u32 a = in[i], b = in[n - 1 - i];
    out[2 * i] = (u32)dot(a, b, -5, 16, 1);
    out[2 * i + 1] = (u32)clamp(dot(a, b, 5, 16, 0), 0, UINT32_MAX);
  }
}

HOST(short_packed, i16, i16)
{
  for (int i = 0; i < n; i++)
    for (int h = 0; h < 2; h++) {
      const int a = in[2 * i + h], b = in[2 * (n - 1 - i) + h];
      const int other = in[2 * (n - 1 - i) + 1 - h], left = (i16)(a * 8);
      const int all[5] = {a + b * b, a - other, a < b ? a : b, a >> (b & 15),
                          left > b ? left : b};
      for (int k = 0; k < 5; k++)
        out[10 * i + 2 * k + h] = (i16)all[k];
    }
}

TOPIC(half,
  CASE(half_basic, 128, 640, 1, 256, .fill = HALVES)
  CASE(half_packed, 256, 768, 1, 256, .fill = HALVES)
  CASE(half_axpy, 200, 200, 2, 100, .fill = HALVES)
  CASE(half_header, 256, 1024, 2, 128, .fill = HALVES)
  CASE(half_convert, 512, 512, 2, 256)
  CASE(dot_half, 512, 128, 2, 64, .fill = HALVES)
  CASE(dot_bytes, 512, 1024, 2, 256)
  CASE(dot_nibbles, 512, 1024, 2, 256)
  CASE(dot_shorts, 512, 1024, 2, 256)
  CASE(short_packed, 256, 1280, 1, 256))
