/* across.c - one wave as an array */
// SPDX-License-Identifier: MIT
#include "tests/corpus/corpus.h"

HOST(bpermute, u32, u32)
{
  for (u32 t = 0; t < 64; t++) {
    const u32 wave = s->lanes, first = t / wave * wave;
    const u32 from = first + in[t] % wave;
    out[2 * t] = from * from;
    out[2 * (first + t * 37 % wave) + 1] = in[t];
  }
}

HOST(dpp, u32, u32)
{
  for (int t = 0; t < 64; t++) {
    const int row = t & ~15, at = t & 15;
    u32 *to = out + 9 * t;
    to[0] = in[t ^ 3];
    to[1] = at + 3 < 16 ? in[t + 3] : 0;
    to[2] = at >= 5 ? in[t - 5] : (u32)t;
    to[3] = in[row + ((at + 9) & 15)];
    if (s->lanes == 64) {
      to[4] = t < 63 ? in[t + 1] : 0;
      to[5] = in[(t + 63) & 63];
    } else {
      to[4] = in[row + 3];
      to[5] = in[t ^ 5];
    }
    to[6] = in[row + 15 - at];
    to[7] = in[t ^ 7];
    /* rows 0 and 2; of each row the banks (of four lanes) 0 and 3 */
    to[8] = !(row & 16) && (at < 4 || at >= 12) ? in[t ^ 1] : (u32)t;
  }
}

HOST(swizzle, u32, u32)
{
  for (int t = 0; t < 64; t++) {
    out[3 * t] = in[t ^ 1];
    out[3 * t + 1] = in[t ^ 3];
    /* offset 0x00b5: and 0x15, or 0x05 */
    out[3 * t + 2] = in[(t & 32) + ((t & 0x15) | 0x05)];
  }
}

HOST(lanes, u32, u32)
{
  for (u32 t = 0; t < 64; t++) {
    const u32 wave = s->lanes, *own = in + t / wave * wave;
    u32 active = t; /* of those that go the same way, the wave's first */
    out[t] = own[0];
    for (u32 lane = 1; lane < 64; lane += 9)
      out[t] += own[(lane + own[0]) % wave];
    while (active >= t / wave * wave + 5)
      active -= 5;
    if (t % 5 == 2)
      out[t] ^= in[active] + 1;
  }
}

static void ballots_of_wave(u64 *out, const u32 *in, int first, int lanes)
{
  u64 odd = 0, third = 0, any = 0, all = 1;
  for (int t = first; t < first + lanes; t++) {
    odd |= (u64)(in[t] & 1) << (t - first);
    third |= t % 3 ? 0 : (u64)(in[t] >> 1 & 1) << (t - first);
    any |= in[t] == 7;
    all &= in[t] < 256;
  }
  for (int t = first; t < first + lanes; t++)
    out[t] = odd ^ (t % 3 ? 0 : third) ^ any << 9 ^ all << 11;
}

HOST(ballots, u64, u32)
{
  for (int t = 0; t < 64; t += s->lanes)
    ballots_of_wave(out, in, t, s->lanes);
}

HOST(shuffles, double, double)
{
  const int wave = s->lanes;
  for (int t = 0; t < 64; t++)
    out[t] = in[t / wave * wave + t * 7 % wave] + in[t ^ (wave / 2 + 1)] + in[t % 16 < 3 ? t : t - 3] +
             in[t % 8 > 5 ? t : t + 2];
}

HOST(match, u32, u32)
{
  for (int t = 0; t < 64; t++) {
    const int first = t / s->lanes * s->lanes;
    out[t] = 0;
    for (int k = first; k < first + s->lanes; k++)
      out[t] += in[k] % 10 == in[t] % 10;
  }
}

TOPIC(across,
  CASE(bpermute, 64, 128, 1, 64)
  CASE(dpp, 64, 576, 1, 64)
  CASE(swizzle, 64, 192, 1, 64)
  CASE(lanes, 64, 64, 1, 64)
  CASE(ballots, 64, 128, 1, 64, .fill = BYTES)
  CASE(shuffles, 128, 128, 1, 64, .fill = DOUBLES)
  CASE(match, 64, 64, 1, 64))
