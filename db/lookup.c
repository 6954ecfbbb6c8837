/* lookup.c - see lookup.h. */
// SPDX-License-Identifier: MIT
#include "db/lookup.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"

/* Where a problem is, or belongs. */
static struct lookup_rows *place(const struct lookup *l, const char *problem,
                                 uint32_t hash)
{
  for (size_t i = hash;; i++) {
    struct lookup_rows *at = &l->list[i & (l->places - 1)];
    if (!at->problem || (at->hash == hash && !strcmp(at->problem, problem)))
      return at;
  }
}

static uint32_t hash_of(const char *problem)
{
  return (uint32_t)hash_64(problem, strlen(problem));
}

void lookup_build(struct lookup *l, struct record *const *rows, size_t n,
                  int (*better)(const struct record *a,
                                const struct record *b))
{
  *l = (struct lookup){1, NULL};
  while (l->places * 3 < n * 4 + 4)
    l->places *= 2;
  l->list = mem_array(l->places, sizeof *l->list);
  for (uint32_t i = 0; i < n; i++) {
    const char *problem = record_text(rows[i], "problem");
    uint32_t hash = hash_of(problem);
    struct lookup_rows *at = place(l, problem, hash);
    if (!at->problem)
      *at = (struct lookup_rows){problem, hash, i, 0, i};
    else if (better(rows[i], rows[at->best]))
      at->best = i;
    at->n = i + 1 - at->first;
  }
}

const struct lookup_rows *lookup_find(const struct lookup *l,
                                      const char *problem)
{
  if (!l->places)
    return NULL;
  const struct lookup_rows *at = place(l, problem, hash_of(problem));
  return at->problem ? at : NULL;
}

void lookup_free(struct lookup *l)
{
  free(l->list);
  *l = (struct lookup){0};
}
