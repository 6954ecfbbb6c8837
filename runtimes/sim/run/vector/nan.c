/* nan.c - which NaN an operation gives, where it gives one. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/vector/lane.h"

/* One source, after those behind it: where it is a NaN it is the one that is
 * handed on. Loops without a branch: where one lane has a NaN, mostly all of
 * them have. */
static void pick32(u32 *out, const u32 *s, int stride)
{
  if (stride) {
    EACH_LANE(l)
      out[l] = (s[l] & 0x7fffffff) > 0x7f800000 ? s[l] | 0x400000 : out[l];
  } else if ((*s & 0x7fffffff) > 0x7f800000) {
    EACH_LANE(l)
      out[l] = *s | 0x400000;
  }
}

static u64 pick64(u64 a, u64 b, u64 c)
{
  const u64 s[3] = {a, b, c};
  for (int n = 0; n < 3; n++)
    if ((s[n] & ~((u64)1 << 63)) > 0x7ff0000000000000)
      return s[n] | (u64)1 << 51;
  return 0xfff8000000000000;
}

void VEC(nan_f32)(f32 *t, const u32 *a, int sa, const u32 *b, int sb,
                  const u32 *c, int sc)
{
  ROW u32 nan[LANES];
  EACH_LANE(l)
    nan[l] = 0xffc00000;
  if (c)
    pick32(nan, c, sc);
  if (b)
    pick32(nan, b, sb);
  pick32(nan, a, sa);
  EACH_LANE(l)
    t[l] = t[l] != t[l] ? f32_of(nan[l]) : t[l];
}

void VEC(nan_f64)(f64 *t, const u32 *a, int sa, const u32 *b, int sb,
                  const u32 *c, int sc)
{
  for (int l = 0; l < LANES; l++)
    if (t[l] != t[l])
      t[l] = f64_of(pick64(LOAD_u64(a, l * sa), b ? LOAD_u64(b, l * sb) : 0,
                           c ? LOAD_u64(c, l * sc) : 0));
}
