/* list.c - a space whose legal points are listed, not ruled. */
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "gen/walk.h"

static int compare(const void *a, const void *b)
{
  return memcmp(a, b, sizeof(struct config));
}

struct space *space_open_list(const size_t *values, size_t n,
                              const struct config *points, size_t npoints)
{
  assert(n > 0 && n <= FAMILY_TUNABLES);
  struct space *s = mem_alloc(sizeof *s);
  s->n = n;
  memcpy(s->values, values, n * sizeof *values);
  s->list = mem_array(npoints + 1, sizeof *s->list);
  s->nlist = npoints;
  if (npoints)
    memcpy(s->list, points, npoints * sizeof *points);
  qsort(s->list, npoints, sizeof *s->list, compare);
  return s;
}

static const struct config *find(const struct space *s,
                                 const struct config *c)
{
  return bsearch(c, s->list, s->nlist, sizeof *s->list, compare);
}

int list_has(const struct space *s, const struct config *c)
{
  return find(s, c) != NULL;
}

int list_random(const struct space *s, struct rng *r, struct config *c)
{
  if (s->nlist)
    *c = s->list[rng_below(r, s->nlist)];
  return s->nlist > 0;
}

int list_first(const struct space *s, struct config *c)
{
  if (s->nlist)
    *c = s->list[0];
  return s->nlist > 0;
}

int list_next(const struct space *s, struct config *c)
{
  const struct config *next = find(s, c) + 1;
  if (next == s->list + s->nlist)
    return 0;
  *c = *next;
  return 1;
}
