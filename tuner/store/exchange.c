/* exchange.c - see exchange.h. */
// SPDX-License-Identifier: MIT
#include "tuner/store/exchange.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/suggest.h"

static const struct exchange_format formats[] = { /* ORDER EXCHANGE */
    {"t4", ".json", 1, t4_write, t4_read},
    {"csv", ".csv", 0, csv_write, csv_read},
    {"kernel-tuner", ".json", 1, cache_write, cache_read},
    {"tunableop", ".csv", 0, tunable_write, tunable_read},
};

enum {FORMATS = sizeof formats / sizeof *formats};

void results_add(struct results *to, struct record *r)
{
  if (to->n == to->room) {
    to->room = to->room ? 2 * to->room : 64;
    to->list = mem_resize(to->list, to->room * sizeof *to->list);
  }
  to->list[to->n++] = r;
}

void results_free(struct results *r)
{
  for (size_t i = 0; i < r->n; i++)
    record_free(r->list[i]);
  free(r->list);
  *r = (struct results){0};
}

int result_is_timed(const struct record *r)
{
  return strcmp(record_text(r, "status"), "ok") != 0 ||
         record_number(r, "time_us", 0) > 0;
}

/* By its first words: T4 has results, a cache has a cache, TunableOp validators
 * or names of its operations. */
static const struct exchange_format *guess(const struct str *text)
{
  const char *at = str_text(text);
  at += strspn(at, " \t\r\n");
  if (*at == '{')
    return strstr(at, "\"tune_params_keys\"") || strstr(at, "\"cache\"")
               ? &formats[2]
               : &formats[0];
  return !strncmp(at, "Validator,", 10) || strstr(at, "TunableOp_")
             ? &formats[3]
             : &formats[1];
}

int exchange_find(const char *name, const struct str *text, const char *path,
                  const struct exchange_format **out, struct err *e)
{
  const char *names[FORMATS];
  if (!name && text && !text->len)
    return err_set(e, ERR_FAILED, "%s: is empty", path);
  *out = text && !name ? guess(text) : NULL;
  for (size_t i = 0; i < FORMATS && name; i++) {
    names[i] = formats[i].name;
    if (!strcmp(name, names[i]))
      *out = &formats[i];
  }
  if (*out)
    return 0;
  const char *near = name ? suggest(name, names, FORMATS) : NULL;
  return err_set(e, ERR_USAGE, "--format %s: must be t4, csv, kernel-tuner or "
                 "tunableop%s%s%s", name ? name : "(none)",
                 near ? "; did you mean '" : "", near ? near : "",
                 near ? "'?" : "");
}
