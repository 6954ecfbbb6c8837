/* sort.c - all by qsort() */
// SPDX-License-Identifier: MIT
#include "tests/corpus/corpus.h"

#include <stdlib.h>
#include <string.h>

#define SORT(type)                                                           \
  static int less_##type(const void *a, const void *b)                       \
  {                                                                          \
    const type x = *(const type *)a, y = *(const type *)b;                   \
    return (x > y) - (x < y);                                                \
  }                                                                          \
  static void sort_##type(type *out, const type *in, int n)                  \
  {                                                                          \
    memcpy(out, in, (size_t)n * sizeof *in);                                 \
    qsort(out, (size_t)n, sizeof *out, less_##type);                         \
  }
SORT(u32)
SORT(u64)
SORT(int)
SORT(float)

HOST(bitonic_lds, u32, u32)
{
  for (int i = 0; i < n; i += 256)
    sort_u32(out + i, in + i, 256);
}

/* A wave's last merge goes up in all of its lanes. */
HOST(bitonic_wave, int, int)
{
  for (int i = 0; i < n; i += s->lanes)
    sort_int(out + i, in + i, s->lanes);
}

HOST(odd_even, float, float)
{
  sort_float(out, in, n);
}

HOST(radix, u32, u32)
{
  u32 low[64];
  for (int i = 0; i < n; i++)
    low[i] = in[i] & 0xffff;
  for (int i = 0; i < n; i += s->lanes)
    sort_u32(out + i, low + i, s->lanes);
}

HOST(rank_sort, u64, u64)
{
  sort_u64(out, in, n / 2);
}

HOST(insertion, u32, u32)
{
  for (int i = 0; i < n; i += 24)
    sort_u32(out + i, in + i, 24);
}

TOPIC(sort,
  CASE(bitonic_lds, 512, 512, 2, 256)
  CASE(bitonic_wave, 256, 256, 1, 256)
  CASE(odd_even, 101, 101, 1, 51, .fill = UNIT)
  CASE(radix, 64, 64, 1, 64)
  CASE(rank_sort, 400, 400, 2, 100)
  CASE(insertion, 24 * 96, 24 * 96, 1, 96))
