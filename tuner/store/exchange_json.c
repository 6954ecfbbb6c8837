/* exchange_json.c - see exchange_json.h. */
// SPDX-License-Identifier: MIT
#include "tuner/store/exchange_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/pairs.h"

static const char *const common[] = {
    "arch", "family", "problem", "device", "cus", "source", "hot", "template",
    "compiler", "runtime", "driver", "firmware", "seed", "imported",
    "imported_source"};

enum {COMMON = sizeof common / sizeof *common};

/* --- configurations ------------------------------------------------------ */

/* An integer or a real where its text is this, else the text. */
static json_t *value_of(const char *text)
{
  char again[32], *end;
  long long whole = strtoll(text, &end, 10);
  snprintf(again, sizeof again, "%lld", whole);
  if (!strcmp(again, text))
    return json_integer(whole);
  double number = strtod(text, &end);
  snprintf(again, sizeof again, "%.17g", number);
  if (*text && !*end && isfinite(number) && !strcmp(again, text))
    return json_real(number);
  return json_string(text);
}

json_t *json_config(const char *text)
{
  json_t *o = json_object();
  char *copy = mem_copy(text), *rest = copy, *name, *value;
  while ((name = pairs_next(&rest, &value)))
    if (value)
      json_object_set_new(o, name, value_of(value));
  free(copy);
  return o;
}

static int legal(const char *text)
{
  return !text[strcspn(text, ",=\n")];
}

int json_config_text(const json_t *o, struct str *out, struct err *e)
{
  const char *name;
  json_t *v;
  json_object_foreach((json_t *)o, name, v) {
    const char *text = json_is_string(v) ? json_string_value(v)
                       : json_is_true(v) ? "true" : "false";
    str_addf(out, "%s%s=", out->len ? "," : "", name);
    if (json_is_integer(v))
      str_addf(out, "%lld", (long long)json_integer_value(v));
    else if (json_is_real(v))
      str_addf(out, "%.17g", json_real_value(v));
    else if (!json_is_string(v) && !json_is_boolean(v))
      return err_set(e, ERR_FAILED, "the value of '%.60s' is no number, word or "
                     "truth", name);
    else
      str_add(out, text);
    if (!*name || !legal(name) || !legal(text))
      return err_set(e, ERR_FAILED, "'%.60s' or its value has a comma, an equals "
                     "sign or an end of line in it, or no letter", name);
  }
  return 0;
}

double json_as_number(const json_t *v)
{
  if (json_is_number(v))
    return json_number_value(v);
  char *end;
  const char *text = json_is_string(v) ? json_string_value(v) : "";
  double number = strtod(text, &end);
  return *text && !*end ? number : NAN;
}

/* --- what a file has in common ------------------------------------------- */

json_t *json_common(const struct record *r)
{
  json_t *o = json_object();
  for (size_t i = 0; i < COMMON; i++)
    if (record_get(r, common[i]))
      json_object_set_new(o, common[i], json_string(record_get(r, common[i])));
  return o;
}

void json_take_common(const json_t *o, struct record *r)
{
  for (size_t i = 0; i < COMMON; i++) {
    const char *text = json_string_value(json_object_get(o, common[i]));
    if (text)
      record_set(r, common[i], "%s", text);
  }
}

void json_take_date(const json_t *v, struct record *r)
{
  struct tm tm = {0};
  const char *text = json_string_value(v);
  char out[32];
  if (!text || (!strptime(text, "%Y-%m-%dT%H:%M:%S", &tm) &&
                !strptime(text, "%Y-%m-%d %H:%M:%S", &tm)))
    return;
  strftime(out, sizeof out, "%Y-%m-%dT%H:%M:%SZ", &tm);
  record_set(r, "date", "%s", out);
}

/* --- whole files --------------------------------------------------------- */

json_t *json_parse(const char *path, const char *text, size_t n,
                   struct err *e)
{
  json_error_t why;
  json_t *o = json_loadb(text, n, JSON_REJECT_DUPLICATES, &why);
  if (!o)
    err_set(e, ERR_FAILED, "%s:%d:%d: %s", path, why.line, why.column,
            why.text);
  return o;
}

void json_print(json_t *o, struct str *out)
{
  char *text = json_dumps(o, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
  str_add(out, text ? text : "");
  str_add(out, "\n");
  free(text);
  json_decref(o);
}
