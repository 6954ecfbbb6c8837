/* source.c - see source.h. */
// SPDX-License-Identifier: MIT
#include "gen/source.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/suggest.h"
#include "gen/family.h"

enum { LARGEST = 1 << 20 };

static const char *const endings[] = { ".lua", ".hip" };

static int ends(const char *text, const char *ending)
{
  size_t n = strlen(text), m = strlen(ending);
  return n > m && !strcmp(text + n - m, ending);
}

void source_free(struct source *s)
{
  str_free(&s->name);
  for (int i = 0; i < 2; i++) {
    str_free(&s->file[i]);
    str_free(&s->text[i]);
  }
}

static const struct embedded *embedded_find(const char *name)
{
  for (const struct embedded *f = embedded_files; f->name; f++)
    if (!strcmp(f->name, name))
      return f;
  return NULL;
}

/* base: the path of both files without ending. */
static int read_disk(struct source *s, const char *base, struct err *e)
{
  for (int i = 0; i < 2; i++) {
    str_addf(&s->file[i], "%s%s", base, endings[i]);
    if (file_read(s->file[i].at, LARGEST, &s->text[i], e))
      return err_prefix(e, "a family is two files, NAME.lua and NAME.hip");
  }
  return 0;
}

static int read_path(struct source *s, const char *path, struct err *e)
{
  struct str base = { 0 };
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
  size_t n = family_list(folder, &names);
  const char *near = suggest(name, (const char *const *)names, n);
  struct str all = { 0 };
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
    struct str path = { 0 };
    str_addf(&path, "%s/%s.lua", folder, name);
    int found = file_exists(path.at);
    path.at[path.len - 4] = 0;
    int failed = found ? read_disk(s, path.at, e) : 0;
    str_free(&path);
    if (found)
      return failed;
  }
  for (int i = 0; i < 2; i++) {
    struct str file = { 0 };
    str_addf(&file, "%s%s", name, endings[i]);
    const struct embedded *f = embedded_find(file.at);
    str_free(&file);
    if (!f)
      return unknown(name, folder, e);
    str_addf(&s->file[i], "templates/%s%s", name, endings[i]);
    str_add_bytes(&s->text[i], f->bytes, f->size);
  }
  return 0;
}

int source_open(struct source *s, const char *name, const char *folder,
                struct err *e)
{
  *s = (struct source){ 0 };
  int path = strchr(name, '/') || ends(name, ".lua");
  int failed = path ? read_path(s, name, e) : read_name(s, name, folder, e);
  if (failed)
    source_free(s);
  return failed;
}

/* Growing list of names without endings. */
struct list {
  size_t n;
  char **names;
};

static void list_add(struct list *l, const char *file)
{
  if (!ends(file, ".lua"))
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

size_t family_list(const char *folder, char ***out)
{
  struct list l = { 0 };
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
