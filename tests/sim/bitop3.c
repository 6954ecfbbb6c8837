/* bitop3.c - v_bitop3_b32 and v_bitop3_b16: any function of three bits.
 *
 * All 256 functions on random numbers, halves, lanes and registers, the
 * destination's among the sources, bit by bit against the definition (AMD, CDNA4
 * ISA): bit 4a + 2b + c of the table is the result. The table stands in the fields
 * of signs and factors; two words of llvm-mc 22 say that it is put together
 * rightly here. Of b16 op_sel chooses the halves, and the other half of the
 * destination stays.
 */
// SPDX-License-Identifier: MIT
#include "base/rng.h"
#include "tests/sim/program.h"

enum {TABLES = 256, TRIES = 8, REGISTERS = 8, B16 = 0x233, B32 = 0x234};

struct try {
  unsigned op, table, opsel, d, src[3];
};

static void encode(const struct try *t, uint32_t w[2])
{
  w[0] = 0xd0000000u | t->op << 16 | t->opsel << 11 | (t->table >> 3 & 7) << 8 |
         t->d;
  w[1] = (256 + t->src[0]) | (256 + t->src[1]) << 9 | (256 + t->src[2]) << 18 |
         t->table >> 6 << 27 | (t->table & 7) << 29;
}

static uint32_t result(const struct try *t, const uint32_t before[REGISTERS])
{
  int bits = t->op == B16 ? 16 : 32, to = t->opsel & 8 ? 16 : 0;
  uint32_t all = before[t->d];
  for (int bit = 0; bit < bits; bit++) {
    unsigned at = 0;
    for (int n = 0; n < 3; n++) {
      int from = bit + (t->opsel >> n & 1 ? 16 : 0);
      at = at * 2 + (before[t->src[n]] >> from & 1);
    }
    uint32_t one = (uint32_t)1 << (bit + to);
    all = t->table >> at & 1 ? all | one : all & ~one;
  }
  return all;
}

static void run(const struct try *t, struct rng *r)
{
  uint32_t words[2], before[LANES][REGISTERS];
  struct program p;
  encode(t, words);
  program_load_for(&p, isa_find("gfx950"), words, 2);
  program_start(&p, LANES);
  struct wave *w = p.group->waves;
  uint64_t exec = rng_next(r) % 2 ? ~(uint64_t)0 : rng_next(r);
  memcpy(&w->s[CODE_EXEC], &exec, sizeof exec);
  for (unsigned l = 0; l < LANES; l++)
    for (unsigned n = 0; n < REGISTERS; n++)
      before[l][n] = w->v[n][l] = (uint32_t)rng_next(r);
  wave_step(w);
  if (w->state != WAVE_RUN)
    fail_msg("%s", w->fault.text);
  for (unsigned l = 0; l < LANES; l++)
    for (unsigned n = 0; n < REGISTERS; n++) {
      int made = n == t->d && exec >> l & 1;
      uint32_t want = made ? result(t, before[l]) : before[l][n];
      if (w->v[n][l] != want)
        fail_msg("op 0x%x, table 0x%x, op_sel %u, lane %u: v%u is 0x%x, not 0x%x",
                 t->op, t->table, t->opsel, l, n, w->v[n][l], want);
    }
  program_close(&p);
}

static void test_all(void **state)
{
  struct rng r;
  (void)state;
  rng_seed(&r, 3);
  for (unsigned n = 0; n < TABLES * TRIES; n++) {
    struct try t = {.op = n & 1 ? B16 : B32, .table = n / TRIES};
    t.opsel = n & 1 ? rng_next(&r) & 15 : 0;
    t.d = rng_next(&r) % REGISTERS;
    for (int k = 0; k < 3; k++)
      t.src[k] = rng_next(&r) % REGISTERS;
    run(&t, &r);
  }
}

static void test_words(void **state)
{
  /* v_bitop3_b16 v4, v5, v6, v7 bitop3:0x96 op_sel:[1,0,0,1] */
  /* v_bitop3_b32 v4, v5, v6, v7 bitop3:0x1b */
  static const struct try tries[] = {
      {.op = B16, .table = 0x96, .opsel = 9, .d = 4, .src = {5, 6, 7}},
      {.op = B32, .table = 0x1b, .d = 4, .src = {5, 6, 7}}};
  static const uint32_t llvm[][2] = {{0xd2334a04, 0xd41e0d05},
                                     {0xd2340304, 0x641e0d05}};
  (void)state;
  for (int n = 0; n < 2; n++) {
    uint32_t w[2];
    encode(&tries[n], w);
    assert_memory_equal(w, llvm[n], sizeof w);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_words),
      cmocka_unit_test(test_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
