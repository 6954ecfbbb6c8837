/* call.c - plain functions */
// SPDX-License-Identifier: MIT
#include "tests/corpus/corpus.h"

HOST(noinline, u32, u32)
{
  for (int i = 0; i < n; i++) {
    u32 x = in[i];
    for (u32 k = 0; k < 10; k++) {
      const int third = x % 3 == 0;
      const u32 c = third ? x >> 7 : in[k], a = (third ? k : x) - c;
      x = (a ^ (c << 4 | c >> 28)) * 3 + (third ? x : k);
    }
    out[i] = x;
  }
}

/* By the closed forms of its first rows. */
HOST(recursion, u32, u32)
{
  for (int i = 0; i < n; i++) {
    const u32 m = in[i] % 3, k = in[i] / 8 % 4;
    out[i] = m == 0 ? k + 1 : m == 1 ? k + 2 : 2 * k + 3;
  }
}

HOST(pointers, u32, u32)
{
  for (int i = 0; i < n; i++) {
    u32 x = in[i];
    for (int k = 0; k < 5; k++)
      x = x % 3 == 0   ? x / 2
          : x % 3 == 1 ? 2 * x + 1
                       : x * x + (x >> 4 * (x % 8) & 15);
    out[i] = x;
  }
}

struct vector3 {
  double x, y, z;
};

static struct vector3 cross(struct vector3 a, struct vector3 b)
{
  return (struct vector3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
                          a.x * b.y - a.y * b.x};
}

HOST(structs, struct vector3, struct vector3)
{
  for (int i = 0, m = n / 6; i < m; i++)
    out[i] = cross(in[i], cross(in[m - 1 - i], in[i]));
}

static const struct {
  struct {
    u64 offset;
    u8 bytes[5];
    u16 scale;
    float factors[6];
    i8 sign;
  } s;
  u8 last;
  double wide;
} by_value_args = {
  {5ull << 32 | 99, {1, 20, 3, 40, 5}, 1000, {1, 2, 0.5f, 4, 0.25f, 8}, -3},
  200, 0.125};

HOST(by_value, float, u32)
{
  static const float factors[6] = {1, 2, 0.5f, 4, 0.25f, 8};
  static const float bytes[5] = {1, 20, 3, 40, 5};
  for (int i = 0; i < n; i++)
    out[i] = (float)(in[i] % 1000) * factors[in[i] % 6] * -3 + bytes[i % 5] +
             5 + 200 + 0.125f;
}

HOST(virtuals, u32, u32)
{
  for (int i = 0; i < n; i++) {
    const u32 a = in[i] & 255, b = in[i] >> 8 & 255, c = in[i] >> 16 & 255;
    out[i] = in[i] >> 31 ? a * a : b * c;
  }
}

HOST(templates, u64, u64)
{
  for (int i = 0; i < n / 2; i++)
    out[i] = 2 * in[i] * in[i] * in[i] * in[i] * in[i] + in[0] + 343;
}

TOPIC(call,
  CASE(noinline, 256, 256, 1, 256)
  CASE(recursion, 128, 128, 1, 128)
  CASE(pointers, 256, 256, 2, 128)
  CASE(structs, 768, 768, 2, 64, .fill = DOUBLES)
  CASE(by_value, 300, 300, 2, 150, .args = &by_value_args,
       .args_bytes = sizeof by_value_args)
  CASE(virtuals, 256, 256, 1, 256)
  CASE(templates, 256, 256, 1, 128))
