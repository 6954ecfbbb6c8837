/* study_table.c - every published figure has its place in a family.
 *
 * tests/data/seed_measurements.tsv is the table of what is published. Each of
 * its rows must be a figure of one family, with the same unit and range, and
 * nothing else may be one; each must be a problem and a configuration that
 * the family allows.
 */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "tuner/study/study_figures.h"

enum {ROWS = 64, COLUMNS = 7};

/* study, id, what, unit, lo, hi, kind */
struct published {
  char *column[COLUMNS];
};

static struct published table[ROWS];
static size_t rows;
static struct str text;
static struct catalogue catalogue;
static struct sheet sheet;

/* Lines that are no comments, after the one that names the columns. */
static void read_table(void)
{
  struct err e;
  if (file_read(SOURCE_DIR "/tests/data/seed_measurements.tsv", 1 << 20,
                &text, &e))
    fail_msg("%s", e.text);
  char *line, *rest = text.at;
  int named = 0;
  while ((line = strsep(&rest, "\n"))) {
    if (!*line || *line == '#' || !named++)
      continue;
    assert_true(rows < ROWS);
    struct published *p = &table[rows++];
    for (int i = 0; i < COLUMNS; i++)
      assert_non_null(p->column[i] = strsep(&line, "\t"));
  }
}

static int make(void **state)
{
  (void)state;
  struct err e;
  read_table();
  if (catalogue_open(&catalogue, NULL, NULL, &e) ||
      sheet_collect(&sheet, &catalogue, "gfx906", NULL, &e))
    fail_msg("%s", e.text);
  return 0;
}

static int clear(void **state)
{
  (void)state;
  sheet_free(&sheet);
  catalogue_close(&catalogue);
  str_free(&text);
  return 0;
}

static int is_of(const struct figure *f, const struct published *p)
{
  return !strcmp(f->study, p->column[0]) && !strcmp(f->id, p->column[1]);
}

static void all_published(void **state)
{
  (void)state;
  assert_int_equal(rows, 40);
  for (size_t i = 0; i < rows; i++) {
    const struct published *p = &table[i];
    const struct figure *found = NULL;
    for (size_t j = 0; j < sheet.n; j++)
      if (is_of(sheet.rows[j].figure, p)) {
        if (found)
          fail_msg("%s %s stands in two families", p->column[0],
                   p->column[1]);
        found = sheet.rows[j].figure;
      }
    if (!found)
      fail_msg("no family has %s %s", p->column[0], p->column[1]);
    assert_string_equal(found->quantity->unit, p->column[3]);
    if (found->low != strtod(p->column[4], NULL) ||
        found->high != strtod(p->column[5], NULL))
      fail_msg("%s %s is %g..%g", p->column[0], p->column[1], found->low,
               found->high);
  }
}

static void nothing_else(void **state)
{
  (void)state;
  for (size_t j = 0; j < sheet.n; j++) {
    const struct figure *f = sheet.rows[j].figure;
    size_t i = 0;
    while (i < rows && !is_of(f, &table[i]))
      i++;
    if (i == rows)
      fail_msg("%s %s of %s is not published", f->study, f->id,
               sheet.rows[j].name);
  }
}

/* The problem of these settings, and a legal configuration of it. */
static void allowed(const char *arch, const char *family, const char *what,
                    const struct settings *given)
{
  struct setup s = {.options = {.arch = arch, .db = "/nowhere"}};
  struct config c;
  struct err e;
  s.options.nkeys = given->n;
  for (size_t i = 0; i < given->n; i++) {
    s.options.names[i] = given->names[i];
    s.options.texts[i] = given->texts[i];
  }
  if (task_open(&s.task, &s.options, family, NULL, NULL, &e) ||
      setup_config(&s, NULL, given->config, &c, &e))
    fail_msg("%s %s: %s", family, what, e.text);
  setup_close(&s);
}

static void all_allowed(void **state)
{
  (void)state;
  for (size_t i = 0; i < sheet.n; i++)
    allowed("gfx906", sheet.rows[i].family, sheet.rows[i].figure->id,
            &sheet.rows[i].figure->given);
  for (size_t i = 0; i < catalogue.n; i++) {
    const struct plot *plots;
    size_t n = family_plots(catalogue.families[i], &plots);
    for (size_t j = 0; j < n; j++)
      allowed(quantity_counted(plots[j].quantity) ? "gfx1250" : "gfx906",
              catalogue.names[i], plots[j].name, &plots[j].given);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(all_published), cmocka_unit_test(nothing_else),
    cmocka_unit_test(all_allowed),
  };
  return cmocka_run_group_tests(tests, make, clear);
}
