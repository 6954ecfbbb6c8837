/* str.c - see str.h. */
// SPDX-License-Identifier: MIT
#include "base/str.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static void reserve(struct str *s, size_t more)
{
  size_t need = s->len + more + 1;
  if (need <= s->room)
    return;
  size_t room = s->room * 2 > need ? s->room * 2 : need + 32;
  s->at = mem_resize(s->at, room);
  s->room = room;
}

void str_add_bytes(struct str *s, const void *bytes, size_t n)
{
  reserve(s, n);
  if (n)
    memcpy(s->at + s->len, bytes, n);
  s->len += n;
  s->at[s->len] = 0;
}

void str_add(struct str *s, const char *text)
{
  str_add_bytes(s, text, strlen(text));
}

void str_addf(struct str *s, const char *format, ...)
{
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (n > 0) {
    reserve(s, (size_t)n);
    vsnprintf(s->at + s->len, (size_t)n + 1, format, again);
    s->len += (size_t)n;
  }
  va_end(again);
}

void str_clear(struct str *s)
{
  s->len = 0;
  if (s->at)
    s->at[0] = 0;
}

void str_free(struct str *s)
{
  free(s->at);
  *s = (struct str){0};
}

const char *str_text(const struct str *s)
{
  return s->at ? s->at : "";
}
