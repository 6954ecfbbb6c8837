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

/* Of a table of any name. */
static int find_file(struct paths *p, const char *path, struct err *e)
{
  static const char end[] = ".table";
  const char *slash = strrchr(path, '/');
  size_t n = strlen(path), cut = sizeof end - 1;
  int stem = n > cut && !strcmp(path + n - cut, end) ? (int)(n - cut) : (int)n;
  if (n >= PATH_MAX - 32) /* room for .damaged-N */
    return err_set(e, ERR_FAILED, "%s: path too long", path);
  snprintf(p->folder, PATH_MAX, "%.*s", slash ? (int)(slash - path) : 1,
           slash ? path : ".");
  snprintf(p->table, PATH_MAX, "%s", path);
  snprintf(p->lock, PATH_MAX, "%.*s.lock", stem, path);
  p->name = p->table + (slash ? slash + 1 - path : 0);
  return 0;
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

/* A total order: rows of one key (two tables were merged) by date, then by what
 * else can differ. */
static int compare_rows(const void *left, const void *right)
{
  static const char *const rest[] = {"date", "config", "template", "compiler",
                                     "runtime", "time_us"};
  const struct record *a = *(struct record *const *)left;
  const struct record *b = *(struct record *const *)right;
  int order = compare(a, b);
  for (size_t i = 0; i < sizeof rest / sizeof *rest && !order; i++)
    order = strcmp(record_text(a, rest[i]), record_text(b, rest[i]));
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
  if (strcmp(source, "measured") && strcmp(source, "modelled") &&
      strcmp(source, "counted"))
    return "its source is neither measured, modelled nor counted";
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
  const char *path;
  const char *arch, *family;     /* NULL: those of the first row, */
  char *arch_read, *family_read; /* which are kept here */
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
  if (!l->arch) {
    l->arch = l->arch_read = mem_copy(record_text(r, "arch"));
    l->family = l->family_read = mem_copy(record_text(r, "family"));
  }
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
  free(l->arch_read);
  free(l->family_read);
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

int table_load_file(struct table **out, const char *path,
                    void (*notice)(void *, const char *), void *user,
                    struct err *e)
{
  struct loading l = {.path = path, .notice = notice, .user = user};
  *out = NULL;
  int code = load(&l, e);
  if (!code && l.end.bytes < 0) {
    table_free(l.table);
    return err_set(e, ERR_FAILED, "%s: no such file", path);
  }
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

/* Replace the rows with the key of the row. */
static void replace(const struct record *row, struct record ***rows,
                    size_t *n)
{
  struct record **list = mem_resize(*rows, (*n + 1) * sizeof *list);
  size_t kept = 0;
  for (size_t i = 0; i < *n; i++) {
    if (compare(list[i], row))
      list[kept++] = list[i];
    else
      record_free(list[i]);
  }
  list[kept++] = record_copy(row);
  *rows = list;
  *n = kept;
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
    say(l, ": damaged lines that are taken out: %zu; the table as it was is kept as "
        "%s", l->damaged, path);
  return code;
}

static void format(const struct loading *l, struct str *text)
{
  struct total total = {0};
  for (size_t i = 0; i < l->table->n; i++) {
    size_t from = text->len;
    record_format(l->table->rows[i], text);
    count(&total, hash_64(text->at + from, text->len - from));
    str_add(text, "\n");
  }
  add_end(&total, text);
}

/* Is the table these bytes already? */
static int is_written(const struct loading *l, const struct str *text)
{
  struct str old = {0};
  int same = !file_read(l->path, text->len, &old, NULL) &&
             old.len == text->len && !memcmp(old.at, text->at, old.len);
  str_free(&old);
  return same;
}

static int store(const struct loading *l, int *written, struct err *e)
{
  struct str text = {0};
  int code = 0;
  format(l, &text);
  *written = !is_written(l, &text);
  if (*written && l->damaged)
    code = keep_damaged(l, e);
  if (*written && !code)
    code = file_replace(l->path, text.at, text.len, e);
  str_free(&text);
  return code;
}

/* Under the lock: read, change the rows, write. No table is made for no row. */
static int rewrite(struct loading *l, const struct table_editor *editor,
                   int *written, struct err *e)
{
  int code = load(l, e);
  if (code)
    return code;
  struct table *t = l->table;
  editor->edit(editor->user, &t->rows, &t->n);
  t->room = t->n;
  sort(t);
  if (t->n || l->end.bytes >= 0)
    code = store(l, written, e);
  table_free(t);
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

static int edit(const struct paths *p, const char *arch, const char *family,
                const struct table_editor *editor, int *written,
                struct err *e)
{
  int lock, unused;
  int code = take_lock(p, &lock, e);
  written = written ? written : &unused;
  *written = 0;
  if (code)
    return code;
  sweep(p);
  struct loading l = {.path = p->table, .arch = arch, .family = family,
                      .notice = editor->notice, .user = editor->user};
  code = rewrite(&l, editor, written, e);
  close(lock);
  return code;
}

int table_edit(const char *dir, const char *arch, const char *family,
               const struct table_editor *editor, int *written, struct err *e)
{
  struct paths paths;
  int code = find_paths(&paths, dir, arch, family, e);
  return code ? code : edit(&paths, arch, family, editor, written, e);
}

int table_edit_file(const char *path, const char *arch, const char *family,
                    const struct table_editor *editor, int *written,
                    struct err *e)
{
  struct paths paths;
  int code = find_file(&paths, path, e);
  return code ? code : edit(&paths, arch, family, editor, written, e);
}

struct putting {
  const struct record *row;
  void (*notice)(void *, const char *);
  void *user;
};

static void put_row(void *user, struct record ***rows, size_t *n)
{
  const struct putting *p = user;
  replace(p->row, rows, n);
}

static void put_notice(void *user, const char *text)
{
  const struct putting *p = user;
  if (p->notice)
    p->notice(p->user, text);
}

int table_put(const char *dir, const struct record *row,
              void (*notice)(void *, const char *), void *user,
              struct err *e)
{
  const char *arch = record_get(row, "arch");
  const char *family = record_get(row, "family");
  struct putting p = {row, notice, user};
  const struct table_editor editor = {&p, put_row, put_notice};
  struct paths paths;
  int code = find_paths(&paths, dir, arch, family, e);
  if (code)
    return code;
  const char *why = misfit(row, arch, family);
  if (why)
    return err_set(e, ERR_FAILED, "%s: cannot store this row: %s",
                   paths.table, why);
  return edit(&paths, arch, family, &editor, NULL, e);
}
