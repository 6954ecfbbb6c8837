/* show_list.c - a line for each stored problem: see show.h. */
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "tuner/cli/report.h"
#include "tuner/cli/show.h"
#include "tuner/cli/terminal.h"
#include "tuner/session/cost.h"
#include "tuner/session/shipped.h"

enum {PROBLEM = 47 /* column in which it begins */};

/* Rows that stand under one heading. */
static int together(const struct record *a, const struct record *b)
{
  static const char *const names[] = {"device", "cus", "source", "shipped"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(record_text(a, names[i]), record_text(b, names[i])) != 0)
      return 0;
  return 1;
}

/* Has an earlier row the same heading? */
static int headed(const struct table *t, size_t i)
{
  for (size_t k = 0; k < i; k++)
    if (together(table_row(t, k), table_row(t, i)))
      return 1;
  return 0;
}

static void print_heading(const struct family *f, const struct record *row)
{
  struct str line = {0};
  str_addf(&line, "%s on %s, %s on ", family_name(f),
           record_text(row, "arch"), record_text(row, "source"));
  report_device(row, &line);
  if (shipped_row(row))
    str_add(&line, ", came with the program");
  terminal_wrap(stdout, line.at, terminal_columns(stdout));
  printf("  %9s %8s %16s %7s  problem\n", "time", "", "rate", "of peak");
  str_free(&line);
}

static void add_problem(struct family *f, const struct stored *s,
                        struct str *out)
{
  size_t before = out->len;
  stored_brief(f, s, out);
  if (out->len == before)
    str_add(out, "the default");
  if (s->stale)
    str_add(out, " (stale)");
  if (record_number(s->row, "hot", 0) != 0)
    str_add(out, " (hot)");
}

static void print_line(struct family *f, const struct arch *a,
                       const struct record *row)
{
  struct stored s;
  struct str problem = {0};
  const struct quantity *unit = NULL;
  char time[64], error[32], rate[32] = "-", share[16] = "-";
  stored_read(f, row, &s);
  cost_text(row, time, sizeof time);
  cost_error_text(row, error, sizeof error);
  double value = stored_rate(&s, &unit), part = stored_share(&s, a);
  if (value > 0)
    snprintf(rate, sizeof rate, "%.0f %s", value, unit->unit);
  if (part > 0)
    snprintf(share, sizeof share, "%.1f %%", 100 * part);
  add_problem(f, &s, &problem);
  printf("  %9s %8s %16s %7s  ", time, error, rate, share);
  terminal_continue(stdout, problem.at, PROBLEM, terminal_columns(stdout));
  str_free(&problem);
}

/* Of the store's own rows, or of those that came with the program. */
static void show_part(struct family *f, const struct arch *a,
                      const struct table *t, int shipped)
{
  for (size_t i = 0; i < table_size(t); i++) {
    if (shipped_row(table_row(t, i)) != shipped || headed(t, i))
      continue;
    print_heading(f, table_row(t, i));
    for (size_t k = i; k < table_size(t); k++)
      if (together(table_row(t, i), table_row(t, k)))
        print_line(f, a, table_row(t, k));
  }
}

void show_list(struct family *f, const struct arch *a, const struct table *t)
{
  show_part(f, a, t, 0);
  show_part(f, a, t, 1);
}
