/* reduce.c - the same sums in a row */
// SPDX-License-Identifier: MIT
#include "tests/corpus/corpus.h"

HOST(sum_lds, u32, u32)
{
  for (int g = 0; g < s->grid[0]; g++) {
    out[g] = 0;
    for (int t = 0; t < s->block[0]; t++)
      out[g] += in[g * s->block[0] + t];
  }
}

HOST(sum_shuffle, u32, u32)
{
  for (int w = 0; w < n / s->lanes; w++) {
    out[w] = 0;
    for (int t = 0; t < s->lanes; t++)
      out[w] += in[w * s->lanes + t];
  }
}

HOST(max_float, float, float)
{
  for (int g = 0; g < s->grid[0]; g++) {
    out[g] = 0;
    for (int t = 0; t < s->block[0]; t++)
      if (in[g * s->block[0] + t] > out[g])
        out[g] = in[g * s->block[0] + t];
  }
}

HOST(sum_double, double, double)
{
  double sum = 0;
  for (int t = 0; t < 64; t++) {
    double part = 0;
    for (int i = t; i < n / 2; i += 64)
      part += in[i];
    sum = t ? sum + part : part;
  }
  out[0] = sum;
}

HOST(sum_atomic, u32, u32)
{
  for (int i = 0; i < n; i++) {
    out[0] += in[i];
    out[1 + i % s->block[0] % 7]++;
  }
}

HOST(argmin, u64, u32)
{
  for (int i = 0; i < n; i++)
    if (((u64)in[i] << 32 | (u32)i) < out[0])
      out[0] = (u64)in[i] << 32 | (u32)i;
}

HOST(logic_atomic, u32, u32)
{
  for (int i = 0; i < n; i++) {
    const u32 x = in[i];
    out[0] &= x | 0xffff0000 | x << 5;
    out[1] |= x & x >> 3 & x >> 7 & x >> 11;
    out[2] ^= x;
  }
}

HOST(dot_product, float, float)
{
  double sum = 0;
  for (int i = 0; i < n / 2; i++)
    sum += (double)in[i] * in[n / 2 + i];
  out[0] = (float)sum;
}

TOPIC(reduce,
  CASE(sum_lds, 1024, 4, 4, 256)
  CASE(sum_shuffle, 640, 640 / 32, 5, 128)
  CASE(max_float, 390, 6, 6, 65, .fill = UNIT, .lds = 65 * 4)
  CASE(sum_double, 1000, 2, 1, 64, .fill = DOUBLES, .compare = DOUBLE)
  CASE(sum_atomic, 1000, 8, 4, 250)
  CASE(argmin, 2048, 2, 8, 256)
  CASE(logic_atomic, 512, 3, 2, 256)
  CASE(dot_product, 4000, 1, 1, 256, .fill = UNIT, .compare = FLOAT,
       .within = 1e-5))
