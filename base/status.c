/* status.c - see status.h. */
// SPDX-License-Identifier: MIT
#include "base/status.h"

#include <assert.h>
#include <string.h>

static const char *const names[] = { /* ORDER STATUS */
  "ok", "rule", "compile", "resource", "launch", "wrong", "timeout", "crash",
};

static_assert(sizeof names / sizeof *names == STATUS_N, "ORDER STATUS");

const char *status_name(enum status s)
{
  return names[s];
}

int status_parse(const char *name)
{
  for (int i = 0; i < STATUS_N; i++)
    if (!strcmp(name, names[i]))
      return i;
  return -1;
}
