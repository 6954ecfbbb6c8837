/* prune.c - what is needed stays, a year stays small. */
// SPDX-License-Identifier: MIT
#include <sys/stat.h>

#include "base/rng.h"
#include "db/table.h"
#include "tests/base/folder.h"
#include "tuner/session/history.h"
#include "tuner/store/prune.h"

static void told(void *user, const char *text)
{
  (void)user;
  fail_msg("%s", text);
}

static struct record *result(int m, int template, int day, int config,
                             const char *status, double us)
{
  struct record *r = record_new();
  record_set(r, "arch", "a");
  record_set(r, "family", "f");
  record_set(r, "problem", "m=%d", m);
  record_set(r, "device", "d");
  record_set(r, "source", "measured");
  record_set(r, "template", "t%d", template);
  record_set(r, "seed", "1");
  record_set(r, "config", "x=%d", config);
  record_set(r, "status", "%s", status);
  record_set(r, "date", "2026-%02d-%02dT00:00:00Z", 1 + day / 28,
             1 + day % 28);
  if (us > 0)
    record_set(r, "time_us", "%g", us);
  return r;
}

static void append(struct journal *j, struct record *r)
{
  struct err e = {0};
  if (journal_append(j, r, &e))
    fail_msg("%s", e.text);
  record_free(r);
}

static struct pruned must_prune(const char *path, int days, int dry)
{
  const struct prune_request q = {.days = days, .dry = dry, .notice = told};
  struct pruned p = {0};
  struct err e = {0};
  if (prune_journal(&q, path, &p, &e))
    fail_msg("%s", e.text);
  return p;
}

static void note(void *user, struct record *r)
{
  str_addf(user, "%s/%s/%s ", record_text(r, "template"),
           record_text(r, "config"), record_text(r, "status"));
  record_free(r);
}

static struct str kept(const char *path)
{
  struct str out = {0};
  struct err e = {0};
  const struct journal_reader reader = {&out, note, told};
  assert_int_equal(journal_read(path, &reader, &e), 0);
  return out;
}

static struct journal *must_open(const char *path)
{
  struct journal *j;
  struct err e = {0};
  if (journal_open(&j, path, &e))
    fail_msg("%s", e.text);
  return j;
}

/* The rule of prune.h, line by line. */
static void the_rule(void **state)
{
  const char *path = folder_file(*state, "rule.journal");
  struct journal *j = must_open(path);
  append(j, result(1, 1, 0, 1, "ok", 9)); /* of the oldest: goes */
  append(j, result(1, 2, 1, 1, "ok", 9));
  append(j, result(1, 2, 1, 2, "ok", 8));
  append(j, result(1, 2, 1, 3, "ok", 7)); /* the two fastest of the last but one */
  append(j, result(1, 2, 1, 4, "wrong", 0)); /* does not count any more: goes */
  append(j, result(1, 3, 90, 1, "ok", 5)); /* superseded: goes */
  append(j, result(1, 3, 90, 2, "wrong", 0));
  append(j, result(1, 3, 90, 3, "crash", 0));
  append(j, result(1, 3, 91, 1, "ok", 6));
  journal_close(j);
  struct pruned p = must_prune(path, 30, 1);
  assert_int_equal(p.kept, 5);
  assert_int_equal(p.superseded, 1);
  assert_int_equal(p.outdated, 3);
  p = must_prune(path, 30, 0);
  assert_int_equal(p.kept, 5);
  struct str out = kept(path);
  assert_string_equal(out.at, "t2/x=2/ok t2/x=3/ok t3/x=2/wrong t3/x=3/crash "
                      "t3/x=1/ok ");
  str_free(&out);
  p = must_prune(path, 30, 0);
  assert_int_equal(p.superseded + p.outdated, 0);
  p = must_prune(path, 365, 0); /* what is recent stays */
  assert_int_equal(p.kept, 5);
}

/* What a run asks a journal is answered as before, whatever was taken out. */
static void runs_find_what_they_found(void **state)
{
  struct folder *f = *state;
  char path[PATH_MAX], store[PATH_MAX - 64];
  for (uint64_t seed = 1; seed <= 5; seed++) {
    struct rng rng;
    struct err e = {0};
    rng_seed(&rng, seed);
    snprintf(store, sizeof store, "%s/%d", f->path, (int)seed);
    snprintf(path, sizeof path, "%s/a/f.journal", store);
    struct journal *j = must_open(path);
    for (int day = 0; day < 120; day++)
      for (int i = 0; i < 3; i++) {
        int good = rng_below(&rng, 3) > 0;
        append(j, result(1, day / 40, day, (int)rng_below(&rng, 12),
                         good ? "ok" : "wrong",
                         good ? 1 + (double)rng_below(&rng, 9) : 0));
      }
    journal_close(j);
    struct record *identity = result(1, 2, 0, 0, "", 0);
    struct record *own = record_new();
    for (size_t i = 0; i < record_size(identity); i++)
      if (!strstr("config status date", record_name(identity, i)))
        record_set(own, record_name(identity, i), "%s",
                   record_value(identity, i));
    struct str before = {0}, after = {0};
    for (int pruned = 0; pruned < 2; pruned++) {
      struct history *h;
      const struct record **best;
      struct str *to = pruned ? &after : &before;
      if (pruned)
        assert_true(must_prune(path, 0, 0).superseded > 0);
      assert_int_equal(history_read(&h, store, own, told, NULL, &e), 0);
      size_t n = history_best(h, &best);
      for (size_t i = 0; i < n; i++)
        record_format(best[i], to);
      for (int c = 0; c < 12; c++) {
        char config[16];
        snprintf(config, sizeof config, "x=%d", c);
        const struct record *r = history_find(h, config);
        if (r)
          record_format(r, to);
      }
      str_addf(to, " %zu", history_tried(h));
      free(best);
      history_close(h);
    }
    assert_true(before.len > 100);
    assert_string_equal(before.at, after.at);
    str_free(&before);
    str_free(&after);
    record_free(identity);
    record_free(own);
  }
}

/* Winner and runner-up of the table stay, whatever made them. */
static void winners_stay(void **state)
{
  struct folder *f = *state;
  struct err e = {0};
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/a/f.journal", f->path);
  struct journal *j = must_open(path);
  struct record *row = result(1, 0, 0, 5, "ok", 9);
  record_set(row, "runner_up", "x=6");
  assert_int_equal(table_put(f->path, row, told, NULL, &e), 0);
  append(j, row);
  append(j, result(1, 0, 0, 6, "ok", 9));
  append(j, result(1, 0, 0, 7, "ok", 9));
  append(j, result(1, 1, 100, 1, "ok", 9));
  append(j, result(1, 1, 100, 2, "ok", 9));
  append(j, result(1, 2, 200, 1, "ok", 9));
  journal_close(j);
  must_prune(path, 30, 0);
  struct str out = kept(path);
  assert_string_equal(out.at, "t0/x=5/ok t0/x=6/ok t1/x=1/ok t1/x=2/ok "
                      "t2/x=1/ok ");
  str_free(&out);
}

/* The templates change every night: what is left is a few nights' work. */
static void a_year_stays_small(void **state)
{
  enum {NIGHTS = 365, PROBLEMS = 20, TRIED = 2};
  const char *path = folder_file(*state, "year.journal");
  struct str text = {0};
  for (int night = 0; night < NIGHTS; night++)
    for (int m = 0; m < PROBLEMS; m++)
      for (int c = 0; c < TRIED; c++) {
        struct record *r = result(m, night, night * 12 * 28 / 366, c, "ok",
                                  1 + c);
        record_format(r, &text);
        str_add(&text, "\n");
        record_free(r);
      }
  FILE *to = fopen(path, "w");
  assert_true(to && fwrite(text.at, 1, text.len, to) == text.len &&
              !fclose(to));
  str_free(&text);
  struct pruned p = must_prune(path, 7, 0);
  /* a week of nights, and the two fastest of the night before them */
  assert_in_range(p.kept, 8 * PROBLEMS * TRIED, 11 * PROBLEMS * TRIED);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_rule),
      cmocka_unit_test(runs_find_what_they_found),
      cmocka_unit_test(winners_stay),
      cmocka_unit_test(a_year_stays_small),
  };
  return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
