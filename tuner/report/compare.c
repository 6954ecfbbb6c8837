/* compare.c - see compare.h. */
// SPDX-License-Identifier: MIT
#include "tuner/report/compare.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/stats.h"
#include "tuner/report/drift.h"

/* ORDER VERDICT */
static const char *const words[] = {
    "", "slower", "faster", "within the noise", "not run again", "new failure",
    "still failing", "mended", "cut short", "new", "missing",
    "another source", "another device"};

static_assert(sizeof words / sizeof *words == VERDICTS, "ORDER VERDICT");

const char *verdict_words(enum verdict v)
{
  return words[v];
}

/* --- which can be compared ----------------------------------------------- */

/* Results of before and after, of which the times can be compared, are
 * VERDICT_SAME for now. */
static enum verdict first_look(const struct point *a, const struct point *b)
{
  if (b->state == POINT_NONE)
    return a->state == POINT_NONE ? VERDICT_NONE : VERDICT_MISSING;
  if (b->state == POINT_CUT)
    return VERDICT_CUT;
  if (b->state == POINT_FAILED)
    return a->state == POINT_OK ? VERDICT_FAILED : VERDICT_FAILS;
  if (a->state == POINT_FAILED)
    return VERDICT_MENDED;
  if (a->state != POINT_OK)
    return VERDICT_NEW;
  if (a->source != b->source)
    return VERDICT_SOURCE;
  if (a->device != b->device)
    return VERDICT_DEVICE;
  int same = a->date == b->date && a->time_us == b->time_us &&
             a->config == b->config;
  return same || b->why == WHY_KEPT ? VERDICT_KEPT : VERDICT_SAME;
}

static const struct point nothing;

static const struct point *point_of(const struct night_info *n, size_t i)
{
  return n && i < n->room ? &n->points[i] : &nothing;
}

static void look(struct comparison *c)
{
  for (size_t i = 0; i < c->n; i++)
    c->list[i].verdict =
        first_look(point_of(c->before, i), point_of(c->after, i));
}

/* --- judging ------------------------------------------------------------- */

/* A change of whether it is slower or faster, or none. */
static enum verdict direction(double d, int alarm)
{
  return !alarm ? VERDICT_SAME : d > 0 ? VERDICT_SLOWER : VERDICT_FASTER;
}

static void judge_modelled(struct compared *x, const struct point *a,
                           const struct point *b)
{
  x->judged.d = log(b->time_us / a->time_us);
  x->judged.alarm = a->time_us < b->time_us || a->time_us > b->time_us;
  x->verdict = direction(x->judged.d, x->judged.alarm);
}

struct pairs {
  size_t n;
  size_t *at;
  struct pair_timed *list;
  struct judged *judged;
};

static void gather(struct comparison *c, struct pairs *p)
{
  for (size_t i = 0; i < c->n; i++) {
    const struct point *a = point_of(c->before, i), *b = point_of(c->after, i);
    if (c->list[i].verdict != VERDICT_SAME)
      continue;
    if (b->source == SOURCE_MODELLED) {
      judge_modelled(&c->list[i], a, b);
      continue;
    }
    p->at[p->n] = i;
    p->list[p->n++] = (struct pair_timed){
        point_timed(a), point_timed(b), nights_noise(c, i)};
  }
}

static double median_change(const struct pairs *p)
{
  double *x = mem_array(p->n + 1, sizeof *x);
  for (size_t i = 0; i < p->n; i++)
    x[i] = p->judged[i].d;
  double median = p->n ? stats_median(x, p->n) : 0;
  free(x);
  return median;
}

/* What the middle one of them must exceed. Few suffice to know it. */
static double median_least(const struct pairs *p)
{
  enum {SOME = 200};
  double x[SOME];
  size_t n = p->n < SOME ? p->n : SOME;
  for (size_t i = 0; i < n; i++)
    x[i] = judge_least(&p->judged[i * p->n / n], p->n);
  return n ? stats_median(x, n) : 0;
}

static void judge(struct comparison *c)
{
  struct pairs p = {0};
  p.at = mem_array(c->n + 1, sizeof *p.at);
  p.list = mem_array(c->n + 1, sizeof *p.list);
  p.judged = mem_array(c->n + 1, sizeof *p.judged);
  gather(c, &p);
  judge_all(p.list, p.n, c->drift, p.judged);
  for (size_t i = 0; i < p.n; i++) {
    struct compared *x = &c->list[p.at[i]];
    x->judged = p.judged[i];
    x->verdict = direction(x->judged.d, x->judged.alarm);
  }
  c->tests = p.n;
  c->least = median_least(&p);
  c->shift = median_change(&p);
  free(p.at);
  free(p.list);
  free(p.judged);
}

/* --- clocks -------------------------------------------------------------- */

static const size_t conditions[] = {
    offsetof(struct point, sclk_mhz), offsetof(struct point, mclk_mhz),
    offsetof(struct point, power_w), offsetof(struct point, temp_c)};
static const size_t medians[] = {
    offsetof(struct clocks, sclk_mhz), offsetof(struct clocks, mclk_mhz),
    offsetof(struct clocks, power_w), offsetof(struct clocks, temp_c)};

/* Of problems that both nights measured: others would tell of the problems,
 * not of the card. */
static void read_clocks(struct comparison *c, int which, double *room)
{
  const struct night_info *night = which ? c->after : c->before;
  struct clocks *out = &c->clocks[which];
  for (size_t k = 0; k < sizeof conditions / sizeof *conditions; k++) {
    size_t n = 0;
    for (size_t i = 0; i < c->n; i++) {
      const char *p = (const char *)point_of(night, i);
      float value = *(const float *)(const void *)(p + conditions[k]);
      if (value > 0 && (c->list[i].verdict == VERDICT_SAME || !c->before))
        room[n++] = (double)value;
    }
    *(double *)(void *)((char *)out + medians[k]) =
        n ? stats_median(room, n) : 0;
  }
  for (size_t i = 0; i < c->n; i++)
    out->throttled += point_of(night, i)->throttled != 0;
}

static int differ(double a, double b)
{
  return a > 0 && b > 0 && fabs(log(b / a)) > CLOCKS_DIFFER;
}

static void compare_clocks(struct comparison *c)
{
  double *room = mem_array(c->n + 1, sizeof *room);
  const struct clocks *a = &c->clocks[0], *b = &c->clocks[1];
  read_clocks(c, 0, room);
  read_clocks(c, 1, room);
  free(room);
  c->clocks_differ = c->before && (differ(a->sclk_mhz, b->sclk_mhz) ||
                                   differ(a->mclk_mhz, b->mclk_mhz) ||
                                   a->throttled != b->throttled);
}

/* --- the whole ----------------------------------------------------------- */

void compare(struct comparison *out, const struct nights *nights,
             const struct night_info *before, const struct night_info *after,
             size_t earlier, const char *with)
{
  *out = (struct comparison){.nights = nights, .before = before,
                             .after = after, .with = with,
                             .earlier = earlier, .n = nights->nsubjects,
                             .drift = nights_drift(nights, earlier)};
  out->list = mem_array(out->n + 1, sizeof *out->list);
  look(out);
  compare_clocks(out);
  judge(out);
  for (size_t i = 0; i < out->n; i++)
    out->count[out->list[i].verdict]++;
}

void comparison_free(struct comparison *c)
{
  free(c->list);
  *c = (struct comparison){0};
}

struct place {
  double size;
  uint32_t at;
};

static int order(const void *a, const void *b)
{
  const struct place *x = a, *y = b;
  int larger = (x->size < y->size) - (x->size > y->size);
  return larger ? larger : (x->at > y->at) - (x->at < y->at);
}

size_t comparison_list(const struct comparison *c, enum verdict v,
                       uint32_t **out)
{
  struct place *found = mem_array(c->n + 1, sizeof *found);
  size_t n = 0;
  for (size_t i = 0; i < c->n; i++)
    if (c->list[i].verdict == v)
      found[n++] = (struct place){fabs(c->list[i].judged.d), (uint32_t)i};
  qsort(found, n, sizeof *found, order);
  *out = mem_array(n + 1, sizeof **out);
  for (size_t i = 0; i < n; i++)
    (*out)[i] = found[i].at;
  free(found);
  return n;
}

double compared_percent(const struct compared *c)
{
  return 100 * expm1(c->judged.d);
}

size_t comparison_gate(const struct comparison *c, double percent)
{
  size_t n = c->count[VERDICT_FAILED];
  for (size_t i = 0; i < c->n; i++)
    n += c->list[i].verdict == VERDICT_SLOWER &&
         compared_percent(&c->list[i]) >= percent;
  return n;
}
