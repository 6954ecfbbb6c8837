/* candidates.c - see candidates.h. */
// SPDX-License-Identifier: MIT
#include "tuner/report/candidates.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/pairs.h"
#include "db/journal.h"
#include "tuner/report/points.h"

/* --- configurations ------------------------------------------------------ */

static size_t tunable_of(struct candidate_family *f, uint32_t name)
{
  size_t i = 0;
  while (i < f->n && f->tunable[i].name != name)
    i++;
  if (i == f->n && f->n < CANDIDATE_TUNABLES)
    f->tunable[f->n++] = (struct tunable_seen){.name = name};
  return i;
}

static unsigned char value_of(struct tunable_seen *t, uint32_t value)
{
  size_t i = 0;
  while (i < t->n && t->value[i] != value)
    i++;
  if (i == CANDIDATE_VALUES)
    return CANDIDATE_NONE;
  if (i == t->n)
    t->value[t->n++] = value;
  return (unsigned char)i;
}

/* "tile_m=64,pad=2" */
static void read_config(struct nights *s, struct candidate_family *f,
                        const char *config, struct candidate *out)
{
  char *copy = mem_copy(config), *rest = copy, *name, *value;
  memset(out->at, CANDIDATE_NONE, sizeof out->at);
  while ((name = pairs_next(&rest, &value))) {
    size_t i = value ? tunable_of(f, names_add(&s->names, name))
                     : CANDIDATE_TUNABLES;
    if (i < CANDIDATE_TUNABLES)
      out->at[i] = value_of(&f->tunable[i], names_add(&s->names, value));
  }
  free(copy);
}

/* --- journals ------------------------------------------------------------ */

struct reading {
  struct nights *nights;
  const struct night_info *night;
  struct candidates *out;
  size_t family;
  night_notice *notice;
  void *user;
};

static void add(struct candidate_list *l, const struct candidate *c)
{
  if (l->n == l->room) {
    l->room = l->room ? 2 * l->room : 32;
    l->list = mem_resize(l->list, l->room * sizeof *l->list);
  }
  l->list[l->n++] = *c;
}

/* The last winner: of the night, or where it found none of one before. */
static const struct point *last_winner(const struct nights *s, size_t i)
{
  for (size_t k = s->n; k-- > 0;)
    if (s->list[k].points[i].state == POINT_OK)
      return &s->list[k].points[i];
  return NULL;
}

static void take(void *user, struct record *r)
{
  struct reading *g = user;
  struct point p;
  long i = nights_subject(g->nights, r);
  const struct point *own = i >= 0 ? last_winner(g->nights, (size_t)i) : NULL;
  if (own) {
    struct candidate_list *l = &g->out->of[i];
    point_read(&g->nights->names, r, &p);
    int same = p.device == own->device && p.source == own->source;
    if (strcmp(record_text(r, "status"), "ok") != 0) {
      l->failed++;
    } else if (same && p.time_us > 0) {
      struct candidate c = {.us = (float)p.time_us};
      read_config(g->nights, &g->out->families[g->family],
                  record_text(r, "config"), &c);
      add(l, &c);
    }
  }
  record_free(r);
}

static void say(void *user, const char *text)
{
  struct reading *g = user;
  if (g->notice)
    g->notice(g->user, text);
}

/* --- the last of each configuration, the fastest first ------------------- */

static int by_config(const void *a, const void *b)
{
  const struct candidate *x = *(struct candidate *const *)a;
  const struct candidate *y = *(struct candidate *const *)b;
  int order = memcmp(x->at, y->at, sizeof x->at);
  return order ? order : (x > y) - (x < y);
}

static int by_time(const void *a, const void *b)
{
  const struct candidate *x = a, *y = b;
  int order = (x->us > y->us) - (x->us < y->us);
  return order ? order : memcmp(x->at, y->at, sizeof x->at);
}

static void settle(struct candidate_list *l)
{
  struct candidate **sorted = mem_array(l->n + 1, sizeof *sorted);
  struct candidate *kept = mem_array(l->n + 1, sizeof *kept);
  size_t n = 0;
  for (size_t i = 0; i < l->n; i++)
    sorted[i] = &l->list[i];
  qsort(sorted, l->n, sizeof *sorted, by_config);
  for (size_t i = 0; i < l->n; i++)
    if (i + 1 == l->n || memcmp(sorted[i]->at, sorted[i + 1]->at,
                                sizeof sorted[i]->at) != 0)
      kept[n++] = *sorted[i];
  qsort(kept, n, sizeof *kept, by_time);
  free(sorted);
  free(l->list);
  l->list = kept;
  l->n = n;
}

/* --- all ----------------------------------------------------------------- */

static size_t family_of(struct candidates *c, const struct subject *a)
{
  size_t i = 0;
  while (i < c->nfamilies && (c->families[i].arch != a->arch ||
                              c->families[i].family != a->family))
    i++;
  if (i == c->nfamilies) {
    c->families =
        mem_resize(c->families, (i + 1) * sizeof *c->families);
    memset(&c->families[i], 0, sizeof *c->families);
    c->families[i].arch = a->arch;
    c->families[i].family = a->family;
    c->nfamilies++;
  }
  return i;
}

static int read_journal(struct reading *g, const char *store, struct err *e)
{
  struct candidate_family *f = &g->out->families[g->family];
  struct journal_reader reader = {g, take, say};
  struct str path = {0};
  str_addf(&path, "%s/%s/%s.journal", store,
           names_text(&g->nights->names, f->arch),
           names_text(&g->nights->names, f->family));
  int bad = journal_read(path.at, &reader, e);
  str_free(&path);
  return bad < 0 ? e->code : 0;
}

static void read_winners(struct reading *g)
{
  for (size_t i = 0; i < g->out->n; i++) {
    const struct point *p = &g->night->points[i];
    struct candidate_list *l = &g->out->of[i];
    settle(l);
    if (p->state != POINT_OK)
      continue;
    l->winner.us = (float)p->time_us;
    read_config(g->nights, &g->out->families[g->out->family_of[i]],
                names_text(&g->nights->names, p->config), &l->winner);
  }
}

int candidates_read(struct candidates *c, struct nights *s, const char *store,
                    night_notice *notice, void *user, struct err *e)
{
  struct reading g = {s, &s->list[s->n - 1], c, 0, notice, user};
  *c = (struct candidates){.n = s->nsubjects};
  c->of = mem_array(c->n + 1, sizeof *c->of);
  c->family_of = mem_array(c->n + 1, sizeof *c->family_of);
  for (size_t i = 0; i < c->n; i++)
    c->family_of[i] = family_of(c, &s->subjects[i]);
  for (; g.family < c->nfamilies; g.family++)
    if (read_journal(&g, store, e))
      return e->code;
  read_winners(&g);
  return 0;
}

void candidates_free(struct candidates *c)
{
  for (size_t i = 0; c->of && i < c->n; i++)
    free(c->of[i].list);
  free(c->of);
  free(c->family_of);
  free(c->families);
  *c = (struct candidates){0};
}
