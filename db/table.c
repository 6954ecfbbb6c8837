/* table.c - see table.h. */
// SPDX-License-Identifier: MIT
#include "db/table.h"

#include <dirent.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/mem.h"
#include "db/lines.h"
#include "db/lookup.h"

struct table {
  size_t n, room;
  struct record **rows; /* sorted */
  struct lookup problems;
};

/* The files of a table; name is that of the table in its folder. */
struct paths {
  char folder[PATH_MAX], table[PATH_MAX], lock[PATH_MAX];
  const char *name;
};

static int legal(const char *name)
{
  return name && *name && *name != '.' && !strchr(name, '/');
}

static int find_paths(struct paths *p, const char *dir, const char *arch,
                      const char *family, struct err *e)
{
  if (!legal(arch) || !legal(family))
    return err_set(e, ERR_FAILED,
                   "%s: arch '%s' and family '%s' do not name a table", dir,
                   arch ? arch : "", family ? family : "");
  int n = snprintf(p->folder, PATH_MAX, "%s/%s", dir, arch);
  int m = snprintf(p->table, PATH_MAX, "%s/%s/%s.table", dir, arch, family);
  snprintf(p->lock, PATH_MAX, "%s/%s/%s.lock", dir, arch, family);
  if (n < 0 || m < 0 || m >= PATH_MAX - 32) /* room for .damaged-N */
    return err_set(e, ERR_FAILED, "%s: path too long", dir);
  p->name = p->table + n + 1;
  return 0;
}

/* The key, most significant first. strverscmp puts m=512 before m=1024. */
static int compare(const struct record *a, const struct record *b)
{
  static const char *const key[] = {"problem", "device", "cus", "source",
                                    "hot"};
  int order = 0;
  for (size_t i = 0; i < sizeof key / sizeof *key && !order; i++)
    order = strverscmp(record_text(a, key[i]), record_text(b, key[i]));
  return order;
}

/* A total order: rows of one key (two branches were merged) by date. */
static int compare_rows(const void *left, const void *right)
{
  const struct record *a = *(struct record *const *)left;
  const struct record *b = *(struct record *const *)right;
  int order = compare(a, b);
  if (!order)
    order = strcmp(record_text(a, "date"), record_text(b, "date"));
  if (!order)
    order = strcmp(record_text(a, "config"), record_text(b, "config"));
  return order;
}

static void add(struct table *t, struct record *r)
{
  if (t->n == t->room) {
    t->room = t->room ? 2 * t->room : 64;
    t->rows = mem_resize(t->rows, t->room * sizeof *t->rows);
  }
  t->rows[t->n++] = r;
}

/* A file that we wrote is sorted already. */
static void sort(struct table *t)
{
  size_t i = 1;
  while (i < t->n && compare_rows(&t->rows[i - 1], &t->rows[i]) <= 0)
    i++;
  if (i < t->n)
    qsort(t->rows, t->n, sizeof *t->rows, compare_rows);
}

/* What keeps a row out of a table, or NULL. */
static const char *misfit(const struct record *r, const char *arch,
                          const char *family)
{
  const char *source = record_text(r, "source");
  if (strcmp(record_text(r, "arch"), arch))
    return "its arch is not the table's";
  if (strcmp(record_text(r, "family"), family))
    return "its family is not the table's";
  if (!record_get(r, "problem"))
    return "it has no problem";
  if (strcmp(source, "measured") && strcmp(source, "modelled"))
    return "its source is neither measured nor modelled";
  return NULL;
}

/* What the last line of a table says of those before it: their number, and a
 * sum over them in their order. */
struct total {
  size_t rows;
  uint64_t sum;
};

struct loading {
  struct table *table;
  const char *path, *arch, *family;
  void (*notice)(void *, const char *);
  void *user;
  size_t damaged;
  struct total seen, told;
  int ends; /* last lines, and rows behind one; one it should be */
  struct lines_end end;
};

static void say(const struct loading *l, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void say(const struct loading *l, const char *format, ...)
{
  struct str text = {0};
  char what[PATH_MAX + 300];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  str_addf(&text, "%s%s", l->path, what);
  if (l->notice)
    l->notice(l->user, text.at);
  str_free(&text);
}

/* A table is written whole: a cut last line is damage. */
static void refuse(void *user, size_t line, int torn, const char *why)
{
  struct loading *l = user;
  (void)torn;
  if (!why) {
    say(l, ":%zu: the last line has lost its end", line);
    return;
  }
  l->damaged++;
  say(l, ":%zu: not used: %s", line, why);
}

static void count(struct total *t, uint64_t hash)
{
  uint64_t both[2] = {htole64(t->sum), htole64(hash)};
  t->sum = hash_64(both, sizeof both);
  t->rows++;
}

/* `rows` and `sum`, where no row can have them. */
static int take_end(struct loading *l, const struct record *r)
{
  if (!record_get(r, "rows") || record_get(r, "problem"))
    return 0;
  l->ends++;
  l->told.rows = strtoull(record_text(r, "rows"), NULL, 10);
  l->told.sum = strtoull(record_text(r, "sum"), NULL, 16);
  return 1;
}

static void add_end(const struct total *t, struct str *text)
{
  struct record *r = record_new();
  record_set(r, "rows", "%zu", t->rows);
  record_set(r, "sum", "%016llx", (unsigned long long)t->sum);
  record_format(r, text);
  str_add(text, "\n");
  record_free(r);
}

/* Are the rows those that were written? */
static void judge(const struct loading *l)
{
  if (l->end.bytes < 0)
    return;
  if (!l->ends)
    say(l, ": its last line, which counts the rows, is not there: it was cut "
        "off, or an older version wrote the table; the rows that are here are "
        "used");
  else if (l->ends > 1 || l->seen.rows != l->told.rows ||
           l->seen.sum != l->told.sum)
    say(l, ": rows are lost, or it was changed by other programs: %zu are "
        "sound, %zu were written; those that are here are used",
        l->seen.rows, l->told.rows);
}

static void take(void *user, struct record *r, size_t line, uint64_t hash)
{
  struct loading *l = user;
  if (take_end(l, r)) {
    record_free(r);
    return;
  }
  count(&l->seen, hash);
  l->ends += l->ends > 0;
  const char *why = misfit(r, l->arch, l->family);
  if (why) {
    refuse(l, line, 0, why);
    record_free(r);
  } else {
    add(l->table, r);
  }
}

static int load(struct loading *l, struct err *e)
{
  struct lines lines = {l, take, refuse, NULL, NULL};
  l->table = mem_alloc(sizeof *l->table);
  int code = lines_read(l->path, &lines, &l->end, e);
  if (code) {
    table_free(l->table);
    l->table = NULL;
  } else {
    judge(l);
    sort(l->table);
  }
  return code;
}

void table_free(struct table *t)
{
  if (!t)
    return;
  for (size_t i = 0; i < t->n; i++)
    record_free(t->rows[i]);
  lookup_free(&t->problems);
  free(t->rows);
  free(t);
}

size_t table_size(const struct table *t)
{
  return t->n;
}

const struct record *table_row(const struct table *t, size_t i)
{
  return t->rows[i];
}

static int measured(const struct record *r)
{
  return !strcmp(record_text(r, "source"), "measured");
}

/* Timed with its data left in the caches. */
static int hot(const struct record *r)
{
  return record_number(r, "hot", 0) > 0;
}

static int better(const struct record *a, const struct record *b)
{
  if (measured(a) != measured(b))
    return measured(a);
  if (hot(a) != hot(b))
    return hot(b);
  return strcmp(record_text(a, "date"), record_text(b, "date")) > 0;
}

static void look_up(struct table *t)
{
  lookup_free(&t->problems);
  lookup_build(&t->problems, t->rows, t->n, better);
}

int table_load(struct table **out, const char *dir, const char *arch,
               const char *family, void (*notice)(void *, const char *),
               void *user, struct err *e)
{
  *out = NULL;
  struct paths paths;
  int code = find_paths(&paths, dir, arch, family, e);
  if (code)
    return code;
  struct loading l = {.path = paths.table, .arch = arch, .family = family,
                      .notice = notice, .user = user};
  code = load(&l, e);
  *out = l.table;
  if (!code)
    look_up(l.table);
  return code;
}

const struct record *table_find(const struct table *t, const char *problem,
                                const char *device)
{
  const struct lookup_rows *at = lookup_find(&t->problems, problem);
  const struct record *found = NULL;
  if (!at)
    return NULL;
  if (!device)
    return t->rows[at->best];
  for (size_t i = at->first; i < (size_t)at->first + at->n; i++) {
    const struct record *r = t->rows[i];
    if (!strcmp(record_text(r, "device"), device) &&
        (!found || better(r, found)))
      found = r;
  }
  return found;
}

/* Of the rows that are looked up. */
static int has_key(const struct table *t, const struct record *row)
{
  const struct lookup_rows *at =
      lookup_find(&t->problems, record_text(row, "problem"));
  for (size_t i = 0; at && i < at->n; i++)
    if (!compare(t->rows[at->first + i], row))
      return 1;
  return 0;
}

void table_lay_over(struct table *t, const struct table *beneath,
                    const char *mark)
{
  for (size_t i = 0; i < beneath->n; i++) {
    if (has_key(t, beneath->rows[i]))
      continue;
    struct record *copy = record_copy(beneath->rows[i]);
    record_set(copy, mark, "1");
    add(t, copy);
  }
  sort(t);
  look_up(t);
}

/* Replace the rows with the key of row. */
static void replace(struct table *t, const struct record *row)
{
  size_t kept = 0;
  for (size_t i = 0; i < t->n; i++) {
    if (compare(t->rows[i], row))
      t->rows[kept++] = t->rows[i];
    else
      record_free(t->rows[i]);
  }
  t->n = kept;
  add(t, record_copy(row));
  sort(t);
}

/* Copy the table as it is before its damaged lines go. */
static int keep_damaged(const struct loading *l, struct err *e)
{
  char path[PATH_MAX + 16];
  unsigned n = 1;
  do
    snprintf(path, sizeof path, "%s.damaged-%u", l->path, n++);
  while (file_exists(path));
  struct str old = {0};
  int code = file_read(l->path, SIZE_MAX, &old, e);
  if (!code)
    code = file_replace(path, str_text(&old), old.len, e);
  str_free(&old);
  if (!code)
    say(l, ": %zu damaged lines are taken out; the table as it was is kept as "
        "%s", l->damaged, path);
  return code;
}

static int store(const struct loading *l, struct err *e)
{
  struct str text = {0};
  struct total total = {0};
  for (size_t i = 0; i < l->table->n; i++) {
    size_t from = text.len;
    record_format(l->table->rows[i], &text);
    count(&total, hash_64(text.at + from, text.len - from));
    str_add(&text, "\n");
  }
  add_end(&total, &text);
  int code = file_replace(l->path, str_text(&text), text.len, e);
  str_free(&text);
  return code;
}

/* Under the lock: read, replace the row, write. */
static int rewrite(struct loading *l, const struct record *row, struct err *e)
{
  int code = load(l, e);
  if (code)
    return code;
  replace(l->table, row);
  if (l->damaged)
    code = keep_damaged(l, e);
  if (!code)
    code = store(l, e);
  table_free(l->table);
  return code;
}

static int take_lock(const struct paths *p, int *fd, struct err *e)
{
  int code = file_mkdirs(p->folder, e);
  if (code)
    return code;
  *fd = open(p->lock, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (*fd < 0)
    return err_set(e, ERR_FAILED,
                   "%s: cannot open for writing: %s; "
                   "choose a folder that you may write to with --db",
                   p->lock, strerror(errno));
  code = file_lock(*fd, p->lock, e);
  if (code)
    close(*fd);
  return code;
}

/* Writers that were killed leave the file behind that file_replace() was about
 * to rename: NAME.XXXXXX. Under the lock nobody alive has one. */
static void sweep(const struct paths *p)
{
  DIR *folder = opendir(p->folder);
  size_t n = strlen(p->name);
  struct dirent *entry;
  while (folder && (entry = readdir(folder)))
    if (!strncmp(entry->d_name, p->name, n) && entry->d_name[n] == '.' &&
        strlen(entry->d_name) == n + 7)
      unlinkat(dirfd(folder), entry->d_name, 0);
  if (folder)
    closedir(folder);
}

int table_put(const char *dir, const struct record *row,
              void (*notice)(void *, const char *), void *user,
              struct err *e)
{
  const char *arch = record_get(row, "arch");
  const char *family = record_get(row, "family");
  struct paths paths;
  int lock, code = find_paths(&paths, dir, arch, family, e);
  if (code)
    return code;
  const char *why = misfit(row, arch, family);
  if (why)
    return err_set(e, ERR_FAILED, "%s: cannot store this row: %s",
                   paths.table, why);
  code = take_lock(&paths, &lock, e);
  if (code)
    return code;
  sweep(&paths);
  struct loading l = {.path = paths.table, .arch = arch, .family = family,
                      .notice = notice, .user = user};
  code = rewrite(&l, row, e);
  close(lock);
  return code;
}
