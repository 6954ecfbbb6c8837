/* verb_help.c - tune help [VERB|FAMILY]. */
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "tuner/cli/cli.h"

/* "  form    meaning" */
static void print_form(size_t at, const char *word, const char *form,
                       const char *meaning)
{
  struct str label = {0};
  str_addf(&label, "  %s%s", word, form);
  cli_entry(label.at, at, meaning);
  str_free(&label);
}

static void print_options(const char *verb)
{
  const char *form, *meaning;
  printf("\nOptions, as --name value or --name=value:\n");
  for (size_t i = 0; options_help(i, verb, &form, &meaning); i++)
    if (form)
      print_form(27, "", form, meaning);
}

static void overview(void)
{
  const struct verb *v;
  printf("tune finds the fastest configuration of a GPU kernel family.\n\n");
  for (size_t i = 0; (v = cli_verb(i)); i++)
    print_form(44, "tune ", v->form, v->meaning);
  printf("\nFor example:\n"
         "  tune gemm --arch gfx906 --m 1024 --n 1024 --k 512\n");
  print_options(cli_verb(0)->name);
  printf("\n");
  cli_lines("These are options of `tune FAMILY`; `tune help VERB` lists those "
            "of a verb,\n`tune help FAMILY` the keys of a problem. Results go "
            "to stdout, progress to\nstderr. Exit status: 0 done, 1 failed, 2 "
            "wrong usage, 3 a gate was crossed,\n130 interrupted (what was "
            "measured is kept).\n");
}

static void verb_page(const struct verb *v)
{
  struct str text = {0};
  str_addf(&text, "tune %s - %s\n\n%s", v->form, v->meaning, v->more);
  cli_lines(text.at);
  str_free(&text);
  print_options(v->name);
}

static void add_values(const struct value *values, size_t n, struct str *to)
{
  char text[64];
  for (size_t i = 0; i < n; i++) {
    value_format(&values[i], text, sizeof text);
    str_addf(to, "%s%s", i ? ", " : "", text);
  }
}

static void print_key(const struct key *k)
{
  struct str label = {0}, line = {0};
  str_addf(&label, "--%s", k->name);
  str_addf(&line, "%s (", k->meaning);
  add_values(&k->standard, 1, &line);
  str_add(&line, k->nvalues ? "; of " : "");
  add_values(k->values, k->nvalues, &line);
  str_add(&line, ")");
  cli_row(label.at, line.at);
  str_free(&label);
  str_free(&line);
}

static void print_tunable(const struct tunable *t)
{
  struct str line = {0};
  str_addf(&line, "%s: ", t->meaning);
  add_values(t->values, t->nvalues, &line);
  cli_row(t->name, line.at);
  str_free(&line);
}

static int family_page(const struct options *r, const char *name,
                       struct err *e)
{
  struct family *f;
  const struct key *keys;
  const struct tunable *tunables;
  if (family_open(&f, name, r->templates, e))
    return e->code;
  printf("%s - %s\n\nKeys of a problem:\n", family_name(f),
         family_meaning(f));
  size_t n = family_keys(f, &keys);
  for (size_t i = 0; i < n; i++)
    print_key(&keys[i]);
  printf("\nTunables:\n");
  n = family_tunables(f, &tunables);
  for (size_t i = 0; i < n; i++)
    print_tunable(&tunables[i]);
  family_close(f);
  return 0;
}

/* `tune help X` and `tune X --help` are the same. */
static int run(const struct options *r, struct err *e)
{
  size_t i = r->nwords && !strcmp(r->words[0], verb_help.name) ? 1 : 0;
  const char *what = i < r->nwords ? r->words[i] : NULL;
  const struct verb *v;
  if (i == 1 && options_keys(r, NULL, e))
    return e->code;
  if (!what) {
    overview();
    return 0;
  }
  for (size_t j = 1; (v = cli_verb(j)); j++)
    if (!strcmp(v->name, what)) {
      verb_page(v);
      return 0;
    }
  return family_page(r, what, e);
}

const struct verb verb_help = {
    "help", "help [VERB|FAMILY]", "this page, a verb's or a family's", run,
    "A family's page lists its problem keys and tunables.\n"};
