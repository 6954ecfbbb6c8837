/* valu_forms.c - what surrounds the operation: EXEC, carries, masks, scalar
 * operands, modifiers, SDWA, DPP and MODE. */
// SPDX-License-Identifier: MIT
#include "tests/sim/valu_test.h"

static void lane_numbers(struct bench *b, int n)
{
  for (int l = 0; l < LANES; l++)
    b->v[n][l] = (uint32_t)l;
}

/* --- EXEC, masks, single lanes ------------------------------------------- */

static void exec_keeps_lanes(void **state)
{
  (void)state;
  struct bench b;
  bench_reset(&b);
  lane_numbers(&b, 2);
  v_all(&b, 0, 1000);
  WAVE_EXEC(&b.w) = 0xf0f0f0f0f0f0f0f0;
  const struct inst i = inst_of("v_mov_b32");
  execute(&b, &i);
  for (int l = 0; l < LANES; l++)
    assert_int_equal(b.v[0][l], l & 4 ? (uint32_t)l : 1000);
}

static void wide_with_overlap(void **state)
{
  (void)state;
  struct bench b;
  bench_reset(&b);
  lane_numbers(&b, 3);
  v_all(&b, 4, 1);
  v_all(&b, 2, 4);
  struct inst i = inst_of("v_lshlrev_b64"); /* v[4:5] = v[3:4] << v2 */
  i.src[1] = VGPR(3);
  i.dst = 4;
  execute(&b, &i);
  assert_int_equal(b.v[4][9], 9 << 4);
  assert_int_equal(b.v[5][9], 1 << 4);
}

static void compares_write_masks(void **state)
{
  (void)state;
  struct bench b;
  bench_reset(&b);
  lane_numbers(&b, 2);
  v_all(&b, 4, 8);
  WAVE_EXEC(&b.w) = 0xfffffffffffffffe;
  WAVE_VCC(&b.w) = ALL;
  struct inst i = inst_in("v_cmp_lt_u32", VOPC);
  execute(&b, &i);
  assert_true(WAVE_VCC(&b.w) == 0xfe);
  i = inst_in("v_cmp_ge_u32", VOP3);
  i.sdst = i.dst = 10;
  execute(&b, &i);
  assert_true(b.w.d[5] == 0xffffffffffffff00);
  assert_true(WAVE_EXEC(&b.w) == 0xfffffffffffffffe);
  i = inst_in("v_cmpx_lt_u32", VOPC);
  execute(&b, &i);
  assert_true(WAVE_VCC(&b.w) == 0xfe);
  assert_true(WAVE_EXEC(&b.w) == 0xfe);
}

static void carries(void **state)
{
  (void)state;
  struct bench b;
  bench_reset(&b);
  v_all(&b, 2, 0xffffffff);
  lane_numbers(&b, 4);
  struct inst i = inst_of("v_add_co_u32");
  execute(&b, &i);
  assert_int_equal(b.v[0][0], 0xffffffff);
  assert_int_equal(b.v[0][5], 4);
  assert_true(WAVE_VCC(&b.w) == (ALL & ~1ull));
  i = inst_of("v_addc_co_u32");
  v_all(&b, 4, 0);
  execute(&b, &i);
  assert_int_equal(b.v[0][0], 0xffffffff);
  assert_int_equal(b.v[0][5], 0);
  assert_true(WAVE_VCC(&b.w) == (ALL & ~1ull));
  i = inst_of("v_subb_co_u32"); /* 0xffffffff - 0xffffffff - carry */
  v_all(&b, 4, 0xffffffff);
  execute(&b, &i);
  assert_int_equal(b.v[0][0], 0);
  assert_int_equal(b.v[0][5], 0xffffffff);
  assert_true(WAVE_VCC(&b.w) == (ALL & ~1ull));
  i = inst_of("v_subrev_co_u32");
  v_all(&b, 4, 3);
  v_all(&b, 2, 5);
  WAVE_EXEC(&b.w) = 1;
  execute(&b, &i);
  assert_int_equal(b.v[0][0], 0xfffffffe);
  assert_true(WAVE_VCC(&b.w) == 1);
}

static void wide_products(void **state)
{
  (void)state;
  struct bench b;
  bench_reset(&b);
  v_all(&b, 2, 0xffffffff);
  v_all(&b, 4, 0xffffffff);
  v_all64(&b, 6, 0x1ffffffff);
  struct inst i = inst_of("v_mad_u64_u32"); /* 0xfffffffe00000001 + ... */
  execute(&b, &i);
  assert_int_equal(b.v[0][3], 0);
  assert_int_equal(b.v[1][3], 0);
  assert_true(WAVE_VCC(&b.w) == ALL);
  i = inst_of("v_mad_i64_i32"); /* -1 * -1 + 0x7fffffffffffffff */
  v_all64(&b, 6, 0x7fffffffffffffff);
  execute(&b, &i);
  assert_int_equal(b.v[0][3], 0);
  assert_int_equal(b.v[1][3], 0x80000000);
  assert_true(WAVE_VCC(&b.w) == 0);
}

static void select(void **state)
{
  (void)state;
  struct bench b;
  bench_reset(&b);
  v_all(&b, 2, 1);
  v_all(&b, 4, 2);
  WAVE_VCC(&b.w) = 0x8000000000000002;
  struct inst i = inst_in("v_cndmask_b32", VOP2);
  execute(&b, &i);
  assert_int_equal(b.v[0][0], 1);
  assert_int_equal(b.v[0][1], 2);
  assert_int_equal(b.v[0][63], 2);
  i = inst_in("v_cndmask_b32", VOP3); /* its own mask, and a sign */
  i.src[2] = 20;
  i.neg = 1;
  b.w.d[10] = ~1ull;
  execute(&b, &i);
  assert_int_equal(b.v[0][0], 0x80000001);
  assert_int_equal(b.v[0][1], 2);
}

static void single_lanes(void **state)
{
  (void)state;
  struct bench b;
  bench_reset(&b);
  lane_numbers(&b, 2);
  WAVE_EXEC(&b.w) = 0x100;
  struct inst i = inst_of("v_readfirstlane_b32");
  i.dst = 7;
  execute(&b, &i);
  assert_int_equal(b.w.s[7], 8);
  WAVE_EXEC(&b.w) = 0;
  execute(&b, &i);
  assert_int_equal(b.w.s[7], 0);
  i = inst_of("v_readlane_b32");
  i.dst = 9;
  i.src[1] = 11;
  b.w.s[11] = 64 + 42;
  execute(&b, &i);
  assert_int_equal(b.w.s[9], 42);
  i = inst_of("v_writelane_b32"); /* without a lane on */
  i.src[0] = 9;
  i.src[1] = CODE_INLINE + 3;
  execute(&b, &i);
  assert_int_equal(b.v[0][3], 42);
  assert_int_equal(b.v[0][4], 0);
}

static void lane_counts(void **state)
{
  (void)state;
  struct bench b;
  bench_reset(&b);
  v_all(&b, 2, 0xffffffff);
  struct inst i = inst_of("v_mbcnt_lo_u32_b32");
  execute(&b, &i);
  assert_int_equal(b.v[0][5], 5);
  assert_int_equal(b.v[0][40], 32);
  i = inst_of("v_mbcnt_hi_u32_b32");
  i.src[1] = VGPR(0);
  execute(&b, &i);
  for (int l = 0; l < LANES; l++)
    assert_int_equal(b.v[0][l], (uint32_t)l);
}

static void swap(void **state)
{
  (void)state;
  struct bench b;
  bench_reset(&b);
  v_all(&b, 0, 1);
  v_all(&b, 2, 2);
  WAVE_EXEC(&b.w) = 1;
  const struct inst i = inst_of("v_swap_b32");
  execute(&b, &i);
  assert_int_equal(b.v[0][0], 2);
  assert_int_equal(b.v[2][0], 1);
  assert_int_equal(b.v[0][1], 1);
  assert_int_equal(b.v[2][1], 2);
}

/* --- operands ------------------------------------------------------------ */

static uint32_t with_source(const char *name, unsigned code, uint32_t other)
{
  struct bench b;
  bench_reset(&b);
  b.w.s[4] = 0x3f800000;
  v_all(&b, 4, other);
  struct inst i = inst_of(name);
  i.src[0] = (uint16_t)code;
  i.literal = 0x40490fdb;
  execute(&b, &i);
  assert_int_equal(b.v[0][0], b.v[0][63]);
  return b.v[0][63];
}

static void scalar_sources(void **state)
{
  (void)state;
  assert_int_equal(with_source("v_add_f32", 4, 0x3f800000), 0x40000000);
  assert_int_equal(with_source("v_add_f32", CODE_FLOAT + 1, 0), 0xbf000000);
  assert_int_equal(with_source("v_add_f32", CODE_FLOAT + 8, 0), 0x3e22f983);
  assert_int_equal(with_source("v_add_f32", CODE_LITERAL, 0), 0x40490fdb);
  assert_int_equal(with_source("v_add_u32", CODE_INLINE + 64, 1), 65);
  assert_int_equal(with_source("v_add_u32", CODE_INLINE + 65, 1), 0);
  assert_int_equal(with_source("v_add_f16", CODE_FLOAT + 2, 0x3c00), 0x4000);
  assert_int_equal(with_source("v_add_f16", CODE_FLOAT + 8, 0), 0x3118);
}

static void wide_constants(void **state)
{
  (void)state;
  struct bench b;
  bench_reset(&b);
  struct inst i = inst_of("v_add_f64");
  i.src[0] = CODE_FLOAT + 6; /* 4.0 */
  execute(&b, &i);
  assert_int_equal(b.v[1][0], 0x40100000);
  assert_int_equal(b.v[0][0], 0);
  i = inst_of("v_lshlrev_b64");
  i.src[1] = CODE_INLINE + 65; /* -1 */
  v_all(&b, 2, 8);
  execute(&b, &i);
  assert_int_equal(b.v[0][0], 0xffffff00);
  assert_int_equal(b.v[1][0], 0xffffffff);
}

/* K of madmk and madak is the literal. */
static void constants_in_mad(void **state)
{
  (void)state;
  struct bench b;
  bench_reset(&b);
  v_all(&b, 2, 0x40000000);
  v_all(&b, 4, 0x3f800000);
  struct inst i = inst_of("v_madmk_f32"); /* 2 * 3 + 1 */
  i.literal = 0x40400000;
  i.src[2] = i.src[1];
  i.src[1] = CODE_LITERAL;
  execute(&b, &i);
  assert_int_equal(b.v[0][0], 0x40e00000);
  i = inst_of("v_madak_f32"); /* 2 * 1 + 3 */
  i.literal = 0x40400000;
  i.src[2] = CODE_LITERAL;
  execute(&b, &i);
  assert_int_equal(b.v[0][0], 0x40a00000);
}

/* --- modifiers ----------------------------------------------------------- */

static uint32_t modified(const char *name, uint32_t a, uint32_t c,
                         struct inst with, uint32_t mode)
{
  struct bench b;
  bench_reset(&b);
  b.w.mode = mode;
  v_all(&b, 0, 0xaaaabbbb);
  v_all(&b, 2, a);
  v_all(&b, 4, c);
  struct inst i = inst_in(name, VOP3);
  i.neg = with.neg;
  i.abs = with.abs;
  i.omod = with.omod;
  i.opsel = with.opsel;
  i.flags |= with.flags;
  execute(&b, &i);
  return b.v[0][17];
}
#define WITH(...) ((struct inst){__VA_ARGS__})

static void signs(void **state)
{
  (void)state;
  const uint32_t one = 0x3f800000, m2 = 0xc0000000;
  assert_int_equal(modified("v_add_f32", one, m2, WITH(.neg = 2), 0x3f0),
                   0x40400000);
  assert_int_equal(modified("v_add_f32", one, m2, WITH(.abs = 2), 0x3f0),
                   0x40400000);
  assert_int_equal(
      modified("v_add_f32", one, m2, WITH(.abs = 2, .neg = 2), 0x3f0),
      0xbf800000);
  assert_int_equal(modified("v_add_f16", 0x3c00, 0x4000, WITH(.neg = 1), 0x3f0),
                   0x3c00);
}

/* omod needs flushed denormals and no IEEE mode. */
static void output_modifiers(void **state)
{
  (void)state;
  const uint32_t one = 0x3f800000, two = 0x40000000;
  const uint32_t flushing = 0x1c0;
  assert_int_equal(modified("v_add_f32", one, one, WITH(.omod = 1), flushing),
                   0x40800000);
  assert_int_equal(modified("v_add_f32", one, one, WITH(.omod = 2), flushing),
                   0x41000000);
  assert_int_equal(modified("v_add_f32", one, one, WITH(.omod = 3), flushing),
                   one);
  assert_int_equal(modified("v_add_f32", one, one, WITH(.omod = 1), 0x3f0),
                   two);
  assert_int_equal(
      modified("v_add_f32", 0x80000000, 0x80000000, WITH(.omod = 1), flushing),
      0);
}

static void clamps(void **state)
{
  (void)state;
  const struct inst clamp = {.flags = INST_CLAMP};
  const uint32_t one = 0x3f800000;
  assert_int_equal(modified("v_add_f32", one, one, clamp, 0x3f0), one);
  assert_int_equal(modified("v_add_f32", 0xbf800000, 0, clamp, 0x3f0), 0);
  assert_int_equal(modified("v_add_f32", 0x7fc00000, 0, clamp, 0x3f0), 0);
  assert_int_equal(modified("v_add_f32", 0x7fc00000, 0, clamp, 0x2f0),
                   0x7fc00000);
  assert_int_equal(modified("v_add_f16", 0x3e00, 0x3e00, clamp, 0x3f0), 0x3c00);
  assert_int_equal(modified("v_add_u32", 0xffffffff, 9, clamp, 0x3f0),
                   0xffffffff);
  assert_int_equal(modified("v_sub_u32", 1, 9, clamp, 0x3f0), 0);
  assert_int_equal(modified("v_add_i32", 0x7fffffff, 9, clamp, 0x3f0),
                   0x7fffffff);
  assert_int_equal(modified("v_sub_i32", 0x80000000, 9, clamp, 0x3f0),
                   0x80000000);
  assert_int_equal(modified("v_add_u16", 0xffff, 9, clamp, 0x3f0), 0xffff);
  assert_int_equal(modified("v_sub_i16", 0x8000, 9, clamp, 0x3f0), 0xaaaa8000);
  assert_int_equal(modified("v_mul_lo_u32", 0xffffffff, 9, clamp, 0x3f0),
                   0xfffffff7);
}

/* op_sel picks halves; results of the older instructions clear the other. */
static void halves(void **state)
{
  (void)state;
  assert_int_equal(modified("v_add_i16", 0x00010002, 0x00030004,
                            WITH(.opsel = 1), 0x3f0), 0xaaaa0005);
  assert_int_equal(modified("v_add_i16", 0x00010002, 0x00030004,
                            WITH(.opsel = 2 | 8), 0x3f0), 0x0005bbbb);
  assert_int_equal(modified("v_add_u16", 0x00010002, 0x00030004, WITH(0),
                            0x3f0), 6);
}

/* --- MODE ---------------------------------------------------------------- */

static void denormals(void **state)
{
  (void)state;
  const uint32_t tiny = 0x00000001, half = 0x3f000000, least = 0x00800000;
  assert_int_equal(modified("v_add_f32", tiny, 0, WITH(0), 0x3f0), tiny);
  assert_int_equal(modified("v_add_f32", tiny, 0, WITH(0), 0x3e0), 0);
  assert_int_equal(modified("v_mul_f32", least, half, WITH(0), 0x3f0),
                   0x00400000);
  assert_int_equal(modified("v_mul_f32", least, half, WITH(0), 0x3d0), 0);
  assert_int_equal(modified("v_mul_f32", 0x80800000, half, WITH(0), 0x3d0),
                   0x80000000);
  assert_int_equal(modified("v_add_f16", 1, 0, WITH(0), 0x3f0), 1);
  assert_int_equal(modified("v_add_f16", 1, 0, WITH(0), 0x330), 0);
  assert_int_equal(modified("v_mov_b32", tiny, 0, WITH(0), 0x300), tiny);
}

/* 1 + 2^-24 lies between 1 and the next f32, 1 + 2^-11 between f16s. */
static void rounding(void **state)
{
  (void)state;
  static const uint32_t up32[4] = {0, 1, 0, 0}, down32[4] = {0, 0, 1, 0};
  static const uint32_t bytes[4] = {2, 3, 2, 2}; /* of 2.5 */
  for (uint32_t r = 0; r < 4; r++) {
    const uint32_t one = 0x3f800000, bit = 0x33800000;
    assert_int_equal(modified("v_add_f32", one, bit, WITH(0), 0x3f0 | r),
                     one + up32[r]);
    assert_int_equal(modified("v_add_f32", one | 1u << 31, bit | 1u << 31,
                              WITH(0), 0x3f0 | r),
                     (one | 1u << 31) + down32[r]);
    assert_int_equal(modified("v_add_f16", 0x3c00, 0x1000, WITH(0),
                              0x3f0 | r << 2), 0x3c00 + up32[r]);
    assert_int_equal(modified("v_cvt_f16_f32", 0x3f801000, 0, WITH(0),
                              0x3f0 | r << 2), 0x3c00 + up32[r]);
    assert_int_equal(modified("v_rndne_f32", 0x40200000, 0, WITH(0), 0x3f0 | r),
                     0x40000000);
    assert_int_equal(modified("v_cvt_pk_u8_f32", 0x40200000, 0, WITH(0),
                              0x3f0 | r) & 0xff, bytes[r]);
  }
}

/* FP16_OVFL holds for the scaled result, in any rounding, and takes sources as
 * they are after their modifiers: a denormal that is flushed is a zero. */
static void overflow(void **state)
{
  (void)state;
  const uint32_t bound = MODE_FP16_OVFL, flushing = 0x100 | bound;
  for (uint32_t r = 0; r < 4; r++)
    assert_int_equal(modified("v_mul_f16", 0x7bff, 0x4000, WITH(.neg = 1),
                              0x3f0 | bound | r << 2), 0xfbff);
  assert_int_equal(modified("v_add_f16", 0x7bff, 0, WITH(.omod = 1), flushing),
                   0x7bff);
  assert_int_equal(modified("v_add_f16", 0x7c00, 0, WITH(.omod = 1), flushing),
                   0x7c00);
  assert_int_equal(modified("v_mad_f16", 0x7bff, 0x40007c00, WITH(.opsel = 10),
                            0x3f0 | bound), 0x7bffbbbb);
  assert_int_equal(modified("v_rcp_f16", 1, 0, WITH(0), flushing), 0x7c00);
}

static void ieee_minimum(void **state)
{
  (void)state;
  const uint32_t signals = 0x7f800001, two = 0x40000000;
  assert_int_equal(modified("v_min_f32", two, signals, WITH(0), 0x3f0),
                   0x7fc00001);
  assert_int_equal(modified("v_min_f32", two, signals, WITH(0), 0x1f0), two);
  assert_int_equal(modified("v_max_f16", 0x7c01, 0x4000, WITH(0), 0x1f0),
                   0x4000);
}

/* --- SDWA and DPP -------------------------------------------------------- */

static uint32_t sdwa(const char *name, uint32_t a, uint32_t c,
                     struct inst with)
{
  struct bench b;
  bench_reset(&b);
  v_all(&b, 0, 0x11223344);
  v_all(&b, 2, a);
  v_all(&b, 4, c);
  struct inst i = inst_of(name);
  i.flags |= INST_SDWA | with.flags;
  i.dsel = with.dsel;
  i.dunused = with.dunused;
  i.ssel[0] = with.ssel[0];
  i.ssel[1] = with.ssel[1];
  i.sext = with.sext;
  i.neg = with.neg;
  execute(&b, &i);
  return b.v[0][63];
}
enum {PAD, SEXT, PRESERVE};

static void subwords(void **state)
{
  (void)state;
  const uint32_t a = 0x80ff0201, c = 0x01020304;
  assert_int_equal(sdwa("v_add_u32", a, c, WITH(.ssel = {SEL_BYTE3, SEL_BYTE1},
                                               .dsel = SEL_DWORD)), 0x83);
  assert_int_equal(sdwa("v_add_u32", a, c, WITH(.ssel = {SEL_BYTE3, SEL_BYTE1},
                                               .sext = 1, .dsel = SEL_DWORD)),
                   0xffffff83);
  assert_int_equal(sdwa("v_add_u32", a, c, WITH(.ssel = {SEL_WORD1, SEL_WORD0},
                                               .dsel = SEL_WORD1)), 0x84030000);
  assert_int_equal(sdwa("v_add_u32", a, c, WITH(.ssel = {SEL_WORD1, SEL_WORD0},
                                               .dsel = SEL_BYTE1,
                                               .dunused = SEXT)), 0x00000300);
  assert_int_equal(sdwa("v_mov_b32", a, c, WITH(.ssel = {SEL_BYTE2},
                                               .dsel = SEL_BYTE2,
                                               .dunused = SEXT)), 0xffff0000);
  assert_int_equal(sdwa("v_mov_b32", a, c, WITH(.ssel = {SEL_BYTE2},
                                               .dsel = SEL_BYTE2,
                                               .dunused = PRESERVE)),
                   0x11ff3344);
  assert_int_equal(sdwa("v_add_f16", 0x3c000000, 0x4000,
                        WITH(.ssel = {SEL_WORD1, SEL_WORD0}, .neg = 1,
                             .dsel = SEL_WORD1, .dunused = PRESERVE)),
                   0x3c003344);
}

static void sdwa_compare(void **state)
{
  (void)state;
  struct bench b;
  bench_reset(&b);
  v_all(&b, 2, 0x00050000);
  v_all(&b, 4, 5);
  struct inst i = inst_in("v_cmp_eq_u32", VOPC);
  i.flags |= INST_SDWA;
  i.ssel[0] = SEL_WORD1;
  i.ssel[1] = SEL_DWORD;
  i.sdst = 30;
  execute(&b, &i);
  assert_true(b.w.d[15] == ALL);
  assert_true(WAVE_VCC(&b.w) == 0);
}

/* The lane that each lane reads, -1 where nothing is written. */
static void check_dpp(unsigned ctrl, int flags, const int want[LANES])
{
  struct bench b;
  bench_reset(&b);
  for (int l = 0; l < LANES; l++)
    b.v[2][l] = (uint32_t)l + 100;
  v_all(&b, 0, 7);
  struct inst i = inst_of("v_mov_b32");
  i.flags |= (uint16_t)(INST_DPP | flags);
  i.dpp = (uint16_t)ctrl;
  i.rowmask = i.bankmask = 15;
  execute(&b, &i);
  for (int l = 0; l < LANES; l++) {
    const uint32_t old = flags & INST_BOUND_CTRL ? 0 : 7;
    const uint32_t expected = want[l] < 0 ? old : (uint32_t)want[l] + 100;
    if (b.v[0][l] != expected)
      fail_msg("dpp_ctrl %#x: lane %d is %u, expected %u", ctrl, l, b.v[0][l],
               expected);
  }
}

#define CHECK_DPP(ctrl, expr)                                                \
  do {                                                                       \
    int want[LANES];                                                         \
    for (int l = 0; l < LANES; l++)                                          \
      want[l] = (expr);                                                      \
    check_dpp(ctrl, 0, want);                                                \
    check_dpp(ctrl, INST_BOUND_CTRL, want);                                  \
  } while (0)

static void dpp_moves(void **state)
{
  (void)state;
  CHECK_DPP(0xe4, l);
  CHECK_DPP(0x1b, l / 4 * 4 + 3 - l % 4);
  CHECK_DPP(0x00, l / 4 * 4);
  CHECK_DPP(0x103, l % 16 + 3 < 16 ? l + 3 : -1);
  CHECK_DPP(0x11f, l % 16 >= 15 ? l - 15 : -1);
  CHECK_DPP(0x124, l / 16 * 16 + (l % 16 + 12) % 16);
  CHECK_DPP(0x130, l < 63 ? l + 1 : -1);
  CHECK_DPP(0x134, (l + 1) % 64);
  CHECK_DPP(0x138, l - 1);
  CHECK_DPP(0x13c, (l + 63) % 64);
  CHECK_DPP(0x140, l / 16 * 16 + 15 - l % 16);
  CHECK_DPP(0x141, l / 8 * 8 + 7 - l % 8);
  CHECK_DPP(0x142, l < 16 ? -1 : l / 16 * 16 - 1);
  CHECK_DPP(0x143, l < 32 ? -1 : 31);
}

/* A wave's sum by DPP, as compilers write it: the last lane has it all. */
static void dpp_reduction(void **state)
{
  (void)state;
  static const struct {
    uint16_t ctrl;
    uint8_t rows, banks;
  } steps[] = { {0x111, 15, 15}, {0x112, 15, 15}, {0x114, 15, 14},
                {0x118, 15, 12}, {0x142, 10, 15}, {0x143, 12, 15} };
  struct bench b;
  bench_reset(&b);
  lane_numbers(&b, 0);
  for (size_t n = 0; n < sizeof steps / sizeof *steps; n++) {
    struct inst i = inst_of("v_add_u32");
    i.src[0] = i.src[1] = VGPR(0);
    i.flags |= INST_DPP;
    i.dpp = steps[n].ctrl;
    i.rowmask = steps[n].rows;
    i.bankmask = steps[n].banks;
    execute(&b, &i);
  }
  assert_int_equal(b.v[0][63], 63 * 64 / 2);
  assert_int_equal(b.v[0][31], 31 * 32 / 2);
}

static void dpp_reads_lanes_that_are_off(void **state)
{
  (void)state;
  struct bench b;
  bench_reset(&b);
  v_all(&b, 2, 9);
  v_all(&b, 0, 7);
  WAVE_EXEC(&b.w) = ~2ull;
  struct inst i = inst_of("v_mov_b32"); /* lane 0 reads lane 1 */
  i.flags |= INST_DPP;
  i.dpp = 0x101;
  i.rowmask = i.bankmask = 15;
  execute(&b, &i);
  assert_int_equal(b.v[0][0], 7);
  i.flags |= INST_BOUND_CTRL;
  execute(&b, &i);
  assert_int_equal(b.v[0][0], 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(exec_keeps_lanes),
    cmocka_unit_test(wide_with_overlap),
    cmocka_unit_test(compares_write_masks),
    cmocka_unit_test(carries),
    cmocka_unit_test(wide_products),
    cmocka_unit_test(select),
    cmocka_unit_test(single_lanes),
    cmocka_unit_test(lane_counts),
    cmocka_unit_test(swap),
    cmocka_unit_test(scalar_sources),
    cmocka_unit_test(wide_constants),
    cmocka_unit_test(constants_in_mad),
    cmocka_unit_test(signs),
    cmocka_unit_test(output_modifiers),
    cmocka_unit_test(clamps),
    cmocka_unit_test(halves),
    cmocka_unit_test(denormals),
    cmocka_unit_test(rounding),
    cmocka_unit_test(overflow),
    cmocka_unit_test(ieee_minimum),
    cmocka_unit_test(subwords),
    cmocka_unit_test(sdwa_compare),
    cmocka_unit_test(dpp_moves),
    cmocka_unit_test(dpp_reduction),
    cmocka_unit_test(dpp_reads_lanes_that_are_off),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
