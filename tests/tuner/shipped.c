/* shipped.c - the tables of this tree: every row is complete, modelled, and
 * what the templates still make; and how they lie beneath a store's own. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glob.h>

#include "arch/arch.h"
#include "folder.h"
#include "tuner/session/shipped.h"
#include "tuner/session/stored.h"

#define TABLES SOURCE_DIR "/db"

static void no_notice(void *user, const char *text)
{
  (void)user;
  fail_msg("%s", text);
}

static void is_complete(const struct record *row)
{
  static const char *const names[] = {
    "arch", "family", "problem", "config", "device", "cus", "source",
    "time_us", "mad_us", "n", "template", "kernel", "compiler", "runtime",
    "seed", "date", "hot", "evaluated",
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!*record_text(row, names[i]))
      fail_msg("%s %s: no %s", record_text(row, "family"),
               record_text(row, "problem"), names[i]);
  assert_string_equal(record_text(row, "source"), "modelled");
  assert_string_equal(record_text(row, "status"), "ok");
  assert_true(record_number(row, "time_us", 0) > 0);
}

static void is_what_is_made_today(const struct family *f, const struct stored *s)
{
  if (!s->fits)
    fail_msg("the family cannot read %s", record_text(s->row, "problem"));
  if (s->stale)
    fail_msg("%s %s is stale: `tune sweep db/%s.lua` makes them again",
             family_name(f), record_text(s->row, "problem"),
             record_text(s->row, "arch"));
}

/* Memory gives a plain read 0.85 of what it has (gload): a row that says much more is a
 * mistake of the model, of which two were found (docs/model.md, section 3). */
static void memory_can_give_it(const struct family *f, const struct arch *a,
                               const struct stored *s)
{
  enum {LAUNCH_US = 4};
  static const double most = 0.9;
  double us = record_number(s->row, "time_us", 0) - LAUNCH_US, bytes = s->plan.bytes;
  double gbps = bytes / 1e3 / us, limit = most * (double)arch_fact(a, "hbm_gbps");
  double cached = (double)arch_fact(a, "llc_bytes");
  if (s->plan.memory == MEMORY_HBM && bytes > 4 * cached && !(us > 0 && gbps < limit))
    fail_msg("%s %s: %g GB/s of memory", family_name(f), record_text(s->row, "problem"),
             gbps);
}

/* ".../db/ARCH/FAMILY.table" */
static size_t look_at(const char *path)
{
  char arch[64], family[64];
  struct family *f = NULL;
  struct table *t;
  struct err e = {0};
  const struct arch *a = NULL;
  const struct pair *facts;
  assert_int_equal(sscanf(path + strlen(TABLES), "/%63[^/]/%63[^.].table",
                          arch, family), 2);
  if (table_load(&t, TABLES, arch, family, no_notice, NULL, &e) ||
      family_open(&f, family, NULL, &e) || arch_need(arch, &a, &e))
    fail_msg("%s", e.text);
  size_t n = arch_facts(a, &facts), rows = table_size(t);
  assert_int_equal(family_set_arch(f, facts, n, NULL), 0);
  for (size_t i = 0; i < rows; i++) {
    struct stored s;
    is_complete(table_row(t, i));
    stored_read(f, table_row(t, i), &s);
    is_what_is_made_today(f, &s);
    memory_can_give_it(f, a, &s);
  }
  table_free(t);
  family_close(f);
  return rows;
}

static void tables_of_the_tree(void **state)
{
  (void)state;
  glob_t found;
  assert_int_equal(glob(TABLES "/*/*.table", 0, NULL, &found), 0);
  size_t rows = 0;
  for (size_t i = 0; i < found.gl_pathc; i++)
    rows += look_at(found.gl_pathv[i]);
  print_message("%zu tables, %zu rows\n", found.gl_pathc, rows);
  assert_true(rows > 0);
  globfree(&found);
}

/* --- beneath a store's own ----------------------------------------------- */

static void put(const char *folder, const char *problem, const char *source,
                const char *us)
{
  struct record *r = record_new();
  struct err e = {0};
  record_set(r, "arch", "gfx906");
  record_set(r, "family", "gemm");
  record_set(r, "problem", "%s", problem);
  record_set(r, "source", "%s", source);
  record_set(r, "time_us", "%s", us);
  if (table_put(folder, r, NULL, NULL, &e))
    fail_msg("%s", e.text);
  record_free(r);
}

/* Is this the row, and did it come with the program? */
static void expect(const struct table *t, const char *problem, const char *us,
                   int shipped)
{
  const struct record *r = table_find(t, problem, NULL);
  assert_non_null(r);
  assert_string_equal(record_text(r, "time_us"), us);
  assert_int_equal(shipped_row(r), shipped);
}

static void own_rows_shadow_shipped_ones(void **state)
{
  (void)state;
  char own[64], shipped[64];
  struct table *t;
  folder_make(own);
  folder_make(shipped);
  setenv("TUNE_SHIPPED", shipped, 1);
  put(shipped, "m=1", "modelled", "1");
  put(shipped, "m=2", "modelled", "2");
  put(own, "m=2", "modelled", "3");
  put(own, "m=3", "modelled", "4");
  put(shipped, "m=4", "measured", "5");
  put(own, "m=4", "modelled", "6");
  assert_int_equal(
      shipped_load(&t, own, "gfx906", "gemm", no_notice, NULL, NULL), 0);
  assert_int_equal(table_size(t), 5);
  expect(t, "m=1", "1", 1);
  expect(t, "m=2", "3", 0);
  expect(t, "m=3", "4", 0);
  expect(t, "m=4", "5", 1); /* measured beats modelled */
  table_free(t);
  setenv("TUNE_SHIPPED", "", 1);
  assert_int_equal(
      shipped_load(&t, own, "gfx906", "gemm", no_notice, NULL, NULL), 0);
  assert_int_equal(table_size(t), 3);
  table_free(t);
  folder_remove(own);
  folder_remove(shipped);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(tables_of_the_tree),
    cmocka_unit_test(own_rows_shadow_shipped_ones),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
