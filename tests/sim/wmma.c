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

enum {V = 32, DIM = 16, MOST_K = 64};

enum element {F32, F16, BF16, FP8, BF8, U8, I8, I32};

/* Codes of -4 to 4 in E4M3 and E5M2, by hand from the OCP tables. */
static const uint8_t fp8[] = {0xc8, 0xc4, 0xc0, 0xb8, 0, 0x38, 0x40, 0x44, 0x48};
static const uint8_t bf8[] = {0xc4, 0xc2, 0xc0, 0xbc, 0, 0x3c, 0x40, 0x42, 0x44};

static unsigned bits_of(enum element f)
{
  static const uint8_t bits[] = {32, 16, 16, 8, 8, 8, 8, 32};
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

struct form {
  const char *name;
  uint32_t words[2];
  unsigned k, a, b, c, d;         /* then the first registers of each */
  enum element of_a, of_b, of_c, of_d;
  int sign_a, sign_b, sign_c; /* of modifiers */
};

static const struct form forms[] = {
    {"f32 of f32", {0xcc5d0000, 0x1c021508}, 4, 8, 10, 0, 0, F32, F32, F32, F32, 1, 1, 1},
    {"f32 of f16", {0xcc600010, 0x1c421100}, 32, 0, 8, 16, 16, F16, F16, F32, F32, 1, 1, 1},
    {"f32 of f16, all negated", {0xcc600310, 0xfc421100}, 32, 0, 8, 16, 16, F16, F16, F32, F32,
     -1, -1, -1},
    {"f32 of bf16", {0xcc620010, 0x1c421100}, 32, 0, 8, 16, 16, BF16, BF16, F32, F32, 1, 1, 1},
    {"f16 of f16", {0xcc610010, 0x1c421100}, 32, 0, 8, 16, 16, F16, F16, F16, F16, 1, 1, 1},
    {"bf16 of bf16", {0xcc630010, 0x1c421100}, 32, 0, 8, 16, 16, BF16, BF16, BF16, BF16, 1, 1, 1},
    {"bf16 of bf16, C f32", {0xcc640018, 0x1c421100}, 32, 0, 8, 16, 24, BF16, BF16, F32, BF16,
     1, 1, 1},
    {"f32 of fp8", {0xcc6a0010, 0x1c421100}, 64, 0, 8, 16, 16, FP8, FP8, F32, F32, 1, 1, 1},
    {"f32 of bf8 and fp8", {0xcc6c0010, 0x1c421100}, 64, 0, 8, 16, 16, BF8, FP8, F32, F32, 1, 1, 1},
    {"f16 of fp8 and bf8", {0xcc6f0010, 0x1c421100}, 64, 0, 8, 16, 16, FP8, BF8, F16, F16, 1, 1, 1},
    {"i32 of i8", {0xcc720010, 0x7c421100}, 64, 0, 8, 16, 16, I8, I8, I32, I32, 1, 1, 1},
    {"i32 of u8", {0xcc720010, 0x1c421100}, 64, 0, 8, 16, 16, U8, U8, I32, I32, 1, 1, 1},
};

struct product {
  int a[DIM][MOST_K], b[DIM][MOST_K], c[DIM][DIM];
};

static void put(struct wave *w, unsigned first, unsigned lane, unsigned bit,
                unsigned bits, uint32_t code)
{
  uint32_t mask = bits == 32 ? ~0u : (1u << bits) - 1;
  uint32_t *at = &w->v[first + bit / 32][lane];
  *at = (*at & ~(mask << bit % 32)) | (code & mask) << bit % 32;
}

static void put_input(struct wave *w, unsigned first, enum element f, unsigned k,
                      int x[DIM][MOST_K])
{
  for (unsigned lane = 0; lane < 32; lane++)
    for (unsigned e = 0; e < k / 2; e++) {
      unsigned at = k == 4    ? k_of_4[lane / 16][e]
                    : k == 32 ? k_of_32[lane / 16][e]
                              : k_of_64[lane / 16][e];
      put(w, first, lane, e * bits_of(f), bits_of(f), code_of(f, x[lane % 16][at]));
    }
}

/* Row r of C and D is in register r % 8 of lanes 0 to 15 or 16 to 31. */
static void put_sum(struct wave *w, unsigned first, enum element f, int c[DIM][DIM])
{
  for (unsigned r = 0; r < DIM; r++)
    for (unsigned j = 0; j < DIM; j++)
      put(w, first, (r < 8 ? 0 : 16) + j, r % 8 * bits_of(f), bits_of(f),
          code_of(f, c[r][j]));
}

static void check(const struct form *f, const struct wave *w, const struct product *p)
{
  for (unsigned r = 0; r < DIM; r++)
    for (unsigned j = 0; j < DIM; j++) {
      int sum = f->sign_c * p->c[r][j];
      for (unsigned k = 0; k < f->k; k++)
        sum += f->sign_a * p->a[r][k] * f->sign_b * p->b[j][k];
      unsigned bits = bits_of(f->of_d), bit = r % 8 * bits;
      uint32_t got = w->v[f->d + bit / 32][(r < 8 ? 0 : 16) + j] >> bit % 32;
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
  for (unsigned n = 0; n < DIM; n++)
    for (unsigned k = 0; k < MOST_K; k++) {
      x.a[n][k] = least + (int)(rng_next(r) % (unsigned)(most - least + 1));
      x.b[n][k] = least + (int)(rng_next(r) % (unsigned)(most - least + 1));
    }
  for (unsigned n = 0; n < DIM * DIM; n++)
    x.c[n / DIM][n % DIM] = (int)(rng_next(r) % 201) - 100;
  program_load_for(&p, isa_find("gfx1250"), f->words, 2);
  p.kernel.vgprs = V;
  program_start(&p, 32);
  struct wave *w = &p.group->waves[0];
  put_input(w, f->a, f->of_a, f->k, x.a);
  put_input(w, f->b, f->of_b, f->k, x.b);
  put_sum(w, f->c, f->of_c, x.c);
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
