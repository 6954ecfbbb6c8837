/* scalar_half.c - scalar instructions on 16-bit floats, to nearest even.
 *
 * Sums, differences and products of f16 are exact enough in f32 to be rounded
 * twice. What is refused is as in scalar_float.c.
 */
// SPDX-License-Identifier: MIT
#include <math.h>

#include "runtimes/sim/run/own.h"
#include "runtimes/sim/run/scalar.h"
#include "runtimes/sim/run/small_float.h"

static uint32_t flush(uint32_t x)
{
  return x & 0x7c00 ? x : x & 0x8000;
}

static float half(const struct wave *w, const struct inst *i, int n, int shift)
{
  uint32_t bits = read32(w, i, i->src[n]) >> shift & 0xffff;
  if (!(w->mode & MODE_DENORM_64 & 0x40))
    bits = flush(bits);
  return float_of_f16(bits);
}

static int is_refused(struct wave *w, uint32_t rounding)
{
  if (w->mode & rounding)
    wave_fault(w, FAULT_LAUNCH, "scalar floats round to nearest even here; MODE "
               "asks for another rounding");
  return w->mode & rounding;
}

static void result(struct wave *w, const struct inst *i, float x)
{
  uint32_t bits = x != x ? 0x7e00 : f16_of_float(x);
  if (!(w->mode & MODE_DENORM_64 & 0x80))
    bits = flush(bits);
  if (!is_refused(w, MODE_ROUND_64))
    write32(w, i->dst, bits);
}

#define ARITHMETIC(name, sources, expr) \
  void own_s_##name(struct wave *w, const struct inst *i) \
  { \
    float a = half(w, i, 0, 0), b = (sources) > 1 ? half(w, i, 1, 0) : 0; \
    (void)b; \
    result(w, i, (expr)); \
  }
ARITHMETIC(add_f16, 2, a + b)
ARITHMETIC(sub_f16, 2, a - b)
ARITHMETIC(mul_f16, 2, a * b)
ARITHMETIC(ceil_f16, 1, ceilf(a))
ARITHMETIC(floor_f16, 1, floorf(a))
ARITHMETIC(trunc_f16, 1, truncf(a))
ARITHMETIC(rndne_f16, 1, rintf(a))

static void widen(struct wave *w, const struct inst *i, int shift)
{
  float x = half(w, i, 0, shift);
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  write32(w, i->dst, bits);
}

void own_s_cvt_f32_f16(struct wave *w, const struct inst *i)
{
  widen(w, i, 0);
}

void own_s_cvt_hi_f32_f16(struct wave *w, const struct inst *i)
{
  widen(w, i, 16);
}

void own_s_cvt_f16_f32(struct wave *w, const struct inst *i)
{
  uint32_t bits = read32(w, i, i->src[0]);
  float x;
  if (!(w->mode & MODE_DENORM_32 & 0x10) && !(bits & 0x7f800000))
    bits &= 0x80000000;
  memcpy(&x, &bits, sizeof x);
  result(w, i, x);
}

#define COMPARE(name, condition) \
  void own_s_cmp_##name##_f16(struct wave *w, const struct inst *i) \
  { \
    float a = half(w, i, 0, 0), b = half(w, i, 1, 0); \
    w->scc = (condition); \
  }
COMPARE(lt, a < b)
COMPARE(eq, a == b)
COMPARE(le, a <= b)
COMPARE(gt, a > b)
COMPARE(lg, a < b || a > b)
COMPARE(ge, a >= b)
COMPARE(o, a == a && b == b)
COMPARE(u, a != a || b != b)
COMPARE(nge, !(a >= b))
COMPARE(nlg, !(a < b || a > b))
COMPARE(ngt, !(a > b))
COMPARE(nle, !(a <= b))
COMPARE(neq, a != b)
COMPARE(nlt, !(a < b))
