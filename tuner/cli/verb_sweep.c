/* verb_sweep.c - tune sweep FILE.lua: many problems, every night. */
// SPDX-License-Identifier: MIT
#include <stdio.h>

#include "tuner/cli/cli.h"
#include "tuner/cli/sweep_text.h"
#include "tuner/session/history.h"
#include "tuner/sweep/slurm.h"

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

static void say_scripts(const struct slurm_plan *p)
{
  printf("# %s/task.sh\n%s\n# %s/merge.sh\n%s", p->folder.at, p->task.at,
         p->folder.at, p->merge.at);
}

static void say_jobs(const struct slurm_plan *p, long long shards,
                     const char *array, const char *merge)
{
  char of[32];
  snprintf(of, sizeof of, "%lld", shards);
  cli_rowf("tasks", "job %s, one for each of %s shards: `squeue -j %s`", array,
           of, array);
  cli_rowf("then", "job %s merges what they found, and writes %s/report.txt",
           merge, p->folder.at);
  cli_rowf("folder", "%s: scripts, outputs, a store for each shard",
           p->folder.at);
}

/* A file that is wrong, or a device that is not here, is no matter for a queue:
 * only the file can be looked at, since the machines are others. */
static int check_file(const struct options *o, const char *file, struct err *e)
{
  static struct sweep_file f; /* large */
  int code = sweep_file_read(&f, file, o->templates, e);
  sweep_file_free(&f);
  return code;
}

static int slurm(const struct options *o, const char *file, struct err *e)
{
  struct slurm_plan plan = {0};
  struct str store = {0}, array = {0}, merge = {0};
  int code = check_file(o, file, e);
  if (!code)
    code = history_folder(o->db, &store, e);
  if (!code)
    code = slurm_plan(&plan, file, store.at, o, e);
  if (!code && o->dry_run)
    say_scripts(&plan);
  else if (!code && !(code = slurm_submit(&plan, &array, &merge, e)))
    say_jobs(&plan, o->slurm, array.at, merge.at);
  slurm_free(&plan);
  str_free(&store);
  str_free(&array);
  str_free(&merge);
  return code;
}

static int check_slurm(const struct options *o, struct err *e)
{
  static const char *const with[] = {"cpus", "gpus", "partition"};
  static const char *const without[] = {"shard", "status", "jobs"};
  for (size_t i = 0; i < sizeof with / sizeof *with; i++)
    if (!o->slurm && options_given(o, with[i]))
      return err_set(e, ERR_USAGE, "--%s is for Slurm's jobs: it needs --slurm",
                     with[i]);
  for (size_t i = 0; i < sizeof without / sizeof *without; i++)
    if (o->slurm && options_given(o, without[i]))
      return err_set(e, ERR_USAGE, "--slurm and --%s do not go together: "
                     "each task has its own", without[i]);
  return 0;
}

static int run(const struct options *o, struct err *e)
{
  const char *file;
  if (cli_word(o, 1, "sweep file", &file, e) || check_slurm(o, e))
    return e->code;
  if (o->slurm)
    return slurm(o, file, e);
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
    "sweep is. --slurm 8 gives it to Slurm as 8 tasks, each a shard with a store\n"
    "of its own, and a job that merges and reports. How a sweep file is written: docs/sweeps.md.\n"};
