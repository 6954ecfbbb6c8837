/* format_t4.c - T4 results, schema version 1.0.0.
 *
 * The schema has no word for problem, device and compiler: they stand in
 * metadata.wavetune, which other readers pass over. Samples are not kept by the
 * store, so `runtimes` is empty and the median is a measurement. A status that
 * `invalidity` cannot tell from another is a measurement as well.
 */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "tuner/store/exchange.h"
#include "tuner/store/exchange_json.h"

/* ORDER STATUS: the words of `invalidity`. */
static const char *const words[STATUS_N] = {
    "correct", "constraints", "compile", "constraints",
    "runtime", "correctness", "timeout", "runtime"};
/* What each of them is without our own word beside it. */
static const struct {
  const char *word;
  enum status status;
} meanings[] = {{"correct", STATUS_OK},       {"constraints", STATUS_RULE},
                {"compile", STATUS_COMPILE},  {"runtime", STATUS_LAUNCH},
                {"correctness", STATUS_WRONG}, {"timeout", STATUS_TIMEOUT}};

/* --- writing ------------------------------------------------------------- */

/* ORDER UNIT: field, name, unit, and how many fields one of it is */
static const struct {
  const char *field, *name, *unit;
  double scale;
} measured[] = {{"time_us", "time", "ms", 1e-3},
                {"mad_us", "mad", "ms", 1e-3},
                {"n", "n", "", 1},
                {"gflops", "GFLOP/s", "", 1},
                {"gbps", "GB/s", "", 1}};

enum {MEASURED = sizeof measured / sizeof *measured};

static void add_measurement(json_t *list, const char *name, json_t *value,
                            const char *unit)
{
  json_array_append_new(list, json_pack("{ss so ss}", "name", name, "value",
                                        value, "unit", unit));
}

static json_t *measurements(const struct record *r, enum status status)
{
  json_t *list = json_array();
  for (size_t i = 0; i < MEASURED; i++) {
    double x = record_number(r, measured[i].field, NAN);
    if (isfinite(x) && status == STATUS_OK)
      add_measurement(list, measured[i].name,
                      json_real(x * measured[i].scale), measured[i].unit);
  }
  if (status != STATUS_OK) {
    add_measurement(list, "time", json_string(words[status]), "ms");
    add_measurement(list, "status", json_string(status_name(status)), "");
    if (record_get(r, "reason"))
      add_measurement(list, "reason", json_string(record_text(r, "reason")),
                      "");
  }
  return list;
}

static json_t *result(const struct record *r)
{
  int known = status_parse(record_text(r, "status"));
  enum status status = known < 0 ? STATUS_OK : (enum status)known;
  json_t *o = json_object();
  if (record_get(r, "date"))
    json_object_set_new(o, "timestamp", json_string(record_text(r, "date")));
  json_object_set_new(o, "configuration",
                      json_config(record_text(r, "config")));
  json_object_set_new(o, "objectives", json_pack("[s]", "time"));
  json_object_set_new(o, "times", json_pack("{s[]}", "runtimes"));
  json_object_set_new(o, "invalidity", json_string(words[status]));
  json_object_set_new(o, "correctness", json_integer(status == STATUS_OK));
  json_object_set_new(o, "measurements", measurements(r, status));
  return o;
}

void t4_write(const struct results *r, struct str *out)
{
  json_t *list = json_array();
  json_t *common = r->n ? json_common(r->list[0]) : json_object();
  for (size_t i = 0; i < r->n; i++)
    if (result_is_timed(r->list[i]))
      json_array_append_new(list, result(r->list[i]));
  json_print(json_pack("{ss s{ss so} so}", "schema_version", "1.0.0",
                       "metadata", "timeunit", "milliseconds", "wavetune",
                       common, "results", list), out);
}

/* --- reading ------------------------------------------------------------- */

static const json_t *measurement(const json_t *o, const char *name)
{
  const json_t *list = json_object_get(o, "measurements");
  for (size_t i = 0; i < json_array_size(list); i++) {
    const json_t *m = json_array_get(list, i);
    const char *own = json_string_value(json_object_get(m, "name"));
    if (own && !strcmp(own, name))
      return m;
  }
  return NULL;
}

/* Microseconds of a value in s, ms, us or ns; of the file's unit, which is ms in
 * both of its spellings, where it has none. */
static double in_us(const json_t *m, double x)
{
  static const struct {
    const char *name;
    double us;
  } units[] = {{"s", 1e6}, {"us", 1}, {"ns", 1e-3}};
  const char *unit = json_string_value(json_object_get(m, "unit"));
  for (size_t i = 0; unit && i < sizeof units / sizeof *units; i++)
    if (!strcmp(unit, units[i].name))
      return x * units[i].us;
  return x * 1e3;
}

static double mean(const json_t *list)
{
  double sum = 0;
  size_t n = json_array_size(list);
  for (size_t i = 0; i < n; i++)
    sum += json_as_number(json_array_get(list, i));
  return n ? sum / (double)n : NAN;
}

static double time_of(const json_t *o)
{
  const json_t *names = json_object_get(o, "objectives");
  const char *name = json_string_value(json_array_get(names, 0));
  const json_t *m = measurement(o, name ? name : "time");
  double x = json_as_number(json_object_get(m, "value"));
  return isfinite(x) ? in_us(m, x)
                     : 1e3 * mean(json_object_get(json_object_get(o, "times"),
                                                  "runtimes"));
}

static int status_of(const json_t *o)
{
  const char *own =
      json_string_value(json_object_get(measurement(o, "status"), "value"));
  const char *word = json_string_value(json_object_get(o, "invalidity"));
  int status = own ? status_parse(own) : -1;
  for (size_t i = 0; status < 0 && word &&
                     i < sizeof meanings / sizeof *meanings; i++)
    if (!strcmp(word, meanings[i].word))
      status = (int)meanings[i].status;
  return status;
}

static void take_measured(const json_t *o, struct record *r)
{
  for (size_t i = 1; i < MEASURED; i++) {
    const json_t *m = measurement(o, measured[i].name);
    double x = json_as_number(json_object_get(m, "value"));
    if (isfinite(x))
      record_set(r, measured[i].field, "%.6g", x / measured[i].scale);
  }
}

static int read_result(const json_t *o, struct record *r, struct err *e)
{
  const json_t *config = json_object_get(o, "configuration");
  struct str text = {0};
  int status = status_of(o);
  double us = time_of(o);
  if (!json_is_object(config) || !json_object_size(config))
    return err_set(e, ERR_FAILED, "it has no configuration");
  if (status < 0)
    return err_set(e, ERR_FAILED, "its invalidity is none of timeout, compile, "
                   "runtime, correctness, constraints and correct");
  if (status == STATUS_OK && !(us > 0 && isfinite(us)))
    return err_set(e, ERR_FAILED, "it is correct and has no time");
  int code = json_config_text(config, &text, e);
  record_set(r, "config", "%s", str_text(&text));
  record_set(r, "status", "%s", status_name((enum status)status));
  str_free(&text);
  if (status == STATUS_OK)
    record_set(r, "time_us", "%.6g", us);
  take_measured(o, r);
  const char *reason =
      json_string_value(json_object_get(measurement(o, "reason"), "value"));
  if (reason)
    record_set(r, "reason", "%.400s", reason);
  json_take_date(json_object_get(o, "timestamp"), r);
  return code;
}

static int read_all(const json_t *o, const char *path, struct results *out,
                    struct err *e)
{
  const json_t *list = json_object_get(o, "results");
  const json_t *own =
      json_object_get(json_object_get(o, "metadata"), "wavetune");
  if (!json_is_array(list))
    return err_set(e, ERR_FAILED, "%s: has no list of results; is it a T4 "
                   "file?", path);
  for (size_t i = 0; i < json_array_size(list); i++) {
    struct record *r = record_new();
    json_take_common(own, r);
    results_add(out, r);
    if (read_result(json_array_get(list, i), r, e))
      return err_prefix(e, "%s: result %zu", path, i + 1);
  }
  return 0;
}

int t4_read(const char *path, const struct str *text, struct results *out,
            struct err *e)
{
  json_t *o = json_parse(path, str_text(text), text->len, e);
  int code = o ? read_all(o, path, out, e) : e->code;
  json_decref(o);
  return code;
}
