/* source.c - see source.h. */
// SPDX-License-Identifier: MIT
#include "gen/source.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/suggest.h"
#include "gen/include.h"

enum {LARGEST = 1 << 20};

static const char *const endings[] = {".lua", ".hip"};

static int ends(const char *text, const char *ending)
{
  size_t n = strlen(text), m = strlen(ending);
  return n > m && !strcmp(text + n - m, ending);
}

void source_free(struct source *s)
{
  str_free(&s->name);
  for (size_t i = 0; i < SOURCE_FILES; i++) {
    str_free(&s->file[i].name);
    str_free(&s->file[i].path);
    str_free(&s->file[i].text);
  }
}

const struct embedded *embedded_find(const char *name)
{
  for (const struct embedded *f = embedded_files; f->name; f++)
    if (!strcmp(f->name, name))
      return f;
  return NULL;
}

/* Into the next place: a file of the disk, or one of the program. */
static int take_disk(struct source *s, const char *path, struct err *e)
{
  struct file *f = &s->file[s->n++];
  str_add(&f->path, path);
  return file_read(path, LARGEST, &f->text, e);
}

static void take_embedded(struct source *s, const struct embedded *from)
{
  struct file *f = &s->file[s->n++];
  str_addf(&f->path, "templates/%s", from->name);
  str_add_bytes(&f->text, from->bytes, from->size);
}

/* base: the path of both files without ending. */
static int read_disk(struct source *s, const char *base, struct err *e)
{
  s->on_disk = 1;
  for (int i = 0; i < 2; i++) {
    struct str path = {0};
    str_addf(&path, "%s%s", base, endings[i]);
    int failed = take_disk(s, path.at, e);
    str_free(&path);
    if (failed)
      return err_prefix(e, "a family is two files, NAME.lua and NAME.hip");
  }
  return 0;
}

static int read_path(struct source *s, const char *path, struct err *e)
{
  struct str base = {0};
  size_t n = strlen(path) - (ends(path, ".lua") ? 4 : 0);
  str_add_bytes(&base, path, n);
  const char *slash = strrchr(base.at, '/');
  str_add(&s->name, slash ? slash + 1 : base.at);
  int failed = read_disk(s, base.at, e);
  str_free(&base);
  return failed;
}

static int unknown(const char *name, const char *folder, struct err *e)
{
  char **names;
  size_t n = source_list(folder, &names);
  const char *near = suggest(name, (const char *const *)names, n);
  struct str all = {0};
  for (size_t i = 0; i < n; i++)
    str_addf(&all, "%s%s", i ? ", " : "", names[i]);
  if (near)
    err_set(e, ERR_USAGE, "no family '%s'; did you mean '%s'?", name, near);
  else
    err_set(e, ERR_USAGE,
            "no family '%s'; there is: %s (a family of your own is named by "
            "its path, ./%s.lua)",
            name, n ? all.at : "none", name);
  str_free(&all);
  free(names);
  return ERR_USAGE;
}

static int read_name(struct source *s, const char *name, const char *folder,
                     struct err *e)
{
  str_add(&s->name, name);
  if (folder && !file_exists(folder))
    return err_set(e, ERR_USAGE, "%s: no such folder of templates", folder);
  if (folder) {
    struct str path = {0};
    str_addf(&path, "%s/%s.lua", folder, name);
    int found = file_exists(path.at);
    path.at[path.len - 4] = 0;
    int failed = found ? read_disk(s, path.at, e) : 0;
    str_free(&path);
    if (found)
      return failed;
  }
  for (int i = 0; i < 2; i++) {
    struct str file = {0};
    str_addf(&file, "%s%s", name, endings[i]);
    const struct embedded *f = embedded_find(file.at);
    str_free(&file);
    if (!f)
      return unknown(name, folder, e);
    take_embedded(s, f);
  }
  return 0;
}

/* --- parts --------------------------------------------------------------- */

size_t source_part(const struct source *s, const char *name)
{
  size_t i = SOURCE_PARTS;
  while (i < s->n && strcmp(str_text(&s->file[i].name), name))
    i++;
  return i;
}

int source_is_text(const struct file *f)
{
  return ends(str_text(&f->path), ".hip");
}

/* The folder of the family, with its slash, and the part's name in it. */
static void beside(const struct source *s, const char *name, struct str *path)
{
  const char *own = s->file[SOURCE_LUA].path.at, *slash = strrchr(own, '/');
  str_add_bytes(path, own, slash ? (size_t)(slash + 1 - own) : 0);
  str_add(path, name);
}

static int plain_name(const char *name)
{
  return *name && *name != '/' && !strstr(name, "..") &&
         !name[strspn(name, "abcdefghijklmnopqrstuvwxyz"
                            "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./")] &&
         (ends(name, ".lua") || ends(name, ".hip"));
}

static int no_part(const char *name, struct err *e)
{
  const char *parts[SOURCE_FILES];
  size_t n = 0;
  for (const struct embedded *f = embedded_files; f->name; f++)
    if (strchr(f->name, '/') && n < SOURCE_FILES)
      parts[n++] = f->name;
  const char *near = suggest(name, parts, n);
  return err_set(e, ERR_FAILED,
                 "there is no part '%s', neither beside the family nor in "
                 "the program%s%s%s", name, near ? "; did you mean '" : "",
                 near ? near : "", near ? "'?" : "");
}

static int read_part(struct source *s, const char *name, struct err *e)
{
  struct str path = {0};
  const struct embedded *f = embedded_find(name);
  beside(s, name, &path);
  int failed = 0;
  if (!plain_name(name))
    failed = err_set(e, ERR_FAILED, "include '%s': a part is NAME.hip or "
                     "NAME.lua in the family's folder or one below", name);
  else if (s->n == SOURCE_FILES)
    failed = err_set(e, ERR_FAILED, "more than %d parts",
                     SOURCE_FILES - SOURCE_PARTS);
  else if (s->on_disk && file_exists(path.at))
    failed = take_disk(s, path.at, e);
  else if (f)
    take_embedded(s, f);
  else
    failed = no_part(name, e);
  if (!failed)
    str_add(&s->file[s->n - 1].name, name);
  str_free(&path);
  return failed;
}

/* The parts that file i includes. */
static int read_parts(struct source *s, size_t i, struct err *e)
{
  struct file *f = &s->file[i];
  size_t at = 0;
  for (char *name; (name = include_next(str_text(&f->text), &at,
                                        source_is_text(f)));) {
    int failed = source_part(s, name) < s->n ? 0 : read_part(s, name, e);
    free(name);
    if (failed) {
      int line = 1;
      for (size_t c = 0; c < at; c++)
        line += f->text.at[c] == '\n';
      struct err why = *e;
      return err_set(e, ERR_FAILED, "%s:%d: %s", f->path.at, line, why.text);
    }
  }
  return 0;
}

int source_open(struct source *s, const char *name, const char *folder,
                struct err *e)
{
  *s = (struct source){0};
  int path = strchr(name, '/') || ends(name, ".lua");
  int failed = path ? read_path(s, name, e) : read_name(s, name, folder, e);
  for (size_t i = 0; !failed && i < s->n; i++)
    failed = read_parts(s, i, e);
  if (failed)
    source_free(s);
  return failed;
}

/* Growing list of names without endings. */
struct list {
  size_t n;
  char **names;
};

/* Parts are in folders below. */
static void list_add(struct list *l, const char *file)
{
  if (!ends(file, ".lua") || strchr(file, '/'))
    return;
  char *name = mem_copy(file);
  name[strlen(name) - 4] = 0;
  for (size_t i = 0; i < l->n; i++)
    if (!strcmp(l->names[i], name)) {
      free(name);
      return;
    }
  l->names = mem_resize(l->names, (l->n + 1) * sizeof *l->names);
  l->names[l->n++] = name;
}

static int by_name(const void *a, const void *b)
{
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Move the names behind their pointers, into one allocation. */
static char **pack(struct list *l)
{
  size_t size = l->n * sizeof(char *);
  for (size_t i = 0; i < l->n; i++)
    size += strlen(l->names[i]) + 1;
  char **out = mem_alloc(size), *at = (char *)(out + l->n);
  for (size_t i = 0; i < l->n; i++) {
    out[i] = strcpy(at, l->names[i]);
    at += strlen(at) + 1;
    free(l->names[i]);
  }
  free(l->names);
  return out;
}

size_t source_list(const char *folder, char ***out)
{
  struct list l = {0};
  for (const struct embedded *f = embedded_files; f->name; f++)
    list_add(&l, f->name);
  DIR *d = folder ? opendir(folder) : NULL;
  for (struct dirent *file; d && (file = readdir(d));)
    list_add(&l, file->d_name);
  if (d)
    closedir(d);
  if (l.n)
    qsort(l.names, l.n, sizeof *l.names, by_name);
  *out = pack(&l);
  return l.n;
}
