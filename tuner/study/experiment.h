/* experiment.h - many measurements, of many families, on one device or several
 * that are alike.
 *
 * An experiment finds device and compiler once. Everything that it runs goes
 * through the same sessions as `tune FAMILY`: compile workers, device workers,
 * caches and journal; what the journal has is not measured again.
 *
 * Sequence: experiment_open -> { experiment_problem -> experiment_try,
 * experiment_tune -> setup_close } -> experiment_close. The experiment's
 * deadline is hard: what does not end before it is left undone, and says so.
 * Once it is open an interruption ends what runs with ERR_INTERRUPTED, and
 * never the program.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_experiment_h
#define tuner_experiment_h

#include <signal.h>

#include "base/status.h"
#include "gen/figure.h"
#include "tuner/session/task.h"
#include "tuner/device/health.h"
#include "tuner/session/session.h"
#include "tuner/session/target.h"

/* Told of what goes on in an experiment. */
struct experiment_view {
  void *user;
  void (*notice)(void *user, const char *text); /* damaged lines of the store */
  /* A session begins, has one more candidate, goes on (several times a
   * second), ends. */
  void (*begin)(void *user, const struct session *s);
  void (*candidate)(void *user, const struct session *s, size_t number,
                    int known);
  void (*tick)(void *user, const struct session *s);
  void (*end)(void *user);
};

struct experiment {
  const struct options *options;
  struct experiment_view view;
  const struct arch *arch;
  struct target target;
  double begun, until; /* clock_now(); until 0: no deadline */
  size_t ran, known;   /* candidates so far; of these, from the journal */
  struct health health;  /* of all its sessions */
  int said;            /* that results are measured anew */
  int watched;         /* signals are held back; then: */
  int signals;         /* from signals_watch() */
  sigset_t mask;       /* to go back to */
};

/* Options with problem keys are refused: an experiment knows its problems. */
int experiment_open(struct experiment *l, const struct options *r,
                    const struct experiment_view *view, double seconds,
                    struct err *e);
void experiment_close(struct experiment *l); /* also where opening failed */

/* Seconds that are left, INFINITY without a deadline. */
double experiment_left(const struct experiment *l);

/* ERR_INTERRUPTED where a signal came since the last session. */
int experiment_interrupted(struct experiment *l, struct err *e);

/* One problem of a family. */
struct setup {
  struct options options; /* the experiment's, with this problem's keys */
  struct task task;
};

/* The family by name or path, its problem from name=text pairs.
 * setup_close() in any case. */
int experiment_problem(const struct experiment *l, const char *family,
                       const char *const *names, const char *const *texts,
                       size_t n, struct setup *s, struct err *e);
void setup_close(struct setup *s);

/* The legal configuration that has the given values ("path=dpp,ilp=4"), the
 * rest as complete.h says. ERR_FAILED with the reason where there is none. */
int setup_config(const struct setup *s, const struct config *base,
                 const char *given, struct config *out, struct err *e);

/* What the quantity is where a launch took so many microseconds, 0 where the
 * family's cost does not tell. */
double setup_value(const struct setup *s, const struct config *c,
                   const struct quantity *q, double us);

struct outcome {
  int done; /* 0: not tried */
  enum status status;
  double us;        /* where it is ok */
  double saved;     /* percent of the requests to the L2; NAN: not counted */
  char reason[400]; /* where it is not, or was not tried */
};

/* Try all of these, until at most `until` (0: the experiment's deadline). What
 * goes wrong with one is its outcome; only an interruption is an error. */
int experiment_try(struct experiment *l, const struct setup *s,
                   const struct config *configs, size_t n, struct outcome *out,
                   double until, struct err *e);

/* Tune the problem as `tune FAMILY` does, and store its winner. *row is the
 * winner's and the caller's; NULL, with e set, where there is none. It has
 * how many candidates were `evaluated`, and `cut` where the time was up
 * before the search was done. */
int experiment_tune(struct experiment *l, const struct setup *s, double until,
                    struct record **row, struct err *e);

#endif
