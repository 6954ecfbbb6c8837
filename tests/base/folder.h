/* folder.h - a folder of its own for a test, and files in it. */
// SPDX-License-Identifier: MIT
#ifndef tests_base_folder_h
#define tests_base_folder_h

#include <ftw.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct folder {
  char path[64], file[128];
};

/* cmocka set-up: *state becomes the folder. */
static inline int folder_make(void **state)
{
  struct folder *f = calloc(1, sizeof *f);
  *state = f;
  if (!f)
    return -1;
  snprintf(f->path, sizeof f->path, "/tmp/wavetune-test.XXXXXX");
  return mkdtemp(f->path) ? 0 : -1;
}

static inline int folder_drop(const char *path, const struct stat *s, int type,
                              struct FTW *where)
{
  (void)s, (void)type, (void)where;
  return remove(path);
}

static inline int folder_remove(void **state)
{
  struct folder *f = *state;
  int code = nftw(f->path, folder_drop, 8, FTW_DEPTH | FTW_PHYS);
  free(f);
  return code;
}

/* A byte with one bit changed, or (8, 9) what ends lines and words. */
static inline char damage(char was, int way)
{
  return way < 8 ? (char)(was ^ 1 << way) : way == 8 ? '\n' : ' ';
}

/* The path of a file in the folder; good until the next call. */
static inline const char *folder_file(struct folder *f, const char *name)
{
  snprintf(f->file, sizeof f->file, "%s/%s", f->path, name);
  return f->file;
}

static inline void write_file(const char *path, const char *text, size_t n)
{
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, n, file), n);
  assert_int_equal(fclose(file), 0);
}

#endif
