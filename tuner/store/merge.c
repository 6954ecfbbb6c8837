/* merge.c - see merge.h. */
// SPDX-License-Identifier: MIT
#include "tuner/store/merge.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "db/table.h"
#include "tuner/store/merge_nights.h"
#include "tuner/store/merge_records.h"

/* Files that go into one file of the target. */
struct batch {
  const struct merge_request *q;
  const struct store_file *const *files;
  size_t n;
  struct str path; /* of the target's */
};

/* --- tables -------------------------------------------------------------- */

struct tables {
  const struct batch *batch;
  struct record **rows; /* of the inputs */
  size_t n;
  struct merged *out;
};

static int by_number(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static uint64_t *hash_rows(struct record *const *rows, size_t n)
{
  uint64_t *list = mem_array(n + 1, sizeof *list);
  for (size_t i = 0; i < n; i++)
    list[i] = record_hash(rows[i]);
  qsort(list, n, sizeof *list, by_number);
  return list;
}

/* How many of the first are not among the second. */
static size_t others(const uint64_t *a, size_t n, const uint64_t *b, size_t m)
{
  size_t count = 0;
  for (size_t i = 0; i < n; i++)
    count += !m || !bsearch(&a[i], b, m, sizeof *b, by_number);
  return count;
}

static void edit_rows(void *user, struct record ***rows, size_t *n)
{
  struct tables *t = user;
  const struct merge_request *q = t->batch->q;
  size_t had = *n;
  uint64_t *before = hash_rows(*rows, had);
  *rows = mem_resize(*rows, (had + t->n + 1) * sizeof **rows);
  if (t->n)
    memcpy(*rows + had, t->rows, t->n * sizeof **rows);
  *n += t->n;
  t->n = 0; /* they are the table's */
  merge_rows(*rows, n, q->conflict, q->user);
  uint64_t *after = hash_rows(*rows, *n);
  t->out->rows = *n;
  t->out->added = others(after, *n, before, had);
  t->out->replaced = others(before, had, after, *n);
  free(before);
  free(after);
}

static void notice_table(void *user, const char *text)
{
  const struct merge_request *q = ((const struct tables *)user)->batch->q;
  if (q->notice)
    q->notice(q->user, text);
}

static int read_table(struct tables *t, const struct store_file *f,
                      struct err *e)
{
  struct table *from;
  int code = table_load_file(&from, f->path, notice_table, t, e);
  if (code)
    return code;
  size_t n = table_size(from);
  t->rows = mem_resize(t->rows, (t->n + n + 1) * sizeof *t->rows);
  for (size_t i = 0; i < n; i++) {
    const struct record *r = table_row(from, i);
    if (!strcmp(record_text(r, "arch"), f->folder) &&
        !strcmp(record_text(r, "family"), f->name))
      t->rows[t->n++] = record_copy(r);
    else if (!code)
      code = err_set(e, ERR_FAILED, "%s: its rows are of %s %s; merge it by its "
                     "own name, or rename it", f->path, record_text(r, "arch"),
                     record_text(r, "family"));
  }
  table_free(from);
  return code;
}

static int merge_tables(const struct batch *b, struct merged *out,
                        struct err *e)
{
  struct tables t = {.batch = b, .out = out};
  const struct table_editor editor = {&t, edit_rows, notice_table};
  int code = 0;
  for (size_t i = 0; i < b->n && !code; i++)
    code = read_table(&t, b->files[i], e);
  if (!code)
    code = table_edit_file(b->path.at, out->folder, out->name, &editor, NULL,
                           e);
  for (size_t i = 0; i < t.n; i++)
    record_free(t.rows[i]);
  free(t.rows);
  return code;
}

/* --- journals ------------------------------------------------------------ */

struct journals {
  const struct merge_request *q;
  const struct store_file *file;
  struct incoming *in;
  size_t strange; /* records of another arch or family */
};

static void take_record(void *user, struct record *r)
{
  struct journals *j = user;
  if (!strcmp(record_text(r, "arch"), j->file->folder) &&
      !strcmp(record_text(r, "family"), j->file->name)) {
    incoming_add(j->in, r);
  } else {
    j->strange++;
    record_free(r);
  }
}

static void notice_record(void *user, const char *text)
{
  const struct merge_request *q = ((const struct journals *)user)->q;
  if (q->notice)
    q->notice(q->user, text);
}

static int read_journal(struct journals *j, const struct store_file *f,
                        struct err *e)
{
  const struct journal_reader reader = {j, take_record, notice_record};
  j->file = f;
  j->strange = 0;
  int code = journal_read(f->path, &reader, e) < 0 ? e->code : 0;
  incoming_file(j->in);
  if (!code && j->strange)
    code = err_set(e, ERR_FAILED, "%s: %zu of its records are not of %s %s; is "
                   "it in the wrong folder?", f->path, j->strange, f->folder,
                   f->name);
  return code;
}

static int merge_journals(const struct batch *b, struct merged *out,
                          struct err *e)
{
  struct journals j = {.q = b->q, .in = incoming_open()};
  struct journal_edit edit = {0};
  int code = 0;
  for (size_t i = 0; i < b->n && !code; i++)
    code = read_journal(&j, b->files[i], e);
  if (!code)
    code = incoming_merge(j.in, b->path.at, b->q->notice, b->q->user, &edit,
                          e);
  out->added = edit.inserted;
  incoming_close(j.in);
  return code;
}

/* --- nights -------------------------------------------------------------- */

static int merge_night(const struct batch *b, struct merged *out,
                       struct err *e)
{
  struct merged_nights nights = {0};
  int code = merge_nights(b->q->out, b->files, b->n, b->q->notice, b->q->user,
                          &nights, e);
  out->added = nights.records;
  return code;
}

/* --- all ----------------------------------------------------------------- */

/* ORDER FILE_KIND */
static int (*const merges[])(const struct batch *b, struct merged *out,
                             struct err *e) = {merge_tables, merge_journals,
                                               merge_night};

static int into_file(const struct merge_request *q, enum file_kind *kind)
{
  struct stat st;
  return (stat(q->out, &st) || !S_ISDIR(st.st_mode)) &&
         !files_kind(q->out, kind, NULL) && *kind != FILE_NIGHT;
}

static void find_path(struct batch *b, const struct store_file *f)
{
  static const char *const ends[] = {"table", "journal", "night"};
  enum file_kind kind;
  const char *nights = f->kind == FILE_NIGHT ? "nights/" : "";
  str_clear(&b->path);
  if (into_file(b->q, &kind))
    str_add(&b->path, b->q->out);
  else
    str_addf(&b->path, "%s/%s%s/%s.%s", b->q->out, nights, f->folder, f->name,
             ends[f->kind]);
}

static int same_file(const char *a, const char *b)
{
  struct stat x, y;
  return !stat(a, &x) && !stat(b, &y) && x.st_ino == y.st_ino &&
         x.st_dev == y.st_dev;
}

/* The target itself may be among the inputs. */
static int merge_batch(const struct merge_request *q,
                       const struct store_file **files, size_t n,
                       struct err *e)
{
  struct batch b = {.q = q, .files = files};
  struct merged out = {.kind = files[0]->kind, .folder = files[0]->folder,
                       .name = files[0]->name};
  int code = 0;
  find_path(&b, files[0]);
  for (size_t i = 0; i < n; i++)
    if (!same_file(files[i]->path, b.path.at))
      files[b.n++] = files[i];
  out.files = b.n;
  if (b.n)
    code = merges[out.kind](&b, &out, e);
  if (b.n && !code && q->done)
    q->done(q->user, &out);
  str_free(&b.path);
  return code;
}

/* Journals first, then tables, then nights. */
static int order(const void *left, const void *right)
{
  static const int first[] = {1, 0, 2}; /* ORDER FILE_KIND */
  const struct store_file *a = *(const struct store_file *const *)left;
  const struct store_file *b = *(const struct store_file *const *)right;
  int by = first[a->kind] - first[b->kind];
  if (!by)
    by = strcmp(a->folder, b->folder);
  return by ? by : strcmp(a->name, b->name);
}

static size_t run_of(const struct store_file **list, size_t n)
{
  size_t m = 1;
  while (m < n && !order(&list[0], &list[m]))
    m++;
  return m;
}

/* One file takes what belongs into one. */
static int check_target(const struct merge_request *q,
                        const struct store_file **list, size_t n,
                        struct err *e)
{
  enum file_kind kind;
  if (!into_file(q, &kind) || (run_of(list, n) == n && list[0]->kind == kind))
    return 0;
  return err_set(e, ERR_USAGE, "%s: is one file, and the inputs belong into "
                 "several; name a folder", q->out);
}

/* The target's lock, so that of two merges one waits. */
static int lock_target(const struct merge_request *q, int *fd, struct err *e)
{
  struct str path = {0};
  enum file_kind kind;
  *fd = -1;
  if (into_file(q, &kind))
    return 0;
  str_addf(&path, "%s/merge.lock", q->out);
  int code = file_mkdirs(q->out, e);
  if (!code) {
    *fd = open(path.at, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    code = *fd < 0 ? err_set(e, ERR_FAILED, "%s: %s; choose a folder that you "
                             "may write to", path.at, strerror(errno))
                   : file_lock(*fd, path.at, e);
  }
  str_free(&path);
  return code;
}

static int merge_files(const struct merge_request *q,
                       const struct store_file **list, size_t n,
                       struct err *e)
{
  int lock;
  qsort(list, n, sizeof *list, order);
  int code = check_target(q, list, n, e);
  if (code || (code = lock_target(q, &lock, e)))
    return code;
  for (size_t i = 0, m; i < n && !code; i += m) {
    m = run_of(list + i, n - i);
    code = merge_batch(q, list + i, m, e);
  }
  if (lock >= 0)
    close(lock);
  return code;
}

int merge(const struct merge_request *q, struct err *e)
{
  struct store_files files = {0};
  int code = 0;
  for (size_t i = 0; i < q->n && !code; i++)
    code = files_find(&files, q->inputs[i], e);
  const struct store_file **list = mem_array(files.n + 1, sizeof *list);
  for (size_t i = 0; i < files.n; i++)
    list[i] = &files.list[i];
  if (!code && files.n)
    code = merge_files(q, list, files.n, e);
  free(list);
  files_free(&files);
  return code;
}
