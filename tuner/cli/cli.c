/* cli.c - see cli.h. */
// SPDX-License-Identifier: MIT
#include "tuner/cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/suggest.h"
#include "arch/arch.h"

/* The first is what a family's name alone means: `tune gemm`. */
static const struct verb *const verbs[] = {
    &verb_tune, &verb_list, &verb_show, &verb_emit, &verb_explain,
    &verb_replay, &verb_calibrate, &verb_study,
    &verb_help};

enum { VERBS = sizeof verbs / sizeof *verbs };

const struct verb *cli_verb(size_t i)
{
  return i < VERBS ? verbs[i] : NULL;
}

void cli_notice(void *user, const char *text)
{
  (void)user;
  fprintf(stderr, "tune: notice: %s\n", text);
}

int cli_word(const struct request *r, size_t i, const char *what,
             const char **out, struct err *e)
{
  if (i + 1 < r->nwords)
    return err_set(e, ERR_USAGE, "'%s' is one word too many; problem keys "
                   "are given as --name value", r->words[i + 1]);
  if (i >= r->nwords)
    return err_set(e, ERR_USAGE, "which %s? `tune help` shows what to write",
                   what);
  *out = r->words[i];
  return 0;
}

enum { LABEL = 13, WIDTH = 80 };

void cli_row(const char *label, const char *text)
{
  size_t room = WIDTH - LABEL;
  if (strlen(label) < LABEL - 2)
    printf("  %-*s", LABEL - 2, label);
  else /* on a line of its own */
    printf("  %s\n%*s", label, LABEL, "");
  while (strlen(text) > room) {
    size_t cut = room + 1; /* a blank may stand behind the last column */
    while (cut > 0 && text[cut - 1] != ' '
           && (text[cut - 1] != ',' || cut > room))
      cut--;
    if (cut == 0)
      cut = strcspn(text, ", ");
    size_t end = cut;
    while (end > 0 && text[end - 1] == ' ')
      end--;
    printf("%.*s\n%*s", (int)end, text, LABEL, "");
    text += cut;
  }
  printf("%s\n", text);
}

/* A first word that is neither a verb nor a family: the nearest of both. */
static int unknown(const char *word, const struct request *r, struct err *e)
{
  char **families;
  size_t n = family_list(r->templates, &families), m = 0;
  const char **names = mem_array(n + VERBS, sizeof *names);
  for (size_t i = 0; i < n; i++)
    names[m++] = families[i];
  for (size_t i = 1; i < VERBS; i++)
    names[m++] = verbs[i]->name;
  const char *near = suggest(word, names, m);
  err_set(e, ERR_USAGE, "there is no verb or family '%s'%s%s%s; `tune list "
          "families` names the families", word, near ? ", did you mean '" : "",
          near ? near : "", near ? "'?" : "");
  free(names);
  free(families);
  return e->code;
}

static int is_family(const char *word, const struct request *r)
{
  char **families;
  size_t n = family_list(r->templates, &families), i = 0;
  while (i < n && strcmp(families[i], word) != 0)
    i++;
  free(families);
  return i < n || strchr(word, '/') || strstr(word, ".lua");
}

static int run(const struct request *r, struct err *e)
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
    if (strcmp(verbs[i]->name, r->words[0]) == 0)
      return r->help ? verb_help.run(r, e) : verbs[i]->run(r, e);
  if (!is_family(r->words[0], r))
    return unknown(r->words[0], r, e);
  return r->help ? verb_help.run(r, e) : verbs[0]->run(r, e);
}

int cli_main(int argc, char **argv)
{
  struct request r;
  struct err e = {0};
  int code = arch_check(&e);
  if (!code)
    code = request_parse(&r, argc - 1, argv + 1, &e);
  if (!code)
    code = run(&r, &e);
  int bad = fflush(stdout) != 0 ? errno : ferror(stdout) ? EIO : 0;
  if (bad && !code)
    code = err_set(&e, ERR_FAILED, "writing the results: %s", strerror(bad));
  if (code)
    fprintf(stderr, "tune: %s\n", e.text);
  return code;
}
