/* scan.c - running sums */
// SPDX-License-Identifier: MIT
#include "tests/corpus/corpus.h"

static void scan(u32 *out, const u32 *in, int n)
{
  u32 sum = 0;
  for (int i = 0; i < n; i++)
    out[i] = sum += in[i];
}

HOST(scan_hillis_steele, u32, u32)
{
  for (int i = 0; i < n; i += 256)
    scan(out + i, in + i, 256);
}

HOST(scan_blelloch, u32, u32)
{
  out[0] = 0;
  scan(out + 1, in, n - 1);
}

HOST(scan_shuffle, u32, u32)
{
  for (int i = 0; i < n; i += s->lanes)
    scan(out + i, in + i, s->lanes);
}

HOST(scan_dpp, u32, u32)
{
  for (int i = 0; i < n; i += s->lanes)
    scan(out + i, in + i, s->lanes);
}

HOST(compact, u32, u32)
{
  for (int i = 0; i < n; i++)
    if (in[i] & 1)
      *out++ = in[i];
}

TOPIC(scan,
  CASE(scan_hillis_steele, 512, 512, 2, 256)
  CASE(scan_blelloch, 512, 512, 1, 256, .lds = 2048)
  CASE(scan_shuffle, 384, 384, 2, 192)
  CASE(scan_dpp, 64, 64, 1, 64)
  CASE(compact, 256, 256, 1, 256))
