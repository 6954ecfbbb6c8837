/* conditions.c - see conditions.h. */
// SPDX-License-Identifier: MIT
#include "tuner/conditions/conditions.h"

#include <assert.h>
#include <math.h>

#include "base/stats.h"

/* ORDER THROTTLE */
static const char *const words[] = {"power", "temperature", "current",
                                    "another reason"};

static_assert(sizeof words / sizeof *words == THROTTLES, "ORDER THROTTLE");

static const char *const names[] = {"sclk_mhz", "mclk_mhz", "power_w",
                                    "temp_c", "throttled", "driver",
                                    "firmware"};

enum {NAMES = sizeof names / sizeof *names};

/* --- several readings as one ---------------------------------------------- */

void conditions_add(struct conditions *c, const struct reading *r)
{
  if (!c->n)
    c->first = *r;
  c->list[c->n++ % CONDITIONS_MOST] = *r;
}

static size_t kept(const struct conditions *c)
{
  return c->n < CONDITIONS_MOST ? c->n : CONDITIONS_MOST;
}

/* Of the readings that know the value at this place of a reading; 0: none. */
static double median(const struct conditions *c, size_t offset)
{
  double x[CONDITIONS_MOST];
  size_t n = 0;
  for (size_t i = 0; i < kept(c); i++) {
    double v = *(const double *)((const char *)&c->list[i] + offset);
    if (v > 0)
      x[n++] = v;
  }
  return n ? stats_median(x, n) : 0;
}

static double hottest(const struct conditions *c)
{
  double most = 0;
  for (size_t i = 0; i < kept(c); i++)
    most = fmax(most, c->list[i].temp_c);
  return most;
}

/* The kinds whose counters have moved between the first reading and the last:
 * they see what happened in between, too. */
static int counted(const struct reading *a, const struct reading *b)
{
  int out = 0;
  for (int i = 0; i < THROTTLES; i++)
    if (a->held[i] != b->held[i])
      out |= 1 << i;
  return out;
}

static int throttle(const struct conditions *c)
{
  int out = -1;
  for (size_t i = 0; i < kept(c); i++)
    if (c->list[i].throttle >= 0)
      out = (out < 0 ? 0 : out) | c->list[i].throttle;
  const struct reading *last = &c->list[c->n ? (c->n - 1) % CONDITIONS_MOST : 0];
  if (c->n > 1 && c->first.counts && last->counts)
    out = (out < 0 ? 0 : out) | counted(&c->first, last);
  return out;
}

struct reading conditions_fold(const struct conditions *c)
{
  return (struct reading){
      .sclk_mhz = median(c, offsetof(struct reading, sclk_mhz)),
      .mclk_mhz = median(c, offsetof(struct reading, mclk_mhz)),
      .power_w = median(c, offsetof(struct reading, power_w)),
      .temp_c = hottest(c),
      .throttle = throttle(c)};
}

/* --- as fields of a row --------------------------------------------------- */

static void set(struct record *row, const char *name, double value)
{
  if (value > 0)
    record_set(row, name, "%.0f", value);
}

void conditions_note(const struct reading *r, const struct card *card,
                     struct record *row)
{
  set(row, "sclk_mhz", r->sclk_mhz);
  set(row, "mclk_mhz", r->mclk_mhz);
  set(row, "power_w", r->power_w);
  set(row, "temp_c", r->temp_c);
  if (r->throttle >= 0)
    record_set(row, "throttled", "%d", r->throttle);
  if (*card_driver(card))
    record_set(row, "driver", "%s", card_driver(card));
  if (*card_firmware(card))
    record_set(row, "firmware", "%s", card_firmware(card));
}

void conditions_copy(const struct record *from, struct record *to)
{
  for (size_t i = 0; i < NAMES; i++)
    if (record_get(from, names[i]))
      record_set(to, names[i], "%s", record_get(from, names[i]));
}

/* --- in words ------------------------------------------------------------- */

void throttle_format(int throttle, struct str *out)
{
  const char *between = "";
  for (int i = 0; i < THROTTLES; i++)
    if (throttle >> i & 1) {
      str_addf(out, "%s%s", between, words[i]);
      between = " and ";
    }
}

void conditions_format(const struct record *row, struct str *out)
{
  static const struct {
    const char *name, *before, *unit;
  } parts[] = {{"sclk_mhz", "", "MHz"},
               {"mclk_mhz", "memory ", "MHz"},
               {"power_w", "", "W"},
               {"temp_c", "", "C"}};
  const char *between = "";
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    double v = record_number(row, parts[i].name, 0);
    if (!(v > 0))
      continue;
    str_addf(out, "%s%s%.0f %s", between, parts[i].before, v, parts[i].unit);
    between = ", ";
  }
  double throttled = record_number(row, "throttled", -1);
  if (throttled > 0 && throttled < 1 << THROTTLES) {
    str_addf(out, "%sthrottled by ", between);
    throttle_format((int)throttled, out);
  }
}
