/* The simulated device's memory. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "runtimes/sim/load/arena.h"

static const uint64_t gib = (uint64_t)1 << 30;

static void test_blocks(void **state)
{
  struct arena *a = arena_open(gib);
  size_t hint = 0;
  (void)state;
  assert_non_null(a);
  char *p = arena_alloc(a, 1000), *q = arena_alloc(a, 1);
  assert_int_equal((uintptr_t)p % 256, 0);
  assert_int_equal((uintptr_t)q % 256, 0);
  memset(p, 1, 1000);
  uint64_t at = (uintptr_t)p;
  assert_true(arena_valid(a, at, 1000, &hint));
  assert_false(arena_valid(a, at, 1001, &hint));
  assert_true(arena_valid(a, at + 999, 1, &hint));
  assert_false(arena_valid(a, at + 1000, 1, &hint));
  assert_false(arena_valid(a, at - 1, 2, &hint));
  assert_true(arena_valid(a, (uintptr_t)q, 1, &hint));
  assert_false(arena_valid(a, 0, 1, &hint));
  assert_false(arena_valid(a, ~(uint64_t)0, 8, &hint));
  assert_false(arena_valid(a, at, ~(size_t)0, &hint));
  assert_int_equal(arena_free(a, p + 256), -1);
  assert_int_equal(arena_free(a, p), 0);
  assert_int_equal(arena_free(a, p), -1);
  assert_false(arena_valid(a, at, 1, &hint));
  assert_true(arena_own(a, at)); /* whoever uses it still has it from us */
  assert_true(arena_valid(a, (uintptr_t)q, 1, &hint));
  arena_close(a);
}

/* By size, so that matrices lie alike to the sets and channels of caches. */
static void test_alignment(void **state)
{
  static const struct {
    uint64_t bytes, align;
  } of[] = {
      {1, 256},
      {300, 256},
      {4096, 4096},
      {(64 << 10) - 1, 32 << 10},
      {3 << 20, 2 << 20},
      {(1 << 20) + 1, 1 << 20},
      {96 << 20, 2 << 20},
  };
  struct arena *a = arena_open(gib);
  (void)state;
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    uintptr_t p = (uintptr_t)arena_alloc(a, of[i].bytes);
    assert_int_not_equal(p, 0);
    assert_int_equal(p % of[i].align, 0);
  }
  arena_close(a);
}

/* Where a large block's place begins behind small ones, too, nobody owns what
 * lies before it: no two blocks share a page. */
static void test_gaps(void **state)
{
  struct arena *a = arena_open(gib);
  size_t hint = 0;
  (void)state;
  for (unsigned i = 0; i < 400; i++) {
    uint64_t bytes = (uint64_t)4096 << i * 7 % 10;
    uintptr_t p = (uintptr_t)arena_alloc(a, bytes);
    assert_int_not_equal(p, 0);
    for (uint64_t n = 256; n < 65536; n += 256) {
      assert_false(arena_valid(a, p - n, 1, &hint));
      assert_false(arena_valid(a, p + bytes - 1 + n, 1, &hint));
    }
  }
  arena_close(a);
}

/* One arena after another is at the same place, and a second beside it is
 * refused. */
static void test_same_place(void **state)
{
  struct arena *a = arena_open(gib);
  (void)state;
  assert_null(arena_open(gib));
  void *first = arena_alloc(a, 64);
  arena_close(a);
  a = arena_open(gib);
  assert_ptr_equal(arena_alloc(a, 64), first);
  arena_close(a);
}

/* Memory is zero whoever had it before. */
static void test_fresh(void **state)
{
  struct arena *a = arena_open(gib);
  static const char zero[10000];
  (void)state;
  for (int round = 0; round < 3; round++) {
    char *p = arena_alloc(a, sizeof zero);
    assert_memory_equal(p, zero, sizeof zero);
    memset(p, 0x5a, sizeof zero);
    arena_free(a, p);
  }
  arena_close(a);
}

static void test_capacity(void **state)
{
  struct arena *a = arena_open(gib);
  uint64_t available, total;
  (void)state;
  assert_null(arena_alloc(a, gib + 1));
  assert_null(arena_alloc(a, ~(size_t)0));
  void *half = arena_alloc(a, gib / 2);
  assert_null(arena_alloc(a, gib / 2 + 1));
  void *rest = arena_alloc(a, gib / 2);
  assert_non_null(rest);
  assert_null(arena_alloc(a, 1));
  arena_space(a, &available, &total);
  assert_int_equal(available, 0);
  assert_int_equal(total, gib);
  arena_free(a, half);
  arena_space(a, &available, &total);
  assert_int_equal(available, gib / 2);
  arena_free(a, rest);
  assert_non_null(arena_alloc(a, gib)); /* the pieces are one again */
  arena_close(a);
}

enum {SLOTS = 200};

struct slot {
  uint64_t begin, bytes;
};

/* Is the address in one of the slots, by looking at them all? */
static int owned(const struct slot *s, uint64_t at)
{
  for (int k = 0; k < SLOTS; k++)
    if (s[k].begin && at >= s[k].begin && at < s[k].begin + s[k].bytes)
      return 1;
  return 0;
}

static void check_around(struct arena *a, const struct slot *s, int k,
                         size_t *hint)
{
  const uint64_t near[] = { s[k].begin - 1, s[k].begin,
                            s[k].begin + s[k].bytes - 1,
                            s[k].begin + s[k].bytes };
  for (int n = 0; n < 4; n++)
    assert_int_equal(arena_valid(a, near[n], 1, hint), owned(s, near[n]));
}

static void test_random(void **state)
{
  struct arena *a = arena_open(gib);
  struct slot slots[SLOTS] = {0};
  size_t hint = 0;
  struct rng r;
  (void)state;
  rng_seed(&r, 1);
  for (int round = 0; round < 20000; round++) {
    int k = (int)rng_below(&r, SLOTS);
    if (slots[k].begin) {
      check_around(a, slots, k, &hint);
      assert_int_equal(arena_free(a, (void *)slots[k].begin), 0);
      slots[k].begin = 0;
    } else {
      slots[k].bytes = 1 + rng_below(&r, 1 << rng_below(&r, 21));
      slots[k].begin = (uintptr_t)arena_alloc(a, slots[k].bytes);
      assert_true(slots[k].begin != 0);
      *(volatile char *)(slots[k].begin + slots[k].bytes - 1) = 1;
      check_around(a, slots, k, &hint);
    }
  }
  arena_close(a);
}

/* Memory of the program's own, below and above the arena. */
static void test_adopted(void **state)
{
  static char below[5000]; /* where the program is not relocated */
  char *above = malloc(5000), *mine[2] = {below, above};
  struct arena *a = arena_open(gib);
  size_t hint = 0;
  (void)state;
  char *own = arena_alloc(a, 1000);
  for (int k = 0; k < 2; k++) {
    uint64_t at = (uintptr_t)mine[k];
    assert_int_equal(arena_adopt(a, mine[k], 4000), 0);
    assert_int_equal(arena_adopt(a, mine[k], 4000), -1);
    assert_int_equal(arena_adopt(a, mine[k] + 3999, 10), -1);
    assert_true(arena_valid(a, at + 1000, 3000, &hint));
    assert_false(arena_own(a, at));
    assert_false(arena_valid(a, at + 1000, 3001, &hint));
    assert_int_equal(arena_free(a, mine[k]), -1);
  }
  assert_int_equal(arena_adopt(a, own + 100, 10), -1);
  char *more = arena_alloc(a, 1000);
  assert_true(more > own && more < own + (1 << 20));
  for (int k = 0; k < 2; k++) {
    arena_disown(a, mine[k]);
    assert_false(arena_valid(a, (uintptr_t)mine[k], 1, &hint));
  }
  assert_true(arena_valid(a, (uintptr_t)own, 1000, &hint));
  arena_close(a);
  free(above);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_blocks),     cmocka_unit_test(test_alignment),
    cmocka_unit_test(test_gaps),       cmocka_unit_test(test_same_place),
    cmocka_unit_test(test_fresh),      cmocka_unit_test(test_capacity),
    cmocka_unit_test(test_random),     cmocka_unit_test(test_adopted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
