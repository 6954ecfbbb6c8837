/* inputs.c - see inputs.h. */
// SPDX-License-Identifier: MIT
#include "tuner/reference/inputs.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/rng.h"

static double load_f32(const void *at)
{
  float v;
  memcpy(&v, at, sizeof v);
  return (double)v;
}

static void store_f32(void *at, double value)
{
  float v = (float)value;
  memcpy(at, &v, sizeof v);
}

/* IEEE 754 binary16, by its definition: 11 bits of precision, the least
 * normal number 2^-14, the spacing below it 2^-24. */
static double load_f16(const void *at)
{
  uint16_t bits;
  memcpy(&bits, at, sizeof bits);
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double size = exponent == 31 ? (fraction ? NAN : INFINITY)
                : exponent     ? ldexp(1024 + fraction, exponent - 25)
                               : ldexp(fraction, -24);
  return bits >> 15 ? -size : size;
}

/* To nearest, ties to even. */
static uint16_t round_f16(double size)
{
  if (isnan(size))
    return 0x7e00;
  if (size >= 65520) /* half-way from the largest, 65504, to the next */
    return 0x7c00;
  int exponent;
  frexp(size, &exponent); /* size < 2^exponent */
  int step = size < 0x1p-14 ? -24 : exponent - 11;
  int units = (int)nearbyint(ldexp(size, -step));
  /* A carry out of the fraction raises the exponent by itself. */
  return (uint16_t)(size < 0x1p-14 ? units : (step + 24) * 1024 + units);
}

static void store_f16(void *at, double value)
{
  uint16_t bits = round_f16(fabs(value));
  if (signbit(value))
    bits |= 0x8000;
  memcpy(at, &bits, sizeof bits);
}

/* Integers round down: uniform in [low, high) is then every integer from low
 * to high - 1 alike. Past the type's range they stay at its end. */
static double whole(double value, double least, double most)
{
  return fmin(fmax(floor(value), least), most);
}

static double load_i32(const void *at)
{
  int32_t v;
  memcpy(&v, at, sizeof v);
  return v;
}

static void store_i32(void *at, double value)
{
  int32_t v = (int32_t)whole(value, INT32_MIN, INT32_MAX);
  memcpy(at, &v, sizeof v);
}

static double load_i8(const void *at)
{
  return *(const int8_t *)at;
}

static void store_i8(void *at, double value)
{
  *(int8_t *)at = (int8_t)whole(value, INT8_MIN, INT8_MAX);
}

const struct element_ops *element_ops(enum element type)
{
  static const struct element_ops types[] = { /* ORDER ELEMENT */
    {"f32", 4, load_f32, store_f32, 0x1p-24, 0x1p-126, FLT_MAX},
    {"f16", 2, load_f16, store_f16, 0x1p-11, 0x1p-14, 65504},
    {"i32", 4, load_i32, store_i32, 0, 0, INT32_MAX},
    {"i8", 1, load_i8, store_i8, 0, 0, INT8_MAX},
  };
  static_assert(sizeof types / sizeof *types == ELEMENT_N, "ORDER ELEMENT");
  return &types[type];
}

static double draw(uint64_t stream, const struct buffer *buffer, size_t i)
{
  double unit = rng_fraction(rng_nth(stream, i));
  return buffer->low + unit * (buffer->high - buffer->low);
}

static uint64_t stream_of(uint64_t seed, size_t b)
{
  return rng_mix(rng_nth(seed, 0) + b);
}

double input_value(uint64_t seed, size_t b, const struct buffer *buffer,
                   size_t i)
{
  const struct element_ops *ops = element_ops(buffer->type);
  char at[8];
  ops->store(at, draw(stream_of(seed, b), buffer, i));
  return ops->load(at);
}

void input_fill(uint64_t seed, size_t b, const struct buffer *buffer,
                size_t first, size_t n, void *out)
{
  const struct element_ops *ops = element_ops(buffer->type);
  uint64_t stream = stream_of(seed, b);
  char *at = out;
  for (size_t i = 0; i < n; i++)
    ops->store(at + i * ops->size, draw(stream, buffer, first + i));
}
