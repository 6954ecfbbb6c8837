/* loop_send.c - which candidate goes to which worker: see loop.h. */
// SPDX-License-Identifier: MIT
#include <math.h>

#include "tuner/session/loop.h"

enum {
  AGAIN_LEAST = 2,    /* seconds of a second try after a timeout ... */
  AGAIN_TIMES = 3,    /* ... and so often the longest reply so far */
};

int loop_look(struct loop *l, struct err *e)
{
  if (history_refresh(l->s->setup.history, e))
    return e->code;
  for (size_t i = l->told; i < l->asked; i++) {
    struct candidate *c = loop_at(l, i);
    const struct record *known = c->state == STATE_NEW && !c->claimed
                                     ? loop_known(l, c) : NULL;
    if (known)
      loop_finish(l, c, record_copy(known), 1);
  }
  return 0;
}

/* Is a candidate left for this process to begin with? It may have been done
 * just before the claim. */
static int begins(struct loop *l, struct candidate *c, struct err *e)
{
  int had = c->claimed;
  if (!loop_claim(l, c))
    return 0;
  if (!had && history_refresh(l->s->setup.history, e))
    return 0;
  const struct record *known = had ? NULL : loop_known(l, c);
  if (known)
    loop_finish(l, c, record_copy(known), 1);
  return !known;
}

/* What hung once must not cost --timeout twice. */
static double patience(const struct loop *l, const struct candidate *c,
                       int pool, double own)
{
  double enough = AGAIN_LEAST + AGAIN_TIMES * l->longest[pool];
  return loop_limit(l, c->late ? fmin(own, enough) : own);
}

double loop_compile_limit(const struct session *s)
{
  return fmin(s->setup.timeout, fmax(COMPILE_LIMIT, s->setup.timeout / 2));
}

static int send_compile(struct loop *l, struct candidate *c, size_t tag,
                        int slot, struct err *e)
{
  compile_request(&c->config, &l->request);
  c->state = STATE_COMPILING;
  return pool_send(l->pools[COMPILING], slot, tag, &l->request,
                   patience(l, c, COMPILING, loop_compile_limit(l->s)),
                   e);
}

/* What was asked for by name is timed in full, however slow it is. */
static int send_trial(struct loop *l, struct candidate *c, size_t tag,
                      int slot, struct err *e)
{
  trial_request(&c->config, c->code.at, c->code.len,
                l->s->setup.given ? 0 : l->s->result.best_cost, &l->request);
  c->state = STATE_TRIED;
  return pool_send(l->pools[TRYING], slot, tag, &l->request,
                   patience(l, c, TRYING, l->s->setup.timeout), e);
}

/* A free device that was found well, or -1. */
static int idle_device(const struct loop *l)
{
  for (size_t i = 0; i < l->s->result.devices; i++)
    if (pool_free(l->pools[TRYING], (int)i) &&
        (!loop_checks_health(l->s) || pool_age(l->pools[TRYING], (int)i) > 0))
      return (int)i;
  return -1;
}

void loop_account(struct loop *l)
{
  struct session *s = l->s;
  size_t trying = pool_busy(l->pools[TRYING]);
  size_t compiling = pool_busy(l->pools[COMPILING]);
  utilization_account(&s->result.utilization,
                      (struct working){trying, s->result.devices},
                      (struct working){compiling, s->setup.jobs});
}

int loop_dispatch(struct loop *l, struct err *e)
{
  if (loop_health_new(l, e))
    return e->code;
  for (size_t i = l->told; i < l->asked; i++) {
    struct candidate *c = loop_at(l, i);
    int slot, code = 0;
    if (c->state == STATE_NEW &&
        (slot = pool_idle(l->pools[COMPILING])) >= 0)
      code = begins(l, c, e) ? send_compile(l, c, i, slot, e) : e->code;
    else if (c->state == STATE_COMPILED &&
             (slot = idle_device(l)) >= 0)
      code = send_trial(l, c, i, slot, e);
    if (code)
      return code;
  }
  loop_account(l);
  return 0;
}
