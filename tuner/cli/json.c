/* json.c - see json.h. */
// SPDX-License-Identifier: MIT
#include "tuner/cli/json.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/pairs.h"
#include "gen/figure.h"

/* A number where the whole text is one, else a string. */
static json_t *scalar(const char *text)
{
  char *end;
  double d = strtod(text, &end);
  int plain = strspn(text, "0123456789.eE+-") == strlen(text);
  int whole = !strpbrk(text, ".eE") && strlen(text) < 18;
  if (!*text || *end || !plain)
    return json_string(text);
  return whole ? json_integer(strtoll(text, NULL, 10)) : json_real(d);
}

json_t *json_pairs(const char *pairs)
{
  json_t *o = json_object();
  char *copy = mem_copy(pairs), *rest = copy, *name, *value;
  while ((name = pairs_next(&rest, &value)))
    if (value)
      json_object_set_new(o, name, scalar(value));
  free(copy);
  return o;
}

static int is_object(const char *name)
{
  static const char *const names[] = {"problem", "config", "runner_up"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(name, names[i]))
      return 1;
  return 0;
}

/* Hashes and versions may look like numbers and are not. */
static int is_text(const char *name)
{
  static const char *const names[] = {"template", "kernel", "compiler", "runtime",
                                      "device", "reason", "date", "driver",
                                      "firmware"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(name, names[i]))
      return 1;
  return 0;
}

/* Does the object have a rate already? */
static int rated(const json_t *o)
{
  const struct quantity *q;
  for (size_t i = 0; (q = quantity_at(i)); i++)
    if (*quantity_cost(q) && json_object_get(o, q->name))
      return 1;
  return 0;
}

/* The rate that the family's runs are known by: null where there was none. */
static void add_rate(json_t *o, const struct record *r,
                     const struct session *s)
{
  struct config c = {0};
  struct plan plan;
  const char *config = record_get(r, "config");
  double us = record_number(r, "time_us", 0);
  if (rated(o))
    return;
  int planned = !config_parse(s->setup.family, config, 0, &c, NULL) &&
                !family_plan(s->setup.family, s->setup.problem, &c, &plan,
                             NULL);
  const struct quantity *q =
      planned ? quantity_rate(&plan) : quantity_find("gflops");
  json_object_set_new(o, q->name,
                      planned && us > 0 ? json_real(quantity_of(q, &plan, us))
                                        : json_null());
}

json_t *json_of_record(const char *type, const struct record *r)
{
  json_t *o = json_object();
  json_object_set_new(o, "type", json_string(type));
  for (size_t i = 0; i < record_size(r); i++) {
    const char *name = record_name(r, i), *value = record_value(r, i);
    json_object_set_new(o, name, is_object(name) ? json_pairs(value)
                                   : is_text(name)
                                       ? json_string(value)
                                       : scalar(value));
  }
  return o;
}

void json_line(FILE *to, json_t *o)
{
  json_dumpf(o, to, JSON_COMPACT | JSON_REAL_PRECISION(12));
  fputc('\n', to);
  fflush(to); /* a failure is the stream's, and told at the end */
  json_decref(o);
}

json_t *json_of_session(const char *type, const struct record *r,
                        const struct session *s, size_t evaluated)
{
  json_t *o = json_of_record(type, r);
  if (!json_object_get(o, "time_us"))
    json_object_set_new(o, "time_us", json_null());
  add_rate(o, r, s);
  json_object_set_new(o, "evaluated", json_integer((json_int_t)evaluated));
  return o;
}

void json_record(FILE *to, const char *type, const struct record *r,
                 const struct session *s, size_t evaluated)
{
  json_line(to, s ? json_of_session(type, r, s, evaluated)
                  : json_of_record(type, r));
}
