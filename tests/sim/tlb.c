/* tlb.c - what a CU keeps of pages, and the pace of looking them up. */
// SPDX-License-Identifier: MIT
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>

#include "runtimes/sim/timing/card.h"
#include "runtimes/sim/timing/model.h"
#include "runtimes/sim/timing/tlb.h"

enum {PAGE = 65536};

/* 64 pages a CU, one looked up in 2 cycles. */
static int open_tlb(void **state)
{
  struct card c = *card_find("mi50");
  c.tlb_page = PAGE;
  c.tlb_pages = 64;
  c.tlb_rate = 0.5;
  *state = tlb_new(&c);
  return 0;
}

static int close_tlb(void **state)
{
  tlb_free(*state);
  return 0;
}

/* When the last of so many pages is known that are all wanted at t. */
static double walk(struct tlb *b, uint64_t cu, uint64_t first, uint64_t pages,
                   double t)
{
  double last = t;
  for (uint64_t n = 0; n < pages; n++) {
    double known = tlb_find(b, cu, (first + n) * PAGE + n * 64, t);
    assert_true(known >= t);
    last = fmax(last, known);
  }
  return last;
}

/* One page in four is followed: give or take one of those. */
static void looked_up(double from, double last, double pages)
{
  assert_true(fabs(last - from - 2 * pages) <= 2 * 4 * 2);
}

static void keeps_what_fits(void **state)
{
  looked_up(0, walk(*state, 0, 0, 56, 0), 56);
  assert_true(walk(*state, 0, 0, 56, 1000) == 1000);
  assert_true(walk(*state, 0, 0, 56, 2000) == 2000);
}

/* Of more than fit, in turn, the one that is next has always just left. */
static void loses_what_does_not(void **state)
{
  looked_up(0, walk(*state, 0, 0, 80, 0), 80);
  looked_up(1000, walk(*state, 0, 0, 80, 1000), 80);
}

static void cus_share_the_pace_alone(void **state)
{
  (void)walk(*state, 0, 0, 56, 0);
  looked_up(1000, walk(*state, 1, 0, 56, 1000), 56);
  assert_true(walk(*state, 0, 0, 56, 2000) == 2000);
  (void)walk(*state, 2, 1000, 100, 3000);
  looked_up(3000, walk(*state, 3, 1000, 100, 3000), 200);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(keeps_what_fits, open_tlb, close_tlb),
      cmocka_unit_test_setup_teardown(loses_what_does_not, open_tlb, close_tlb),
      cmocka_unit_test_setup_teardown(cus_share_the_pace_alone, open_tlb,
                                      close_tlb),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
