/* bits.c - bit by bit */
// SPDX-License-Identifier: MIT
#include "tests/corpus/corpus.h"

static u32 ones(u64 x)
{
  u32 count = 0;
  for (int i = 0; i < 64; i++)
    count += x >> i & 1;
  return count;
}

/* Zeros above the highest one; the lowest one's place from 1, or 0. */
static u32 above(u64 x, int bits)
{
  u32 count = 0;
  for (int i = bits - 1; i >= 0 && !(x >> i & 1); i--)
    count++;
  return count;
}

static u32 first(u64 x)
{
  for (u32 i = 0; i < 64; i++)
    if (x >> i & 1)
      return i + 1;
  return 0;
}

static u64 reversed(u64 x, int bits)
{
  u64 y = 0;
  for (int i = 0; i < bits; i++)
    y |= (x >> i & 1) << (bits - 1 - i);
  return y;
}

HOST(count, u32, u32)
{
  for (int i = 0; i < n; i++) {
    const u32 x = in[i] >> (i % 33 == 32 ? 31 : i % 33);
    const u64 wide = (u64)x << 32 >> (i % 64);
    out[4 * i] = ones(x) | above(x, 32) << 8 | first(x) << 16;
    out[4 * i + 1] = ones(wide) | above(wide, 64) << 8 | first(wide) << 16;
    out[4 * i + 2] = (u32)reversed(x, 32);
    out[4 * i + 3] = (u32)(reversed(wide, 64) >> 16);
  }
}

HOST(fields, u32, u32)
{
  for (int i = 0; i < n; i++) {
    const u32 x = in[i], y = in[n - 1 - i];
    const int at = (int)(y & 31), width = (int)(x & 31);
    const u64 pair = (u64)x << 32 | y;
    i64 field = x >> at & ((1u << width) - 1);
    out[5 * i] = (u32)field;
    /* A field that ends beyond bit 31 takes that bit as its sign. */
    if (at + width > 32)
      field = (int)x >> at;
    else if (width && field >> (width - 1))
      field -= 1ll << width;
    out[5 * i + 1] = (u32)field;
    out[5 * i + 2] = (u32)(pair >> at);
    out[5 * i + 3] = (u32)(pair >> 8 * (at & 3));
    out[5 * i + 4] = (u32)reversed(x, 32) ^
                     (x << 24 | (x << 8 & 0xff0000) | (x >> 8 & 0xff00) |
                      x >> 24);
  }
}

static u32 byte(u64 x, u32 i)
{
  return (u32)(x >> 8 * i) & 255;
}

HOST(permute_bytes, u32, u32)
{
  for (int i = 0; i < n; i++) {
    const u32 a = in[i], b = in[n - 1 - i], select = 0x7250 ^ (i & 0x7777);
    out[2 * i] = 0;
    for (int k = 0; k < 4; k++)
      out[2 * i] |= byte((u64)b << 32 | a, select >> 4 * k & 7) << 8 * k;
    /* v_perm_b32: bytes 0-3 are the second operand's; 12 is zero */
    out[2 * i + 1] = byte(b, 0) | byte(a, 1) << 8 | byte(a, 3) << 16;
  }
}

static u32 distance(i64 a, i64 b)
{
  return (u32)(a > b ? a - b : b - a);
}

HOST(differences, u32, u32)
{
  for (int i = 0; i < n; i++) {
    const u32 a = in[i], b = in[n - 1 - i];
    out[4 * i] = 7, out[4 * i + 3] = 0;
    for (u32 k = 0; k < 4; k++) {
      out[4 * i] += distance(byte(a, k), byte(b, k));
      out[4 * i + 3] |= ((byte(a, k) + byte(b, k) + k % 2) >> 1) << 8 * k;
    }
    out[4 * i + 1] = 9 + distance(a & 0xffff, b & 0xffff) +
                     distance(a >> 16, b >> 16);
    out[4 * i + 2] = 5 + distance((int)a >> 1, (int)b >> 1);
  }
}

HOST(patterns, u32, u32)
{
  for (int i = 0; i < n; i++) {
    const u32 x = in[i];
    out[3 * i] = 0;
    for (int b = 0; b < 32; b++)
      out[3 * i] |= (x >> (b % 2 * 16 + b / 2) & 1) << b;
    out[3 * i + 1] = x ^ x / 2;
    out[3 * i + 2] = ones(x) % 2 + (x << 7 | x >> 25);
  }
}

TOPIC(bits,
  CASE(count, 500, 2000, 2, 250)
  CASE(fields, 512, 2560, 2, 256)
  CASE(permute_bytes, 256, 512, 1, 256)
  CASE(differences, 256, 1024, 1, 256)
  CASE(patterns, 256, 768, 1, 256))
