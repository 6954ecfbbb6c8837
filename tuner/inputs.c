/* inputs.c - see inputs.h. */
// SPDX-License-Identifier: MIT
#include "tuner/inputs.h"

#include <float.h>
#include <string.h>

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

const struct element_ops *element_ops(enum element type)
{
  static const struct element_ops f32 = {"f32", 4, load_f32, store_f32,
                                         0x1p-24, 0x1p-126, FLT_MAX};
  return type == ELEMENT_F32 ? &f32 : NULL;
}

/* splitmix64's output function (Steele, Lea, Flood, OOPSLA 2014): a bijection
 * good enough to turn a counter into a random number. */
static uint64_t mix(uint64_t x)
{
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

static double draw(uint64_t stream, const struct buffer *buffer, size_t i)
{
  uint64_t bits = mix(stream + (i + 1) * 0x9e3779b97f4a7c15u);
  double unit = (double)(bits >> 11) * 0x1p-53;
  return buffer->low + unit * (buffer->high - buffer->low);
}

static uint64_t stream_of(uint64_t seed, size_t b)
{
  return mix(mix(seed + 0x9e3779b97f4a7c15u) + b);
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
