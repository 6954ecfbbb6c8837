/* verb_diagnose.c - tune diagnose FILE|DIR: what a thread trace says. */
// SPDX-License-Identifier: MIT
#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arch/arch.h"
#include "base/file.h"
#include "tuner/cli/cli.h"
#include "tuner/cli/json.h"
#include "tuner/diagnose/advice.h"
#include "tuner/diagnose/diagnose.h"

struct diagnosing {
  const char *arch; /* NULL: not given */
  int banks;
  int json;
};

enum {BANKS = 32}; /* of every arch but gfx950 and later, where none is given */

/* --- as text ------------------------------------------------------------- */

static double percent(double part, double whole)
{
  return whole > 0 ? 100 * part / whole : 0;
}

static void print_causes(const struct diagnosis *d)
{
  struct str line = {0};
  for (int i = 0; i < CAUSES; i++)
    if (percent(d->by[i], d->stall) >= 0.05)
      str_addf(&line, "%s%s %.1f %%", line.len ? ", " : "", cause_words[i],
               percent(d->by[i], d->stall));
  cli_row("stalls for", line.len ? line.at : "nothing");
  str_free(&line);
}

static void print_verdict(const struct diagnosis *d)
{
  double share = percent(d->by[CAUSE_LDS], d->stall);
  int much = share >= 100 * diagnose_limits.lds_share;
  cli_rowf("LDS", "%.1f %% of the stalls: %s (much is %g %%)", share,
           much ? "much; mend it first" : "not what this kernel waits for most",
           100 * diagnose_limits.lds_share);
  if (!d->nfindings)
    cli_row("findings", "none: no bank conflicts, no wait right behind a "
            "write, no exchange by many barriers");
}

static void print_instruction(const struct att_row *row)
{
  struct str text = {0};
  str_addf(&text, "line %lld of the code: %s", row->line, row->text);
  if (*row->source)
    str_addf(&text, " (%s)", row->source);
  cli_row("", text.at);
  str_free(&text);
}

static void print_finding(size_t number, const struct finding *f,
                          const struct att_kernel *k,
                          const struct diagnosing *g)
{
  struct str text = {0};
  char label[32];
  snprintf(label, sizeof label, "finding %zu", number);
  printf("\n");
  cli_rowf(label, "%s: %.1f %% of the stalls, %.4g cycles a hit",
           trouble_words[f->trouble], 100 * f->share,
           f->hits > 0 ? f->stall / f->hits : 0);
  print_instruction(&k->rows[f->first]);
  if (f->last > f->first) {
    cli_row("", "to");
    print_instruction(&k->rows[f->last]);
  }
  advice(f, k, g->arch, &text);
  cli_row("", text.at);
  str_free(&text);
}

static void print_kernel(const struct att_kernel *k,
                         const struct diagnosis *d,
                         const struct diagnosing *g)
{
  cli_lines(k->name);
  printf("\n");
  cli_rowf("traced", "%zu instructions, %.4g waves, %.4g cycles, of these "
           "%.4g stalled", k->nrows, d->waves, d->cycles, d->stall);
  print_causes(d);
  print_verdict(d);
  for (size_t i = 0; i < d->nfindings; i++)
    print_finding(i + 1, &d->findings[i], k, g);
  printf("\n");
}

static void print_limits(const struct diagnosing *g)
{
  struct str text = {0};
  advice_limits(g->banks, &text);
  cli_lines(text.at);
  str_free(&text);
}

/* --- as JSON ------------------------------------------------------------- */

static json_t *json_finding(const struct finding *f,
                            const struct att_kernel *k,
                            const struct diagnosing *g)
{
  struct str text = {0};
  const struct att_row *row = &k->rows[f->first];
  advice(f, k, g->arch, &text);
  json_t *j = json_pack(
      "{s:s,s:I,s:I,s:s,s:s,s:f,s:f,s:f,s:s}",
      "finding", trouble_words[f->trouble], "line", (json_int_t)row->line,
      "last_line", (json_int_t)k->rows[f->last].line, "isa", row->text,
      "source", row->source, "hits", f->hits, "stall", f->stall,
      "share", f->share, "advice", text.at);
  str_free(&text);
  return j;
}

static void print_json(const char *path, const struct att_kernel *k,
                       const struct diagnosis *d, const struct diagnosing *g)
{
  json_t *stalls = json_object(), *findings = json_array();
  for (int i = 0; i < CAUSES; i++)
    json_object_set_new(stalls, cause_words[i], json_real(d->by[i]));
  for (size_t i = 0; i < d->nfindings; i++)
    json_array_append_new(findings, json_finding(&d->findings[i], k, g));
  json_t *j = json_pack(
      "{s:s,s:s,s:s,s:I,s:f,s:f,s:f,s:f,s:o,s:o}",
      "type", "diagnosis", "trace", path, "kernel", k->name,
      "instructions", (json_int_t)k->nrows, "waves", d->waves,
      "cycles", d->cycles, "stall", d->stall, "lds_share",
      d->stall > 0 ? d->by[CAUSE_LDS] / d->stall : 0, "stalls", stalls,
      "findings", findings);
  json_line(stdout, j);
}

/* --- the files ----------------------------------------------------------- */

static int diagnose_file(const char *path, const struct diagnosing *g,
                         struct err *e)
{
  struct att t;
  int failed = att_read(&t, path, e);
  for (size_t i = 0; !failed && i < t.nkernels; i++) {
    struct diagnosis d;
    const struct att_kernel *k = &t.kernels[i];
    if (!k->nrows)
      continue;
    diagnose(&d, k, g->banks);
    if (g->json)
      print_json(path, k, &d, g);
    else
      print_kernel(k, &d, g);
    diagnosis_free(&d);
  }
  att_free(&t);
  return failed;
}

static int is_dispatch(const struct dirent *entry)
{
  return !strncmp(entry->d_name, "ui_output_", 10);
}

/* The dispatches of a folder that rocprofv3 wrote, each in one of its own. */
static int diagnose_dispatches(const char *folder, const struct diagnosing *g,
                               struct err *e)
{
  struct dirent **list = NULL;
  int n = scandir(folder, &list, is_dispatch, alphasort), failed = 0;
  if (n < 0)
    return err_set(e, ERR_FAILED, "%s: %s", folder, strerror(errno));
  if (!n)
    failed = err_set(e, ERR_FAILED, "%s: neither code.json nor a folder "
                     "ui_output_... is in it; which folder did rocprofv3 --att "
                     "write to?", folder);
  for (int i = 0; i < n; i++) {
    struct str path = {0};
    str_addf(&path, "%s/%s/code.json", folder, list[i]->d_name);
    if (!failed && !g->json)
      printf("%s\n", list[i]->d_name);
    failed = failed ? failed : diagnose_file(path.at, g, e);
    str_free(&path);
    free(list[i]);
  }
  free(list);
  return failed;
}

static int diagnose_path(const char *path, const struct diagnosing *g,
                         struct err *e)
{
  struct stat s;
  struct str file = {0};
  if (stat(path, &s) != 0)
    return err_set(e, ERR_FAILED, "%s: %s; name the folder that rocprofv3 --att or "
                   "`tune explain --trace` wrote, or a code.json", path,
                   strerror(errno));
  if (!S_ISDIR(s.st_mode))
    return diagnose_file(path, g, e);
  str_addf(&file, "%s/code.json", path);
  int failed = file_exists(file.at) ? diagnose_file(file.at, g, e)
                                    : diagnose_dispatches(path, g, e);
  str_free(&file);
  return failed;
}

static int run(const struct options *q, struct err *e)
{
  struct diagnosing g = {NULL, BANKS, q->json};
  const struct arch *arch;
  const char *path;
  if (cli_word(q, 1, "trace (a code.json, or the folder that holds it)", &path,
               e) || options_keys(q, NULL, e))
    return e->code;
  if (q->arch) {
    if (arch_need(q->arch, &arch, e))
      return e->code;
    g.arch = q->arch;
    g.banks = (int)arch_fact(arch, "lds_banks");
  }
  int failed = diagnose_path(path, &g, e);
  if (!failed && !q->json)
    print_limits(&g);
  return failed;
}

const struct verb verb_diagnose = {
    "diagnose", "diagnose FILE|DIR", "what a thread trace says of LDS", run,
    "Reads what rocprofv3's advanced thread trace writes: a code.json, its\n"
    "folder, or the folder of all dispatches. Says for each kernel what its\n"
    "waves stall for, and names the instructions that make LDS slow: by bank\n"
    "conflicts, by waits right behind a write, or by exchange with barrier\n"
    "after barrier; each with its source line, where the trace has it, and\n"
    "with what to change. --arch says which card was traced; without it LDS\n"
    "counts as having 32 banks.\n"};
