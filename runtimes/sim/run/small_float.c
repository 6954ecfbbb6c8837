/* small_float.c - see small_float.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/small_float.h"

#include <math.h>
#include <string.h>

static const struct small_format formats[SMALL_TYPES] = { /* ORDER SMALL_TYPE */
    {5, 10, 15, SMALL_IEEE},  {8, 7, 127, SMALL_IEEE},  {4, 3, 7, SMALL_OCP8},
    {5, 2, 15, SMALL_IEEE},   {2, 3, 1, SMALL_FINITE},  {3, 2, 3, SMALL_FINITE},
    {2, 1, 1, SMALL_FINITE},
};
static const struct small_format fp8_fnuz = {4, 3, 8, SMALL_FNUZ};
static const struct small_format bf8_fnuz = {5, 2, 16, SMALL_FNUZ};

const struct small_format *small_of(enum small_type type, int ocp)
{
  if (!ocp && type == SMALL_FP8)
    return &fp8_fnuz;
  if (!ocp && type == SMALL_BF8)
    return &bf8_fnuz;
  return &formats[type];
}

unsigned small_bits(const struct small_format *f)
{
  return 1u + f->exponent + f->mantissa;
}

static float number(uint32_t exponent, uint32_t mantissa,
                    const struct small_format *f)
{
  int scale = -(int)f->bias - (int)f->mantissa;
  if (!exponent)
    return ldexpf((float)mantissa, scale + 1);
  return ldexpf((float)(mantissa | 1u << f->mantissa), scale + (int)exponent);
}

float small_read(const struct small_format *f, uint32_t bits)
{
  uint32_t exponents = (1u << f->exponent) - 1;
  uint32_t mantissas = (1u << f->mantissa) - 1;
  uint32_t mantissa = bits & mantissas;
  uint32_t exponent = bits >> f->mantissa & exponents;
  uint32_t negative = bits >> (f->mantissa + f->exponent) & 1;
  int top = exponent == exponents;
  if (f->kind == SMALL_FNUZ && negative && !exponent && !mantissa)
    return NAN;
  if (f->kind == SMALL_OCP8 && top && mantissa == mantissas)
    return NAN;
  float x = f->kind == SMALL_IEEE && top ? mantissa ? NAN : INFINITY
                                         : number(exponent, mantissa, f);
  return negative ? -x : x;
}

/* The code of the largest number. */
static uint32_t most(const struct small_format *f)
{
  uint32_t all = (1u << (f->exponent + f->mantissa)) - 1;
  if (f->kind == SMALL_IEEE)
    return all - (1u << f->mantissa);
  return f->kind == SMALL_OCP8 ? all - 1 : all;
}

static uint32_t sign_of(const struct small_format *f, double x)
{
  return (uint32_t)!!signbit(x) << (f->exponent + f->mantissa);
}

static uint32_t nan_of(const struct small_format *f)
{
  switch (f->kind) {
  case SMALL_IEEE:
    return most(f) + 1 + (1u << (f->mantissa - 1)); /* quiet */
  case SMALL_OCP8:
    return most(f) + 1;
  case SMALL_FNUZ:
    return most(f) + 1; /* -0 */
  default:
    return most(f);
  }
}

static uint32_t beyond(const struct small_format *f, double x, int saturate)
{
  if (saturate || f->kind == SMALL_FINITE)
    return most(f) | sign_of(f, x);
  return f->kind == SMALL_IEEE ? (most(f) + 1) | sign_of(f, x) : nan_of(f);
}

/* Two places that are neighbours differ by 2^step(x). */
static int step(const struct small_format *f, double x)
{
  int exponent, least = 1 - f->bias;
  frexp(x, &exponent);
  return (exponent - 1 > least ? exponent - 1 : least) - f->mantissa;
}

/* The number of whole steps that x was rounded to, as a code. What carries into the
 * exponent is right. */
static uint32_t code_of(const struct small_format *f, double x, double steps,
                        int saturate)
{
  double one = ldexp(1, f->mantissa);
  double code = steps < one ? steps
                            : steps + (step(f, x) + f->mantissa + f->bias - 1) * one;
  if (code > most(f))
    return beyond(f, x, saturate);
  if (f->kind == SMALL_FNUZ && !(code > 0))
    return 0;
  return (uint32_t)code | sign_of(f, x);
}

uint32_t small_write(const struct small_format *f, double x, int saturate)
{
  if (isnan(x))
    return nan_of(f);
  if (isinf(x))
    return beyond(f, x, saturate);
  return code_of(f, x, roundeven(ldexp(fabs(x), -step(f, x))), saturate);
}

uint32_t small_write_by_chance(const struct small_format *f, double x,
                               uint32_t chance, int saturate)
{
  if (isnan(x) || isinf(x))
    return small_write(f, x, saturate);
  double steps = ldexp(fabs(x), -step(f, x)), whole = floor(steps);
  uint64_t lost = (uint64_t)ldexp(steps - whole, 32);
  return code_of(f, x, whole + (double)((lost + chance) >> 32), saturate);
}

float float_of_f16(uint32_t bits)
{
  return small_read(&formats[SMALL_F16], bits);
}

/* Rounding adds half of the last place, less a bit where that is even; what
 * carries into the exponent is right. Below the normal numbers the sum with a
 * power of two does it. */
uint32_t f16_of_float(float x)
{
  uint32_t u;
  memcpy(&u, &x, sizeof u);
  uint32_t sign = u >> 16 & 0x8000, a = u & 0x7fffffff;
  if (a > 0x7f800000)
    return sign | 0x7e00 | (a >> 13 & 0x3ff);
  if (a >= 0x477ff000) /* 65520 */
    return sign | 0x7c00;
  if (a >= 0x38800000) /* 2^-14 */
    return sign | ((a + 0xfff + (a >> 13 & 1) - 0x38000000) >> 13);
  float tiny;
  memcpy(&tiny, &a, sizeof tiny);
  tiny += 0.5f;
  memcpy(&a, &tiny, sizeof a);
  return sign | (a - 0x3f000000);
}

float float_of_bf16(uint32_t bits)
{
  uint32_t u = bits << 16;
  float x;
  memcpy(&x, &u, sizeof x);
  return x;
}

uint32_t bf16_of_float(float x)
{
  uint32_t u;
  memcpy(&u, &x, sizeof u);
  if ((u & 0x7fffffff) > 0x7f800000)
    return u >> 16 | 0x40;
  return (u + 0x7fff + (u >> 16 & 1)) >> 16;
}
