/* include.c - see include.h. */
// SPDX-License-Identifier: MIT
#include "gen/include.h"

#include <ctype.h>
#include <string.h>

#include "base/mem.h"

static const char word[] = "include";

static int letter(char c)
{
  return isalnum((unsigned char)c) || c == '_';
}

/* The name behind the word at `at`, with its length; NULL if none stands
 * there. */
static const char *name_at(const char *at, size_t *length)
{
  at += sizeof word - 1;
  at += strspn(at, " \t");
  at += *at == '(';
  at += strspn(at, " \t");
  if (*at != '"' && *at != '\'')
    return NULL;
  char quote[] = {*at, '\n', 0};
  *length = strcspn(at + 1, quote);
  return at[1 + *length] == *quote ? at + 1 : NULL;
}

/* Where the Lua code of a line ends: at a comment, or with the line. */
static const char *code_end(const char *line)
{
  size_t n = strcspn(line, "\n");
  for (size_t i = 0; i + 1 < n; i++)
    if (line[i] == '-' && line[i + 1] == '-')
      return line + i;
  return line + n;
}

/* The first name that is included in [from, end) of a line. */
static const char *find(const char *line, const char *from, const char *end,
                        size_t *length)
{
  for (const char *at = from; (at = strstr(at, word)) && at < end; at++) {
    int inside = at > line && (letter(at[-1]) || strchr(".:", at[-1]));
    const char *name = inside ? NULL : name_at(at, length);
    if (name)
      return name;
  }
  return NULL;
}

char *include_next(const char *text, size_t *at, int marked)
{
  const char *from = text + *at, *line = from;
  while (line > text && line[-1] != '\n')
    line--;
  while (*line) {
    size_t length;
    int lua = !marked || line[strspn(line, " \t")] == '@';
    const char *name = lua ? find(line, from, code_end(line), &length) : NULL;
    if (name) {
      char *copy = mem_copy(name);
      copy[length] = 0;
      *at = (size_t)(name - text) + length + 1;
      return copy;
    }
    line += strcspn(line, "\n");
    line += *line == '\n';
    from = line;
  }
  *at = (size_t)(line - text);
  return NULL;
}
