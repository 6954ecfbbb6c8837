/* verb_db.c - tune db VERB: the store as files. */
// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/suggest.h"
#include "tuner/cli/cli.h"
#include "tuner/cli/db.h"
#include "tuner/session/history.h"

static const struct {
  const char *name;
  int (*run)(const struct options *r, struct err *e);
} verbs[] = {
    {"check", db_check},   {"merge", db_merge},   {"prune", db_prune},
    {"export", db_export}, {"import", db_import}, {"fit", db_fit},
};

enum {VERBS = sizeof verbs / sizeof *verbs};

int db_files(const struct options *r, struct store_files *out, struct err *e)
{
  struct str store = {0};
  int code = 0;
  for (size_t i = 2; i < r->nwords && !code; i++)
    code = files_find(out, r->words[i], e);
  if (r->nwords < 3 && !(code = history_folder(r->db, &store, e)))
    code = files_find(out, store.at, e);
  str_free(&store);
  return code;
}

static int unknown(const char *word, struct err *e)
{
  const char *names[VERBS];
  struct str list = {0};
  for (size_t i = 0; i < VERBS; i++) {
    names[i] = verbs[i].name;
    str_addf(&list, "%s%s", i ? ", " : "", names[i]);
  }
  const char *near = suggest(word, names, VERBS);
  err_set(e, ERR_USAGE, "there is no `tune db %s`%s%s%s there are %s", word,
          near ? "; did you mean '" : "", near ? near : "", near ? "'?" : ";",
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
    "db", "db VERB [PATH...]", "the store as files: check, merge, ...", run,
    "PATH is a store, a folder of one, or a table, journal or night; without\n"
    "any it is the store. docs/store.md has the rules.\n"
    "  db check [PATH...]    what is stale, damaged, duplicated or misplaced,\n"
    "                        why, and what to do; status 1 if there is any\n"
    "  db merge A B...       into the store or --out (a folder, or a file), in\n"
    "                        any order. Of two winners that were made alike the\n"
    "                        newer stays; else both. Conflicts are listed\n"
    "  db prune [PATH...]    take out of journals what nothing needs: results\n"
    "                        that later ones replace, and of what was made with\n"
    "                        things not used for --days all but the fastest two\n"
    "  db fit FAMILY [PATH...]   --kernels N of --arch ARCH that lose least on all\n"
    "                        stored problems, and what each loses\n"
    "  db export [PATH...]   as --format csv, t4, kernel-tuner or tunableop\n"
    "  db import FILE [FAMILY]   such a file, marked as imported: it never\n"
    "                        counts as a result of this device\n"};
