/* config.c - a configuration as text: name=value,name=value. */
// SPDX-License-Identifier: MIT
#include "gen/inside.h"

#include <string.h>

#include "base/suggest.h"

enum {WORD = 64};

void config_format(const struct family *f, const struct config *c,
                   struct str *out)
{
  char text[WORD];
  for (size_t i = 0; i < f->ntunables; i++) {
    const struct tunable *t = &f->tunables[i];
    value_format(&t->values[c->at[i]], text, sizeof text);
    str_addf(out, "%s%s=%s", i ? "," : "", t->name, text);
  }
}

static int unknown_tunable(const struct family *f, const char *name,
                           struct err *e)
{
  const char *names[FAMILY_TUNABLES];
  for (size_t i = 0; i < f->ntunables; i++)
    names[i] = f->tunables[i].name;
  const char *near = suggest(name, names, f->ntunables);
  if (near)
    return err_set(e, ERR_USAGE,
                   "'%s' is not a tunable of %s; did you mean '%s'?", name,
                   family_name(f), near);
  struct str all = {0};
  for (size_t i = 0; i < f->ntunables; i++)
    str_addf(&all, "%s%s", i ? ", " : "", names[i]);
  err_set(e, ERR_USAGE, "'%s' is not a tunable of %s; there is: %s", name,
          family_name(f), all.at);
  str_free(&all);
  return ERR_USAGE;
}

static int set_value(const struct tunable *t, const char *value, uint8_t *at,
                     struct err *e)
{
  struct str all = {0};
  char text[WORD];
  for (size_t i = 0; i < t->nvalues; i++) {
    value_format(&t->values[i], text, sizeof text);
    if (!strcmp(text, value)) {
      *at = (uint8_t)i;
      str_free(&all);
      return 0;
    }
    str_addf(&all, "%s%s", i ? ", " : "", text);
  }
  err_set(e, ERR_USAGE, "%s cannot be '%s'; it can be %s", t->name, value,
          all.at);
  str_free(&all);
  return ERR_USAGE;
}

/* One "name=value" of n bytes. */
static int parse_pair(const struct family *f, const char *text, size_t n,
                      struct config *c, uint32_t *seen, struct err *e)
{
  char pair[2 * WORD];
  if (n >= sizeof pair)
    return err_set(e, ERR_USAGE, "'%.20s...' is too long for name=value",
                   text);
  memcpy(pair, text, n);
  pair[n] = 0;
  char *equals = strchr(pair, '=');
  if (!equals || equals == pair)
    return err_set(e, ERR_USAGE, "'%s' is not name=value", pair);
  *equals = 0;
  size_t i = family_tunable(f, pair, strlen(pair));
  if (i == f->ntunables)
    return unknown_tunable(f, pair, e);
  if (*seen >> i & 1)
    return err_set(e, ERR_USAGE, "%s is given twice", pair);
  *seen |= UINT32_C(1) << i;
  return set_value(&f->tunables[i], equals + 1, &c->at[i], e);
}

int config_parse(const struct family *f, const char *text, int partial,
                 struct config *c, struct err *e)
{
  uint32_t seen = 0;
  struct config parsed = *c;
  while (*text) {
    size_t n = strcspn(text, ",");
    int failed = parse_pair(f, text, n, &parsed, &seen, e);
    if (failed)
      return failed;
    text += n;
    if (*text && !*++text)
      return err_set(e, ERR_USAGE, "a comma with no name=value behind it");
  }
  for (size_t i = 0; i < f->ntunables && !partial; i++)
    if (!(seen >> i & 1))
      return err_set(e, ERR_USAGE, "%s is missing; name every tunable",
                     f->tunables[i].name);
  *c = parsed;
  return 0;
}

int config_parse_older(const struct family *f, const char *text,
                       struct config *c, struct err *e)
{
  struct config parsed = {0};
  int code = *text ? config_parse(f, text, 1, &parsed, e)
                   : err_set(e, ERR_USAGE, "there is no configuration");
  if (!code)
    *c = parsed;
  return code;
}

int config_among(const struct config *list, size_t n, const struct config *c)
{
  for (size_t i = 0; i < n; i++)
    if (!memcmp(&list[i], c, sizeof *c))
      return 1;
  return 0;
}
