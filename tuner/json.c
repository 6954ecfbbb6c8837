/* json.c - see json.h. */
// SPDX-License-Identifier: MIT
#include "tuner/json.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tuner/winner.h"

/* A number where the whole text is one, else a string. */
static cJSON *scalar(const char *text)
{
  char *end;
  double d = strtod(text, &end);
  int plain = strspn(text, "0123456789.eE+-") == strlen(text);
  return *text && !*end && plain ? cJSON_CreateNumber(d)
                                 : cJSON_CreateString(text);
}

/* "a=1,b=x" as an object. */
static cJSON *object(const char *pairs)
{
  cJSON *o = cJSON_CreateObject();
  char *copy = mem_copy(pairs), *rest = copy, *pair;
  while ((pair = strsep(&rest, ","))) {
    char *value = strchr(pair, '=');
    if (!value)
      continue;
    *value++ = 0;
    cJSON_AddItemToObject(o, pair, scalar(value));
  }
  free(copy);
  return o;
}

static int is_object(const char *name)
{
  static const char *const names[] = {"problem", "config", "runner_up"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0)
      return 1;
  return 0;
}

/* Hashes and versions may look like numbers and are not. */
static int is_text(const char *name)
{
  static const char *const names[] = {"template", "compiler", "runtime",
                                      "device", "reason", "date"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0)
      return 1;
  return 0;
}

static void add_rate(cJSON *o, const struct record *r,
                     const struct session *s)
{
  struct config c = {0};
  struct plan plan;
  const char *unit;
  const char *config = record_get(r, "config");
  double us = record_number(r, "time_us", 0);
  if (record_get(r, "gflops") || record_get(r, "gbps") || us <= 0
      || config_parse(s->family, config, 0, &c, NULL)
      || family_plan(s->family, s->problem, &c, &plan, NULL))
    return;
  double rate = winner_rate(&plan, us, &unit);
  cJSON_AddNumberToObject(o, unit, rate);
}

/* What every candidate has, those that were not timed too. */
static void add_nulls(cJSON *o)
{
  if (!cJSON_HasObjectItem(o, "time_us"))
    cJSON_AddNullToObject(o, "time_us");
  if (!cJSON_HasObjectItem(o, "gflops") && !cJSON_HasObjectItem(o, "gbps"))
    cJSON_AddNullToObject(o, "gflops");
}

void json_record(FILE *to, const char *type, const struct record *r,
                 const struct session *s, size_t evaluated)
{
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "type", type);
  for (size_t i = 0; i < record_size(r); i++) {
    const char *name = record_name(r, i), *value = record_value(r, i);
    cJSON_AddItemToObject(o, name, is_object(name) ? object(value)
                                   : is_text(name)
                                       ? cJSON_CreateString(value)
                                       : scalar(value));
  }
  if (s) {
    add_rate(o, r, s);
    add_nulls(o);
    cJSON_AddNumberToObject(o, "evaluated", (double)evaluated);
  }
  char *line = cJSON_PrintUnformatted(o);
  fprintf(to, "%s\n", line ? line : "");
  cJSON_free(line);
  cJSON_Delete(o);
}
