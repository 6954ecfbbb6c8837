/* verb_show.c - tune show FAMILY: stored winners with their provenance. */
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/source.h"
#include "arch/arch.h"
#include "tuner/cli/cli.h"
#include "tuner/session/history.h"
#include "tuner/session/shipped.h"
#include "tuner/session/stored.h"
#include "tuner/cli/report.h"
#include "tuner/cli/show.h"

struct show {
  const struct options *options;
  struct family *family;
  struct str folder;
  size_t shown;
};

/* m=1e3 asks for m=1000. */
static int same_value(const char *a, const char *b, size_t n)
{
  char there[64];
  long long x, y;
  snprintf(there, sizeof there, "%.*s", (int)n, b);
  return !strcmp(a, there) ||
         (!value_whole(a, &x) && !value_whole(there, &y) && x == y);
}

/* Has the row's problem this value of the key? */
static int has(const char *problem, const char *name, const char *text)
{
  size_t n = strlen(name), length;
  for (const char *at = problem; *at; at += length, at += *at == ',') {
    length = strcspn(at, ",");
    if (length > n && !strncmp(at, name, n) && at[n] == '=')
      return same_value(text, at + n + 1, length - n - 1);
  }
  return 0;
}

/* Does the row's problem have every key=value that was asked for? */
static int wanted(const struct options *r, const struct record *row)
{
  size_t i = 0;
  while (i < r->nkeys &&
         has(record_text(row, "problem"), r->names[i], r->texts[i]))
    i++;
  return i == r->nkeys;
}

static void show_row(struct family *f, const struct record *row)
{
  struct stored s;
  stored_read(f, row, &s);
  report_row(row, s.stale);
}

static void show_rows(struct show *s, const struct arch *a,
                      const struct table *t)
{
  for (size_t i = 0; i < table_size(t); i++) {
    const struct record *row = table_row(t, i);
    if (!wanted(s->options, row))
      continue;
    if (s->options->json)
      show_json(s->family, a, "stored", row, 0);
    else
      show_row(s->family, row);
    s->shown++;
  }
}

static int show_arch(struct show *s, const struct arch *a, struct err *e)
{
  struct table *t;
  const struct pair *facts;
  size_t n = arch_facts(a, &facts);
  if (family_set_arch(s->family, facts, n, e) ||
      shipped_load(&t, s->folder.at, arch_name(a), family_name(s->family),
                   cli_notice, NULL, e))
    return e->code;
  if (s->options->nkeys || s->options->json) {
    show_rows(s, a, t);
  } else {
    show_list(s->family, a, t);
    s->shown += table_size(t);
  }
  table_free(t);
  return 0;
}

static int show_archs(struct show *s, struct err *e)
{
  const struct arch *a;
  int code = 0;
  if (s->options->arch)
    return arch_need(s->options->arch, &a, e) ? e->code
                                               : show_arch(s, a, e);
  for (size_t i = 0; (a = arch_at(i)) && !code; i++)
    code = show_arch(s, a, e);
  return code;
}

static int show_family(struct show *s, const char *name, struct err *e)
{
  const struct options *r = s->options;
  if (family_open(&s->family, name, r->templates, e))
    return e->code;
  int code = options_keys(r, s->family, e);
  if (!code)
    code = show_archs(s, e);
  family_close(s->family);
  return code;
}

static int show_all(struct show *s, struct err *e)
{
  char **names;
  size_t n = source_list(s->options->templates, &names);
  int code = options_keys(s->options, NULL, e);
  for (size_t i = 0; i < n && !code; i++)
    code = show_family(s, names[i], e);
  free(names);
  return code;
}

static int run(const struct options *r, struct err *e)
{
  struct show s = {.options = r};
  const char *family = NULL;
  if ((r->nwords > 1 || r->best) && cli_word(r, 1, "family", &family, e))
    return e->code;
  if (r->best)
    return show_best(r, family, e);
  int code = history_folder(r->db, &s.folder, e);
  if (!code)
    code = family ? show_family(&s, family, e) : show_all(&s, e);
  if (!code && !s.shown)
    code = err_set(e, ERR_FAILED, "%s holds no winner%s%s for this; `tune %s "
                   "--arch ARCH` finds one", s.folder.at,
                   family ? " of " : "", family ? family : "",
                   family ? family : "FAMILY");
  str_free(&s.folder);
  return code;
}

const struct verb verb_show = {
    "show", "show [FAMILY] [--arch ARCH] [...]", "stored winners", run,
    "Without a problem: a line for each stored one, with the share of the\n"
    "peak that its winner reaches; of all families, or of one; first your own,\n"
    "then those that came with the program. With keys of a problem (--m 512):\n"
    "the winners of all that have these values, with their provenance.\n"
    "`stale` means that the templates make other kernels of it now.\n"
    "--best N lists the N fastest configurations of one problem; keys that are\n"
    "left out have their default. --json says too how to launch each.\n"};
