/* loop_known.c - which results of the journal count: see loop.h. */
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "tuner/session/loop.h"

void session_say_anew(const struct session *s,
                      void (*notice)(void *user, const char *text),
                      void *user)
{
  char text[sizeof s->result.why_anew + 60];
  snprintf(text, sizeof text, "results in the journal are measured anew: %s",
           s->result.why_anew);
  notice(user, text);
}

/* What was measured before and does not count any more. */
static void note_anew(struct session *s, const char *config)
{
  struct str why = {0};
  s->result.anew += history_outdated(s->setup.history, config, &why) != 0;
  if (why.len && !*s->result.why_anew)
    snprintf(s->result.why_anew, sizeof s->result.why_anew, "%s", why.at);
  str_free(&why);
}

/* Is it for this run to try it again, whatever an earlier one found? */
static int wanted_again(const struct session *s, const struct record *r)
{
  int status = status_parse(record_text(r, "status"));
  if (s->setup.again)
    return strcmp(record_text(r, "date"), s->setup.again) < 0;
  if (!history_was_there(s->setup.history, r))
    return 0;
  return (s->setup.retry >> status & 1) || record_get(r, "killed") ||
         (status == STATUS_TIMEOUT &&
             s->setup.timeout > record_number(r, "limit_s", 0));
}

const struct record *loop_known(const struct loop *l,
                                const struct candidate *c)
{
  const struct session *s = l->s;
  struct str text = {0};
  config_format(s->setup.family, &c->config, &text);
  const struct record *r = history_trial(s->setup.history, text.at);
  str_free(&text);
  return r && !wanted_again(s, r) ? r : NULL;
}

void loop_count_again(struct loop *l, const struct candidate *c)
{
  struct session *s = l->s;
  struct str text = {0};
  config_format(s->setup.family, &c->config, &text);
  if (history_find(s->setup.history, text.at))
    s->result.retried++;
  else
    note_anew(s, text.at);
  str_free(&text);
}

/* --- sharing the work ---------------------------------------------------- */

int loop_claim(struct loop *l, struct candidate *c)
{
  const struct session *s = l->s;
  struct str text = {0};
  config_format(s->setup.family, &c->config, &text);
  c->claimed = c->claimed || history_claim(s->setup.history, text.at);
  str_free(&text);
  if (c->claimed)
    return 1;
  if (c->waits <= 0)
    c->waits = clock_now();
  return clock_now() - c->waits > s->setup.timeout + loop_compile_limit(s);
}

void loop_unclaim(struct loop *l, struct candidate *c)
{
  struct str text = {0};
  if (!c->claimed)
    return;
  config_format(l->s->setup.family, &c->config, &text);
  history_unclaim(l->s->setup.history, text.at);
  str_free(&text);
  c->claimed = 0;
}
