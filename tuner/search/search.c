/* search.c - the table of searches: see search.h. */
// SPDX-License-Identifier: MIT
#include "tuner/search/search.h"

#include <string.h>

#include "base/suggest.h"

static const struct search_ops *const searches[] = {
    &search_forest, &search_local, &search_genetic, &search_annealing,
    &search_hybrid, &search_random, &search_exhaustive};

enum { SEARCHES = sizeof searches / sizeof *searches };

const struct search_ops *search_at(size_t i)
{
  return i < SEARCHES ? searches[i] : NULL;
}

int search_find(const char *name, const struct search_ops **out,
                struct err *e)
{
  const char *names[SEARCHES];
  *out = searches[0];
  if (!name)
    return 0;
  for (size_t i = 0; i < SEARCHES; i++) {
    names[i] = searches[i]->name;
    *out = searches[i];
    if (strcmp(names[i], name) == 0)
      return 0;
  }
  const char *near = suggest(name, names, SEARCHES);
  return err_set(e, ERR_USAGE, "there is no search '%s'%s%s%s; `tune list "
                 "searches` names them", name, near ? ", did you mean '" : "",
                 near ? near : "", near ? "'?" : "");
}

struct search search_open(const struct search_ops *ops, struct space *s,
                          uint64_t seed)
{
  return (struct search){.ops = ops, .state = ops->open(s, seed)};
}

enum search_answer search_ask(struct search *s, struct config *c)
{
  return s->ops->ask(s->state, c);
}

void search_tell(struct search *s, const struct config *c, double cost)
{
  s->ops->tell(s->state, c, cost);
}

void search_close(struct search *s)
{
  if (s->ops)
    s->ops->close(s->state);
  *s = (struct search){0};
}
