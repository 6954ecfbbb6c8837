/* buffer_format.c - buffer loads and stores that convert ("Vega" 7 nm ISA,
 * 8.1.5: MTBUF takes the format from the instruction, MUBUF from the
 * resource). */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "runtimes/sim/run/buffer.h"

enum number {
  UNORM, SNORM, USCALED, SSCALED, UINT, SINT, NUMBER_RESERVED, FLOATING
};

/* Bits of each component, lowest first. The names of formats, as 10_11_11,
 * count from the top. */
static const struct layout {
  uint8_t n, bits[4];
} layouts[16] = {
  [1] = {1, {8}},
  [2] = {1, {16}},
  [3] = {2, {8, 8}},
  [4] = {1, {32}},
  [5] = {2, {16, 16}},
  [6] = {3, {11, 11, 10}},
  [7] = {3, {10, 11, 11}},
  [8] = {4, {2, 10, 10, 10}},
  [9] = {4, {10, 10, 10, 2}},
  [10] = {4, {8, 8, 8, 8}},
  [11] = {2, {32, 32}},
  [12] = {4, {16, 16, 16, 16}},
  [13] = {3, {32, 32, 32}},
  [14] = {4, {32, 32, 32, 32}},
};

static unsigned bytes_of(const struct layout *y)
{
  unsigned bits = 0;
  for (unsigned c = 0; c < y->n; c++)
    bits += y->bits[c];
  return bits / 8;
}

static uint32_t float_bits(float f)
{
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}

static float bits_float(uint32_t bits)
{
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

static float half_float(uint32_t half)
{
  int exponent = half >> 10 & 31, mantissa = half & 1023;
  float f = exponent == 0    ? ldexpf((float)mantissa, -24)
            : exponent == 31 ? (mantissa ? NAN : INFINITY)
                             : ldexpf((float)(mantissa + 1024), exponent - 25);
  return half & 0x8000 ? -f : f;
}

static uint32_t float_half(float f)
{
  uint32_t sign = signbit(f) ? 0x8000 : 0;
  float a = fabsf(f);
  if (isnan(f))
    return sign | 0x7e00;
  if (a >= 65520) /* rounds to more than the largest */
    return sign | 0x7c00;
  int e = a < 0x1p-14f ? -14 : ilogbf(a);
  /* A carry out of the mantissa goes on into the exponent, as it should. */
  uint32_t mantissa = (uint32_t)rintf(ldexpf(a, 10 - e));
  return sign | (((uint32_t)(e + 14) << 10) + mantissa);
}

static int64_t extend(uint32_t raw, unsigned bits)
{
  uint64_t top = (uint64_t)1 << (bits - 1);
  return (int64_t)((raw ^ top) - top);
}

static uint32_t decode_number(unsigned number, unsigned bits, uint32_t raw)
{
  double max = ldexp(1, (int)bits) - 1, most = ldexp(1, (int)bits - 1) - 1;
  switch (number) {
  case UNORM:
    return float_bits((float)(raw / max));
  case SNORM:
    return float_bits((float)fmax(extend(raw, bits) / most, -1));
  case USCALED:
    return float_bits((float)raw);
  case SSCALED:
    return float_bits((float)extend(raw, bits));
  case SINT:
    return (uint32_t)extend(raw, bits);
  case FLOATING: /* those of 11 and 10 bits are halves without sign */
    return bits == 32 ? raw
           : bits < 16 ? float_bits(half_float(raw << (15 - bits)))
                       : float_bits(half_float(raw));
  }
  return raw;
}

static uint32_t clamp(double value, double low, double high)
{
  if (isnan(value))
    return 0;
  value = value < low ? low : value > high ? high : value;
  return (uint32_t)(int64_t)rint(value);
}

static uint32_t encode_number(unsigned number, unsigned bits, uint32_t value)
{
  double max = ldexp(1, (int)bits) - 1, most = ldexp(1, (int)bits - 1) - 1;
  double f = bits_float(value);
  switch (number) {
  case UNORM:
    return clamp(f * max, 0, max);
  case SNORM:
    return clamp(f * most, -most, most);
  case USCALED:
    return clamp(trunc(f), 0, max);
  case SSCALED:
    return clamp(trunc(f), -most - 1, most);
  case UINT:
    return clamp(value, 0, max);
  case SINT:
    return clamp((int32_t)value, -most - 1, most);
  case FLOATING:
    if (bits < 16)
      return float_half(f > 0 ? (float)f : 0) >> (15 - bits);
    return bits == 16 ? float_half((float)f) : value;
  }
  return value;
}

static int is_integer(unsigned number)
{
  return number == UINT || number == SINT;
}

/* One lane's element in memory to and from up to four 32-bit components. */
static void read_element(const struct buffer *b, const uint8_t *from,
                         uint32_t component[4])
{
  const struct layout *y = &layouts[b->data];
  uint32_t raw[4] = {0};
  memcpy(raw, from, bytes_of(y));
  for (unsigned c = 0, bit = 0; c < y->n; bit += y->bits[c++]) {
    uint32_t mask = (uint32_t)(((uint64_t)1 << y->bits[c]) - 1);
    component[c] = decode_number(b->number, y->bits[c],
                                 raw[bit / 32] >> bit % 32 & mask);
  }
}

static void write_element(const struct buffer *b, uint8_t *to,
                          const uint32_t component[4])
{
  const struct layout *y = &layouts[b->data];
  uint32_t raw[4] = {0};
  for (unsigned c = 0, bit = 0; c < y->n; bit += y->bits[c++]) {
    uint32_t mask = (uint32_t)(((uint64_t)1 << y->bits[c]) - 1);
    raw[bit / 32] |=
        (encode_number(b->number, y->bits[c], component[c]) & mask)
        << bit % 32;
  }
  memcpy(to, raw, bytes_of(y));
}

/* Of an opcode: components, 16-bit results, the high half. MUBUF has its D16
 * forms of the high half apart. */
struct form {
  unsigned n, d16, high, store;
};

enum {OP_LOAD_D16_HI = 0x26, OP_STORE_D16_HI = 0x27};

static struct form form_of(const struct inst *i)
{
  if (i->as >= OP_LOAD_D16_HI)
    return (struct form){1, 1, 1, i->as == OP_STORE_D16_HI};
  return (struct form){i->as % 4 + 1u, i->as >> 3 & 1, 0, i->as >> 2 & 1};
}

static uint32_t narrow(const struct buffer *b, uint32_t value)
{
  return is_integer(b->number) ? value & 0xffff
                               : float_half(bits_float(value));
}

static uint32_t widen(const struct buffer *b, uint32_t half)
{
  if (b->number == SINT)
    return (uint32_t)(int16_t)half;
  return b->number == UINT ? half : float_bits(half_float(half));
}

static void put(struct wave *w, const struct buffer *b, struct form f,
                unsigned v, unsigned l, const uint32_t result[4])
{
  for (unsigned c = 0; c < f.n; c++) {
    if (!f.d16) {
      w->v[v + c][l] = result[c];
      continue;
    }
    uint32_t *to = &w->v[v + c / 2][l], half = narrow(b, result[c]);
    if (f.high)
      *to = half << 16;
    else
      *to = c % 2 ? *to | half << 16 : half; /* the low one comes first */
  }
}

static void take(const struct wave *w, const struct buffer *b, struct form f,
                 unsigned v, unsigned l, uint32_t component[4])
{
  for (unsigned c = 0; c < f.n; c++) {
    if (!f.d16)
      component[c] = w->v[v + c][l];
    else
      component[c] = widen(
          b, w->v[v + c / 2][l] >> (c % 2 || f.high ? 16 : 0) & 0xffff);
  }
}

/* DST_SEL: 0, 1, or one of the components; those that the format lacks are
 * 0 0 0 1. */
static void load(struct wave *w, const struct inst *i, const struct buffer *b,
                 struct form f, uint64_t lanes)
{
  uint32_t one = is_integer(b->number) ? 1 : float_bits(1);
  unsigned l;
  FOR_LANES(l, WAVE_EXEC(w)) {
    uint32_t component[4] = {0, 0, 0, one}, result[4] = {0};
    if (lanes >> l & 1) {
      read_element(b, (const uint8_t *)w->access.addr[0][l], component);
      for (unsigned c = 0; c < 4; c++)
        result[c] = b->select[c] >= 4   ? component[b->select[c] - 4]
                    : b->select[c] == 1 ? one
                                        : 0;
    }
    put(w, b, f, i->dst, l, result);
  }
}

static void store(struct wave *w, const struct inst *i,
                  const struct buffer *b, struct form f)
{
  unsigned l;
  FOR_LANES(l, w->access.lanes) {
    uint32_t component[4] = {0};
    take(w, b, f, vgpr(i->src[1]), l, component);
    write_element(b, (uint8_t *)w->access.addr[0][l], component);
  }
}

static void formatted(struct wave *w, const struct inst *i)
{
  struct form f = form_of(i);
  struct memory_op op = {f.store ? MEMORY_STORE : MEMORY_LOAD, 0, 0, 0, 0};
  struct buffer b;
  buffer_begin(w, i, &op, &b);
  if (i->format == MTBUF) {
    b.data = i->dfmt;
    b.number = i->nfmt;
  }
  unsigned bytes = w->access.bytes = (uint8_t)bytes_of(&layouts[b.data]);
  if (!bytes || b.swizzle || b.number == NUMBER_RESERVED) {
    wave_fault(w, FAULT_LAUNCH,
               "data format %u, number format %u%s: not a format that the "
               "simulated device converts",
               b.data, b.number, b.swizzle ? ", swizzled" : "");
    return;
  }
  w->access.lanes = buffer_room(w, &b, bytes);
  if (!memory_check(w, bytes))
    return;
  if (f.store)
    store(w, i, &b, f);
  else
    load(w, i, &b, f, w->access.lanes);
}

exec_fn *format_handler(const struct inst *i)
{
  int high = i->as == OP_LOAD_D16_HI || i->as == OP_STORE_D16_HI;
  return i->as < 16 || (high && i->format == MUBUF) ? formatted : NULL;
}
