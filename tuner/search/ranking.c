/* ranking.c - see ranking.h. */
// SPDX-License-Identifier: MIT
#include "tuner/search/ranking.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

int ranking_add(struct ranking *r, const struct config *c, double cost)
{
  int ran = isfinite(cost);
  size_t i = ran ? r->ok : r->n;
  if (r->n == r->room) {
    r->room = r->room ? 2 * r->room : 64;
    r->list = mem_resize(r->list, r->room * sizeof *r->list);
  }
  memmove(&r->list[i + 1], &r->list[i], (r->n - i) * sizeof *r->list);
  for (; ran && i > 0 && r->list[i - 1].cost > cost; i--)
    r->list[i] = r->list[i - 1];
  r->list[i] = (struct result){*c, cost, 0};
  r->n++;
  r->ok += ran;
  return ran && i == 0;
}

void ranking_clear(struct ranking *r)
{
  r->n = r->ok = 0;
}

void ranking_free(struct ranking *r)
{
  free(r->list);
  *r = (struct ranking){0};
}
