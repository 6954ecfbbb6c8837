/* worker.h - processes that do the dangerous work, in pools.
 *
 * A pool has n slots. A worker is forked into a slot when it first gets
 * work, runs `body`, which reads requests from its end of a socket and
 * answers each with one message, and lives until the pool is closed. What a
 * worker does wrong costs the one request that it has: when it dies, answers
 * rubbish or overruns its deadline it is killed, the caller gets an event
 * that says so, and the slot is free for a new worker. One that does not end
 * though it is killed (a driver may hold it) is given up, and its slot lost.
 *
 * Sequence: pool_open -> { pool_idle, pool_send, pool_wait } -> pool_close.
 * The coordinator has one thread; a worker dies with it (PR_SET_PDEATHSIG).
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_worker_h
#define tuner_worker_h

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

/* Runs in the worker; returning ends it. */
typedef void worker_body(int fd, void *user);

struct pool;

enum event_kind {
  EVENT_NONE,    /* the time is up */
  EVENT_SIGNAL,  /* the extra descriptor is readable */
  EVENT_REPLY,
  EVENT_CRASH,   /* the worker died or answered rubbish */
  EVENT_KILLED,  /* it was killed, by nobody here: not the request's doing */
  EVENT_TIMEOUT, /* it overran its deadline */
};

struct event {
  enum event_kind kind;
  struct pool *pool;
  int slot;
  uint64_t tag;    /* of the request */
  unsigned age;    /* requests that the worker has had, this one included */
  double seconds;  /* since the request was sent */
  struct str reply; /* EVENT_REPLY; reused by the next wait, event_free() */
  char why[400];   /* EVENT_CRASH, _KILLED, _TIMEOUT: one phrase */
};

/* So many workers in a row, killed from outside, may a request cost. */
enum {WORKER_TRIES = 3};

void pool_open(struct pool **out, size_t n, worker_body *body, void *user);
/* The worker in slot i gets users[i] (not copied) instead of `user`. */
void pool_users(struct pool *p, void *const *users);
void pool_close(struct pool *p); /* kills what still runs; NULL is nothing */

int pool_idle(const struct pool *p); /* a free slot, or -1 */
int pool_free(const struct pool *p, int slot); /* is it? */
/* Requests that the worker in a slot has had; 0: the next gets a new one. */
unsigned pool_age(const struct pool *p, int slot);
size_t pool_busy(const struct pool *p);
int pool_lost(const struct pool *p, int slot); /* never free again */
size_t pool_left(const struct pool *p);         /* slots that are not lost */
double pool_seconds(const struct pool *p); /* worked, summed over workers */

/* Give the worker in a free slot a request that must be answered in
 * `seconds`. Fails only where no process can be made. */
int pool_send(struct pool *p, int slot, uint64_t tag,
              const struct str *request, double seconds, struct err *e);

/* End the worker in a slot that has no request: the next gets a new one. */
void pool_retire(struct pool *p, int slot);

/* End the workers that have a request, which is lost. */
void pool_drop(struct pool *p);

/* Wait at most `seconds` for one event of any of the pools; `extra` is one
 * more descriptor to watch, or -1. */
void pool_wait(struct pool *const *pools, size_t n, int extra,
               double seconds, struct event *out);
void event_free(struct event *e);

/* For the worker: the request that it has waits for something that is not its
 * own doing, so that its time is counted from now on. */
void worker_waits(int fd);

/* One request to one worker of its own, and to another where that is killed
 * from outside: 0, or e says how it failed. */
int worker_ask(worker_body *body, void *user, const struct str *request,
               double seconds, struct str *reply, struct err *e);

#endif
