/* verb_tune.c - tune FAMILY: the main job. */
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tuner/device/cache.h"
#include "tuner/cli/cli.h"
#include "base/clock.h"
#include "tuner/session/task.h"
#include "tuner/cli/json.h"
#include "tuner/cli/lds_solver.h"
#include "tuner/cli/progress.h"
#include "tuner/cli/report.h"
#include "tuner/session/against.h"
#include "tuner/session/open.h"
#include "tuner/session/winner.h"

struct tune {
  const struct options *options;
  struct task task;
  struct target target;
  struct session session;
  struct progress progress;
  double begun;
  int said; /* that results are measured anew */
};

/* --- what the session tells ---------------------------------------------- */

static void on_candidate(void *user, const struct session *s, size_t number,
                         const struct record *r, int known)
{
  struct tune *t = user;
  if (t->options->json)
    json_record(stdout, "candidate", r, s, number);
  progress_candidate(&t->progress, s, number, known);
}

static void on_tick(void *user, const struct session *s)
{
  struct tune *t = user;
  if (s->result.anew && !t->said++)
    session_say_anew(s, cli_notice, NULL);
  progress_tick(&t->progress, s);
}

static int prepare(struct tune *t, struct err *e)
{
  const struct options *r = t->options;
  const struct session_wish wish = {
      .begun = t->begun,
      .until = r->seconds > 0 ? t->begun + r->seconds : 0,
      .view = {t, on_candidate, on_tick}};
  if (target_open(&t->target, t->task.arch, r->device, wish.until, e) ||
      target_fits(&t->target, &t->task, e) ||
      (r->against && against_check(&t->task, &t->target, e)))
    return e->code;
  return session_open(&t->session, &t->task, &t->target, &wish, e);
}

/* --- after it ------------------------------------------------------------ */

static int no_winner(const struct tune *t, struct err *e)
{
  const struct session *s = &t->session;
  if (s->result.done == 0)
    return err_set(e, ERR_FAILED, "the time was up before the first candidate "
                   "was done; give more with --seconds");
  size_t kept = s->result.known_counts[STATUS_TIMEOUT]
                + s->result.known_counts[STATUS_CRASH];
  return err_set(e, ERR_FAILED, "none of %zu candidates was ok; the first:\n"
                 "%s%s", s->result.done, s->result.first_reason, kept ? "\nThe journal had "
                 "it: --retry timeout,crash tries again, as a larger --timeout "
                 "does after a timeout" : "");
}

static void print_json(const struct tune *t, const struct record *row,
                       const struct record *against, const char *see_also)
{
  const struct session *s = &t->session;
  json_t *o = json_of_session("winner", row, s, s->result.done);
  if (against) {
    json_t *a = json_of_record("against", against);
    json_object_del(a, "type");
    json_object_set_new(o, "against", a);
  }
  if (*see_also)
    json_object_set_new(o, "see_also", json_string(see_also));
  json_line(stdout, o);
}

/* row: what is shown, of which `winner` is the winner. */
static void report(const struct tune *t, const struct record *row,
                   const struct record *winner, const struct record *against,
                   int is_stored)
{
  struct str path = {0}, other = {0};
  str_addf(&path, "%s/%s/%s.table", t->task.folder.at,
           arch_name(t->task.arch), family_name(t->task.family));
  family_elsewhere(t->task.family, &t->task.problem, &other, NULL);
  if (t->options->json) {
    print_json(t, winner, against, str_text(&other));
  } else {
    report_session(&t->session, row, winner, against, t->target.why.at,
                   is_stored ? path.at : NULL, clock_now() - t->begun);
    if (other.len)
      cli_row("see also", other.at);
  }
  str_free(&path);
  str_free(&other);
}

/* What was asked for beside the result; an error does not hide that. */
static struct record *run_against(struct tune *t, const struct record *row,
                                  struct err *e)
{
  struct record *out = NULL;
  if (t->options->against && !against_run(&t->task, &t->target, row, &out, e) &&
      record_get(out, "reason"))
    err_set(e, ERR_FAILED, "%s: %s: %s", record_text(out, "library"),
            record_text(out, "status"), record_text(out, "reason"));
  return out;
}

static void present(struct tune *t, const struct record *winner,
                    struct err *later)
{
  struct record *given = winner_given(&t->session);
  const struct record *row = given ? given : winner;
  int is_stored = !winner_store(&t->session, winner, t->task.folder.at,
                                cli_notice, NULL, later);
  struct err unlike = {0};
  struct record *against = run_against(t, row, &unlike);
  report(t, row, winner, against, is_stored);
  if (!later->code)
    *later = unlike;
  record_free(against);
  record_free(given);
}

/* The journal has all that was measured: name and store the winner, also of
 * a session that was cut short; *e keeps what cut it. */
static int conclude(struct tune *t, struct err *e)
{
  const struct session *s = &t->session;
  struct record *row = winner_row(s);
  struct err later = {0};
  int code = e->code;
  int useful = row && s->result.done &&
               (!s->setup.given || s->result.counts[STATUS_OK]);
  if (useful)
    present(t, row, &later);
  else if (!code && !later.code)
    no_winner(t, &later);
  record_free(row);
  if (code == ERR_INTERRUPTED)
    err_set(e, code, "interrupted; %s has %zu candidates of this problem by "
            "now", history_path(t->session.setup.history),
            history_tried(t->session.setup.history));
  if (!code && later.code)
    *e = later;
  if (!code && !later.code && s->result.out_of_time)
    cli_notice(NULL, "the time was up; the same command again goes on");
  return e->code;
}

static void release(struct tune *t)
{
  session_close(&t->session);
  target_close(&t->target);
  task_close(&t->task);
}

static int run(const struct options *r, struct err *e)
{
  if (r->solve)
    return lds_solver_run(r, e);
  struct tune t = {.options = r, .begun = clock_now()};
  const char *family;
  int code = cli_word(r, 0, "family", &family, e);
  if (!code)
    code = task_open(&t.task, r, family, cli_notice, NULL, e);
  if (!code)
    code = prepare(&t, e);
  if (!code) {
    int mixed = r->json && isatty(STDOUT_FILENO); /* with the bar */
    t.progress = progress_begin(r->quiet || mixed);
    session_run(&t.session, e);
    progress_end(&t.progress);
    code = conclude(&t, e);
    cache_keep_small();
  }
  release(&t);
  return code;
}

const struct verb verb_tune = {
    "tune", "FAMILY --arch ARCH [--KEY VALUE ...]",
    "tune one problem", run, ""};
