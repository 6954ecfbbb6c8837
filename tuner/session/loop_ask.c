/* loop_ask.c - asking the search, and telling it in that order: see loop.h. */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tuner/session/cost.h"
#include "tuner/session/loop.h"

static void begin(struct loop *l, struct candidate *c)
{
  const struct record *known = loop_known(l, c);
  c->state = STATE_NEW;
  if (known)
    loop_finish(l, c, record_copy(known), 1);
  else
    loop_count_again(l, c);
}

static enum search_answer next(struct loop *l, struct config *c)
{
  struct session *s = l->s;
  if (l->asked >= l->limit)
    return SEARCH_END;
  if (!s->setup.given)
    return warm_search_ask(&l->search, c);
  if (l->asked == s->setup.ngiven)
    return SEARCH_END;
  *c = s->setup.given[l->asked];
  return SEARCH_CONFIG;
}

static void fill(struct loop *l)
{
  while (!l->ended && l->asked - l->told < l->ahead) {
    struct candidate *c = loop_at(l, l->asked);
    *c = (struct candidate){0};
    enum search_answer a = next(l, &c->config);
    l->ended = a == SEARCH_END;
    if (a != SEARCH_CONFIG)
      return;
    l->asked++;
    begin(l, c);
  }
}

static void count(struct session_result *out, const struct candidate *c)
{
  const struct record *r = c->record;
  int status = status_parse(record_get(r, "status"));
  double cost = cost_of(r, INFINITY);
  const char *reason = record_get(r, "reason");
  out->done++;
  out->known += c->known != 0;
  out->counts[status]++;
  out->known_counts[status] += c->known != 0;
  if (status == STATUS_OK && (out->best_number == 0 || cost < out->best_cost)) {
    out->best_cost = cost;
    out->best_number = out->done;
  }
  if (status != STATUS_OK && !out->first_reason[0])
    snprintf(out->first_reason, sizeof out->first_reason, "%s: %s",
             status_name((enum status)status), reason ? reason : "");
}

/* Where the best does not get better any more, no others are asked for but those that may
 * have been asked for by now: a seeded run repeats, however fast its workers are. */
static void lose_patience(struct loop *l)
{
  struct session *s = l->s;
  const struct session_result *r = &s->result;
  if (r->best_number && r->best_cost < l->gained_from * (1 - SESSION_GAIN)) {
    l->gained = r->done;
    l->gained_from = r->best_cost;
  }
  if (!s->setup.patience || r->out_of_patience || r->done - l->gained < s->setup.patience)
    return;
  s->result.out_of_patience = 1;
  if (r->done + l->ahead < l->limit)
    l->limit = r->done + l->ahead;
}

static void tell(struct loop *l, struct candidate *c)
{
  struct session *s = l->s;
  int ok = !strcmp(record_get(c->record, "status"), "ok");
  double cost = ok ? cost_of(c->record, INFINITY) : INFINITY;
  count(&s->result, c);
  lose_patience(l);
  if (!s->setup.given)
    warm_search_tell(&l->search, &c->config, cost);
  s->setup.view.candidate(s->setup.view.user, s, s->result.done, c->record,
                          c->known);
  record_free(c->record);
  c->record = NULL;
  l->told++;
}

void loop_advance(struct loop *l)
{
  double from = clock_now();
  fill(l);
  while (l->told < l->asked && loop_at(l, l->told)->state == STATE_DONE) {
    tell(l, loop_at(l, l->told));
    fill(l);
  }
  l->s->result.search_s += clock_now() - from;
}
