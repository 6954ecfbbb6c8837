// integer.hip - integers of 64 bits, division, overflow
// SPDX-License-Identifier: MIT

KERNEL(divide_64, u64, u64)
{
  const int i = GLOBAL_ID, m = n / 4;
  const u64 a = in[i], b = (in[m + i] >> (i % 64)) | 1;
  const i64 sa = a, sb = b;
  out[i] = a / b;
  out[m + i] = a % b;
  out[2 * m + i] = sb == -1 ? 0 : sa / sb;
  out[3 * m + i] = sb == -1 ? 0 : sa % sb;
}

KERNEL(multiply_64, u64, u64)
{
  const int i = GLOBAL_ID, m = n / 4;
  const u64 a = in[i], b = in[m + i];
  out[i] = a * b;
  out[m + i] = __umul64hi(a, b);
  out[2 * m + i] = __mul64hi(a, b);
  out[3 * m + i] = (u64)(u32)a * (u32)b + b;
}

KERNEL(shift_64, u64, u64)
{
  const int i = GLOBAL_ID, by = in[i] >> 40 & 63;
  const u64 x = in[i];
  out[i] = x << by ^ x >> (63 - by) ^ (u64)((i64)x >> by);
}

KERNEL(divide_32, u32, u32)
{
  const int i = GLOBAL_ID;
  const u32 a = in[i], b = in[n - 1 - i] >> (i % 32) | 1;
  const int sb = b == ~0u ? 3 : b;
  out[4 * i] = a / b;
  out[4 * i + 1] = a % b;
  out[4 * i + 2] = (int)a / sb;
  out[4 * i + 3] = (int)a % sb;
}

KERNEL(divide_constant, u32, u32)
{
  const int i = GLOBAL_ID, x = in[i];
  out[i] = in[i] / 7 + in[i] % 1000 + x / 10 + x % 641 + in[i] / 0x80000001u;
}

KERNEL(multiply_high, u32, u32)
{
  const int i = GLOBAL_ID;
  const u32 a = in[i], b = in[n - 1 - i];
  out[i] = __umulhi(a, b) + 3 * __mulhi((int)a, (int)b) + 5 * __mul24(a, b) +
           7 * __umul24(a, b);
}

KERNEL(saturate, int, int)
{
  const int i = GLOBAL_ID, a = in[i], b = in[n - 1 - i];
  int sum, difference, product;
  if (__builtin_add_overflow(a, b, &sum))
    sum = a < 0 ? -2147483647 - 1 : 2147483647;
  if (__builtin_sub_overflow((u32)a, (u32)b, (u32 *)&difference))
    difference = 0;
  if (__builtin_mul_overflow(a >> 12, b >> 16, &product))
    product = -1;
  out[i] = sum ^ difference ^ product;
}

// 256 bits in eight words, with the carry from word to word.
KERNEL(add_256, u32, u32)
{
  const u32 *a = in + 16 * GLOBAL_ID, *b = a + 8;
  u32 *to = out + 8 * GLOBAL_ID;
  u64 carry = 0;
  for (int i = 0; i < 8; i++) {
    carry += (u64)a[i] + b[i];
    to[i] = carry;
    carry >>= 32;
  }
}

KERNEL(modular_power, u64, u64)
{
  const u64 m = 0xffffffff00000001 % 4294967291u, p = 4294967291u;
  u64 base = in[GLOBAL_ID] % p, power = 1;
  for (u32 e = in[GLOBAL_ID] >> 32; e; e >>= 1) {
    if (e & 1)
      power = power * base % p;
    base = base * base % p;
  }
  out[GLOBAL_ID] = power + m;
}
