/* scalar.c - the scalar instructions against their definitions.
 *
 * Expected values are worked out by hand from the descriptions of the "Vega"
 * instruction set: result, and SCC where the instruction sets it.
 */
// SPDX-License-Identifier: MIT
#include "tests/sim/program.h"

/* --- one instruction, sources in s[8:9] and s[12:13], result s[4:5] ------- */

enum {D = 4, A = 8, B = 12};

#define ONES (~(uint64_t)0)
#define OLD 0x1111111122222222 /* what the destination held before */

struct row {
  const char *name;
  uint64_t a, b;
  int scc;         /* before */
  uint64_t result; /* OLD: stays */
  int after;       /* SCC */
};

static const struct row sop2[] = {
    {"s_add_u32", 0xffffffff, 1, 0, 0, 1},
    {"s_add_u32", 0x7fffffff, 1, 1, 0x80000000, 0},
    {"s_sub_u32", 1, 2, 0, 0xffffffff, 1},
    {"s_sub_u32", 2, 2, 1, 0, 0},
    {"s_add_i32", 0x7fffffff, 1, 0, 0x80000000, 1},
    {"s_add_i32", 0xffffffff, 1, 1, 0, 0},
    {"s_sub_i32", 0x80000000, 1, 0, 0x7fffffff, 1},
    {"s_sub_i32", 1, 2, 1, 0xffffffff, 0},
    {"s_addc_u32", 0xffffffff, 0, 1, 0, 1},
    {"s_addc_u32", 0xffffffff, 0xffffffff, 1, 0xffffffff, 1},
    {"s_addc_u32", 1, 2, 0, 3, 0},
    {"s_subb_u32", 0, 0, 1, 0xffffffff, 1},
    {"s_subb_u32", 0, 0xffffffff, 1, 0, 1},
    {"s_subb_u32", 5, 2, 1, 2, 0},
    {"s_min_i32", 0xffffffff, 1, 0, 0xffffffff, 1},
    {"s_min_i32", 1, 0xffffffff, 1, 0xffffffff, 0},
    {"s_min_u32", 0xffffffff, 1, 1, 1, 0},
    {"s_min_u32", 1, 2, 0, 1, 1},
    {"s_max_i32", 0xffffffff, 1, 1, 1, 0},
    {"s_max_i32", 1, 0xffffffff, 0, 1, 1},
    {"s_max_u32", 0xffffffff, 1, 0, 0xffffffff, 1},
    {"s_cselect_b32", 10, 20, 1, 10, 1},
    {"s_cselect_b32", 10, 20, 0, 20, 0},
    {"s_cselect_b64", ONES, 0, 1, ONES, 1},
    {"s_cselect_b64", ONES, 7, 0, 7, 0},
    {"s_and_b32", 0xff00, 0x0ff0, 0, 0x0f00, 1},
    {"s_and_b32", 0xff00, 0x00ff, 1, 0, 0},
    {"s_and_b64", 0xf00000000, 0x100000000, 0, 0x100000000, 1},
    {"s_or_b32", 0, 0, 1, 0, 0},
    {"s_or_b64", 1ull << 40, 1, 0, (1ull << 40) + 1, 1},
    {"s_xor_b32", 0xf0f0, 0xffff, 0, 0x0f0f, 1},
    {"s_xor_b64", ONES, ONES, 1, 0, 0},
    {"s_andn2_b32", 0xff, 0x0f, 0, 0xf0, 1},
    {"s_andn2_b64", ONES, ONES, 1, 0, 0},
    {"s_orn2_b32", 0, 0xfffffff0, 0, 0xf, 1},
    {"s_orn2_b64", 0, ONES, 1, 0, 0},
    {"s_nand_b32", 0xffffffff, 0xffffffff, 1, 0, 0},
    {"s_nand_b64", ONES, 1, 0, ONES - 1, 1},
    {"s_nor_b32", 1, 2, 0, 0xfffffffc, 1},
    {"s_nor_b64", ONES, 0, 1, 0, 0},
    {"s_xnor_b32", 5, 5, 0, 0xffffffff, 1},
    {"s_xnor_b64", 0, ONES, 1, 0, 0},
    {"s_lshl_b32", 1, 33, 0, 2, 1},
    {"s_lshl_b32", 0x80000000, 1, 1, 0, 0},
    {"s_lshl_b64", 1, 63, 0, 1ull << 63, 1},
    {"s_lshl_b64", 1, 64, 0, 1, 1},
    {"s_lshr_b32", 0x80000000, 31, 0, 1, 1},
    {"s_lshr_b64", 1ull << 63, 63, 0, 1, 1},
    {"s_ashr_i32", 0x80000000, 31, 0, 0xffffffff, 1},
    {"s_ashr_i32", 1, 1, 1, 0, 0},
    {"s_ashr_i64", 1ull << 63, 62, 0, ONES - 1, 1},
    {"s_bfm_b32", 4, 8, 1, 0xf00, 1},
    {"s_bfm_b32", 0, 8, 1, 0, 1},
    {"s_bfm_b64", 4, 60, 0, 0xfull << 60, 0},
    {"s_mul_i32", 0xffffffff, 7, 1, 0xfffffff9, 1},
    {"s_bfe_u32", 0xabcd1234, 8 | 12 << 16, 0, 0xd12, 1},
    {"s_bfe_u32", 0xabcd1234, 8, 1, 0, 0},
    {"s_bfe_u32", 0xabcd1234, 4 | 64 << 16, 0, 0xabcd123, 1},
    {"s_bfe_i32", 0xabcd1234, 12 | 8 << 16, 0, 0xffffffd1, 1},
    {"s_bfe_i32", 0x00001000, 12 | 2 << 16, 0, 1, 1},
    {"s_bfe_u64", 0x123456789abcdef0, 36 | 16 << 16, 0, 0x4567, 1},
    {"s_bfe_i64", 0x00f0000000000000, 48 | 8 << 16, 0, ONES - 15, 1},
    {"s_absdiff_i32", 5, 8, 0, 3, 1},
    {"s_absdiff_i32", 0x80000000, 1, 0, 0x80000001, 1},
    {"s_absdiff_i32", 7, 7, 1, 0, 0},
    {"s_mul_hi_u32", 0xffffffff, 0xffffffff, 1, 0xfffffffe, 1},
    {"s_mul_hi_i32", 0xffffffff, 2, 0, 0xffffffff, 0},
    {"s_lshl1_add_u32", 3, 4, 1, 10, 0},
    {"s_lshl2_add_u32", 0x40000000, 4, 0, 4, 1},
    {"s_lshl3_add_u32", 1, 1, 1, 9, 0},
    {"s_lshl4_add_u32", 0x0fffffff, 0x10, 0, 0, 1},
    {"s_pack_ll_b32_b16", 0x11112222, 0x33334444, 1, 0x44442222, 1},
    {"s_pack_lh_b32_b16", 0x11112222, 0x33334444, 0, 0x33332222, 0},
    {"s_pack_hh_b32_b16", 0x11112222, 0x33334444, 0, 0x33331111, 0},
};

static const struct row sop1[] = {
    {"s_mov_b32", 7, 0, 1, 7, 1},
    {"s_mov_b64", 1ull << 40, 0, 0, 1ull << 40, 0},
    {"s_cmov_b32", 7, 0, 1, 7, 1},
    {"s_cmov_b32", 7, 0, 0, OLD, 0},
    {"s_cmov_b64", 7, 0, 1, 7, 1},
    {"s_cmov_b64", 7, 0, 0, OLD, 0},
    {"s_not_b32", 0xffffffff, 0, 1, 0, 0},
    {"s_not_b64", 0, 0, 0, ONES, 1},
    {"s_wqm_b32", 0x00100002, 0, 0, 0x00f0000f, 1},
    {"s_wqm_b64", 1ull << 62, 0, 0, 0xfull << 60, 1},
    {"s_wqm_b64", 0, 0, 1, 0, 0},
    {"s_brev_b32", 0x00000006, 0, 1, 0x60000000, 1},
    {"s_brev_b64", 1, 0, 0, 1ull << 63, 0},
    {"s_bcnt0_i32_b32", 0xfffffffe, 0, 0, 1, 1},
    {"s_bcnt0_i32_b64", ONES, 0, 1, 0, 0},
    {"s_bcnt1_i32_b32", 0xf0f0, 0, 0, 8, 1},
    {"s_bcnt1_i32_b64", ONES, 0, 0, 64, 1},
    {"s_ff0_i32_b32", 0x0000000f, 0, 1, 4, 1},
    {"s_ff0_i32_b32", 0xffffffff, 0, 1, 0xffffffff, 1},
    {"s_ff0_i32_b64", 0xffffffff, 0, 0, 32, 0},
    {"s_ff1_i32_b32", 0x00000010, 0, 0, 4, 0},
    {"s_ff1_i32_b32", 0, 0, 0, 0xffffffff, 0},
    {"s_ff1_i32_b64", 1ull << 63, 0, 1, 63, 1},
    {"s_flbit_i32_b32", 0x00010000, 0, 0, 15, 0},
    {"s_flbit_i32_b32", 0, 0, 0, 0xffffffff, 0},
    {"s_flbit_i32_b64", 1, 0, 0, 63, 0},
    {"s_flbit_i32", 0xffff0000, 0, 0, 16, 0},
    {"s_flbit_i32", 0xffffffff, 0, 0, 0xffffffff, 0},
    {"s_flbit_i32", 0x00008000, 0, 0, 16, 0},
    {"s_flbit_i32_i64", ONES - 1, 0, 0, 63, 0},
    {"s_sext_i32_i8", 0x1280, 0, 1, 0xffffff80, 1},
    {"s_sext_i32_i16", 0x12348000, 0, 0, 0xffff8000, 0},
    {"s_bitset0_b32", 33, 0, 0, 0x22222220, 0},
    {"s_bitset1_b32", 0, 0, 0, 0x22222223, 0},
    {"s_bitset0_b64", 60, 0, 0, 0x0111111122222222, 0},
    {"s_bitset1_b64", 63, 0, 0, 0x9111111122222222, 0},
    {"s_quadmask_b32", 0x10000002, 0, 0, 0x81, 1},
    {"s_quadmask_b64", 1ull << 63, 0, 0, 0x8000, 1},
    {"s_abs_i32", 0xffffffff, 0, 0, 1, 1},
    {"s_abs_i32", 0, 0, 1, 0, 0},
    {"s_bitreplicate_b64_b32", 0x80000005, 0, 1, 0xc000000000000033, 1},
};

/* SCC only; .result is not looked at. */
static const struct row sopc[] = {
    {"s_cmp_eq_i32", 1, 1, 0, OLD, 1},
    {"s_cmp_lg_i32", 1, 1, 1, OLD, 0},
    {"s_cmp_gt_i32", 0xffffffff, 0, 1, OLD, 0},
    {"s_cmp_ge_i32", 3, 3, 0, OLD, 1},
    {"s_cmp_lt_i32", 0x80000000, 0, 0, OLD, 1},
    {"s_cmp_le_i32", 1, 0xffffffff, 1, OLD, 0},
    {"s_cmp_eq_u32", 1, 2, 1, OLD, 0},
    {"s_cmp_lg_u32", 1, 2, 0, OLD, 1},
    {"s_cmp_gt_u32", 0xffffffff, 0, 0, OLD, 1},
    {"s_cmp_ge_u32", 0, 1, 1, OLD, 0},
    {"s_cmp_lt_u32", 0x80000000, 0, 1, OLD, 0},
    {"s_cmp_le_u32", 1, 0xffffffff, 0, OLD, 1},
    {"s_bitcmp0_b32", 0x100, 40, 1, OLD, 0},
    {"s_bitcmp0_b32", 0x100, 9, 0, OLD, 1},
    {"s_bitcmp1_b32", 0x100, 8, 0, OLD, 1},
    {"s_bitcmp0_b64", 1ull << 40, 40, 1, OLD, 0},
    {"s_bitcmp1_b64", 1ull << 40, 40, 0, OLD, 1},
    {"s_cmp_eq_u64", 1ull << 40, 1ull << 40, 0, OLD, 1},
    {"s_cmp_lg_u64", 1ull << 40, 0, 0, OLD, 1},
};

/* The constant is .a, the register .b. */
static const struct row sopk[] = {
    {"s_movk_i32", 0x8000, 0, 1, 0xffff8000, 1},
    {"s_cmovk_i32", 5, 0, 1, 5, 1},
    {"s_cmovk_i32", 5, 9, 0, 9, 0},
    {"s_cmpk_eq_i32", 0xffff, 0xffffffff, 0, 0xffffffff, 1},
    {"s_cmpk_lg_i32", 0xffff, 0xffffffff, 1, 0xffffffff, 0},
    {"s_cmpk_gt_i32", 0xffff, 0, 0, 0, 1},
    {"s_cmpk_ge_i32", 1, 0, 1, 0, 0},
    {"s_cmpk_lt_i32", 1, 0xffffffff, 0, 0xffffffff, 1},
    {"s_cmpk_le_i32", 1, 1, 0, 1, 1},
    {"s_cmpk_eq_u32", 0xffff, 0xffff, 0, 0xffff, 1},
    {"s_cmpk_lg_u32", 0xffff, 0xffffffff, 0, 0xffffffff, 1},
    {"s_cmpk_gt_u32", 0xffff, 0xffffffff, 0, 0xffffffff, 1},
    {"s_cmpk_ge_u32", 0xffff, 1, 1, 1, 0},
    {"s_cmpk_lt_u32", 0xffff, 1, 0, 1, 1},
    {"s_cmpk_le_u32", 2, 3, 1, 3, 0},
    {"s_addk_i32", 0xffff, 1, 1, 0, 0},
    {"s_addk_i32", 1, 0x7fffffff, 0, 0x80000000, 1},
    {"s_mulk_i32", 0xfffe, 3, 1, 0xfffffffa, 1},
};

static uint32_t encode(unsigned format, unsigned op, uint64_t constant)
{
  switch (format) {
  case SOP2: return 0x80000000 | op << 23 | D << 16 | B << 8 | A;
  case SOP1: return 0xbe800000 | D << 16 | op << 8 | A;
  case SOPC: return 0xbf000000 | op << 16 | B << 8 | A;
  default: return 0xb0000000 | op << 23 | D << 16 | (constant & 0xffff);
  }
}

static void check_row(const struct row *r)
{
  struct program p;
  unsigned format, op;
  if (!opcode_find(r->name, &format, &op))
    fail_msg("no opcode %s", r->name);
  uint32_t word = encode(format, op, r->a);
  program_open(&p, &word, 1, 64);
  struct wave *w = &p.group->waves[0];
  uint64_t old = format == SOPK ? r->b : OLD;
  memcpy(&w->s[D], &old, 8);
  memcpy(&w->s[A], &r->a, 8);
  memcpy(&w->s[B], &r->b, 8);
  w->scc = (uint32_t)r->scc;
  wave_step(w);
  assert_int_equal(w->state, WAVE_RUN);
  unsigned width = op_find(isa_at(0), format, op)->dst;
  uint64_t result = w->s[D], expected = r->result;
  if (width == 2)
    memcpy(&result, &w->s[D], 8);
  else
    expected &= 0xffffffff;
  if ((width && result != expected) || w->scc != (uint32_t)r->after)
    fail_msg("%s %llx, %llx, SCC %d: %llx, SCC %u; expected %llx, SCC %d",
             r->name, (unsigned long long)r->a, (unsigned long long)r->b,
             r->scc, (unsigned long long)result, w->scc,
             (unsigned long long)expected, r->after);
  program_close(&p);
}

#define CHECK_ALL(table) \
  static void test_##table(void **state) \
  { \
    (void)state; \
    for (size_t n = 0; n < sizeof table / sizeof *table; n++) \
      check_row(&table[n]); \
  }
CHECK_ALL(sop2)
CHECK_ALL(sop1)
CHECK_ALL(sopc)
CHECK_ALL(sopk)

/* --- EXEC ----------------------------------------------------------------- */

static void test_saveexec(void **state)
{
  static const struct {
    const char *name;
    uint64_t exec; /* with 0b0101 in EXEC and 0b0011 in the source, low bits */
  } rows[] = {
      {"s_and_saveexec_b64", 0x1},   {"s_or_saveexec_b64", 0x7},
      {"s_xor_saveexec_b64", 0x6},   {"s_andn2_saveexec_b64", 0x2},
      {"s_orn2_saveexec_b64", 0xb},  {"s_nand_saveexec_b64", 0xe},
      {"s_nor_saveexec_b64", 0x8},   {"s_xnor_saveexec_b64", 0x9},
      {"s_andn1_saveexec_b64", 0x4}, {"s_orn1_saveexec_b64", 0xd},
      {"s_andn1_wrexec_b64", 0x4},   {"s_andn2_wrexec_b64", 0x2},
  };
  (void)state;
  for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
    struct program p;
    unsigned format, op;
    assert_true(opcode_find(rows[n].name, &format, &op));
    uint32_t word = encode(format, op, 0);
    program_open(&p, &word, 1, 64);
    struct wave *w = &p.group->waves[0];
    WAVE_EXEC(w) = 5;
    w->s[A] = 3, w->s[A + 1] = 0;
    wave_step(w);
    uint64_t saved = w->d[D / 2];
    int writes = strstr(rows[n].name, "wrexec") != NULL;
    assert_int_equal(WAVE_EXEC(w) & 15, rows[n].exec);
    assert_int_equal(saved, writes ? WAVE_EXEC(w) : 5);
    assert_int_equal(w->scc, 1);
    program_close(&p);
  }
}

/* --- constants, literals, special registers ------------------------------- */

static uint64_t moved(uint32_t op, uint32_t source, uint32_t literal)
{
  struct program p;
  const uint32_t words[] = {0xbe800000 | D << 16 | op << 8 | source, literal};
  program_open(&p, words, 2, 64);
  struct wave *w = &p.group->waves[0];
  WAVE_VCC(w) = 0;
  w->scc = 1;
  memset(&w->s[D], 0, 8);
  wave_step(w);
  uint64_t result = w->d[D / 2];
  program_close(&p);
  return result;
}

static void test_constants(void **state)
{
  enum {MOV32 = 0, MOV64 = 1};
  (void)state;
  assert_int_equal(moved(MOV32, 128, 0), 0);
  assert_int_equal(moved(MOV32, 192, 0), 64);
  assert_int_equal(moved(MOV32, 193, 0), 0xffffffff);
  assert_int_equal(moved(MOV64, 208, 0), (uint64_t)-16);
  assert_int_equal(moved(MOV32, 240, 0), 0x3f000000);
  assert_int_equal(moved(MOV32, 248, 0), 0x3e22f983);
  assert_int_equal(moved(MOV64, 243, 0), 0xbff0000000000000);
  assert_int_equal(moved(MOV32, 255, 0xdeadbeef), 0xdeadbeef);
  assert_int_equal(moved(MOV64, 255, 0xdeadbeef), 0xdeadbeef);
  assert_int_equal(moved(MOV32, CODE_VCCZ, 0), 1);
  assert_int_equal(moved(MOV32, CODE_EXECZ, 0), 0);
  assert_int_equal(moved(MOV32, CODE_SCC, 0), 1);
  assert_int_equal(moved(MOV64, CODE_SHARED_BASE, 0), APERTURE_SHARED);
  assert_int_equal(moved(MOV64, CODE_PRIVATE_BASE, 0), APERTURE_PRIVATE);
}

/* --- branches and calls --------------------------------------------------- */

/* s_movk_i32 s4, k */
#define MOVK(k) (0xb0000000u | 4 << 16 | (k))
/* SOPP op with a constant */
#define SOPP_WORD(op, k) (0xbf800000u | (op) << 16 | ((k) & 0xffff))

static uint32_t runs_to(const uint32_t *words, size_t n, uint32_t scc)
{
  struct program p;
  struct fault fault = {0};
  program_open(&p, words, n, 64);
  struct wave *w = &p.group->waves[0];
  w->scc = scc;
  WAVE_VCC(w) = 0;
  assert_int_equal(group_run(p.group, &fault), 0);
  uint32_t result = w->s[4];
  program_close(&p);
  return result;
}

static void test_branches(void **state)
{
  static const struct {
    unsigned op, scc;
    uint32_t result; /* 1: fell through, 2: taken */
  } rows[] = {
      {2, 0, 2}, {4, 0, 2}, {4, 1, 1}, {5, 0, 1}, {5, 1, 2},
      {6, 0, 2}, {7, 0, 1}, {8, 0, 1}, {9, 0, 2}, {23, 0, 1},
  };
  (void)state;
  for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
    const uint32_t words[] = {MOVK(2), SOPP_WORD(rows[n].op, 1), MOVK(1)};
    assert_int_equal(runs_to(words, 3, rows[n].scc), rows[n].result);
  }
}

static void test_loop(void **state)
{
  /* s4 = 0; do s4 += 3; while (s4 < 30) */
  const uint32_t words[] = {MOVK(0), 0xb7040003, 0xb604001e,
                            SOPP_WORD(5, -3)};
  (void)state;
  assert_int_equal(runs_to(words, 4, 0), 30);
}

static void test_calls(void **state)
{
  /* s_call_b64 s[6:7], +2; s_endpgm; nop; s_movk s4, 9; s_setpc_b64 s[6:7] */
  const uint32_t call[] = {0xba860002, SOPP_WORD(1, 0), SOPP_WORD(0, 0),
                           MOVK(9), 0xbe801d06};
  /* s_getpc_b64 s[6:7]; s_add_u32 s6, s6, 16; s_addc_u32 s7, s7, 0;
   * s_swappc_b64 s[8:9], s[6:7]; s_endpgm; s_movk s4, 7; s_setpc s[8:9] */
  const uint32_t swap[] = {0xbe861c00, 0x80069006, 0x82078007, 0xbe881e06,
                           SOPP_WORD(1, 0), MOVK(7), 0xbe801d08};
  (void)state;
  assert_int_equal(runs_to(call, 5, 0), 9);
  assert_int_equal(runs_to(swap, 7, 0), 7);
}

static const struct object *other(const void *user, uint64_t address)
{
  return object_has_code(user, address) ? user : NULL;
}

/* s_swappc_b64 s[8:9], s[6:7], which reaches `there` in an object of its own;
 * s_movk_i32 s5, 3 */
static int calls_away(const uint32_t *there, size_t n, struct fault *fault)
{
  const uint32_t here[] = {0xbe881e06, 0xb0050003};
  struct program p;
  struct object object = {.isa = isa_at(0)};
  program_load(&p, here, 2);
  program_code(p.arena, &object, there, n);
  p.dispatch.code_at = other;
  p.dispatch.user = &object;
  p.dispatch.limit = 1000000;
  program_start(&p, 64);
  struct wave *w = &p.group->waves[0];
  w->d[6 / 2] = object.text_base;
  int bad = group_run(p.group, fault), got = (int)(w->s[4] * 10 + w->s[5]);
  free(object.code);
  program_close(&p);
  return bad ? -1 : got;
}

static void test_calls_to_other_objects(void **state)
{
  /* s_movk s4, 7; s_setpc s[8:9] */
  const uint32_t returns[] = {MOVK(7), 0xbe801d08};
  const uint32_t waits[] = {SOPP_WORD(10, 0), 0xbe801d08};
  const uint32_t never[] = {SOPP_WORD(2, -1)};
  struct fault fault = {0};
  (void)state;
  assert_int_equal(calls_away(returns, 2, &fault), 73);
  assert_int_equal(calls_away(waits, 2, &fault), -1);
  assert_non_null(strstr(fault.text, "a barrier in a function of another"));
  fault = (struct fault){0};
  assert_int_equal(calls_away(never, 1, &fault), -1);
  assert_int_equal(fault.code, FAULT_TIMEOUT);
}

/* --- hardware registers --------------------------------------------------- */

#define HWREG(id, first, width) ((id) | (first) << 6 | ((width) - 1) << 11)

static void test_mode(void **state)
{
  /* s_setreg_imm32_b32 hwreg(MODE, 4, 4), 0xf; s_getreg_b32 s4, hwreg(MODE);
   * s_setreg_b32 hwreg(MODE, 0, 2), s5 */
  const uint32_t words[] = {0xba000000 | HWREG(1, 4, 4), 0xf,
                            0xb8800000 | 4 << 16 | HWREG(1, 0, 32),
                            0xb9000000 | 5 << 16 | HWREG(1, 0, 2)};
  struct program p;
  (void)state;
  program_open(&p, words, 4, 64);
  struct wave *w = &p.group->waves[0];
  w->mode = MODE_IEEE;
  w->s[5] = 7;
  wave_step(w);
  assert_int_equal(w->mode, MODE_IEEE | 0xf0);
  wave_step(w);
  assert_int_equal(w->s[4], MODE_IEEE | 0xf0);
  wave_step(w);
  assert_int_equal(w->mode, MODE_IEEE | 0xf3);
  program_close(&p);
}

static void test_unknown_register(void **state)
{
  const uint32_t words[] = {0xb8800000 | 4 << 16 | HWREG(30, 0, 32)};
  struct program p;
  struct fault fault = {0};
  (void)state;
  program_open(&p, words, 1, 64);
  assert_int_equal(group_run(p.group, &fault), FAULT_LAUNCH);
  assert_non_null(strstr(fault.text, "s_getreg_b32 at +0x0"));
  program_close(&p);
}

/* s_set_gpr_idx_on s8, SRC0; v_mov_b32 v0, v1; s_set_gpr_idx_off */
static void test_indexing(void **state)
{
  const uint32_t words[] = {0xbf110108, 0x7e000301, SOPP_WORD(0x1c, 0)};
  struct program p;
  (void)state;
  program_open(&p, words, 3, 64);
  struct wave *w = &p.group->waves[0];
  w->s[8] = 3;
  w->v[4][5] = 77;
  for (int n = 0; n < 3; n++)
    wave_step(w);
  assert_int_equal(w->state, WAVE_RUN);
  assert_int_equal(w->v[0][5], 77);
  assert_int_equal(w->mode & MODE_GPR_IDX, 0);
  program_close(&p);
  program_open(&p, words, 3, 64);
  w = &p.group->waves[0];
  w->s[8] = 200;
  wave_step(w);
  wave_step(w);
  assert_int_equal(w->state, WAVE_FAULT);
  assert_non_null(strstr(w->fault.text, "v201"));
  program_close(&p);
}

/* --- scalar memory -------------------------------------------------------- */

static struct wave *memory_wave(struct program *p, const uint32_t *words,
                                size_t n, uint32_t *data)
{
  program_open(p, words, n, 64);
  struct wave *w = &p->group->waves[0];
  uint8_t *memory = arena_alloc(p->arena, 256);
  memcpy(memory, data, 256);
  uint64_t address = (uint64_t)(uintptr_t)memory;
  memcpy(&w->s[A], &address, 8);
  return w;
}

static void test_loads(void **state)
{
  /* s_load_dwordx4 s[16:19], s[8:9], 0x8; s_load_dword s20, s[8:9], s5;
   * s_load_dword s21, s[8:9], s5 offset:0x4; s_load_dword s22, s[8:9], -4 */
  const uint32_t words[] = {0xc00a0404, 0x8,       0xc0000504, 0x5,
                            0xc0024544, 0x0a000004, 0xc0020584, 0x1ffffc};
  uint32_t data[64];
  struct program p;
  (void)state;
  for (uint32_t n = 0; n < 64; n++)
    data[n] = 1000 + n;
  struct wave *w = memory_wave(&p, words, 8, data);
  w->s[5] = 0x22; /* bits 1:0 are ignored */
  wave_step(w);
  for (uint32_t n = 0; n < 4; n++)
    assert_int_equal(w->s[16 + n], 1002 + n);
  wave_step(w);
  assert_int_equal(w->s[20], 1008);
  wave_step(w);
  assert_int_equal(w->s[21], 1009);
  wave_step(w);
  assert_int_equal(w->fault.code, FAULT_ADDRESS);
  assert_non_null(strstr(w->fault.text, "s_load_dword at +0x18"));
  program_close(&p);
}

static void test_buffer_loads(void **state)
{
  /* s_buffer_load_dwordx4 s[16:19], s[8:11], 0xc of 20 bytes */
  const uint32_t words[] = {0xc02a0404, 0xc};
  uint32_t data[64];
  struct program p;
  (void)state;
  for (uint32_t n = 0; n < 64; n++)
    data[n] = 1000 + n;
  struct wave *w = memory_wave(&p, words, 2, data);
  w->s[A + 2] = 20;
  wave_step(w);
  assert_int_equal(w->s[16], 1003);
  assert_int_equal(w->s[17], 1004);
  assert_int_equal(w->s[18], 0);
  assert_int_equal(w->s[19], 0);
  program_close(&p);
}

static void test_stores_and_atomics(void **state)
{
  /* s_store_dword s4, s[8:9], 0x4; s_atomic_add s5, s[8:9], 0x4 glc;
   * s_atomic_cmpswap s[6:7], s[8:9], 0x8 glc */
  const uint32_t words[] = {0xc0420104, 0x4, 0xc20b0144, 0x4,
                            0xc2070184, 0x8};
  uint32_t data[64] = {1, 2, 3};
  struct program p;
  (void)state;
  struct wave *w = memory_wave(&p, words, 6, data);
  w->s[4] = 50, w->s[5] = 8, w->s[6] = 99, w->s[7] = 3;
  for (int n = 0; n < 3; n++)
    wave_step(w);
  const uint32_t *memory = (uint32_t *)(uintptr_t)w->d[A / 2];
  assert_int_equal(w->state, WAVE_RUN);
  assert_int_equal(memory[1], 58);
  assert_int_equal(w->s[5], 50);
  assert_int_equal(memory[2], 99);
  assert_int_equal(w->s[6], 3);
  program_close(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sop2),
      cmocka_unit_test(test_sop1),
      cmocka_unit_test(test_sopc),
      cmocka_unit_test(test_sopk),
      cmocka_unit_test(test_saveexec),
      cmocka_unit_test(test_constants),
      cmocka_unit_test(test_branches),
      cmocka_unit_test(test_loop),
      cmocka_unit_test(test_calls),
      cmocka_unit_test(test_calls_to_other_objects),
      cmocka_unit_test(test_mode),
      cmocka_unit_test(test_unknown_register),
      cmocka_unit_test(test_indexing),
      cmocka_unit_test(test_loads),
      cmocka_unit_test(test_buffer_loads),
      cmocka_unit_test(test_stores_and_atomics),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
