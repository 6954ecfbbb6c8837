/* losses.c - what fitted answers of a pack are expected to lose. */
// SPDX-License-Identifier: MIT
#include "ship/losses.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ship/fit.h"

enum {ENOUGH = 5}; /* winners that a percentile takes */

/* The losses of the winners of a class, by how far the answer was. */
struct sample {
  size_t n;
  float *loss;
};

static int ascending(const void *a, const void *b)
{
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

/* The time of what was found on the winner's problem: as it was timed there, or as it
 * is estimated. */
static double time_there(const struct index *v, const struct pack_winner *w,
                         const struct fit *found)
{
  for (uint32_t i = w->tried; i < w->tried + w->ntried; i++)
    if (v->tried[i].plan == found->winner->plan)
      return (double)v->tried[i].us;
  return found->us;
}

/* Leave the winner out, look its problem up, compare times. */
static void leave_out(const struct index *v, struct query *r,
                      const struct pack_winner *w,
                      struct sample bands[PACK_BANDS])
{
  memset(r->keys, 0, sizeof r->keys);
  memcpy(r->keys, v->values + w->value, r->family->nkeys * sizeof *r->keys);
  struct fit fit = fit_find(r, v, w);
  if (!fit.winner || w->us <= 0)
    return;
  double loss = time_there(v, w, &fit) / w->us - 1;
  struct sample *s = &bands[fit.band];
  s->loss[s->n++] = (float)(loss > 0 ? loss : 0);
}

static void of_class(const struct index *v, struct query *r,
                     struct pack_class *c)
{
  struct sample bands[PACK_BANDS] = {{0, NULL}};
  for (int i = 0; i < PACK_BANDS; i++)
    bands[i].loss = mem_array(c->nwinners, sizeof(float));
  for (uint32_t i = 0; i < c->nwinners; i++)
    leave_out(v, r, &v->winners[c->winner + i], bands);
  for (int i = 0; i < PACK_BANDS; i++) {
    struct sample *s = &bands[i];
    qsort(s->loss, s->n, sizeof *s->loss, ascending);
    if (s->n >= ENOUGH)
      c->loss[i] = s->loss[(s->n * 9 - 1) / 10];
    free(s->loss);
  }
}

void losses_find(const struct index *v, struct pack_class *classes)
{
  for (uint64_t a = 0; a < v->head->part[PART_ARCHS].n; a++) {
    const struct pack_arch *arch = &v->archs[a];
    for (uint32_t i = 0; i < arch->nfamilies; i++) {
      struct query r = { .arch = arch,
                           .family = &v->families[arch->family + i] };
      for (uint32_t j = 0; j < r.family->nclasses && r.family->serves; j++) {
        r.class_ = &v->classes[r.family->class_ + j];
        of_class(v, &r, &classes[r.family->class_ + j]);
      }
    }
  }
}
