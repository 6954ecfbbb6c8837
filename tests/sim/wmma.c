/* wmma.c - gfx1250's matrix products: where a lane has which element, and sums.
 *
 * Small integers in every format, so that each sum is exact and follows from the
 * definition. Which lane has which k is written down here once more, as lists: of
 * 16-bit ones as measured on a card (0-7, 16-23 in lanes 0 to 15), of others as
 * AMD's compilers lay them out. Words are those that clang 22 makes of
 * __builtin_amdgcn_wmma_*.
 */
// SPDX-License-Identifier: MIT
#include <math.h>

#include "base/rng.h"
#include "runtimes/sim/run/small_float.h"
#include "tests/sim/program.h"

enum {V = 56, DIM = 16, ROWS = 32, MOST_K = 128};

enum element {F32, F16, BF16, FP8, BF8, FP6, BF6, FP4, U8, I8, I32};

/* Codes of -4 to 4 in E4M3, E5M2, E2M3, E3M2 and E2M1, by hand from the OCP tables. */
static const uint8_t fp8[] = {0xc8, 0xc4, 0xc0, 0xb8, 0, 0x38, 0x40, 0x44, 0x48};
static const uint8_t bf8[] = {0xc4, 0xc2, 0xc0, 0xbc, 0, 0x3c, 0x40, 0x42, 0x44};

static const uint8_t fp6[] = {0x38, 0x34, 0x30, 0x28, 0, 0x08, 0x10, 0x14, 0x18};
static const uint8_t bf6[] = {0x34, 0x32, 0x30, 0x2c, 0, 0x0c, 0x10, 0x12, 0x14};
static const uint8_t fp4[] = {0xe, 0xd, 0xc, 0xa, 0, 0x2, 0x4, 0x5, 0x6};

static unsigned bits_of(enum element f)
{
  static const uint8_t bits[] = {32, 16, 16, 8, 8, 6, 6, 4, 8, 8, 32};
  return bits[f];
}

static uint32_t code_of(enum element f, int x)
{
  float y = (float)x;
  uint32_t bits;
  memcpy(&bits, &y, sizeof bits);
  switch (f) {
  case F32: return bits;
  case F16: return f16_of_float(y);
  case BF16: return bits >> 16; /* small: exact */
  case FP8: return fp8[x + 4];
  case BF8: return bf8[x + 4];
  case FP6: return fp6[x + 4];
  case BF6: return bf6[x + 4];
  case FP4: return fp4[x + 4];
  default: return (uint32_t)x;
  }
}

/* The k of a lane's elements, in the order of its registers. */
static const uint8_t k_of_4[2][2] = {{0, 1}, {2, 3}};
static const uint8_t k_of_32[2][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23},
    {8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31}};
static const uint8_t k_of_64[2][32] = {
    {0,  1,  2,  3,  4,  5,  6,  7,  16, 17, 18, 19, 20, 21, 22, 23,
     32, 33, 34, 35, 36, 37, 38, 39, 48, 49, 50, 51, 52, 53, 54, 55},
    {8,  9,  10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31,
     40, 41, 42, 43, 44, 45, 46, 47, 56, 57, 58, 59, 60, 61, 62, 63}};

/* With 128 k, 16 or 32 in turn: where they begin. */
static const uint8_t by_16[2][4] = {{0, 32, 64, 96}, {16, 48, 80, 112}};
static const uint8_t by_32[2][2] = {{0, 64}, {32, 96}};

static unsigned k_of(enum element f, unsigned k, unsigned half, unsigned e)
{
  if (k == 128)
    return bits_of(f) == 8 ? by_16[half][e / 16] + e % 16 : by_32[half][e / 32] + e % 32;
  return k == 4 ? k_of_4[half][e] : k == 32 ? k_of_32[half][e] : k_of_64[half][e];
}

struct form {
  const char *name;
  uint32_t words[4];
  unsigned k, a, b, c, d;         /* then the first registers of each */
  enum element of_a, of_b, of_c, of_d;
  int sign_a, sign_b, sign_c; /* of modifiers */
  unsigned scales; /* k that have one; in v40 and v42; 0: none */
  unsigned rows;   /* of A: 0 is 16 */
};

static const struct form forms[] = {
    {"f32 of f32", {0xcc5d0000, 0x1c021508}, 4, 8, 10, 0, 0, F32, F32, F32, F32, 1, 1, 1, 0, 0},
    {"f32 of f16", {0xcc600010, 0x1c421100}, 32, 0, 8, 16, 16, F16, F16, F32, F32, 1, 1, 1, 0, 0},
    {"f32 of f16, all negated", {0xcc600310, 0xfc421100}, 32, 0, 8, 16, 16, F16, F16, F32, F32,
     -1, -1, -1, 0, 0},
    {"f32 of bf16", {0xcc620010, 0x1c421100}, 32, 0, 8, 16, 16, BF16, BF16, F32, F32, 1, 1, 1, 0, 0},
    {"f16 of f16", {0xcc610010, 0x1c421100}, 32, 0, 8, 16, 16, F16, F16, F16, F16, 1, 1, 1, 0, 0},
    {"bf16 of bf16", {0xcc630010, 0x1c421100}, 32, 0, 8, 16, 16, BF16, BF16, BF16, BF16, 1, 1, 1, 0, 0},
    {"bf16 of bf16, C f32", {0xcc640018, 0x1c421100}, 32, 0, 8, 16, 24, BF16, BF16, F32, BF16,
     1, 1, 1, 0, 0},
    {"f32 of fp8", {0xcc6a0010, 0x1c421100}, 64, 0, 8, 16, 16, FP8, FP8, F32, F32, 1, 1, 1, 0, 0},
    {"f32 of bf8 and fp8", {0xcc6c0010, 0x1c421100}, 64, 0, 8, 16, 16, BF8, FP8, F32, F32, 1, 1, 1, 0, 0},
    {"f16 of fp8 and bf8", {0xcc6f0010, 0x1c421100}, 64, 0, 8, 16, 16, FP8, BF8, F16, F16, 1, 1, 1, 0, 0},
    {"i32 of i8", {0xcc720010, 0x7c421100}, 64, 0, 8, 16, 16, I8, I8, I32, I32, 1, 1, 1, 0, 0},
    {"f32 of fp8, 128 k", {0xcc800020, 0x1c822100}, 128, 0, 16, 32, 32, FP8, FP8, F32, F32,
     1, 1, 1, 0, 0},
    {"f16 of bf8, 128 k", {0xcc870020, 0x1c822100}, 128, 0, 16, 32, 32, BF8, BF8, F16, F16,
     1, 1, 1, 0, 0},
    {"f32 of fp8 and fp6", {0xcc330020, 0x14822100}, 128, 0, 16, 32, 32, FP8, FP6, F32, F32,
     1, 1, 1, 0, 0},
    {"f32 of fp4 and bf6", {0xcc332020, 0x1c822100}, 128, 0, 16, 32, 32, FP4, BF6, F32, F32,
     1, 1, 1, 0, 0},
    {"f32 of fp8, scaled", {0xcc350000, 0x04025528, 0xcc330020, 0x04822100}, 128, 0, 16, 32, 32,
     FP8, FP8, F32, F32, 1, 1, 1, 32, 0},
    {"f32 of bf8 and fp4, scaled by 16", {0xcc3a0000, 0x04025528, 0xcc334820, 0x04822100}, 128,
     0, 16, 32, 32, BF8, FP4, F32, F32, 1, 1, 1, 16, 0},
    {"f32 of fp4, 32 rows", {0xcc884020, 0x1c822100}, 128, 0, 16, 32, 32, FP4, FP4, F32, F32,
     1, 1, 1, 0, 32},
    {"i32 of u8", {0xcc720010, 0x1c421100}, 64, 0, 8, 16, 16, U8, U8, I32, I32, 1, 1, 1, 0, 0},
};

struct product {
  int a[ROWS][MOST_K], b[DIM][MOST_K], c[ROWS][DIM];
  int scale_a[DIM][8], scale_b[DIM][8]; /* exponents */
};

static void put_word(struct wave *w, unsigned first, unsigned lane, unsigned bit,
                     unsigned bits, uint32_t code)
{
  uint32_t mask = bits == 32 ? ~0u : (1u << bits) - 1;
  uint32_t *at = &w->v[first + bit / 32][lane];
  *at = (*at & ~(mask << bit % 32)) | (code & mask) << bit % 32;
}

/* What does not fit into a register goes on in the next one. */
static void put(struct wave *w, unsigned first, unsigned lane, unsigned bit,
                unsigned bits, uint32_t code)
{
  unsigned fits = 32 - bit % 32;
  if (bits <= fits) {
    put_word(w, first, lane, bit, bits, code);
    return;
  }
  put_word(w, first, lane, bit, fits, code);
  put_word(w, first, lane, bit + fits, bits - fits, code >> fits);
}

static void put_input(struct wave *w, unsigned first, enum element f, unsigned k,
                      int (*x)[MOST_K])
{
  for (unsigned lane = 0; lane < 32; lane++)
    for (unsigned e = 0; e < k / 2; e++) {
      unsigned at = k_of(f, k, lane / 16, e);
      put(w, first, lane, e * bits_of(f), bits_of(f), code_of(f, x[lane % 16][at]));
    }
}

/* A byte each, in lanes 0 to 15. */
static void put_scales(struct wave *w, unsigned first, unsigned n, int x[DIM][8])
{
  for (unsigned lane = 0; lane < DIM; lane++)
    for (unsigned k = 0; k < n; k++)
      put(w, first, lane, 8 * k, 8, (uint32_t)(127 + x[lane][k]));
}

/* Row r of C and D is in register r % 8 of lanes 0 to 15 or 16 to 31. */
static void put_sum(struct wave *w, unsigned first, enum element f, int (*c)[DIM])
{
  for (unsigned r = 0; r < DIM; r++)
    for (unsigned j = 0; j < DIM; j++)
      put(w, first, (r < 8 ? 0 : 16) + j, r % 8 * bits_of(f), bits_of(f),
          code_of(f, c[r][j]));
}

static void check(const struct form *f, const struct wave *w, const struct product *p)
{
  for (unsigned r = 0; r < (f->rows ? f->rows : DIM); r++)
    for (unsigned j = 0; j < DIM; j++) {
      int sum = f->sign_c * p->c[r][j];
      for (unsigned k = 0; k < f->k; k++) {
        int both = f->scales ? p->scale_a[r][k / f->scales] + p->scale_b[j][k / f->scales]
                             : 0;
        sum += f->sign_a * p->a[r][k] * f->sign_b * p->b[j][k] * (1 << both);
      }
      unsigned bits = bits_of(f->of_d), bit = (r % 8 + r / DIM * 8) * bits;
      uint32_t got = w->v[f->d + bit / 32][(r % DIM < 8 ? 0 : 16) + j] >> bit % 32;
      uint32_t mask = bits == 32 ? ~0u : 0xffff, want = code_of(f->of_d, sum);
      if (f->of_d == BF16) /* has 8 digits: the sum may need rounding */
        want = bf16_of_float((float)sum);
      if ((got & mask) != (want & mask))
        fail_msg("%s: row %u, column %u is 0x%x, not 0x%x", f->name, r, j, got & mask,
                 want & mask);
    }
}

static void run(const struct form *f, struct rng *r)
{
  struct program p;
  struct product x;
  int least = f->of_a == U8 ? 0 : -4, most = f->of_a == U8 ? 255 : 4;
  for (unsigned n = 0; n < ROWS; n++)
    for (unsigned k = 0; k < MOST_K; k++) {
      x.a[n][k] = least + (int)(rng_next(r) % (unsigned)(most - least + 1));
      x.b[n % DIM][k] = least + (int)(rng_next(r) % (unsigned)(most - least + 1));
    }
  for (unsigned n = 0; n < DIM * 8; n++) {
    x.scale_a[n / 8][n % 8] = (int)(rng_next(r) % 3);
    x.scale_b[n / 8][n % 8] = (int)(rng_next(r) % 3);
  }
  for (unsigned n = 0; n < ROWS * DIM; n++)
    x.c[n / DIM][n % DIM] = (int)(rng_next(r) % 201) - 100;
  program_load_for(&p, isa_find("gfx1250"), f->words, f->scales ? 4 : 2);
  p.kernel.vgprs = V;
  program_start(&p, 32);
  struct wave *w = &p.group->waves[0];
  put_input(w, f->a, f->of_a, f->k, x.a);
  put_input(w, f->b, f->of_b, f->k, x.b);
  put_sum(w, f->c, f->of_c, x.c);
  if (f->scales) {
    put_scales(w, 40, f->k / f->scales, x.scale_a);
    put_scales(w, 42, f->k / f->scales, x.scale_b);
  }
  if (f->rows) { /* the upper ones are in registers of their own */
    put_input(w, f->a + 8, f->of_a, f->k, x.a + DIM);
    put_sum(w, f->c + 8, f->of_c, x.c + DIM);
  }
  wave_step(w);
  if (w->state != WAVE_RUN)
    fail_msg("%s: %s", f->name, w->fault.text);
  check(f, w, &x);
  program_close(&p);
}

static void test_products(void **state)
{
  struct rng r;
  (void)state;
  rng_seed(&r, 1);
  for (size_t n = 0; n < sizeof forms / sizeof *forms; n++)
    for (int turn = 0; turn < 20; turn++)
      run(&forms[n], &r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_products)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
