/* any_code.c - no code that a kernel may hold can crash the simulator.
 *
 * Random instructions on random registers, addresses that hit memory and LDS
 * often: each program ends, or stops with a fault that says where.
 */
// SPDX-License-Identifier: MIT
#include "base/rng.h"
#include "tests/sim/program.h"

enum {WORDS = 60, LONGEST = 5, PROGRAMS = 3000};

struct prefix {
  uint32_t bits, random;
};

static const struct prefix prefixes[] = {
    {0x00000000, 0x7fffffff}, {0x7c000000, 0x03ffffff},
    {0x80000000, 0x3fffffff}, {0xb0000000, 0x0fffffff},
    {0xbe800000, 0x007fffff}, {0xbf000000, 0x00ffffff},
    {0xc0000000, 0x03ffffff}, {0xd0000000, 0x03ffffff},
    {0xd3800000, 0x007fffff}, {0xd8000000, 0x03feffff},
    {0xdc000000, 0x03ffffff}, {0xe0000000, 0x03ffffff},
    {0xe8000000, 0x03ffffff}, {0x000000f9, 0x7ffffe00},
    {0x000000fa, 0x7ffffe00}, {0x000000ff, 0x7ffffe00},
};

static const struct prefix prefixes_gfx12[] = {
    {0x00000000, 0x7fffffff}, {0x7c000000, 0x03ffffff},
    {0x80000000, 0x3fffffff}, {0xb0000000, 0x0fffffff},
    {0xbe800000, 0x007fffff}, {0xbf000000, 0x00ffffff},
    {0xf4000000, 0x03ffffff}, {0xd4000000, 0x03ffffff},
    {0xcc000000, 0x007fffff}, {0xd8000000, 0x03fcffff},
    {0xc8000000, 0x03ffffff}, {0xcf000000, 0x00ffffff},
    {0xec000000, 0x003fc07f}, {0xed000000, 0x003fc07f},
    {0xee000000, 0x003fc07f}, {0xee14007c, 0x0003c003},
    {0xc4000000, 0x007fc07f}, {0x000000e9, 0x7ffffe00},
    {0x000000fa, 0x7ffffe00}, {0x000000fe, 0x7ffffe00},
    {0x000000ff, 0x7ffffe00},
};

static const struct prefix *random_prefix(const struct isa *isa,
                                          struct rng *rng)
{
  if (isa->encoding == ENCODING_GFX12)
    return &prefixes_gfx12[rng_below(rng, sizeof prefixes_gfx12 /
                                              sizeof *prefixes_gfx12)];
  return &prefixes[rng_below(rng, sizeof prefixes / sizeof *prefixes)];
}

/* Of what is neither a branch nor the end. */
static int keeps_going(const struct isa *isa, unsigned op)
{
  enum {BARRIER = 10, SET_VGPR_MSB = 6, WAIT_ASYNCCNT = 0x4a, WAIT_GROUP = 20};
  if (isa->encoding == ENCODING_GFX9)
    return op == BARRIER;
  return op == SET_VGPR_MSB || op == WAIT_ASYNCCNT || op == WAIT_GROUP;
}

/* Words that decode to something that runs; most random ones do not. */
static size_t random_code(const struct isa *isa, struct rng *rng,
                          uint32_t *words)
{
  size_t n = 0;
  while (n + LONGEST < WORDS) {
    const struct prefix *p = random_prefix(isa, rng);
    uint32_t w[LONGEST] = {p->bits | ((uint32_t)rng_next(rng) & p->random),
                           (uint32_t)rng_next(rng)};
    for (int k = 2; k < LONGEST && isa->encoding == ENCODING_GFX12; k++)
      w[k] = (uint32_t)rng_next(rng);
    struct inst i;
    int length = decode(isa, w, LONGEST, &i);
    exec_bind(&i, 1);
    if (!i.exec || (i.format == SOPP && !keeps_going(isa, i.op)))
      continue;
    memcpy(words + n, w, (size_t)length * 4);
    n += (size_t)length;
  }
  return n;
}

/* Small numbers, random bits, and addresses in memory and its apertures. */
static uint32_t random_register(struct rng *rng, uint64_t memory, unsigned n)
{
  switch (rng_below(rng, 6)) {
  case 0: return (uint32_t)rng_below(rng, 300);
  case 1: return (uint32_t)rng_next(rng);
  case 2: return n & 1 ? APERTURE_SHARED >> 32 : (uint32_t)rng_below(rng, 600);
  case 3: return n & 1 ? APERTURE_PRIVATE >> 32 : (uint32_t)rng_below(rng, 99);
  default:
    return n & 1 ? (uint32_t)(memory >> 32)
                 : (uint32_t)memory + (uint32_t)rng_below(rng, 5000);
  }
}

static void randomize(struct rng *rng, struct group *g, uint64_t memory)
{
  for (uint32_t k = 0; k < g->nwaves; k++) {
    struct wave *w = &g->waves[k];
    for (unsigned n = 0; n < 128; n++)
      w->s[n] = random_register(rng, memory, n);
    for (unsigned n = 0; n < w->nv + w->na; n++)
      for (unsigned l = 0; l < LANES; l++)
        w->v[n][l] = random_register(rng, memory, n);
    w->mode = (uint32_t)rng_next(rng) & ~(uint32_t)(MODE_VSKIP | MODE_MSB);
    if (w->half || rng_below(rng, 8))
      w->mode &= ~(uint32_t)MODE_GPR_IDX;
  }
}

static void test_any_code(void **state)
{
  const struct isa *isa = *state;
  struct rng rng;
  int ended = 0;
  uint64_t executed = 0;
  rng_seed(&rng, 31);
  for (int n = 0; n < PROGRAMS; n++) {
    uint32_t words[WORDS];
    struct program p;
    struct fault fault = {0};
    size_t count = random_code(isa, &rng, words);
    program_load_for(&p, isa, words, count);
    p.kernel.vgprs = isa->agprs == AGPRS_UNIFIED ? 512 : 256;
    p.kernel.agprs = isa->agprs ? 256 : 0;
    p.kernel.scratch = 64;
    p.dispatch.lds = 500;
    p.dispatch.limit = 500;
    program_start(&p, 100);
    uint8_t *memory = arena_alloc(p.arena, 4096);
    memset(memory, 0, 4096);
    randomize(&rng, p.group, (uint64_t)(uintptr_t)memory);
    /* Each instruction by itself: most programs would fault at once. */
    for (size_t at = 0; at < count; at += p.object.code[at].words) {
      struct wave *w = &p.group->waves[at & 1];
      w->pc = (uint32_t)at;
      w->state = WAVE_RUN;
      wave_step(w);
      executed++;
    }
    for (uint32_t k = 0; k < p.group->nwaves; k++) {
      p.group->waves[k].state = WAVE_RUN;
      p.group->waves[k].pc = 0;
      p.group->waves[k].fault.code = 0;
    }
    p.group->arrived = p.group->ended = 0;
    if (!group_run(p.group, &fault))
      ended++;
    else
      assert_non_null(strstr(fault.text, "kernel test"));
    program_close(&p);
  }
  print_message("%llu instructions one by one; %d of %d programs end\n",
                (unsigned long long)executed, ended, PROGRAMS);
}

int main(void)
{
  struct CMUnitTest tests[ISAS] = {0};
  for (unsigned n = 0; n < ISAS; n++)
    tests[n] = (struct CMUnitTest){
        .name = isa_at(n)->name, .test_func = test_any_code,
        .initial_state = (void *)(uintptr_t)isa_at(n)};
  return _cmocka_run_group_tests("any code", tests, ISAS, NULL, NULL);
}
