/* dispatch.h - one launch: its workgroups, and running them functionally. */
// SPDX-License-Identifier: MIT
#ifndef sim_dispatch_h
#define sim_dispatch_h

#include "runtimes/sim/run/hostcall.h"
#include "runtimes/sim/load/object.h"
#include "runtimes/sim/run/wave.h"

/* Who looks at all that a launch executes (check/). Its groups are then run by
 * one thread, and by group_run() alone. */
struct watch {
  void (*start)(struct watch *, struct group *);   /* it has its registers */
  void (*step)(struct watch *, struct wave *);     /* wave_execute() it */
  void (*barrier)(struct watch *, struct group *); /* all that live are there */
  void (*end)(struct watch *, struct group *);     /* it is about to be freed */
  /* A barrier at which waves arrive and for which they wait apart has ended a phase:
   * the group's, or its cluster's. */
  void (*met)(struct watch *, struct group *, int of_cluster);
  /* What w executes moves bytes of LDS that its access does not say. */
  void (*moved)(struct watch *, struct wave *w, uint32_t at, uint32_t bytes,
                int to_lds);
};

/* Instructions in a row that do nothing, but for their addresses (timing/slice.h):
 * from a dword on so many, in so many dwords; 0: that does something. */
struct idle {
  uint16_t insts, dwords;
};

struct dispatch {
  const struct kernel *kernel;
  struct arena *arena;
  uint32_t grid[3];  /* workgroups */
  uint32_t block[3]; /* threads */
  uint32_t rest[3];  /* threads of the last workgroup; 0: as many as of all */
  uint32_t cluster[3]; /* workgroups of a cluster; 0: 1 */
  uint32_t lds;      /* bytes: static plus dynamic */
  int lds_open;      /* an LDS address outside is no fault: as on a card loads
                        give 0, stores do nothing */
  uint64_t kernarg;  /* guest address */
  uint64_t packet;   /* guest address of the AQL dispatch packet */
  uint64_t queue;    /* guest address of the queue's descriptor */
  uint64_t limit;    /* instructions a wave may execute; 0: no limit */
  int timed;         /* nobody looks at its results: HIPSIM_TIMED */
  const struct idle *idle; /* of each dword of the code, for wave_loop(); NULL: none
                              is idle */
  struct hostcall *hostcall; /* NULL: the kernel asks nothing of the host */
  /* The loaded object with code at a guest address, NULL: none is. May be NULL:
   * then the kernel's own is the only one. */
  const struct object *(*code_at)(const void *user, uint64_t address);
  const void *user;
  struct watch *watch; /* NULL: nobody */
  struct wave_events *wave_events; /* NULL: nobody asks what waves did when (wave_events.h) */
};

/* Workgroups of the launch. */
static inline uint64_t dispatch_groups(const struct dispatch *d)
{
  return (uint64_t)d->grid[0] * d->grid[1] * d->grid[2];
}

/* Threads along an axis: of workgroup n of it, and of the whole grid. */
static inline uint32_t dispatch_block(const struct dispatch *d, int axis,
                                      uint32_t n)
{
  return d->rest[axis] && n + 1 == d->grid[axis] ? d->rest[axis]
                                                 : d->block[axis];
}

static inline uint64_t dispatch_threads(const struct dispatch *d, int axis)
{
  uint64_t all = (uint64_t)d->grid[axis] * d->block[axis];
  return d->rest[axis] ? all - d->block[axis] + d->rest[axis] : all;
}

/* Allocate the waves of workgroup `index`, in dispatch order (x fastest), with
 * the initial registers that the kernel descriptor asks for; group_free() it.
 * NULL: out of memory. */
struct group *group_new(const struct dispatch *d, uint64_t index);
/* Make it another workgroup of the same launch, as group_new() would. */
void group_renew(struct group *g, uint64_t index);
void group_free(struct group *g);
/* The fault of a launch for which group_new() returned NULL; returns its
 * code. */
int dispatch_no_memory(const struct dispatch *d, struct fault *fault);

/* What workgroups executed: waves, and instructions by enum op_class; s_wait_*
 * among them, lines that loads asked for, and those of them that multicast saved
 * (struct wave). */
struct counts {
  uint64_t waves, insts[CLASS_N], waits, lines, merged;
};
void counts_add(struct counts *to, const struct group *g);

/* Execute at most `budget` instructions of w, stopping at a barrier, the end
 * or a fault. Returns the instructions executed. */
uint64_t wave_run(struct wave *w, uint64_t budget);

/* Execute w, which has just gone to another object than its kernel's, until it
 * comes back, stops or may not go on. All that is done there belongs to the
 * instruction that went: for the timing model it takes no time. */
void wave_visit(struct wave *w);

/* Has w executed as many instructions as it may (limit 0: any number)? Then
 * it is at fault: for a loop without end, or a barrier that it never reaches
 * while the rest of its group waits there. */
int wave_overran(struct wave *w, uint64_t limit);

/* Execute w until it has executed `end`, stops, or leaves the dwords
 * [first, last], and then returns 0; hits[] counts dword by dword of them. Idle
 * instructions are passed over: where they begin idled[] counts instead, and w->counts
 * lacks them. */
int wave_loop(struct wave *w, uint32_t first, uint32_t last, uint64_t end,
              double *hits, double *idled);

/* Execute one instruction of w, in the object that it is in. */
void wave_execute(struct wave *w);

/* Execute one instruction of w (the timing model's step). s_barrier leaves
 * the wave in WAVE_BARRIER; group_release() sets all of a group running
 * again once each wave has arrived or ended. Returns 1 if it released. */
void wave_step(struct wave *w);
int group_release(struct group *g);

/* Run a group to its end. 0; or the fault's code with *fault filled: among
 * others a barrier that part of the group never reaches, and the instruction
 * limit; or that it waits for other groups (spin.h): then it can be run again
 * when those have done something. */
enum {
  GROUP_WAITS = -1, /* after it has done something itself */
  GROUP_STUCK = -2, /* it waited before, and still does */
};
int group_run(struct group *g, struct fault *fault);

/* The groups of a launch that nobody has run. Where some wait for others, as
 * many are begun as the largest card holds, which take turns. */
struct rest;

/* threads: of the host, at most, the caller's among them. NULL: no memory. */
struct rest *rest_open(const struct dispatch *d, unsigned threads);
void rest_close(struct rest *r);

/* The caller runs this group, or has; does anybody? */
void rest_take(struct rest *r, uint64_t group);
int rest_taken(const struct rest *r, uint64_t group);

/* Run those before group `end`, until each has ended, or waits for what the
 * caller's do. Groups start in dispatch order. 0, or a fault's code: where
 * none waits, of the first group in dispatch order that has one; of the groups
 * behind it some may have run. */
int rest_run(struct rest *r, uint64_t end, struct fault *fault);

/* Run all to their ends, with nobody else to wait for. counts (may be NULL) is
 * increased by what was executed, by rest_run() too. */
int rest_finish(struct rest *r, struct counts *counts, struct fault *fault);

/* Every group of the launch. */
int dispatch_run(const struct dispatch *d, unsigned threads,
                 struct counts *counts, struct fault *fault);

#endif
