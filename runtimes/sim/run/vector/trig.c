/* trig.c - v_trig_preop_f64: digits of 2/pi for reducing large angles. */
// SPDX-License-Identifier: MIT
#include <math.h>

#include "runtimes/sim/run/vector/lane.h"

/* The first 1201 bits of 2/pi behind the point, then zeros. */
static const u64 two_over_pi[20] = {
  0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
  0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c,
  0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41,
  0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
  0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
  0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08,
  0x56033046fc7b0000,
};

/* 53 of these bits from bit number `from` on. */
static u64 digits(unsigned from)
{
  if (from >= 1216)
    return 0;
  const unsigned word = from / 64, bit = from % 64;
  const u64 high = two_over_pi[word] << bit;
  const u64 low = bit ? two_over_pi[word + 1] >> (64 - bit) : 0;
  return (high | low) >> 11;
}

/* Segment b of 2/pi, of which a large angle a needs only a later one. */
static f64 segment(u64 a, u32 b)
{
  const int exp = a >> 52 & 2047;
  int shift = (int)(b & 31) * 53;
  if (exp > 1077)
    shift += exp - 1077;
  return ldexp((f64)digits((unsigned)shift),
               -53 - shift + (exp >= 1968 ? 128 : 0));
}

static void v_trig_preop_f64_body(const struct frame *f)
{
  for (int l = 0; l < LANES; l++)
    STORE_f64(f->d, l, segment(LOAD_u64(f->s[0], l), f->s[1][l]));
}
CUSTOM(v_trig_preop_f64, 2, f64, f64, u32, none, 0)
