/* verb_explain.c - tune explain FAMILY: why a configuration is as it is. */
// SPDX-License-Identifier: MIT
#include <stdio.h>

#include "tuner/cli.h"
#include "tuner/job.h"

static int run(const struct request *r, struct err *e)
{
  struct job j = {0};
  const char *family;
  int code = cli_word(r, 1, "family", &family, e);
  if (!code)
    code = job_open(&j, r, family, cli_notice, NULL, e);
  job_close(&j);
  return code;
}

const struct verb verb_explain = {
    "explain", "explain FAMILY --arch ARCH [...]",
    "why: rules, registers, LDS, limits", run, ""};
