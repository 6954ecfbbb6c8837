/* job.h - a request with its names resolved: arch, family, problem, space.
 *
 * job_open -> ... -> job_close, which may be called on a job that could not
 * be opened. What it points to lives until then.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_job_h
#define tuner_job_h

#include "arch/arch.h"
#include "db/record.h"
#include "gen/space.h"
#include "tuner/options/request.h"

struct job {
  const struct request *request;
  const struct arch *arch;
  struct family *family;
  struct problem problem;
  struct str problem_text;
  struct space *space;
  struct str folder;      /* of the store */
  struct record *stored;  /* the winner, NULL where none is stored */
  void (*notice)(void *user, const char *text);
  void *user;
};

/* The arch of the request, which must name one. */
int job_arch(const struct request *r, const struct arch **out, struct err *e);

/* notice: is told of damaged lines of the store, by whatever reads it for
 * this job. */
int job_open(struct job *j, const struct request *r, const char *family,
             void (*notice)(void *user, const char *text), void *user,
             struct err *e);
void job_close(struct job *j);

/* The configuration of all --set together: names left out are the stored
 * winner's, or such that a legal configuration results. Illegal ones are
 * given too: space_rule() says why. */
int job_config(const struct job *j, struct config *c, struct err *e);
/* The stored winner's configuration. */
int job_winner(const struct job *j, struct config *c, struct err *e);

/* 1 where the stored winner was measured with other template files. */
int job_stale(const struct job *j);

#endif
