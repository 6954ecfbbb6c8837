/* loop.h - the session's event loop, for the files that it is made of. */
// SPDX-License-Identifier: MIT
#ifndef tuner_loop_h
#define tuner_loop_h

#include "base/clock.h"
#include "tuner/device/compile_worker.h"
#include "tuner/device/device_worker.h"
#include "tuner/device/worker.h"
#include "tuner/session/guess.h"
#include "tuner/session/warm_search.h"
#include "tuner/session/session.h"

enum state { STATE_NEW, STATE_COMPILING, STATE_COMPILED, STATE_TRIED,
             STATE_DONE };

struct candidate {
  enum state state;
  struct config config;
  struct str code;
  struct record *record; /* once done */
  int known;             /* from the journal */
  int again;             /* this is its second try */
  int late;              /* as the first did not end in time */
  int killed;            /* workers under it, from outside */
  int claimed;           /* no other process tries it */
  double waits;          /* clock_now() since which another does; 0: none */
};

/* A device, as its worker and we see it. */
struct slot {
  struct device_job job;
  unsigned failures; /* of health checks in a row */
  double rest;       /* clock_now() until which it is left alone */
};

/* Open candidates stand in a ring in the order in which they were asked. */
struct loop {
  struct session *s;
  struct warm_search search;
  struct guess *guess; /* NULL: the family says too little for one */
  struct pool *pools[2]; /* compiling, trying */
  struct candidate *ring;
  size_t ahead;       /* its size: candidates that may be open */
  size_t asked, told; /* ring positions, modulo its size */
  int ended;          /* nothing more is to be asked */
  size_t limit;       /* candidates to ask for */
  size_t gained;      /* told when the best last was SESSION_GAIN faster than ... */
  double gained_from; /* ... this cost, the best of then */
  double until;       /* clock_now(); 0: no budget */
  int signals;        /* descriptor */
  struct compile_job compile;
  struct slot *slots;
  void **jobs; /* of the slots */
  double longest[2]; /* seconds to a reply, of each pool */
  struct str folder, scratch, request;
  struct str plain; /* code of the family's own plain kernel */
  struct event event;
};

enum {COMPILING, TRYING};

enum {COMPILE_LIMIT = 60}; /* seconds of one compilation, or half of
                               * --timeout */

static inline struct candidate *loop_at(struct loop *l, size_t i)
{
  return &l->ring[i % l->ahead];
}

/* Seconds until the budget ends, or a limit of one's own. */
static inline double loop_limit(const struct loop *l, double own)
{
  return clock_limit(l->until, own);
}

/* --- asking and telling: loop_ask.c -------------------------------------- */

/* Ask and tell as far as results are there. */
void loop_advance(struct loop *l);

/* --- giving work to the workers: loop_send.c ----------------------------- */

/* Take in what other processes have found since. */
int loop_look(struct loop *l, struct err *e);
/* Give the oldest candidates that wait to the workers that are free. */
int loop_dispatch(struct loop *l, struct err *e);
/* The time since the last call goes to those who were busy then. */
void loop_account(struct loop *l);
/* Seconds of one compilation. */
double loop_compile_limit(const struct session *s);

/* --- workers' events: loop_event.c --------------------------------------- */

/* l->event: the candidate goes on, goes back or ends. */
int loop_handle(struct loop *l, struct err *e);

/* --- how a candidate ends: loop_settle.c --------------------------------- */

void loop_finish(struct loop *l, struct candidate *c, struct record *r,
                 int known);
/* A new result: into the journal, then to those who wait for it. */
int loop_settle(struct loop *l, struct candidate *c, struct record *r,
                struct err *e);
int loop_settle_bad(struct loop *l, struct candidate *c, enum status status,
                    const char *why, struct err *e);

/* --- what the journal has: loop_known.c ---------------------------------- */

/* A candidate's result in the journal, NULL where it is to be tried. */
const struct record *loop_known(const struct loop *l,
                                const struct candidate *c);
/* Count a candidate that is to be tried although the journal has it. */
void loop_count_again(struct loop *l, const struct candidate *c);

/* May this process try it? 0 while another does. That is waited for as long as
 * a candidate may take, then it is tried here, too: the other may hang. */
int loop_claim(struct loop *l, struct candidate *c);
void loop_unclaim(struct loop *l, struct candidate *c);

/* --- the health kernel: loop_health.c ------------------------------------- */

/* Of requests that are no candidate's. */
#define TAG_HEALTH UINT64_MAX

/* A simulated device is as good as new with every worker. */
int loop_checks_health(const struct session *s);
/* A new worker's first request is the health kernel. */
int loop_health_new(struct loop *l, struct err *e);
/* What l->event says of the health check that was sent. */
int loop_health_told(struct loop *l, struct err *e);
/* The clock once more, where the budget has the time for it. */
void loop_health_last(struct loop *l);

#endif
