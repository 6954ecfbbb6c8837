/* verb_db_exchange.c - tune db export and import. */
// SPDX-License-Identifier: MIT
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/hash.h"
#include "tuner/cli/cli.h"
#include "tuner/cli/db.h"
#include "tuner/session/history.h"
#include "tuner/store/import.h"

/* --- export -------------------------------------------------------------- */

static int write_out(const char *path, const struct str *text, struct err *e)
{
  if (path)
    return file_replace(path, str_text(text), text->len, e);
  fwrite(str_text(text), 1, text->len, stdout); /* a failure is told at the end */
  return 0;
}

/* A file for each problem and provenance, named by its hash. */
static int write_run(const struct options *r, const struct exchange_format *f,
                     const struct results *run, struct err *e)
{
  const struct record *first = run->list[0];
  struct str text = {0}, path = {0};
  char hash[HASH_TEXT];
  f->write(run, &text);
  str_addf(&path, "%s %s %s", record_text(first, "problem"),
           record_text(first, "device"), record_text(first, "compiler"));
  hash_hex(path.at, path.len, hash);
  str_clear(&path);
  str_addf(&path, "%s/%s-%s-%.8s%s", r->out, record_text(first, "arch"),
           record_text(first, "family"), hash, f->end);
  int code = write_out(path.at, &text, e);
  if (!code)
    cli_row(path.at, record_text(first, "problem"));
  str_free(&path);
  str_free(&text);
  return code;
}

static int write_runs(const struct options *r, const struct exchange_format *f,
                      const struct results *all, struct err *e)
{
  int code = file_mkdirs(r->out, e);
  for (size_t i = 0, to; i < all->n && !code; i = to) {
    to = export_run(all, i);
    const struct results run = {.n = to - i, .list = all->list + i};
    code = write_run(r, f, &run, e);
  }
  return code;
}

static int write_all(const struct options *r, const struct exchange_format *f,
                     struct results *all, struct err *e)
{
  struct stat st;
  export_sort(all);
  if (!all->n)
    return err_set(e, ERR_FAILED, "there is no result to export%s%s",
                   r->arch ? " of " : "", r->arch ? r->arch : "");
  int folder = r->out && ((!stat(r->out, &st) && S_ISDIR(st.st_mode)) ||
                          r->out[strlen(r->out) - 1] == '/');
  if (f->one && folder)
    return write_runs(r, f, all, e);
  if (f->one && export_run(all, 0) < all->n)
    return err_set(e, ERR_USAGE, "--format %s has one problem and provenance a "
                   "file, and there are several: name a folder, --out DIR/",
                   f->name);
  struct str text = {0};
  f->write(all, &text);
  int code = write_out(r->out, &text, e);
  str_free(&text);
  return code;
}

int db_export(const struct options *r, struct err *e)
{
  const struct exchange_format *f;
  struct store_files files = {0};
  struct results all = {0};
  int code = options_keys(r, NULL, e);
  if (!code)
    code = exchange_find(r->format ? r->format : "csv", NULL, NULL, &f, e);
  if (!code)
    code = db_files(r, &files, e);
  if (!code)
    code = export_read(&files, r->arch, NULL, cli_notice, NULL, &all, e);
  if (!code)
    code = write_all(r, f, &all, e);
  results_free(&all);
  files_free(&files);
  return code;
}

/* --- import -------------------------------------------------------------- */

static void print(const struct options *r, const char *path, size_t n,
                  size_t added)
{
  if (r->json) {
    json_t *o = json_pack("{ss ss sI sI}", "type", "imported", "file", path,
                          "results", (json_int_t)n, "added",
                          (json_int_t)added);
    json_dumpf(o, stdout, JSON_COMPACT);
    putchar('\n');
    json_decref(o);
    return;
  }
  cli_rowf(path, "%zu results, %zu of them new; marked as imported", n, added);
}

int db_import(const struct options *r, struct err *e)
{
  struct str store = {0};
  struct import_request q = {.format = r->format, .arch = r->arch,
                             .notice = cli_notice};
  size_t n, added;
  if (options_keys(r, NULL, e))
    return e->code;
  if (r->nwords < 3 || r->nwords > 4)
    return err_set(e, ERR_USAGE, "which file? `tune db import FILE [FAMILY] "
                   "--arch ARCH`");
  q.path = r->words[2];
  q.family = r->nwords > 3 ? r->words[3] : NULL;
  int code = history_folder(r->db, &store, e);
  q.store = store.at;
  if (!code)
    code = import_file(&q, &n, &added, e);
  if (!code)
    print(r, q.path, n, added);
  str_free(&store);
  return code;
}
