/* folder.h - a temporary folder for one test. */
// SPDX-License-Identifier: MIT
#ifndef tests_tuner_folder_h
#define tests_tuner_folder_h

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static inline void folder_make(char path[64])
{
  strcpy(path, "/tmp/tune-test-XXXXXX");
  if (!mkdtemp(path))
    abort();
}

static inline int folder_visit(const char *path, const struct stat *st,
                               int type, struct FTW *ftw)
{
  (void)st, (void)type, (void)ftw;
  return remove(path);
}

static inline void folder_remove(const char *path)
{
  nftw(path, folder_visit, 16, FTW_DEPTH | FTW_PHYS);
}

#endif
