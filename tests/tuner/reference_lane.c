/* reference_lane.c - what rounds of x = exchange(x) + own come to, against
 * sums along the ways that values take.
 */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "tests/tuner/opened.h"

enum {N = 512, ROUNDS = 5};

struct way {
  const char *op;
  size_t row, by;
  size_t (*before)(size_t i, size_t row, size_t by); /* a lane took from */
};

static size_t shift(size_t i, size_t row, size_t by)
{
  (void)row;
  return i >= by ? i - by : i;
}

static size_t rotate(size_t i, size_t row, size_t by)
{
  return i >= by ? i - by : i + row - by;
}

static size_t flip(size_t i, size_t row, size_t by)
{
  (void)row;
  return i ^ by;
}

static size_t fixed(size_t i, size_t row, size_t by)
{
  (void)i, (void)row;
  return by;
}

/* With x = x[before] + own each round, lane i holds the own of all lanes on
 * the way back, the last one twice: it began there. */
static int32_t along(const struct opened *o, const struct way *w, size_t i)
{
  size_t first = i / w->row * w->row, at = i % w->row;
  uint32_t sum = 0;
  for (int round = 0; round < ROUNDS; round++) {
    sum += (uint32_t)(int32_t)input_at(o, "x", first + at);
    at = w->before(at, w->row, w->by);
  }
  return (int32_t)(sum + (uint32_t)(int32_t)input_at(o, "x", first + at));
}

static void open_way(struct opened *o, const char *op, size_t row, size_t by)
{
  char problem[128];
  snprintf(problem, sizeof problem,
           "op=%s,row=%zu,by=%zu,rounds=%d,group=256,n=%d", op, row, by,
           ROUNDS, N);
  open_family(o, "lane", problem, "ilp=1,unroll=1");
}

static void values_add_up_along_their_way(void **state)
{
  (void)state;
  static const struct way ways[] = {
      {"shift", 16, 1, shift},    {"shift", 64, 7, shift},
      {"rotate", 16, 3, rotate},  {"rotate", 256, 255, rotate},
      {"xor", 16, 1, flip},       {"xor", 128, 77, flip},
      {"broadcast", 32, 31, fixed}, {"broadcast", 16, 0, fixed},
  };
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    struct opened o;
    open_way(&o, ways[i].op, ways[i].row, ways[i].by);
    struct expected *all = all_of(&o, "y");
    for (size_t j = 0; j < N; j++) {
      assert_true(all[j].want == along(&o, &ways[i], j));
      assert_true(all[j].bound == 0);
    }
    free(all);
    close_family(&o);
  }
}

/* T = sum of x, S = sum of own: T grows by T' = row T + S. */
static void sums_grow_as_a_series(void **state)
{
  (void)state;
  static const uint32_t rows[] = {16, 64, 256};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct opened o;
    uint32_t own[N], row = rows[i];
    open_way(&o, "sum", row, 0);
    struct expected *all = all_of(&o, "y");
    for (size_t j = 0; j < N; j++)
      own[j] = (uint32_t)(int32_t)input_at(&o, "x", j);
    for (size_t first = 0; first < N; first += row) {
      uint32_t s = 0, t;
      for (size_t j = first; j < first + row; j++)
        s += own[j];
      t = s;
      for (int round = 1; round < ROUNDS; round++)
        t = row * t + s;
      for (size_t j = first; j < first + row; j++)
        assert_true(all[j].want == (int32_t)(t + own[j]));
    }
    free(all);
    close_family(&o);
  }
}

struct keyed {
  double key;
  size_t lane;
};

static int by_key(const void *a, const void *b)
{
  const struct keyed *x = a, *y = b;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return (x->lane > y->lane) - (x->lane < y->lane);
}

/* The rank of a lane's key is its place in the sorted keys. */
static void a_permutation_goes_by_the_keys(void **state)
{
  (void)state;
  enum {ROW = 64};
  struct opened o;
  struct keyed keys[ROW];
  size_t rank[ROW];
  open_way(&o, "permute", ROW, 0);
  for (size_t i = 0; i < ROW; i++)
    keys[i] = (struct keyed){input_at(&o, "keys", i), i};
  qsort(keys, ROW, sizeof *keys, by_key);
  for (size_t i = 0; i < ROW; i++)
    rank[keys[i].lane] = i;
  struct expected *all = all_of(&o, "y");
  for (size_t i = 0; i < N; i++) {
    uint32_t sum = 0;
    size_t at = i % ROW, first = i - at;
    for (int step = 0; step <= ROUNDS; step++) {
      sum += (uint32_t)(int32_t)input_at(&o, "x", first + at);
      at = rank[at];
    }
    assert_true(all[i].want == (int32_t)sum);
  }
  free(all);
  close_family(&o);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_add_up_along_their_way),
      cmocka_unit_test(sums_grow_as_a_series),
      cmocka_unit_test(a_permutation_goes_by_the_keys),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
