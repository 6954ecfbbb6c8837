/* control.c - the same steps, one thread after the other */
// SPDX-License-Identifier: MIT
#include "tests/corpus/corpus.h"

HOST(collatz, u32, u32)
{
  for (int i = 0; i < n; i++) {
    out[i] = 0;
    for (u64 x = in[i] % 5000 + 1; x != 1; x = x % 2 ? 3 * x + 1 : x / 2)
      out[i]++;
  }
}

static u32 stepped(u32 y, u32 steps)
{
  for (u32 i = 0; i < steps; i++)
    if (!(y & 8)) {
      y += i * 7;
      if (y % 11 == 3)
        return y;
    }
  return y;
}

HOST(nested, u32, u32)
{
  for (int i = 0; i < n; i++) {
    const u32 x = in[i];
    if (x & 1)
      out[i] = x & 2   ? (x + 3) * 5
               : x & 4 ? stepped(x + 3, x >> 8 & 15)
                       : (x + 3) ^ 0x55;
    else {
      out[i] = x;
      if (x & 16)
        do
          out[i] = out[i] * 3 + 1;
        while (out[i] & 0x30);
    }
  }
}

static u32 arm(u32 which, u32 x, u32 word)
{
  const u32 arms[16] = {
    x + 0x12345, x ^ x << 3, ~x * 9, x * 9, x - (x >> 4), x << 13 | x >> 19,
    x | 0x101010, x & 0xfffefdfc, x + 1, x + word, x + 1, x + 1, 0 - x, x + 1,
    x + 1, x + 1};
  return arms[which];
}

HOST(table, u32, u32)
{
  for (int i = 0; i < n; i++) {
    u32 x = in[i];
    for (int k = 0; k < 6; k++)
      x = arm(x >> 5 * k & 15, x, in[k]);
    out[i] = x;
  }
}

HOST(early_exit, u32, u32)
{
  for (int i = 0; i < n; i++) {
    u32 k = 0;
    if (in[i] % 3 == 0)
      continue;
    while (k <= 13 && (in[i] ^ k) % 17 != 5)
      k++;
    out[i] = k <= 13 ? k : in[i];
  }
}

HOST(states, u32, u32)
{
  for (int i = 0; i < n; i++) {
    u32 x = in[i], count = 0;
    for (int more = 1; more && ++count <= 40;) {
      x = x * 1664525 + 1013904223;
      more = x >> 31 || !(x >> 30 & 1);
      if (x >> 31) {
        count += 3;
        x ^= x >> 15;
        more = x & 6;
      }
    }
    out[i] = x + count;
  }
}

static u32 common(u32 a, u32 b)
{
  return b ? common(b, a % b) : a;
}

HOST(gcd, u32, u32)
{
  for (int i = 0; i < n; i++)
    out[i] = common(in[i], in[n - 1 - i] | 1);
}

HOST(uniform_barriers, u32, u32)
{
  u32 x[128], next[128];
  for (int t = 0; t < 128; t++)
    x[t] = in[t];
  for (u32 i = 0; i < in[0] % 20 + 5; i++) {
    for (u32 t = 0; t < 128; t++)
      next[t] = x[(t + i + 1) % 128];
    for (int t = 0; t < 128; t++)
      if (next[t] >> i % 8 & 1)
        x[t] += next[t];
  }
  for (int t = 0; t < 128; t++)
    out[t] = x[t];
}

TOPIC(control,
  CASE(collatz, 256, 256, 1, 256)
  CASE(nested, 1000, 1000, 4, 250)
  CASE(table, 512, 512, 2, 256)
  CASE(early_exit, 512, 512, 2, 256)
  CASE(states, 512, 512, 2, 256)
  CASE(gcd, 256, 256, 1, 256)
  CASE(uniform_barriers, 128, 128, 1, 128))
