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

static double load_f64(const void *at)
{
  double v;
  memcpy(&v, at, sizeof v);
  return v;
}

static void store_f64(void *at, double value)
{
  memcpy(at, &value, sizeof value);
}

/* What stands for infinities and NaNs: the largest exponent (IEEE 754), the largest
 * number alone for NaN (OCP's E4M3), or what would be -0 for NaN. */
enum specials {SPECIAL_EXPONENT, SPECIAL_LAST, SPECIAL_ZERO};

/* A floating type of at most 16 bits: its bits, those of its fraction, and the bias
 * of its exponents. OCP 8-bit Floating Point Specification, 2023; those with one
 * zero: Noune et al., 8-bit Numerical Formats for Deep Neural Networks, 2022. */
struct half {
  int bits, fraction, bias;
  enum specials specials;
};
static const struct half binary16 = {16, 10, 15, SPECIAL_EXPONENT},
                         bfloat16 = {16, 7, 127, SPECIAL_EXPONENT},
                         e4m3 = {8, 3, 7, SPECIAL_LAST},
                         e5m2 = {8, 2, 15, SPECIAL_EXPONENT},
                         e4m3_fnuz = {8, 3, 8, SPECIAL_ZERO},
                         e5m2_fnuz = {8, 2, 16, SPECIAL_ZERO};

/* The power of two that separates numbers below the least normal one. */
static int finest(struct half h)
{
  return 1 - h.bias - h.fraction;
}

static int sign_bit(struct half h)
{
  return 1 << (h.bits - 1);
}

/* Of what is no number, that which an overflow becomes; without its sign. */
static int beyond(struct half h)
{
  int all = sign_bit(h) - 1;
  return h.specials == SPECIAL_EXPONENT ? all >> h.fraction << h.fraction
         : h.specials == SPECIAL_LAST   ? all
                                        : sign_bit(h);
}

/* 2^exponent, of a normal binary64. It is asked for every element of every buffer, and
 * ldexp() takes many times as long. */
static double power_of_two(int exponent)
{
  uint64_t bits = (uint64_t)(exponent + 1023) << 52;
  double power;
  memcpy(&power, &bits, sizeof power);
  return power;
}

/* The exponent of a normal binary64: 2^exponent <= size. */
static int exponent_of(double size)
{
  uint64_t bits;
  memcpy(&bits, &size, sizeof bits);
  return (int)(bits >> 52) - 1023;
}

/* The number that bits without a sign stand for. */
static double size_of(struct half h, int bits)
{
  int one = 1 << h.fraction;
  int exponent = bits >> h.fraction, fraction = bits & (one - 1);
  return exponent ? (one + fraction) * power_of_two(exponent - 1 + finest(h))
                  : fraction * power_of_two(finest(h));
}

static double load_half(struct half h, int bits)
{
  int negative = bits & sign_bit(h), size = bits & (sign_bit(h) - 1);
  double special = h.specials == SPECIAL_EXPONENT && size == beyond(h) ? INFINITY
                                                                      : NAN;
  double x = h.specials == SPECIAL_ZERO ? (bits == beyond(h) ? NAN : size_of(h, size))
             : size >= beyond(h)        ? special
                                        : size_of(h, size);
  return negative ? -x : x;
}

/* To nearest, ties to even; from half-way past the largest on to infinity, or what
 * stands for it. */
static int round_half(struct half h, double size)
{
  int last = h.specials == SPECIAL_ZERO ? sign_bit(h) - 1 : beyond(h) - 1;
  int normal = size >= power_of_two(1 - h.bias);
  if (isnan(size))
    return h.specials == SPECIAL_EXPONENT ? beyond(h) | 1 << (h.fraction - 1)
                                          : beyond(h);
  if (size >= 2 * size_of(h, last))
    return beyond(h);
  int step = normal ? exponent_of(size) - h.fraction : finest(h);
  int units = (int)lrint(size * power_of_two(-step));
  /* A carry out of the fraction raises the exponent by itself. */
  int bits = ((step - finest(h)) << h.fraction) + units;
  return bits > last ? beyond(h) : bits;
}

static int store_half(struct half h, double value)
{
  int bits = round_half(h, fabs(value));
  if (h.specials == SPECIAL_ZERO && !bits)
    return 0; /* it has no sign */
  return bits | (signbit(value) ? sign_bit(h) : 0);
}

static double load_16(struct half h, const void *at)
{
  uint16_t bits;
  memcpy(&bits, at, sizeof bits);
  return load_half(h, bits);
}

static void store_16(struct half h, void *at, double value)
{
  uint16_t bits = (uint16_t)store_half(h, value);
  memcpy(at, &bits, sizeof bits);
}

static double load_8(struct half h, const void *at)
{
  return load_half(h, *(const uint8_t *)at);
}

static void store_8(struct half h, void *at, double value)
{
  *(uint8_t *)at = (uint8_t)store_half(h, value);
}

static double load_f16(const void *at)
{
  return load_16(binary16, at);
}

static void store_f16(void *at, double value)
{
  store_16(binary16, at, value);
}

static double load_bf16(const void *at)
{
  return load_16(bfloat16, at);
}

static void store_bf16(void *at, double value)
{
  store_16(bfloat16, at, value);
}

static double load_fp8(const void *at)
{
  return load_8(e4m3, at);
}

static void store_fp8(void *at, double value)
{
  store_8(e4m3, at, value);
}

static double load_bf8(const void *at)
{
  return load_8(e5m2, at);
}

static void store_bf8(void *at, double value)
{
  store_8(e5m2, at, value);
}

static double load_fp8_fnuz(const void *at)
{
  return load_8(e4m3_fnuz, at);
}

static void store_fp8_fnuz(void *at, double value)
{
  store_8(e4m3_fnuz, at, value);
}

static double load_bf8_fnuz(const void *at)
{
  return load_8(e5m2_fnuz, at);
}

static void store_bf8_fnuz(void *at, double value)
{
  store_8(e5m2_fnuz, at, value);
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
    {"f64", 8, load_f64, store_f64, 0x1p-53, 0x1p-1022, DBL_MAX},
    {"fp8", 1, load_fp8, store_fp8, 0x1p-4, 0x1p-6, 448},
    {"bf8", 1, load_bf8, store_bf8, 0x1p-3, 0x1p-14, 57344},
    {"fp8_fnuz", 1, load_fp8_fnuz, store_fp8_fnuz, 0x1p-4, 0x1p-7, 240},
    {"bf8_fnuz", 1, load_bf8_fnuz, store_bf8_fnuz, 0x1p-3, 0x1p-15, 57344},
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
  if (buffer->routed || buffer->shuffled) {
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
  for (uint64_t n = 0; 8 * n < b->type->block->bytes; n++)
    numbers[n] = rng_nth(b->stream, first + n);
  memcpy(out, numbers, b->type->block->bytes);
  for (const struct block_field *f = b->type->block->fields;
       f < b->type->block->fields + BLOCK_FIELDS && f->bytes; f++)
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
  size_t bytes = b->type->block->bytes;
  if (b->buffer->planes)
    quant_planes(b->type, (struct quant_planes){b->buffer->elements,
                                                b->buffer->panel, b->buffer->row},
                 first * bytes, n * bytes, make_block, b, out);
  else
    for (size_t i = 0; i < n; i++)
      make_block(b, first + i, out + i * bytes);
}

/* Numbers from 0 on, each exchanged with one before it (Durstenfeld, CACM 7,
 * 1964, algorithm 235). */
static void shuffle(uint64_t stream, size_t n, int32_t *out)
{
  struct rng rng;
  rng_seed(&rng, stream);
  for (size_t i = 0; i < n; i++) {
    size_t j = rng_below(&rng, i + 1);
    out[i] = out[j];
    out[j] = (int32_t)i;
  }
}

/* Where no element is known without the others. */
static void fill_together(uint64_t stream, const struct buffer *buffer,
                          size_t first, size_t n, void *out)
{
  int32_t *all = mem_array(buffer->elements, sizeof *all);
  if (buffer->routed)
    routing_offsets(stream, buffer, all);
  else
    shuffle(stream, buffer->elements, all);
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
  if (buffer->routed || buffer->shuffled) {
    fill_together(stream, buffer, first, n, out);
    return;
  }
  for (size_t i = 0; i < n; i++)
    ops->store(at + i * ops->size, draw(stream, buffer, first + i));
}
