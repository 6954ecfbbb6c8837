/* warm_start.c - which stored winners a run begins with. */
// SPDX-License-Identifier: MIT
#include "bowl.h"
#include "db/record.h"
#include "folder.h"
#include "tuner/session/warm_start.h"

static const char earlier[] = "2026-01-01T00:00:00Z"; /* than all rows */
static const char later[] = "2026-01-03T00:00:00Z";

/* Bowls of n elements; the problem at hand has the default, 16. */
static struct record *row(int n, const char *config)
{
  struct record *r = record_new();
  record_set(r, "arch", "gfx906");
  record_set(r, "family", "bowl");
  record_set(r, "problem", "n=%d", n);
  record_set(r, "config", "%s", config);
  record_set(r, "device", "a card");
  record_set(r, "cus", "60");
  record_set(r, "source", "measured");
  record_set(r, "hot", "0");
  record_set(r, "template", "abc");
  record_set(r, "date", "2026-01-02T00:00:00Z");
  return r;
}

/* Bowls differ in t0 alone here, and are told by it. */
static struct record *told(int n, int t0)
{
  char config[64];
  snprintf(config, sizeof config, "t0=%d,t1=0,t2=0,t3=0,t4=0,t5=1", t0);
  return row(n, config);
}

struct store {
  char folder[64];
  struct bowl bowl;
  struct record *identity;
  struct warm_start_query query;
};

static void open_store(struct store *s)
{
  folder_make(s->folder);
  s->bowl = bowl_open();
  s->identity = row(16, "");
  s->query = (struct warm_start_query){s->bowl.family, &s->bowl.problem,
                                 s->bowl.space, s->identity, NULL, NULL};
}

static void close_store(struct store *s)
{
  record_free(s->identity);
  bowl_close(&s->bowl);
  folder_remove(s->folder);
}

static void put(const struct store *s, struct record *r)
{
  struct err e = {0};
  if (table_put(s->folder, r, NULL, NULL, &e))
    fail_msg("%s", e.text);
  record_free(r);
}

/* Compare the t0 of what is found with the digits. */
static void expect(const struct store *s, const char *t0)
{
  struct table *t;
  struct config found[WARM_START_MOST];
  char digits[WARM_START_MOST + 1] = "";
  assert_int_equal(
      table_load(&t, s->folder, "gfx906", "bowl", NULL, NULL, NULL), 0);
  size_t n = warm_start_find(t, &s->query, found);
  for (size_t i = 0; i < n; i++)
    digits[i] = (char)('0' + found[i].at[0]);
  assert_string_equal(digits, t0);
  table_free(t);
}

static void the_nearest_come_first(void **state)
{
  (void)state;
  struct store s;
  open_store(&s);
  expect(&s, "");
  put(&s, told(64, 1)); /* a ratio of 4 */
  put(&s, told(12, 2)); /* of 4/3 */
  put(&s, told(17, 3));
  put(&s, told(9, 4));  /* of 16/9: farther than 12, nearer than 64 */
  expect(&s, "3241");
  close_store(&s);
}

/* The problem's own row is not used where the journal has results that are as old: one
 * that came from elsewhere before them is, and one of other templates, as the first. */
static void its_own_row_counts_where_it_is_stale(void **state)
{
  (void)state;
  struct store s;
  open_store(&s);
  put(&s, told(8, 1));
  put(&s, told(16, 2));
  expect(&s, "21");
  s.query.first = later;
  expect(&s, "21");
  s.query.before = later; /* the run goes on, and begins as it did */
  expect(&s, "21");
  s.query.first = earlier;
  expect(&s, "1");
  record_set(s.identity, "template", "abd");
  expect(&s, "21");
  close_store(&s);
}

/* Also one of another compiler or runtime; its runner-up is the second. */
static void its_runner_up_comes_second(void **state)
{
  (void)state;
  struct store s;
  struct record *own = told(16, 2), *other = told(8, 1);
  open_store(&s);
  s.query.first = earlier;
  record_set(own, "compiler", "hiprtc-5");
  record_set(own, "runner_up", "t0=5,t1=0,t2=0,t3=0,t4=0,t5=1");
  record_set(other, "runner_up", "t0=6,t1=0,t2=0,t3=0,t4=0,t5=1");
  put(&s, own);
  put(&s, other);
  record_set(s.identity, "compiler", "hiprtc-5");
  expect(&s, "1");
  record_set(s.identity, "compiler", "hiprtc-6");
  expect(&s, "251");
  record_set(s.identity, "compiler", "hiprtc-5");
  record_set(s.identity, "runtime", "6");
  expect(&s, "251");
  close_store(&s);
}

/* Of a row that was written before the family had a tunable, this has its first value;
 * what is not there at all is no configuration. */
static void older_rows_lack_tunables(void **state)
{
  (void)state;
  struct store s;
  open_store(&s);
  struct record *older = row(8, "t0=3,t1=0,t2=0,t3=0,t5=1");
  record_set(older, "template", "abb");
  put(&s, older);
  put(&s, row(9, "t0=1,t9=1")); /* of a later space */
  put(&s, row(10, ""));
  expect(&s, "3");
  close_store(&s);
}

static void another_device_is_far(void **state)
{
  (void)state;
  struct store s;
  open_store(&s);
  struct record *other = told(16, 1), *model = told(8, 2);
  record_set(other, "device", "another card");
  record_set(model, "source", "modelled");
  put(&s, other);
  put(&s, model);
  put(&s, told(64, 3));
  expect(&s, "312");
  close_store(&s);
}

static void what_does_not_fit_is_left_out(void **state)
{
  (void)state;
  struct store s;
  open_store(&s);
  put(&s, row(15, "t0=7,t1=7,t2=0,t3=0,t4=0,t5=1")); /* a rule */
  put(&s, row(14, "t0=9,t1=0,t2=0,t3=0,t4=0,t5=1")); /* no such value */
  put(&s, row(12, "rubbish"));
  put(&s, told(11, 2));
  put(&s, told(10, 2)); /* the same again */
  put(&s, told(9, 3));
  expect(&s, "23");
  close_store(&s);
}

static void odd_problems_are_far(void **state)
{
  (void)state;
  struct store s;
  open_store(&s);
  struct record *none = told(1, 1), *word = told(1, 2), *zero = told(1, 3);
  record_set(none, "problem", "m=16");
  record_set(word, "problem", "n=many");
  record_set(zero, "problem", "n=0");
  put(&s, none);
  put(&s, word);
  put(&s, zero);
  put(&s, told(1, 4));
  expect(&s, "4132"); /* then in the table's order */
  close_store(&s);
}

/* Eight at most; none newer than what is asked for. */
static void there_are_limits(void **state)
{
  (void)state;
  struct store s;
  open_store(&s);
  for (int i = 0; i < 8; i++)
    put(&s, told(17 + i, i));
  put(&s, row(33, "t0=0,t1=1,t2=0,t3=0,t4=0,t5=1"));
  expect(&s, "01234567");
  struct record *late = told(18, 1);
  record_set(late, "date", "2026-01-02T00:00:01Z");
  put(&s, late);
  s.query.before = "2026-01-02T00:00:00Z";
  expect(&s, "02345670");
  s.query.before = "2026-01-01T00:00:00Z";
  expect(&s, "");
  close_store(&s);
}

static void damage_does_no_harm(void **state)
{
  (void)state;
  struct store s;
  char path[128];
  open_store(&s);
  put(&s, told(8, 1));
  snprintf(path, sizeof path, "%s/gfx906/bowl.table", s.folder);
  FILE *table = fopen(path, "a");
  fputs("family=bowl rubbish\n\001\002\nproblem=n=16", table);
  fclose(table);
  expect(&s, "1");
  close_store(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_nearest_come_first),
      cmocka_unit_test(its_own_row_counts_where_it_is_stale),
      cmocka_unit_test(its_runner_up_comes_second),
      cmocka_unit_test(older_rows_lack_tunables),
      cmocka_unit_test(another_device_is_far),
      cmocka_unit_test(what_does_not_fit_is_left_out),
      cmocka_unit_test(odd_problems_are_far),
      cmocka_unit_test(there_are_limits),
      cmocka_unit_test(damage_does_no_harm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
