/* small_float.c - see small_float.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/small_float.h"

#include <math.h>
#include <string.h>

const struct small_format small_e4m3_ocp = {4, 3, 7, SMALL_OCP8};
const struct small_format small_e5m2_ocp = {5, 2, 15, SMALL_IEEE};
const struct small_format small_e4m3_fnuz = {4, 3, 8, SMALL_FNUZ};
const struct small_format small_e5m2_fnuz = {5, 2, 16, SMALL_FNUZ};
const struct small_format small_e2m3 = {2, 3, 1, SMALL_FINITE};
const struct small_format small_e3m2 = {3, 2, 3, SMALL_FINITE};
const struct small_format small_e2m1 = {2, 1, 1, SMALL_FINITE};
static const struct small_format f16 = {5, 10, 15, SMALL_IEEE};

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

float float_of_f16(uint32_t bits)
{
  return small_read(&f16, bits);
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

/* The largest number's bits, without a sign. */
static uint32_t largest(const struct small_format *f)
{
  uint32_t all = (1u << (f->exponent + f->mantissa)) - 1;
  return f->kind == SMALL_IEEE ? all - (1u << f->mantissa) : all - 1;
}

uint32_t small_write(const struct small_format *f, float x, int saturates)
{
  uint32_t sign = (uint32_t)!!signbit(x) << (f->exponent + f->mantissa);
  uint32_t most = largest(f), all = (1u << (f->exponent + f->mantissa)) - 1;
  int exponent, least = 1 - f->bias;
  if (x != x)
    return sign | all;
  double a = fabs((double)x);
  if (a == INFINITY)
    return sign | (saturates ? most : f->kind == SMALL_IEEE ? most + 1 : all);
  frexp(a, &exponent);
  int power = exponent - 1 < least ? least : exponent - 1;
  double steps = nearbyint(ldexp(a, f->mantissa - power)); /* of the last place */
  uint32_t bits = (uint32_t)steps;
  bits += (uint32_t)(power - least) << f->mantissa; /* a normal one has its 1 in it */
  if (bits <= most)
    return sign | bits;
  return sign | (saturates ? most : f->kind == SMALL_IEEE ? most + 1 : all);
}
