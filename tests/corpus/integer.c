/* integer.c - integers as the host has them */
// SPDX-License-Identifier: MIT
#include "tests/corpus/corpus.h"

HOST(divide_64, u64, u64)
{
  for (int i = 0, m = n / 4; i < m; i++) {
    const u64 a = in[i], b = (in[m + i] >> (i % 64)) | 1;
    const i64 sa = (i64)a, sb = (i64)b;
    out[i] = a / b;
    out[m + i] = a % b;
    out[2 * m + i] = sb == -1 ? 0 : (u64)(sa / sb);
    out[3 * m + i] = sb == -1 ? 0 : (u64)(sa % sb);
  }
}

HOST(multiply_64, u64, u64)
{
  __extension__ typedef unsigned __int128 u128;
  __extension__ typedef __int128 i128;
  for (int i = 0, m = n / 4; i < m; i++) {
    const u64 a = in[i], b = in[m + i];
    out[i] = a * b;
    out[m + i] = (u64)((u128)a * b >> 64);
    out[2 * m + i] = (u64)(((i128)(i64)a * (i64)b) >> 64);
    out[3 * m + i] = (a & 0xffffffff) * (b & 0xffffffff) + b;
  }
}

HOST(shift_64, u64, u64)
{
  for (int i = 0; i < n / 2; i++) {
    const int by = (int)(in[i] >> 40 & 63);
    out[i] = in[i] << by ^ in[i] >> (63 - by) ^ (u64)((i64)in[i] >> by);
  }
}

HOST(divide_32, u32, u32)
{
  for (int i = 0; i < n; i++) {
    const u32 a = in[i], b = in[n - 1 - i] >> (i % 32) | 1;
    const int sa = (int)a, sb = b == ~0u ? 3 : (int)b;
    out[4 * i] = a / b;
    out[4 * i + 1] = a % b;
    out[4 * i + 2] = (u32)(sa / sb);
    out[4 * i + 3] = (u32)(sa % sb);
  }
}

HOST(divide_constant, u32, u32)
{
  for (int i = 0; i < n; i++) {
    const int x = (int)in[i];
    out[i] = in[i] / 7 + in[i] % 1000 + (u32)(x / 10) + (u32)(x % 641) +
             in[i] / 0x80000001u;
  }
}

static u32 high(i64 product)
{
  return (u32)((u64)product >> 32);
}

HOST(multiply_high, u32, u32)
{
  for (int i = 0; i < n; i++) {
    const u32 a = in[i], b = in[n - 1 - i];
    const i64 s24 = ((i64)((u64)a << 40) >> 40) * ((i64)((u64)b << 40) >> 40);
    out[i] = (u32)((u64)a * b >> 32) + 3 * high((i64)(int)a * (int)b) +
             5 * (u32)s24 + 7 * (u32)((u64)(a & 0xffffff) * (b & 0xffffff));
  }
}

HOST(saturate, int, int)
{
  for (int i = 0; i < n; i++) {
    const i64 a = in[i], b = in[n - 1 - i], product = (a >> 12) * (b >> 16);
    const i64 sum = a + b > INT32_MAX   ? INT32_MAX
                    : a + b < INT32_MIN ? INT32_MIN
                                        : a + b;
    const u32 ua = (u32)a, ub = (u32)b;
    const int fits = product >= INT32_MIN && product <= INT32_MAX;
    out[i] = (int)sum ^ (int)(ua < ub ? 0 : ua - ub) ^
             (fits ? (int)product : -1);
  }
}

HOST(add_256, u32, u32)
{
  for (int k = 0; k < n / 16; k++) {
    int carry = 0;
    for (int i = 0; i < 8; i++) {
      const u64 sum = (u64)in[16 * k + i] + in[16 * k + 8 + i] + (u64)carry;
      out[8 * k + i] = (u32)sum;
      carry = sum > UINT32_MAX;
    }
  }
}

HOST(modular_power, u64, u64)
{
  const u64 p = 4294967291u;
  for (int i = 0; i < n / 2; i++) {
    u64 power = 1;
    for (int bit = 63; bit >= 32; bit--) {
      power = power * power % p;
      if (in[i] >> bit & 1)
        power = power * (in[i] % p) % p;
    }
    out[i] = power + 0xffffffff00000001 % p;
  }
}

TOPIC(integer,
  CASE(divide_64, 1024, 2048, 2, 128)
  CASE(multiply_64, 1024, 2048, 2, 128)
  CASE(shift_64, 512, 512, 1, 256)
  CASE(divide_32, 256, 1024, 1, 256)
  CASE(divide_constant, 500, 500, 2, 250)
  CASE(multiply_high, 256, 256, 1, 256)
  CASE(saturate, 512, 512, 2, 256)
  CASE(add_256, 1024, 512, 1, 64)
  CASE(modular_power, 128, 128, 1, 64))
