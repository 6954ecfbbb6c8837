/* valu_numbers.c - known answers of f16, f64, packed, conversions, rounding to
 * whole numbers, transcendentals, and work on bytes. */
// SPDX-License-Identifier: MIT
#include <math.h>

#include "tests/sim/valu_test.h"

/* clang-format off */
static const struct answer halves[] = {
  {"v_add_f16", {0x3c00, 0x4000}, 0x4200},
  {"v_add_f16", {0x7bff, 0x7bff}, 0x7c00},
  {"v_add_f16", {0x0001, 0x0001}, 0x0002},
  {"v_add_f16", {0x7c00, 0xfc00}, 0xfe00},
  {"v_add_f16", {0x7c01, 0x3c00}, 0x7e01},
  {"v_sub_f16", {0x3c00, 0x4000}, 0xbc00},
  {"v_subrev_f16", {0x3c00, 0x4000}, 0x3c00},
  {"v_mul_f16", {0x0400, 0x3800}, 0x0200},
  {"v_mul_f16", {0x5c00, 0x5c00}, 0x7c00},
  /* (1 + 2^-6)^2 - 1 - 2^-5 is 2^-12: lost where the product is rounded */
  {"v_fma_f16", {0x3c10, 0x3c10, 0xbc20}, 0x0c00},
  {"v_mad_f16", {0x3c10, 0x3c10, 0xbc20}, 0x0000},
  {"v_mad_legacy_f16", {0x3c10, 0x3c10, 0xbc20}, 0x0000},
  /* 1 + 2^-11 is a tie, and the 2^-22 below it decides */
  {"v_fma_f16", {0x1000, 0x3c01, 0x3c00}, 0x3c01},
  {"v_fma_f16", {0x1000, 0x3c00, 0x3c00}, 0x3c00},
  {"v_fma_f16", {0x1000, 0x3bff, 0x3c00}, 0x3c00},
  {"v_min_f16", {0x8000, 0x0000}, 0x8000},
  {"v_max_f16", {0x7e00, 0xbc00}, 0xbc00},
  {"v_med3_f16", {0x3c00, 0x4200, 0x4000}, 0x4000},
  {"v_ldexp_f16", {0x3c00, 0xfffe}, 0x3400},
  {"v_ldexp_f16", {0x3c00, 20}, 0x7c00},
  {"v_frexp_exp_i16_f16", {0x0001}, 0xffe9},
  {"v_frexp_mant_f16", {0x4200}, 0x3a00},
  {"v_floor_f16", {0xbe00}, 0xc000},
  {"v_ceil_f16", {0xbe00}, 0xbc00},
  {"v_trunc_f16", {0xbe00}, 0xbc00},
  {"v_rndne_f16", {0x4100}, 0x4000},
  {"v_fract_f16", {0xb400}, 0x3a00},
  {"v_rcp_f16", {0x4400}, 0x3400},
  {"v_rcp_f16", {0x8000}, 0xfc00},
  {"v_rsq_f16", {0x4400}, 0x3800},
  {"v_sqrt_f16", {0x4400}, 0x4000},
  {"v_sqrt_f16", {0xbc00}, 0xfe00},
  {"v_exp_f16", {0x4200}, 0x4800},
  {"v_log_f16", {0x4800}, 0x4200},
  {"v_sin_f16", {0x3400}, 0x3c00},
  {"v_cos_f16", {0x3800}, 0xbc00},
  {"v_cvt_f16_u16", {0xffff}, 0x7c00},
  {"v_cvt_f16_i16", {0xffff}, 0xbc00},
  {"v_cvt_u16_f16", {0xbc00}, 0},
  {"v_cvt_u16_f16", {0x7c00}, 0xffff},
  {"v_cvt_i16_f16", {0xfc00}, 0x8000},
  {"v_cvt_i16_f16", {0xbe00}, 0xffff},
  {"v_cvt_norm_i16_f16", {0xbc00}, 0x8001},
  {"v_cvt_norm_u16_f16", {0x3c00}, 0xffff},
  {"v_div_fixup_f16", {0x3c00, 0, 0xbc00}, 0xfc00},
};

/* With MODE.FP16_OVFL: what overflows is the largest number, infinite sources
 * and division by zero give infinity (LLVM: User Guide for AMDGPU Backend). */
static const struct answer bounded[] = {
  {"v_add_f16", {0x7bff, 0x7bff}, 0x7bff},
  {"v_add_f16", {0xfbff, 0xfbff}, 0xfbff},
  {"v_add_f16", {0x7c00, 0xfbff}, 0x7c00},
  {"v_add_f16", {0x3c00, 0xfc00}, 0xfc00},
  {"v_add_f16", {0x7c00, 0xfc00}, 0xfe00},
  {"v_add_f16", {0x3c00, 0x4000}, 0x4200},
  {"v_sub_f16", {0x7bff, 0xfbff}, 0x7bff},
  {"v_mul_f16", {0x5c00, 0xdc00}, 0xfbff},
  {"v_mul_f16", {0x7c00, 0xbc00}, 0xfc00},
  {"v_mac_f16", {0x7bff, 0x4000}, 0x7bff},
  {"v_mad_f16", {0x7bff, 0x4000}, 0x7bff},
  {"v_fma_f16", {0x7bff, 0x4000}, 0x7bff},
  {"v_fma_f16", {0x7bff, 0x4000, 0xfc00}, 0xfc00},
  {"v_max_f16", {0x7c00, 0x3c00}, 0x7c00},
  {"v_ldexp_f16", {0x3c00, 20}, 0x7bff},
  {"v_ldexp_f16", {0x3c00, 0x7c00}, 0x7bff}, /* by 2^31744 */
  {"v_ldexp_f16", {0xfc00, 0}, 0xfc00},
  {"v_rcp_f16", {0x0001}, 0x7bff},
  {"v_rcp_f16", {0x8000}, 0xfc00},
  {"v_rsq_f16", {0}, 0x7c00},
  {"v_log_f16", {0}, 0xfc00},
  {"v_exp_f16", {0x5000}, 0x7bff},
  {"v_exp_f16", {0x7bff}, 0x7bff},
  {"v_exp_f16", {0x7c00}, 0x7c00},
  {"v_div_fixup_f16", {0x3c00, 0, 0xbc00}, 0xfc00},
  {"v_cvt_f16_f32", {0x49742400}, 0x7bff}, /* 1e6 */
  {"v_cvt_f16_f32", {0xff7fffff}, 0xfbff},
  {"v_cvt_f16_f32", {0x7f800000}, 0x7c00},
  {"v_cvt_f16_u16", {0xffff}, 0x7bff},
  {"v_cvt_pkrtz_f16_f32", {0x49742400, 0xff800000}, 0xfc007bff},
  {"v_pk_add_f16", {0x7bff3c00, 0x7bfffc00}, 0x7bfffc00},
  {"v_pk_mul_f16", {0x7c007bff, 0x4000c000}, 0x7c00fbff},
  {"v_pk_fma_f16", {0x7bff3c00, 0x40003c00, 0x00007c00}, 0x7bff7c00},
  {"v_pk_max_f16", {0x7c003c00, 0x3c007c00}, 0x7c007c00},
  {"v_pack_b32_f16", {0x7c00, 0xfc00}, 0xfc007c00},
  {"v_fma_mixlo_f16", {0x7bff, 0x4000}, 0x7bff},
  {"v_fma_mixlo_f16", {0x7c00, 0x4000}, 0x7c00},
  {"v_fma_mixhi_f16", {0xfbff, 0x4000}, 0xfbff0000},
  {"v_cvt_f32_f16", {0x7c00}, 0x7f800000},
  {"v_add_f32", {0x7f7fffff, 0x7f7fffff}, 0x7f800000},
};

static const struct answer packed[] = {
  {"v_pk_add_f16", {0x3c004000, 0x3c003c00}, 0x40004200},
  {"v_pk_mul_f16", {0x3c004000, 0x42004000}, 0x42004400},
  {"v_pk_fma_f16", {0x3c004000, 0x42004000, 0x3c003c00}, 0x44004500},
  {"v_pk_min_f16", {0x3c004000, 0x42003c00}, 0x3c003c00},
  {"v_pk_max_f16", {0x3c004000, 0x42003c00}, 0x42004000},
  {"v_pk_add_u16", {0xffff0001, 0x00020003}, 0x00010004},
  {"v_pk_sub_i16", {0x00010001, 0x00020003}, 0xfffffffe},
  {"v_pk_mul_lo_u16", {0xffff0100, 0xffff0100}, 0x00010000},
  {"v_pk_mad_u16", {0x00020003, 0x00040005, 0x00010001}, 0x00090010},
  {"v_pk_mad_i16", {0xfffe0003, 0x00040005, 0x00010001}, 0xfff90010},
  {"v_pk_lshlrev_b16", {0x00110004, 0x00018001}, 0x00020010},
  {"v_pk_lshrrev_b16", {0x00010004, 0x80008000}, 0x40000800},
  {"v_pk_ashrrev_i16", {0x00010004, 0x80008000}, 0xc000f800},
  {"v_pk_min_i16", {0xffff0001, 0x00000002}, 0xffff0001},
  {"v_pk_min_u16", {0xffff0001, 0x00000002}, 0x00000001},
  {"v_pk_max_i16", {0xffff0001, 0x00000002}, 0x00000002},
  {"v_pk_max_u16", {0xffff0001, 0x00000002}, 0xffff0002},
  {"v_pack_b32_f16", {0x11112222, 0x33334444}, 0x44442222},
  {"v_cvt_pk_u16_u32", {0x12345, 7}, 0x0007ffff},
  {"v_cvt_pk_i16_i32", {0x12345, 0xffff0000}, 0x80007fff},
  {"v_cvt_pknorm_i16_f32", {0xbf800000, 0x3f000000}, 0x40008001},
  {"v_cvt_pknorm_u16_f32", {0xbf800000, 0x40000000}, 0xffff0000},
  {"v_cvt_pknorm_i16_f16", {0xbc00, 0x3c00}, 0x7fff8001},
  {"v_cvt_pknorm_u16_f16", {0x3c00, 0}, 0x0000ffff},
  {"v_sat_pk_u8_i16", {0x0100fffe}, 0x0000ff00},
  {"v_cvt_pk_u8_f32", {0x43000000, 2, 0x11111111}, 0x11801111},
  {"v_cvt_pk_u8_f32", {0x44000000, 4, 0}, 0xff},
  {"v_cvt_pk_u8_f32", {0x40200000, 0, 0}, 2},
  {"v_cvt_pk_u8_f32", {0x40600000, 1, 0}, 0x400},
  {"v_cvt_pk_u8_f32", {0x437f8000, 0, 0}, 0xff},
  {"v_cvt_pk_u8_f32", {0xbf666666, 0, 0xff}, 0},
  {"v_cvt_pk_u8_f32", {0x7fc00000, 0, 0xff}, 0},
  {"v_dot2_f32_f16", {0x3c004000, 0x42004400, 0x3f800000}, 0x41400000},
  {"v_fma_mix_f32", {0x3c00, 0x4000, 0x4200}, 0x40a00000},
};

static const struct answer singles[] = {
  {"v_trunc_f32", {0xbfc00000}, 0xbf800000},
  {"v_ceil_f32", {0xbf000000}, 0x80000000},
  {"v_floor_f32", {0xbf000000}, 0xbf800000},
  {"v_rndne_f32", {0x40200000}, 0x40000000},
  {"v_rndne_f32", {0x40600000}, 0x40800000},
  {"v_fract_f32", {0xbe800000}, 0x3f400000},
  {"v_fract_f32", {0x80000001}, 0x3f7fffff},
  {"v_fract_f32", {0x7f800000}, 0xffc00000},
  {"v_frexp_exp_i32_f32", {0x40400000}, 2},
  {"v_frexp_exp_i32_f32", {0x00000001}, 0xffffff6c},
  {"v_frexp_exp_i32_f32", {0x7f800000}, 0},
  {"v_frexp_mant_f32", {0x40400000}, 0x3f400000},
  {"v_frexp_mant_f32", {0x7f800000}, 0x7f800000},
  {"v_ldexp_f32", {0x3f800000, 0xffffff6b}, 0x00000001},
  {"v_ldexp_f32", {0x3f800000, 128}, 0x7f800000},
  {"v_rcp_f32", {0x40800000}, 0x3e800000},
  {"v_rcp_f32", {0}, 0x7f800000},
  {"v_rcp_f32", {0x7f000000}, 0}, /* 2^-127 would be a denormal */
  {"v_rcp_iflag_f32", {0x40000000}, 0x3f000000},
  {"v_rsq_f32", {0x40800000}, 0x3f000000},
  {"v_rsq_f32", {0}, 0x7f800000},
  {"v_sqrt_f32", {0x40800000}, 0x40000000},
  {"v_sqrt_f32", {0xbf800000}, 0xffc00000},
  {"v_exp_f32", {0x40400000}, 0x41000000},
  {"v_exp_f32", {0xc3000000}, 0},
  {"v_exp_f32", {0x43000000}, 0x7f800000},
  {"v_log_f32", {0x41000000}, 0x40400000},
  {"v_log_f32", {0}, 0xff800000},
  {"v_log_f32", {0xbf800000}, 0xffc00000},
  {"v_exp_legacy_f32", {0x40400000}, 0x41000000},
  {"v_log_legacy_f32", {0x41000000}, 0x40400000},
  {"v_sin_f32", {0x3e800000}, 0x3f800000},
  {"v_sin_f32", {0x3f000000}, 0},
  {"v_sin_f32", {0x43808000}, 0},
  {"v_cos_f32", {0x3e800000}, 0},
  {"v_cos_f32", {0x3f000000}, 0xbf800000},
  {"v_cos_f32", {0x43808000}, 0x3f800000},
  {"v_cvt_rpi_i32_f32", {0xbfc00000}, 0xffffffff},
  {"v_cvt_rpi_i32_f32", {0x40200000}, 3},
  {"v_cvt_flr_i32_f32", {0xbf000000}, 0xffffffff},
  {"v_div_fixup_f32", {0x3f800000, 0, 0}, 0xffc00000},
  {"v_div_fixup_f32", {0x3f800000, 0x40000000, 0xc0000000}, 0xbf800000},
  {"v_cubeid_f32", {0x3f800000, 0xc0400000, 0x40000000}, 0x40400000},
  {"v_cubesc_f32", {0x3f800000, 0xc0400000, 0x40000000}, 0x3f800000},
  {"v_cubetc_f32", {0x3f800000, 0xc0400000, 0x40000000}, 0xc0000000},
  {"v_cubema_f32", {0x3f800000, 0xc0400000, 0x40000000}, 0xc0c00000},
  {"v_sad_u8", {0x01ff0305, 0x02000307, 10}, 268},
  {"v_sad_hi_u8", {0x01ff0305, 0x02000307, 10}, 0x0102000a},
  {"v_sad_u16", {0x0001ffff, 0x00020000, 1}, 0x10001},
  {"v_sad_u32", {1, 0xffffffff, 1}, 0xffffffff},
  {"v_msad_u8", {0x01ff0305, 0x02000307, 10}, 13},
  {"v_lerp_u8", {0x01ff0305, 0x02ff0408, 0x01010001}, 0x02ff0307},
};

static const struct answer64 doubles[] = {
  {"v_add_f64", {0x3ff0000000000000, 0x3ca0000000000000}, 0x3ff0000000000000},
  {"v_add_f64", {0x3ff0000000000000, 0x3cb0000000000000}, 0x3ff0000000000001},
  {"v_add_f64", {0x7ff0000000000000, 0xfff0000000000000}, 0xfff8000000000000},
  {"v_mul_f64", {0x0010000000000000, 0x3fe0000000000000}, 0x0008000000000000},
  {"v_fma_f64", {0x3ff0000000000001, 0x3ff0000000000001, 0xbff0000000000002}, 0x3970000000000000},
  {"v_min_f64", {0x8000000000000000, 0}, 0x8000000000000000},
  {"v_max_f64", {0x7ff8000000000000, 0xbff0000000000000}, 0xbff0000000000000},
  {"v_ldexp_f64", {0x3ff0000000000000, 0xfffffbce}, 1},
  {"v_rcp_f64", {0x4010000000000000}, 0x3fd0000000000000},
  {"v_rsq_f64", {0x4010000000000000}, 0x3fe0000000000000},
  {"v_sqrt_f64", {0x4010000000000000}, 0x4000000000000000},
  {"v_floor_f64", {0xbfe0000000000000}, 0xbff0000000000000},
  {"v_ceil_f64", {0xbfe0000000000000}, 0x8000000000000000},
  {"v_trunc_f64", {0xbff8000000000000}, 0xbff0000000000000},
  {"v_rndne_f64", {0x4004000000000000}, 0x4000000000000000},
  {"v_fract_f64", {0x8000000000000001}, 0x3fefffffffffffff},
  {"v_frexp_mant_f64", {0x4008000000000000}, 0x3fe8000000000000},
  {"v_cvt_f64_f32", {0x3f800001}, 0x3ff0000020000000},
  {"v_cvt_f64_i32", {0xffffffff}, 0xbff0000000000000},
  {"v_cvt_f64_u32", {0xffffffff}, 0x41efffffffe00000},
  {"v_lshlrev_b64", {65, 0x8000000000000001}, 2},
  {"v_lshrrev_b64", {36, 0x8000000000000000}, 0x08000000},
  {"v_ashrrev_i64", {63, 0x8000000000000000}, 0xffffffffffffffff},
  {"v_qsad_pk_u16_u8", {0x0706050403020100, 0x03020100, 0x0001000100010001}, 0x000d000900050001},
  {"v_mqsad_pk_u16_u8", {0x0706050403020100, 0x03020100, 0}, 0x0009000600030000},
  /* 2/pi in segments of 53 bits */
  {"v_trig_preop_f64", {0x3ff0000000000000, 0}, 0x3fe45f306dc9c882},
  {"v_trig_preop_f64", {0x3ff0000000000000, 1}, 0x3c94a7f09d5f47d4},
};

/* f64 sources with a result of one dword: the low one of v0 */
static const struct answer64 narrowed[] = {
  {"v_cvt_f32_f64", {0x3ff0000010000000}, 0x3f800000},
  {"v_cvt_f32_f64", {0x3ff0000010000001}, 0x3f800001},
  {"v_cvt_i32_f64", {0xc1e0000000000000}, 0x80000000},
  {"v_cvt_i32_f64", {0x7ff8000000000000}, 0},
  {"v_cvt_u32_f64", {0x41effffffff00000}, 0xffffffff},
  {"v_frexp_exp_i32_f64", {0x4008000000000000}, 2},
};
/* clang-format on */

static void known(void **state)
{
  (void)state;
  CHECK_ALL(halves);
  CHECK_ALL(packed);
  CHECK_ALL(singles);
  CHECK_ALL64(doubles);
  CHECK_ALL64(narrowed);
  CHECK_IN(USUAL_MODE | MODE_FP16_OVFL, bounded);
}

/* --- classes and comparisons --------------------------------------------- */

static uint64_t mask_of(const char *name, uint64_t a, uint64_t c)
{
  struct bench b;
  bench_reset(&b);
  v_all64(&b, 2, a);
  v_all64(&b, 4, c);
  const struct inst i = inst_in(name, VOPC);
  execute(&b, &i);
  return WAVE_VCC(&b.w);
}

static void classes(void **state)
{
  (void)state;
  static const uint64_t values[3][10] = {
    {0x7c01, 0x7e00, 0xfc00, 0xbc00, 0x8001, 0x8000, 0, 1, 0x3c00, 0x7c00},
    { 0x7f800001, 0x7fc00000, 0xff800000, 0xbf800000, 0x80000001, 0x80000000,
      0, 1, 0x3f800000, 0x7f800000 },
    { 0x7ff0000000000001, 0x7ff8000000000000, 0xfff0000000000000,
      0xbff0000000000000, 0x8000000000000001, 0x8000000000000000, 0, 1,
      0x3ff0000000000000, 0x7ff0000000000000 },
  };
  static const char *const names[3] = { "v_cmp_class_f16", "v_cmp_class_f32",
                                        "v_cmp_class_f64" };
  for (int t = 0; t < 3; t++)
    for (int n = 0; n < 10; n++)
      for (int bit = 0; bit < 10; bit++)
        if (mask_of(names[t], values[t][n], 1u << bit) != (n == bit ? ALL : 0))
          fail_msg("%s: value %d, bit %d", names[t], n, bit);
}

/* Whether each comparison holds for less, equal, greater and unordered. */
static const struct {
  const char *name;
  int lt, eq, gt, un;
} relations[] = {
  {"f", 0, 0, 0, 0},   {"lt", 1, 0, 0, 0},  {"eq", 0, 1, 0, 0},
  {"le", 1, 1, 0, 0},  {"gt", 0, 0, 1, 0},  {"lg", 1, 0, 1, 0},
  {"ge", 0, 1, 1, 0},  {"o", 1, 1, 1, 0},   {"u", 0, 0, 0, 1},
  {"nge", 1, 0, 0, 1}, {"nlg", 0, 1, 0, 1}, {"ngt", 1, 1, 0, 1},
  {"nle", 0, 0, 1, 1}, {"neq", 1, 0, 1, 1}, {"nlt", 0, 1, 1, 1},
  {"tru", 1, 1, 1, 1},
};

static void expect(const char *name, uint64_t a, uint64_t c, int want)
{
  if (mask_of(name, a, c) != (want ? ALL : 0))
    fail_msg("%s %#llx %#llx is not %d", name, (unsigned long long)a,
             (unsigned long long)c, want);
}

static void float_relations(void **state)
{
  (void)state;
  static const struct {
    const char *type;
    uint64_t one, two, nan;
  } types[] = {
    {"f16", 0x3c00, 0x4000, 0x7e00},
    {"f32", 0x3f800000, 0x40000000, 0x7fc00000},
    {"f64", 0x3ff0000000000000, 0x4000000000000000, 0x7ff8000000000000},
  };
  for (size_t t = 0; t < 3; t++)
    for (size_t n = 0; n < sizeof relations / sizeof *relations; n++) {
      char name[32];
      snprintf(name, sizeof name, "v_cmp_%s_%s", relations[n].name,
               types[t].type);
      expect(name, types[t].one, types[t].two, relations[n].lt);
      expect(name, types[t].two, types[t].two, relations[n].eq);
      expect(name, types[t].two, types[t].one, relations[n].gt);
      expect(name, types[t].nan, types[t].one, relations[n].un);
      expect(name, types[t].one, types[t].nan, relations[n].un);
    }
}

static void integer_relations(void **state)
{
  (void)state;
  static const char *const types[] = { "i16", "u16", "i32",
                                       "u32", "i64", "u64" };
  static const char *const names[] = { "f", "lt", "eq", "le",
                                       "gt", "ne", "ge", "t" };
  static const int less[] = {0, 1, 0, 1, 0, 1, 0, 1};
  static const int same[] = {0, 0, 1, 1, 0, 0, 1, 1};
  static const int more[] = {0, 0, 0, 0, 1, 1, 1, 1};
  for (int t = 0; t < 6; t++)
    for (int n = 0; n < 8; n++) {
      char name[32];
      const int is_signed = types[t][0] == 'i'; /* -1 against 1 */
      snprintf(name, sizeof name, "v_cmp_%s_%s", names[n], types[t]);
      expect(name, ALL, 1, (is_signed ? less : more)[n]);
      expect(name, 1, ALL, (is_signed ? more : less)[n]);
      expect(name, ALL, ALL, same[n]);
    }
}

/* --- transcendentals: 1 ulp, against long double -------------------------- */

static long double exact_rcp(long double x) { return 1 / x; }
static long double exact_rsq(long double x) { return 1 / sqrtl(x); }
static long double turns_sin(long double x)
{
  return sinl(2 * 3.141592653589793238462643383279L * x);
}

static void within_an_ulp(void **state)
{
  (void)state;
  static const struct {
    const char *name;
    long double (*exact)(long double);
  } functions[] = {
    {"v_rcp_f32", exact_rcp}, {"v_rsq_f32", exact_rsq},
    {"v_sqrt_f32", sqrtl},    {"v_exp_f32", exp2l},
    {"v_log_f32", log2l},     {"v_sin_f32", turns_sin},
  };
  for (size_t n = 0; n < sizeof functions / sizeof *functions; n++) {
    struct bench b;
    bench_reset(&b);
    for (int l = 0; l < LANES; l++) {
      const float x = 0.013f + 0.37f * (float)l;
      memcpy(&b.v[2][l], &x, 4);
    }
    const struct inst i = inst_of(functions[n].name);
    execute(&b, &i);
    for (int l = 0; l < LANES; l++) {
      float x, got;
      memcpy(&x, &b.v[2][l], 4);
      memcpy(&got, &b.v[0][l], 4);
      const float want = (float)functions[n].exact(x);
      if (fabsf(got - want) > fabsf(want) * 0x1p-23f + 0x1p-40f)
        fail_msg("%s %a: %a, expected %a", functions[n].name, x, got, want);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(known),
    cmocka_unit_test(classes),
    cmocka_unit_test(float_relations),
    cmocka_unit_test(integer_relations),
    cmocka_unit_test(within_an_ulp),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
