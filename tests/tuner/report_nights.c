/* report_nights.c - which results are compared, and what is said before it:
 * of nights that are whole, cut, in shards, damaged, or of another card. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/rng.h"
#include "tests/tuner/folder.h"
#include "tuner/report/report.h"

/* A result as a table of a test writes it. */
struct result {
  const char *problem, *status, *source, *device, *why, *date;
  double us;
};

static void add_line(struct str *to, struct record *r)
{
  record_format(r, to);
  str_add(to, "\n");
  record_free(r);
}

static void add_head(struct str *to, const char *shard, int problems)
{
  struct record *r = record_new();
  record_set(r, "kind", "night");
  record_set(r, "sweep", "s");
  record_set(r, "shard", "%s", shard);
  record_set(r, "problems", "%d", problems);
  add_line(to, r);
}

static void add_end(struct str *to)
{
  struct record *r = record_new();
  record_set(r, "kind", "end");
  record_set(r, "wall_s", "60");
  add_line(to, r);
}

static void add_result(struct str *to, const struct result *x)
{
  struct record *r = record_new();
  record_set(r, "kind", "problem");
  record_set(r, "arch", "gfx906");
  record_set(r, "family", "unheard_of");
  record_set(r, "problem", "n=%s", x->problem);
  record_set(r, "status", "%s", x->status);
  if (!strcmp(x->status, "ok")) {
    record_set(r, "source", "%s", x->source);
    record_set(r, "device", "%s", x->device);
    record_set(r, "time_us", "%.6g", x->us);
    record_set(r, "mad_us", "%.6g", !strcmp(x->source, "measured") ? 0.3 : 0);
    record_set(r, "n", "25");
    record_set(r, "config", "a=1");
  } else {
    record_set(r, "reason", "it did not");
  }
  record_set(r, "date", "%s", x->date);
  record_set(r, "why", "%s", x->why);
  add_line(to, r);
}

static void write_night(const char *store, const char *stamp,
                        const struct str *text)
{
  char path[512];
  struct err e = {0};
  snprintf(path, sizeof path, "%s/nights/s", store);
  assert_int_equal(file_mkdirs(path, &e), 0);
  snprintf(path, sizeof path, "%s/nights/s/%s.night", store, stamp);
  assert_int_equal(file_replace(path, str_text(text), text->len, &e), 0);
}

static int open_it(struct report *r, const char *store, struct err *e)
{
  struct report_request asked = {.store = store, .sweep = "s", .gate = 3};
  return report_open(r, &asked, e);
}

static int said(const struct report *r, const char *what)
{
  for (size_t i = 0; i < r->nwarnings; i++)
    if (strstr(r->warnings[i].at, what))
      return 1;
  return 0;
}

/* The subject of a problem, which must be there. */
static size_t subject(const struct report *r, size_t problem)
{
  char name[16];
  snprintf(name, sizeof name, "n=%zu", problem);
  for (size_t i = 0; i < r->nights.nsubjects; i++)
    if (!strcmp(names_text(&r->nights.names, r->nights.subjects[i].problem),
                name))
      return i;
  fail_msg("there is no problem %zu", problem);
  return 0;
}

/* --- verdicts ------------------------------------------------------------ */

#define MEASURED "ok", "measured", "card"
#define MODELLED "ok", "modelled", "sim"
#define LOST(status) status, "", ""

static void every_verdict(void **state)
{
  static const struct result before[] = {
      {"1", MEASURED, "new", "1", 100},   {"2", MEASURED, "new", "1", 100},
      {"3", MEASURED, "new", "1", 100},   {"4", MODELLED, "new", "1", 100},
      {"5", MODELLED, "new", "1", 100},   {"6", MODELLED, "new", "1", 100},
      {"7", MODELLED, "new", "1", 100},   {"8", LOST("failed"), "new", "1", 0},
      {"9", LOST("failed"), "new", "1", 0}, {"10", MEASURED, "new", "1", 100},
      {"11", MEASURED, "new", "1", 100},  {"12", MODELLED, "new", "1", 100},
      {"13", MEASURED, "new", "1", 100},  {"14", MEASURED, "new", "1", 100},
  };
  static const struct result now[] = {
      {"1", MEASURED, "incumbent", "2", 104},
      {"2", MEASURED, "incumbent", "2", 96},
      {"3", MEASURED, "incumbent", "2", 100.2},
      {"4", MODELLED, "incumbent", "2", 100.001},
      {"5", MODELLED, "incumbent", "2", 100},
      {"6", "ok", "measured", "sim", "incumbent", "2", 50},
      {"7", LOST("failed"), "changed", "2", 0},
      {"8", LOST("failed"), "changed", "2", 0},
      {"9", MEASURED, "changed", "2", 100},
      {"10", LOST("cut"), "changed", "2", 0},
      {"11", "ok", "measured", "another card", "new", "2", 30},
      {"13", MEASURED, "kept", "1", 100},
      {"14", MEASURED, "incumbent", "1", 100},
      {"15", MEASURED, "new", "2", 100},
  };
  static const enum verdict want[] = {
      VERDICT_SLOWER, VERDICT_FASTER, VERDICT_SAME,   VERDICT_SLOWER,
      VERDICT_SAME,   VERDICT_SOURCE, VERDICT_FAILED, VERDICT_FAILS,
      VERDICT_MENDED, VERDICT_CUT,    VERDICT_DEVICE, VERDICT_MISSING,
      VERDICT_KEPT,   VERDICT_KEPT,   VERDICT_NEW,
  };
  const char *store = *state;
  struct str a = {0}, b = {0};
  struct report r;
  struct err e = {0};
  add_head(&a, "1/1", 14);
  add_head(&b, "1/1", 15);
  for (size_t i = 0; i < sizeof before / sizeof *before; i++)
    add_result(&a, &before[i]);
  for (size_t i = 0; i < sizeof now / sizeof *now; i++)
    add_result(&b, &now[i]);
  add_end(&a);
  add_end(&b);
  write_night(store, "20261123T010000Z", &a);
  write_night(store, "20261124T010000Z", &b);
  if (open_it(&r, store, &e))
    fail_msg("%s", e.text);
  assert_int_equal(r.nights.nsubjects, 15);
  for (size_t i = 0; i < 15; i++) {
    enum verdict got = r.comparison.list[subject(&r, i + 1)].verdict;
    if (got != want[i])
      fail_msg("problem %zu is %s, not %s", i + 1, verdict_words(got),
               verdict_words(want[i]));
  }
  assert_int_equal(r.comparison.tests, 3); /* not the modelled ones */
  assert_true(fabs(compared_percent(&r.comparison.list[subject(&r, 1)]) - 4) < 1e-6);
  assert_int_equal(r.crossed, 2); /* slower by 4 %, and one that is lost */
  assert_true(said(&r, "another device"));
  assert_true(said(&r, "measured now and were modelled before"));
  assert_true(said(&r, "unheard_of"));
  assert_false(said(&r, "cut short, or still runs"));
  report_free(&r);
  str_free(&a);
  str_free(&b);
}

/* --- nights that are not whole ------------------------------------------- */

static const struct result one = {"1", MEASURED, "new", "1", 100};
static const struct result two = {"2", MEASURED, "new", "1", 100};

static void write_one(const char *store, const char *stamp, const char *shard,
                      const struct result *x, int whole)
{
  struct str text = {0};
  add_head(&text, shard, 1);
  add_result(&text, x);
  if (whole)
    add_end(&text);
  write_night(store, stamp, &text);
  str_free(&text);
}

/* Shards that begin at different times are one night; the next night is
 * another; a shard that never came back is missed. */
static void shards_are_joined(void **state)
{
  const char *store = *state;
  struct report r;
  struct err e = {0};
  write_one(store, "20261123T010000Z-1-of-2", "1/2", &one, 1);
  write_one(store, "20261123T013000Z-2-of-2", "2/2", &two, 1);
  write_one(store, "20261124T010000Z-2-of-2", "2/2", &two, 1);
  if (open_it(&r, store, &e))
    fail_msg("%s", e.text);
  assert_int_equal(r.nights.n, 2);
  assert_true(night_whole(&r.nights.list[0]));
  assert_false(night_whole(&r.nights.list[1]));
  assert_int_equal(r.comparison.count[VERDICT_MISSING], 1);
  assert_true(said(&r, "1 of its 2 shards"));
  report_free(&r);
}

static void a_cut_night_is_said(void **state)
{
  const char *store = *state;
  struct report r;
  struct err e = {0};
  write_one(store, "20261124T010000Z", "1/1", &one, 0);
  if (open_it(&r, store, &e))
    fail_msg("%s", e.text);
  assert_null(r.comparison.before);
  assert_true(said(&r, "was cut short"));
  report_free(&r);
}

static void nothing_there(void **state)
{
  const char *store = *state;
  struct report r;
  struct err e = {0};
  assert_int_equal(open_it(&r, store, &e), ERR_FAILED);
  assert_non_null(strstr(e.text, "no night of any sweep"));
  report_free(&r);
  write_one(store, "20261124T010000Z", "1/1", &one, 1);
  struct report_request asked = {.store = store, .sweep = "other.lua"};
  assert_int_equal(report_open(&r, &asked, &e), ERR_FAILED);
  assert_non_null(strstr(e.text, "no night of the sweep other, but of s"));
  report_free(&r);
}

/* --- damage -------------------------------------------------------------- */

/* Whatever a night's bytes are, there is a report or a sentence. */
static void damaged_nights(void **state)
{
  const char *store = *state;
  struct str text = {0}, out = {0};
  struct rng rng;
  rng_seed(&rng, 7);
  write_one(store, "20261123T010000Z", "1/1", &one, 1);
  add_head(&text, "1/1", 2);
  add_result(&text, &one);
  add_result(&text, &two);
  add_end(&text);
  for (int i = 0; i < 300; i++) {
    struct str damaged = {0};
    struct report r;
    struct err e = {0};
    str_add_bytes(&damaged, text.at, text.len);
    for (uint64_t k = 1 + rng_below(&rng, 4); k > 0; k--)
      damaged.at[rng_below(&rng, text.len)] = (char)rng_below(&rng, 256);
    if (rng_below(&rng, 3) == 0)
      damaged.len = rng_below(&rng, text.len);
    write_night(store, "20261124T010000Z", &damaged);
    if (open_it(&r, store, &e)) {
      assert_true(*e.text);
    } else {
      str_clear(&out);
      report_json(&r, &out);
      report_markdown(&r, &out);
      report_junit(&r, &out);
    }
    report_free(&r);
    str_free(&damaged);
  }
  str_free(&out);
  str_free(&text);
}

static int make(void **state)
{
  static char path[64];
  folder_make(path);
  *state = path;
  return 0;
}

static int clear(void **state)
{
  folder_remove(*state);
  return 0;
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make, clear)

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(every_verdict),  TEST(shards_are_joined), TEST(a_cut_night_is_said),
      TEST(nothing_there),  TEST(damaged_nights),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
