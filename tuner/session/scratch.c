/* scratch.c - see scratch.h. */
// SPDX-License-Identifier: MIT
#include "tuner/session/scratch.h"

#include <stdlib.h>

#include "base/file.h"

void scratch_make(struct str *folder)
{
  const char *tmp = getenv("TMPDIR");
  str_addf(folder, "%s/tune-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  if (!mkdtemp(folder->at))
    str_clear(folder);
}

void scratch_remove(struct str *folder)
{
  if (folder->len)
    file_remove_all(folder->at);
  str_free(folder);
}
