/* The LDS cycles of what a wave has done. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "arch/lds_banks.h"
#include "runtimes/sim/timing/lds_access.h"

/* Two addresses are two accesses. */
static void test_access(void **state)
{
  struct access a = { .lanes = ~(uint64_t)0, .bytes = 8, .n = 2, .load = 1,
                      .lds = 1 };
  (void)state;
  for (unsigned l = 0; l < LANES; l++) {
    a.addr[0][l] = 8 * l;
    a.addr[1][l] = 128 * l;
  }
  struct lds_cost cost = lds_access_cost(&lds_layout_gfx906, &a);
  assert_int_equal(cost.cycles, 4 + 64);
  assert_int_equal(cost.conflicts, 60);
}

static uint32_t next(uint32_t *seed)
{
  *seed = *seed * 1664525 + 1013904223;
  return *seed >> 8;
}

/* Its lanes are equally far apart. */
static struct access some_access(uint32_t *seed)
{
  static const uint8_t bytes[] = {1, 2, 4, 8, 12, 16};
  static const unsigned strides[] = {4, 8, 12, 16, 20, 64, 68, 132};
  struct access a = {.bytes = bytes[next(seed) % 6], .lds = 1};
  unsigned kind = next(seed) % 3, narrow = a.bytes < 4 ? a.bytes : 4;
  a.n = 1 + (uint8_t)(next(seed) % 2);
  a.lanes = next(seed) % 4 ? ~(uint64_t)0 : (uint64_t)*seed * *seed;
  a.atomic = kind == 2 && (a.bytes == 4 || a.bytes == 8);
  a.store = kind == 1;
  a.load = !a.store;
  for (unsigned k = 0; k < a.n; k++) {
    unsigned stride = strides[next(seed) % 8] / 4 * narrow;
    for (unsigned l = 0; l < LANES; l++)
      a.addr[k][l] = l * stride;
  }
  return a;
}

/* The same elsewhere, or one thing of it changed. */
static void change(struct access *a, uint32_t *seed)
{
  unsigned by = next(seed) % 32 * (a->bytes < 4 ? a->bytes : 4);
  unsigned first = 0;
  switch (next(seed) % 8) {
  case 0: /* lanes */
    a->lanes >>= 1;
    return;
  case 1: /* bytes: 1 or 2, 4 or 8, 12 or 16 */
    a->bytes ^= a->bytes < 4 ? 1 ^ 2 : a->bytes < 12 ? 4 ^ 8 : 12 ^ 16;
    return;
  case 2: /* kind */
    a->store = !a->atomic && a->load;
    a->load = !a->store;
    return;
  case 3: /* one lane's address */
    first = LANES - 1;
  }
  for (unsigned k = 0; k < a->n; k++)
    for (unsigned l = first; l < LANES; l++)
      a->addr[k][l] += by;
}

/* A memo answers as if it were asked for the first time, whatever stood in the
 * same place before. */
static void test_again(void **state)
{
  struct lds_memo memo = {.layout = &lds_layout_gfx906};
  uint32_t seed = 1;
  (void)state;
  for (unsigned n = 0; n < 20000; n++) {
    struct access a = some_access(&seed);
    for (unsigned times = 0; times < 4; times++) {
      struct lds_cost want = lds_access_cost(&lds_layout_gfx906, &a);
      struct lds_cost got =
          lds_access_again(&memo, n % 2 + times * LDS_KNOWN, &a);
      assert_int_equal(got.cycles, want.cycles);
      assert_int_equal(got.conflicts, want.conflicts);
      change(&a, &seed);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_access),
    cmocka_unit_test(test_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
