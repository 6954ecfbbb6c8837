/* valu.c - known answers of integer and f32 vector instructions. */
// SPDX-License-Identifier: MIT
#include "tests/sim/valu_test.h"

/* clang-format off */
static const struct answer integers[] = {
  {"v_mov_b32", {7}, 7},
  {"v_not_b32", {0x0000ffff}, 0xffff0000},
  {"v_bfrev_b32", {0x80000001}, 0x80000001},
  {"v_bfrev_b32", {0x0000000d}, 0xb0000000},
  {"v_ffbh_u32", {0}, 0xffffffff},
  {"v_ffbh_u32", {1}, 31},
  {"v_ffbh_i32", {0xffffffff}, 0xffffffff},
  {"v_ffbh_i32", {0xfffffffe}, 31},
  {"v_ffbh_i32", {0x40000000}, 1},
  {"v_ffbl_b32", {0}, 0xffffffff},
  {"v_ffbl_b32", {0x80000000}, 31},
  {"v_add_u32", {0xffffffff, 2}, 1},
  {"v_sub_u32", {1, 2}, 0xffffffff},
  {"v_subrev_u32", {1, 2}, 1},
  {"v_lshlrev_b32", {33, 1}, 2},
  {"v_lshrrev_b32", {36, 0x80}, 8},
  {"v_ashrrev_i32", {63, 0x80000000}, 0xffffffff},
  {"v_min_i32", {0xffffffff, 1}, 0xffffffff},
  {"v_min_u32", {0xffffffff, 1}, 1},
  {"v_max_i32", {0xffffffff, 1}, 1},
  {"v_max_u32", {0xffffffff, 1}, 0xffffffff},
  {"v_mul_u32_u24", {0xff000003, 0x01ffffff}, 0x02fffffd},
  {"v_mul_i32_i24", {0x00ffffff, 5}, 0xfffffffb},
  {"v_mul_hi_u32_u24", {0x00ffffff, 0x00ffffff}, 0xffff},
  {"v_mul_hi_i32_i24", {0x00ffffff, 1}, 0xffffffff},
  {"v_mul_lo_u32", {0x10001, 0x10001}, 0x20001},
  {"v_mul_hi_u32", {0xffffffff, 0xffffffff}, 0xfffffffe},
  {"v_mul_hi_i32", {0xffffffff, 0xffffffff}, 0},
  {"v_mad_u32_u24", {0x01000002, 3, 10}, 16},
  {"v_mad_i32_i24", {0x00ffffff, 3, 10}, 7},
  {"v_lshl_add_u32", {3, 34, 5}, 17},
  {"v_add_lshl_u32", {3, 4, 33}, 14},
  {"v_add3_u32", {0xffffffff, 1, 5}, 5},
  {"v_lshl_or_b32", {3, 4, 1}, 0x31},
  {"v_and_or_b32", {0xf0, 0x3c, 1}, 0x31},
  {"v_or3_b32", {1, 2, 4}, 7},
  {"v_xad_u32", {5, 1, 10}, 14},
  {"v_bfe_u32", {0xabcd1234, 8, 8}, 0x12},
  {"v_bfe_u32", {0xabcd1234, 8, 32}, 0},
  {"v_bfe_u32", {0xabcd1234, 40, 40}, 0x12},
  {"v_bfe_i32", {0x0000f000, 12, 4}, 0xffffffff},
  {"v_bfe_i32", {0x00007000, 12, 4}, 7},
  {"v_bfe_i32", {0xffffffff, 3, 0}, 0},
  {"v_bfi_b32", {0xff00ff00, 0x12345678, 0xabcdef01}, 0x12cd5601},
  {"v_bfm_b32", {4, 8}, 0xf00},
  {"v_bfm_b32", {32, 8}, 0},
  {"v_bcnt_u32_b32", {0xf0f00001, 100}, 109},
  {"v_alignbit_b32", {0x11223344, 0xaabbccdd, 8}, 0x44aabbcc},
  {"v_alignbit_b32", {0x11223344, 0xaabbccdd, 32}, 0xaabbccdd},
  {"v_alignbyte_b32", {0x11223344, 0xaabbccdd, 7}, 0x223344aa},
  {"v_perm_b32", {0x07060504, 0x03020100, 0x00020406}, 0x00020406},
  {"v_perm_b32", {0x80000000, 0x00008000, 0x0c0d0b08}, 0x00ffffff},
  {"v_min3_i32", {5, 0xfffffffe, 1}, 0xfffffffe},
  {"v_max3_u32", {5, 0xfffffffe, 1}, 0xfffffffe},
  {"v_med3_i32", {5, 0xfffffffe, 1}, 1},
  {"v_med3_u32", {5, 0xfffffffe, 1}, 5},
  {"v_mad_u32_u16", {0x7000ffff, 0x7000ffff, 1}, 0xfffe0002},
  {"v_mad_i32_i16", {0x7000ffff, 0x70000005, 1}, 0xfffffffc},
  {"v_dot4_i32_i8", {0xff02807f, 0x01038001, 10}, 16526},
  {"v_dot4_u32_u8", {0x01020304, 0x01010101, 1}, 11},
  {"v_dot8_i32_i4", {0xf0000008, 0x10000008, 0}, 63},
  {"v_dot8_u32_u4", {0xf0000008, 0x10000008, 1}, 80},
  {"v_dot2_i32_i16", {0xffff8000, 0x00028000, 0}, 0x3ffffffe},
  {"v_dot2_u32_u16", {0x00020003, 0x00040005, 1}, 24},
};

static const struct answer floats[] = {
  {"v_add_f32", {0x3f800000, 0x40000000}, 0x40400000},
  {"v_add_f32", {0x80000000, 0x80000000}, 0x80000000},
  {"v_add_f32", {0x00000001, 0x00000001}, 0x00000002},
  {"v_add_f32", {0x7f800000, 0xff800000}, 0xffc00000},
  {"v_add_f32", {0x7f800001, 0x7fc00002}, 0x7fc00001},
  {"v_add_f32", {0x3f800000, 0xff800002}, 0xffc00002},
  {"v_sub_f32", {0x3f800000, 0x40000000}, 0xbf800000},
  {"v_subrev_f32", {0x3f800000, 0x40000000}, 0x3f800000},
  {"v_mul_f32", {0x00800000, 0x3f000000}, 0x00400000},
  {"v_mul_f32", {0x7f800000, 0}, 0xffc00000},
  {"v_mul_legacy_f32", {0x7f800000, 0x80000000}, 0},
  /* (1 + 2^-12)^2 - 1 - 2^-11 is 2^-24: lost where the product is rounded */
  {"v_fma_f32", {0x3f800800, 0x3f800800, 0xbf801000}, 0x33800000},
  {"v_mad_f32", {0x3f800800, 0x3f800800, 0xbf801000}, 0},
  {"v_mad_f32", {0x00000001, 0x3f800000, 0}, 0},
  {"v_min_f32", {0x80000000, 0}, 0x80000000},
  {"v_min_f32", {0x7fc00000, 0x40000000}, 0x40000000},
  {"v_min_f32", {0x7f800001, 0x40000000}, 0x7fc00001},
  {"v_max_f32", {0x80000000, 0}, 0},
  {"v_max_f32", {0xc0000000, 0xff800000}, 0xc0000000},
  {"v_med3_f32", {0x3f800000, 0x40400000, 0x40000000}, 0x40000000},
  {"v_med3_f32", {0x3f800000, 0x7fc00000, 0x40000000}, 0x3f800000},
  {"v_cvt_f32_i32", {0xffffffff}, 0xbf800000},
  {"v_cvt_f32_u32", {0xffffffff}, 0x4f800000},
  {"v_cvt_i32_f32", {0xbfc00000}, 0xffffffff},
  {"v_cvt_i32_f32", {0x4f000000}, 0x7fffffff},
  {"v_cvt_i32_f32", {0xff800000}, 0x80000000},
  {"v_cvt_i32_f32", {0x7fc00000}, 0},
  {"v_cvt_u32_f32", {0xbf800000}, 0},
  {"v_cvt_u32_f32", {0x4f7fffff}, 0xffffff00},
  {"v_cvt_u32_f32", {0x4f800000}, 0xffffffff},
  {"v_cvt_f16_f32", {0x3f800000}, 0x3c00},
  {"v_cvt_f16_f32", {0x3f801000}, 0x3c00},
  {"v_cvt_f16_f32", {0x3f803000}, 0x3c02},
  {"v_cvt_f16_f32", {0x477fefff}, 0x7bff},
  {"v_cvt_f16_f32", {0x477ff000}, 0x7c00},
  {"v_cvt_f16_f32", {0x33000000}, 0},
  {"v_cvt_f16_f32", {0x33000001}, 1},
  {"v_cvt_f16_f32", {0x387fe000}, 0x0400},
  {"v_cvt_f32_f16", {0x0001}, 0x33800000},
  {"v_cvt_f32_f16", {0xfc00}, 0xff800000},
  {"v_cvt_f32_f16", {0x83ff}, 0xb87fc000},
  {"v_cvt_f32_ubyte2", {0x00ff0000}, 0x437f0000},
  {"v_cvt_off_f32_i4", {8}, 0xbf000000},
  {"v_cvt_off_f32_i4", {7}, 0x3ee00000},
  {"v_cvt_pkrtz_f16_f32", {0x3f801fff, 0xc77fffff}, 0xfbff3c00},
};
/* clang-format on */

static void known_integers(void **state)
{
  (void)state;
  CHECK_ALL(integers);
}

static void known_floats(void **state)
{
  (void)state;
  CHECK_ALL(floats);
}

static void accumulate(void **state)
{
  (void)state;
  struct bench b;
  bench_reset(&b);
  v_all(&b, 0, 0xbf801000);
  v_all(&b, 2, 0x3f800800);
  v_all(&b, 4, 0x3f800800);
  WAVE_EXEC(&b.w) = 0x8000000000000001;
  const struct inst i = inst_of("v_fmac_f32");
  execute(&b, &i);
  assert_int_equal(b.v[0][0], 0x33800000);
  assert_int_equal(b.v[0][63], 0x33800000);
  assert_int_equal(b.v[0][1], 0xbf801000);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(known_integers),
    cmocka_unit_test(known_floats),
    cmocka_unit_test(accumulate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
