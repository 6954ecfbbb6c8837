/* memory.c - arrays of bytes and words */
// SPDX-License-Identifier: MIT
#include "tests/corpus/corpus.h"

#include <string.h>

#define LOAD(type, p) (*(const type *)memcpy(&(type){0}, p, sizeof(type)))
#define STORE(type, p, value) memcpy(p, &(type){(type)(value)}, sizeof(type))

HOST(widths, u8, u8)
{
  for (int i = 0; i < n / 8; i++) {
    const u8 *from = in + 32 * i;
    u8 *to = out + 32 * i;
    to[0] = (u8)(from[0] + 1);
    to[1] = (u8)((i8)from[1] >> 2);
    STORE(u16, to + 2, LOAD(u16, from + 2) * 3);
    STORE(int, to + 4, LOAD(i16, from + 4) - LOAD(u16, from + 6));
    STORE(u64, to + 8, LOAD(u64, from + 8) + LOAD(u32, from + 4));
    memcpy(to + 16, from + 16, 16);
  }
}

HOST(vectors, float, float)
{
  for (int i = 0; i < n / 4; i++) {
    const float *a = in + 4 * i, *b = in + 2 * (n / 2 - 1 - i);
    const float to[4] = {a[3] + b[0], a[2] * b[1], a[1], a[0]};
    memcpy(out + 4 * i, to, sizeof to);
  }
}

HOST(unaligned, u8, u8)
{
  for (int t = 0; t < 64; t++) {
    u8 x[15];
    memcpy(x, in + 15 * t, 15);
    STORE(u64, x + 5, LOAD(u64, x + 5) + x[0]);
    STORE(u32, x + 1, LOAD(u32, x + 1) ^ LOAD(u16, x + 13));
    for (int i = 0; i < 15; i++)
      out[i * 64 + t] = x[i];
  }
}

static u32 lds_word(const u32 *in, int i)
{
  return in[i / 4 + 64 * (i % 4)];
}

HOST(lds_widths, u32, u32)
{
  for (int t = 0; t < 64; t++) {
    const int other = 63 - t, w = 2 * (t ^ 5);
    u32 *to = out + 5 * t;
    to[0] = (lds_word(in, 4 * other) >> 24) + (lds_word(in, 4 * t + 1) >> 16);
    to[1] = (u32)((i8)(lds_word(in, 4 * t + 2) >> 8) +
                  (i16)lds_word(in, 4 * other + 3));
    to[2] = lds_word(in, 4 * other + 2) - lds_word(in, 4 * other + 3);
    to[3] = lds_word(in, w) ^ lds_word(in, w + 1);
    to[4] = (u32)(t / 4 * 4) * 0x01010101 + 0x03020100 +
            (u32)(t / 2 * 6) * 0x00010001 + 0x00030000;
  }
}

HOST(volatiles, u32, u32)
{
  for (int i = 0; i < n; i++) {
    out[2 * i] = 2 * in[i];
    out[2 * i + 1] = in[i];
  }
}

HOST(private_array, u32, u32)
{
  for (int t = 0; t < n; t++) {
    u32 x[80];
    out[t] = 5381;
    for (int i = 0; i < 80; i++)
      x[i] = in[(t + i) % n];
    for (u32 i = 0; i < 80; i++)
      x[x[i] % 80] += x[(x[i] >> 8) % 80] + i;
    for (int i = 0; i < 80; i++)
      out[t] = out[t] * 33 + x[i];
  }
}

HOST(private_bytes, u32, u32)
{
  for (int t = 0; t < n; t++) {
    out[t] = 0;
    for (int i = 0; i < 64; i++) {
      const u32 me = in[(t + 3 * i) % n] & 255;
      u32 seen = 0;
      for (int k = 0; k < 64; k++)
        seen += (in[(t + 3 * k) % n] & 255) == me;
      out[t] += seen * (in[(t + 3 * (63 - i)) % n] & 255) * 257;
    }
  }
}

HOST(globals, u32, u32)
{
  static const u32 primes[16] = {2, 3, 5, 7, 11, 13, 17, 19,
                                 23, 29, 31, 37, 41, 43, 47, 53};
  static const char letters[] = "The quick brown fox jumps over it";
  for (int i = 0; i < n; i++)
    out[i] = primes[in[i] % 16] + (u32)letters[in[i] >> 8 & 31] + 7 - 77 +
             (u32)letters[n % 30];
}

HOST(uniform_loads, u32, u32)
{
  for (int i = 0; i < s->grid[0] * s->block[0]; i++) {
    const u32 *row = in + i / s->block[0] * 16;
    out[i] = (u32)(i % s->block[0]);
    for (int k = 0; k < 16; k++)
      out[i] = out[i] * 3 + row[k];
    out[i] += row[row[3] % 16];
  }
}

HOST(transpose, u32, u32)
{
  const int width = 16 * s->grid[0], height = 16 * s->grid[1];
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      out[x * height + y] = in[y * width + x];
}

HOST(transpose_bytes, u8, u8)
{
  for (int y = 0; y < 48; y++)
    for (int x = 0; x < 64; x++)
      out[x * 48 + y] = in[y * 64 + x];
}

HOST(own_buffer, u32, u32)
{
  for (int i = 0; i < n; i++)
    out[i]++;
}

TOPIC(memory,
  CASE(widths, 1024, 1024, 2, 64)
  CASE(vectors, 1024, 1024, 2, 128, .fill = UNIT)
  CASE(unaligned, 240, 240, 1, 64)
  CASE(lds_widths, 256, 320, 1, 64)
  CASE(volatiles, 128, 256, 1, 128)
  CASE(private_array, 192, 192, 2, 96)
  CASE(private_bytes, 128, 128, 1, 128)
  CASE(globals, 500, 500, 2, 250)
  CASE(uniform_loads, 128, 1024, 8, 128)
  CASE(transpose, 64 * 48, 64 * 48, 4, 16, .shape.grid[1] = 3,
       .shape.block[1] = 16)
  CASE(transpose_bytes, 768, 768, 1, 100)
  CASE(own_buffer, 64 * 256, 64 * 256, 64, 256))
