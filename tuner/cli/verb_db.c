/* verb_db.c - tune db VERB: the store as files. */
// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/suggest.h"
#include "tuner/cli/cli.h"
#include "tuner/cli/db.h"

static const struct {
  const char *name;
  int (*run)(const struct options *r, struct err *e);
} verbs[] = {
    {"merge", db_merge},
};

enum {VERBS = sizeof verbs / sizeof *verbs};

static int unknown(const char *word, struct err *e)
{
  const char *names[VERBS];
  struct str list = {0};
  for (size_t i = 0; i < VERBS; i++) {
    names[i] = verbs[i].name;
    str_addf(&list, "%s%s", i ? ", " : "", names[i]);
  }
  const char *near = suggest(word, names, VERBS);
  err_set(e, ERR_USAGE, "there is no `tune db %s`%s%s%s; there are %s", word,
          near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "",
          list.at);
  str_free(&list);
  return e->code;
}

static int run(const struct options *r, struct err *e)
{
  if (r->nwords < 2)
    return err_set(e, ERR_USAGE, "what is to be done with the store? `tune help "
                   "db` says what there is");
  for (size_t i = 0; i < VERBS; i++)
    if (!strcmp(verbs[i].name, r->words[1]))
      return verbs[i].run(r, e);
  return unknown(r->words[1], e);
}

const struct verb verb_db = {
    "db", "db merge A B...", "join stores", run,
    "db merge A B...: what stores, tables, journals and nights hold goes into\n"
    "the store, or into --out (a folder, or one file). The order of A and B\n"
    "makes no difference. Of two winners that were made alike (same device,\n"
    "compiler, runtime, templates) the newer stays; else both stay, and a\n"
    "look-up takes measured before modelled ones, then the newest. Journals\n"
    "get every record once. Conflicts are listed.\n"};
