/* scratch.c - see scratch.h. */
// SPDX-License-Identifier: MIT
#include "tuner/session/scratch.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

void scratch_make(struct str *folder)
{
  const char *tmp = getenv("TMPDIR");
  str_addf(folder, "%s/tune-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  if (!mkdtemp(folder->at))
    str_clear(folder);
}

static int visit(const char *path, const struct stat *st, int type,
                 struct FTW *ftw)
{
  (void)st;
  (void)type;
  (void)ftw;
  return remove(path);
}

void scratch_remove(struct str *folder)
{
  if (folder->len)
    nftw(folder->at, visit, 16, FTW_DEPTH | FTW_PHYS);
  str_free(folder);
}
