/* loop_probe.c - is the device well? See loop.h. */
// SPDX-License-Identifier: MIT
#include "tuner/session/loop.h"

#include "base/clock.h"

enum {
  PROBE_LIMIT = 30, /* seconds of one probe, opening the device included */
  LAST_PROBE = 1,   /* seconds that the last one may need */
  PROBE_TRIES = 5,  /* of a device in a row, seconds apart */
};

int loop_probing(const struct session *s)
{
  return s->setup.probe && !s->setup.device->modelled;
}

static int send_probe(struct loop *l, int place, struct err *e)
{
  probe_request(l->s->setup.probe, &l->request);
  return pool_send(l->pools[TRYING], place, TAG_PROBE, &l->request,
                   loop_limit(l, PROBE_LIMIT), e);
}

int loop_probe_new(struct loop *l, struct err *e)
{
  int code = 0;
  size_t n = loop_probing(l->s) ? l->s->result.devices : 0;
  for (size_t i = 0; i < n && !code; i++)
    if (pool_free(l->pools[TRYING], (int)i) &&
        pool_age(l->pools[TRYING], (int)i) == 0 &&
        l->places[i].rest <= clock_now())
      code = send_probe(l, (int)i, e);
  return code;
}

/* A device that is not well is left alone for a while, then tried again. */
static int not_well(struct loop *l, const char *why, struct err *e)
{
  struct place *p = &l->places[l->event.place];
  if (l->event.kind == EVENT_REPLY)
    pool_retire(l->event.pool, l->event.place);
  p->rest = clock_now() + ++p->failures;
  if (p->failures < PROBE_TRIES)
    return 0;
  return err_set(e, ERR_FAILED, "%s is not well, %u probes in a row failed "
                 "(%s); the results so far are kept", p->job.device->name,
                 p->failures, why);
}

int loop_probed(struct loop *l, struct err *e)
{
  struct probe p;
  struct err why = {0};
  if (l->event.kind != EVENT_REPLY)
    return not_well(l, l->event.why, e);
  if (probe_reply(&l->event.reply, &p, &why))
    return not_well(l, why.text, e);
  l->places[l->event.place].failures = 0;
  if (l->event.place == 0)
    drift_add(&l->s->result.drift, &(struct drift){1, p, p});
  return 0;
}

void loop_probe_last(struct loop *l)
{
  struct session *s = l->s;
  struct err unsaid = {0};
  l->until = s->setup.until;
  if (!loop_probing(s) || s->result.drift.n == 0 ||
      !pool_free(l->pools[TRYING], 0) ||
      loop_limit(l, LAST_PROBE) < LAST_PROBE || send_probe(l, 0, &unsaid))
    return;
  do
    pool_wait(&l->pools[TRYING], 1, l->signals, PROBE_LIMIT, &l->event);
  while (l->event.kind != EVENT_SIGNAL && l->event.tag != TAG_PROBE);
  if (l->event.kind != EVENT_SIGNAL)
    loop_probed(l, &unsaid);
}
