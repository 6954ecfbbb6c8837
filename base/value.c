/* value.c - see value.h. */
// SPDX-License-Identifier: MIT
#include "base/value.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The shortest of %.15g and %.17g that reads back as the same double. */
static void format_number(double d, char *out, size_t room)
{
  snprintf(out, room, "%.15g", d);
  if (strtod(out, NULL) != d)
    snprintf(out, room, "%.17g", d);
}

void value_format(const struct value *v, char *out, size_t room)
{
  switch (v->kind) {
  case VALUE_INT:
    snprintf(out, room, "%lld", v->i);
    break;
  case VALUE_NUM:
    format_number(v->d, out, room);
    break;
  case VALUE_STR:
    snprintf(out, room, "%s", v->s);
    break;
  }
}

/* Beyond this a double does not tell whole numbers apart. */
#define EXACT 0x1p53

int value_whole(const char *text, long long *out)
{
  char *end;
  if (text[0] == 0 || strspn(text, "0123456789.eE+-") != strlen(text))
    return -1;
  errno = 0;
  *out = strtoll(text, &end, 10);
  if (!*end)
    return errno ? -1 : 0;
  double d = strtod(text, &end);
  if (*end || !(fabs(d) <= EXACT) || d != floor(d))
    return -1;
  *out = (long long)d;
  return 0;
}

int value_equal(const struct value *a, const struct value *b)
{
  if (a->kind != b->kind)
    return 0;
  switch (a->kind) {
  case VALUE_INT:
    return a->i == b->i;
  case VALUE_NUM:
    return a->d == b->d;
  case VALUE_STR:
    return !strcmp(a->s, b->s);
  }
  return 0;
}
