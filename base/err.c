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
  if (!e)
    return ERR_FAILED;
  char front[sizeof e->text];
  va_list args;
  va_start(args, format);
  vsnprintf(front, sizeof front, format, args);
  va_end(args);
  size_t room = sizeof e->text - 1, n = strlen(front), old = strlen(e->text);
  if (n + 2 <= room) {
    if (old > room - n - 2) /* what does not fit is cut at the end */
      old = room - n - 2;
    memmove(e->text + n + 2, e->text, old);
    memcpy(e->text, front, n);
    memcpy(e->text + n, ": ", 2);
    e->text[n + 2 + old] = 0;
  }
  return e->code;
}
