/* cu.h - the state of one compute unit, which cu_run.h simulates.
 *
 * Issue (rocprofiler-compute docs, scheduler): the four SIMDs have a turn one
 * after the other, each every four cycles. In a turn the oldest wave that is
 * ready issues for each kind of unit, at most one instruction a wave. A wave's
 * instructions issue in order. The next instruction finds the results of VALU
 * and SALU; for memory s_waitcnt holds the wave until its counters have come
 * down.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_cu_h
#define sim_cu_h

#include "runtimes/sim/run/dispatch.h"
#include "runtimes/sim/timing/cache.h"
#include "runtimes/sim/timing/card.h"
#include "runtimes/sim/timing/cost.h"
#include "runtimes/sim/timing/wave_events.h"
#include "runtimes/sim/timing/fetch.h"
#include "runtimes/sim/timing/lds.h"
#include "runtimes/sim/timing/lds_access.h"
#include "runtimes/sim/timing/totals.h"
#include "runtimes/sim/timing/vmem.h"

enum {SIMDS = 4, SIMD_WAVES = 16, LOOPS = 4, VM_RING = 64, LGKM_MAX = 16};

/* A backward branch that a wave takes: how many instructions lie between two
 * times, and how often in a row that was the same number. */
struct loop {
  uint32_t first, last; /* dwords: target, and the branch */
  uint64_t at, period;
  unsigned repeats;
};

/* A resident wave. */
struct slot {
  struct wave *w;
  struct resident *home;
  unsigned simd;
  uint32_t wave, number; /* of a trace: which wave, and in which slot of its SIMD */
  uint32_t event;        /* its last one */
  uint8_t unit; /* of its next instruction */
  uint32_t line; /* of code, that it fetched last, plus 1 */
  double at;    /* when that could issue, nothing in the way */
  double ready; /* and with the wait counters; INFINITY: it waits for others,
                   or has ended */
  double vm[VM_RING];
  unsigned nvm; /* issued; completion of number n is vm[n % VM_RING] */
  double lgkm[LGKM_MAX];
  unsigned nlgkm; /* outstanding, ascending */
  struct loop loops[LOOPS];
};

/* A resident workgroup. */
struct resident {
  struct group *g;
  uint16_t number; /* in the grid, modulo 2^16 */
  struct slot *slots;
  struct resident *next; /* younger */
  double progress; /* loop periods owed while skipping (sample.c) */
  double rate;     /* instructions a cycle in the window (sample.c) */
  uint64_t mark;   /* instructions at the start of the window (sample.c) */
};

struct simd {
  struct slot *slots[SIMD_WAVES]; /* oldest first */
  unsigned n;
  double valu; /* when its VALU is free */
  double next; /* its next turn */
};

struct sampler;

struct cu {
  const struct card *card;
  const struct dispatch *d;
  const struct dispatch *slice; /* of groups whose results nobody looks at, all but
                                   the first (slice.h); NULL: there are none */
  const struct inst *code;
  struct prices prices;
  struct inst_count *counts;  /* a dword of the object */
  const struct miss_rate *miss_rates; /* the same */
  struct miss_rate usual;         /* where miss_rates knows nothing */
  struct miss_rate private_loads, private_stores; /* of private memory */
  size_t ncode;
  size_t lo, hi;              /* [lo, hi) of the dwords was executed */
  struct totals totals;
  struct counts executed; /* by the groups that ended, skipped parts too */
  struct lds lds;
  struct lds_memo *memo;
  struct vmem vmem;
  struct cache scalar;
  struct fetch fetch;
  struct simd simd[SIMDS];
  struct resident *groups; /* oldest first */
  unsigned ngroups, per_cu;
  double skipped; /* cycles that were credited, not simulated */
  struct slot *looped; /* this turn took a backward branch ... */
  struct loop *loop;   /* ... this one */
  int ended;           /* groups that ended in this turn */
  struct fault *fault;
  struct sampler *sampler; /* NULL: everything in detail */
  /* The next workgroup in dispatch order, or UINT64_MAX; a group that ended,
   * at a time that counts skipped cycles; and other CUs' groups are to go on,
   * since one here may wait for them: 0, or a fault's code. */
  uint64_t (*supply)(void *user);
  void (*finish)(void *user, double time);
  int (*others)(void *user, struct fault *fault);
  void *user;
};

#endif
