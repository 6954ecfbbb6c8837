/* hostcall_format.c - a printf whose arguments come as words.
 *
 * The words: 0 for stdout or 1 for stderr; the format, with its NUL, padded to
 * whole words; then one word for each number or pointer, and for each %s its
 * text, padded likewise. Each conversion is one printf of the host's, which
 * ignores what is not wanted of the word.
 */
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "runtimes/sim/run/hostcall.h"

/* SPEC: the longest conversion, as "%-+10.3lld". DIGITS: of its width, so
 * that a damaged one does not fill the host's memory. */
enum {SPEC = 64, DIGITS = 5, WIDTH_MAX = 99999, STARS = 2, STAR = 8};

struct reader {
  const uint64_t *at, *end;
};

/* The text that begins here, or NULL where no NUL ends it. */
static const char *take_text(struct reader *r)
{
  const char *text = (const char *)r->at;
  size_t room = (size_t)(r->end - r->at) * sizeof *r->at;
  size_t n = strnlen(text, room);
  if (n == room)
    return NULL;
  r->at += n / sizeof *r->at + 1;
  return text;
}

static int take_word(struct reader *r, uint64_t *word)
{
  if (r->at == r->end)
    return -1;
  *word = *r->at++;
  return 0;
}

static int too_wide(const char *text, size_t n)
{
  for (size_t k = 0; k < n; k++)
    if (strspn(text + k, "0123456789") > DIGITS)
      return 1;
  return 0;
}

/* Length of the conversion that begins at %, with its letter; 0: none. */
static size_t conversion(const char *text)
{
  size_t n = 1 + strspn(text + 1, "-+ #0123456789.*hlLjzt");
  return text[n] && strchr("diouxXcfFeEgGaAspn", text[n]) && n + 1 < SPEC &&
                 !too_wide(text, n)
             ? n + 1
             : 0;
}

/* Print one value by `spec`, whose stars are numbers by now. */
static void put(struct str *out, const char *spec, char letter, uint64_t word,
                const char *text)
{
  double number;
  memcpy(&number, &word, sizeof number);
  if (letter == 's')
    str_addf(out, spec, text);
  else if (strchr("fFeEgGaA", letter))
    str_addf(out, spec, number);
  else
    str_addf(out, spec, word);
}

/* spec = the conversion with its stars replaced, and without a size where
 * that would ask for a long double or wide characters: the device has none. */
static int expand(const char *from, size_t n, struct reader *r, char *spec)
{
  size_t at = 0;
  uint64_t word;
  int stars = 0, sized = strchr("diouxX", from[n - 1]) != NULL;
  for (size_t k = 0; k < n; k++) {
    if (strchr("hlLjzt", from[k]) && !sized)
      continue;
    if (from[k] != '*') {
      spec[at++] = from[k];
      continue;
    }
    if (++stars > STARS || take_word(r, &word))
      return -1;
    int value = (int)word;
    if (value < -WIDTH_MAX || value > WIDTH_MAX)
      return -1;
    at += (size_t)snprintf(spec + at, STAR, "%d", value);
  }
  spec[at] = 0;
  return 0;
}

static int convert(const char *from, size_t n, struct reader *r,
                   struct str *out)
{
  char spec[SPEC + STARS * STAR], letter = from[n - 1];
  const char *text = NULL;
  uint64_t word = 0;
  if (expand(from, n, r, spec))
    return -1;
  if (letter == 's' ? !(text = take_text(r)) : take_word(r, &word))
    return -1;
  if (letter != 'n') /* which writes nothing back to the device */
    put(out, spec, letter, word, text);
  return 0;
}

int hostcall_format(const uint64_t *words, size_t n, struct str *out,
                    int *to_stderr)
{
  struct reader r = {words, words + n};
  uint64_t control;
  if (take_word(&r, &control) || control > 1)
    return -1;
  *to_stderr = (int)control;
  const char *text = take_text(&r);
  while (text && *text) {
    size_t plain = strcspn(text, "%");
    str_add_bytes(out, text, plain);
    text += plain;
    if (!*text)
      break;
    if (text[1] == '%') {
      str_add(out, "%");
      text += 2;
      continue;
    }
    size_t length = conversion(text);
    if (!length || convert(text, length, &r, out))
      return -1;
    text += length;
  }
  return text ? (int)out->len : -1;
}
