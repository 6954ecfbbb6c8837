/* verb_sweep.c - tune sweep FILE.lua: many problems, every night. */
// SPDX-License-Identifier: MIT
#include <stdio.h>

#include "tuner/cli/cli.h"
#include "tuner/cli/sweep_text.h"
#include "tuner/session/history.h"

static int status(const struct options *o, const char *file, struct err *e)
{
  struct sweep_status *list = NULL;
  struct str store = {0};
  char name[NIGHT_STAMP];
  size_t n = 0;
  night_sweep(file, name);
  int code = history_folder(o->db, &store, e);
  if (!code)
    code = status_read(store.at, name, &list, &n, e);
  if (!code)
    sweep_text_status(o->json, name, list, n);
  status_free(list, n);
  str_free(&store);
  return code;
}

static int sweep(const struct options *o, const char *file, struct err *e)
{
  static struct sweep s; /* large */
  struct sweep_text text;
  struct sweep_view view = sweep_text_view(&text, o);
  int code = sweep_open(&s, file, o, &view, e);
  if (!code && o->dry_run) {
    sweep_text_plan(&text, &s);
  } else if (!code) {
    code = sweep_run(&s, e);
    sweep_text_end(&text, &s);
  }
  if (!code && s.cut)
    cli_notice(NULL, "the time was up; the same command again goes on");
  if (code == ERR_INTERRUPTED)
    err_set(e, code, "interrupted; %zu of %zu problems are done, and the same "
            "command goes on", s.counts.done, s.counts.all);
  sweep_close(&s);
  return code;
}

static int run(const struct options *o, struct err *e)
{
  const char *file;
  if (cli_word(o, 1, "sweep file", &file, e))
    return e->code;
  return o->status ? status(o, file, e) : sweep(o, file, e);
}

const struct verb verb_sweep = {
    "sweep", "sweep FILE.lua", "tune all problems of a file", run,
    "Tunes the problems that FILE.lua names, and writes what it found as a\n"
    "night, which `tune report` compares. It can be ended at any moment; the\n"
    "same command goes on. What was made with other templates, compilers or\n"
    "runtimes, or on another device, is tuned anew, and the rest is not.\n"
    "--seconds ends the night, --shard 2/8 takes an eighth of the problems,\n"
    "--dry-run says what would run and how long, --status how far a running\n"
    "sweep is. How a sweep file is written: docs/sweeps.md.\n"};
