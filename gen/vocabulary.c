/* vocabulary.c - see vocabulary.h. */
// SPDX-License-Identifier: MIT
#include "gen/vocabulary.h"

#include <ctype.h>
#include <string.h>

#include "gen/source.h"

enum {PARAGRAPHS = 128};

struct paragraph {
  const char *text; /* ends before the empty line */
  size_t size;
  const char *word; /* that it defines */
  size_t length;
  int used;
};

struct vocabulary {
  size_t n;
  struct paragraph list[PARAGRAPHS];
};

static int letter(char c)
{
  return isalnum((unsigned char)c) || c == '_';
}

/* The first word in [at, end) that a vocabulary can define, or NULL. */
static const char *next_word(const char *at, const char *end, size_t *length)
{
  static const char *const starts[] = {"__builtin_", "vocabulary_"};
  for (; at < end; at++) {
    size_t n = 0;
    while (at + n < end && letter(at[n]))
      n++;
    for (size_t i = 0; n && i < sizeof starts / sizeof *starts; i++)
      if (!strncmp(at, starts[i], strlen(starts[i]))) {
        *length = n;
        return at;
      }
    at += n;
  }
  return NULL;
}

static void add_paragraph(struct vocabulary *v, const char *text, size_t size)
{
  struct paragraph p = {.text = text, .size = size};
  p.word = next_word(text, text + size, &p.length);
  if (p.word && v->n < PARAGRAPHS)
    v->list[v->n++] = p;
}

/* The head comment of the file defines nothing. */
static void split(struct vocabulary *v, const char *text)
{
  const char *end, *body = strstr(text, "\n\n");
  v->n = 0;
  for (const char *at = body ? body + 2 : text; *at;
       at = end + strspn(end, "\n")) {
    end = strstr(at, "\n\n");
    if (!end)
      end = at + strlen(at) - 1; /* the file ends with a newline */
    add_paragraph(v, at, (size_t)(end - at));
  }
}

static void use(struct vocabulary *v, const char *text, size_t size);

static void use_word(struct vocabulary *v, const char *word, size_t length)
{
  for (size_t i = 0; i < v->n; i++) {
    struct paragraph *p = &v->list[i];
    if (p->used || p->length != length || memcmp(p->word, word, length) != 0)
      continue;
    p->used = 1;
    use(v, p->text, p->size);
  }
}

/* Mark what is needed for [text, text + size). */
static void use(struct vocabulary *v, const char *text, size_t size)
{
  const char *end = text + size, *at = text;
  size_t length;
  for (; (at = next_word(at, end, &length)); at += length)
    use_word(v, at, length);
}

static int starts(const char *line, const char *with)
{
  return !strncmp(line, with, strlen(with));
}

static void use_lines(struct vocabulary *v, const char *text)
{
  int skip = 0; /* conditions open since that of __HIP__, it included */
  for (const char *line = text; *line;) {
    size_t n = strcspn(line, "\n");
    if (skip)
      skip += starts(line, "#if") - starts(line, "#endif");
    else if (starts(line, "#if defined __HIP__"))
      skip = 1;
    else
      use(v, line, n);
    if (skip == 1 && starts(line, "#else"))
      skip = 0;
    line += n + (line[n] == '\n');
  }
}

static void add_used(const struct vocabulary *v, struct str *out)
{
  for (size_t i = 0; i < v->n; i++)
    if (v->list[i].used) {
      str_add_bytes(out, v->list[i].text, v->list[i].size);
      str_add(out, "\n\n");
    }
}

void vocabulary_add(const char *text, struct str *out)
{
  struct vocabulary v;
  split(&v, embedded_find("vocabulary.hip")->bytes);
  use_lines(&v, text);
  add_used(&v, out);
}

void vocabulary_add_dots(const char *text, struct str *out)
{
  struct vocabulary v;
  split(&v, embedded_find("vocabulary_dots.hip")->bytes);
  use(&v, text, strlen(text));
  add_used(&v, out);
}
