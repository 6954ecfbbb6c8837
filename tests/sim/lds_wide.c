/* lds_wide.c - gfx950's reads that transpose, and its loads past the registers.
 *
 * Reads: for each element of the result, whose lane's bytes it comes from is what
 * rocRoller's TransposeInstructionsTest expects of cards, as a table here. Random
 * LDS, addresses in any order, into VGPRs and AGPRs. Loads: every lane's bytes are
 * at M0 + offset + 4 or 16 * lane (CDNA4 ISA, 9.1.9), the rest of LDS is untouched;
 * M0 beyond 64 KB, lanes that are off, offsets of either sign on both sides.
 */
// SPDX-License-Identifier: MIT
#include "base/rng.h"
#include "tests/sim/program.h"

enum {LDS = 160 << 10, NV = 16, NA = 16, TRIES = 40, FROM = 0, TO = 4};

static void start(struct program *p, const uint32_t words[2], struct rng *r)
{
  program_load_for(p, isa_find("gfx950"), words, 2);
  p->kernel.vgprs = NV + NA;
  p->kernel.agprs = NA;
  p->dispatch.lds = LDS;
  program_start(p, LANES);
  for (unsigned n = 0; n < LDS; n++)
    p->group->lds[n] = (uint8_t)rng_next(r);
}

static void step(struct program *p)
{
  struct wave *w = p->group->waves;
  wave_step(w);
  if (w->state != WAVE_RUN)
    fail_msg("%s", w->fault.text);
}

/* --- reads that transpose ------------------------------------------------- */

/* Of 16 lanes, lane l's element n comes from lane (l >> shift & mask) + step n, and
 * is element l & each - 1 there. */
static const struct {
  unsigned op, bits, bytes, shift, mask, step, each;
} forms[] = {
    {0xe3, 16, 8, 2, 3, 4, 4},
    {0xe2, 8, 8, 3, 1, 2, 8},
    {0xe0, 4, 8, 0, 0, 1, 16},
    {0xe1, 6, 12, 0, 0, 1, 16},
};

static unsigned bit_of(const uint8_t *at, unsigned n)
{
  return at[n / 8] >> n % 8 & 1;
}

static void transpose(unsigned form, int agprs, struct rng *r)
{
  unsigned op = forms[form].op, bits = forms[form].bits;
  unsigned place[LANES];
  uint32_t words[2] = {0xd8000000u | op << 17 | (uint32_t)agprs << 25 | 48,
                       (uint32_t)TO << 24 | FROM};
  struct program p;
  start(&p, words, r);
  struct wave *w = p.group->waves;
  for (unsigned l = 0; l < LANES; l++) {
    place[l] = (unsigned)(rng_next(r) % 1024) * 16;
    w->v[FROM][l] = place[l];
  }
  step(&p);
  for (unsigned l = 0; l < LANES; l++)
    for (unsigned n = 0; n < forms[form].each; n++) {
      unsigned source = (l % 16 >> forms[form].shift & forms[form].mask) +
                        forms[form].step * n + l / 16 * 16;
      unsigned element = l & (forms[form].each - 1);
      const uint8_t *row = p.group->lds + place[source] + 48;
      for (unsigned b = 0; b < bits; b++) {
        unsigned at = n * bits + b, reg = TO + at / 32 + (agprs ? NV : 0);
        unsigned got = w->v[reg][l] >> at % 32 & 1;
        if (got != bit_of(row, element * bits + b))
          fail_msg("op 0x%x, agprs %d: lane %u, element %u", op, agprs, l, n);
      }
    }
  program_close(&p);
}

static void test_transposed(void **state)
{
  struct rng r;
  (void)state;
  rng_seed(&r, 1);
  for (unsigned n = 0; n < TRIES; n++)
    transpose(n % 4, n / 4 % 2, &r);
}

/* --- loads past the registers --------------------------------------------- */

static const struct {
  unsigned op, bytes, step;
} loads[] = {{0x2a, 4, 4}, {0x7e, 12, 16}, {0x7d, 16, 16}};

static void load(unsigned which, struct rng *r)
{
  static uint8_t want[LDS];
  const unsigned bytes = loads[which].bytes;
  int offset = (int)(rng_next(r) % 256) * 4 - 512;
  uint32_t m0 = 1024 + (uint32_t)(rng_next(r) % (LDS / 16 - 256)) * 16;
  uint32_t words[2] = {0xdc008000u | loads[which].op << 18 | (offset & 0x1fff),
                       0x7fu << 16 | FROM};
  uint64_t exec = rng_next(r) % 2 ? ~(uint64_t)0 : rng_next(r);
  struct program p;
  if (m0 > LDS - 2048)
    m0 = LDS - 2048;
  start(&p, words, r);
  struct wave *w = p.group->waves;
  uint8_t *memory = arena_alloc(p.arena, 1 << 16);
  for (unsigned n = 0; n < 1 << 16; n++)
    memory[n] = (uint8_t)rng_next(r);
  memcpy(&w->s[CODE_EXEC], &exec, sizeof exec);
  w->s[CODE_M0] = m0;
  memcpy(want, p.group->lds, LDS);
  for (unsigned l = 0; l < LANES; l++) {
    uint8_t *from = memory + 1024 + rng_next(r) % 4000 * 4;
    uint64_t address = (uint64_t)(uintptr_t)from;
    w->v[FROM][l] = (uint32_t)address;
    w->v[FROM + 1][l] = (uint32_t)(address >> 32);
    if (exec >> l & 1)
      memcpy(want + (int)m0 + offset + (int)(loads[which].step * l),
             from + offset, bytes);
  }
  step(&p);
  assert_memory_equal(p.group->lds, want, LDS);
  program_close(&p);
}

static void test_loads(void **state)
{
  struct rng r;
  (void)state;
  rng_seed(&r, 2);
  for (unsigned n = 0; n < TRIES; n++)
    load(n % 3, &r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_transposed),
      cmocka_unit_test(test_loads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
