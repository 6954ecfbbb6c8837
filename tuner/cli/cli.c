/* cli.c - see cli.h. */
// SPDX-License-Identifier: MIT
#include "gen/source.h"
#include "tuner/cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/suggest.h"
#include "arch/arch.h"
#include "tuner/cli/terminal.h"

/* The first is what a family's name alone means: `tune gemm`. */
static const struct verb *const verbs[] = {
    &verb_tune, &verb_list, &verb_show, &verb_emit, &verb_explain,
    &verb_replay, &verb_calibrate, &verb_study, &verb_pack,
    &verb_report, &verb_sweep, &verb_diagnose, &verb_db, &verb_help};

enum {VERBS = sizeof verbs / sizeof *verbs};

const struct verb *cli_verb(size_t i)
{
  return i < VERBS ? verbs[i] : NULL;
}

void cli_notice(void *user, const char *text)
{
  struct str line = {0};
  (void)user;
  str_addf(&line, "notice: %s", text);
  terminal_message(line.at);
  str_free(&line);
}

int cli_word(const struct options *r, size_t i, const char *what,
             const char **out, struct err *e)
{
  if (i + 1 < r->nwords)
    return err_set(e, ERR_USAGE, "'%s' is one word too many; problem keys "
                   "are given as --name value", r->words[i + 1]);
  if (i >= r->nwords)
    return err_set(e, ERR_USAGE, "which %s? `tune help%s%s` shows what to write",
                   what, i ? " " : "", i ? r->words[0] : "");
  *out = r->words[i];
  return 0;
}

void cli_row(const char *label, const char *text)
{
  terminal_row(stdout, label, text, terminal_columns(stdout));
}

void cli_rowf(const char *label, const char *format, ...)
{
  char line[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  cli_row(label, line);
}

void cli_entry(const char *label, size_t at, const char *text)
{
  enum {LEAST = 24, BELOW = 8};
  size_t columns = terminal_columns(stdout);
  if (columns < at + LEAST) {
    printf("%s\n%*s", label, BELOW, "");
    at = BELOW;
  } else
    printf("%-*s ", (int)at - 1, label);
  terminal_continue(stdout, text, at, columns);
}

void cli_lines(const char *text)
{
  terminal_lines(stdout, text, terminal_columns(stdout));
}

/* A first word that is neither a verb nor a family: the nearest of both. */
static int unknown(const char *word, const struct options *r, struct err *e)
{
  char **families;
  size_t n = source_list(r->templates, &families), m = 0;
  const char **names = mem_array(n + VERBS, sizeof *names);
  for (size_t i = 0; i < n; i++)
    names[m++] = families[i];
  for (size_t i = 1; i < VERBS; i++)
    names[m++] = verbs[i]->name;
  const char *near = suggest(word, names, m);
  err_set(e, ERR_USAGE, "there is no verb or family '%s'%s%s%s `tune list "
          "families` names the families", word, near ? "; did you mean '" : "",
          near ? near : "", near ? "'?" : ";");
  free(names);
  free(families);
  return e->code;
}

static int is_family(const char *word, const struct options *r)
{
  char **families;
  size_t n = source_list(r->templates, &families), i = 0;
  while (i < n && strcmp(families[i], word) != 0)
    i++;
  free(families);
  return i < n || strchr(word, '/') || strstr(word, ".lua");
}

/* A page of help asks for nothing else. */
static int run_verb(const struct verb *v, const struct options *r,
                    struct err *e)
{
  if (r->help)
    return verb_help.run(r, e);
  const char *name = v == &verb_tune && r->solve ? "solve" : v->name;
  return options_uses(r, name, e) ? e->code : v->run(r, e);
}

static int run(const struct options *r, struct err *e)
{
  if (r->version) {
    printf("tune %s\n", TUNE_VERSION);
    return 0;
  }
  if (r->nwords == 0 && r->help)
    return verb_help.run(r, e);
  if (r->nwords == 0)
    return err_set(e, ERR_USAGE, "what shall be tuned? For example: tune gemm "
                   "--arch gfx906; `tune help` shows more");
  for (size_t i = 1; i < VERBS; i++)
    if (!strcmp(verbs[i]->name, r->words[0]))
      return run_verb(verbs[i], r, e);
  if (!is_family(r->words[0], r))
    return unknown(r->words[0], r, e);
  return run_verb(verbs[0], r, e);
}

int cli_main(int argc, char **argv)
{
  struct options r;
  struct err e = {0};
  int code = arch_check(&e);
  if (!code)
    code = options_parse(&r, argc - 1, argv + 1, &e);
  if (!code)
    code = run(&r, &e);
  int bad = fflush(stdout) != 0 ? errno : ferror(stdout) ? EIO : 0;
  if (bad && !code)
    code = err_set(&e, ERR_FAILED, "writing the results: %s", strerror(bad));
  if (code)
    terminal_message(e.text);
  return code;
}
