/* hbm.c - when the channels of HBM begin with what is asked of them. */
// SPDX-License-Identifier: MIT
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>

#include "runtimes/sim/timing/hbm.h"
#include "runtimes/sim/timing/card.h"
#include "runtimes/sim/timing/model.h"

/* Blocks of 256 bytes; 32 channels take turns by them, 8 of a channel are a
 * row. */
enum {CHANNELS = 32, ROW = 8 * CHANNELS};

/* A cycle is a nanosecond, a line takes a channel 2 of them, another row 5. */
static struct hbm *open_hbm(void **state)
{
  static struct card c;
  c = *card_find("mi50");
  c.clock_mhz = 1000;
  c.hbm_read_gbs = CHANNELS * 32;
  c.hbm_row_ns = 0;
  c.hbm_open_ns = 5;
  c.hbm_queue = 64;
  return *state = hbm_new(&c);
}

static int close_hbm(void **state)
{
  free(*state);
  return 0;
}

#define BEGINS(when, block, t)                                                \
  assert_true(hbm_serve(h, block, 1, 1, t) == (when))

static void lines_of_a_row(void **state)
{
  struct hbm *h = open_hbm(state);
  BEGINS(0, 0, 0);
  BEGINS(2, CHANNELS, 0); /* the row's next block */
  BEGINS(4, 0, 0);
  BEGINS(100, 0, 100);
}

static void rows_of_a_channel(void **state)
{
  struct hbm *h = open_hbm(state);
  for (uint64_t n = 0; n < 4; n++)
    BEGINS((double)(5 * n), n * ROW, 0);
  BEGINS(0, 1, 0); /* another channel's */
}

/* A row is closed when what queued for it is served. */
static void closed_rows(void **state)
{
  struct hbm *h = open_hbm(state);
  BEGINS(0, 0, 0);
  BEGINS(5, ROW, 1);
  BEGINS(200, 0, 200);
  BEGINS(205, ROW, 200);
}

/* What comes while its row is queued for is served with it and opens none. Of 6
 * requests that come at 0 to 5 the channel has sent the lines at 12. */
static void queued_rows(void **state)
{
  struct hbm *h = open_hbm(state);
  BEGINS(0, 0, 0);
  BEGINS(5, ROW, 0);
  BEGINS(10, 2 * ROW, 0);
  BEGINS(10, 2 * ROW, 0); /* not before its row is open */
  BEGINS(8, ROW, 1);
  BEGINS(10, ROW, 5);
  BEGINS(15, ROW, 6); /* what it was opened for is over: again */
}

/* Rows 64 apart have one place in the queue: the later one takes it. */
static void one_place(void **state)
{
  struct hbm *h = open_hbm(state);
  BEGINS(0, ROW, 0);
  BEGINS(5, 2 * ROW, 0);
  BEGINS(10, (64 + 2) * ROW, 0);
  BEGINS(15, 2 * ROW, 0); /* forgotten */
}

/* A block's lines share its row: so do those that are looked at. */
static void shares_of_a_block(void **state)
{
  struct hbm *h = open_hbm(state);
  assert_true(hbm_serve(h, 0, 4, 4, 0) == 0);
  assert_true(hbm_serve(h, ROW, 4, 4, 0) == 8); /* 4 lines, more than a row */
  assert_true(hbm_serve(h, 2 * ROW, 1, 4, 0) == 16);
  assert_true(hbm_serve(h, 3 * ROW, 1, 4, 0) == 30);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(lines_of_a_row, close_hbm),
      cmocka_unit_test_teardown(rows_of_a_channel, close_hbm),
      cmocka_unit_test_teardown(closed_rows, close_hbm),
      cmocka_unit_test_teardown(queued_rows, close_hbm),
      cmocka_unit_test_teardown(one_place, close_hbm),
      cmocka_unit_test_teardown(shares_of_a_block, close_hbm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
