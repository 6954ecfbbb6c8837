/* against.c - see against.h. */
// SPDX-License-Identifier: MIT
#include "tuner/session/against.h"

#include "tuner/device/rival.h"
#include "tuner/session/single.h"
#include "tuner/session/winner.h"

static int named(const struct task *k, int code, struct err *e)
{
  if (code)
    err_prefix(e, "--against %s", k->options->against);
  return code;
}

int against_check(const struct task *k, const struct target *t, struct err *e)
{
  struct single s = {0};
  if (rival_can(k->options->against, k->family, &k->problem, k->arch, e))
    return e->code;
  int code = single_open(&s, k, t, k->options->against, e);
  if (!code)
    code = named(k, single_reach(&s, e), e);
  single_close(&s);
  return code;
}

static void add_rates(const struct task *k, const struct config *c,
                      struct record *r)
{
  struct plan plan;
  const char *unit;
  double theirs = record_number(r, "time_us", 0);
  double ours = record_number(r, "ours_us", 0);
  if (!(theirs > 0 && ours > 0) ||
      family_plan(k->family, &k->problem, c, &plan, NULL))
    return;
  double rate = winner_rate(&plan, theirs, &unit);
  record_set(r, unit, "%.6g", rate);
  record_set(r, "ratio", "%.4f", theirs / ours);
}

int against_run(const struct task *k, const struct target *t,
                const struct record *row, struct record **out, struct err *e)
{
  struct config c = {0};
  struct single s = {0};
  *out = NULL;
  int code = config_parse(k->family, record_text(row, "config"), 0, &c, e);
  if (!code)
    code = single_open(&s, k, t, k->options->against, e);
  if (!code)
    code = named(k, single_against(&s, &c, out, e), e);
  if (!code)
    add_rates(k, &c, *out);
  single_close(&s);
  return code;
}
