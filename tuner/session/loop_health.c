/* loop_health.c - is the device well? See loop.h. */
// SPDX-License-Identifier: MIT
#include "tuner/session/loop.h"

#include "base/clock.h"

enum {
  HEALTH_LIMIT = 30, /* seconds of one check, opening the device included */
  LAST_LIMIT = 1,    /* seconds that the last check of a run may need */
  HEALTH_TRIES = 5,  /* of a device in a row, seconds apart */
};

int loop_checks_health(const struct session *s)
{
  return s->setup.health_code && !s->setup.device->modelled;
}

static int send_health(struct loop *l, int slot, struct err *e)
{
  health_request(l->s->setup.health_code, &l->request);
  return pool_send(l->pools[TRYING], slot, TAG_HEALTH, &l->request,
                   loop_limit(l, HEALTH_LIMIT), e);
}

int loop_health_new(struct loop *l, struct err *e)
{
  int code = 0;
  size_t n = loop_checks_health(l->s) ? l->s->result.devices : 0;
  for (size_t i = 0; i < n && !code; i++)
    if (pool_free(l->pools[TRYING], (int)i) &&
        pool_age(l->pools[TRYING], (int)i) == 0 &&
        l->slots[i].rest <= clock_now())
      code = send_health(l, (int)i, e);
  return code;
}

/* A device that is not well is left alone for a while, then tried again. */
static int not_well(struct loop *l, const char *why, struct err *e)
{
  struct slot *s = &l->slots[l->event.slot];
  if (l->event.kind == EVENT_REPLY)
    pool_retire(l->event.pool, l->event.slot);
  s->rest = clock_now() + ++s->failures;
  if (s->failures < HEALTH_TRIES)
    return 0;
  return err_set(e, ERR_FAILED, "%s is not well, %u health checks in a row "
                 "failed (%s); the results so far are kept",
                 s->job.device->name, s->failures, why);
}

int loop_health_told(struct loop *l, struct err *e)
{
  struct health_check p;
  struct err why = {0};
  if (l->event.kind != EVENT_REPLY)
    return not_well(l, l->event.why, e);
  if (health_reply(&l->event.reply, &p, &why))
    return not_well(l, why.text, e);
  l->slots[l->event.slot].failures = 0;
  if (l->event.slot == 0)
    health_add(&l->s->result.health, &(struct health){1, p, p});
  return 0;
}

static int is_check(const struct event *e)
{
  return e->kind != EVENT_NONE && e->kind != EVENT_SIGNAL &&
         e->tag == TAG_HEALTH;
}

void loop_health_last(struct loop *l)
{
  struct session *s = l->s;
  struct err unsaid = {0};
  l->until = s->setup.until;
  if (!loop_checks_health(s) || s->result.health.n == 0 ||
      !pool_free(l->pools[TRYING], 0) ||
      loop_limit(l, LAST_LIMIT) < LAST_LIMIT || send_health(l, 0, &unsaid))
    return;
  do
    pool_wait(&l->pools[TRYING], 1, l->signals, 1, &l->event);
  while (l->event.kind != EVENT_SIGNAL && !is_check(&l->event) &&
         !clock_past(l->until));
  if (is_check(&l->event))
    loop_health_told(l, &unsaid);
}
