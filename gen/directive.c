/* directive.c - see directive.h. */
// SPDX-License-Identifier: MIT
#include "gen/directive.h"

#include <ctype.h>
#include <string.h>

#include "base/str.h"

static const char *const words[] = { "include", "include_next", "import",
                                     "embed" };

/* The text without the line breaks that a backslash hides. */
static void splice(const char *text, struct str *out)
{
  for (size_t n; *text; text += n) {
    n = text[0] != '\\' ? 0 : text[1] == '\n' ? 2
                              : !strncmp(text + 1, "\r\n", 2) ? 3 : 0;
    if (!n)
      str_add_bytes(out, text, n = 1);
  }
}

/* Behind blanks and comments. */
static const char *skip(const char *at)
{
  for (;;) {
    at += strspn(at, " \t\v\f\r");
    const char *end = strncmp(at, "/*", 2) ? NULL : strstr(at + 2, "*/");
    if (!end)
      return at;
    at = end + 2;
  }
}

/* Is there nothing but blanks and comments between the start of the text's
 * line and `at`? */
static int leads(const char *text, const char *at)
{
  while (at > text && strchr(" \t\v\f\r", at[-1]))
    at--;
  return at == text || at[-1] == '\n' ||
         (at - text >= 2 && at[-1] == '/' && at[-2] == '*');
}

static const char *directive(const char *at)
{
  size_t n = 0;
  at = skip(at + (*at == '#' ? 1 : 2));
  while (isalpha((unsigned char)at[n]) || at[n] == '_')
    n++;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strlen(words[i]) == n && !strncmp(at, words[i], n))
      return words[i];
  return NULL;
}

/* The line of text that the n-th '#' or "%:" stands in. */
static size_t line_of(const char *text, size_t n)
{
  size_t line = 1;
  for (; *text; text++) {
    line += *text == '\n';
    if ((*text == '#' || !strncmp(text, "%:", 2)) && !n--)
      break;
  }
  return line;
}

size_t directive_include(const char *text, const char **word)
{
  struct str s = {0};
  size_t line = 0, n = 0;
  splice(text, &s);
  for (const char *at = str_text(&s); *at && !line; at++) {
    if (*at != '#' && strncmp(at, "%:", 2))
      continue;
    *word = leads(s.at, at) ? directive(at) : NULL;
    if (*word)
      line = line_of(text, n);
    n++;
  }
  str_free(&s);
  return line;
}
