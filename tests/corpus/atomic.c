/* atomic.c - one after the other */
// SPDX-License-Identifier: MIT
#include "tests/corpus/corpus.h"

HOST(histogram_lds, u32, u32)
{
  for (int i = 0; i < n; i++)
    out[in[i] >> 7 & 63]++;
}

HOST(histogram_bytes, u32, u8)
{
  for (int i = 0; i < 4 * n; i++)
    out[in[i]]++;
}

HOST(cas_float, float, u32)
{
  for (int i = 0; i < n; i++)
    out[in[i] % 5] += (float)(in[i] >> 20);
}

HOST(cas_lds, u64, u32)
{
  u32 hash = 7;
  u64 sum = 0;
  for (int i = 0; i < n; i++) {
    hash ^= in[i];
    sum += (u64)in[i] * 3;
  }
  for (int i = 0; i < n; i++)
    out[i] = i ? sum : hash;
}

HOST(add_float, float, u32)
{
  for (int i = 0; i < n; i++) {
    out[0] += (float)(in[i] >> 20);
    out[1] += (float)(in[i] >> 24);
  }
}

HOST(add_double, double, u32)
{
  for (int i = 0; i < n; i++)
    out[0] += in[i];
}

HOST(extremes_64, u64, u64)
{
  for (int i = 0; i < n / 2; i++) {
    const u64 x = in[i];
    out[0] = x < out[0] ? x : out[0];
    out[1] = x > out[1] ? x : out[1];
    out[2] = (i64)x < (i64)out[2] ? x : out[2];
    out[3] = (i64)x > (i64)out[3] ? x : out[3];
    out[4] += x, out[5] ^= x, out[6] &= x | 1;
  }
}

HOST(extremes_lds, int, int)
{
  u64 wide = 0;
  u32 first = 5, last = 5;
  out[0] = out[1] = 5;
  for (int i = 0; i < n; i++) {
    const u32 x = (u32)in[i];
    out[0] = in[i] < out[0] ? in[i] : out[0];
    out[1] = in[i] > out[1] ? in[i] : out[1];
    first = x + 1 < first ? x + 1 : first;
    last = x > last ? x : last;
    wide += x;
  }
  out[2] = (int)first, out[3] = (int)last;
  out[4] = (int)(u32)wide, out[5] = (int)(wide >> 32);
}

HOST(tickets, u32, u32)
{
  out[0] = (u32)n;
  out[1] = (u32)n % 100;
  out[2] = (u32)(50 - n % 50) % 50;
  for (int i = 0; i < n; i++) {
    out[3] -= in[i];
    out[4 + i] = 1;
  }
}

HOST(last_group, u32, u32)
{
  out[0] = (u32)n;
  for (int i = 0; i < n; i++) {
    out[1] += in[i] * 3;
    out[2 + i] = in[i] * 3;
  }
}

HOST(exchange, u32, u32)
{
  for (int i = 0; i < n; i++)
    out[1] ^= in[i];
  out[1] ^= out[0];
  out[0] = 7;
}

TOPIC(atomic,
  CASE(histogram_lds, 4000, 64, 4, 128)
  CASE(histogram_bytes, 500, 256, 2, 256)
  CASE(cas_float, 256, 5, 2, 128, .start = ZEROS)
  CASE(cas_lds, 96, 192, 1, 96)
  CASE(add_float, 256, 2, 2, 128, .start = ZEROS)
  CASE(add_double, 512, 2, 2, 256, .start = ZEROS)
  CASE(extremes_64, 512, 14, 1, 256)
  CASE(extremes_lds, 200, 6, 1, 200)
  CASE(tickets, 333, 337, 3, 111, .start = ZEROS)
  CASE(last_group, 40, 42, 40, 64, .start = ZEROS)
  CASE(exchange, 200, 2, 1, 200))
