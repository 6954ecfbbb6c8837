/* draw.c - see draw.h. */
// SPDX-License-Identifier: MIT
#include "tests/emitted/draw.h"

#include <stdio.h>

enum {TRIES = 200, WIDTH = 64};

/* Half of the time the default, else something near it; 0 stands for "as it
 * comes", which a large number replaces at times. */
static long long draw_size(const struct key *k, struct rng *r)
{
  long long d = k->standard.i, tenth = d / 10 + 1;
  const long long near[] = { d, d, d, d, d / 2, d / 3, d * 2, d - 1,
                             d / 16 + (long long)rng_below(r, 64),
                             d - (long long)rng_below(r, (uint64_t)tenth) };
  long long n = near[rng_below(r, sizeof near / sizeof *near)];
  if (!d)
    n = rng_below(r, 8) ? 0 : 8192;
  return n < k->min ? k->min : n > k->max ? k->max : n;
}

static struct value draw_value(const struct key *k, struct rng *r)
{
  struct value v = k->standard;
  if (k->nvalues)
    v = k->values[rng_below(r, k->nvalues)];
  else if (v.kind == VALUE_INT)
    v.i = draw_size(k, r);
  else if (!rng_below(r, 3))
    v.d = 0.5;
  return v;
}

static int from_texts(struct family *f, size_t n, const char **names,
                      char texts[][WIDTH], struct problem *p, struct err *e)
{
  const char *list[FAMILY_KEYS];
  for (size_t i = 0; i < n; i++)
    list[i] = texts[i];
  return family_problem(f, names, list, n, p, e);
}

int draw_problem(struct family *f, struct rng *r, struct problem *p)
{
  const struct key *keys;
  const char *names[FAMILY_KEYS];
  char texts[FAMILY_KEYS][WIDTH];
  size_t n = family_keys(f, &keys);
  for (int i = 0; i < TRIES; i++) {
    for (size_t k = 0; k < n; k++) {
      struct value v = draw_value(&keys[k], r);
      names[k] = keys[k].name;
      value_format(&v, texts[k], WIDTH);
    }
    if (!from_texts(f, n, names, texts, p, NULL))
      return 1;
  }
  return 0;
}

int draw_translate(const struct family *from, const struct problem *p,
                   struct family *to, struct problem *out, struct err *e)
{
  const struct key *keys;
  const char *names[FAMILY_KEYS];
  char texts[FAMILY_KEYS][WIDTH];
  size_t n = family_keys(from, &keys);
  for (size_t k = 0; k < n; k++) {
    names[k] = keys[k].name;
    value_format(&p->values[k], texts[k], WIDTH);
  }
  return from_texts(to, n, names, texts, out, e);
}

void draw_options(const struct family *f, const struct problem *p,
                  struct str *out)
{
  const struct key *keys;
  char text[WIDTH];
  size_t n = family_keys(f, &keys);
  for (size_t k = 0; k < n; k++) {
    value_format(&p->values[k], text, sizeof text);
    str_addf(out, "%s--%s %s", k ? " " : "", keys[k].name, text);
  }
}
