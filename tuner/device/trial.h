/* trial.h - one candidate on the open device, step by step.
 *
 * To be called in device workers only: bench_open, then trials; the process
 * ends with the worker.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_trial_h
#define tuner_trial_h

#include "tuner/conditions/conditions.h"
#include "tuner/device/check.h"
#include "tuner/device/device_worker.h"
#include "tuner/device/launch.h"
#include "tuner/device/rival.h"
#include "tuner/device/rotation.h"
#include "tuner/device/steady.h"

enum {BENCH_KNOWN = 4}; /* check problems whose reference is kept */

/* What a check problem's outputs must be. */
struct known {
  struct problem problem;
  size_t n;
  struct expected *expected[FAMILY_BUFFERS]; /* NULL for inputs */
};

/* What the family's plain kernel makes of the real problem. */
struct plain {
  double seconds_per_work; /* as it was on a check problem */
  int asked;     /* once a worker: whether there is anything ... */
  char *got[FAMILY_BUFFERS]; /* ... of what is only written; NULL: nothing */
  struct bound bound;
};

/* Of the slowest kernel of the plan, on a simulated device. */
struct counters {
  int known;
  struct hipsim_report report;
  double static_cost; /* of all launches of the plan */
  struct str rows;   /* of struct hipsim_instruction */
  struct str events; /* of struct hipsim_event, where job->trace asks */
};

/* A real card, watched while kernels are timed. */
struct card_watch {
  int asked;
  struct card *card; /* NULL: nothing is known of it */
  double reading_us; /* what the last reading took */
  struct conditions seen; /* since the stopwatch was made */
  struct steady steady;
};

struct bench {
  const struct device_job *job;
  struct hip hip;
  hipEvent_t start, stop;
  struct plan plan;   /* of the real problem, for the last candidate */
  size_t nsets; /* copies of the buffers that timing goes round */
  struct buffers sets[ROTATION_MOST], small;
  struct known known[BENCH_KNOWN];
  size_t next_known;
  struct plain plain;
  struct counters counters;
  struct rival rival; /* where job->against names one */
  struct card_watch watch;
};

int bench_open(struct bench *b, const struct device_job *job, struct err *e);

/* Check and time one candidate; r gets what is known of it. e is set where
 * the trial could not be made at all, which is no candidate's fault. */
void trial_run(struct bench *b, const struct config *c,
               const struct str *code, double best_us, struct record *r,
               struct err *e);

/* Candidates, timed again: in turn and about so many seconds on a card; on a modelled
 * device once each with the buffers at several places, and n is how many these are.
 * conditions gets the card's, which are the same for all. */
int trial_finals(struct bench *b, const struct config *configs,
                 const struct str *codes, size_t n, double seconds,
                 struct timing *out, struct record *conditions, struct err *e);

/* The library's product beside the candidate's: checked, then both timed in
 * turn. r gets what is known of the library's, with ours_us of the other; e
 * as in trial_run(). */
void trial_rival(struct bench *b, const struct config *c,
                 const struct str *code, struct record *r, struct err *e);

/* --- the steps of a trial ------------------------------------------------ */

void bench_mode(const struct bench *b, int mode); /* an enum hipsim_mode */

/* Buffers for the real problem, b->plan, with their contents. */
enum status trial_sets(struct bench *b, struct err *e);

/* Candidates under the stopwatch. */
struct timed {
  struct bench *bench;
  const struct plan *plans; /* of the candidates */
  const struct kernels *kernels;
  size_t rival;       /* this one is the library's; 0: none is */
  enum status status; /* of the last launch */
  double us;          /* of the last sample, 0: none yet */
  struct rotation rotation;
};

/* The two calls of a struct stopwatch whose user is a struct timed. */
int trial_launch(void *user, size_t which, double *us, struct err *e);
double trial_now(void *user);

/* Queue candidate `which` over the copy whose turn it is. */
enum status trial_queue(struct timed *t, size_t which, struct err *e);

/* A stopwatch, which looks at the card where there is one to be looked at; what
 * was seen before is forgotten. */
struct stopwatch trial_stopwatch(struct timed *t);

/* Did the card throttle since, and is it to be measured again? Then it has
 * rested. `began`: clock_now() of this measurement; until: all is to be done. */
int trial_again(struct bench *b, double began, double until);

/* What was seen of the card, as fields. */
void trial_note_card(const struct bench *b, struct record *r);

/* What was timed, the card's conditions, and what a simulated device counted,
 * as fields. */
void trial_note(const struct bench *b, struct record *r,
                const struct timing *t);

/* Run the family's check problem in full and compare every element; of the
 * library's product where k is NULL. *broken is set where the family or its
 * reference is at fault. */
enum status trial_check(struct bench *b, const struct config *c,
                        const struct kernels *k, struct err *e, int *broken);

/* What the outputs of a check problem must be, by the family's own plain
 * kernel. k->expected is the caller's, also after an error. */
int trial_plain(struct bench *b, const struct reference_job *job,
                struct known *k, struct err *e);

/* What the plain kernel gives for element i of a buffer: as reference.one(). */
struct expected trial_plain_one(const struct bench *b, size_t buffer,
                                size_t i);

/* Let the plain kernel do the real problem, where by its time on a check
 * problem that is soon done: b->plain.got. A worker does so once. */
int trial_plain_real(struct bench *b, struct err *e);

/* Do elements of a timed problem tell anything? Where only some workgroups are executed
 * a second kernel reads what nobody wrote: there the check problem must do. */
int trial_spots_tell(const struct bench *b);

/* Look at some of the elements that the last timed launch wrote. *broken as
 * in trial_check(). */
enum status trial_spots(struct bench *b, struct err *e, int *broken);

#endif
