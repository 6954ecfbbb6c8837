/* task.h - options with their names resolved: arch, family, problem, space.
 *
 * task_open -> ... -> task_close, which may be called on a task that could not
 * be opened. What it points to lives until then.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_task_h
#define tuner_task_h

#include "arch/arch.h"
#include "db/record.h"
#include "gen/space.h"
#include "tuner/options/options.h"

struct task {
  const struct options *options;
  const struct arch *arch;
  struct family *family;
  int lent; /* the family is someone else's */
  struct problem problem;
  struct str problem_text;
  struct space *space;
  struct str folder;      /* of the store */
  struct record *stored;  /* the winner, NULL where none is stored */
  void (*notice)(void *user, const char *text);
  void *user;
};

/* The arch of the options, which must name one. */
int task_arch(const struct options *r, const struct arch **out, struct err *e);

/* notice: is told of damaged lines of the store, by whatever reads it for
 * this task. */
int task_open(struct task *k, const struct options *r, const char *family,
              void (*notice)(void *user, const char *text), void *user,
              struct err *e);
/* The same with a family that is open; it stays the caller's, and keeps what of
 * its space the next problem can use. */
int task_open_with(struct task *k, const struct options *r, struct family *f,
                   void (*notice)(void *user, const char *text), void *user,
                   struct err *e);
void task_close(struct task *k);

/* The configuration of all --set together, completed from the stored winner
 * where there is one (complete.h). It may be illegal. */
int task_config(const struct task *k, struct config *c, struct err *e);
/* The same; ERR_FAILED with the rule's reason where it is illegal. */
int task_legal(const struct task *k, struct config *c, struct err *e);
/* The stored winner's configuration. */
int task_winner(const struct task *k, struct config *c, struct err *e);

/* 1 where the kernels of the stored winner have changed since. */
int task_stale(const struct task *k);

/* A wrong name or value in `text` may be an instruction that other archs have:
 * add that to e. 1 where it is one. */
int task_tell_lack(const struct task *k, const char *text, struct err *e);

#endif
