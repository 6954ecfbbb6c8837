/* open.c - see open.h. */
// SPDX-License-Identifier: MIT
#include "tuner/session/open.h"

#include <string.h>

#include "db/tried.h"
#include "tuner/session/shipped.h"

struct session_setup session_setup(const struct task *k,
                                   const struct target *t)
{
  const struct options *r = k->options;
  return (struct session_setup){
      .family = k->family, .problem = &k->problem, .arch = k->arch,
      .device = t->device, .team = t->team, .nteam = t->nteam,
      .health_code = &t->health_code, .compiler = t->compiler,
      .space = k->space, .evals = (size_t)r->evals,
      .jobs = (size_t)r->jobs, .seed = (uint64_t)r->seed,
      .precision = r->precision, .timeout = r->timeout,
      .retry = r->retry, .hot = r->hot};
}

static void give(struct session_setup *u, const struct config *list, size_t n)
{
  u->given = list;
  u->ngiven = u->evals = n;
  u->patience = 0;
}

/* A number of candidates that was asked for is tried, and all of a space. */
static size_t patience(const struct options *r, const struct search_ops *search)
{
  return options_given(r, "evals") || search == &search_exhaustive ? 0 : SESSION_PATIENCE;
}

/* The winners of the nearest problems: their number. A table that cannot be read has
 * been complained of by task_open(). */
static size_t find_near(const struct session *s, const struct task *k,
                        const char *before,
                        struct config out[WARM_START_MOST])
{
  struct table *table;
  if (shipped_load(&table, k->folder.at, arch_name(k->arch),
                   family_name(k->family), NULL, NULL, NULL))
    return 0;
  const struct warm_start_query q = {
      .family = k->family, .problem = &k->problem, .space = k->space,
      .identity = s->identity, .before = before,
      .first = history_first(s->setup.history)};
  size_t n = warm_start_find(table, &q, out);
  table_free(table);
  return n;
}

/* Random and exhaustive search stay what they say they are. */
static void begin_warm(struct session *s, const struct task *k)
{
  struct session_setup *u = &s->setup;
  if (k->options->afresh || u->search == &search_random ||
      u->search == &search_exhaustive)
    return;
  size_t n = find_near(s, k, history_begun(u->history), s->starts);
  u->starts = s->starts;
  u->nstarts = n < u->evals ? n : u->evals;
}

static int is_tried(const struct task *k, const struct config *c,
                    const char *tried)
{
  struct str text = {0};
  char name[TRIED_NAME];
  config_format(k->family, c, &text);
  tried_name(text.at, name);
  str_free(&text);
  return tried_has(tried, name);
}

/* The given ones, then what is new; nothing where nothing is and all is settled. */
static void give_near(struct session *s, const struct task *k,
                      const struct session_wish *w)
{
  struct config near[WARM_START_MOST];
  size_t found = find_near(s, k, NULL, near), n = w->ngiven;
  memcpy(s->starts, w->given, n * sizeof *w->given);
  for (size_t i = 0; i < found && n < WARM_START_MOST; i++)
    if (!config_among(s->starts, n, &near[i]) && !is_tried(k, &near[i], w->tried))
      s->starts[n++] = near[i];
  give(&s->setup, s->starts, n > w->ngiven || w->settle ? n : 0);
}

/* On a card the trial of what is given has as many launches as finals. */
static enum finals_kind finals_of(const struct session *s, const struct task *k,
                                  const struct session_wish *w)
{
  if (w->given)
    return w->tried || w->settle ? FINALS_FASTEST : FINALS_NONE;
  if (!k->options->nsets)
    return FINALS_FASTEST;
  return s->setup.device->modelled ? FINALS_GIVEN : FINALS_NONE;
}

static int choose(struct session *s, const struct task *k,
                  const struct session_wish *w, struct err *e)
{
  s->setup.finals = finals_of(s, k, w);
  if (w->given) {
    if (w->tried)
      give_near(s, k, w);
    else
      give(&s->setup, w->given, w->ngiven);
    return 0;
  }
  if (!k->options->nsets) {
    begin_warm(s, k);
    return 0;
  }
  give(&s->setup, s->starts, 1);
  return task_legal(k, s->starts, e);
}

int session_open(struct session *s, const struct task *k,
                 const struct target *t, const struct session_wish *w,
                 struct err *e)
{
  *s = (struct session){.setup = session_setup(k, t)};
  s->setup.begun = w->begun;
  s->setup.until = w->until;
  s->setup.view = w->view;
  if (search_find(search_list, k->options->search, &s->setup.search, e))
    return e->code;
  s->setup.patience = patience(k->options, s->setup.search);
  s->identity = target_identity(t, k);
  if (history_open(&s->setup.history, k->folder.at, s->identity, k->notice,
                   k->user, e))
    return e->code;
  return choose(s, k, w, e);
}

void session_close(struct session *s)
{
  history_close(s->setup.history);
  record_free(s->identity);
  *s = (struct session){0};
}
