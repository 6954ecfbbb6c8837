/* shapes.c - see shapes.h. */
// SPDX-License-Identifier: MIT
#include "tuner/sweep/shapes.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\r";

static int take_count(struct shape *s, const char *text, struct err *e)
{
  char *end;
  s->count = strtod(text, &end);
  if (end == text || *end || !(s->count > 0) || !isfinite(s->count))
    return err_set(e, ERR_FAILED, "count=%.40s is not how often it was asked "
                   "for; write a number above 0", text);
  return 0;
}

static int take_pair(struct shape *s, char *word, struct err *e)
{
  char *equals = strchr(word, '=');
  if (!equals || equals == word || !equals[1])
    return err_set(e, ERR_FAILED, "'%.40s' is not KEY=VALUE; a line is a "
                   "family and its keys: gemm m=64 n=64 k=32", word);
  *equals = 0;
  if (!strcmp(word, "count"))
    return take_count(s, equals + 1, e);
  for (size_t i = 0; i < s->n; i++)
    if (!strcmp(s->names[i], word))
      return err_set(e, ERR_FAILED, "'%.40s' stands twice; leave one out",
                     word);
  if (s->n == FAMILY_KEYS)
    return err_set(e, ERR_FAILED, "more than %d keys", FAMILY_KEYS);
  s->names[s->n] = word;
  s->texts[s->n++] = equals + 1;
  return 0;
}

static int take_line(struct shape *s, char *line, struct err *e)
{
  char *save = NULL;
  s->family = strtok_r(line, blanks, &save);
  if (strchr(s->family, '='))
    return err_set(e, ERR_FAILED, "a line begins with a family, not with "
                   "'%.40s': gemm m=64 n=64 k=32", s->family);
  for (char *word; (word = strtok_r(NULL, blanks, &save));)
    if (take_pair(s, word, e))
      return e->code;
  return 0;
}

/* What no text has: a file of something else was named. */
static int is_text(const char *line)
{
  for (; *line; line++)
    if (iscntrl((unsigned char)*line) && *line != '\t' && *line != '\r')
      return 0;
  return 1;
}

int shapes_parse(char *text, size_t n, const char *path,
                 int (*take)(void *user, const struct shape *s, struct err *e),
                 void *user, struct err *e)
{
  char *next;
  int number = 0, code = 0;
  for (char *line = text; line < text + n && !code; line = next) {
    char *end = memchr(line, '\n', (size_t)(text + n - line));
    struct err why = {0};
    struct shape s = {.line = ++number};
    next = end ? end + 1 : text + n;
    if (end)
      *end = 0;
    char *at = line + strspn(line, blanks);
    if (strlen(line) != (size_t)(next - line) - (end != NULL) || !is_text(at))
      code = err_set(&why, ERR_FAILED, "this is no line of text");
    else if (*at && *at != '#' && !(code = take_line(&s, at, &why)))
      code = take(user, &s, &why);
    if (code)
      err_set(e, code, "%s:%d: %s", path, number, why.text);
  }
  return code;
}
