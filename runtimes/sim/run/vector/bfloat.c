/* bfloat.c - arithmetic on bfloat16.
 *
 * A bf16 is the upper half of an f32. Results are rounded once, to nearest even;
 * MODE's rounding and denormals are taken not to matter to them, which is assumed.
 */
// SPDX-License-Identifier: MIT
#include <math.h>

#include "runtimes/sim/run/small_float.h"
#include "runtimes/sim/run/vector/half.h"
#include "runtimes/sim/run/vector/minmax.h"
#include "runtimes/sim/run/vector/operand.h"

/* Source n as it is encoded: a register's row, or `room` filled with the scalar. */
static const u32 *plain_source(const struct wave *w, const struct inst *i, int n,
                               u32 *room)
{
  const unsigned code = i->src[n];
  if (code >= CODE_VGPR)
    return w->v[code - CODE_VGPR];
  const u32 x = scalar_read(w, i, code);
  EACH_LANE(l) room[l] = x;
  return room;
}

/* Half `half` of source n of a packed instruction, as an f32. A constant is one number,
 * in its low half. */
static void half_row(const struct wave *w, const struct inst *i, int n, int half,
                     f32 *to)
{
  const int high = (half ? i->opselhi : i->opsel) >> n & 1;
  const u32 flip = (u32)((half ? i->abs : i->neg) >> n & 1) << 31;
  const int inlined = i->src[n] >= CODE_FLOAT && i->src[n] < CODE_VCCZ;
  ROW u32 room[LANES];
  const u32 *from = plain_source(w, i, n, room);
  for (int l = 0; l < LANES; l++) {
    const u32 whole = inlined ? from[l] >> 16 : from[l];
    to[l] = f32_of((high ? whole & 0xffff0000 : whole << 16) ^ flip);
  }
}

typedef u32 bf16_fn(f32 a, f32 b, f32 c);

static void packed(struct wave *w, const struct inst *i, int n, bf16_fn *fn)
{
  ROW f32 x[3][LANES];
  ROW u32 row[LANES] = {0};
  for (int half = 0; half < 2; half++) {
    for (int k = 0; k < n; k++)
      half_row(w, i, k, half, x[k]);
    for (int l = 0; l < LANES; l++)
      row[l] |= (fn(x[0][l], x[1][l], x[n - 1][l]) & 0xffff) << 16 * half;
  }
  blend(w->v[i->dst], row, WAVE_EXEC(w));
}

/* Sums and products of two are exact in f64, or are far apart. */
INLINE u32 rounded(f64 x) { return bf16_of_float(f32_sticky(x)); }
INLINE u32 upper(u32 x) { return x >> 16; }

#define PACKED_BF16(name, n, expr)                                           \
  static u32 name##_of(f32 a, f32 b, f32 c)                                  \
  {                                                                          \
    (void)c;                                                                 \
    return expr;                                                             \
  }                                                                          \
  static void name##_exec(struct wave *w, const struct inst *i)              \
  {                                                                          \
    packed(w, i, n, name##_of);                                              \
  }                                                                          \
  ALONE(name)
PACKED_BF16(v_pk_add_bf16, 2, rounded((f64)a + b))
PACKED_BF16(v_pk_mul_bf16, 2, rounded((f64)a * b))
PACKED_BF16(v_pk_fma_bf16, 3, rounded((f64)a * b + c))
PACKED_BF16(v_pk_min_num_bf16, 2, upper(min32(f32_bits(a), f32_bits(b), 0)))
PACKED_BF16(v_pk_max_num_bf16, 2, upper(max32(f32_bits(a), f32_bits(b), 0)))
