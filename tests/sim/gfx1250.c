/* gfx1250.c - instructions that GFX12 has and GFX9 has not, word by word.
 *
 * Words are those of llvm-mc 22 for the text beside them; results follow from the
 * operation's definition, here in the plainest C.
 */
// SPDX-License-Identifier: MIT
#include "tests/sim/program.h"

enum {V = 12}; /* VGPRs */

/* Lane 0 before: v4..v7; after: v4, v5. */
struct case_of {
  const char *text;
  uint32_t words[3];
  int nwords;
  uint32_t before[4], m0, after[2];
};

static void start(struct program *p, const uint32_t *words, int n)
{
  program_load_for(p, isa_find("gfx1250"), words, (size_t)n);
  p->kernel.vgprs = V;
  program_start(p, 32);
  memset(p->group->waves[0].v, 0, V * sizeof *p->group->waves[0].v);
}

static void run_case(const struct case_of *c)
{
  struct program p;
  start(&p, c->words, c->nwords);
  struct wave *w = &p.group->waves[0];
  for (int n = 0; n < 4; n++)
    w->v[4 + n][0] = c->before[n];
  w->s[CODE_M0] = c->m0;
  wave_step(w);
  if (w->state != WAVE_RUN)
    fail_msg("%s: %s", c->text, w->fault.text);
  for (int n = 0; n < 2; n++)
    if (w->v[4 + n][0] != c->after[n])
      fail_msg("%s: v%d is 0x%x, not 0x%x", c->text, 4 + n, w->v[4 + n][0],
               c->after[n]);
  program_close(&p);
}

static void test_vector(void **state)
{
  static const struct case_of cases[] = {
      /* a ^ b ^ c, of v5's upper half; what is above the result stays */
      {"v_bitop3_b16 0x96 op_sel 1000", {0xd6330a04, 0xd41e0d05}, 2,
       {0x11112222, 0xf0f05555, 0xaaaa00ff, 0x55550f0f}, 0,
       {0x1111ff00, 0xf0f05555}},
      /* a ? b : c, b v6's upper half, into the upper half */
      {"v_bitop3_b16 0xca op_sel 0101", {0xd6335104, 0x5c1e0d05}, 2,
       {0x11112222, 0xf0f0ff00, 0xaaaa5555, 0x55550f0f}, 0,
       {0xaa0f2222, 0xf0f0ff00}},
      {"v_add_min_u32, saturating", {0xd6610004, 0x041e0d05}, 2,
       {0, 0xffffffff, 2, 0xfffffffe}, 0, {0xfffffffe, 0xffffffff}},
      {"v_add_min_u32", {0xd6610004, 0x041e0d05}, 2,
       {0, 3, 4, 100}, 0, {7, 3}},
      {"v_add_max_i32, saturating", {0xd65e0004, 0x041e0d05}, 2,
       {0, 0x80000000, 0xffffffff, 0x80000000}, 0, {0x80000000, 0x80000000}},
      {"v_movrels_b32 v4, v5", {0x7e088705}, 1, {1, 2, 3, 4}, 2, {4, 2}},
      {"v_movreld_b32 v4, v5", {0x7e088505}, 1, {1, 2, 3, 4}, 1, {1, 2}},
      {"v_swap_b32 v4, v5", {0x7e08cb05}, 1, {1, 2, 3, 4}, 0, {2, 1}},
      /* src_flat_scratch_base_lo: both halves of where private memory is */
      {"v_add_nc_u64 of the scratch base", {0x50080ce6}, 1,
       {0, 0, 16, 3}, 0, {16, (uint32_t)(APERTURE_LANES >> 32) + 3}},
      /* halves 1.0, 2.0, 4.0; then 3.0, 1.0, -2.0 */
      {"v_pk_max3_num_f16", {0xcc394004, 0x1c1e0d05}, 2,
       {0, 0x42003c00, 0x3c004000, 0xc0004400}, 0, {0x42004400, 0x42003c00}},
      /* 1 * 3 - 128 * 2 + 2 * 1 - 1 * 255 + 1000 */
      {"v_dot4_i32_iu8, a has signs", {0xcc164004, 0x3c1e0d05}, 2,
       {0, 0xff028001, 0xff010203, 1000}, 0, {494, 0xff028001}},
      /* 1 * 3 + 128 * 2 + 2 * 1 - 255 * 1 + 1000 */
      {"v_dot4_i32_iu8, b has signs", {0xcc164004, 0x5c1e0d05}, 2,
       {0, 0xff028001, 0xff010203, 1000}, 0, {1006, 0xff028001}},
      {"v_dot4_i32_iu8, saturating", {0xcc16c004, 0x1c1e0d05}, 2,
       {0, 0xff028001, 0xff010203, 0x7ffffff0}, 0, {0x7fffffff, 0xff028001}},
      /* -1 * 2 - 8 * 7 + 63 */
      {"v_dot8_i32_iu4, both have signs", {0xcc184004, 0x7c1e0d05}, 2,
       {0, 0x8000000f, 0x70000002, 63}, 0, {5, 0x8000000f}},
      /* 1 + 2^-11 and 1 + 3 * 2^-11 lie between two halves each: to the even */
      {"v_cvt_pk_f16_f32", {0xd76f0004, 0x00020d05}, 2,
       {0, 0x3f801000, 0x3f803000, 0}, 0, {0x3c023c00, 0x3f801000}},
  };
  (void)state;
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
    run_case(&cases[n]);
}

/* The second half of v_dual_mov_b32 v7, v8 :: v_dual_bitop2_b32 v4, v5, v6. */
static void test_bitop2(void **state)
{
  static const struct {
    uint32_t table, want;
  } cases[] = {{0x14, 0x66}, {0x40, 0x11}, {0x54, 0x77}}; /* ^ & | */
  (void)state;
  for (size_t n = 0; n < 3; n++) {
    const uint32_t words[] = {0xcf212108, 0x00000105,
                              0x04000607 | cases[n].table << 16};
    struct program p;
    struct inst i;
    start(&p, words, 3);
    struct wave *w = &p.group->waves[0];
    w->v[5][0] = 0x33, w->v[6][0] = 0x55;
    assert_int_equal(decode_second(p.object.isa, words, 3, &i), 3);
    exec_bind(&i, 1);
    assert_string_equal(inst_name(&i), "v_dual_bitop2_b32");
    i.exec(w, &i);
    assert_int_equal(w->v[4][0], cases[n].want);
    program_close(&p);
  }
}

/* v_cmpx_lt_u32_e64 v5, v6 leaves the lanes on for which it holds. */
static void test_cmpx(void **state)
{
  static const uint32_t words[] = {0xd4c9007e, 0x00020d05};
  struct program p;
  (void)state;
  start(&p, words, 2);
  struct wave *w = &p.group->waves[0];
  for (uint32_t l = 0; l < 32; l++)
    w->v[5][l] = l, w->v[6][l] = 5;
  wave_step(w);
  assert_int_equal(WAVE_EXEC(w), 0x1f);
  program_close(&p);
}

/* Numbers of VGPRs get bits in front; past the kernel's last one there is none. */
static void test_msb(void **state)
{
  static const uint32_t words[] = {0xbf860040, 0x7e080305, 0xbf860080,
                                   0x7e080305};
  struct program p;
  (void)state;
  program_load_for(&p, isa_find("gfx1250"), words, 4);
  p.kernel.vgprs = 272;
  program_start(&p, 32);
  struct wave *w = &p.group->waves[0];
  w->v[5][3] = 7;
  wave_step(w), wave_step(w);
  assert_int_equal(w->v[260][3], 7);
  wave_step(w), wave_step(w);
  assert_int_equal(w->state, WAVE_FAULT);
  assert_non_null(strstr(w->fault.text, "s_set_vgpr_msb 0x80 leads past v271"));
  program_close(&p);
}

/* s_fmaak_f32 s4, s5, s6, 0x40a00000; s_fmamk_f32 s4, s5, 0x40a00000, s6: with 5.0. */
static void test_scalar_literal(void **state)
{
  static const struct {
    uint32_t word;
    float want;
  } cases[] = {{0xa2840605, 2.0f * 3.0f + 5.0f}, {0xa3040605, 2.0f * 5.0f + 3.0f}};
  (void)state;
  for (size_t n = 0; n < 2; n++) {
    const uint32_t words[] = {cases[n].word, 0x40a00000};
    const float two = 2, three = 3;
    struct program p;
    float got;
    start(&p, words, 2);
    struct wave *w = &p.group->waves[0];
    memcpy(&w->s[5], &two, 4), memcpy(&w->s[6], &three, 4);
    wave_step(w);
    memcpy(&got, &w->s[4], 4);
    assert_true(got == cases[n].want);
    assert_int_equal(w->state, WAVE_RUN);
    program_close(&p);
  }
}

/* Codes of OCP's 8-bit floats are by hand: E4M3 has 1.0 as 0x38, -2.0 as 0xc0, 0.75 as
 * 0x34, 448 as 0x7e, then NaN, and 2^-9 as 1; E5M2 1.0 as 0x3c, 57344 as 0x7b. */
static void test_small_floats(void **state)
{
  static const struct case_of cases[] = {
      {"v_cvt_f32_fp8_e32 v4, v5", {0x7e08d905}, 1, {1, 0xc0}, 0, {0xc0000000, 0xc0}},
      {"v_cvt_f32_bf8_e64 byte_sel:3", {0xd5ed1804, 0x00000105}, 2,
       {1, 0x7b000000}, 0, {0x47600000, 0x7b000000}},
      {"v_cvt_pk_f32_fp8_e64 v[4:5], v6 op_sel:[1,0]", {0xd5ee0804, 0x00000106}, 2,
       {1, 2, 0x34380000}, 0, {0x3f800000, 0x3f400000}},
      {"v_cvt_f16_fp8_e64 byte_sel:1", {0xd5f71004, 0x00000105}, 2,
       {0x11112222, 0x100}, 0, {0x11111800, 0x100}},
      {"v_cvt_pk_f16_bf8 v4, v5", {0x7e08ed05}, 1, {1, 0xc03c}, 0, {0xc0003c00, 0xc03c}},
      /* 448; 465 is nearer to 480, which there is not */
      {"v_cvt_pk_fp8_f32", {0xd7690004, 0x00020d05}, 2,
       {0x11112222, 0x43e00000, 0x43e88000}, 0, {0x11117f7e, 0x43e00000}},
      /* 1.0625 and 1.1875 lie between two: to the even; into the upper half */
      {"v_cvt_pk_fp8_f32 -v5, |v6|", {0xd7694204, 0x20020d05}, 2,
       {0x11112222, 0x3f880000, 0xbf980000}, 0, {0x3ab82222, 0x3f880000}},
      /* 61440 lies between 57344 and infinity, 2^-17 between 0 and 2^-16 */
      {"v_cvt_pk_bf8_f32", {0xd76a0004, 0x00020d05}, 2,
       {0x11112222, 0x47700000, 0x37000000}, 0, {0x1111007c, 0x47700000}},
      {"v_cvt_pk_fp8_f16 of 0.5 and -2", {0xd7720004, 0x00000105}, 2,
       {0x11112222, 0xc0003800}, 0, {0x1111c030, 0xc0003800}},
      {"v_cvt_f32_bf16 op_sel:[1,0]", {0xd5f20804, 0x00000105}, 2,
       {1, 0x3fc01234}, 0, {0x3fc00000, 0x3fc01234}},
      {"v_cvt_pk_bf16_f32, two ties", {0xd76d0004, 0x00020d05}, 2,
       {1, 0x3f808000, 0x3f818000}, 0, {0x3f823f80, 0x3f808000}},
      /* 1 + 2; 2 + 2^-8, of which a bf16 has not so many digits */
      {"v_pk_add_bf16", {0xcc234004, 0x18020d05}, 2,
       {1, 0x40003f80, 0x3b804000}, 0, {0x40004040, 0x40003f80}},
      /* 3 * 2 - 1; 1.5 * 2 + 1 */
      {"v_pk_fma_bf16 neg_lo:[0,0,1]", {0xcc114004, 0x9c1e0d05}, 2,
       {1, 0x3fc04040, 0x40004000, 0x3f803f80}, 0, {0x408040a0, 0x3fc04040}},
      {"v_pk_mul_bf16 by 2.0", {0xcc2a4004, 0x0801e905}, 2,
       {1, 0x3fc04040}, 0, {0x404040c0, 0x3fc04040}},
      {"v_pk_max_num_bf16, one NaN", {0xcc2c4004, 0x18020d05}, 2,
       {1, 0x7fc03f80, 0x4000bf80}, 0, {0x40003f80, 0x7fc03f80}},
  };
  (void)state;
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
    run_case(&cases[n]);
}

/* Of 1, 3 and 2, of 5, 3 and 2; a NaN loses against a number in those named num, and
 * wins in the others, where -0 is less than 0. */
static void test_least_and_greatest(void **state)
{
  static const struct case_of cases[] = {
      {"v_maxmin_num_f32", {0xd6690004, 0x041e0d05}, 2,
       {1, 0x3f800000, 0x40400000, 0x40000000}, 0, {0x40000000, 0x3f800000}},
      {"v_minmax_num_f32", {0xd6680004, 0x041e0d05}, 2,
       {1, 0x40a00000, 0x40400000, 0x40000000}, 0, {0x40400000, 0x40a00000}},
      {"v_maxmin_num_f32, one NaN", {0xd6690004, 0x041e0d05}, 2,
       {1, 0x7fc00000, 0x40400000, 0x40000000}, 0, {0x40000000, 0x7fc00000}},
      {"v_minimum_f32, one NaN", {0xd7650004, 0x00020d05}, 2,
       {1, 0x7f800001, 0x3f800000}, 0, {0x7fc00001, 0x7f800001}},
      {"v_maximum3_f32, one NaN", {0xd62e0004, 0x041e0d05}, 2,
       {1, 0x3f800000, 0x7fc00005, 0x40000000}, 0, {0x7fc00005, 0x3f800000}},
      {"v_maximumminimum_f32", {0xd66d0004, 0x041e0d05}, 2,
       {1, 0x3f800000, 0x40400000, 0x40000000}, 0, {0x40000000, 0x3f800000}},
      {"v_minimum_f16 of zeros", {0xd7670004, 0x00020d05}, 2,
       {0x11112222, 0x8000, 0}, 0, {0x11118000, 0x8000}},
      {"v_fmac_f16, 2 * 3 + 1", {0x6c080d05}, 1,
       {0x11113c00, 0x4000, 0x4200}, 0, {0x11114700, 0x4000}},
  };
  (void)state;
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
    run_case(&cases[n]);
}

/* Results in s4, of s5 and s6. */
static void test_scalar_functions(void **state)
{
  static const struct {
    const char *text;
    uint32_t words[2];
    size_t n;
    uint32_t before[3], after;
  } cases[] = {
      {"v_s_exp_f32 s4, -s5", {0xd6800004, 0x20000005}, 2, {0, 0x40000000}, 0x3e800000},
      {"v_s_rcp_f32 s4, s5", {0xd6840004, 0x00000005}, 2, {0, 0x40800000}, 0x3e800000},
      {"v_s_sqrt_f16 s4, s5", {0xd6890004, 0x00000005}, 2, {0, 0x4400}, 0x4000},
      {"s_fmac_f16, 2 * 3 + 1", {0xa7040605}, 1, {0x3c00, 0x4000, 0x4200}, 0x4700},
      {"s_minimum_f32, one NaN", {0xa7840605}, 1, {0, 0x7fc00000, 0}, 0x7fc00000},
      {"s_max_num_f16, one NaN", {0xa6040605}, 1, {0, 0x7e00, 0x3c00}, 0x3c00},
  };
  (void)state;
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    struct program p;
    start(&p, cases[n].words, (int)cases[n].n);
    struct wave *w = &p.group->waves[0];
    memcpy(&w->s[4], cases[n].before, 12);
    wave_step(w);
    if (w->state != WAVE_RUN || w->s[4] != cases[n].after)
      fail_msg("%s: s4 is 0x%x, not 0x%x; %s", cases[n].text, w->s[4], cases[n].after,
               w->fault.text);
    program_close(&p);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_vector),
      cmocka_unit_test(test_bitop2),
      cmocka_unit_test(test_cmpx),
      cmocka_unit_test(test_msb),
      cmocka_unit_test(test_scalar_literal),
      cmocka_unit_test(test_small_floats),
      cmocka_unit_test(test_least_and_greatest),
      cmocka_unit_test(test_scalar_functions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
