/* session.h - tuning one problem: from the search to the journal.
 *
 * The coordinator. It asks the search, takes from the journal what was
 * measured before, has the rest compiled and tried by workers, and tells the
 * search the results in the order in which it asked, however the workers
 * overtake each other: a seeded run gives the same candidates every time.
 * Each result is in the journal before it is shown.
 *
 * A candidate that goes wrong in a worker that has tried others before it is
 * tried once more in a new one, so that none pays for what another left
 * behind. A second try after a timeout has only the time that others needed.
 * A worker that cannot be killed takes its device out of the run, and ends the
 * run with its last device. A new worker of a real device runs the health
 * kernel first (health.h), and gets no candidate before that was right.
 *
 * A result of the journal counts, but for these, which are tried again once: a
 * timeout where the limit was lower (`limit_s`), what was given up because its
 * workers were killed from outside (`killed`), and what the run is to retry.
 * A worker that is killed so (kill -9, the kernel's OOM killer) costs nothing:
 * its request goes to another, WORKER_TRIES times.
 *
 * Sessions of other processes on the same problem share the work: what one has
 * begun is claimed (history.h), the others go on with what nobody has, and take
 * its result from the journal.
 *
 * Nothing here prints: a view is told what happens.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_session_h
#define tuner_session_h

#include "base/status.h"
#include "tuner/device/compile_worker.h"
#include "tuner/device/device.h"
#include "tuner/device/device_worker.h"
#include "tuner/session/history.h"
#include "tuner/session/warm_start.h"
#include "tuner/device/health.h"
#include "tuner/search/search.h"
#include "tuner/session/utilization.h"

struct session;

/* Told in the session's own time; user is the owner's. */
struct session_view {
  void *user;
  /* A candidate is done: number from 1, its record, whether it came from the
   * journal. */
  void (*candidate)(void *user, const struct session *s, size_t number,
                    const struct record *r, int known);
  /* Several times a second. */
  void (*tick)(void *user, const struct session *s);
};

/* Candidates in a row that gain less than SESSION_GAIN together, after which a search
 * ends of itself: docs/search.md, "When it ends", says what that loses. */
enum {SESSION_PATIENCE = 60};
#define SESSION_GAIN 0.003 /* of the best time */

/* What is timed again, once all has been tried (finals.h). */
enum finals_kind {FINALS_NONE, FINALS_FASTEST, FINALS_GIVEN};

/* What is tuned, on what, and how. All of it outlives the session. */
struct session_setup {
  struct family *family;
  const struct problem *problem;
  const struct arch *arch;
  const struct device *device;
  const struct device *const *team; /* devices like it, itself the first */
  size_t nteam;                     /* 0: it alone */
  const struct str *health_code; /* health_text, compiled; NULL: unchecked */
  const char *compiler;
  struct history *history;
  struct space *space;
  const struct search_ops *search;
  const struct config *starts; /* what it begins with: <= WARM_START_MOST */
  size_t nstarts;
  const struct config *given; /* try just these; NULL: search */
  size_t ngiven;
  enum finals_kind finals;
  size_t evals, jobs;
  size_t patience; /* it ends, too, where so many candidates in a row made the best
                      less than SESSION_GAIN faster; 0: it does not */
  uint64_t seed;
  double precision, timeout;
  unsigned retry;            /* bits of enum status: tried again, see below */
  const char *again;         /* results before this date are tried again; NULL:
                              * none */
  double begun, until; /* clock_now(); until 0: no budget */
  int hot;
  struct session_view view;
};

/* What came of it so far. */
struct session_result {
  size_t done, known;        /* candidates; of these, from the journal */
  size_t anew;               /* others that the journal has, but outdated */
  char why_anew[300];
  size_t counts[STATUS_N], known_counts[STATUS_N];
  size_t retried;            /* results of the journal, tried again */
  size_t killed;             /* workers, from outside */
  size_t best_number;        /* of the fastest candidate, from 1; 0: none */
  double best_cost;          /* its (cost.h) */
  double compile_s, device_s, search_s; /* worked; wall time is the caller's */
  size_t devices;            /* workers that timed */
  size_t lost;               /* of these, those that could not be ended */
  struct utilization utilization;
  struct health health;      /* of the first device */
  unsigned again;            /* candidates that were tried a second time */
  int out_of_time;
  int out_of_patience;
  int whole;                 /* the search came to its end */
  char first_reason[400];    /* of the first candidate that was not ok */
};

struct session {
  struct session_setup setup;   /* by session_open() */
  struct session_result result; /* by session_run() */
  struct record *identity;      /* of the history */
  /* that setup.starts or .given point to */
  struct config starts[WARM_START_MOST];
};

/* How many workers are to time: one a device, or as many as pay off. */
size_t session_slots(const struct session *s);

/* What workers are told of what is tuned: made here and nowhere else. cache: the
 * folder of compiled code. The worker in a slot has one of the team, or the
 * device. plain: code of the family's own plain kernel, which may come later.
 * What they point to outlives the workers. */
struct compile_job session_compile_job(const struct session_setup *u,
                                       const char *cache);
struct device_job session_device_job(const struct session_setup *u,
                                     size_t slot, const struct str *plain);

/* That results of the journal are measured anew, and why. */
void session_say_anew(const struct session *s,
                      void (*notice)(void *user, const char *text),
                      void *user);

/* 0 done (also when out of time), ERR_INTERRUPTED, or ERR_FAILED. Whatever
 * it returns, all results so far are in the journal. */
int session_run(struct session *s, struct err *e);

#endif
