/* spin.c - what groups that wait for each other make of their input */
// SPDX-License-Identifier: MIT
#include "tests/corpus/corpus.h"

HOST(chain, u32, u32)
{
  u32 sum = 0;
  for (int g = 0; g < n; g++)
    out[g] = sum += in[g] % 100 + 1;
}

HOST(backwards, u32, u32)
{
  u32 sum = 0;
  for (int g = n; g-- > 0;)
    out[g] = sum += in[g] % 100 + 1;
}

HOST(persistent, u32, u32)
{
  u32 *now = out, *next = out + n;
  for (int i = 0; i < n; i++)
    now[i] = in[i] % 1000;
  for (int step = 0; step < 4; step++) {
    for (int i = 0; i < n; i++)
      next[i] = now[(i + 65) % n] + now[(i + n - 1) % n];
    u32 *old = now;
    now = next;
    next = old;
  }
  out[2 * n + 1] = 4;
}

HOST(lock, u32, u32)
{
  for (int g = 0; g < n; g++)
    out[1] += in[g] % 100;
}

HOST(halves, u32, u32)
{
  for (int i = 0; i < 256 * 128; i++)
    for (int k = 0; k < 64; k++)
      out[i] += in[(i + 256 * k) % n];
  for (int g = 0; g < 256; g++)
    out[256 * 128 + g] = 1;
}

TOPIC(wait,
  CASE(chain, 1000, 1000, 1000, 64, .start = ZEROS)
  CASE(backwards, 200, 200, 200, 64, .start = ZEROS)
  CASE(persistent, 200 * 64, 2 * 200 * 64 + 2, 200, 64, .start = ZEROS)
  CASE(lock, 500, 2, 500, 64, .start = ZEROS)
  CASE(halves, 64 * 1024, 256 * 129, 256, 128, .start = ZEROS))
