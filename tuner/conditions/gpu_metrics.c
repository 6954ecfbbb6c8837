/* gpu_metrics.c - see gpu_metrics.h. */
// SPDX-License-Identifier: MIT
#include "tuner/conditions/gpu_metrics.h"

#include <string.h>

enum {HEAD = 4, HELD = 5};

/* Where the fields of a layout are, in bytes from its beginning; 0: it has
 * none. Numbers are little endian. */
struct layout {
  unsigned char format, content;
  unsigned short size;
  unsigned short hotspot, edge, watts;      /* 16 bits */
  unsigned short sclk, mclk;                /* 16 bits, MHz */
  unsigned short status;                    /* 32 bits, by chip */
  unsigned short kinds;                     /* 64 bits, the same for all */
  unsigned short held;                      /* HELD counters of 32 bits */
};

static const struct layout layouts[] = {
    /*        size hot edge watts sclk mclk status kinds held */
    {1, 0,     80,  18,  16,  34,  54,  58,  68,    0,    0},
    {1, 1,     96,   6,   4,  22,  54,  58,  68,    0,    0},
    {1, 2,    104,   6,   4,  22,  54,  58,  68,    0,    0},
    {1, 3,    120,   6,   4,  22,  54,  58,  68,  112,    0},
    {1, 4,    288,   4,   0,  10, 240, 280,  40,    0,    0},
    {1, 5,    360,   4,   0,  10, 312, 352, 104,    0,    0},
    {1, 6,    384,   4,   0,  10, 336, 376, 128,    0,  108},
};

/* ORDER: the counters of layout 1.6 are prochot, ppt, socket, vr, hbm. */
static const unsigned char held_kinds[HELD] = {
    THROTTLE_OTHER, THROTTLE_POWER, THROTTLE_THERMAL, THROTTLE_THERMAL,
    THROTTLE_THERMAL};

/* Bits of `kinds`: SMU_THROTTLER_* of Linux's amdgpu_smu.h has 16 for power, 16
 * for current, 24 for temperature, and the rest. */
static const struct {
  uint64_t bits;
  enum throttle kind;
} kinds[] = {{0xffff, THROTTLE_POWER},
             {0xffff0000, THROTTLE_CURRENT},
             {0x00ffffff00000000, THROTTLE_THERMAL},
             {0xff00000000000000, THROTTLE_OTHER}};

/* A number of so many bytes; all bits set where it is not there. */
static uint64_t number(const unsigned char *at, unsigned offset, int bytes)
{
  uint64_t v = 0;
  if (!offset)
    return UINT64_MAX;
  for (int i = bytes; i-- > 0;)
    v = v << 8 | at[offset + (unsigned)i];
  return bytes < 8 && v == (UINT64_C(1) << 8 * bytes) - 1 ? UINT64_MAX : v;
}

static double value(const unsigned char *at, unsigned offset)
{
  uint64_t v = number(at, offset, 2);
  return v == UINT64_MAX ? 0 : (double)v;
}

static int throttle_of(const struct layout *l, const unsigned char *at)
{
  uint64_t status = number(at, l->status, 4), all = number(at, l->kinds, 8);
  int out = 0;
  if (all == UINT64_MAX)
    return status == UINT64_MAX ? -1 : status ? THROTTLE_OTHER : 0;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (all & kinds[i].bits)
      out |= kinds[i].kind;
  return out;
}

/* 0 for power, 1 for thermal ... */
static int place(unsigned kind)
{
  int i = 0;
  while (kind >>= 1)
    i++;
  return i;
}

static void read_held(const struct layout *l, const unsigned char *at,
                      struct reading *out)
{
  for (unsigned i = 0; l->held && i < HELD; i++) {
    uint64_t v = number(at, l->held + 4 * i, 4);
    if (v == UINT64_MAX)
      return;
    out->held[place(held_kinds[i])] += (uint32_t)v;
  }
  out->counts = l->held != 0;
}

static const struct layout *find(const unsigned char *at, size_t n)
{
  for (size_t i = 0; n >= HEAD && i < sizeof layouts / sizeof *layouts; i++) {
    const struct layout *l = &layouts[i];
    if (at[2] == l->format && at[3] == l->content)
      return n >= l->size && (at[0] | at[1] << 8) >= l->size ? l : NULL;
  }
  return NULL;
}

int gpu_metrics_parse(const void *bytes, size_t n, struct reading *out)
{
  const unsigned char *at = bytes;
  const struct layout *l = find(at, n);
  if (!l)
    return -1;
  double hot = card_celsius(value(at, l->hotspot));
  *out = (struct reading){
      .sclk_mhz = card_mhz(value(at, l->sclk)),
      .mclk_mhz = card_mhz(value(at, l->mclk)),
      .power_w = card_watts(value(at, l->watts)),
      .temp_c = hot > 0 ? hot : card_celsius(value(at, l->edge)),
      .throttle = throttle_of(l, at)};
  read_held(l, at, out);
  return 0;
}
