/* nan.c - which NaN an operation gives, where it gives one. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/vector/lane.h"

static u32 pick32(u32 a, u32 b, u32 c)
{
  const u32 s[3] = { a, b, c };
  for (int n = 0; n < 3; n++)
    if ((s[n] & 0x7fffffff) > 0x7f800000)
      return s[n] | 0x400000;
  return 0xffc00000;
}

static u64 pick64(u64 a, u64 b, u64 c)
{
  const u64 s[3] = { a, b, c };
  for (int n = 0; n < 3; n++)
    if ((s[n] & ~((u64)1 << 63)) > 0x7ff0000000000000)
      return s[n] | (u64)1 << 51;
  return 0xfff8000000000000;
}

void VEC(nan_f32)(f32 *t, const u32 *a, int sa, const u32 *b, int sb,
                  const u32 *c, int sc)
{
  for (int l = 0; l < LANES; l++)
    if (t[l] != t[l])
      t[l] = f32_of(pick32(a[l * sa], b ? b[l * sb] : 0, c ? c[l * sc] : 0));
}

void VEC(nan_f64)(f64 *t, const u32 *a, int sa, const u32 *b, int sb,
                  const u32 *c, int sc)
{
  for (int l = 0; l < LANES; l++)
    if (t[l] != t[l])
      t[l] = f64_of(pick64(LOAD_u64(a, l * sa), b ? LOAD_u64(b, l * sb) : 0,
                           c ? LOAD_u64(c, l * sc) : 0));
}
