/* inputs.c - see inputs.h. */
// SPDX-License-Identifier: MIT
#include "tuner/reference/inputs.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "tuner/reference/quant.h"
#include "tuner/reference/routing.h"

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

/* A floating type of 16 bits by IEEE 754's rules: its fraction's bits, and the
 * bias of its exponents. */
struct half {
  int fraction, bias;
};
static const struct half binary16 = {10, 15}, bfloat16 = {7, 127};

/* The power of two that separates numbers below the least normal one. */
static int finest(struct half h)
{
  return 1 - h.bias - h.fraction;
}

static double load_half(struct half h, const void *at)
{
  uint16_t bits;
  memcpy(&bits, at, sizeof bits);
  int one = 1 << h.fraction, most = 2 * h.bias + 1;
  int exponent = bits >> h.fraction & most, fraction = bits & (one - 1);
  double size = exponent == most ? (fraction ? NAN : INFINITY)
                : exponent ? ldexp(one + fraction, exponent - 1 + finest(h))
                           : ldexp(fraction, finest(h));
  return bits >> 15 ? -size : size;
}

/* To nearest, ties to even; from half-way past the largest on to infinity. */
static uint16_t round_half(struct half h, double size)
{
  int infinity = (2 * h.bias + 1) << h.fraction;
  if (isnan(size))
    return (uint16_t)(infinity | 1 << (h.fraction - 1));
  if (size >= ldexp(2 - ldexp(1, -1 - h.fraction), h.bias))
    return (uint16_t)infinity;
  int exponent, normal = size >= ldexp(1, 1 - h.bias);
  frexp(size, &exponent); /* size < 2^exponent */
  int step = normal ? exponent - 1 - h.fraction : finest(h);
  int units = (int)nearbyint(ldexp(size, -step));
  /* A carry out of the fraction raises the exponent by itself. */
  return (uint16_t)(((step - finest(h)) << h.fraction) + units);
}

static void store_half(struct half h, void *at, double value)
{
  uint16_t bits = round_half(h, fabs(value));
  if (signbit(value))
    bits |= 0x8000;
  memcpy(at, &bits, sizeof bits);
}

static double load_f16(const void *at)
{
  return load_half(binary16, at);
}

static void store_f16(void *at, double value)
{
  store_half(binary16, at, value);
}

static double load_bf16(const void *at)
{
  return load_half(bfloat16, at);
}

static void store_bf16(void *at, double value)
{
  store_half(bfloat16, at, value);
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
    {"bf16", 2, load_bf16, store_bf16, 0x1p-8, 0x1p-126, 0x1.fep127},
    {"q8_0", 34, NULL, NULL, 0, 0, 0},
    {"q4_0", 18, NULL, NULL, 0, 0, 0},
    {"q4_1", 20, NULL, NULL, 0, 0, 0},
    {"q4_K", 144, NULL, NULL, 0, 0, 0},
    {"q6_K", 210, NULL, NULL, 0, 0, 0},
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
  assert(ops->store); /* of a block: input_block() */
  if (buffer->routed) {
    input_fill(seed, b, buffer, i, 1, at);
    return ops->load(at);
  }
  ops->store(at, draw(stream_of(seed, b), buffer, i));
  return ops->load(at);
}

/* --- blocks -------------------------------------------------------------- */

struct blocks {
  const struct quant *type;
  const struct buffer *buffer;
  uint64_t stream;
};

/* Of 64 scales one is 0, of either sign, or subnormal: a kernel must not take
 * these for something else. */
static double scale_of(const struct blocks *b, uint64_t n)
{
  uint64_t bits = rng_nth(b->stream, n);
  double scale = b->buffer->low +
                 rng_fraction(bits) * (b->buffer->high - b->buffer->low);
  return bits % 64 ? scale : (double)(int)(bits >> 6 & 3) * copysign(0x1p-24, scale);
}

/* Bytes at random, 8 of a number, and then the scales. */
static void make_block(void *with, size_t i, uint8_t *out)
{
  const struct blocks *b = with;
  enum {NUMBERS = 32}; /* for each block */
  static_assert(8 * (NUMBERS - 4) >= QUANT_BYTES, "a block needs more");
  uint64_t first = (uint64_t)i * NUMBERS, numbers[NUMBERS];
  for (uint64_t n = 0; 8 * n < b->type->bytes; n++)
    numbers[n] = rng_nth(b->stream, first + n);
  memcpy(out, numbers, b->type->bytes);
  for (const struct quant_field *f = b->type->fields;
       f < b->type->fields + QUANT_FIELDS && f->bytes; f++)
    for (unsigned at = 0; f->half && at < f->bytes; at += 2)
      store_f16(out + f->at + at, scale_of(b, first + NUMBERS - 1 - at / 2));
}

static struct blocks blocks_of(uint64_t seed, size_t b,
                               const struct buffer *buffer)
{
  return (struct blocks){quant_find(element_ops(buffer->type)->name), buffer,
                         stream_of(seed, b)};
}

void input_block(uint64_t seed, size_t b, const struct buffer *buffer,
                 size_t i, uint8_t *out)
{
  struct blocks blocks = blocks_of(seed, b, buffer);
  make_block(&blocks, i, out);
}

static void fill_blocks(struct blocks *b, size_t first, size_t n, uint8_t *out)
{
  size_t bytes = b->type->bytes;
  if (b->buffer->planes)
    quant_planes(b->type, b->buffer->elements, first * bytes, n * bytes,
                 make_block, b, out);
  else
    for (size_t i = 0; i < n; i++)
      make_block(b, first + i, out + i * bytes);
}

static void fill_offsets(uint64_t stream, const struct buffer *buffer,
                         size_t first, size_t n, void *out)
{
  int32_t *all = mem_array(buffer->elements, sizeof *all);
  routing_offsets(stream, buffer, all);
  memcpy(out, all + first, n * sizeof *all);
  free(all);
}

void input_fill(uint64_t seed, size_t b, const struct buffer *buffer,
                size_t first, size_t n, void *out)
{
  const struct element_ops *ops = element_ops(buffer->type);
  uint64_t stream = stream_of(seed, b);
  char *at = out;
  if (!ops->store) {
    struct blocks blocks = blocks_of(seed, b, buffer);
    fill_blocks(&blocks, first, n, out);
    return;
  }
  if (buffer->routed) {
    fill_offsets(stream, buffer, first, n, out);
    return;
  }
  for (size_t i = 0; i < n; i++)
    ops->store(at + i * ops->size, draw(stream, buffer, first + i));
}
