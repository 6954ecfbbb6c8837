/* quant.c - see quant.h. */
// SPDX-License-Identifier: MIT
#include "tuner/reference/quant.h"

#include <math.h>
#include <string.h>

#include "tuner/reference/inputs.h"

static double half(const uint8_t *at)
{
  return element_ops(ELEMENT_F16)->load(at);
}

/* Bytes hold element i in their lower half, and i + 16 in the upper. */
static void split_nibbles(const uint8_t *bytes, int zero, int *q)
{
  for (int i = 0; i < 16; i++) {
    q[i] = (bytes[i] & 15) - zero;
    q[i + 16] = (bytes[i] >> 4) - zero;
  }
}

static void split_q8_0(const uint8_t *block, struct quant_parts *out)
{
  out->scale[0] = half(block);
  for (int i = 0; i < 32; i++)
    out->q[i] = (int8_t)block[2 + i];
}

static void split_q4_0(const uint8_t *block, struct quant_parts *out)
{
  out->scale[0] = half(block);
  split_nibbles(block + 2, 8, out->q);
}

static void split_q4_1(const uint8_t *block, struct quant_parts *out)
{
  out->scale[0] = half(block);
  out->least[0] = half(block + 2);
  split_nibbles(block + 4, 0, out->q);
}

/* Eight groups of 32 with scales and minima of 6 bits: those of the first four
 * in bytes of their own, whose upper 2 bits are those of the last four. */
static void split_q4_K(const uint8_t *block, struct quant_parts *out)
{
  const uint8_t *s = block + 4, *bytes = block + 16;
  double d = half(block), dmin = half(block + 2);
  for (int g = 0; g < 8; g++) {
    int scale = g < 4 ? s[g] & 63 : (s[g + 4] & 15) | s[g - 4] >> 6 << 4;
    int least = g < 4 ? s[g + 4] & 63 : s[g + 4] >> 4 | s[g] >> 6 << 4;
    out->scale[g] = d * scale;
    out->least[g] = -(dmin * least);
    for (int i = 0; i < 32; i++)
      out->q[32 * g + i] = bytes[g / 2 * 32 + i] >> g % 2 * 4 & 15;
  }
}

/* Halves of 128, each four rows of 32: the lower 4 bits of rows 0 and 2, and of
 * 1 and 3, share bytes of ql, the upper 2 of all four those of qh. */
static void split_q6_K(const uint8_t *block, struct quant_parts *out)
{
  double d = half(block + 208);
  for (int e = 0; e < 256; e++) {
    int h = e / 128, row = e / 32 % 4, i = e % 32;
    int low = block[64 * h + 32 * (row & 1) + i] >> row / 2 * 4 & 15;
    int high = block[128 + 32 * h + i] >> 2 * row & 3;
    out->q[e] = (low | high << 4) - 32;
  }
  for (int g = 0; g < 16; g++)
    out->scale[g] = d * (int8_t)block[192 + g];
}

/* What the bits of each type of blocks.h are. */
static const struct quant types[] = {
  {&blocks[BLOCK_Q8_0], 32, 0, split_q8_0},
  {&blocks[BLOCK_Q4_0], 32, 0, split_q4_0},
  {&blocks[BLOCK_Q4_1], 32, 1, split_q4_1},
  {&blocks[BLOCK_Q4_K], 32, 1, split_q4_K},
  {&blocks[BLOCK_Q6_K], 16, 0, split_q6_K},
};

const struct quant *quant_at(size_t i)
{
  return i < sizeof types / sizeof *types ? &types[i] : NULL;
}

const struct quant *quant_find(const char *name)
{
  for (size_t i = 0; quant_at(i); i++)
    if (!strcmp(types[i].block->name, name))
      return &types[i];
  return NULL;
}

/* The products are exact in a double, so that f32's rounding is theirs alone.
 * Without a minimum nothing is added: -0 stays. */
void quant_decode(const struct quant *t, const uint8_t *block, float *out)
{
  struct quant_parts parts;
  t->split(block, &parts);
  for (size_t e = 0; e < t->block->elements; e++) {
    float product = (float)(parts.scale[e / t->run] * parts.q[e]);
    if (parts.q[e] == 0) /* C's integer has no -0, and 0 d may be */
      product = (float)(parts.scale[e / t->run] * 0.0);
    out[e] = t->has_least ? product + (float)parts.least[e / QUANT_X]
                          : product;
  }
}

static size_t least_of(size_t a, size_t b)
{
  return a < b ? a : b;
}

/* Which block piece i of a field's plane is of, and where in the field it begins. */
struct piece {
  size_t block, at;
};

static struct piece piece_of(struct quant_planes p, size_t i, size_t size,
                             size_t field)
{
  if (!p.panel)
    return (struct piece){i, 0};
  size_t pieces = field / size, line = i / p.panel; /* of pieces side by side */
  size_t along = line / pieces, row = along / p.row * p.panel + i % p.panel;
  return (struct piece){row * p.row + along % p.row, line % pieces * size};
}

void quant_planes(const struct quant *t, struct quant_planes planes, size_t first,
                  size_t bytes, void (*block)(void *with, size_t i, uint8_t *out),
                  void *with, uint8_t *out)
{
  size_t end = first + bytes, plane = 0;
  for (const struct block_field *f = t->block->fields;
       f < t->block->fields + BLOCK_FIELDS && f->bytes;
       plane += planes.blocks * f++->bytes) {
    size_t size = planes.panel ? least_of(f->bytes, QUANT_PIECE) : f->bytes;
    size_t at = first > plane ? first : plane;
    while (at < end && at < plane + planes.blocks * f->bytes) {
      uint8_t whole[QUANT_BYTES];
      size_t in = (at - plane) % size, some = least_of(size - in, end - at);
      struct piece p = piece_of(planes, (at - plane) / size, size, f->bytes);
      block(with, p.block, whole);
      memcpy(out + (at - first), whole + f->at + p.at + in, some);
      at += some;
    }
  }
}

/* As all 32 lanes have it: f32 addition gives the same in either order. */
static float sum_of_lanes(const float *x)
{
  float sum[QUANT_X], next[QUANT_X];
  memcpy(sum, x, sizeof sum);
  for (int mask = QUANT_X / 2; mask; mask /= 2) {
    for (int i = 0; i < QUANT_X; i++)
      next[i] = sum[i] + sum[i ^ mask];
    memcpy(sum, next, sizeof sum);
  }
  return sum[0];
}

static double to_half(float x)
{
  uint16_t bits;
  element_ops(ELEMENT_F16)->store(&bits, (double)x);
  return element_ops(ELEMENT_F16)->load(&bits);
}

void quant_activations(const float *x, struct quant_x *out)
{
  float most = 0;
  for (int i = 0; i < QUANT_X; i++)
    most = fmaxf(most, fabsf(x[i]));
  float d = most / 127.0f;
  for (int i = 0; i < QUANT_X; i++)
    out->q[i] = (int8_t)(most == 0 ? 0 : roundf(x[i] / d));
  out->d = to_half(d);
  out->s = to_half(sum_of_lanes(x));
}
