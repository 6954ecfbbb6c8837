/* trial_card.c - the card's conditions while something is timed: see trial.h. */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <unistd.h>

#include "base/clock.h"
#include "tuner/device/trial.h"

/* A reading takes some ms by some drivers; launches that are shorter follow each
 * other meanwhile, but not more than this. */
enum {LOOK_LAUNCHES = 64};

/* The card is opened when it is first wanted: most workers' lives are short. */
static struct card *card_of(struct bench *b)
{
  const struct device *d = b->job->device;
  struct card_watch *w = &b->watch;
  if (!w->asked && !d->modelled && d->bus_id[0])
    card_open(&w->card, d->bus_id, NULL);
  w->asked = 1;
  return w->card;
}

/* So many launches that the card has work while it is read. */
static unsigned launches(const struct timed *t)
{
  double wanted = t->us > 0 ? ceil(t->bench->watch.reading_us / t->us) : 1;
  return (unsigned)fmin(LOOK_LAUNCHES, fmax(1, wanted));
}

static void read_now(struct card_watch *w)
{
  struct reading r;
  double from = clock_now();
  card_read(w->card, &r);
  w->reading_us = 1e6 * (clock_now() - from);
  conditions_add(&w->seen, &r);
}

static int look(void *user, size_t which, struct err *e)
{
  struct timed *t = user;
  t->status = STATUS_OK;
  for (unsigned n = launches(t); n && t->status == STATUS_OK; n--)
    t->status = trial_queue(t, which, e);
  if (t->status == STATUS_OK)
    read_now(&t->bench->watch);
  if (t->status == STATUS_OK)
    t->status = launch_wait(&t->bench->hip, e);
  return t->status == STATUS_OK ? 0 : e->code;
}

struct stopwatch trial_stopwatch(struct timed *t)
{
  t->bench->watch.seen = (struct conditions){0};
  return (struct stopwatch){t, trial_launch, trial_now,
                            card_of(t->bench) ? look : NULL};
}

int trial_again(struct bench *b, double began, double until)
{
  double now = clock_now();
  struct reading seen = conditions_fold(&b->watch.seen);
  if (!steady_again(&b->watch.steady, seen.throttle, now - began, until - now))
    return 0;
  usleep((useconds_t)(1e6 * STEADY_REST));
  return 1;
}

void trial_note_card(const struct bench *b, struct record *r)
{
  struct reading seen = conditions_fold(&b->watch.seen);
  if (b->watch.card && b->watch.seen.n)
    conditions_note(&seen, b->watch.card, r);
}
