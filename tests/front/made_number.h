/* made_number.h - numbers of the types that stand-ins multiply: zero and normal
 * ones, rounded to the nearest, of two the even one. */
// SPDX-License-Identifier: MIT
#ifndef tests_front_made_number_h
#define tests_front_made_number_h

#include <math.h>
#include <stdint.h>
#include <string.h>

static const struct made_number {
  const char *name;
  size_t bytes;
  int fraction, bias; /* of a float: bits, and what its exponent is above */
} made_numbers[] = {
    {"f32", 4, 23, 127}, {"f16", 2, 10, 15}, {"bf16", 2, 7, 127},
    {"i8", 1, 0, 0},     {"i32", 4, 0, 0},
};

static inline const struct made_number *made_number(const char *name)
{
  const struct made_number *n = made_numbers;
  while (strcmp(n->name, name) != 0)
    n++;
  return n;
}

static inline uint32_t made_bits(const struct made_number *t, double x)
{
  int all = 8 * (int)t->bytes, exponent;
  uint32_t sign = signbit(x) ? UINT32_C(1) << (all - 1) : 0;
  if (x == 0)
    return sign;
  double fraction = rint(ldexp(frexp(fabs(x), &exponent), t->fraction + 1));
  return sign + ((uint32_t)(exponent - 2 + t->bias) << t->fraction) +
         (uint32_t)fraction;
}

static inline void made_put(const struct made_number *t, void *at, size_t i,
                            double x)
{
  uint32_t bits = t->bias ? made_bits(t, x) : (uint32_t)(int32_t)x;
  memcpy((char *)at + i * t->bytes, &bits, t->bytes); /* little-endian */
}

static inline double made_get(const struct made_number *t, const void *at,
                              size_t i)
{
  uint32_t bits = 0;
  int all = 8 * (int)t->bytes;
  memcpy(&bits, (const char *)at + i * t->bytes, t->bytes);
  if (!t->bias)
    return t->bytes == 1 ? (int8_t)bits : (int32_t)bits;
  uint32_t rest = bits & ((UINT32_C(1) << (all - 1)) - 1);
  uint32_t fraction = (rest & ((UINT32_C(1) << t->fraction) - 1)) |
                      UINT32_C(1) << t->fraction;
  double x = rest ? ldexp(fraction, (int)(rest >> t->fraction) - t->bias -
                                        t->fraction)
                  : 0;
  return bits >> (all - 1) ? -x : x;
}

#endif
