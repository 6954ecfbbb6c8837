/* study_figures.c - collecting and running figures: see study_figures.h. */
// SPDX-License-Identifier: MIT
#include "gen/source.h"
#include "tuner/study/study_figures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/suggest.h"

/* --- families ------------------------------------------------------------ */

static int add_family(struct catalogue *c, const char *folder,
                      const char *name, struct err *e)
{
  struct family *f;
  int code = family_open(&f, name, folder, e);
  if (code)
    return code;
  c->names[c->n] = mem_copy(name);
  c->families[c->n++] = f;
  return 0;
}

int catalogue_open(struct catalogue *c, const char *folder, const char *only,
                   struct err *e)
{
  char **names = NULL;
  size_t n = only ? 1 : source_list(folder, &names);
  *c = (struct catalogue){ .families = mem_array(n + 1, sizeof *c->families),
                           .names = mem_array(n + 1, sizeof *c->names) };
  int code = 0;
  for (size_t i = 0; i < n && !code; i++)
    code = add_family(c, folder, only ? only : names[i], e);
  free(names);
  return code;
}

void catalogue_close(struct catalogue *c)
{
  for (size_t i = 0; i < c->n; i++) {
    family_close(c->families[i]);
    free(c->names[i]);
  }
  free(c->families);
  free(c->names);
  *c = (struct catalogue){0};
}

/* --- collecting ---------------------------------------------------------- */

/* Put the row behind the last one of its study, or at the end. */
static void insert(struct sheet *s, const struct row *r)
{
  size_t at = s->n;
  for (size_t i = 0; i < s->n; i++)
    if (!strcmp(s->rows[i].figure->study, r->figure->study))
      at = i + 1;
  s->rows = mem_resize(s->rows, (s->n + 1) * sizeof *s->rows);
  memmove(&s->rows[at + 1], &s->rows[at], (s->n - at) * sizeof *s->rows);
  s->rows[at] = *r;
  s->n++;
}

static int unknown_study(const struct sheet *all, const char *arch,
                         const char *study, struct err *e)
{
  const char **names = mem_array(all->n + 1, sizeof *names);
  struct str list = {0};
  size_t n = 0;
  for (size_t i = 0; i < all->n; i += sheet_study(all, i)) {
    names[n] = all->rows[i].figure->study;
    str_addf(&list, "%s%s", n ? ", " : "", names[n]);
    n++;
  }
  const char *near = suggest(study, names, n);
  if (near)
    err_set(e, ERR_USAGE, "there is no study '%s' of %s; did you mean '%s'?",
            study, arch, near);
  else
    err_set(e, ERR_USAGE, "there is no study '%s' of %s; there is: %s", study,
            arch, n ? list.at : "none");
  free(names);
  str_free(&list);
  return ERR_USAGE;
}

static void collect(struct sheet *s, const struct catalogue *c,
                    const char *arch, const char *study)
{
  for (size_t i = 0; i < c->n; i++) {
    const struct figure *f;
    size_t n = family_figures(c->families[i], &f);
    for (size_t j = 0; j < n; j++) {
      struct row r = { .figure = &f[j], .family = c->names[i],
                       .name = family_name(c->families[i]) };
      if (!strcmp(f[j].arch, arch) && (!study || !strcmp(f[j].study, study)))
        insert(s, &r);
    }
  }
}

int sheet_collect(struct sheet *s, const struct catalogue *c, const char *arch,
                  const char *study, struct err *e)
{
  *s = (struct sheet){0};
  collect(s, c, arch, study);
  if (s->n || !study)
    return 0;
  struct sheet all = {0};
  collect(&all, c, arch, NULL);
  unknown_study(&all, arch, study, e);
  sheet_free(&all);
  return ERR_USAGE;
}

void sheet_free(struct sheet *s)
{
  for (size_t i = 0; i < s->n; i++) {
    str_free(&s->rows[i].problem);
    str_free(&s->rows[i].config);
  }
  free(s->rows);
  *s = (struct sheet){0};
}

size_t sheet_study(const struct sheet *s, size_t i)
{
  size_t n = 1;
  while (i + n < s->n &&
         !strcmp(s->rows[i].figure->study, s->rows[i + n].figure->study))
    n++;
  return n;
}

/* --- running ------------------------------------------------------------- */

static int same_problem(const struct row *a, const struct row *b)
{
  const struct settings *x = &a->figure->given, *y = &b->figure->given;
  if (strcmp(a->family, b->family) || x->n != y->n)
    return 0;
  for (size_t i = 0; i < x->n; i++) /* both in the order of the keys */
    if (strcmp(x->names[i], y->names[i]) || strcmp(x->texts[i], y->texts[i]))
      return 0;
  return 1;
}

/* Rows of one problem, which go through one session. */
struct group {
  size_t n;
  struct row **rows;
  struct config *configs;
  struct outcome *outcomes;
};

static void refuse(struct row *r, const char *why)
{
  snprintf(r->outcome.reason, sizeof r->outcome.reason, "%.390s", why);
}

static void describe(struct row *r, const struct setup *s,
                     const struct config *c)
{
  str_add(&r->problem, str_text(&s->task.problem_text));
  config_format(s->task.family, c, &r->config);
}

static void take_value(struct row *r, const struct setup *s,
                       const struct config *c)
{
  const struct quantity *q = r->figure->quantity;
  if (!r->outcome.done || r->outcome.status != STATUS_OK)
    return;
  r->value = setup_value(s, c, q, r->outcome.us);
  if (r->value <= 0) {
    char why[160];
    snprintf(why, sizeof why, "the cost of %.40s does not give %s",
             r->name, quantity_cost(q));
    refuse(r, why);
  }
}

static int run_group(struct group *g, struct experiment *l, struct err *e)
{
  struct setup s;
  struct err why = {0};
  const struct settings *given = &g->rows[0]->figure->given;
  size_t m = 0;
  int code = 0;
  int failed = experiment_problem(l, g->rows[0]->family, given->names,
                                  given->texts,
                                  given->n, &s, &why);
  for (size_t i = 0; i < g->n; i++) {
    struct row *r = g->rows[i];
    if (failed || setup_config(&s, NULL, r->figure->given.config,
                               &g->configs[m], &why)) {
      refuse(r, why.text);
      continue;
    }
    describe(r, &s, &g->configs[m]);
    g->rows[m++] = r;
  }
  if (m)
    code = experiment_try(l, &s, g->configs, m, g->outcomes, 0, e);
  for (size_t i = 0; i < m; i++) {
    g->rows[i]->outcome = g->outcomes[i];
    take_value(g->rows[i], &s, &g->configs[i]);
  }
  setup_close(&s);
  return code;
}

int sheet_run(struct sheet *s, struct experiment *l,
              void (*say)(const struct experiment *l, const char *family,
                          const char *what),
              struct err *e)
{
  struct group g = { .rows = mem_array(s->n + 1, sizeof *g.rows),
                     .configs = mem_array(s->n + 1, sizeof *g.configs),
                     .outcomes = mem_array(s->n + 1, sizeof *g.outcomes) };
  char *taken = mem_array(s->n + 1, 1);
  const char *said = "", *by = "";
  int code = 0;
  for (size_t i = 0; i < s->n && !code; i++) {
    if (taken[i])
      continue;
    g.n = 0;
    for (size_t j = i; j < s->n; j++)
      if (!taken[j] && same_problem(&s->rows[i], &s->rows[j])) {
        taken[j] = 1;
        g.rows[g.n++] = &s->rows[j];
      }
    if (strcmp(s->rows[i].figure->study, said) ||
        strcmp(s->rows[i].family, by))
      say(l, s->rows[i].name, s->rows[i].figure->study);
    said = s->rows[i].figure->study;
    by = s->rows[i].family;
    code = run_group(&g, l, e);
  }
  free(taken);
  free(g.rows);
  free(g.configs);
  free(g.outcomes);
  return code;
}
