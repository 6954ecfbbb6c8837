/* template.c - see template.h. */
// SPDX-License-Identifier: MIT
#include "gen/template.h"

#include <string.h>

struct span {
  const char *at;
  size_t n;
};

/* What stands at a dollar. */
enum piece {PIECE_NAME, PIECE_EXPRESSION, PIECE_DOLLAR, PIECE_BAD};

static int is_alpha(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int is_digit(char c)
{
  return c >= '0' && c <= '9';
}

/* The length of a quoted Lua string at s, or 0 if it does not end. */
static size_t quoted(struct span s)
{
  for (size_t i = 1; i < s.n; i++) {
    if (s.at[i] == '\\')
      i++;
    else if (s.at[i] == s.at[0])
      return i + 1;
  }
  return 0;
}

/* The length of a parenthesised expression at s, or 0 with what is wrong. */
static size_t expression(struct span s, const char **wrong)
{
  int depth = 0;
  *wrong = "$( without its )";
  for (size_t i = 0; i < s.n; i++) {
    char c = s.at[i];
    if (c == '"' || c == '\'') {
      size_t length = quoted((struct span){s.at + i, s.n - i});
      if (!length) {
        *wrong = "a string in $(...) does not end";
        return 0;
      }
      i += length - 1;
    } else if (c == '-' && i + 1 < s.n && s.at[i + 1] == '-') {
      *wrong = "a comment in $(...); write it on a line of Lua";
      return 0;
    } else if (c == '(') {
      depth++;
    } else if (c == ')' && !--depth) {
      return i + 1;
    }
  }
  return 0;
}

/* The piece at s, which starts with a dollar; *length includes it. */
static enum piece piece(struct span s, size_t *length, const char **wrong)
{
  *length = 2;
  char c = s.n > 1 ? s.at[1] : 0;
  if (c == '$')
    return PIECE_DOLLAR;
  if (c == '(') {
    size_t n = expression((struct span){s.at + 1, s.n - 1}, wrong);
    *length = n + 1;
    return n ? PIECE_EXPRESSION : PIECE_BAD;
  }
  if (!is_alpha(c)) {
    *wrong = "$ needs a name or (expression) behind it; $$ is a dollar";
    return PIECE_BAD;
  }
  while (*length < s.n && (is_alpha(s.at[*length]) || is_digit(s.at[*length])))
    ++*length;
  return PIECE_NAME;
}

/* Text inside a Lua string; three digits, so that one may follow. */
static void add_escaped(struct str *out, struct span text)
{
  for (size_t i = 0; i < text.n; i++) {
    unsigned char c = (unsigned char)text.at[i];
    if (c < ' ' || c == '"' || c == '\\' || c >= 127)
      str_addf(out, "\\%03u", c);
    else
      str_add_bytes(out, &text.at[i], 1);
  }
}

/* One line of text, with its newline. */
static int add_text(struct str *out, struct span s, int file, size_t line,
                    const char **wrong)
{
  str_addf(out, "__text(%d,%zu,\"", file, line);
  while (s.n) {
    const char *dollar = memchr(s.at, '$', s.n);
    size_t plain = dollar ? (size_t)(dollar - s.at) : s.n, length = 0;
    add_escaped(out, (struct span){s.at, plain});
    s = (struct span){s.at + plain, s.n - plain};
    if (!s.n)
      break;
    switch (piece(s, &length, wrong)) {
    case PIECE_DOLLAR:
      str_add(out, "$");
      break;
    case PIECE_NAME: /* in parentheses too: a keyword must not get through */
    case PIECE_EXPRESSION:
      str_add(out, "\",(");
      str_add_bytes(out, s.at + 1, length - 1);
      str_add(out, "),\"");
      break;
    case PIECE_BAD:
      return -1;
    }
    s = (struct span){s.at + length, s.n - length};
  }
  str_add(out, "\");");
  return 0;
}

/* The next line without its newline; *newline says whether it has one. */
static struct span next_line(struct span *rest, int *newline)
{
  const char *end = memchr(rest->at, '\n', rest->n);
  *newline = end != NULL;
  struct span line = {rest->at, end ? (size_t)(end - rest->at) : rest->n};
  rest->at += line.n + (size_t)*newline;
  rest->n -= line.n + (size_t)*newline;
  return line;
}

/* The Lua of a line that starts with @, or an empty span with at = NULL. */
static struct span lua_of(struct span line)
{
  size_t i = 0;
  while (i < line.n && (line.at[i] == ' ' || line.at[i] == '\t'))
    i++;
  if (i == line.n || line.at[i] != '@')
    return (struct span){NULL, 0};
  return (struct span){line.at + i + 1, line.n - i - 1};
}

int template_translate(const char *text, size_t n, const char *file,
                       int number, struct str *out, struct err *e)
{
  struct span rest = {text, n};
  for (size_t at = 1; rest.n; at++) {
    int newline;
    const char *wrong;
    struct span line = next_line(&rest, &newline), lua = lua_of(line);
    if (lua.at) {
      str_add_bytes(out, lua.at, lua.n);
    } else {
      line.n += (size_t)newline;
      if (add_text(out, line, number, at, &wrong))
        return err_set(e, ERR_FAILED, "%s:%zu: %s", file, at, wrong);
    }
    str_add(out, "\n");
  }
  return 0;
}

void template_paste(const char *text, size_t n, size_t line, int i,
                    struct str *out)
{
  struct span rest = {text, n}, s = {text, 0};
  int newline;
  for (; line && rest.n; line--)
    s = next_line(&rest, &newline);
  for (const char *dollar; (dollar = memchr(s.at, '$', s.n));) {
    size_t length;
    const char *wrong;
    s = (struct span){dollar, s.n - (size_t)(dollar - s.at)};
    enum piece kind = piece(s, &length, &wrong);
    if (kind == PIECE_BAD)
      return;
    if (kind != PIECE_DOLLAR && !i--) {
      str_add_bytes(out, s.at, length);
      return;
    }
    s = (struct span){s.at + length, s.n - length};
  }
}
