/* gfx950.c - what gfx950 has beyond gfx942, but for its conversions
 * (convert_small.c), matrix cores and LDS: each from its definition in AMD's "CDNA4
 * Instruction Set Architecture", on random registers. Words are llvm-mc 22's.
 */
// SPDX-License-Identifier: MIT
#include <math.h>

#include "base/rng.h"
#include "tests/sim/program.h"

enum {REGISTERS = 8, PRIVATE = 64, LDS = 4096, M0 = 512};

struct bench {
  struct program p;
  struct wave *w;
  uint32_t before[REGISTERS][LANES];
};

static void start(struct bench *b, const uint32_t words[2], struct rng *r)
{
  unsigned n = words[1] ? 2 : 1;
  program_load_for(&b->p, isa_find("gfx950"), words, n);
  b->p.kernel.scratch = PRIVATE;
  b->p.dispatch.lds = LDS;
  program_start(&b->p, LANES);
  b->w = b->p.group->waves;
  b->w->mode = MODE_DENORM_32 | MODE_DENORM_64;
  for (unsigned v = 0; v < REGISTERS; v++)
    for (unsigned l = 0; l < LANES; l++)
      b->w->v[v][l] = (uint32_t)rng_next(r);
}

static void step(struct bench *b)
{
  memcpy(b->before, b->w->v, sizeof b->before);
  wave_step(b->w);
  if (b->w->state != WAVE_RUN)
    fail_msg("%s", b->w->fault.text);
}

static void any_exec(struct bench *b, struct rng *r)
{
  uint64_t exec = rng_next(r);
  memcpy(&b->w->s[CODE_EXEC], &exec, sizeof exec);
}

static float as_float(uint32_t u)
{
  float x;
  memcpy(&x, &u, sizeof x);
  return x;
}

/* --- instructions of single lanes: v0 of v1, v2, v3 ------------------------ */

typedef uint32_t result_fn(uint32_t old, uint32_t a, uint32_t b, uint32_t c);

static uint32_t prng(uint32_t old, uint32_t a, uint32_t b, uint32_t c)
{
  (void)old, (void)b, (void)c;
  return a << 1 ^ (a >> 31 ? 197 : 0);
}

static uint32_t bounded(int32_t x, int least, int most)
{
  return (uint32_t)(x < least ? least : x > most ? most : x) & 255;
}

static uint32_t ashr_i8(uint32_t old, uint32_t a, uint32_t b, uint32_t c)
{
  return (old & 0xffff0000) | bounded((int32_t)a >> (c & 31), -128, 127) |
         bounded((int32_t)b >> (c & 31), -128, 127) << 8;
}

static uint32_t ashr_u8_high(uint32_t old, uint32_t a, uint32_t b, uint32_t c)
{
  return (old & 0xffff) | bounded((int32_t)a >> (c & 31), 0, 255) << 16 |
         bounded((int32_t)b >> (c & 31), 0, 255) << 24;
}

static float half(uint32_t x, unsigned high)
{
  return as_float(high ? x & 0xffff0000 : x << 16);
}

static uint32_t bits(float x)
{
  uint32_t u;
  memcpy(&u, &x, sizeof u);
  return u;
}

static uint32_t dot2(uint32_t old, uint32_t a, uint32_t b, uint32_t c)
{
  (void)old;
  volatile float first = half(a, 0) * half(b, 0), second = half(a, 1) * half(b, 1);
  volatile float sum = first + second;
  return bits(sum + as_float(c));
}

static uint32_t dot2_negated(uint32_t old, uint32_t a, uint32_t b, uint32_t c)
{
  return dot2(old, a ^ 0x8000, b, c);
}

static uint32_t dot2c(uint32_t old, uint32_t a, uint32_t b, uint32_t c)
{
  (void)c;
  volatile float first = as_float(old) + half(a, 0) * half(b, 0);
  return bits(first + half(a, 1) * half(b, 1));
}

/* A NaN if there is one, and -0 before 0. */
static float least(float a, float b)
{
  if (isnan(a) || isnan(b))
    return NAN;
  return a < b || (a <= b && signbit(a)) ? a : b;
}

static uint32_t minimum3(uint32_t old, uint32_t a, uint32_t b, uint32_t c)
{
  (void)old;
  return bits(least(least(as_float(a), as_float(b)), as_float(c)));
}

static uint32_t maximum3(uint32_t old, uint32_t a, uint32_t b, uint32_t c)
{
  const uint32_t sign = 1u << 31;
  return minimum3(old, a ^ sign, b ^ sign, c ^ sign) ^ sign;
}

static const struct {
  uint32_t words[2];
  result_fn *result;
  int floats; /* other NaNs are as good; exponents near 1, but for some specials */
} lanewise[] = {
    {{0x7e00b101, 0}, prng, 0},
    {{0xd2650000, 0x040e0501}, ashr_i8, 0},
    {{0xd2664000, 0x040e0501}, ashr_u8_high, 0},
    {{0xd39a4000, 0x1c0e0501}, dot2, 1},
    {{0xd39a4000, 0x3c0e0501}, dot2_negated, 1},
    {{0x2c000501, 0}, dot2c, 1},
    {{0xd2a80000, 0x040e0501}, minimum3, 1},
    {{0xd2a90000, 0x040e0501}, maximum3, 1},
};

static uint32_t any_float(struct rng *r)
{
  static const uint32_t special[] = {0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000,
                                     0xffffffff, 0x7f800001, 1};
  uint32_t u = (uint32_t)rng_next(r);
  return rng_next(r) % 8 ? (u & 0x83ffffff) | 0x3c000000 : special[u % 8];
}

static int same(uint32_t a, uint32_t b, int floats)
{
  return a == b || (floats && isnan(as_float(a)) && isnan(as_float(b)));
}

static void test_lanewise(void **state)
{
  struct rng r;
  (void)state;
  rng_seed(&r, 950);
  for (size_t n = 0; n < sizeof lanewise / sizeof *lanewise * 8; n++) {
    size_t k = n / 8;
    struct bench b;
    start(&b, lanewise[k].words, &r);
    for (unsigned v = 0; v < 4 && lanewise[k].floats; v++)
      for (unsigned l = 0; l < LANES; l++)
        b.w->v[v][l] = any_float(&r);
    any_exec(&b, &r);
    step(&b);
    for (unsigned l = 0; l < LANES; l++) {
      uint32_t want = b.before[0][l];
      if (WAVE_EXEC(b.w) >> l & 1)
        want = lanewise[k].result(want, b.before[1][l], b.before[2][l], b.before[3][l]);
      if (!same(b.w->v[0][l], want, lanewise[k].floats))
        fail_msg("row %zu, lane %u: of 0x%x, 0x%x, 0x%x comes 0x%x, not 0x%x", k, l,
                 b.before[1][l], b.before[2][l], b.before[3][l], b.w->v[0][l], want);
    }
    program_close(&b.p);
  }
}

/* Packed halves: NaN, the least, -0 before 0. */
static void test_packed(void **state)
{
  static const struct {
    uint32_t a, b, c, least, most;
  } rows[] = {
      {0x3c003c00, 0x40004000, 0x42004200, 0x3c003c00, 0x42004200},
      {0x80000000, 0x00008000, 0x00000000, 0x80008000, 0x00000000},
      {0x7e003c00, 0x40004000, 0x42004200, 0x7e003c00, 0x7e004200},
      {0x3c003c00, 0x40007d00, 0x42004200, 0x3c007f00, 0x42007f00},
  };
  struct rng r;
  (void)state;
  rng_seed(&r, 1);
  for (size_t n = 0; n < sizeof rows / sizeof *rows; n++)
    for (int most = 0; most < 2; most++) {
      uint32_t words[2] = {most ? 0xd39c4000 : 0xd39b4000, 0x1c0e0501};
      struct bench b;
      start(&b, words, &r);
      for (unsigned l = 0; l < LANES; l++) {
        b.w->v[1][l] = rows[n].a;
        b.w->v[2][l] = rows[n].b;
        b.w->v[3][l] = rows[n].c;
      }
      step(&b);
      assert_int_equal(b.w->v[0][33], most ? rows[n].most : rows[n].least);
      program_close(&b.p);
    }
}

/* --- rows that change places ----------------------------------------------- */

static const struct {
  uint32_t words[2];
  unsigned rows;
} swaps[] = {{{0x7e00b301, 0}, 16}, {{0x7e00b501, 0}, 32}};

static void test_swaps(void **state)
{
  struct rng r;
  (void)state;
  rng_seed(&r, 2);
  for (int n = 0; n < 2; n++) {
    struct bench b;
    start(&b, swaps[n].words, &r);
    step(&b);
    for (unsigned l = 0; l < LANES; l++) {
      int odd = !!(l & swaps[n].rows);
      unsigned other = l ^ swaps[n].rows;
      assert_int_equal(b.w->v[0][l], odd ? b.before[1][other] : b.before[0][l]);
      assert_int_equal(b.w->v[1][l], odd ? b.before[1][l] : b.before[0][other]);
    }
    program_close(&b.p);
  }
}

/* Lane 0 is off: it stays, and what lane 16 gets in its place is as asked. */
static void test_swaps_in_part(void **state)
{
  static const uint32_t words[][2] = {{0x7e00b301, 0}, {0xd1991000, 1 + 256},
                                      {0xd1990800, 1 + 256}};
  struct rng r;
  (void)state;
  rng_seed(&r, 3);
  for (int n = 0; n < 3; n++) {
    struct bench b;
    start(&b, words[n], &r);
    b.w->s[CODE_EXEC] &= ~1u;
    step(&b);
    const uint32_t want[] = {b.before[0][16], 0, b.before[1][0]};
    assert_int_equal(b.w->v[1][0], b.before[1][0]);
    assert_int_equal(b.w->v[0][16], want[n]);
    assert_int_equal(b.w->v[0][17], b.before[1][1]);
    program_close(&b.p);
  }
}

/* --- 8-bit floats by SDWA and DPP ------------------------------------------ */

static void test_selected(void **state)
{
  static const uint32_t byte[2] = {0x7e00a8f9, 0x00020601}; /* BYTE_2 */
  static const uint32_t word[2] = {0x7e04aef9, 0x00050601}; /* WORD_1, to v[2:3] */
  static const uint32_t dpp[2] = {0x7e00aafa, 0xff00b101};  /* quad_perm:[1,0,3,2] */
  struct rng r;
  struct bench b;
  (void)state;
  rng_seed(&r, 4);
  start(&b, byte, &r);
  b.w->v[1][7] = 0x00c10000; /* -2.25 as e4m3 */
  step(&b);
  assert_true(as_float(b.w->v[0][7]) == -2.25f);
  program_close(&b.p);
  start(&b, word, &r);
  b.w->v[1][7] = 0x3cbd0000; /* 1, -1.25 as e5m2 */
  step(&b);
  assert_true(as_float(b.w->v[2][7]) == -1.25f);
  assert_true(as_float(b.w->v[3][7]) == 1.0f);
  program_close(&b.p);
  start(&b, dpp, &r);
  b.w->v[1][6] = 0x3c;
  step(&b);
  assert_true(as_float(b.w->v[0][7]) == 1.0f);
  program_close(&b.p);
}

/* A pair of registers by the one DPP that there is for them, row_newbcast:5. */
static void test_pairs(void **state)
{
  static const uint32_t move[2] = {0x7e0070fa, 0xff015502};    /* v_mov_b64 */
  static const uint32_t convert[2] = {0x7e001efa, 0xff015502}; /* v_cvt_f32_f64 */
  struct rng r;
  struct bench b;
  (void)state;
  rng_seed(&r, 6);
  start(&b, move, &r);
  step(&b);
  for (unsigned l = 0; l < LANES; l++)
    for (unsigned n = 0; n < 2; n++)
      assert_int_equal(b.w->v[n][l], b.before[2 + n][(l & 48) + 5]);
  program_close(&b.p);
  start(&b, convert, &r);
  b.w->v[2][21] = 0;
  b.w->v[3][21] = 0xc0080000; /* -3 */
  step(&b);
  assert_true(as_float(b.w->v[0][16]) == -3.0f && as_float(b.w->v[0][31]) == -3.0f);
  program_close(&b.p);
}

/* --- private memory to LDS ------------------------------------------------- */

/* The offset, of the private address and of LDS, is in the instruction. */
static void test_scratch(void **state)
{
  static const struct {
    uint32_t words[2];
    unsigned bytes, offset;
    int sign;
  } loads[] = {{{0xdca86008, 0x007f0001}, 4, 8, 0}, {{0xdc9c6000, 0x007f0001}, 1, 0, 1},
               {{0xdca06000, 0x007f0001}, 2, 0, 0}};
  struct rng r;
  (void)state;
  rng_seed(&r, 5);
  for (size_t n = 0; n < sizeof loads / sizeof *loads; n++) {
    struct bench b;
    start(&b, loads[n].words, &r);
    uint32_t *private = (uint32_t *)(uintptr_t)b.w->scratch;
    for (unsigned d = 0; d < PRIVATE / 4 * LANES; d++)
      private[d] = (uint32_t)rng_next(&r);
    for (unsigned l = 0; l < LANES; l++)
      b.w->v[1][l] = l % 12 * 4;
    memset(b.p.group->lds, 0, LDS);
    b.w->s[CODE_M0] = M0;
    step(&b);
    for (unsigned l = 0; l < LANES; l++) {
      uint32_t want = private[(l % 12 + loads[n].offset / 4) * LANES + l], got;
      unsigned unused = 32 - 8 * loads[n].bytes;
      want = loads[n].sign ? (uint32_t)((int32_t)(want << unused) >> unused)
                           : want << unused >> unused;
      memcpy(&got, b.p.group->lds + M0 + loads[n].offset + 4 * l, 4);
      assert_int_equal(got, want);
    }
    program_close(&b.p);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lanewise),      cmocka_unit_test(test_packed),
      cmocka_unit_test(test_swaps),         cmocka_unit_test(test_swaps_in_part),
      cmocka_unit_test(test_selected),      cmocka_unit_test(test_pairs),
      cmocka_unit_test(test_scratch)};
  return cmocka_run_group_tests_name("gfx950", tests, NULL, NULL);
}
