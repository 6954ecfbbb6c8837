/* matrix_scaled.c - gfx950's products of 8-, 6- and 4-bit floats with scales.
 *
 * Every pair of formats of both shapes, against sums of doubles. Where a lane has
 * its elements and scales is written down here once more: CDNA4's manual, and the
 * tables of Composable Kernel's test mx_mfma_op. The formats are those of the OCP
 * Microscaling Formats specification, 1.0. How cards round is not public: a result
 * may be off by a unit in the last place.
 */
// SPDX-License-Identifier: MIT
#include <float.h>
#include <math.h>

#include "base/rng.h"
#include "tests/sim/program.h"

enum {A = 8, B = 16, C = 24, SCALE_A = 40, SCALE_B = 41, D = 48};
enum {FORMATS = 5, BLOCK = 32};

/* By the number that CBSZ and BLGP give them. */
static const struct {
  const char *name;
  uint8_t bits, fraction, bias;
} formats[FORMATS] = {{"E4M3", 8, 3, 7}, {"E5M2", 8, 2, 15}, {"E2M3", 6, 3, 1},
                      {"E3M2", 6, 2, 3}, {"E2M1", 4, 1, 1}};

static double number(unsigned f, unsigned code)
{
  unsigned exponents = formats[f].bits - 1u - formats[f].fraction;
  unsigned fraction = code & ((1u << formats[f].fraction) - 1);
  unsigned exponent = code >> formats[f].fraction & ((1u << exponents) - 1);
  double sign = code >> (formats[f].bits - 1) ? -1 : 1;
  if (f == 0 && (code & 0x7f) == 0x7f)
    return NAN;
  if (f == 1 && exponent == 31)
    return fraction ? NAN : sign * INFINITY;
  int scale = (exponent ? (int)exponent : 1) - formats[f].bias -
              formats[f].fraction;
  return sign * ldexp(exponent ? fraction | 1u << formats[f].fraction : fraction,
                      scale);
}

/* --- one product ---------------------------------------------------------- */

enum kind {PLAIN, SCALED, ANY_SCALE, ANY_CODE, KINDS};

struct product {
  unsigned m, k, fa, fb, byte_a, byte_b; /* formats; bytes of the scales */
  enum kind kind;
  uint8_t a[32][128], b[32][128]; /* codes, by rows of A and columns of B */
  uint8_t sa[32][4], sb[32][4];
  float c[32][32], d[32][32];
};

static void put(uint32_t (*v)[LANES], unsigned first, unsigned lane,
                unsigned bit, unsigned bits, unsigned code)
{
  for (unsigned n = 0; n < bits; n++)
    v[first + (bit + n) / 32][lane] |= (code >> n & 1) << (bit + n) % 32;
}

static void put_side(const struct product *p, uint32_t (*v)[LANES],
                     unsigned first, unsigned f, const uint8_t (*of)[128])
{
  unsigned groups = 64 / p->m, bits = formats[f].bits;
  for (unsigned r = 0; r < p->m; r++)
    for (unsigned k = 0; k < p->k; k++) {
      unsigned chunk = k / 16; /* of 8 bits: every other 16 are farther on */
      unsigned lane = bits == 8 ? chunk % groups : k / BLOCK;
      unsigned at = bits == 8 ? chunk / groups * 16 + k % 16 : k % BLOCK;
      put(v, first, lane * p->m + r, at * bits, bits, of[r][k]);
    }
}

/* Lane, and register from the first, of an element of C and D: AMD's calculator. */
static void place(const struct product *p, unsigned i, unsigned j, unsigned *lane,
                  unsigned *reg)
{
  unsigned rows = 64 / p->m; /* fours of rows side by side */
  *lane = i / 4 % rows * p->m + j;
  *reg = i / (4 * rows) * 4 + i % 4;
}

static void encode(const struct product *p, uint32_t w[4])
{
  w[0] = 0xd3ac0000u | (p->byte_a & 1) << 11 | (p->byte_b & 1) << 12;
  w[1] = (256 + SCALE_A) | (256 + SCALE_B) << 9 | (p->byte_a >> 1) << 27 |
         (p->byte_b >> 1) << 28;
  w[2] = (p->m == 16 ? 0xd3ad0000u : 0xd3ae0000u) | p->fa << 8 | D |
         (p->kind == PLAIN ? 0 : 1u << 11);
  w[3] = (256 + A) | (256 + B) << 9 | (256u + C) << 18 | p->fb << 29;
}

static void run(struct product *p)
{
  struct program t;
  uint32_t w[4];
  unsigned lane, reg, plain = p->kind == PLAIN;
  encode(p, w);
  program_load_for(&t, isa_find("gfx950"), w + (plain ? 2 : 0), plain ? 2 : 4);
  t.kernel.vgprs = 64;
  program_start(&t, 64);
  uint32_t (*v)[LANES] = t.group->waves->v;
  memset(v, 0, 64 * sizeof *v);
  put_side(p, v, A, p->fa, p->a);
  put_side(p, v, B, p->fb, p->b);
  for (unsigned r = 0; r < p->m; r++)
    for (unsigned b = 0; b < p->k / BLOCK; b++) {
      v[SCALE_A][r + p->m * b] = (uint32_t)p->sa[r][b] << 8 * p->byte_a;
      v[SCALE_B][r + p->m * b] = (uint32_t)p->sb[r][b] << 8 * p->byte_b;
    }
  for (unsigned i = 0; i < p->m; i++)
    for (unsigned j = 0; j < p->m; j++) {
      place(p, i, j, &lane, &reg);
      memcpy(&v[C + reg][lane], &p->c[i][j], 4);
    }
  wave_step(t.group->waves);
  if (t.group->waves->fault.code)
    fail_msg("%s", t.group->waves->fault.text);
  for (unsigned i = 0; i < p->m; i++)
    for (unsigned j = 0; j < p->m; j++) {
      place(p, i, j, &lane, &reg);
      memcpy(&p->d[i][j], &v[D + reg][lane], 4);
    }
  program_close(&t);
}

/* --- what it must be ------------------------------------------------------ */

static double scale(const struct product *p, uint8_t e)
{
  return p->kind == PLAIN ? 1 : e == 255 ? (double)NAN : ldexp(1, e - 127);
}

static int is_right(const struct product *p, unsigned i, unsigned j)
{
  double sum = (double)p->c[i][j], size = fabs(sum), got = (double)p->d[i][j];
  for (unsigned k = 0; k < p->k; k++) {
    double term = number(p->fa, p->a[i][k]) * number(p->fb, p->b[j][k]) *
                  scale(p, p->sa[i][k / BLOCK]) * scale(p, p->sb[j][k / BLOCK]);
    sum += term;
    size += fabs(term);
  }
  if (isnan(sum))
    return isnan(got);
  if (fabs(sum) > (double)FLT_MAX * (1 + 0x1p-23))
    return isinf(got) && signbit(got) == signbit(sum);
  double unit = fmax(fabs(sum) * 0x1p-23, 0x1p-149);
  return isinf(got) ? fabs(sum) + unit > (double)FLT_MAX
                    : fabs(got - sum) <= unit + 130 * 0x1p-53 * size;
}

static uint8_t any_code(struct rng *r, unsigned f, enum kind kind)
{
  uint8_t code = (uint8_t)(rng_next(r) & ((1u << formats[f].bits) - 1));
  while (!isfinite(number(f, code)) && (kind != ANY_CODE || rng_next(r) % 64))
    code = (uint8_t)(rng_next(r) & ((1u << formats[f].bits) - 1));
  return code;
}

static uint8_t any_scale(struct rng *r, enum kind kind)
{
  return (uint8_t)(kind == ANY_SCALE ? rng_next(r) : 119 + rng_next(r) % 16);
}

static void draw(struct product *p, struct rng *r)
{
  p->byte_a = rng_next(r) % 4;
  p->byte_b = rng_next(r) % 4;
  for (unsigned i = 0; i < p->m; i++) {
    for (unsigned k = 0; k < p->k; k++) {
      p->a[i][k] = any_code(r, p->fa, p->kind);
      p->b[i][k] = any_code(r, p->fb, p->kind);
    }
    for (unsigned b = 0; b < 4; b++) {
      p->sa[i][b] = any_scale(r, p->kind);
      p->sb[i][b] = any_scale(r, p->kind);
    }
    for (unsigned j = 0; j < p->m; j++)
      p->c[i][j] = (float)(rng_fraction(rng_next(r)) - 0.5) * 256;
  }
}

static void test_products(void **state)
{
  const unsigned m = (unsigned)(uintptr_t)*state;
  struct rng r;
  struct product *p = calloc(1, sizeof *p);
  unsigned tried = 0;
  rng_seed(&r, m);
  for (unsigned n = 0; n < FORMATS * FORMATS * KINDS; n++) {
    p->m = m;
    p->k = 2048 / m;
    p->kind = (enum kind)(n % KINDS);
    p->fa = n / KINDS % FORMATS;
    p->fb = n / KINDS / FORMATS;
    draw(p, &r);
    run(p);
    for (unsigned i = 0; i < m; i++)
      for (unsigned j = 0; j < m; j++, tried++)
        if (!is_right(p, i, j))
          fail_msg("%ux%u, %s times %s, kind %d: row %u, column %u: %g", m, m,
                   formats[p->fa].name, formats[p->fb].name, (int)p->kind, i, j,
                   (double)p->d[i][j]);
  }
  print_message("%u sums\n", tried);
  free(p);
}

/* What llvm-mc of LLVM 22 makes of, and for,
 * v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[8:15], v[16:23], v[0:3], v40, v41
 *   op_sel:[1,0,0] op_sel_hi:[0,1,0]; and without bit 11 two instructions. */
static void test_words(void **state)
{
  uint32_t w[4] = {0xd3ac0800, 0x10025328, 0xd3ad0800, 0x04022108};
  const struct isa *isa = isa_find("gfx950");
  struct inst i;
  (void)state;
  assert_int_equal(decode(isa, w, 4, &i), 4);
  assert_true(i.legal);
  assert_int_equal(i.srsrc, 256 + 40);
  assert_int_equal(i.sdst, 256 + 41);
  assert_int_equal(i.dfmt, 1);
  assert_int_equal(i.nfmt, 2);
  assert_int_equal(decode(isa, w, 3, &i), 2);
  w[2] &= ~(1u << 11);
  assert_int_equal(decode(isa, w, 4, &i), 2);
  assert_false(i.legal);
  w[2] |= 2u << 8; /* CBSZ 2, BLGP 4: A has 6 dwords, B 4 */
  w[3] |= 4u << 29;
  assert_int_equal(decode(isa, w + 2, 2, &i), 2);
  assert_int_equal(inst_source_width(&i, 0), 6);
  assert_int_equal(inst_source_width(&i, 1), 4);
}

int main(void)
{
#define OF(m) {"test_products, " #m, test_products, NULL, NULL, (void *)(uintptr_t)(m)}
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_words), OF(16), OF(32),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
