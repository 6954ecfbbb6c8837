/* valu_sweep.c - every vector opcode: there, the same bits from the portable
 * and the AVX2 table, and lanes that are off are left alone. */
// SPDX-License-Identifier: MIT
#include "base/rng.h"
#include "tests/sim/valu_test.h"

static const char *const absent[] = { /* of graphics */
  "v_interp_p1_f32", "v_interp_p2_f32", "v_interp_mov_f32",
  "v_interp_p1ll_f16", "v_interp_p1lv_f16", "v_interp_p2_legacy_f16",
  "v_interp_p2_f16", "v_screen_partition_4se_b32",
};

static int is_absent(const char *name)
{
  for (size_t n = 0; n < sizeof absent / sizeof *absent; n++)
    if (!strcmp(name, absent[n]))
      return 1;
  return 0;
}

static void all_there(void **state)
{
  (void)state;
  int found = 0;
  for (size_t n = 0; n < OPCODES; n++) {
    if (!is_valu(&opcodes[n]))
      continue;
    const struct inst i = inst_for(&opcodes[n]);
    const int want = !is_absent(opcodes[n].name);
    for (int set = 0; set < VECTOR_SETS; set++)
      if ((vector_sets[set].handler(&i) != NULL) != want)
        fail_msg("%s: %s of %s", opcodes[n].name, want ? "missing" : "unexpected",
                 vector_sets[set].name);
    found += want;
  }
  assert_true(found > 700);
}

/* Numbers where formats have their edges, besides any bits. */
static uint32_t random_word(struct rng *r)
{
  static const uint32_t edges[] = {
    0, 1, 0x80000000, 0x7fffffff, 0xffffffff, 0x3f800000, 0xbf800000,
    0x7f800000, 0xff800000, 0x7fc00001, 0x7f800001, 0xffc12345, 0x00000001,
    0x807fffff, 0x00800000, 0x7f7fffff, 0x3c003c00, 0x7c007c01, 0x83ff0001,
    0xfbff7bff, 0xfc007e00, 0x7ff00000, 0xfff80001, 0x000fffff, 0x3ff00000,
    0x437f0000, 0x4b000000, 0x4f000000, 0xcf000000, 0x33800000, 0x477ff000,
  };
  enum {EDGES = sizeof edges / sizeof *edges};
  switch (rng_below(r, 4)) {
  case 0: return edges[rng_below(r, EDGES)];
  case 1: return (uint32_t)rng_below(r, 130) - 65;
  case 2: return 0x3f000000 + (uint32_t)rng_below(r, 0x02000000);
  default: return (uint32_t)rng_next(r);
  }
}

static void fill(struct bench *b, struct rng *r)
{
  bench_reset(b);
  for (int n = 0; n < VGPRS; n++)
    for (int l = 0; l < LANES; l++)
      b->v[n][l] = random_word(r);
  for (int n = 0; n < 106; n++)
    b->w.s[n] = random_word(r);
  WAVE_VCC(&b->w) = rng_next(r);
  WAVE_EXEC(&b->w) = rng_below(r, 2) ? ALL : rng_next(r);
  if (rng_below(r, 2))
    b->w.mode = (uint32_t)rng_below(r, 1024) |
                (rng_below(r, 2) ? MODE_FP16_OVFL : 0);
}

static void random_dpp(struct inst *i, struct rng *r)
{
  static const uint16_t ctrl[] = { 0x1b, 0xe4, 0x101, 0x118, 0x12f, 0x130,
                                   0x134, 0x138, 0x13c, 0x140, 0x141, 0x142,
                                   0x143 };
  i->flags |= INST_DPP | (rng_below(r, 2) ? INST_BOUND_CTRL : 0);
  i->dpp = ctrl[rng_below(r, sizeof ctrl / sizeof *ctrl)];
  i->rowmask = (uint8_t)rng_below(r, 16);
  i->bankmask = (uint8_t)rng_below(r, 16);
}

static void random_sdwa(struct inst *i, struct rng *r)
{
  i->flags |= INST_SDWA;
  i->dsel = (uint8_t)rng_below(r, 7);
  i->dunused = (uint8_t)rng_below(r, 3);
  for (int n = 0; n < 2; n++)
    i->ssel[n] = (uint8_t)rng_below(r, 7);
  i->sext = (uint8_t)rng_below(r, 4);
}

static void modify(struct inst *i, struct rng *r)
{
  const int vop3 = i->format == VOP3 || i->format == VOP3P;
  i->neg = (uint8_t)rng_below(r, 8);
  i->abs = (uint8_t)rng_below(r, 8);
  if (vop3 && rng_below(r, 2))
    i->flags |= INST_CLAMP;
  if (i->format == VOP3) {
    i->omod = (uint8_t)rng_below(r, 4);
    i->opsel = (uint8_t)rng_below(r, 16);
  } else if (i->format == VOP3P) {
    i->opsel = (uint8_t)rng_below(r, 8);
    i->opselhi = (uint8_t)rng_below(r, 8);
  } else if (rng_below(r, 2)) {
    random_dpp(i, r);
  } else {
    random_sdwa(i, r);
  }
}

static int stays_vector(const char *name)
{
  return strstr(name, "swap") != NULL;
}

static int is_alone(const char *name)
{
  return strstr(name, "lane") || strstr(name, "swap") || strstr(name, "nop") ||
         strstr(name, "clrexcp");
}

static void try_one(const struct opcode *o, struct rng *r, int modified)
{
  struct bench b;
  fill(&b, r);
  struct inst i = inst_for(o);
  i.literal = random_word(r);
  if (rng_below(r, 2) && !stays_vector(o->name))
    i.src[0] = (uint16_t)(rng_below(r, 2) ? rng_below(r, 50) * 2
                                          : 128 + rng_below(r, 81));
  else if (rng_below(r, 4) == 0 && !stays_vector(o->name))
    i.src[0] = (uint16_t)(CODE_FLOAT + rng_below(r, 9));
  if (strstr(o->name, "lane"))
    i.src[1] = (uint16_t)(128 + rng_below(r, 64)), i.dst = 10;
  if (modified && !is_alone(o->name))
    modify(&i, r);
  if (!vector_sets[0].handler(&i)) /* SDWA or DPP of 64 bits */
    return;
  if (i.flags & INST_DPP)
    i.src[0] = VGPR(2);
  uint32_t before[LANES];
  memcpy(before, b.v[0], sizeof before);
  const uint64_t on = WAVE_EXEC(&b.w);
  execute(&b, &i);
  for (int l = 0; l < LANES; l++)
    if (!(on >> l & 1) && b.v[0][l] != before[l])
      fail_msg("%s wrote lane %d, which is off", o->name, l);
}

static void both_tables_agree(void **state)
{
  (void)state;
  struct rng r;
  rng_seed(&r, 20);
  for (size_t n = 0; n < OPCODES; n++)
    if (is_valu(&opcodes[n]) && !is_absent(opcodes[n].name))
      for (int round = 0; round < 40; round++) {
        try_one(&opcodes[n], &r, round & 1);
      }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(all_there),
    cmocka_unit_test(both_tables_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
