/* number.c - see number.h. */
// SPDX-License-Identifier: MIT
#include "ship/rocblas/number.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "ship/rocblas/product.h"

static double f32(const void *at, size_t i)
{
  return ((const float *)at)[i];
}

/* IEEE 754: 1 bit of sign, 5 of exponent, 10 of fraction. */
static double f16(const void *at, size_t i)
{
  uint16_t bits = ((const uint16_t *)at)[i];
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double value = exponent == 31 ? (fraction ? (double)NAN : (double)INFINITY)
                 : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                : ldexp(fraction, -24);
  return bits >> 15 ? -value : value;
}

/* The upper half of an f32. */
static double bf16(const void *at, size_t i)
{
  uint32_t bits = (uint32_t)((const uint16_t *)at)[i] << 16;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static double i8(const void *at, size_t i)
{
  return ((const int8_t *)at)[i];
}

static double i32(const void *at, size_t i)
{
  return ((const int32_t *)at)[i];
}

static const struct number {
  int type;
  size_t bytes;
  double (*at)(const void *at, size_t i);
  double unit, least, limit;
} numbers[] = {
    {TYPE_F32, 4, f32, 0x1p-24, 0x1p-140, 0x1.ffffffp127},
    {TYPE_F16, 2, f16, 0x1p-11, 0x1p-24, 0x1.ffep15},
    {TYPE_BF16, 2, bf16, 0x1p-8, 0x1p-133, 0x1.ffp127},
    {TYPE_I8, 1, i8, 0, 0, 0x1p7},
    {TYPE_I32, 4, i32, 0, 0, 0x1p31},
};

static const struct number *find(int type)
{
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (numbers[i].type == type)
      return &numbers[i];
  return NULL;
}

size_t number_bytes(int type)
{
  const struct number *n = find(type);
  return n ? n->bytes : 0;
}

double number_at(int type, const void *at, size_t i)
{
  return find(type)->at(at, i);
}

double number_unit(int type)
{
  return find(type)->unit;
}

double number_least(int type)
{
  return find(type)->least;
}

double number_limit(int type)
{
  return find(type)->limit;
}
