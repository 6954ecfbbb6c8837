/* verb_study.c - tune study: all families' studies, as one report.
 *
 * What is most wanted comes first, so that a deadline cuts what is least:
 * figures, then for each family its winner and its plots.
 */
// SPDX-License-Identifier: MIT
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "tuner/cli/cli.h"
#include "tuner/cli/progress.h"
#include "base/clock.h"
#include "tuner/study/gnuplot.h"
#include "tuner/study/study_report.h"

enum {
  STUDY_SECONDS = 600, /* where --seconds does not say */
  ROUNDS = 2,          /* over the families */
  WRITING = 15,        /* of these, for what ends the report */
};

/* Of a family's share of the time, what its search may take. */
#define SEARCH_SHARE 0.5

/* What the report says of one family. */
struct part {
  int due; /* it has a part, and something of it was left undone */
  size_t undrawn; /* pictures */
  struct str text;
};

struct study {
  const struct options *options;
  const char *only; /* a family, or NULL */
  const struct arch *arch;
  struct catalogue catalogue;
  struct sheet sheet;
  struct experiment experiment;
  struct progress progress; /* of its current session */
  struct part *parts; /* of the catalogue's families */
  struct str report;
  double until; /* clock_now(); with what ends the report */
};

static void say(const struct experiment *l, const char *family, const char *what)
{
  if (!l->options->quiet)
    fprintf(stderr, "tune: %s: %s\n", family, what);
}

static void say_figures(const struct experiment *l, const char *family,
                        const char *study)
{
  char text[80];
  snprintf(text, sizeof text, "figures of study %.40s", study);
  say(l, family, text);
}

/* --- what a study has ---------------------------------------------------- */

static int takes_part(const struct study *s, size_t i)
{
  const struct plot *plots;
  if (family_plots(s->catalogue.families[i], &plots))
    return 1;
  for (size_t j = 0; j < s->sheet.n; j++)
    if (!strcmp(s->sheet.rows[j].family, s->catalogue.names[i]))
      return 1;
  return 0;
}

static size_t parts_due(const struct study *s, size_t from)
{
  size_t n = 0;
  for (size_t i = from; i < s->catalogue.n; i++)
    n += s->parts[i].due != 0;
  return n;
}

/* --- one family ---------------------------------------------------------- */

static void file_name(const struct study *s, const char *family,
                      const char *plot, char *out, size_t room)
{
  snprintf(out, room, "study-%s-%s-%s.svg", arch_name(s->arch), family, plot);
}

static void path_of(const struct study *s, const char *file, struct str *out)
{
  str_clear(out);
  str_addf(out, "%s/%s", s->options->out ? s->options->out : ".", file);
}

/* The default run. */
static int tune_family(struct study *s, struct part *part, const char *name,
                       double until, struct record **row, struct err *e)
{
  struct setup setup;
  struct err why = {0};
  struct str command = {0};
  int code = experiment_problem(&s->experiment, name, NULL, NULL, 0, &setup, &why);
  if (!code)
    code = experiment_tune(&s->experiment, &setup, until, row, &why);
  setup_close(&setup);
  str_addf(&command, "tune %s --arch %s", name, arch_name(s->arch));
  study_winner(&part->text, *row, why.text, command.at);
  part->due |= *row ? record_get(*row, "cut") != NULL : clock_now() >= until;
  str_free(&command);
  if (code == ERR_INTERRUPTED)
    *e = why;
  return code == ERR_INTERRUPTED ? code : 0;
}

static int draw_plots(struct study *s, size_t at, const char *winner,
                      double until, struct err *e)
{
  const struct family *f = s->catalogue.families[at];
  const char *name = s->catalogue.names[at];
  struct part *part = &s->parts[at];
  const struct plot *plots;
  size_t n = family_plots(f, &plots);
  struct str path = {0};
  int code = 0;
  for (size_t i = 0; i < n && !code; i++) {
    struct drawing d;
    char file[160];
    double now = clock_now(), share = (until - now) / (double)(n - i);
    file_name(s, family_name(f), plots[i].name, file, sizeof file);
    path_of(s, file, &path);
    say(&s->experiment, family_name(f), plots[i].title);
    code = plot_draw(&s->experiment, name, &plots[i], winner, now + share, path.at,
                     s->until, &d, e);
    part->undrawn += *d.undrawn != 0;
    if (!code)
      study_plot(&part->text, &s->experiment, &plots[i], &d, file);
    part->due |= d.left > 0;
    drawing_free(&d);
  }
  str_free(&path);
  return code;
}

static int do_family(struct study *s, size_t i, struct err *e)
{
  const struct family *f = s->catalogue.families[i];
  const char *name = s->catalogue.names[i];
  struct part *part = &s->parts[i];
  struct record *row = NULL;
  double now = clock_now(), left = s->experiment.until - now;
  double share = left > 0 ? left / (double)parts_due(s, i) : 0;
  part->due = 0;
  part->undrawn = 0;
  str_clear(&part->text);
  study_family(&part->text, f);
  say(&s->experiment, family_name(f), "its default problem");
  int code =
      tune_family(s, part, name, now + SEARCH_SHARE * share, &row, e);
  study_figures(&part->text, &s->experiment, &s->sheet, name);
  if (!code)
    code = draw_plots(s, i, row ? record_get(row, "config") : NULL,
                      now + share, e);
  record_free(row);
  return code;
}

/* --- the report ---------------------------------------------------------- */

static int write_report(struct study *s, struct err *e)
{
  struct str path = {0}, command = {0};
  char file[80];
  size_t undrawn = 0;
  snprintf(file, sizeof file, "study-%.40s.md", arch_name(s->arch));
  path_of(s, file, &path);
  str_addf(&command, "tune study%s%s --arch %s", s->only ? " " : "",
           s->only ? s->only : "", arch_name(s->arch));
  study_head(&s->report, &s->experiment, &s->sheet, command.at);
  for (size_t i = 0; i < s->catalogue.n; i++) {
    str_add(&s->report, str_text(&s->parts[i].text));
    undrawn += s->parts[i].undrawn;
  }
  study_tail(&s->report, &s->experiment);
  int code = file_replace(path.at, s->report.at, s->report.len, e);
  if (!code)
    printf("%s\n", path.at);
  if (!code && undrawn)
    code = err_set(e, ERR_FAILED, "%s: %zu pictures could not be drawn; it "
                   "says why", path.at, undrawn);
  str_free(&path);
  str_free(&command);
  return code;
}

/* A family that needs less than its share leaves the rest to those after it;
 * what those before it lack is done in a second round, from the journal. */
static int do_families(struct study *s, struct err *e)
{
  for (int round = 0; round < ROUNDS; round++)
    for (size_t i = 0; i < s->catalogue.n; i++)
      if (s->parts[i].due && (!round || experiment_left(&s->experiment) > 0) &&
          do_family(s, i, e))
        return e->code;
  return 0;
}

static int study(struct study *s, struct err *e)
{
  s->parts = mem_array(s->catalogue.n + 1, sizeof *s->parts);
  for (size_t i = 0; i < s->catalogue.n; i++)
    s->parts[i].due = takes_part(s, i);
  if (!parts_due(s, 0))
    return err_set(e, ERR_FAILED, "%s has figures or plots of %s; a family "
                   "states them in its .lua file (gen/figure.h)",
                   s->only ? "it is no family that" : "no family",
                   arch_name(s->arch));
  if (sheet_run(&s->sheet, &s->experiment, say_figures, e))
    return e->code;
  if (do_families(s, e) || experiment_interrupted(&s->experiment, e))
    return e->code;
  return write_report(s, e);
}

static int prepare(struct study *s, struct err *e)
{
  const struct options *r = s->options;
  double seconds = r->seconds > 0 ? r->seconds : STUDY_SECONDS;
  double writing = 0.2 * seconds < WRITING ? 0.2 * seconds : WRITING;
  if ((r->nwords > 1 && cli_word(r, 1, "family", &s->only, e)) ||
      options_keys(r, NULL, e) || task_arch(r, &s->arch, e) ||
      gnuplot_find(e) || (r->out && file_mkdirs(r->out, e)) ||
      catalogue_open(&s->catalogue, r->templates, s->only, e) ||
      sheet_collect(&s->sheet, &s->catalogue, arch_name(s->arch), NULL, e))
    return e->code;
  s->until = clock_now() + seconds;
  struct experiment_view view = progress_of_experiment(&s->progress, r->quiet);
  return experiment_open(&s->experiment, r, &view, seconds - writing, e);
}

static int run(const struct options *r, struct err *e)
{
  struct study s = {.options = r};
  int code = prepare(&s, e);
  if (!code)
    code = study(&s, e);
  if (code == ERR_INTERRUPTED)
    err_set(e, code, "interrupted; what ran is in the journal, and the same "
            "command goes on from there");
  experiment_close(&s.experiment);
  sheet_free(&s.sheet);
  for (size_t i = 0; s.parts && i < s.catalogue.n; i++)
    str_free(&s.parts[i].text);
  free(s.parts);
  catalogue_close(&s.catalogue);
  str_free(&s.report);
  return code;
}

const struct verb verb_study = {
    "study", "study [FAMILY] --arch ARCH", "one report of all studies", run,
    "Tunes the default problem of every family that has figures or plots (or\n"
    "of the one named), runs its published figures, draws its plots, and\n"
    "writes study-ARCH.md with SVG pictures beside it, to --out DIR or here.\n"
    "It takes ten minutes at most, or --seconds. The same command again goes\n"
    "on with what was left: nothing that the journal has runs twice.\n"};
