/* provenance.c - see provenance.h. */
// SPDX-License-Identifier: MIT
#include "db/provenance.h"

#include <string.h>

#include "base/hash.h"

struct names {
  size_t n;
  const char *const *list;
};

static const char *const question_names[] = {
    "arch", "family", "problem", "device", "cus", "source", "hot"};
static const char *const maker_names[] = {"template", "compiler", "runtime",
                                          "driver", "firmware", "imported"};

static const struct names question = {7, question_names};
static const struct names makers = {6, maker_names};

/* hot=0 and no word of it are the same. */
static const char *text(const struct record *r, const char *name)
{
  const char *value = record_text(r, name);
  return !strcmp(name, "hot") && !strcmp(value, "0") ? "" : value;
}

static int compare(const struct names *names, const struct record *a,
                   const struct record *b)
{
  int order = 0;
  for (size_t i = 0; i < names->n && !order; i++)
    order = strverscmp(text(a, names->list[i]), text(b, names->list[i]));
  return order;
}

int question_compare(const struct record *a, const struct record *b)
{
  return compare(&question, a, b);
}

int provenance_compare(const struct record *a, const struct record *b)
{
  int order = compare(&question, a, b);
  return order ? order : compare(&makers, a, b);
}

static void add(const struct names *names, const struct record *r,
                struct str *out)
{
  for (size_t i = 0; i < names->n; i++)
    str_addf(out, "%s\n", text(r, names->list[i]));
}

static uint64_t hash(const struct str *text)
{
  return hash_64(text->at, text->len);
}

uint64_t question_hash(const struct record *r)
{
  struct str out = {0};
  add(&question, r, &out);
  uint64_t h = hash(&out);
  str_free(&out);
  return h;
}

uint64_t provenance_hash(const struct record *r)
{
  struct str out = {0};
  add(&question, r, &out);
  add(&makers, r, &out);
  uint64_t h = hash(&out);
  str_free(&out);
  return h;
}

void provenance_differs(const struct record *a, const struct record *b,
                        struct str *out)
{
  for (size_t i = 0; i < makers.n; i++) {
    const char *name = makers.list[i];
    int most = strcmp(name, "template") ? 40 : 8;
    if (strcmp(text(a, name), text(b, name)) != 0)
      str_addf(out, "%s%s %.*s and %.*s", out->len ? ", " : "", name, most,
               text(a, name), most, text(b, name));
  }
}
