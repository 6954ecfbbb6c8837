/* verb_emit.c - tune emit FAMILY: the HIP text of a configuration. */
// SPDX-License-Identifier: MIT
#include <stdio.h>

#include "tuner/cli/cli.h"
#include "tuner/session/job.h"

static int emit(const struct job *j, struct err *e)
{
  struct config c = {0};
  struct str text = {0};
  int code = j->request->nsets ? job_config(j, &c, e)
                               : job_winner(j, &c, e);
  const char *why = code ? NULL : space_rule(j->space, &c);
  if (why)
    code = err_set(e, ERR_FAILED, "this configuration is excluded: %s", why);
  if (!code)
    code = family_render(j->family, &j->problem, &c, &text, NULL, e);
  if (!code)
    fputs(text.at, stdout);
  if (!code && !j->request->nsets && job_stale(j))
    cli_notice(NULL, "the templates have changed since this winner was found");
  str_free(&text);
  return code;
}

static int run(const struct request *r, struct err *e)
{
  struct job j = {0};
  const char *family;
  int code = cli_word(r, 1, "family", &family, e);
  if (!code)
    code = job_open(&j, r, family, cli_notice, NULL, e);
  if (!code)
    code = emit(&j, e);
  job_close(&j);
  return code;
}

const struct verb verb_emit = {
    "emit", "emit FAMILY --arch ARCH [...]", "the HIP text of the winner", run,
    "Prints the kernel of the stored winner of this problem, or that of\n"
    "--set name=value,...; tunables left out are the winner's, or such that a\n"
    "legal configuration results. The text stands on its own.\n"};
