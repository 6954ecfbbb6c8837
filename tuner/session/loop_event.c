/* loop_event.c - what workers answer, and what befalls them: see loop.h. */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>

#include "tuner/session/loop.h"

/* Had the worker done anything before that may have made this go wrong? Then
 * the candidate goes back to where it was before, once. */
static int second_try(struct loop *l, struct candidate *c, enum state back)
{
  int compiling = l->event.pool == l->pools[COMPILING];
  unsigned first = !compiling && loop_checks_health(l->s) ? 2 : 1;
  if (c->again || l->event.age <= first)
    return 0;
  c->again = 1;
  c->late = l->event.kind == EVENT_TIMEOUT;
  c->state = back;
  l->s->result.again++;
  return 1;
}

static int compiled(struct loop *l, struct candidate *c, struct err *e)
{
  struct compiled r;
  if (compile_reply(&l->event.reply, &r))
    return loop_settle_bad(l, c, STATUS_CRASH, "the compiler's worker "
                           "answered rubbish", e);
  if (r.broken)
    return err_set(e, ERR_FAILED, "%s", r.text);
  if (r.status != STATUS_OK)
    return loop_settle_bad(l, c, r.status, r.text, e);
  str_add_bytes(&c->code, r.code, r.ncode);
  c->state = STATE_COMPILED;
  c->again = c->late = 0;
  utilization_begin(&l->s->result.utilization);
  return 0;
}

/* What a candidate that ended so may have left behind is not to be met by
 * another. One that was refused before it ran leaves nothing. */
static int harmless(const struct record *r)
{
  int status = status_parse(record_get(r, "status"));
  return status == STATUS_OK || status == STATUS_RESOURCE;
}

static int tried(struct loop *l, struct candidate *c, struct err *e)
{
  struct record *r;
  int broken;
  if (trial_reply(&l->event.reply, &broken, &r))
    return loop_settle_bad(l, c, STATUS_CRASH, "the device's worker "
                           "answered rubbish", e);
  if (!broken && harmless(r)) /* the device works while this is written */
    return loop_dispatch(l, e) ? e->code : loop_settle(l, c, r, e);
  if (!broken) {
    pool_retire(l->event.pool, l->event.slot);
    if (!second_try(l, c, STATE_COMPILED))
      return loop_settle(l, c, r, e);
    record_free(r);
    return 0;
  }
  err_set(e, ERR_FAILED, "%s", record_get(r, "reason"));
  record_free(r);
  return e->code;
}

/* No answer, or a dead worker. What holds a worker so that it cannot be ended
 * is not to get another. */
static int lost(struct loop *l, struct candidate *c, enum status status,
                struct err *e)
{
  int compiling = l->event.pool == l->pools[COMPILING];
  int stuck = pool_lost(l->event.pool, l->event.slot);
  char why[sizeof l->event.why + 40];
  if (!stuck && second_try(l, c, compiling ? STATE_NEW : STATE_COMPILED))
    return 0;
  snprintf(why, sizeof why, "%s%s", l->event.why,
           c->late ? ", tried again in a new worker" : "");
  return loop_settle_bad(l, c, status, why, e);
}

/* What befell the worker says nothing of the candidate, unless it befalls each
 * that tries it: then this run goes on without it. */
static int killed(struct loop *l, struct candidate *c, struct err *e)
{
  char why[sizeof l->event.why + 60];
  l->s->result.killed++;
  if (++c->killed < WORKER_TRIES) {
    c->state = l->event.pool == l->pools[COMPILING] ? STATE_NEW
                                                    : STATE_COMPILED;
    return 0;
  }
  snprintf(why, sizeof why, "%s; so were %d before it; the next run tries it "
           "again", l->event.why, WORKER_TRIES - 1);
  return loop_settle_bad(l, c, STATUS_CRASH, why, e);
}

int loop_handle(struct loop *l, struct err *e)
{
  int pool = l->event.pool == l->pools[TRYING] ? TRYING : COMPILING;
  if (l->event.kind == EVENT_REPLY)
    l->longest[pool] = fmax(l->longest[pool], l->event.seconds);
  if (l->event.kind != EVENT_NONE && l->event.kind != EVENT_SIGNAL &&
      l->event.tag == TAG_HEALTH)
    return clock_past(l->until) ? 0 : loop_health_told(l, e);
  struct candidate *c = loop_at(l, l->event.tag);
  switch (l->event.kind) {
  case EVENT_NONE:
    return 0;
  case EVENT_SIGNAL:
    return err_set(e, ERR_INTERRUPTED, "interrupted");
  case EVENT_REPLY:
    return l->event.pool == l->pools[COMPILING] ? compiled(l, c, e)
                                                : tried(l, c, e);
  case EVENT_KILLED:
    return killed(l, c, e);
  case EVENT_CRASH:
    return lost(l, c, STATUS_CRASH, e);
  case EVENT_TIMEOUT: /* when all time is up, it is not the candidate's fault */
    return clock_past(l->until) ? 0
                                : lost(l, c, STATUS_TIMEOUT, e);
  }
  return 0;
}
