/* barrier.c - barriers whose arrival and wait are two instructions.
 *
 * Barrier -1 is the workgroup's, where each wave arrives; -3 the cluster's, where
 * one wave of each group does (clang 22: the first at barrier -1). A group that is
 * in no cluster has nobody to wait for at -3.
 */
// SPDX-License-Identifier: MIT
#include <stdio.h>

#include "runtimes/sim/run/cluster.h"
#include "runtimes/sim/run/own.h"
#include "runtimes/sim/run/scalar.h"

enum {ID_GROUP = -1, ID_CLUSTER = -3};

/* Those that have not ended: all must arrive. */
static uint32_t expected(const struct group *g, unsigned which)
{
  return which == BARRIER_GROUP ? g->nwaves - g->ended
                                : (uint32_t)__builtin_popcount(g->cluster->live);
}

static struct barrier *barrier_at(struct group *g, unsigned which)
{
  return which == BARRIER_GROUP ? &g->barrier : &g->cluster->barrier;
}

static void tell_watch(struct group *g, unsigned which)
{
  struct watch *watch = g->dispatch->watch;
  if (watch && which == BARRIER_GROUP)
    watch->met(watch, g, 0);
  for (uint32_t n = 0; watch && which == BARRIER_CLUSTER && n < g->cluster->size; n++)
    if (g->cluster->live >> n & 1)
      watch->met(watch, g->cluster->groups[n], 1);
}

static void complete(struct group *g, unsigned which)
{
  struct barrier *b = barrier_at(g, which);
  if (!b->arrived || b->arrived < expected(g, which))
    return;
  b->phase++;
  b->arrived = 0;
  b->who = 0;
  tell_watch(g, which);
}

/* The barrier of an id, or BARRIERS: there is nobody to wait for, or a fault. */
static unsigned named(struct wave *w, int32_t id)
{
  if (id == ID_GROUP)
    return BARRIER_GROUP;
  if (id == ID_CLUSTER)
    return w->group->cluster ? BARRIER_CLUSTER : BARRIERS;
  wave_fault(w, FAULT_LAUNCH,
             "barrier %d is not simulated; -1 and -3 are", id);
  return BARRIERS;
}

static void arrive(struct wave *w, const struct inst *i)
{
  struct group *g = w->group;
  unsigned which = named(w, (int32_t)read32(w, i, i->src[0]));
  if (which == BARRIERS)
    return;
  struct barrier *b = barrier_at(g, which);
  b->who |= (uint64_t)1 << (which == BARRIER_GROUP ? w->index : g->rank);
  b->arrived++;
  complete(g, which);
}

void own_s_barrier_signal(struct wave *w, const struct inst *i)
{
  arrive(w, i);
}

void own_s_barrier_signal_isfirst(struct wave *w, const struct inst *i)
{
  unsigned which = named(w, (int32_t)read32(w, i, i->src[0]));
  w->scc = which != BARRIERS && !barrier_at(w->group, which)->arrived;
  arrive(w, i);
}

static int passes(struct wave *w, unsigned which)
{
  if (barrier_at(w->group, which)->phase == w->passed[which])
    return 0;
  w->passed[which]++;
  return 1;
}

void own_s_barrier_wait(struct wave *w, const struct inst *i)
{
  unsigned which = named(w, i->imm);
  if (which == BARRIERS || passes(w, which))
    return;
  w->state = WAVE_BARRIER;
  w->awaits = which;
}

int barrier_release(struct group *g)
{
  int any = 0;
  for (uint32_t n = 0; n < g->nwaves; n++) {
    struct wave *w = &g->waves[n];
    if (w->state != WAVE_BARRIER || !passes(w, w->awaits))
      continue;
    w->state = WAVE_RUN;
    any = 1;
  }
  return any;
}

void barrier_leave(struct group *g)
{
  complete(g, BARRIER_GROUP);
}

void cluster_end(struct cluster *c, uint32_t rank)
{
  c->live &= ~((uint32_t)1 << rank);
  for (uint32_t n = 0; n < c->size; n++)
    if (c->live >> n & 1) {
      complete(c->groups[n], BARRIER_CLUSTER);
      return;
    }
}

/* --- who waits for whom --------------------------------------------------- */

static const char *doing(const struct group *g)
{
  for (uint32_t n = 0; n < g->nwaves; n++)
    if (g->waves[n].state == WAVE_RUN)
      return "still runs";
  for (uint32_t n = 0; n < g->nwaves; n++)
    if (g->waves[n].state == WAVE_BARRIER)
      return g->waves[n].awaits == BARRIER_GROUP ? "waits at barrier -1"
                                                 : "waits at barrier -3";
  return "has ended";
}

static size_t say_groups(const struct cluster *c, char *to, size_t room)
{
  size_t n = 0;
  for (uint32_t k = 0; k < c->size && n < room; k++) {
    const struct group *g = c->groups[k];
    if (c->barrier.who >> k & 1)
      continue;
    n += (size_t)snprintf(to + n, room - n, "%s(%u, %u, %u), which %s",
                          n ? "; " : "", g->id[0], g->id[1], g->id[2],
                          c->live >> k & 1 ? doing(g) : "has ended");
  }
  return n;
}

static size_t say_waves(const struct group *g, char *to, size_t room)
{
  static const char *const states[] = {"still runs", "waits", "has ended",
                                       "is at fault"};
  size_t n = 0;
  for (uint32_t k = 0; k < g->nwaves && n < room; k++)
    if (!(g->barrier.who >> k & 1))
      n += (size_t)snprintf(to + n, room - n, "%swave %u, which %s", n ? "; " : "",
                            k, states[g->waves[k].state]);
  return n;
}

void barrier_blocked(struct wave *w)
{
  const struct group *g = w->group;
  int of_cluster = w->awaits == BARRIER_CLUSTER;
  char who[240] = "";
  if (of_cluster)
    say_groups(g->cluster, who, sizeof who);
  else
    say_waves(g, who, sizeof who);
  wave_fault(w, FAULT_TIMEOUT,
             "waits at barrier %d for ever: %u of %u have arrived; not %s",
             of_cluster ? ID_CLUSTER : ID_GROUP,
             of_cluster ? g->cluster->barrier.arrived : g->barrier.arrived,
             of_cluster ? g->cluster->size : g->nwaves, who);
}
