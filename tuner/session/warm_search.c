/* warm_search.c - see warm_search.h. */
// SPDX-License-Identifier: MIT
#include "tuner/session/warm_search.h"

struct warm_search warm_search_open(struct search search,
                                    const struct config *starts,
                                    size_t n)
{
  struct warm_search s = {.search = search, .n = n};
  for (size_t i = 0; i < n; i++)
    s.starts[i] = starts[i];
  return s;
}

/* Where the search has ended, what was kept is still to be tried. */
enum search_answer warm_search_ask(struct warm_search *s, struct config *c)
{
  enum search_answer a = search_ask(&s->search, c);
  int own = a == SEARCH_CONFIG && !config_among(s->starts, s->n, c);
  s->asked += a == SEARCH_CONFIG;
  if (a == SEARCH_WAIT || (own && s->begun == s->n))
    return a;
  if (own)
    s->kept[s->nkept++] = *c;
  if (s->begun < s->n)
    *c = s->starts[s->begun++];
  else if (s->nkept > 0)
    *c = s->kept[--s->nkept];
  else
    return SEARCH_END;
  return SEARCH_CONFIG;
}

void warm_search_tell(struct warm_search *s, const struct config *c,
                      double cost)
{
  if (s->told == s->asked)
    return; /* what was tried after the search had ended */
  s->told++;
  search_tell(&s->search, c, cost);
}

void warm_search_close(struct warm_search *s)
{
  search_close(&s->search);
}
