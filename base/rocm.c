/* rocm.c - see rocm.h. */
// SPDX-License-Identifier: MIT
#include "base/rocm.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"

/* --- where they may be ---------------------------------------------------- */

static void add(struct rocm_paths *p, const char *path)
{
  p->at = mem_resize(p->at, (p->n + 1) * sizeof *p->at);
  p->at[p->n++] = mem_copy(path);
}

static void add_in(struct rocm_paths *p, const char *folder, const char *name)
{
  char path[PATH_MAX];
  int n = snprintf(path, sizeof path, "%s/lib/%s", folder, name);
  if (n > 0 && (size_t)n < sizeof path)
    add(p, path);
}

static int newest_first(const void *a, const void *b)
{
  return strverscmp(*(char *const *)b, *(char *const *)a);
}

/* AMD's folders: /opt/rocm is a link to the one that is to be used. */
static void find_folders(glob_t *out, const char *opt)
{
  char pattern[PATH_MAX];
  *out = (glob_t){0};
  snprintf(pattern, sizeof pattern, "%s/rocm-[0-9]*", opt);
  if (glob(pattern, 0, NULL, out) == 0)
    qsort(out->gl_pathv, out->gl_pathc, sizeof *out->gl_pathv, newest_first);
}

void rocm_paths(struct rocm_paths *out, const char *opt,
                const char *const *names)
{
  const char *chosen = getenv("ROCM_PATH");
  char current[PATH_MAX];
  glob_t folders;
  *out = (struct rocm_paths){0};
  for (size_t i = 0; chosen && *chosen && names[i]; i++)
    add_in(out, chosen, names[i]);
  snprintf(current, sizeof current, "%s/rocm", opt);
  find_folders(&folders, opt);
  for (size_t i = 0; names[i]; i++) {
    add(out, names[i]);
    add_in(out, current, names[i]);
    for (size_t k = 0; k < folders.gl_pathc; k++)
      add_in(out, folders.gl_pathv[k], names[i]);
  }
  globfree(&folders);
}

void rocm_paths_free(struct rocm_paths *p)
{
  for (size_t i = 0; i < p->n; i++)
    free(p->at[i]);
  free(p->at);
  *p = (struct rocm_paths){0};
}

/* --- loading them --------------------------------------------------------- */

/* What is there and does not load says more than what is not there. */
static void *open_first(const struct rocm_paths *p, struct err *e)
{
  int there = 0;
  for (size_t i = 0; i < p->n; i++) {
    void *library = dlopen(p->at[i], RTLD_NOW | RTLD_LOCAL);
    if (library)
      return library;
    const char *said = dlerror();
    if (!there)
      err_set(e, ERR_FAILED, "%s", said);
    there |= file_exists(p->at[i]);
  }
  return NULL;
}

void *rocm_open(const char *const *names, struct err *e)
{
  struct rocm_paths paths;
  rocm_paths(&paths, ROCM_OPT, names);
  void *library = open_first(&paths, e);
  rocm_paths_free(&paths);
  return library;
}

void *rocm_open_beside(const void *symbol, const char *const *names,
                       struct err *e)
{
  char folder[PATH_MAX];
  struct rocm_paths paths = {0};
  rocm_file(symbol, folder);
  char *slash = strrchr(folder, '/');
  for (size_t i = 0; slash && names[i]; i++) {
    snprintf(slash, sizeof folder - (size_t)(slash - folder), "/%s", names[i]);
    add(&paths, folder);
  }
  void *library = open_first(&paths, e);
  rocm_paths_free(&paths);
  return library ? library : rocm_open(names, e);
}

void rocm_file(const void *symbol, char out[PATH_MAX])
{
  Dl_info info;
  if (!dladdr(symbol, &info) || !realpath(info.dli_fname, out))
    out[0] = 0;
}
