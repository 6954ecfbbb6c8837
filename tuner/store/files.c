/* files.c - see files.h. */
// SPDX-License-Identifier: MIT
#include "tuner/store/files.h"

#include <dirent.h>
#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "db/record.h"

enum {DEPTH = 3}; /* STORE/nights/SWEEP/STAMP.night */

static const struct {
  const char *end;
  enum file_kind kind;
} ends[] = {{".table", FILE_TABLE},
            {".journal", FILE_JOURNAL},
            {".night", FILE_NIGHT}};

/* The length of the name without its end; 0 where it is no file of these. */
static size_t stem(const char *name, enum file_kind *kind)
{
  size_t n = strlen(name);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    size_t m = strlen(ends[i].end);
    *kind = ends[i].kind;
    if (n > m && *name != '.' && !strcmp(name + n - m, ends[i].end))
      return n - m;
  }
  return 0;
}

/* The last part of a path of which no end is known: of "." as well. */
static char *folder_name(const char *path)
{
  char *real = realpath(path, NULL);
  char *copy = mem_copy(real ? real : path);
  char *name = mem_copy(basename(copy));
  free(copy);
  free(real);
  return name;
}

static void add(struct store_files *f, const char *folder, const char *path,
                int alone)
{
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  enum file_kind kind;
  size_t n = stem(name, &kind);
  if (f->n == f->room) {
    f->room = f->room ? 2 * f->room : 16;
    f->list = mem_resize(f->list, f->room * sizeof *f->list);
  }
  struct store_file *to = &f->list[f->n++];
  *to = (struct store_file){kind, mem_copy(path), folder_name(folder),
                            mem_copy(name), alone};
  to->name[n] = 0;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
  return strcmp((*a)->d_name, (*b)->d_name);
}

static void walk(struct store_files *f, const char *folder, int depth)
{
  struct dirent **list;
  int n = scandir(folder, &list, NULL, by_name);
  for (int i = 0; i < n; i++) {
    struct str path = {0};
    struct stat st;
    enum file_kind kind;
    const char *name = list[i]->d_name;
    str_addf(&path, "%s/%s", folder, name);
    if (*name == '.' || stat(path.at, &st))
      ;
    else if (S_ISDIR(st.st_mode) && depth < DEPTH)
      walk(f, path.at, depth + 1);
    else if (!S_ISDIR(st.st_mode) && stem(name, &kind))
      add(f, folder, path.at, 0);
    str_free(&path);
    free(list[i]);
  }
  if (n >= 0)
    free(list);
}

int files_kind(const char *path, enum file_kind *kind, struct err *e)
{
  const char *slash = strrchr(path, '/');
  if (stem(slash ? slash + 1 : path, kind))
    return 0;
  return err_set(e, ERR_FAILED, "%s: is no store and no file of one: these end "
                 "in .table, .journal or .night", path);
}

/* The first sound record of a file, or NULL. */
static struct record *first_record(const char *path)
{
  enum {MOST = 4 * RECORD_LINE};
  char *bytes = mem_alloc(MOST), *end;
  struct record *r = NULL;
  int fd = file_open(path, NULL);
  ssize_t n = fd < 0 ? 0 : read(fd, bytes, MOST);
  for (char *at = bytes; n > 0 && !r && (end = memchr(at, '\n', (size_t)n));
       n -= end + 1 - at, at = end + 1)
    record_parse(at, (size_t)(end - at), &r, NULL);
  if (fd >= 0)
    close(fd);
  free(bytes);
  return r;
}

static void set_name(char **name, const struct record *r, const char *field)
{
  const char *value = r ? record_get(r, field) : NULL;
  if (!value || !*value || *value == '.' || strchr(value, '/'))
    return;
  free(*name);
  *name = mem_copy(value);
}

static int add_file(struct store_files *f, const char *path, struct err *e)
{
  enum file_kind kind;
  if (files_kind(path, &kind, e))
    return e->code;
  char *copy = mem_copy(path);
  add(f, dirname(copy), path, 1);
  free(copy);
  struct store_file *to = &f->list[f->n - 1];
  struct record *r = first_record(path);
  set_name(&to->folder, r, kind == FILE_NIGHT ? "sweep" : "arch");
  if (kind != FILE_NIGHT)
    set_name(&to->name, r, "family");
  record_free(r);
  return 0;
}

int files_find(struct store_files *f, const char *path, struct err *e)
{
  struct stat st;
  size_t before = f->n;
  struct str clean = {0};
  int code = 0;
  str_add(&clean, path);
  while (clean.len > 1 && clean.at[clean.len - 1] == '/')
    clean.at[--clean.len] = 0;
  if (stat(clean.at, &st))
    code = err_set(e, ERR_FAILED, "%s: %s; name a store, a table, a journal or "
                   "a night", path, strerror(errno));
  else if (!S_ISDIR(st.st_mode))
    code = add_file(f, clean.at, e);
  else
    walk(f, clean.at, 0);
  if (!code && f->n == before)
    code = err_set(e, ERR_FAILED, "%s: holds no table, journal or night; is "
                   "it the folder of a store?", path);
  str_free(&clean);
  return code;
}

void files_free(struct store_files *f)
{
  for (size_t i = 0; i < f->n; i++) {
    free(f->list[i].path);
    free(f->list[i].folder);
    free(f->list[i].name);
  }
  free(f->list);
  *f = (struct store_files){0};
}
