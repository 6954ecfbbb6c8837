/* points.c - see points.h. */
// SPDX-License-Identifier: MIT
#include "tuner/report/points.h"

#include <math.h>
#include <string.h>

#include "gen/figure.h"

/* ORDER POINT_STATE, POINT_SOURCE, POINT_WHY */
static const char *const states[] = {"", "ok", "failed", "cut"};
static const char *const sources[] = {"", "measured", "modelled"};
static const char *const whys[] = {"", "new", "changed", "incumbent", "near",
                                   "kept"};

enum {STATES = 4, SOURCES = 3, WHYS = 6};

static unsigned char word(const char *const *words, int n, const char *text)
{
  int i = n - 1;
  while (i > 0 && strcmp(words[i], text) != 0)
    i--;
  return (unsigned char)i;
}

const char *source_name(int source)
{
  return sources[source];
}

const char *why_name(int why)
{
  return whys[why];
}

/* The rate under whichever name the row has it. */
static double rate_of(const struct record *r)
{
  const struct quantity *q;
  for (size_t i = 0; (q = quantity_at(i)); i++)
    if (*quantity_cost(q) && record_get(r, q->name))
      return record_number(r, q->name, 0);
  return 0;
}

static float condition(const struct record *r, const char *name)
{
  return (float)record_number(r, name, 0);
}

/* Compiler, runtime, the family's files, and where they were recorded driver and
 * firmware: what else a time depends on. */
static uint32_t made_by(struct names *names, const struct record *r)
{
  static const char *const if_there[] = {"driver", "firmware"};
  struct str text = {0};
  str_addf(&text, "%s, runtime %s, templates %.8s", record_text(r, "compiler"),
           record_text(r, "runtime"), record_text(r, "template"));
  for (size_t i = 0; i < sizeof if_there / sizeof *if_there; i++)
    if (record_get(r, if_there[i]))
      str_addf(&text, ", %s", record_get(r, if_there[i]));
  uint32_t number = names_add(names, text.at);
  str_free(&text);
  return number;
}

/* A device is another one with another number of CUs. */
static uint32_t device_of(struct names *names, const struct record *r)
{
  const char *device = record_text(r, "device"), *cus = record_text(r, "cus");
  struct str text = {0};
  str_add(&text, device);
  if (*cus && !strstr(device, "CUs"))
    str_addf(&text, ", %s CUs", cus);
  uint32_t number = names_add(names, str_text(&text));
  str_free(&text);
  return number;
}

static void read_winner(struct names *names, const struct record *r,
                        struct point *p)
{
  p->source = word(sources, SOURCES, record_text(r, "source"));
  p->time_us = record_number(r, "time_us", 0);
  p->mad_us = fmax(0, record_number(r, "mad_us", 0));
  p->error_80 = (float)fmax(0, record_number(r, "error_80", 0));
  p->n = (uint32_t)fmin(1e9, fmax(1, record_number(r, "n", 1)));
  p->rate = (float)rate_of(r);
  p->device = device_of(names, r);
  p->config = names_add(names, record_text(r, "config"));
  p->made = made_by(names, r);
  p->kernel = names_add(names, record_text(r, "kernel"));
  p->date = names_add(names, record_text(r, "date"));
  p->sclk_mhz = condition(r, "sclk_mhz");
  p->mclk_mhz = condition(r, "mclk_mhz");
  p->power_w = condition(r, "power_w");
  p->temp_c = condition(r, "temp_c");
  p->throttled = record_number(r, "throttled", 0) != 0;
}

void point_read(struct names *names, const struct record *r,
                struct point *out)
{
  *out = (struct point){
      .state = word(states, STATES, record_text(r, "status")),
      .why = word(whys, WHYS, record_text(r, "why")),
      .reason = names_add(names, record_text(r, "reason")),
      .changed = names_add(names, record_text(r, "changed"))};
  if (!out->state) /* a row of a table */
    out->state = POINT_OK;
  if (out->state == POINT_OK)
    read_winner(names, r, out);
  /* A winner without a time or a source is none: the line was damaged, or
   * written by something else. */
  if (out->state == POINT_OK &&
      (!(out->time_us > 0) || !isfinite(out->time_us) || !out->source))
    out->state = POINT_FAILED;
}

void cost_add(struct night_cost *c, const struct record *r)
{
  c->compile_s += record_number(r, "compile_s", 0);
  c->device_s += record_number(r, "device_s", 0);
  c->search_s += record_number(r, "search_s", 0);
  c->candidates += record_number(r, "candidates", 0);
  c->known += record_number(r, "known", 0);
}

void cost_end(struct night_cost *c, const struct record *r)
{
  double wall = record_number(r, "wall_s", 0);
  c->wall_s = fmax(c->wall_s, wall);
  c->busy_s += record_number(r, "busy_s", 0);
  c->core_s += wall * record_number(r, "cores", 0);
}
