/* gnuplot.c - see gnuplot.h. */
// SPDX-License-Identifier: MIT
#include "tuner/study/gnuplot.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "tuner/device/program.h"

static int missing(struct err *e)
{
  return err_set(e, ERR_FAILED, "gnuplot is not installed, and draws the "
                 "pictures; install the package gnuplot-nox");
}

int gnuplot_find(struct err *e)
{
  const char *path = getenv("PATH");
  struct str file = {0};
  int found = 0;
  for (const char *at = path ? path : ""; *at && !found;) {
    size_t n = strcspn(at, ":");
    str_clear(&file);
    str_addf(&file, "%.*s/gnuplot", (int)n, at);
    found = !access(file.at, X_OK);
    at += n + (at[n] == ':');
  }
  str_free(&file);
  return found ? 0 : missing(e);
}

/* The first line of gnuplot's words that says what is wrong; it shows the
 * line of the script and a caret first. */
static void find_words(const void *words, size_t n, struct str *out)
{
  const char *at = words, *end = at + n;
  while (at < end) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    size_t length = (size_t)((stop ? stop : end) - at);
    if (memmem(at, length, "line ", 5) && memchr(at, ':', length)) {
      str_add_bytes(out, at, length < 200 ? length : 200);
      return;
    }
    at += length + 1;
  }
  str_add(out, "it did not say why");
}

static int take(const struct program_said *said, const char *path,
                struct err *e)
{
  if (said->status == PROGRAM_MISSING)
    return missing(e);
  if (!said->status && said->out.len)
    return file_replace(path, said->out.at, said->out.len, e);
  struct str why = {0};
  find_words(said->words.at, said->words.len, &why);
  err_set(e, ERR_FAILED, "%s: gnuplot drew nothing: %s", path, why.at);
  str_free(&why);
  return ERR_FAILED;
}

int gnuplot_draw(const char *script, const char *path, double seconds,
                 struct err *e)
{
  static const char *const argv[] = {"gnuplot", "--default-settings", "-",
                                     NULL};
  struct str input = {0};
  struct program_said said;
  str_add(&input, script);
  int failed = program_run(argv, &input, seconds, &said, e);
  if (failed)
    err_prefix(e, "%s: ", path);
  else
    failed = take(&said, path, e);
  str_free(&input);
  program_free(&said);
  return failed;
}

void gnuplot_quote(struct str *script, const char *text)
{
  str_add(script, "'");
  for (; *text; text++)
    if (*text == '\'')
      str_add(script, "''");
    else if (*text != '\n')
      str_add_bytes(script, text, 1);
  str_add(script, "'");
}
