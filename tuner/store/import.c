/* import.c - see import.h. */
// SPDX-License-Identifier: MIT
#include "tuner/store/import.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arch/arch.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/status.h"
#include "db/table.h"
#include "tuner/store/merge_records.h"
#include "db/provenance.h"

enum {MOST = 1 << 30}; /* bytes of a file */

/* --- import -------------------------------------------------------------- */

static int legal(const char *name)
{
  return *name && *name != '.' && !strchr(name, '/') && strlen(name) < 100;
}

static void set_default(struct record *r, const char *field,
                        const char *value)
{
  if (!*record_text(r, field) && value)
    record_set(r, field, "%s", value);
}

static void today(char out[32])
{
  time_t now = time(NULL);
  struct tm tm;
  strftime(out, 32, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
}

/* Where it came from, and what it must have. */
static int complete(const struct import_request *q, const char *origin,
                    const char *date, struct record *r, struct err *e)
{
  set_default(r, "arch", q->arch);
  set_default(r, "family", q->family);
  set_default(r, "device", "not known");
  set_default(r, "problem", "not known");
  set_default(r, "date", date);
  const char *source = record_text(r, "source");
  if (strcmp(source, "imported") != 0) {
    set_default(r, "imported_source", *source ? source : NULL);
    set_default(r, "imported", origin);
  }
  record_set(r, "source", "imported");
  if (!arch_find(record_text(r, "arch")))
    return err_set(e, ERR_FAILED, "the architecture '%.60s' is not known; say "
                   "which with --arch", record_text(r, "arch"));
  if (!legal(record_text(r, "family")))
    return err_set(e, ERR_FAILED, "'%.60s' names no kernel family; say which as "
                   "the last word", record_text(r, "family"));
  if (status_parse(record_text(r, "status")) < 0)
    return err_set(e, ERR_FAILED, "the status '%.60s' is none",
                   record_text(r, "status"));
  if (!*record_text(r, "config"))
    return err_set(e, ERR_FAILED, "it has no configuration");
  return 0;
}

static int complete_all(const struct import_request *q,
                        const struct str *text, struct results *r,
                        struct err *e)
{
  const char *slash = strrchr(q->path, '/');
  char hash[HASH_TEXT], date[32];
  struct str origin = {0}, line = {0};
  int code = 0;
  hash_hex(text->at, text->len, hash);
  today(date);
  str_addf(&origin, "%s-%.8s", slash ? slash + 1 : q->path, hash);
  for (size_t i = 0; i < r->n && !code; i++) {
    code = complete(q, origin.at, date, r->list[i], e);
    str_clear(&line);
    record_format(r->list[i], &line);
    if (!code && line.len > RECORD_LINE)
      code = err_set(e, ERR_FAILED, "it is longer than %d bytes", RECORD_LINE);
    if (code)
      err_prefix(e, "%s: result %zu", q->path, i + 1);
  }
  str_free(&origin);
  str_free(&line);
  return code;
}

static int by_journal(const void *left, const void *right)
{
  const struct record *a = *(struct record *const *)left;
  const struct record *b = *(struct record *const *)right;
  int order = strcmp(record_text(a, "arch"), record_text(b, "arch"));
  return order ? order : strcmp(record_text(a, "family"),
                                record_text(b, "family"));
}

/* Those that go into the journal of the first of them. */
static int store_run(const struct import_request *q, struct record **list,
                     size_t n, size_t *added, struct err *e)
{
  struct incoming *in = incoming_open();
  struct journal_edit edit = {0};
  struct str path = {0};
  str_addf(&path, "%s/%s/%s.journal", q->store, record_text(list[0], "arch"),
           record_text(list[0], "family"));
  for (size_t i = 0; i < n; i++)
    incoming_add(in, record_copy(list[i]));
  int code = incoming_merge(in, path.at, q->notice, q->user, &edit, e);
  *added += edit.inserted;
  incoming_close(in);
  str_free(&path);
  return code;
}

static int store_all(const struct import_request *q, struct results *r,
                     size_t *added, struct err *e)
{
  int code = 0;
  if (r->n)
    qsort(r->list, r->n, sizeof *r->list, by_journal);
  for (size_t i = 0, n; i < r->n && !code; i += n) {
    for (n = 1; i + n < r->n && !by_journal(&r->list[i], &r->list[i + n]);)
      n++;
    code = store_run(q, r->list + i, n, added, e);
  }
  return code;
}

int import_file(const struct import_request *q, size_t *read, size_t *added,
                struct err *e)
{
  const struct exchange_format *f;
  struct results r = {0};
  struct str text = {0};
  *read = *added = 0;
  int code = file_read(q->path, MOST, &text, e);
  if (!code)
    code = exchange_find(q->format, &text, q->path, &f, e);
  if (!code)
    code = f->read(q->path, &text, &r, e);
  if (!code && !r.n)
    code = err_set(e, ERR_FAILED, "%s: holds no result", q->path);
  if (!code)
    code = complete_all(q, &text, &r, e);
  if (!code)
    code = store_all(q, &r, added, e);
  *read = r.n;
  results_free(&r);
  str_free(&text);
  return code;
}

/* --- export -------------------------------------------------------------- */

struct reading {
  struct results *out;
  const char *arch, *family;
  void (*notice)(void *user, const char *text);
  void *user;
};

static void take(void *user, struct record *r)
{
  const struct reading *g = user;
  if ((g->arch && strcmp(record_text(r, "arch"), g->arch)) ||
      (g->family && strcmp(record_text(r, "family"), g->family)))
    record_free(r);
  else
    results_add(g->out, r);
}

static void say(void *user, const char *text)
{
  const struct reading *g = user;
  if (g->notice)
    g->notice(g->user, text);
}

static int read_table(struct reading *g, const char *path, struct err *e)
{
  struct table *t;
  int code = table_load_file(&t, path, say, g, e);
  for (size_t i = 0; !code && i < table_size(t); i++)
    take(g, record_copy(table_row(t, i)));
  if (!code)
    table_free(t);
  return code;
}

/* A winner is in the journal as well. */
static int has_journal(const struct store_files *files,
                       const struct store_file *table)
{
  for (size_t i = 0; i < files->n; i++)
    if (files->list[i].kind == FILE_JOURNAL &&
        !strcmp(files->list[i].folder, table->folder) &&
        !strcmp(files->list[i].name, table->name))
      return 1;
  return 0;
}

int export_read(const struct store_files *files, const char *arch,
                const char *family,
                void (*notice)(void *user, const char *text), void *user,
                struct results *out, struct err *e)
{
  struct reading g = {out, arch, family, notice, user};
  const struct journal_reader reader = {&g, take, say};
  int code = 0;
  for (size_t i = 0; i < files->n && !code; i++) {
    const struct store_file *f = &files->list[i];
    if (f->kind == FILE_JOURNAL)
      code = journal_read(f->path, &reader, e) < 0 ? e->code : 0;
    else if (f->kind == FILE_TABLE && !has_journal(files, f))
      code = read_table(&g, f->path, e);
  }
  return code;
}

/* Of one provenance in their order of dates; each sort is stable by text. */
static int by_provenance(const void *left, const void *right)
{
  const struct record *a = *(struct record *const *)left;
  const struct record *b = *(struct record *const *)right;
  int order = provenance_compare(a, b);
  if (!order)
    order = strcmp(record_text(a, "date"), record_text(b, "date"));
  return order ? order : strcmp(record_text(a, "config"),
                                record_text(b, "config"));
}

void export_sort(struct results *r)
{
  if (r->n)
    qsort(r->list, r->n, sizeof *r->list, by_provenance);
}

size_t export_run(const struct results *r, size_t from)
{
  size_t to = from + 1;
  while (to < r->n && !provenance_compare(r->list[from], r->list[to]))
    to++;
  return to;
}
