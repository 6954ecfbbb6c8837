/* format_cache.c - Kernel Tuner's cache files.
 *
 * A file has one kernel and one problem on one device. Kernel Tuner leaves it
 * without its last braces while a run goes on. Failures are names of error
 * classes in place of a time, or 1e20 in files of 2021.
 */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tuner/store/exchange.h"
#include "tuner/store/exchange_json.h"

#define FAILED_TIME 1e20

static const struct {
  const char *name;
  enum status status;
} classes[] = {{"CompilationFailedConfig", STATUS_COMPILE},
               {"RuntimeFailedConfig", STATUS_LAUNCH},
               {"InvalidConfig", STATUS_RULE}};

enum {CLASSES = sizeof classes / sizeof *classes};

/* --- writing ------------------------------------------------------------- */

static const char *class_of(int status)
{
  switch (status) {
  case STATUS_COMPILE:
    return "CompilationFailedConfig";
  case STATUS_RULE:
  case STATUS_RESOURCE:
    return "InvalidConfig";
  default:
    return "RuntimeFailedConfig";
  }
}

/* "16,2": the values of a configuration, which are the key of its entry. */
static void key_of(const json_t *config, struct str *out)
{
  const char *name;
  json_t *v;
  json_object_foreach((json_t *)config, name, v) {
    str_add(out, out->len ? "," : "");
    if (json_is_string(v))
      str_add(out, json_string_value(v));
    else if (json_is_integer(v))
      str_addf(out, "%lld", (long long)json_integer_value(v));
    else
      str_addf(out, "%.17g", json_real_value(v));
  }
}

static json_t *entry_of(const struct record *r, const json_t *config)
{
  json_t *o = json_copy((json_t *)config);
  int status = status_parse(record_text(r, "status"));
  double us = record_number(r, "time_us", NAN);
  json_object_set_new(o, "time", status == STATUS_OK && isfinite(us)
                                     ? json_real(us * 1e-3)
                                     : json_string(class_of(status)));
  if (record_get(r, "gflops"))
    json_object_set_new(o, "GFLOP/s",
                        json_real(record_number(r, "gflops", 0)));
  if (record_get(r, "date"))
    json_object_set_new(o, "timestamp", json_string(record_text(r, "date")));
  if (status > STATUS_OK)
    json_object_set_new(o, "status", json_string(status_name(status)));
  return o;
}

/* The values of each tunable that occur, and their names in order. */
static void note_values(json_t *params, json_t *keys, const json_t *config)
{
  const char *name;
  json_t *v;
  json_object_foreach((json_t *)config, name, v) {
    json_t *list = json_object_get(params, name);
    size_t i = 0;
    if (!list) {
      list = json_array();
      json_object_set_new(params, name, list);
      json_array_append_new(keys, json_string(name));
    }
    while (i < json_array_size(list) && !json_equal(json_array_get(list, i), v))
      i++;
    if (i == json_array_size(list))
      json_array_append(list, v);
  }
}

void cache_write(const struct results *r, struct str *out)
{
  json_t *params = json_object(), *keys = json_array(), *cache = json_object();
  const struct record *first = r->n ? r->list[0] : NULL;
  for (size_t i = 0; i < r->n; i++) {
    if (!result_is_timed(r->list[i]))
      continue;
    json_t *config = json_config(record_text(r->list[i], "config"));
    struct str key = {0};
    key_of(config, &key);
    note_values(params, keys, config);
    json_object_set_new(cache, str_text(&key), entry_of(r->list[i], config));
    str_free(&key);
    json_decref(config);
  }
  json_print(json_pack("{ss ss ss so so ss so so}", "device_name",
                       first ? record_text(first, "device") : "",
                       "kernel_name",
                       first ? record_text(first, "family") : "",
                       "problem_size",
                       first ? record_text(first, "problem") : "",
                       "tune_params_keys", keys, "tune_params", params,
                       "objective", "time", "wavetune",
                       first ? json_common(first) : json_object(), "cache",
                       cache), out);
}

/* --- reading ------------------------------------------------------------- */

/* Of a run that goes on: without the last braces, and with a comma. */
static json_t *parse(const char *path, const struct str *text, struct err *e)
{
  size_t n = text->len;
  struct str whole = {0};
  while (n && strchr(" \t\r\n", text->at[n - 1]))
    n--;
  int open = n && text->at[n - 1] == ',';
  str_add_bytes(&whole, str_text(text), n - (size_t)open);
  str_add(&whole, open ? "}}" : "");
  json_t *o = json_parse(path, str_text(&whole), whole.len, e);
  str_free(&whole);
  return o;
}

static void set_text(struct record *r, const char *field, const json_t *v)
{
  char *text = json_is_string(v) || !v ? NULL
                                       : json_dumps(v, JSON_ENCODE_ANY |
                                                           JSON_COMPACT);
  const char *plain = json_is_string(v) ? json_string_value(v) : text;
  if (plain && *plain && !record_get(r, field))
    record_set(r, field, "%s", plain);
  free(text);
}

static int status_of(const json_t *entry)
{
  const json_t *time = json_object_get(entry, "time");
  const char *own = json_string_value(json_object_get(entry, "status"));
  if (json_is_number(time))
    return json_number_value(time) < FAILED_TIME ? STATUS_OK : STATUS_LAUNCH;
  for (size_t i = 0; json_is_string(time) && i < CLASSES; i++)
    if (!strcmp(json_string_value(time), classes[i].name))
      return own && status_parse(own) > 0 ? status_parse(own)
                                          : (int)classes[i].status;
  return -1;
}

/* The configuration of an entry, by the tunables of the file. */
static int read_config(const json_t *keys, const json_t *entry,
                       struct record *r, struct err *e)
{
  json_t *config = json_object();
  struct str text = {0};
  int code = 0;
  for (size_t i = 0; i < json_array_size(keys) && !code; i++) {
    const char *name = json_string_value(json_array_get(keys, i));
    json_t *v = name ? json_object_get(entry, name) : NULL;
    if (!v)
      code = err_set(e, ERR_FAILED, "it has no value of '%.60s'",
                     name ? name : "");
    else
      json_object_set(config, name, v);
  }
  if (!code)
    code = json_config_text(config, &text, e);
  record_set(r, "config", "%s", str_text(&text));
  str_free(&text);
  json_decref(config);
  return code;
}

static int read_entry(const json_t *keys, const json_t *entry,
                      struct record *r, struct err *e)
{
  int status = status_of(entry), code = read_config(keys, entry, r, e);
  double ms = json_as_number(json_object_get(entry, "time"));
  if (code)
    return code;
  if (status < 0 || (status == STATUS_OK && !(ms > 0)))
    return err_set(e, ERR_FAILED, "its time is no time and no failure that "
                   "Kernel Tuner has a name for");
  record_set(r, "status", "%s", status_name((enum status)status));
  if (status == STATUS_OK)
    record_set(r, "time_us", "%.6g", ms * 1e3);
  set_text(r, "gflops", json_object_get(entry, "GFLOP/s"));
  json_take_date(json_object_get(entry, "timestamp"), r);
  return 0;
}

static int read_all(const json_t *o, const char *path, struct results *out,
                    struct err *e)
{
  json_t *keys = json_object_get(o, "tune_params_keys"), *entry;
  json_t *cache = json_object_get(o, "cache");
  const char *name;
  if (!json_is_object(cache) || !json_array_size(keys))
    return err_set(e, ERR_FAILED, "%s: has no cache, or no tune_params_keys; is "
                   "it a cache of Kernel Tuner?", path);
  json_object_foreach(cache, name, entry) {
    struct record *r = record_new();
    json_take_common(json_object_get(o, "wavetune"), r);
    set_text(r, "device", json_object_get(o, "device_name"));
    set_text(r, "family", json_object_get(o, "kernel_name"));
    set_text(r, "problem", json_object_get(o, "problem_size"));
    results_add(out, r);
    if (read_entry(keys, entry, r, e))
      return err_prefix(e, "%s: entry '%.100s'", path, name);
  }
  return 0;
}

int cache_read(const char *path, const struct str *text, struct results *out,
               struct err *e)
{
  json_t *o = parse(path, text, e);
  int code = o ? read_all(o, path, out, e) : e->code;
  json_decref(o);
  return code;
}
