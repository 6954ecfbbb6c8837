/* problems.h - all problems of a sweep, by architecture: what there is to do.
 *
 * Those of one architecture after the other, in the order of the file, each
 * once. A shard has those whose hash falls to it: the same ones on every
 * machine, whatever is added to the file.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_sweep_problems_h
#define tuner_sweep_problems_h

#include "arch/arch.h"
#include "tuner/sweep/sweep_file.h"

enum sweep_why { /* ORDER SWEEP_WHY */
  SWEEP_NEW,       /* there is no winner */
  SWEEP_CHANGED,   /* there is one, made with something else */
  SWEEP_INCUMBENT, /* nothing changed: winner and runner-up are timed again */
  SWEEP_NEAR,      /* nothing changed: winners of near problems are timed on it */
  SWEEP_KEPT,      /* nothing changed: the winner stays */
  SWEEP_N
};

const char *sweep_why(enum sweep_why w); /* as a night's records have it */

enum sweep_state {SWEEP_WAITS, SWEEP_RUNS, SWEEP_DONE, SWEEP_LEFT};

struct sweep_problem {
  const struct sweep_entry *entry;
  size_t arch;         /* in sweep_problems.archs */
  const char *text;    /* as the store has it */
  enum sweep_why why;
  char changed[64];    /* SWEEP_CHANGED: the fields, with commas between */
  struct record *row;  /* the store's winner; NULL: none */
  enum sweep_state state;
  unsigned tries;      /* that ended with no answer */
  double cpu_s, device_s; /* what it is expected to take; < 0: not known */
};

struct sweep_problems {
  const struct sweep_file *file;
  const struct arch *archs[SWEEP_ARCHS];
  struct sweep_problem *list;
  size_t n;
  size_t elsewhere; /* problems of other shards */
  size_t twice;     /* that the file has more than once */
  size_t refused;   /* of files of shapes, that their family cannot do */
  char first_refused[300];
};

/* shard from 1 to shards. A problem that its family does not have is an error
 * with its place; one of a file of shapes is counted and left out. */
int sweep_problems_open(struct sweep_problems *out, struct sweep_file *f,
                        int shard, int shards, struct err *e);
void sweep_problems_free(struct sweep_problems *p);

const char *sweep_problem_family(const struct sweep_problems *p,
                                 const struct sweep_problem *x);
const char *sweep_problem_arch(const struct sweep_problems *p,
                               const struct sweep_problem *x);
/* "gemm on gfx906, m=64 n=32": the keys that the file gives. */
void sweep_problem_brief(const struct sweep_problems *p,
                         const struct sweep_problem *x, struct str *out);

#endif
