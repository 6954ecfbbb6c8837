/* tried.c - see tried.h. */
// SPDX-License-Identifier: MIT
#include "db/tried.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

void tried_name(const char *config, char out[TRIED_NAME])
{
  char hash[HASH_TEXT];
  hash_hex(config, strlen(config), hash);
  snprintf(out, TRIED_NAME, "%.*s", TRIED_NAME - 1, hash);
}

/* Take an entry of n bytes apart. */
static int parse(const char *entry, size_t n, char name[TRIED_NAME], double *time)
{
  char *end;
  if (n <= TRIED_NAME || entry[TRIED_NAME - 1] != ':')
    return 0;
  *time = strtod(entry + TRIED_NAME, &end);
  if (end != entry + n || !(*time > 0) || !isfinite(*time))
    return 0;
  memcpy(name, entry, TRIED_NAME - 1);
  name[TRIED_NAME - 1] = 0;
  return 1;
}

int tried_next(const char **text, char name[TRIED_NAME], double *time)
{
  while (**text) {
    const char *entry = *text;
    size_t n = strcspn(entry, ",");
    *text += n + (entry[n] == ',');
    if (parse(entry, n, name, time))
      return 1;
  }
  return 0;
}

size_t tried_count(const char *text)
{
  char name[TRIED_NAME];
  double time;
  size_t n = 0;
  while (tried_next(&text, name, &time))
    n++;
  return n;
}

int tried_has(const char *text, const char *name)
{
  char at[TRIED_NAME];
  double time;
  while (tried_next(&text, at, &time))
    if (!strcmp(at, name))
      return 1;
  return 0;
}

void tried_add(struct str *list, const char name[TRIED_NAME], double time)
{
  const char *text = str_text(list);
  if (tried_count(text) < TRIED_MOST && !tried_has(text, name))
    str_addf(list, "%s%s:%.9g", list->len ? "," : "", name, time);
}

void tried_merge(struct str *list, const char *older)
{
  char name[TRIED_NAME];
  double time;
  while (tried_next(&older, name, &time))
    tried_add(list, name, time);
}

int tried_holds(const char *text, const char *other)
{
  char name[TRIED_NAME];
  double time;
  while (tried_next(&other, name, &time))
    if (!tried_has(text, name))
      return 0;
  return 1;
}
