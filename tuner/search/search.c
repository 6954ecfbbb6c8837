/* search.c - the table of searches: see search.h. */
// SPDX-License-Identifier: MIT
#include "tuner/search/search.h"

#include <assert.h>
#include <string.h>

#include "base/suggest.h"

const struct search_ops *const search_list[] = {
    &search_bayes, &search_random, &search_exhaustive, NULL};

int search_find(const struct search_ops *const *list, const char *name,
                const struct search_ops **out, struct err *e)
{
  const char *names[SEARCH_MOST];
  size_t n = 0;
  *out = list[0];
  if (!name)
    return 0;
  for (; list[n]; n++) {
    assert(n < SEARCH_MOST);
    names[n] = list[n]->name;
    *out = list[n];
    if (!strcmp(names[n], name))
      return 0;
  }
  const char *near = suggest(name, names, n);
  return err_set(e, ERR_USAGE, "there is no search '%s'%s%s%s `tune list "
                 "searches` names them", name, near ? "; did you mean '" : "",
                 near ? near : "", near ? "'?" : ";");
}

struct search search_open(const struct search_ops *ops, struct space *s,
                          uint64_t seed)
{
  return (struct search){.ops = ops, .state = ops->open(s, seed)};
}

void search_advise(struct search *s, struct prior p)
{
  if (s->ops->advise && p.guess)
    s->ops->advise(s->state, p);
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
