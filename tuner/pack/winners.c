/* winners.c - see winners.h. */
// SPDX-License-Identifier: MIT
#include "tuner/pack/winners.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "gen/kernel_hash.h"
#include "gen/space.h"
#include "tuner/reference/problem.h"

/* Rules of templates that have changed since may exclude it. */
static int legal(struct family *f, const struct winner *w, struct err *e)
{
  struct space *s;
  int code = space_open(&s, f, &w->problem, e);
  if (code)
    return code;
  const char *why = space_rule(s, &w->config);
  if (why)
    code = err_set(e, ERR_FAILED, "%s", why);
  space_close(s);
  return code;
}

static int read_row(struct family *f, struct winner *w, struct err *e)
{
  const struct record *row = w->row;
  if (!strcmp(record_text(row, "source"), "counted"))
    return err_set(e, ERR_FAILED, "it was counted and not timed, so nobody "
                   "knows that it is fast");
  int code = problem_parse(f, record_text(row, "problem"), &w->problem, e);
  if (!code)
    code = config_parse(f, record_text(row, "config"), 0, &w->config, e);
  if (code || !strcmp(record_text(row, "template"), family_hash(f)))
    return code;
  w->stale = kernel_changed(f, &w->problem, &w->config,
                            record_text(row, "template"),
                            record_text(row, "kernel"));
  return w->stale ? legal(f, w, e) : 0;
}

static void leave_out(struct winners *w, const struct record *row,
                      const struct err *why,
                      void (*notice)(void *, const char *), void *user)
{
  struct str said = {0};
  w->left_out++;
  str_addf(&said, "left out: %s: %s", record_text(row, "problem"), why->text);
  if (notice)
    notice(user, said.at);
  str_free(&said);
}

int winners_open(struct winners *w, struct family *f, const char *dir,
                 const char *arch, void (*notice)(void *, const char *),
                 void *user, struct err *e)
{
  *w = (struct winners){0};
  int code = table_load(&w->table, dir, arch, family_name(f), notice, user, e);
  if (code)
    return code;
  size_t rows = table_size(w->table);
  const char *last = "";
  w->list = mem_array(rows + 1, sizeof *w->list);
  for (size_t i = 0; i < rows; i++) { /* sorted by problem */
    const char *problem = record_text(table_row(w->table, i), "problem");
    if (!strcmp(problem, last))
      continue;
    last = problem;
    struct winner *at = &w->list[w->n];
    struct err why = {0};
    *at = (struct winner){.row = table_find(w->table, problem, NULL)};
    if (read_row(f, at, &why))
      leave_out(w, at->row, &why, notice, user);
    else
      w->n++;
  }
  return 0;
}

void winners_close(struct winners *w)
{
  table_free(w->table);
  free(w->list);
  *w = (struct winners){0};
}
