/* program.c - the same by other ways where there are any */
// SPDX-License-Identifier: MIT
#include "tests/corpus/corpus.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

HOST(matrix_product, float, float)
{
  enum {SIZE = 48};
  for (int i = 0; i < SIZE * SIZE; i++) {
    double sum = 0;
    for (int k = 0; k < SIZE; k++)
      sum += (double)in[i / SIZE * SIZE + k] *
             in[SIZE * SIZE + k * SIZE + i % SIZE];
    out[i] = (float)sum;
  }
}

HOST(mandelbrot, u32, u32)
{
  for (int i = 0; i < s->grid[0] * s->block[0]; i++) {
    const double x0 = i % 64 / 24.0 - 2, y0 = i / 64 / 16.0 - 1;
    double x = 0, y = 0;
    for (out[i] = 0; x * x + y * y < 4 && out[i] < 100; out[i]++) {
      const double next = x * x - y * y + x0;
      y = 2 * x * y + y0;
      x = next;
    }
  }
}

HOST(crc32, u32, u8)
{
  for (int i = 0; i < n / 10; i++) {
    out[i] = ~0u;
    for (int k = 0; k < 320; k++) {
      const u32 bit = (in[40 * i + k / 8] >> k % 8 ^ out[i]) & 1;
      out[i] = out[i] >> 1 ^ bit * 0xedb88320;
    }
    out[i] = ~out[i];
  }
}

HOST(life, u32, u32)
{
  u32 now[1024];
  for (int i = 0; i < 1024; i++)
    now[i] = in[i] >> 9 & 1;
  for (int g = 0; g < 5; g++) {
    for (int i = 0; i < 1024; i++) {
      u32 sum = 0; /* with the cell itself */
      for (int k = 0; k < 9; k++)
        sum += now[(i / 32 + k / 3 + 31) % 32 * 32 + (i + k % 3 + 31) % 32];
      out[i] = sum == 3 || (sum == 4 && now[i]);
    }
    memcpy(now, out, sizeof now);
  }
}

static int least(int a, int b)
{
  return a < b ? a : b;
}

HOST(distance, u32, u32)
{
  for (int p = 0; p < n / 2; p++) {
    int d[13][13];
    for (int i = 0; i <= 12; i++)
      for (int k = 0; k <= 12; k++) {
        const int differ = (in[2 * p] >> 2 * i & 3) !=
                           (in[2 * p + 1] >> 2 * k & 3);
        d[i][k] = !i || !k ? i + k
                           : least(d[i - 1][k - 1] + differ,
                                   least(d[i - 1][k], d[i][k - 1]) + 1);
      }
    out[p] = (u32)d[12][12];
  }
}

/* OEIS A000170. */
HOST(queens, u32, u32)
{
  static const u32 ways[6] = {1, 0, 0, 2, 10, 4};
  for (int t = 0; t < s->block[0]; t++)
    out[t] = ways[t % 6];
}

HOST(fourier, float, float)
{
  for (int k = 0; k < 64; k++) {
    double re = 0, im = 0;
    for (int i = 0; i < 64; i++) {
      const double angle = -2 * 3.14159265358979323846 * (i * k % 64) / 64;
      re += in[2 * i] * cos(angle) - in[2 * i + 1] * sin(angle);
      im += in[2 * i] * sin(angle) + in[2 * i + 1] * cos(angle);
    }
    out[2 * k] = (float)re;
    out[2 * k + 1] = (float)im;
  }
}

HOST(search, int, int)
{
  for (int i = 0; i < s->grid[0] * s->block[0]; i++)
    out[i] = (int)ceil(sqrt((in[i % n] & 0xff) * 40));
}

HOST(random_walk, u32, u32)
{
  for (int i = 0; i < n; i++) {
    u64 state = in[i] | 1;
    int x = 0, furthest = 0;
    for (int k = 0; k < 200; k++) {
      state ^= state << 13;
      state ^= state >> 7;
      state ^= state << 17;
      x += state >> 33 & 1 ? 1 : -1;
      if (x > furthest || -x > furthest)
        furthest = x < 0 ? -x : x;
    }
    out[i] = (u32)furthest << 16 | (x & 0xffff);
  }
}

/* Laplace's rule: the sum over the columns that rows may still use. */
static double expand(const double *m, int row, unsigned used)
{
  double sum = 0, sign = 1;
  if (row == 6)
    return 1;
  for (int x = 0; x < 6; x++)
    if (!(used >> x & 1)) {
      sum += sign * m[6 * row + x] * expand(m, row + 1, used | 1u << x);
      sign = -sign;
    }
  return sum;
}

HOST(determinant, double, double)
{
  for (int i = 0; i < n / 72; i++)
    out[i] = expand(in + 36 * i, 0, 0);
}

HOST(convolve, float, float)
{
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = -4; k <= 4; k++)
      if (i + k >= 0 && i + k < n)
        sum += in[i + k] * (5 - abs(k));
    out[i] = (float)(sum / 25);
  }
}

TOPIC(program,
  CASE(matrix_product, 2 * 48 * 48, 48 * 48, 3, 16, .shape.grid[1] = 3,
       .shape.block[1] = 16, .fill = UNIT, .compare = FLOAT, .within = 1e-6)
  CASE(mandelbrot, 1, 2048, 8, 256)
  CASE(crc32, 1280, 128, 1, 128)
  CASE(life, 1024, 1024, 1, 1024)
  CASE(distance, 256, 128, 1, 128)
  CASE(queens, 1, 64, 1, 64)
  CASE(fourier, 128, 128, 1, 64, .fill = UNIT, .compare = FLOAT,
       .within = 1e-5)
  CASE(search, 256, 256, 1, 256)
  CASE(random_walk, 256, 256, 2, 128)
  CASE(determinant, 72 * 64, 128, 1, 64, .fill = DOUBLES, .compare = DOUBLE,
       .within = 1e-12)
  CASE(convolve, 1000, 1000, 4, 256, .fill = UNIT, .compare = FLOAT,
       .within = 1e-6))
