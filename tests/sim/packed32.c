/* packed32.c - v_pk_fma_f32 and its like: two floats of register pairs at once.
 *
 * Random halves, signs, lanes and registers, the destination's among the sources,
 * against the definition (AMD, CDNA3 ISA, VOP3P): op_sel picks the half of each
 * source's pair that the low result is made of, op_sel_hi that of the high one,
 * neg_lo and neg_hi turn their signs.
 */
// SPDX-License-Identifier: MIT
#include <math.h>

#include "base/rng.h"
#include "tests/sim/program.h"

enum {TRIES = 2000, REGISTERS = 16};

static unsigned opcode(const struct isa *isa, const char *name)
{
  for (unsigned op = 0; op < 128; op++) {
    const struct op *o = op_find(isa, VOP3P, op);
    if (o && !strcmp(o->name, name))
      return op;
  }
  fail_msg("%s has no %s", isa->name, name);
  return 0;
}

static const struct {
  const char *name;
  unsigned sources;
} ops[] = {{"v_pk_fma_f32", 3}, {"v_pk_mul_f32", 2}, {"v_pk_add_f32", 2}};

static float result(unsigned which, const float *s)
{
  return which == 0 ? fmaf(s[0], s[1], s[2]) : which == 1 ? s[0] * s[1]
                                                          : s[0] + s[1];
}

struct try {
  unsigned which, d, src[3], sel[2], neg[2]; /* of the low result, the high one */
};

static void encode(const struct isa *isa, const struct try *t, uint32_t w[2])
{
  w[0] = 0xd3800000u | opcode(isa, ops[t->which].name) << 16 | t->neg[1] << 8 |
         t->sel[0] << 11 | (t->sel[1] >> 2) << 14 | t->d;
  w[1] = (256 + t->src[0]) | (256 + t->src[1]) << 9 |
         (ops[t->which].sources > 2 ? 256u + t->src[2] : 0) << 18 |
         (t->sel[1] & 3) << 27 | t->neg[0] << 29;
}

static void draw(struct try *t, struct rng *r, int usual)
{
  unsigned all = ops[t->which].sources > 2 ? 7 : 3;
  t->d = (unsigned)(rng_next(r) % (REGISTERS / 2)) * 2;
  for (unsigned k = 0; k < 3; k++)
    t->src[k] = (unsigned)(rng_next(r) % (REGISTERS / 2)) * 2;
  for (unsigned half = 0; half < 2; half++) {
    t->sel[half] = usual ? (half ? all : 0) : rng_next(r) & all;
    t->neg[half] = usual ? 0 : rng_next(r) & all;
  }
}

static void run(const struct isa *isa, const struct try *t, struct rng *r)
{
  uint32_t words[2], before[REGISTERS][LANES];
  struct program p;
  encode(isa, t, words);
  program_load_for(&p, isa, words, 2);
  p.kernel.vgprs = REGISTERS;
  program_start(&p, 64);
  struct wave *w = p.group->waves;
  uint64_t exec = rng_next(r) % 2 ? ~(uint64_t)0 : rng_next(r);
  memcpy(&w->s[CODE_EXEC], &exec, sizeof exec);
  for (unsigned n = 0; n < REGISTERS; n++)
    for (unsigned l = 0; l < LANES; l++) {
      float x = (float)(rng_fraction(rng_next(r)) - 0.5) * 16;
      memcpy(&w->v[n][l], &x, sizeof x);
    }
  memcpy(before, w->v, sizeof before);
  wave_step(w);
  for (unsigned half = 0; half < 2; half++)
    for (unsigned l = 0; l < LANES; l++) {
      float s[3] = {0}, want, got;
      for (unsigned k = 0; k < ops[t->which].sources; k++) {
        memcpy(&s[k], &before[t->src[k] + (t->sel[half] >> k & 1)][l], 4);
        s[k] = t->neg[half] >> k & 1 ? -s[k] : s[k];
      }
      want = result(t->which, s);
      if (!(exec >> l & 1))
        memcpy(&want, &before[t->d + half][l], sizeof want);
      memcpy(&got, &w->v[t->d + half][l], sizeof got);
      if (got < want || got > want)
        fail_msg("%s, half %u, lane %u: %a, not %a", ops[t->which].name, half, l,
                 (double)got, (double)want);
    }
  program_close(&p);
}

static void test_packed(void **state)
{
  const struct isa *isa = *state;
  struct rng r;
  rng_seed(&r, 1);
  for (unsigned n = 0; n < TRIES; n++) {
    struct try t = {.which = n % 3};
    draw(&t, &r, rng_next(&r) % 2);
    run(isa, &t, &r);
  }
}

int main(void)
{
#define ON(arch) \
  {"test_packed, " arch, test_packed, NULL, NULL, (void *)(uintptr_t)isa_find(arch)}
  const struct CMUnitTest tests[] = {ON("gfx90a"), ON("gfx942")};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
