/* pairs.c - see pairs.h. */
// SPDX-License-Identifier: MIT
#include "base/pairs.h"

#include <string.h>

char *pairs_next(char **rest, char **value)
{
  char *name = strsep(rest, ",");
  *value = name ? strchr(name, '=') : NULL;
  if (*value)
    *(*value)++ = 0;
  return name;
}
