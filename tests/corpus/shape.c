/* shape.c - loops over the whole grid */
// SPDX-License-Identifier: MIT
#include "tests/corpus/corpus.h"

HOST(places, u32, u32)
{
  const int *g = s->grid, *b = s->block;
  for (int group = 0; group < g[0] * g[1] * g[2]; group++)
    for (int z = 0; z < b[2]; z++)
      for (int y = 0; y < b[1]; y++)
        for (int x = 0; x < b[0]; x++) {
          const int at[3] = {group % g[0], group / g[0] % g[1],
                             group / g[0] / g[1]};
          *out++ = (u32)(x | y << 10 | z << 20);
          *out++ = (u32)((at[0] | at[1] << 8 | at[2] << 16) * 31 + g[0] +
                         g[1] * 7 + g[2] * 11) + in[0];
        }
}

static void ring(u32 *out, const u32 *in, int n, const struct shape *s)
{
  const int size = s->block[0];
  u32 x[1024], next[1024];
  for (int at = 0; at < n; at += size) {
    for (int t = 0; t < size; t++)
      x[t] = in[at + t];
    for (int i = 1; i < 9; i++) {
      for (int t = 0; t < size; t++)
        next[t] = x[t] * 5 + x[(t + i) % size];
      for (int t = 0; t < size; t++)
        x[t] = next[t];
    }
    for (int t = 0; t < size; t++)
      out[at + t] = x[t];
  }
}

HOST(ring_1, u32, u32) { ring(out, in, n, s); }
HOST(ring_63, u32, u32) { ring(out, in, n, s); }
HOST(ring_65, u32, u32) { ring(out, in, n, s); }
HOST(ring_256, u32, u32) { ring(out, in, n, s); }
HOST(ring_1024, u32, u32) { ring(out, in, n, s); }

HOST(bounds, u32, u32)
{
  for (int i = 0; i < n; i++)
    out[i] = in[i] + 1;
}

HOST(stride_loop, u32, u32)
{
  for (int i = 0; i < n; i++)
    out[i] += in[n - 1 - i];
}

HOST(many_registers, u32, u32)
{
  for (int t = 0; t < n; t++) {
    u32 x[100];
    out[t] = 0;
    for (int i = 0; i < 100; i++)
      x[i] = in[(t * 7 + i) % n];
    for (int round = 1; round < 4; round++)
      for (int i = 0; i < 100; i++)
        x[i] = (x[i] * 3) ^ x[(i + 33 * round) % 100];
    for (int i = 0; i < 100; i++)
      out[t] = out[t] * 17 + x[i];
  }
}

TOPIC(shape,
  CASE(places, 1, 2 * 3 * 2 * 4 * 5 * 3 * 7, 3, 5, .shape.grid[1] = 2,
       .shape.grid[2] = 4, .shape.block[1] = 3, .shape.block[2] = 7)
  CASE(ring_1, 20, 20, 20, 1, .lds = 4)
  CASE(ring_63, 630, 630, 10, 63, .lds = 252)
  CASE(ring_65, 650, 650, 10, 65, .lds = 260)
  CASE(ring_256, 1024, 1024, 4, 256, .lds = 1024)
  CASE(ring_1024, 2048, 2048, 2, 1024, .lds = 4096)
  CASE(bounds, 777, 777, 4, 256)
  CASE(stride_loop, 5000, 5000, 3, 200)
  CASE(many_registers, 128, 128, 2, 64))
