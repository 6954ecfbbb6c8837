/* slurm.c - see slurm.h. */
// SPDX-License-Identifier: MIT
#include "tuner/sweep/slurm.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/status.h"
#include "tuner/device/program.h"
#include "tuner/sweep/status.h"

enum {SUBMIT_LIMIT = 60}; /* seconds of sbatch */

struct job {
  const struct options *line;
  char tune[PATH_MAX], file[PATH_MAX], store[PATH_MAX], name[NIGHT_STAMP];
};

/* --- words of a shell ------------------------------------------------------ */

static void quote(struct str *to, const char *text)
{
  str_add(to, "'");
  for (; *text; text++)
    if (*text == '\'')
      str_add(to, "'\\''");
    else
      str_add_bytes(to, text, 1);
  str_add(to, "'");
}

static void add(struct str *to, const char *before, const char *text)
{
  str_add(to, before);
  quote(to, text);
}

/* sbatch reads its lines itself: % would be a pattern, and there is no way to
 * write a quote. */
static int fits_sbatch(const char *path, struct err *e)
{
  if (!path[strcspn(path, "%\"'\\\n")])
    return 0;
  return err_set(e, ERR_USAGE, "%s: Slurm cannot write into a folder with %%, "
                 "quotes or a backslash in its name; choose another with --db",
                 path);
}

/* --- paths ----------------------------------------------------------------- */

/* Of a file that is there, or of a folder that may not be. */
static int absolute(const char *path, int must, char out[PATH_MAX],
                    struct err *e)
{
  char here[PATH_MAX];
  if (realpath(path, out))
    return 0;
  if (must || (*path != '/' && !getcwd(here, sizeof here)))
    return err_set(e, ERR_FAILED, "%s: cannot read", path);
  int n = *path == '/' ? snprintf(out, PATH_MAX, "%s", path)
                       : snprintf(out, PATH_MAX, "%s/%s", here, path);
  return n < PATH_MAX ? 0 : err_set(e, ERR_FAILED, "%s: too long", path);
}

static int check_partition(const char *name, struct err *e)
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_-.,"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  if (!name || (*name && !name[strspn(name, letters)]))
    return 0;
  return err_set(e, ERR_USAGE, "--partition '%s': must be the name of a "
                 "partition; `sinfo` lists them", name);
}

static int find_paths(struct job *j, const char *file, const char *store,
                      struct err *e)
{
  ssize_t n = readlink("/proc/self/exe", j->tune, PATH_MAX - 1);
  j->tune[n > 0 ? n : 0] = 0;
  night_sweep(file, j->name);
  return absolute(file, 1, j->file, e) || absolute(store, 0, j->store, e) ||
                 fits_sbatch(j->store, e)
             ? e->code
             : 0;
}

/* --- the options of the sweep, passed on ----------------------------------- */

static void add_retry(const struct options *o, struct str *to)
{
  const char *before = " --retry ";
  for (int i = 0; i < STATUS_N; i++)
    if (o->retry >> i & 1) {
      str_addf(to, "%s%s", before, status_name(i));
      before = ",";
    }
}

static void add_options(const struct options *o, struct str *to)
{
  if (options_given(o, "device"))
    add(to, " --device ", o->device);
  if (options_given(o, "templates"))
    add(to, " --templates ", o->templates);
  if (options_given(o, "evals"))
    str_addf(to, " --evals %lld", o->evals);
  if (options_given(o, "seconds"))
    str_addf(to, " --seconds %.15g", o->seconds);
  if (options_given(o, "timeout"))
    str_addf(to, " --timeout %.15g", o->timeout);
  if (options_given(o, "precision"))
    str_addf(to, " --precision %.15g", o->precision);
  add_retry(o, to);
}

/* --- the scripts ----------------------------------------------------------- */

static void add_head(const struct job *j, const char *kind, struct str *to)
{
  str_addf(to, "#!/bin/sh\n# The sweep %s by Slurm: %s. Written by `tune sweep "
           "--slurm`.\n#SBATCH --job-name=tune-%s\n", j->name, kind, j->name);
  if (j->line->partition)
    str_addf(to, "#SBATCH --partition=%s\n", j->line->partition);
}

static void add_resources(const struct options *o, struct str *to)
{
  str_addf(to, "#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=%lld\n", o->cpus);
  if (o->gpus)
    str_addf(to, "#SBATCH --gres=gpu:%lld\n", o->gpus);
}

static void write_task(const struct job *j, const struct str *folder,
                       struct str *to)
{
  long long n = j->line->slurm;
  add_head(j, "a task for each shard", to);
  str_addf(to, "#SBATCH --array=1-%lld\n", n);
  add_resources(j->line, to);
  str_addf(to, "#SBATCH --requeue\n#SBATCH --open-mode=append\n#SBATCH "
           "--output=\"%s/%%A-%%a.log\"\n", folder->at);
  add(to, "tune=", j->tune);
  add(to, "\nfile=", j->file);
  add(to, "\nstore=", j->store);
  add(to, "\nmine=", folder->at);
  str_addf(to, "/shard-$SLURM_ARRAY_TASK_ID-of-%lld\n\n", n);
  str_add(to, "# The shard's store begins as what the store has.\n"
          "if [ -d \"$store\" ] && [ ! -e \"$mine\" ]; then\n"
          "  rm -rf \"$mine.new\"\n"
          "  cp -r \"$store\" \"$mine.new\" && mv \"$mine.new\" \"$mine\" || "
          "exit\nfi\n\n");
  str_add(to, "\"$tune\" sweep \"$file\" --quiet --db \"$mine\" \\\n"
          "  --jobs \"$SLURM_CPUS_PER_TASK\" --shard "
          "\"$SLURM_ARRAY_TASK_ID");
  str_addf(to, "/%lld\"", n);
  add_options(j->line, to);
  str_addf(to, "\nstatus=$?\n\n# Killed: once more from the queue, where it goes "
           "on.\nif [ $status -gt 128 ] && [ $status -ne 130 ] &&\n  [ "
           "\"${SLURM_RESTART_COUNT:-0}\" -lt %d ]; then\n  scontrol requeue "
           "\"${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID\" && exec sleep 60\n"
           "fi\nexit $status\n", SLURM_REQUEUES);
}

static void write_merge(const struct job *j, const struct str *folder,
                        struct str *to)
{
  add_head(j, "what the shards found, as one", to);
  str_addf(to, "#SBATCH --ntasks=1\n#SBATCH --output=\"%s/%%j.log\"\n",
           folder->at);
  add(to, "tune=", j->tune);
  add(to, "\nstore=", j->store);
  add(to, "\nshards=", folder->at);
  str_addf(to, "\n\nmkdir -p \"$store\" || exit\n\"$tune\" db merge "
           "\"$shards\"/shard-*-of-%lld --db \"$store\" || exit\n"
           "\"$tune\" report %s --db \"$store\" --out \"$shards/report.txt\"\n",
           j->line->slurm, j->name);
}

int slurm_plan(struct slurm_plan *out, const char *file, const char *store,
               const struct options *line, struct err *e)
{
  struct job j = {.line = line};
  *out = (struct slurm_plan){0};
  if (find_paths(&j, file, store, e) || check_partition(line->partition, e))
    return e->code;
  str_addf(&out->folder, "%s-slurm/%s", j.store, j.name);
  write_task(&j, &out->folder, &out->task);
  write_merge(&j, &out->folder, &out->merge);
  return 0;
}

void slurm_free(struct slurm_plan *p)
{
  str_free(&p->folder);
  str_free(&p->task);
  str_free(&p->merge);
}

/* --- sbatch ---------------------------------------------------------------- */

/* The last line of what it said: the lines before repeat it. */
static void reason(const struct program_said *said, struct str *out)
{
  const char *text = str_text(&said->words);
  size_t n = strlen(text);
  while (n && isspace((unsigned char)text[n - 1]))
    n--;
  size_t from = n;
  while (from && text[from - 1] != '\n')
    from--;
  str_addf(out, "%.*s", (int)(n - from), text + from);
}

static int refused(const struct program_said *said, const char *script,
                   struct err *e)
{
  struct str why = {0};
  if (said->status == PROGRAM_MISSING)
    return err_set(e, ERR_FAILED, "sbatch is not found: this machine is no "
                   "client of Slurm's; install slurm-client, or run this where "
                   "jobs are submitted. --dry-run prints the scripts");
  reason(said, &why);
  err_set(e, ERR_FAILED, "Slurm refused %s: %s", script,
          why.len ? why.at : "sbatch did not say why");
  str_free(&why);
  return e->code;
}

/* The number of the job, which `--parsable` prints, with ";CLUSTER" behind it
 * where there are several. */
static int take_number(const struct program_said *said, const char *script,
                       struct str *number, struct err *e)
{
  size_t n = strspn(str_text(&said->out), "0123456789");
  if (said->status || !n)
    return refused(said, script, e);
  str_addf(number, "%.*s", (int)n, said->out.at);
  return 0;
}

static int submit(const char *script, const char *after, struct str *number,
                  struct err *e)
{
  const char *argv[] = {"sbatch", "--parsable", after ? after : script,
                        after ? script : NULL, NULL};
  struct program_said said;
  int code = program_run(argv, NULL, SUBMIT_LIMIT, &said, e);
  if (!code)
    code = take_number(&said, script, number, e);
  program_free(&said);
  return code;
}

static void cancel(const struct str *number)
{
  const char *argv[] = {"scancel", number->at, NULL};
  struct program_said said;
  program_run(argv, NULL, SUBMIT_LIMIT, &said, NULL);
  program_free(&said);
}

static int put(const struct slurm_plan *p, const char *name,
               const struct str *text, struct str *path, struct err *e)
{
  str_addf(path, "%s/%s", p->folder.at, name);
  return file_replace(path->at, text->at, text->len, e);
}

int slurm_submit(const struct slurm_plan *p, struct str *array,
                 struct str *merge, struct err *e)
{
  struct str task = {0}, last = {0}, after = {0};
  int code = file_mkdirs(p->folder.at, e);
  if (!code)
    code = put(p, "task.sh", &p->task, &task, e);
  if (!code)
    code = put(p, "merge.sh", &p->merge, &last, e);
  if (!code)
    code = submit(task.at, NULL, array, e);
  if (!code) {
    str_addf(&after, "--dependency=afterany:%s", array->at);
    code = submit(last.at, after.at, merge, e);
    if (code)
      cancel(array);
  }
  str_free(&task);
  str_free(&last);
  str_free(&after);
  return code;
}
