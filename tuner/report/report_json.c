/* report_json.c - the report as JSON: see report.h; docs/sweeps.md says what
 * each field means. */
// SPDX-License-Identifier: MIT
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tuner/report/json_value.h"
#include "tuner/report/report.h"

static json_t *known(const struct report *r, uint32_t number)
{
  const char *s = names_text(&r->nights.names, number);
  return *s ? json_text(s) : json_null();
}

static json_t *sentence(const struct report *r,
                        void (*add)(const struct report *, struct str *))
{
  struct str s = {0};
  add(r, &s);
  json_t *j = json_text(str_text(&s));
  str_free(&s);
  return j;
}

static json_t *result(const struct report *r, const struct point *p)
{
  static const char *const states[] = {"", "ok", "failed", "cut"};
  if (!p)
    return json_null();
  json_t *j = json_object();
  json_object_set_new(j, "status", json_string(states[p->state]));
  if (p->state != POINT_OK) {
    json_object_set_new(j, "reason", known(r, p->reason));
    return j;
  }
  json_object_set_new(j, "source", json_string(source_name(p->source)));
  json_object_set_new(j, "device", known(r, p->device));
  json_object_set_new(j, "time_us", json_finite(p->time_us));
  json_object_set_new(j, "mad_us", json_finite(p->mad_us));
  json_object_set_new(j, "n", json_integer(p->n));
  if (p->error_80 > 0)
    json_object_set_new(j, "error_80", json_finite((double)p->error_80));
  json_object_set_new(j, "rate", json_finite((double)p->rate));
  json_object_set_new(j, "config", known(r, p->config));
  json_object_set_new(j, "made_with", known(r, p->made));
  json_object_set_new(j, "date", known(r, p->date));
  if (p->sclk_mhz > 0)
    json_object_set_new(j, "sclk_mhz", json_finite((double)p->sclk_mhz));
  if (p->mclk_mhz > 0)
    json_object_set_new(j, "mclk_mhz", json_finite((double)p->mclk_mhz));
  json_object_set_new(j, "throttled", json_boolean(p->throttled));
  return j;
}

static json_t *problem(const struct report *r, size_t i)
{
  const struct subject *a = &r->nights.subjects[i];
  const struct compared *c = &r->comparison.list[i];
  int judged = c->verdict == VERDICT_SLOWER || c->verdict == VERDICT_FASTER ||
               c->verdict == VERDICT_SAME;
  json_t *j = json_object();
  json_object_set_new(j, "arch", known(r, a->arch));
  json_object_set_new(j, "family", known(r, a->family));
  json_object_set_new(j, "problem", known(r, a->problem));
  json_object_set_new(j, "verdict", json_text(verdict_words(c->verdict)));
  json_object_set_new(j, "change_percent",
                      judged ? json_finite(compared_percent(c)) : json_null());
  json_object_set_new(j, "p", judged && c->judged.se > 0 ?
                      json_finite(c->judged.p) : json_null());
  json_object_set_new(j, "stale", json_boolean(r->facts[i].stale));
  json_object_set_new(j, "before", result(r, report_before(r, i)));
  json_object_set_new(j, "now", result(r, report_after(r, i)));
  return j;
}

static json_t *problems(const struct report *r)
{
  json_t *list = json_array();
  for (size_t i = 0; i < r->nights.nsubjects; i++)
    if (r->comparison.list[i].verdict != VERDICT_NONE)
      json_array_append_new(list, problem(r, i));
  return list;
}

static json_t *families(const struct report *r)
{
  json_t *list = json_array();
  for (size_t i = 0; i < r->trends.n; i++) {
    const struct trend *t = &r->trends.list[i];
    json_t *j = json_object(), *speed = json_array();
    json_object_set_new(j, "arch", known(r, t->arch));
    json_object_set_new(j, "family", known(r, t->family));
    json_object_set_new(j, "device", known(r, t->device));
    json_object_set_new(j, "source", json_string(source_name(t->source)));
    json_object_set_new(j, "problems", json_integer((json_int_t)t->problems));
    for (size_t k = 0; k < r->nights.n; k++)
      json_array_append_new(speed, json_finite(t->speed[k]));
    json_object_set_new(j, "speed", speed);
    json_array_append_new(list, j);
  }
  return list;
}

static json_t *nights(const struct report *r)
{
  json_t *list = json_array();
  for (size_t k = 0; k < r->nights.n; k++)
    json_array_append_new(list, json_string(r->nights.list[k].stamp));
  return list;
}

static json_t *cost(const struct report *r)
{
  const struct night_cost *c = &report_night(r)->cost;
  return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f}", "wall_s", c->wall_s,
                   "compile_s", c->compile_s, "device_s", c->device_s,
                   "search_s", c->search_s, "candidates", c->candidates,
                   "known", c->known);
}

static json_t *counts(const struct report *r)
{
  json_t *j = json_object();
  struct tally t;
  for (size_t i = 0; report_tally(r, i, &t); i++)
    json_object_set_new(j, t.name, json_integer((json_int_t)t.n));
  json_object_set_new(j, "stale", json_integer((json_int_t)r->stale));
  return j;
}

void report_json(const struct report *r, struct str *out)
{
  const struct comparison *c = &r->comparison;
  json_t *j = json_object(), *warnings = json_array();
  for (size_t i = 0; i < r->nwarnings; i++)
    json_array_append_new(warnings, json_text(r->warnings[i].at));
  json_object_set_new(j, "type", json_string("report"));
  json_object_set_new(j, "program", json_string("tune " TUNE_VERSION));
  json_object_set_new(j, "sweep", json_text(r->nights.sweep));
  json_object_set_new(j, "night", json_string(report_night(r)->stamp));
  json_object_set_new(j, "whole", json_boolean(night_whole(report_night(r))));
  json_object_set_new(j, "compared_with",
                      c->before ? json_text(str_text(&r->with)) : json_null());
  json_object_set_new(j, "warnings", warnings);
  json_object_set_new(j, "coverage", sentence(r, report_coverage));
  json_object_set_new(j, "method", sentence(r, report_method));
  json_object_set_new(j, "tests", json_integer((json_int_t)c->tests));
  json_object_set_new(j, "drift", json_finite(c->drift));
  json_object_set_new(j, "gate_percent",
                      r->asked.gate >= 0 ? json_finite(r->asked.gate) :
                      json_null());
  json_object_set_new(j, "gate_crossed", json_integer((json_int_t)r->crossed));
  json_object_set_new(j, "counts", counts(r));
  json_object_set_new(j, "cost", cost(r));
  json_object_set_new(j, "nights", nights(r));
  json_object_set_new(j, "families", families(r));
  json_object_set_new(j, "problems", problems(r));
  char *all = json_dumps(j, JSON_COMPACT | JSON_REAL_PRECISION(9));
  str_addf(out, "%s\n", all ? all : "{}");
  free(all);
  json_decref(j);
}
