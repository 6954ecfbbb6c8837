/* Any memory encoding on any register contents executes or faults; the
 * sanitizers see that it touches nothing else. */
// SPDX-License-Identifier: MIT
#include "base/rng.h"
#include "tests/sim/memory_test.h"

enum {BYTES = 4096, PRIVATE = 128, ROUNDS = 300000};

/* First dwords of DS, FLAT and its like, MUBUF, MTBUF. */
static const uint32_t encodings[] = { 0xd8000000, 0xdc000000, 0xe0000000,
                                      0xe8000000 };

/* Mostly numbers that lead somewhere. */
static uint32_t likely(struct rng *r)
{
  switch (rng_below(r, 4)) {
  case 0:
    return (uint32_t)rng_next(r);
  case 1:
    return (uint32_t)rng_below(r, 64) * 4;
  default:
    return (uint32_t)rng_below(r, 5000);
  }
}

static uint64_t likely_address(struct rng *r, struct bench *b, uint64_t p)
{
  const uint64_t bases[] = { p, p, b->wave.scratch, APERTURE_SHARED,
                             APERTURE_PRIVATE, rng_next(r) };
  return bases[rng_below(r, 6)] + likely(r);
}

static void shuffle_registers(struct rng *r, struct bench *b, uint64_t p)
{
  struct wave *w = &b->wave;
  for (unsigned v = 0; v < VGPRS; v += 2)
    for (unsigned l = 0; l < LANES; l++) {
      uint64_t at = likely_address(r, b, p);
      w->v[v][l] = v % 4 ? likely(r) : (uint32_t)at;
      w->v[v + 1][l] = v % 4 ? likely(r) : (uint32_t)(at >> 32);
    }
  for (unsigned s = 0; s < 126; s += 4) { /* as resources */
    uint64_t at = likely_address(r, b, p);
    w->d[s / 2] = (at & 0xffffffffffff) | (rng_next(r) & 0xc07f) << 48;
    w->d[s / 2 + 1] = likely(r) | rng_next(r) << 32;
  }
  WAVE_EXEC(w) = rng_below(r, 2) ? ~(uint64_t)0 : rng_next(r);
}

static void test_any(void **state)
{
  struct bench *b = *state;
  struct rng r;
  unsigned executed = 0, faulted = 0;
  uint64_t p = (uintptr_t)arena_alloc(b->arena, BYTES);
  bench_private(b, PRIVATE);
  rng_seed(&r, 3);
  for (unsigned round = 0; round < ROUNDS; round++) {
    uint32_t text[2] = { encodings[rng_below(&r, 4)] |
                             (uint32_t)(rng_next(&r) & 0x3ffffff),
                         (uint32_t)(rng_next(&r) & 0xff1f1f1f) };
    struct inst i;
    if (round % 64 == 0)
      shuffle_registers(&r, b, p);
    int words = decode(isa_at(0), text, 2, &i);
    exec_bind(&i, 1);
    if (words != 2 || !i.exec || i.vgprs > VGPRS)
      continue; /* never gets to run */
    bench_do(b, &i);
    executed++;
    faulted += b->wave.fault.code != 0;
    memset(&b->wave.fault, 0, sizeof b->wave.fault);
    b->wave.state = WAVE_RUN;
    assert_true(b->wave.access.n <= 2 && b->wave.access.bytes <= 16);
  }
  assert_true(executed > ROUNDS / 20);
  assert_true(faulted > executed / 20 && faulted < executed / 20 * 19);
}

int main(void)
{
  const struct CMUnitTest tests[] = {BENCH_TEST(test_any)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
