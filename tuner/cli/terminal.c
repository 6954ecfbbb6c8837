/* terminal.c - see terminal.h. */
// SPDX-License-Identifier: MIT
#include "tuner/cli/terminal.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/str.h"

enum {LABEL = 13, WIDTH = 80, LEAST = 40};

/* 0 where it is no terminal. */
static size_t width_of(FILE *to)
{
  struct winsize size;
  int fd = fileno(to);
  if (!isatty(fd) || ioctl(fd, TIOCGWINSZ, &size) != 0)
    return 0;
  return size.ws_col ? size.ws_col : WIDTH;
}

size_t terminal_columns(FILE *to)
{
  size_t width = width_of(to);
  if (width == 0 || width > WIDTH)
    return WIDTH;
  return width < LEAST ? LEAST : width;
}

/* Bytes of text that go on a line of `room`: up to the last blank or behind
 * the last comma that fits, or all of a word that is too long. */
static size_t fitting(const char *text, size_t room, const char *breaks)
{
  size_t length = strcspn(text, "\n");
  if (length <= room)
    return length;
  for (size_t cut = room + 1; cut > 0; cut--) {
    char last = text[cut - 1];
    if (last == ' ' || (cut <= room && strchr(breaks, last)))
      return cut;
  }
  size_t word = strcspn(text, breaks);
  size_t line = strcspn(text, " \n");
  return word < line ? word + 1 : line < length ? line + 1 : line;
}

/* Without the blanks at its end. */
static int trimmed(const char *text, size_t n)
{
  while (n > 0 && text[n - 1] == ' ')
    n--;
  return (int)n;
}

void terminal_continue(FILE *to, const char *text, size_t indent,
                       size_t columns)
{
  while (1) {
    size_t n = fitting(text, columns > indent ? columns - indent : 1,
                       ",");
    fprintf(to, "%.*s\n", trimmed(text, n), text);
    text += n;
    text += *text == '\n';
    if (!*text)
      break;
    fprintf(to, "%*s", (int)indent, "");
  }
}

void terminal_row(FILE *to, const char *label, const char *text,
                  size_t columns)
{
  if (strlen(label) < LABEL - 2)
    fprintf(to, "  %-*s", LABEL - 2, label);
  else /* on a line of its own */
    fprintf(to, "  %s\n%*s", label, LABEL, "");
  terminal_continue(to, text, LABEL, columns);
}

void terminal_wrap(FILE *to, const char *text, size_t columns)
{
  while (1) {
    size_t n = *text == ' ' ? strcspn(text, "\n")
                            : fitting(text, columns, " ");
    fprintf(to, "%.*s\n", trimmed(text, n), text);
    text += n;
    text += *text == '\n';
    if (!*text)
      break;
  }
}

void terminal_lines(FILE *to, const char *text, size_t columns)
{
  struct str line = {0};
  for (size_t n; *text; text += n + (text[n] == '\n')) {
    n = strcspn(text, "\n");
    size_t blanks = strspn(text, " ");
    size_t indent = blanks < n ? blanks : n;
    str_clear(&line);
    str_add_bytes(&line, text + indent, n - indent);
    fprintf(to, "%*s", (int)indent, "");
    terminal_continue(to, str_text(&line), indent, columns);
  }
  str_free(&line);
}

void terminal_message(const char *text)
{
  struct str line = {0};
  size_t width = width_of(stderr);
  str_addf(&line, "tune: %s", text);
  terminal_wrap(stderr, line.at, width ? width : line.len);
  str_free(&line);
}
