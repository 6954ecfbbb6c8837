/* page_data.c - the data of a page: see page.h. */
// SPDX-License-Identifier: MIT
#include <assert.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tuner/report/json_value.h"
#include "tuner/report/page.h"

struct data {
  const struct report *r;
  const struct candidates *c;
  size_t *nights, nnights;
  json_t *all;
};

static const char *name(const struct data *d, uint32_t number)
{
  return names_text(&d->r->nights.names, number);
}

static void put(struct data *d, const char *key, json_t *value)
{
  json_object_set_new(d->all, key, value);
}

static void put_sentence(struct data *d, const char *key,
                         void (*add)(const struct report *, struct str *))
{
  struct str s = {0};
  add(d->r, &s);
  put(d, key, json_text(str_text(&s)));
  str_free(&s);
}

static void put_binary(struct data *d, const char *key, const void *bytes,
                       size_t n)
{
  struct str s = {0};
  page_base64(bytes, n, &s);
  put(d, key, json_string(str_text(&s)));
  str_free(&s);
}

/* --- the head ------------------------------------------------------------ */

static void put_head(struct data *d)
{
  const struct report *r = d->r;
  json_t *warnings = json_array(), *counts = json_array();
  struct tally t;
  for (size_t i = 0; i < r->nwarnings; i++)
    json_array_append_new(warnings, json_text(r->warnings[i].at));
  for (size_t i = 0; report_tally(r, i, &t); i++)
    json_array_append_new(counts, json_pack("[s,s,i]", t.name, t.what,
                                            (int)t.n));
  put(d, "program", json_text("tune " TUNE_VERSION));
  put(d, "sweep", json_text(r->nights.sweep));
  put(d, "night", json_text(report_night(r)->stamp));
  put(d, "with", json_text(str_text(&r->with)));
  put(d, "store", json_text(r->asked.store));
  put(d, "warnings", warnings);
  put(d, "counts", counts);
  put(d, "stale", json_integer((json_int_t)r->stale));
  put(d, "all_nights", json_integer((json_int_t)r->nights.n));
  put_sentence(d, "devices", report_devices);
  put_sentence(d, "coverage", report_coverage);
  put_sentence(d, "method", report_method);
  put_sentence(d, "cost", report_cost);
}

static void put_nights(struct data *d)
{
  json_t *list = json_array();
  for (size_t k = 0; k < d->nnights; k++) {
    const struct night_info *n = &d->r->nights.list[d->nights[k]];
    json_array_append_new(
        list, json_pack("[s,b,f,f,f,f]", n->stamp, night_whole(n),
                        n->cost.wall_s, n->cost.compile_s, n->cost.device_s,
                        n->cost.search_s));
  }
  put(d, "nights", list);
}

static void put_trends(struct data *d)
{
  json_t *list = json_array();
  for (size_t i = 0; i < d->r->trends.n; i++) {
    const struct trend *t = &d->r->trends.list[i];
    json_t *speed = json_array();
    for (size_t k = 0; k < d->nnights; k++)
      json_array_append_new(speed, json_finite(t->speed[d->nights[k]]));
    json_array_append_new(
        list, json_pack("{s:o,s:o,s:o,s:s,s:i,s:o}", "family",
                        json_text(name(d, t->family)), "arch",
                        json_text(name(d, t->arch)), "device",
                        json_text(name(d, t->device)), "source",
                        source_name(t->source), "problems", (int)t->problems,
                        "speed", speed));
  }
  put(d, "trends", list);
}

/* --- tunables ------------------------------------------------------------ */

static json_t *tunable(const struct data *d, const struct tunable_seen *t)
{
  json_t *values = json_array(), *costs = json_array();
  for (size_t v = 0; v < t->n; v++) {
    json_array_append_new(values, json_text(name(d, t->value[v])));
    json_array_append_new(costs, json_finite(t->cost[v]));
  }
  return json_pack("{s:o,s:f,s:o,s:o}", "name", json_text(name(d, t->name)),
                   "share", t->share, "values", values, "costs", costs);
}

static void put_families(struct data *d)
{
  json_t *list = json_array();
  for (size_t i = 0; i < d->c->nfamilies; i++) {
    const struct candidate_family *f = &d->c->families[i];
    json_t *tunables = json_array();
    for (size_t t = 0; t < f->n; t++)
      json_array_append_new(tunables, tunable(d, &f->tunable[t]));
    json_array_append_new(
        list, json_pack("{s:o,s:o,s:i,s:i,s:o}",
                        "arch", json_text(name(d, f->arch)),
                        "family", json_text(name(d, f->family)),
                        "problems", (int)f->problems, "tried", (int)f->tried,
                        "tunables", tunables));
  }
  put(d, "families", list);
}

/* --- candidates ---------------------------------------------------------- */

static void add_candidate(struct str *to, const struct candidate *c, size_t n)
{
  unsigned step = page_step((double)c->us);
  unsigned char head[2] = {(unsigned char)step, (unsigned char)(step >> 8)};
  str_add_bytes(to, head, 2);
  str_add_bytes(to, c->at, n);
}

/* How many of each problem: what the other parts leave of the page. Points are
 * three bytes, as base64 four; a problem's columns are about 260 bytes. */
static size_t most_candidates(const struct data *d)
{
  enum {COLUMNS_BYTES = 260, OTHERS = 500000, CODED = 27, MOST = 500};
  double n = (double)d->c->n;
  double left = PAGE_BYTES - OTHERS - n * COLUMNS_BYTES -
                4 * n * (double)d->nnights;
  double most = n > 0 ? left / (n * CODED) - 1 : 0;
  return (size_t)fmin(MOST, fmax(1, most));
}

/* For each problem: the night's winner, then the fastest of the journal. */
static void put_candidates(struct data *d)
{
  struct str all = {0};
  json_t *shown = json_array(), *tried = json_array(), *failed = json_array();
  size_t most = most_candidates(d);
  for (size_t i = 0; i < d->c->n; i++) {
    const struct candidate_list *l = &d->c->of[i];
    size_t tunables = d->c->families[d->c->family_of[i]].n;
    size_t n = l->n < most ? l->n : most;
    add_candidate(&all, &l->winner, tunables);
    for (size_t k = 0; k < n; k++)
      add_candidate(&all, &l->list[k], tunables);
    json_array_append_new(shown, json_integer((json_int_t)n));
    json_array_append_new(tried, json_integer((json_int_t)l->n));
    json_array_append_new(failed, json_integer((json_int_t)l->failed));
  }
  put_binary(d, "candidates", str_text(&all), all.len);
  put(d, "shown", shown);
  put(d, "tried", tried);
  put(d, "failed", failed);
  str_free(&all);
}

/* --- points -------------------------------------------------------------- */

/* ORDER FLAG: tuner/report/page/data.js */
enum {FLAG_SOURCE = 4, FLAG_SLOWER = 16, FLAG_FASTER = 32, FLAG_CONFIG = 64,
      FLAG_THROTTLED = 128};

static unsigned char flags_of(const struct point *p, const struct point *before,
                              enum verdict v)
{
  int flags = p->state | p->source * FLAG_SOURCE;
  flags |= v == VERDICT_SLOWER ? FLAG_SLOWER : 0;
  flags |= v == VERDICT_FASTER ? FLAG_FASTER : 0;
  flags |= p->throttled ? FLAG_THROTTLED : 0;
  if (before && before->state == POINT_OK && p->state == POINT_OK &&
      before->config != p->config)
    flags |= FLAG_CONFIG;
  return (unsigned char)flags;
}

/* The relative spread of a launch, in steps of 0.02 %. */
static unsigned char spread_of(const struct point *p)
{
  if (p->state != POINT_OK)
    return 0;
  return (unsigned char)fmin(255, 1.4826 * p->mad_us / p->time_us / 0.0002);
}

/* Every night beside the one before it. */
static void add_night(const struct data *d, size_t k, unsigned char *times,
                      unsigned char *spreads, unsigned char *flags)
{
  const struct nights *s = &d->r->nights;
  const struct night_info *n = &s->list[k];
  const struct night_info *before = k ? &s->list[k - 1] : NULL;
  struct comparison c;
  compare(&c, s, before, n, k, "");
  for (size_t i = 0; i < s->nsubjects; i++) {
    const struct point *p = &n->points[i];
    unsigned step = p->state == POINT_OK ? page_step(p->time_us) : 0;
    times[2 * i] = (unsigned char)step;
    times[2 * i + 1] = (unsigned char)(step >> 8);
    spreads[i] = spread_of(p);
    flags[i] =
        flags_of(p, before ? &before->points[i] : NULL, c.list[i].verdict);
  }
  comparison_free(&c);
}

/* A problem's flags are the same in most nights: runs of (how many, flags), one
 * problem after the other. */
static void put_flags(struct data *d, const unsigned char *flags, size_t n)
{
  struct str runs = {0};
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0, to; k < d->nnights; k = to) {
      unsigned char value = flags[k * n + i];
      for (to = k + 1; to < d->nnights && to - k < 255; to++)
        if (flags[to * n + i] != value)
          break;
      unsigned char run[2] = {(unsigned char)(to - k), value};
      str_add_bytes(&runs, run, 2);
    }
  put_binary(d, "flags", str_text(&runs), runs.len);
  str_free(&runs);
}

static void put_points(struct data *d)
{
  size_t n = d->r->nights.nsubjects, all = n * d->nnights;
  unsigned char *times = mem_array(all + 1, 2);
  unsigned char *spreads = mem_array(all + 1, 1);
  unsigned char *flags = mem_array(all + 1, 1);
  for (size_t k = 0; k < d->nnights; k++)
    add_night(d, d->nights[k], times + 2 * k * n, spreads + k * n,
              flags + k * n);
  put_binary(d, "times", times, 2 * all);
  put_binary(d, "spreads", spreads, all);
  put_flags(d, flags, n);
  free(times);
  free(spreads);
  free(flags);
}

/* --- problems ------------------------------------------------------------ */

/* Numbers of texts that repeat, as JSON has them. */
struct shared {
  struct names names;
};

static json_t *once(struct shared *s, const char *what)
{
  return json_integer((json_int_t)names_add(&s->names, what));
}

static const char *row_text(const struct data *d, size_t i, const char *field)
{
  const struct record *row =
      i < d->r->nights.nrows ? d->r->nights.rows[i] : NULL;
  return row ? record_text(row, field) : "";
}

struct column {
  const char *key;
  json_t *list;
};

/* ORDER COLUMN */
enum {C_FAMILY, C_BRIEF, C_KEYS, C_VALUES, C_VERDICT, C_CHANGE, C_P, C_STALE, C_TIME,
      C_MAD, C_N, C_RATE, C_UNIT, C_SHARE, C_FLOPS, C_BYTES, C_FPEAK, C_BPEAK,
      C_BEFORE, C_DEVICE, C_MADE, C_DATE, C_REASON, C_BOUND, C_WHY, C_CLOCK, C_ERROR,
      COLUMNS};

static const char *const keys[] = {
    "family", "brief", "keys", "values", "verdict", "change", "p", "stale", "time",
    "mad", "n", "rate", "unit", "share", "flops", "bytes", "fpeak", "bpeak",
    "before", "device", "made", "date", "reason", "bound", "why", "clock",
    "error"};

static_assert(sizeof keys / sizeof *keys == COLUMNS, "ORDER COLUMN");

static void append(json_t **columns, int which, json_t *value)
{
  json_array_append_new(columns[which], value);
}

static json_t *rounded(double x)
{
  char text[32];
  if (!isfinite(x) || !(fabs(x) > 0))
    return json_integer(0);
  snprintf(text, sizeof text, "%.6g", x);
  return json_real(strtod(text, NULL));
}

static void add_result(const struct data *d, size_t i, const struct point *p,
                       struct shared *s, json_t **to)
{
  append(to, C_TIME, rounded(p ? p->time_us : 0));
  append(to, C_MAD, rounded(p ? p->mad_us : 0));
  append(to, C_N, json_integer(p ? (json_int_t)p->n : 0));
  append(to, C_RATE, rounded(p ? (double)p->rate : 0));
  append(to, C_DEVICE, once(s, p ? name(d, p->device) : ""));
  append(to, C_MADE, once(s, p ? name(d, p->made) : ""));
  append(to, C_DATE, json_text(p ? name(d, p->date) : ""));
  append(to, C_REASON, once(s, p ? name(d, p->reason) : ""));
  append(to, C_BOUND, once(s, row_text(d, i, "bound")));
  append(to, C_WHY, once(s, p ? why_name(p->why) : ""));
  append(to, C_CLOCK, rounded(p ? (double)p->sclk_mhz : 0));
  append(to, C_ERROR, rounded(p ? (double)p->error_80 : 0));
}

/* "m=64,n=32" as keys, which many problems share, and values. */
static void add_full(const char *problem, struct shared *s, json_t **to)
{
  char *copy = mem_copy(problem), *rest = copy, *pair;
  struct str names = {0}, values = {0};
  while ((pair = strsep(&rest, ","))) {
    size_t n = strcspn(pair, "=");
    str_addf(&names, "%s%.*s", names.len ? "," : "", (int)n, pair);
    str_addf(&values, "%s%s", pair > copy ? "," : "", pair + n + !!pair[n]);
  }
  append(to, C_KEYS, once(s, str_text(&names)));
  append(to, C_VALUES, json_text(str_text(&values)));
  str_free(&names);
  str_free(&values);
  free(copy);
}

static void add_problem(const struct data *d, size_t i, struct shared *s,
                        json_t **to)
{
  const struct compared *c = &d->r->comparison.list[i];
  const struct fact *f = &d->r->facts[i];
  const struct point *before = report_before(d->r, i);
  const struct subject *a = &d->r->nights.subjects[i];
  int judged = c->verdict == VERDICT_SLOWER || c->verdict == VERDICT_FASTER ||
               c->verdict == VERDICT_SAME;
  append(to, C_FAMILY, json_integer((json_int_t)d->c->family_of[i]));
  append(to, C_BRIEF, json_text(f->brief));
  add_full(name(d, a->problem), s, to);
  append(to, C_VERDICT, once(s, verdict_words(c->verdict)));
  append(to, C_CHANGE, judged ? rounded(compared_percent(c)) : json_null());
  append(to, C_P, judged && c->judged.se > 0 ? rounded(c->judged.p)
                                             : json_null());
  append(to, C_STALE, json_integer(f->stale));
  append(to, C_UNIT, once(s, f->unit ? f->unit : ""));
  append(to, C_SHARE, rounded(f->share));
  append(to, C_FLOPS, rounded(f->flops));
  append(to, C_BYTES, rounded(f->bytes));
  append(to, C_FPEAK, rounded(f->flop_peak));
  append(to, C_BPEAK, rounded(f->byte_peak));
  append(to, C_BEFORE, rounded(before ? before->time_us : 0));
  add_result(d, i, report_after(d->r, i), s, to);
}

static void put_problems(struct data *d)
{
  json_t *columns[COLUMNS], *all = json_object(), *texts = json_array();
  struct shared s = {0};
  for (int k = 0; k < COLUMNS; k++)
    columns[k] = json_array();
  for (size_t i = 0; i < d->r->nights.nsubjects; i++)
    add_problem(d, i, &s, columns);
  for (int k = 0; k < COLUMNS; k++)
    json_object_set_new(all, keys[k], columns[k]);
  for (size_t i = 0; i < s.names.n; i++)
    json_array_append_new(texts, json_text(s.names.text[i]));
  put(d, "problems", all);
  put(d, "texts", texts);
  names_free(&s.names);
}

/* --- the whole ----------------------------------------------------------- */

/* Nothing in a text can end the element that holds the JSON. */
static void add_safely(const char *json, struct str *out)
{
  for (size_t n; *json; json += n) {
    n = strcspn(json, "<");
    str_add_bytes(out, json, n);
    if (json[n] == '<') {
      str_add(out, "\\u003c");
      n++;
    }
  }
}

void page_data(const struct report *r, const struct candidates *c,
               struct str *out)
{
  struct data d = {.r = r, .c = c, .all = json_object()};
  d.nnights = page_nights(r, &d.nights);
  put_head(&d);
  put_nights(&d);
  put_trends(&d);
  put_families(&d);
  put_problems(&d);
  put_points(&d);
  put_candidates(&d);
  char *json = json_dumps(d.all, JSON_COMPACT | JSON_REAL_PRECISION(7));
  add_safely(json ? json : "{}", out);
  free(json);
  free(d.nights);
  json_decref(d.all);
}
