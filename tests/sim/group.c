/* group.c - first registers, partial waves, barriers, what stops a group. */
// SPDX-License-Identifier: MIT
#include "tests/sim/program.h"

#define SOPP_WORD(op, k) (0xbf800000u | (op) << 16 | ((k) & 0xffff))
enum {NOP = 0, BRANCH = 2, SCC1 = 5, BARRIER = 10, TRAP = 18};

/* --- registers ------------------------------------------------------------ */

/* Descriptor fields: user SGPRs, all three workgroup ids, private segment;
 * workitem ids x, y, z. */
enum {
  PROPERTIES = 0x7f, /* every user SGPR there is: 4 + 5 * 2 + 1 = 15 */
  RSRC2 = 1 | 15 << 1 | 7 << 7 | 2 << 11,
};

static void test_registers(void **state)
{
  const uint32_t word = SOPP_WORD(NOP, 0);
  struct program p;
  (void)state;
  program_load(&p, &word, 1);
  p.kernel.properties = PROPERTIES;
  p.kernel.rsrc2 = RSRC2;
  /* denormals, clamp, IEEE, largest f16 instead of infinity */
  p.kernel.rsrc1 = 0xc0 << 12 | 1 << 21 | 1 << 23 | 1 << 26;
  p.kernel.scratch = 18;
  p.dispatch.packet = 0x1111000000002222;
  p.dispatch.queue = 0x3333000000004444;
  p.dispatch.kernarg = 0x5555000000006666;
  p.dispatch.grid[0] = p.dispatch.grid[1] = p.dispatch.grid[2] = 10;
  p.dispatch.block[0] = 5, p.dispatch.block[1] = 4, p.dispatch.block[2] = 6;
  p.group = group_new(&p.dispatch, 987);
  assert_non_null(p.group);
  assert_int_equal(p.group->nwaves, 2);
  struct wave *w = &p.group->waves[1];
  uint64_t base = p.group->waves[0].scratch;
  /* the resource: base, swizzled; size; index stride 64, add thread id */
  assert_int_equal(w->s[0] | (uint64_t)w->s[1] << 32, base | 1ull << 63);
  assert_int_equal(w->s[2], 2 * 64 * 20);
  assert_int_equal(w->s[3], 0x00e00000);
  assert_int_equal(w->d[2], p.dispatch.packet);
  assert_int_equal(w->d[3], p.dispatch.queue);
  assert_int_equal(w->d[4], p.dispatch.kernarg);
  assert_int_equal(w->d[5], 0);
  assert_int_equal(w->d[6], base);
  assert_int_equal(w->s[14], 20);
  assert_int_equal(w->s[15], 7);
  assert_int_equal(w->s[16], 8);
  assert_int_equal(w->s[17], 9);
  assert_int_equal(w->s[18], 64 * 20);
  assert_int_equal(w->scratch, base + 64 * 20);
  assert_int_equal(w->mode,
                   0xc0 | MODE_DX10_CLAMP | MODE_IEEE | MODE_FP16_OVFL);
  /* thread 64 + 10 = 74 = 4 + 5 * (2 + 4 * 3) */
  assert_int_equal(w->v[0][10], 4);
  assert_int_equal(w->v[1][10], 2);
  assert_int_equal(w->v[2][10], 3);
  assert_int_equal(WAVE_EXEC(w), (1ull << 56) - 1); /* 120 threads */
  program_close(&p);
}

/* --- barriers ------------------------------------------------------------- */

static void test_barrier(void **state)
{
  const uint32_t words[] = {SOPP_WORD(BARRIER, 0), SOPP_WORD(NOP, 0)};
  struct program p;
  (void)state;
  program_open(&p, words, 2, 128);
  struct wave *a = &p.group->waves[0], *b = &p.group->waves[1];
  wave_step(a);
  assert_int_equal(a->state, WAVE_BARRIER);
  assert_int_equal(group_release(p.group), 0);
  assert_int_equal(wave_run(a, 10), 0);
  wave_step(b);
  assert_int_equal(group_release(p.group), 1);
  assert_int_equal(a->state, WAVE_RUN);
  assert_int_equal(b->state, WAVE_RUN);
  assert_int_equal(wave_run(a, 10), 2);
  assert_int_equal(a->state, WAVE_END);
  program_close(&p);
}

/* Waves that have ended are not waited for. */
static void test_barrier_after_end(void **state)
{
  const uint32_t words[] = {SOPP_WORD(SCC1, 1), SOPP_WORD(BARRIER, 0)};
  struct program p;
  struct fault fault = {0};
  (void)state;
  program_open(&p, words, 2, 192);
  p.group->waves[1].scc = 1;
  assert_int_equal(group_run(p.group, &fault), 0);
  assert_int_equal(p.group->ended, 3);
  program_close(&p);
}

/* --- waits ---------------------------------------------------------------- */

/* Each of 16 waves waits for the one behind it to write to LDS, the last for
 * nobody. None needs many instructions, however the turns go. */
static void test_waits_in_a_row(void **state)
{
  /* v_lshlrev_b32 v1, 2, v0; again: ds_read_b32 v2, v1 offset:256; s_waitcnt
   * lgkmcnt(0); v_cmp_ne_u32 vcc, 1, v2; s_cbranch_vccnz again; v_mov_b32 v2,
   * 1; ds_write_b32 v1, v2 */
  const uint32_t words[] = {0x24000082 | 1 << 17, 0xd86c0100, 0x02000001,
                            0xbf8cc07f, 0x7d9a0481, SOPP_WORD(7, -5),
                            0x7e040281, 0xd81a0000, 0x00000201};
  struct program p;
  struct fault fault = {0};
  (void)state;
  program_load(&p, words, sizeof words / sizeof *words);
  p.dispatch.lds = p.kernel.lds = 17 * 256;
  p.dispatch.limit = 200000;
  program_start(&p, 16 * 64);
  for (int lane = 0; lane < 64; lane++)
    memcpy(p.group->lds + 16 * 256 + lane * 4, &(uint32_t){1}, 4);
  if (group_run(p.group, &fault))
    fail_msg("%s", fault.text);
  program_close(&p);
}

/* --- what stops a group --------------------------------------------------- */

static void faults_from(uint32_t entry, const uint32_t *words, size_t n,
                        int code, const char *text)
{
  struct program p;
  struct fault fault = {0};
  program_load(&p, words, n);
  p.kernel.entry = entry;
  p.dispatch.limit = 1000000;
  program_start(&p, 128);
  p.group->waves[0].scc = 1;
  p.group->waves[1].scc = 0;
  assert_int_equal(group_run(p.group, &fault), code);
  if (!strstr(fault.text, text))
    fail_msg("no '%s' in: %s", text, fault.text);
  if (!strstr(fault.text, "kernel test, workgroup (0, 0, 0), wave"))
    fail_msg("no place in: %s", fault.text);
  program_close(&p);
}

static void faults(const uint32_t *words, size_t n, int code, const char *text)
{
  faults_from(0, words, n, code, text);
}

static void test_endless(void **state)
{
  const uint32_t words[] = {SOPP_WORD(BRANCH, -1)};
  (void)state;
  faults(words, 1, FAULT_TIMEOUT, "endless loop");
}

/* Wave 0 waits, wave 1 never comes. */
static void test_barrier_never_reached(void **state)
{
  const uint32_t words[] = {SOPP_WORD(SCC1, 1), SOPP_WORD(BRANCH, -1),
                            SOPP_WORD(BARRIER, 0)};
  (void)state;
  faults(words, 3, FAULT_TIMEOUT,
         "1 of 2 waves wait at a barrier that it never reaches");
}

static void test_not_an_instruction(void **state)
{
  const uint32_t words[] = {SOPP_WORD(NOP, 0), 0xc4000000, 0};
  (void)state;
  faults(words, 3, FAULT_LAUNCH, "? at +0x4: not an instruction");
}

static void test_not_implemented(void **state)
{
  const uint32_t word = 0xb8000000; /* s_cbranch_i_fork */
  (void)state;
  faults(&word, 1, FAULT_LAUNCH, "s_cbranch_i_fork at +0x0");
}

static void test_too_few_registers(void **state)
{
  const uint32_t word = 0x7e000309; /* v_mov_b32 v0, v9 of 8 */
  (void)state;
  faults(&word, 1, FAULT_LAUNCH, "it names v9, the kernel has 8 VGPRs");
}

static void test_trap(void **state)
{
  const uint32_t word = SOPP_WORD(TRAP, 2);
  (void)state;
  faults(&word, 1, FAULT_ASSERT, "trap 2: abort()");
}

static void test_off_the_end(void **state)
{
  const uint32_t word = SOPP_WORD(BRANCH, 100);
  (void)state;
  faults(&word, 1, FAULT_LAUNCH, "ran out of the kernel's code");
}

static void test_jump_away(void **state)
{
  const uint32_t words[] = {0xbe860080, 0xbe870080, 0xbe801d06};
  (void)state;
  faults(words, 3, FAULT_ADDRESS, "s_setpc_b64 at +0x8: jump to 0x0");
}

/* Compilers put the functions that a kernel calls before it. */
static void test_before_the_entry(void **state)
{
  const uint32_t words[] = {SOPP_WORD(NOP, 0), SOPP_WORD(TRAP, 2),
                            SOPP_WORD(NOP, 0), SOPP_WORD(BRANCH, -3)};
  (void)state;
  faults_from(3, words, 4, FAULT_ASSERT, "s_trap at -0x8: trap 2");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_registers),
      cmocka_unit_test(test_barrier),
      cmocka_unit_test(test_barrier_after_end),
      cmocka_unit_test(test_waits_in_a_row),
      cmocka_unit_test(test_endless),
      cmocka_unit_test(test_barrier_never_reached),
      cmocka_unit_test(test_not_an_instruction),
      cmocka_unit_test(test_not_implemented),
      cmocka_unit_test(test_too_few_registers),
      cmocka_unit_test(test_trap),
      cmocka_unit_test(test_off_the_end),
      cmocka_unit_test(test_jump_away),
      cmocka_unit_test(test_before_the_entry),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
