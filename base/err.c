/* err.c - see err.h. */
// SPDX-License-Identifier: MIT
#include "base/err.h"

#include <stdio.h>
#include <string.h>

int err_set(struct err *e, int code, const char *format, ...)
{
  if (!e)
    return code;
  va_list args;
  va_start(args, format);
  vsnprintf(e->text, sizeof e->text, format, args);
  va_end(args);
  return e->code = code;
}

int err_prefix(struct err *e, const char *format, ...)
{
  char old[sizeof e->text];
  memcpy(old, e->text, sizeof old);
  va_list args;
  va_start(args, format);
  int n = vsnprintf(e->text, sizeof e->text, format, args);
  va_end(args);
  if (n >= 0 && (size_t)n < sizeof e->text)
    snprintf(e->text + n, sizeof e->text - (size_t)n, ": %s", old);
  return e->code;
}
