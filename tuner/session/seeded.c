/* seeded.c - see seeded.h. */
// SPDX-License-Identifier: MIT
#include "tuner/session/seeded.h"

struct seeded seeded_open(struct search search, const struct config *seeds,
                          size_t n)
{
  struct seeded s = {.search = search, .n = n};
  for (size_t i = 0; i < n; i++)
    s.seeds[i] = seeds[i];
  return s;
}

/* Where the search has ended, what was kept is still to be tried. */
enum search_answer seeded_ask(struct seeded *s, struct config *c)
{
  enum search_answer a = search_ask(&s->search, c);
  int own = a == SEARCH_CONFIG && !config_among(s->seeds, s->n, c);
  s->asked += a == SEARCH_CONFIG;
  if (a == SEARCH_WAIT || (own && s->begun == s->n))
    return a;
  if (own)
    s->kept[s->nkept++] = *c;
  if (s->begun < s->n)
    *c = s->seeds[s->begun++];
  else if (s->nkept > 0)
    *c = s->kept[--s->nkept];
  else
    return SEARCH_END;
  return SEARCH_CONFIG;
}

void seeded_tell(struct seeded *s, const struct config *c, double cost)
{
  if (s->told == s->asked)
    return; /* what was tried after the search had ended */
  s->told++;
  search_tell(&s->search, c, cost);
}

void seeded_close(struct seeded *s)
{
  search_close(&s->search);
}
