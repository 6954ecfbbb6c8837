/* loop_settle.c - how a candidate ends: see loop.h. */
// SPDX-License-Identifier: MIT
#include "tuner/session/loop.h"

void loop_finish(struct loop *l, struct candidate *c, struct record *r,
                 int known)
{
  loop_unclaim(l, c);
  c->record = r;
  c->known = known;
  c->state = STATE_DONE;
  str_free(&c->code);
}

static void set_config(const struct session *s, const struct config *c,
                       struct record *r)
{
  struct str text = {0};
  config_format(s->setup.family, c, &text);
  record_set(r, "config", "%s", text.at);
  str_free(&text);
}

/* A timeout is tried again by who has more time. */
int loop_settle(struct loop *l, struct candidate *c, struct record *r,
                struct err *e)
{
  set_config(l->s, &c->config, r);
  if (status_parse(record_get(r, "status")) == STATUS_TIMEOUT)
    record_set(r, "limit_s", "%.9g", l->s->setup.timeout);
  int code = history_add(l->s->setup.history, r, e);
  loop_finish(l, c, r, 0);
  return code;
}

int loop_settle_bad(struct loop *l, struct candidate *c, enum status status,
                    const char *why, struct err *e)
{
  struct record *r = record_new();
  record_set(r, "status", "%s", status_name(status));
  record_set(r, "reason", "%.400s", why);
  if (c->killed == WORKER_TRIES)
    record_set(r, "killed", "%d", c->killed);
  return loop_settle(l, c, r, e);
}
