/* verb_show.c - tune show FAMILY: stored winners with their provenance. */
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "db/table.h"
#include "tuner/cli/cli.h"
#include "tuner/session/history.h"
#include "tuner/session/job.h"
#include "tuner/cli/json.h"
#include "tuner/cli/report.h"

struct show {
  const struct request *request;
  struct family *family;
  struct str folder;
  size_t shown;
};

/* Does the row's problem have every key=value that was asked for? */
static int wanted(const struct request *r, const struct record *row)
{
  struct str all = {0}, one = {0};
  str_addf(&all, ",%s,", record_get(row, "problem"));
  int fits = 1;
  for (size_t i = 0; i < r->nkeys && fits; i++) {
    str_clear(&one);
    str_addf(&one, ",%s=%s,", r->names[i], r->texts[i]);
    fits = strstr(all.at, one.at) != NULL;
  }
  str_free(&all);
  str_free(&one);
  return fits;
}

static int show_arch(struct show *s, const char *arch, struct err *e)
{
  struct table *t;
  int code = table_load(&t, s->folder.at, arch, family_name(s->family),
                        cli_notice, NULL, e);
  if (code)
    return code;
  for (size_t i = 0; i < table_size(t); i++) {
    const struct record *row = table_row(t, i);
    if (!wanted(s->request, row))
      continue;
    if (s->request->json)
      json_record(stdout, "stored", row, NULL, 0);
    else
      report_row(row, family_hash(s->family));
    s->shown++;
  }
  table_free(t);
  return 0;
}

static int show(struct show *s, struct err *e)
{
  const struct arch *a;
  int code = history_folder(s->request->db, &s->folder, e);
  if (!code && s->request->arch) {
    if (!(code = arch_need(s->request->arch, &a, e)))
      code = show_arch(s, arch_name(a), e);
  } else {
    for (size_t i = 0; (a = arch_at(i)) && !code; i++)
      code = show_arch(s, arch_name(a), e);
  }
  if (!code && !s->shown)
    code = err_set(e, ERR_FAILED, "%s holds no winner of %s for this; `tune "
                   "%s --arch ARCH` finds one", s->folder.at,
                   family_name(s->family), family_name(s->family));
  str_free(&s->folder);
  return code;
}

static int run(const struct request *r, struct err *e)
{
  struct show s = {.request = r};
  const char *family;
  if (cli_word(r, 1, "family", &family, e)
      || family_open(&s.family, family, r->templates, e))
    return e->code;
  int code = request_keys(r, s.family, e);
  if (!code)
    code = show(&s, e);
  family_close(s.family);
  return code;
}

const struct verb verb_show = {
    "show", "show FAMILY [--arch ARCH] [...]", "stored winners", run,
    "Prints the stored winners with their provenance: of one arch or all, of\n"
    "the problems whose keys were given or all. `stale` means that the\n"
    "family's templates have changed since.\n"};
