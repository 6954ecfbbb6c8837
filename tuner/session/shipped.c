/* shipped.c - see shipped.h. */
// SPDX-License-Identifier: MIT
#include "tuner/session/shipped.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char mark[] = "shipped";

/* Where the program was built, a link to the tree's own lies beside it. */
void shipped_folder(char out[PATH_MAX])
{
  static const char built[] = "shipped";
  const size_t room = sizeof built + sizeof SHIPPED_TABLES;
  const char *given = getenv("TUNE_SHIPPED");
  if (given) {
    snprintf(out, PATH_MAX, "%s", given);
    return;
  }
  ssize_t n = readlink("/proc/self/exe", out, PATH_MAX - room);
  out[n > 0 ? n : 0] = 0;
  char *slash = strrchr(out, '/'), *to = slash ? slash + 1 : out;
  snprintf(to, room, "%s", built);
  if (access(out, R_OK) != 0)
    snprintf(to, room, "%s", SHIPPED_TABLES);
}

int shipped_load(struct table **out, const char *folder, const char *arch,
                 const char *family,
                 void (*notice)(void *user, const char *text), void *user,
                 struct err *e)
{
  char beneath[PATH_MAX];
  struct table *shipped = NULL;
  int code = table_load(out, folder, arch, family, notice, user, e);
  shipped_folder(beneath);
  if (code || !*beneath)
    return code;
  code = table_load(&shipped, beneath, arch, family, notice, user, e);
  if (!code)
    table_lay_over(*out, shipped, mark);
  table_free(shipped);
  return code;
}

int shipped_row(const struct record *row)
{
  return record_get(row, mark) != NULL;
}
