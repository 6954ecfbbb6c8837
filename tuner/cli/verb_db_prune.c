/* verb_db_prune.c - tune db prune [PATH...]: results that nothing needs. */
// SPDX-License-Identifier: MIT
#include <jansson.h>
#include <stdio.h>

#include "tuner/cli/cli.h"
#include "tuner/cli/db.h"
#include "tuner/store/prune.h"

static void print(const struct options *r, const char *path,
                  const struct pruned *p)
{
  if (r->json) {
    json_t *o = json_pack(
        "{ss ss sI sI sI sI sb}", "type", "pruned", "file", path, "kept",
        (json_int_t)p->kept, "superseded", (json_int_t)p->superseded,
        "outdated", (json_int_t)p->outdated, "damaged", (json_int_t)p->damaged,
        "dry", r->dry_run);
    json_dumpf(o, stdout, JSON_COMPACT);
    putchar('\n');
    json_decref(o);
    return;
  }
  struct str text = {0};
  str_addf(&text, "%zu %s, %zu %s: %zu superseded by a later result, %zu made "
           "with what is not used any more, %zu damaged", p->kept,
           r->dry_run ? "would stay" : "stay",
           p->superseded + p->outdated + p->damaged,
           r->dry_run ? "would go" : "went", p->superseded, p->outdated,
           p->damaged);
  cli_row(path, text.at);
  str_free(&text);
}

static int prune_file(const struct options *r, const struct store_file *f,
                      struct err *e)
{
  const struct prune_request q = {.days = (int)r->days, .dry = r->dry_run,
                                  .notice = cli_notice};
  struct pruned p = {0};
  if (f->kind == FILE_NIGHT)
    return 0;
  int code = f->kind == FILE_TABLE ? prune_table(&q, f->path, &p, e)
                                   : prune_journal(&q, f->path, &p, e);
  if (!code && (f->kind == FILE_JOURNAL || p.superseded))
    print(r, f->path, &p);
  return code;
}

int db_prune(const struct options *r, struct err *e)
{
  struct store_files files = {0};
  int code = options_keys(r, NULL, e);
  if (!code)
    code = db_files(r, &files, e);
  for (size_t i = 0; i < files.n && !code; i++)
    code = prune_file(r, &files.list[i], e);
  files_free(&files);
  return code;
}
