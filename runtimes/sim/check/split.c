/* split.c - waves whose counters and barriers are in parts (GFX12).
 *
 * Loads, stores, LDS and scalar loads have a counter each, and s_wait_* waits for one
 * or two of them: loadcnt, storecnt, dscnt and kmcnt. A FLAT instruction is counted by
 * dscnt and by one of the first two, whichever memory it asks. What goes to LDS behind the
 * wave's back is counted apart, and who does not wait for it faults (run/async.h);
 * here it is an access to LDS like others.
 *
 * A wave signals a barrier and waits for it later. What it does in between is taken
 * to be before the barrier until the last wave has signalled, and behind it then: in
 * doubt this says that two accesses are ordered. A cluster's barrier orders all that
 * its workgroups did before it and what they do behind it.
 *
 * Waves that name VGPRs above 255 (s_set_vgpr_msb) are not followed from there on.
 */
// SPDX-License-Identifier: MIT
#include <string.h>

#include "runtimes/sim/check/inside.h"
#include "runtimes/sim/run/cluster.h"

enum {LOADS = 1, STORES = 2, LDS = 4, SCALARS = 8, ALL = 15};

static const struct {
  const char *name;
  uint8_t counters;
} waits[] = {
    {"s_wait_loadcnt", LOADS},           {"s_wait_storecnt", STORES},
    {"s_wait_dscnt", LDS},               {"s_wait_kmcnt", SCALARS},
    {"s_wait_loadcnt_dscnt", LOADS | LDS}, {"s_wait_idle", ALL},
    {"s_wait_storecnt_dscnt", STORES | LDS},
};

static unsigned waits_for(const char *name)
{
  for (size_t n = 0; n < sizeof waits / sizeof *waits; n++)
    if (!strcmp(waits[n].name, name))
      return waits[n].counters;
  return 0;
}

void split_describe(struct site *s, const struct op *o)
{
  s->split = 1;
  s->counters = (uint8_t)waits_for(o->name);
  s->uncounted = strstr(o->name, "_async_") != NULL;
  if (s->counters)
    s->kind = SITE_SPLIT_WAIT;
  else if (!strncmp(o->name, "s_barrier_signal", 16))
    s->kind = SITE_SIGNAL;
  else if (!strcmp(o->name, "global_inv"))
    s->kind = SITE_FENCE;
  else if (s->inst->format == SOPP || (s->inst->format >= FLAT && !o->src[0]))
    s->kind = SITE_OTHER;
}

static unsigned left_of(const struct site *site, unsigned counter)
{
  unsigned imm = (unsigned)site->inst->imm;
  if (site->counters == ALL)
    return 0;
  return counter != LDS && site->counters & LDS ? imm >> 8 & 0x3f : imm & 0x3f;
}

static void wait(struct counter *c, unsigned left)
{
  if (c->issued - c->done > left)
    c->done = c->issued - left;
}

void split_wait(struct wave_check *s, const struct site *site)
{
  if (site->counters & LOADS)
    wait(&s->vm, left_of(site, LOADS));
  if (site->counters & STORES)
    wait(&s->stores, left_of(site, STORES));
  if (site->counters & LDS)
    wait(&s->lds, left_of(site, LDS));
  if (site->counters & SCALARS && !left_of(site, SCALARS))
    wait(&s->smem, 0);
  s->open = s->vm.issued != s->vm.done || s->lds.issued != s->lds.done ||
            s->smem.issued != s->smem.done || s->stores.issued != s->stores.done;
}

/* --- barriers ------------------------------------------------------------- */

enum {ID_GROUP = -1};

void split_signal(struct group_check *g, const struct wave *w,
                  const struct site *site)
{
  struct wave_check *s = &g->waves[w->index];
  if ((int32_t)scalar_read(w, site->inst, site->inst->src[0]) != ID_GROUP)
    return;
  s->barrier = site;
  shared_arrive(g, s, w);
}

void split_met(struct check *c, struct group *g, int of_cluster)
{
  struct group_check *s = g->watched;
  for (uint32_t n = 0; n < g->nwaves; n++)
    s->waves[n].segment = 0;
  if (of_cluster) {
    global_meet(c, s);
    return;
  }
  barrier_met(c, g);
  s->epoch++;
}
