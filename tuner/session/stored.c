/* stored.c - see stored.h. */
// SPDX-License-Identifier: MIT
#include "tuner/session/stored.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/pairs.h"
#include "gen/kernel_hash.h"
#include "tuner/device/device.h"
#include "tuner/reference/problem.h"
#include "tuner/session/winner.h"

void stored_read(struct family *f, const struct record *row,
                 struct stored *out)
{
  *out = (struct stored){.row = row};
  out->fits =
      !problem_parse(f, record_text(row, "problem"), &out->problem, NULL) &&
      !config_parse(f, record_text(row, "config"), 0, &out->config, NULL) &&
      !family_plan(f, &out->problem, &out->config, &out->plan, NULL);
  out->stale =
      !out->fits ||
      kernel_changed(f, &out->problem, &out->config,
                     record_text(row, "template"), record_text(row, "kernel"));
}

double stored_rate(const struct stored *s, const struct quantity **unit)
{
  const char *name = "";
  if (!s->fits)
    return 0;
  double rate =
      winner_rate(&s->plan, record_number(s->row, "time_us", 0), &name);
  *unit = quantity_find(name);
  return rate;
}

double stored_share(const struct stored *s, const struct arch *a)
{
  struct device device = {.cus = (int)record_number(s->row, "cus", 0)};
  struct str what = {0};
  const struct quantity *unit;
  double rate = stored_rate(s, &unit);
  double peak = rate > 0 ? winner_peak(a, &device, &s->plan, &what) : 0;
  str_free(&what);
  return peak > 0 ? rate / peak : 0;
}

/* --- the keys that name it ----------------------------------------------- */

/* "m=64,layout=nt", taken apart in place. */
struct pairs {
  size_t n;
  const char *names[FAMILY_KEYS], *texts[FAMILY_KEYS];
};

static void split(char *text, struct pairs *out)
{
  char *name, *value;
  out->n = 0;
  while ((name = pairs_next(&text, &value)) && out->n < FAMILY_KEYS)
    if (value) {
      out->names[out->n] = name;
      out->texts[out->n++] = value;
    }
}

static int names_it(struct family *f, const struct pairs *p,
                    const struct problem *wanted)
{
  struct problem got;
  return !family_problem(f, p->names, p->texts, p->n, &got, NULL) &&
         problem_equal(&got, wanted);
}

static struct pairs without(const struct pairs *p, size_t leave)
{
  struct pairs out = {0};
  for (size_t i = 0; i < p->n; i++)
    if (i != leave) {
      out.names[out.n] = p->names[i];
      out.texts[out.n++] = p->texts[i];
    }
  return out;
}

void stored_brief(struct family *f, const struct stored *s, struct str *out)
{
  char *text = mem_copy(record_text(s->row, "problem"));
  struct pairs pairs;
  split(text, &pairs);
  for (size_t i = s->fits ? pairs.n : 0; i-- > 0;) {
    struct pairs fewer = without(&pairs, i);
    if (names_it(f, &fewer, &s->problem))
      pairs = fewer;
  }
  for (size_t i = 0; i < pairs.n; i++)
    str_addf(out, "%s%s=%s", i ? "," : "", pairs.names[i], pairs.texts[i]);
  free(text);
}
