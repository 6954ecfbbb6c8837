/* scalar_float.c - scalar instructions on floats of 32 and 16 bits.
 *
 * Rounding is to nearest even: SALU code that asks for another rounding (MODE) is
 * refused, as no compiler writes it. Sums, differences and products of f16 are
 * exact enough in f32 to be rounded twice.
 */
// SPDX-License-Identifier: MIT
#include <math.h>

#include "runtimes/sim/run/own.h"
#include "runtimes/sim/run/scalar.h"
#include "runtimes/sim/run/small_float.h"

static uint32_t flush(uint32_t x)
{
  return x & 0x7f800000 ? x : x & 0x80000000;
}

static float source(const struct wave *w, const struct inst *i, int n)
{
  uint32_t bits = read32(w, i, i->src[n]);
  float x;
  if (!(w->mode & MODE_DENORM_32 & 0x10))
    bits = flush(bits);
  memcpy(&x, &bits, sizeof x);
  return x;
}

static int rounds_to_nearest(struct wave *w, uint32_t field)
{
  if (!(w->mode & field))
    return 1;
  wave_fault(w, FAULT_LAUNCH, "scalar floats round to nearest even here; MODE "
             "asks for another rounding");
  return 0;
}

static void result(struct wave *w, const struct inst *i, float x)
{
  uint32_t bits;
  if (x != x) /* the NaN that arithmetic makes */
    x = __builtin_nanf("");
  memcpy(&bits, &x, sizeof bits);
  if (!(w->mode & MODE_DENORM_32 & 0x20))
    bits = flush(bits);
  if (rounds_to_nearest(w, MODE_ROUND_32))
    write32(w, i->dst, bits);
}

#define ARITHMETIC(name, sources, expr) \
  void own_s_##name(struct wave *w, const struct inst *i) \
  { \
    float a = source(w, i, 0), b = (sources) > 1 ? source(w, i, 1) : 0; \
    (void)b; \
    result(w, i, (expr)); \
  }

static float old_of(const struct wave *w, const struct inst *i)
{
  float x;
  memcpy(&x, &w->s[i->dst], sizeof x);
  return x;
}

static float literal_of(const struct wave *w, const struct inst *i)
{
  return source(w, i, 2);
}

/* The number where the other is none; -0 is less than 0. */
static float least(float a, float b)
{
  if (a == b)
    return signbit(a) ? a : b;
  return b != b || a < b ? a : b;
}

static float greatest(float a, float b)
{
  if (a == b)
    return signbit(a) ? b : a;
  return b != b || a > b ? a : b;
}

ARITHMETIC(add_f32, 2, a + b)
ARITHMETIC(sub_f32, 2, a - b)
ARITHMETIC(mul_f32, 2, a * b)
ARITHMETIC(fmac_f32, 2, fmaf(a, b, old_of(w, i)))
ARITHMETIC(fmaak_f32, 2, fmaf(a, b, literal_of(w, i)))
ARITHMETIC(fmamk_f32, 2, fmaf(a, literal_of(w, i), b))
ARITHMETIC(min_num_f32, 2, least(a, b))
ARITHMETIC(max_num_f32, 2, greatest(a, b))
ARITHMETIC(minimum_f32, 2, a != a || b != b ? NAN : least(a, b))
ARITHMETIC(maximum_f32, 2, a != a || b != b ? NAN : greatest(a, b))
ARITHMETIC(ceil_f32, 1, ceilf(a))
ARITHMETIC(floor_f32, 1, floorf(a))
ARITHMETIC(trunc_f32, 1, truncf(a))
ARITHMETIC(rndne_f32, 1, rintf(a))

void own_s_cvt_f32_i32(struct wave *w, const struct inst *i)
{
  result(w, i, (float)(int32_t)read32(w, i, i->src[0]));
}

void own_s_cvt_f32_u32(struct wave *w, const struct inst *i)
{
  result(w, i, (float)read32(w, i, i->src[0]));
}

/* Towards zero, to the nearest that there is; a NaN becomes 0. */
static double bounded(double x, double low, double high)
{
  return x != x ? 0 : x < low ? low : x > high ? high : trunc(x);
}

void own_s_cvt_i32_f32(struct wave *w, const struct inst *i)
{
  double x = bounded(source(w, i, 0), INT32_MIN, INT32_MAX);
  write32(w, i->dst, (uint32_t)(int32_t)x);
}

void own_s_cvt_u32_f32(struct wave *w, const struct inst *i)
{
  write32(w, i->dst, (uint32_t)bounded(source(w, i, 0), 0, UINT32_MAX));
}

/* --- of 16 bits ----------------------------------------------------------- */

static uint32_t flush16(uint32_t x)
{
  return x & 0x7c00 ? x : x & 0x8000;
}

static float half_at(const struct wave *w, const struct inst *i, int n, int shift)
{
  uint32_t bits = read32(w, i, i->src[n]) >> shift & 0xffff;
  if (!(w->mode & MODE_DENORM_64 & 0x40))
    bits = flush16(bits);
  return float_of_f16(bits);
}

static float source16(const struct wave *w, const struct inst *i, int n)
{
  return half_at(w, i, n, 0);
}

static void result16(struct wave *w, const struct inst *i, float x)
{
  uint32_t bits = x != x ? 0x7e00 : f16_of_float(x);
  if (!(w->mode & MODE_DENORM_64 & 0x80))
    bits = flush16(bits);
  if (rounds_to_nearest(w, MODE_ROUND_64))
    write32(w, i->dst, bits);
}

#define ARITHMETIC16(name, sources, expr) \
  void own_s_##name(struct wave *w, const struct inst *i) \
  { \
    float a = source16(w, i, 0), b = (sources) > 1 ? source16(w, i, 1) : 0; \
    (void)b; \
    result16(w, i, (expr)); \
  }
ARITHMETIC16(add_f16, 2, a + b)
ARITHMETIC16(sub_f16, 2, a - b)
ARITHMETIC16(mul_f16, 2, a * b)
ARITHMETIC16(min_num_f16, 2, least(a, b))
ARITHMETIC16(max_num_f16, 2, greatest(a, b))
ARITHMETIC16(minimum_f16, 2, a != a || b != b ? NAN : least(a, b))
ARITHMETIC16(maximum_f16, 2, a != a || b != b ? NAN : greatest(a, b))
ARITHMETIC16(ceil_f16, 1, ceilf(a))
ARITHMETIC16(floor_f16, 1, floorf(a))
ARITHMETIC16(trunc_f16, 1, truncf(a))
ARITHMETIC16(rndne_f16, 1, rintf(a))

/* An f32 that rounds to f16 as the f64 would: odd where something was cut off. */
static float sticky(double x)
{
  float y = (float)x;
  uint32_t bits;
  if ((double)y == x || x != x)
    return y;
  if (fabs((double)y) > fabs(x))
    y = nextafterf(y, 0);
  memcpy(&bits, &y, sizeof bits);
  bits |= 1;
  memcpy(&y, &bits, sizeof y);
  return y;
}

/* The product is exact in f64. */
void own_s_fmac_f16(struct wave *w, const struct inst *i)
{
  float a = source16(w, i, 0), b = source16(w, i, 1);
  float c = float_of_f16(w->s[i->dst] & 0xffff);
  result16(w, i, sticky((double)a * b + c));
}

/* --- the vector unit's functions of one number ------------------------------ */

/* Signs and clamp are those of vector instructions. */
static double signed_of(const struct inst *i, float x)
{
  x = i->abs & 1 ? fabsf(x) : x;
  return i->neg & 1 ? -x : x;
}

static double clamped(const struct inst *i, double x)
{
  return !(i->flags & INST_CLAMP) ? x : x > 0 ? x < 1 ? x : 1 : 0;
}

static float no_denormal(float x)
{
  return fabsf(x) < 0x1p-126f ? copysignf(0, x) : x;
}

/* Of f32 all but the root take and give no denormals; vector/math.c. */
#define FUNCTION(name, flush, expr) \
  void own_v_s_##name##_f32(struct wave *w, const struct inst *i) \
  { \
    float x = source(w, i, 0); \
    double a = signed_of(i, (flush) ? no_denormal(x) : x); \
    float y = (float)clamped(i, (expr)); \
    result(w, i, (flush) ? no_denormal(y) : y); \
  } \
  void own_v_s_##name##_f16(struct wave *w, const struct inst *i) \
  { \
    double a = signed_of(i, source16(w, i, 0)); \
    result16(w, i, sticky(clamped(i, (expr)))); \
  }
FUNCTION(exp, 1, exp2(a))
FUNCTION(log, 1, log2(a))
FUNCTION(rcp, 1, 1 / a)
FUNCTION(rsq, 1, 1 / sqrt(a))
FUNCTION(sqrt, 0, sqrt(a))

static void widen(struct wave *w, const struct inst *i, int shift)
{
  float x = half_at(w, i, 0, shift);
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
  result16(w, i, source(w, i, 0));
}

/* --- comparisons, of 32 and of 16 bits -------------------------------------- */

#define COMPARE_OF(type, from, name, condition) \
  void own_s_cmp_##name##_##type(struct wave *w, const struct inst *i) \
  { \
    float a = from(w, i, 0), b = from(w, i, 1); \
    w->scc = (condition); \
  }
#define COMPARE(name, condition) \
  COMPARE_OF(f32, source, name, condition) \
  COMPARE_OF(f16, source16, name, condition)
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
