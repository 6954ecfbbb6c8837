/* recording_json.c - recordings as JSON: T4 results, Kernel Tuner caches.
 *
 * T4 is a community's exchange schema (schema version 1.0.0); Kernel Tuner
 * writes it, and its own cache, which it leaves without the closing braces
 * while a run goes on.
 */
// SPDX-License-Identifier: MIT
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tuner/replay/recording_build.h"

/* Kernel Tuner wrote this for a failure until 2021; no kernel takes so long. */
#define FAILED_TIME 1e20

struct texts { /* of one configuration, one behind the other */
  struct str all;
  size_t starts[FAMILY_TUNABLES];
  const char *list[FAMILY_TUNABLES];
};

static int add_text(struct str *s, const json_t *v)
{
  if (json_is_string(v))
    str_add(s, json_string_value(v));
  else if (json_is_integer(v))
    str_addf(s, "%lld", (long long)json_integer_value(v));
  else if (json_is_real(v))
    str_addf(s, "%.17g", json_real_value(v));
  else if (json_is_boolean(v))
    str_add(s, json_is_true(v) ? "true" : "false");
  else
    return -1;
  str_add_bytes(s, "", 1);
  return 0;
}

/* The values of the tunables in `from`, and the point they make. */
static int add(struct recording *r, const json_t *from, double cost,
               struct texts *t, struct err *e)
{
  size_t n = recording_tunables(r);
  str_clear(&t->all);
  for (size_t i = 0; i < n; i++) {
    const char *name = recording_tunable(r, i);
    t->starts[i] = t->all.len;
    if (add_text(&t->all, json_object_get(from, name)))
      return err_set(e, ERR_FAILED, "no value of '%.60s'", name);
  }
  for (size_t i = 0; i < n; i++)
    t->list[i] = t->all.at + t->starts[i];
  return recording_add(r, t->list, cost, e);
}

/* A number, or a string that is one; NAN otherwise. */
static double number(const json_t *v)
{
  if (!json_is_string(v))
    return json_is_number(v) ? json_number_value(v) : NAN;
  const char *text = json_string_value(v);
  char *end;
  double d = strtod(text, &end);
  return end > text && !*end ? d : NAN;
}

/* --- Kernel Tuner's cache ------------------------------------------------ */

/* The line on which the entry of this key begins. */
static size_t line_of(const char *bytes, size_t n, const char *key)
{
  struct str quoted = {0};
  size_t line = 1;
  str_addf(&quoted, "\"%s\"", key);
  const char *at = memmem(bytes, n, quoted.at, quoted.len);
  for (const char *p = bytes; at && p < at; p++)
    line += *p == '\n';
  str_free(&quoted);
  return line;
}

static int cache_names(struct recording *r, const json_t *root, struct err *e)
{
  const json_t *names = json_object_get(root, "tune_params_keys"), *name;
  size_t i;
  json_array_foreach(names, i, name)
    if (!json_is_string(name))
      return err_set(e, ERR_FAILED, "a name in tune_params_keys is no text");
    else if (recording_name(r, json_string_value(name), e))
      return e->code;
  return recording_tunables(r) ? 0
                               : err_set(e, ERR_FAILED, "no tune_params_keys");
}

/* A failure has the name of its error, or an absurd time. */
static int cache_time(const json_t *entry, double *cost, struct err *e)
{
  const json_t *time = json_object_get(entry, "time");
  if (!json_is_string(time) && !json_is_number(time))
    return err_set(e, ERR_FAILED, "no time");
  *cost = json_is_number(time) ? json_number_value(time) : INFINITY;
  if (*cost >= FAILED_TIME)
    *cost = INFINITY;
  return 0;
}

static int read_cache(struct recording *r, const char *path, json_t *root,
                      const char *bytes, size_t n, struct err *e)
{
  struct texts texts = {0};
  const char *key;
  json_t *entry;
  double cost = INFINITY;
  int code = 0;
  if (cache_names(r, root, e))
    return err_prefix(e, "%s", path);
  json_object_foreach(json_object_get(root, "cache"), key, entry) {
    code = cache_time(entry, &cost, e);
    if (!code)
      code = add(r, entry, cost, &texts, e);
    if (code) {
      code = err_prefix(e, "%s:%zu: entry %.200s", path,
                        line_of(bytes, n, key), key);
      break;
    }
  }
  str_free(&texts.all);
  return code;
}

/* --- T4 ------------------------------------------------------------------ */

static int result_names(struct recording *r, const json_t *configuration,
                        struct err *e)
{
  const char *name;
  json_t *value;
  json_object_foreach((json_t *)configuration, name, value)
    if (recording_name(r, name, e))
      return e->code;
  return recording_tunables(r) ? 0
                               : err_set(e, ERR_FAILED, "no configuration");
}

static double mean(const json_t *list)
{
  double sum = 0;
  size_t i;
  json_t *v;
  json_array_foreach(list, i, v)
    sum += number(v);
  return sum / (double)json_array_size(list);
}

/* The objective is the first named, by default the time. */
static double result_time(const json_t *result)
{
  const json_t *first = json_array_get(json_object_get(result, "objectives"),
                                       0);
  const char *name = first ? json_string_value(first) : "time";
  size_t i;
  json_t *m;
  json_array_foreach(json_object_get(result, "measurements"), i, m) {
    const char *is = json_string_value(json_object_get(m, "name"));
    if (name && is && !strcmp(is, name))
      return number(json_object_get(m, "value"));
  }
  return mean(json_object_get(json_object_get(result, "times"), "runtimes"));
}

static int add_result(struct recording *r, const json_t *result,
                      struct texts *t, struct err *e)
{
  const json_t *configuration = json_object_get(result, "configuration");
  const char *why = json_string_value(json_object_get(result, "invalidity"));
  double cost = INFINITY;
  if (!why)
    return err_set(e, ERR_FAILED, "no invalidity, which says whether it ran");
  if (!recording_tunables(r) && result_names(r, configuration, e))
    return e->code;
  if (!strcmp(why, "correct") && !isfinite(cost = result_time(result)))
    return err_set(e, ERR_FAILED, "no time, in measurements or runtimes");
  return add(r, configuration, cost, t, e);
}

static int read_results(struct recording *r, const char *path, json_t *root,
                        struct err *e)
{
  struct texts texts = {0};
  size_t i;
  json_t *result;
  int code = 0;
  json_array_foreach(json_object_get(root, "results"), i, result)
    if ((code = add_result(r, result, &texts, e))) {
      err_prefix(e, "%s: result %zu", path, i + 1);
      break;
    }
  str_free(&texts.all);
  return code;
}

/* --- either -------------------------------------------------------------- */

/* A cache that is being written: "..." then perhaps a comma, no braces. */
static json_t *load_open_cache(const char *bytes, size_t n)
{
  struct str whole = {0};
  while (n && strchr(" \t\r\n,", bytes[n - 1]))
    n--;
  str_add_bytes(&whole, bytes, n);
  str_add(&whole, "}}");
  json_t *root = json_loadb(whole.at, whole.len, 0, NULL);
  str_free(&whole);
  return root;
}

int recording_json(struct recording *r, const char *path, const char *bytes,
                   size_t n, struct err *e)
{
  json_error_t bad;
  json_t *root = json_loadb(bytes, n, 0, &bad);
  if (!root)
    root = load_open_cache(bytes, n);
  if (!root)
    return err_set(e, ERR_FAILED, "%s:%d: %s", path, bad.line, bad.text);
  int code;
  if (json_is_array(json_object_get(root, "results")))
    code = read_results(r, path, root, e);
  else if (json_is_object(json_object_get(root, "cache")))
    code = read_cache(r, path, root, bytes, n, e);
  else
    code = err_set(e, ERR_FAILED, "%s: neither T4 (results) nor a cache of "
                   "Kernel Tuner (cache)", path);
  json_decref(root);
  return code;
}
