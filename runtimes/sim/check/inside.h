/* inside.h - what the parts of a check share.
 *
 *   check.c    the launch, groups, and each step
 *   site.c     an instruction: which registers it reads and writes
 *   wait.c     data that are used before s_waitcnt says that they are there
 *   shared.c   races in LDS
 *   global.c   races in memory
 *   barrier.c  barriers that not all waves reach
 *   init.c     what nobody wrote, and who uses it
 *   registers.c  registers and private memory that a wave begins with
 *   bounds.c   accesses that leave what they are meant for
 *   split.c    waves whose counters and barriers are in parts
 *   conflicts.c  what meets in the banks of the LDS
 *   shadow.c   what is known of memory, piece by piece
 *   report.c   what is printed
 */
// SPDX-License-Identifier: MIT
#ifndef sim_check_inside_h
#define sim_check_inside_h

#include "runtimes/sim/check/check.h"
#include "runtimes/sim/check/shadow.h"

enum {WAVES_MOST = 32};
/* What counters can count to: 4 and 6 bits (LLVM, AMDGPUBaseInfo). */
enum {LGKM_MOST = 15, VM_MOST = 63};

/* --- instructions --------------------------------------------------------- */

enum site_kind {
  SITE_OTHER, SITE_WAITCNT, SITE_BARRIER, SITE_VMEM, SITE_FLAT, SITE_LDS,
  SITE_SMEM, SITE_FENCE, SITE_SPLIT_WAIT, SITE_SIGNAL,
};

struct span {
  uint16_t first, n; /* registers; AGPRs from 256 on */
};

/* What it hands on of operands that nobody wrote (init.c). */
enum hands {HANDS_NOTHING, HANDS_MOVE, HANDS_SELECTION, HANDS_RESULT};

/* How lanes get what others have (init.c). */
enum exchange {
  EXCHANGE_NONE, EXCHANGE_DPP, EXCHANGE_SWIZZLE, EXCHANGE_PERMUTE,
  EXCHANGE_BPERMUTE, EXCHANGE_FIRST, EXCHANGE_LANE, EXCHANGE_WRITE,
};

/* Registers by number: VGPRs, AGPRs from 256 on, SGPRs behind them; a bit each. */
enum {
  REGISTERS = 512, UNKNOWN_ROOM = REGISTERS + CODE_INLINE,
  REGISTER_WORDS = UNKNOWN_ROOM / 64,
  TOUCH_MOST = 3, /* nearly all instructions have fewer */
};

struct register_bits {
  uint64_t mask;
  unsigned word;
};

/* An instruction that was executed. Sites have numbers, which fit where there
 * is no room for a pointer. */
struct site {
  const struct object *object;
  const struct inst *inst;
  struct register_bits touch[TOUCH_MOST]; /* the registers of all its spans */
  uint8_t touches;    /* used of these; more than TOUCH_MOST: ask each time */
  uint32_t number, pc;
  uint8_t kind;       /* enum site_kind */
  uint8_t all_lanes;  /* reads lanes that are off, too */
  uint8_t dma;        /* its data go to LDS */
  uint8_t store, atomic; /* of memory: 1 or 0 */
  uint8_t glc;
  uint8_t split;         /* split.c: counters are in parts, these are waited for */
  uint8_t counters;
  uint8_t uncounted;     /* none of the counters here counts it */
  uint8_t cas;           /* it compares, and swaps where that is equal */
  uint8_t hands;         /* enum hands */
  uint8_t across;        /* it reads what other lanes have */
  uint8_t exchange;      /* enum exchange: how */
  uint8_t chooses;       /* by a mask, its last scalar operand */
  uint8_t compares;      /* lane by lane; what comes of it may not count */
  uint8_t low_first;     /* the low half of its result comes of low halves */
  uint8_t masks;         /* bitwise of SGPRs: known bits may hide unknown ones */
  uint8_t anywhere;      /* it names registers by a number in M0 */
  uint8_t single;        /* global.c: it has stored as an atomic store does */
  uint8_t data;          /* of a store: the first of vread that it stores */
  uint64_t lds_hits, lds_cycles, lds_conflicts; /* conflicts.c */
  uint8_t vreads, vwrites, sreads, swrites; /* spans used of each */
  struct span vread[5], vwrite[2], sread[6], swrite[2];
};

/* Where a site was, in what a shadow keeps of an access: number, lane, and which
 * bytes of the dword. */
enum {WHO_MASK = 4, WHO_LANE = 6, WHO_SITES = 1 << 22};

static inline uint32_t who_make(const struct site *s, unsigned lane,
                                unsigned mask)
{
  return (s->number << WHO_LANE | lane) << WHO_MASK | mask;
}

static inline unsigned who_mask(uint32_t who)
{
  return who & ((1 << WHO_MASK) - 1);
}

/* Which bits of a dword its bytes are. */
static inline uint32_t bits_of(unsigned mask)
{
  uint32_t bits = 0;
  for (unsigned n = 0; n < 4; n++)
    bits |= mask >> n & 1 ? (uint32_t)255 << 8 * n : 0;
  return bits;
}

/* How many bytes of [at, end) are in at's dword; *mask: which of it. */
static inline unsigned in_dword(uint64_t at, uint64_t end, unsigned *mask)
{
  unsigned first = at & 3;
  unsigned n = end - at < 4 - first ? (unsigned)(end - at) : 4 - first;
  *mask = ((1u << n) - 1) << first;
  return n;
}

static inline unsigned who_lane(uint32_t who)
{
  return who >> WHO_MASK & (LANES - 1);
}

struct known; /* an object's sites */

/* The site of the instruction that w executes next; NULL: it has left its
 * code. */
struct wave_check;
const struct site *site_next(struct check *c, struct wave_check *s,
                             const struct wave *w);
/* That of the instruction that w executed last. */
const struct site *site_last(struct check *c, struct wave_check *s,
                             const struct wave *w);
const struct site *site_of(const struct check *c, uint32_t who);
/* conflicts_keep() all. */
void sites_keep(struct check *c);
void sites_forget(struct check *c, const struct object *o);
void sites_free(struct check *c);

/* --- what is under way ---------------------------------------------------- */

enum pending_kind {PENDING_VM, PENDING_LDS, PENDING_SMEM};

/* A load of which the data may not be there yet. */
struct pending {
  const struct site *site;
  uint64_t lanes;
  uint32_t number, vm, lgkm; /* of loads; of what its counter counts */
  uint8_t kind;              /* enum pending_kind */
};

enum {PENDING_ROOM = 128};

/* How many instructions a counter has counted, and of how many of them it is
 * certain that they are done, in the order in which they were counted. */
struct counter {
  uint32_t issued, done;
};

struct wave_check {
  const struct known *known;
  struct counter vm, lds, smem, stores; /* stores: apart in split.c's waves */
  uint32_t vm_store, lds_write, lds_dma; /* the last of them that did that */
  uint32_t last_store; /* of `stores`, to memory that others may see */
  int open; /* something is under way */
  uint32_t unknown;             /* registers with what nobody wrote */
  struct unknown *entries;      /* what is known of them, once there was one */
  uint64_t maybe[REGISTER_WORDS]; /* registers with what nobody wrote, */
  uint64_t never[REGISTER_WORDS]; /* of them those without an entry as yet */
  uint32_t segment;             /* of global.c; 0: it needs a new one */
  uint32_t loads;               /* `pending` so far */
  struct pending pending[PENDING_ROOM];
  uint32_t vgpr[REGISTERS], sgpr[CODE_INLINE]; /* the load under way there */
  const struct site *barrier; /* that it reached last */
};

/* --- shadows -------------------------------------------------------------- */

/* A dword of LDS. Tags: who touched it last in which epoch (shared.c). What is
 * seldom asked for stands apart, so that the rest stays in the host's cache. */
struct lds_cell {
  uint32_t write, write_who, read, read_who;
};
struct lds_written {
  uint32_t value, number; /* of the write among its wave's */
};
struct lds_second { /* another wave that read */
  uint32_t read, who;
};

/* What nobody wrote, and is in a register: of VGPRs by lane. */
struct unknown {
  uint64_t lanes;
  const struct site *site; /* that loaded it; NULL: nobody wrote the register */
  uint64_t at;
  int lds;
  int result; /* it was calculated of what was loaded */
};

struct group_check {
  struct group_check *next; /* unused ones */
  uint64_t index;           /* in dispatch order */
  uint32_t epoch;
  uint32_t acquired;        /* global.c */
  struct lds_cell *lds;
  struct lds_written *written;
  struct lds_second *second;
  uint8_t *bytes; /* of each dword those that were written, if by_bytes */
  int by_bytes;
  size_t nlds;
  uint32_t first; /* tag of its first epoch */
  struct unknown *unknown[WAVES_MOST]; /* NULL: never was any */
  struct wave_check waves[WAVES_MOST];
};

struct segment {
  uint64_t group;
  uint32_t epoch, wave;
};

/* What hipMalloc gave; may the launch know of it? */
struct extent {
  uint64_t begin, end;
  int named;
};

struct check {
  struct watch watch; /* first */
  unsigned kinds;
  FILE *out;
  const struct dispatch *d;
  uint64_t launches, counts[CHECK_KINDS];
  struct known *known;
  struct site **sites; /* in pieces that stay where they are */
  uint32_t nsites;
  struct group_check *unused;
  uint64_t *reported;  /* a hash set */
  size_t nreported, room_reported;
  /* of memory (global.c) */
  struct shadow memory;
  struct shadow written;
  struct segment *segments;
  size_t nsegments, room_segments;
  uint32_t segment_base;
  uint32_t *released; /* by group */
  struct extent *extents; /* by address (bounds.c) */
  size_t nextents, room_extents;
  size_t unnamed; /* 0: accesses need not be looked at */
  struct line_cost *lines; /* conflicts.c */
  size_t nlines;
  uint64_t skip_begin, skip_end; /* memory that the host shares */
};

/* --- parts ---------------------------------------------------------------- */

void wait_before(struct check *c, struct wave_check *s, const struct wave *w,
                 const struct site *site);
/* Behind a memory instruction: count it. */
void wait_issue(struct wave_check *s, const struct wave *w,
                const struct site *site, uint64_t lanes);
void wait_waitcnt(struct wave_check *s, const struct inst *i);

void split_describe(struct site *s, const struct op *o);
void split_wait(struct wave_check *s, const struct site *site);
/* Before the signal is executed, and when all have signalled. */
void split_signal(struct group_check *g, const struct wave *w,
                  const struct site *site);
void split_met(struct check *c, struct group *g, int of_cluster);

void shared_start(struct group_check *g, size_t bytes);
void shared_free(struct group_check *g);
void shared_access(struct check *c, struct group_check *g, struct wave *w,
                   const struct site *site);
void shared_dma(struct check *c, struct group_check *g, struct wave *w,
                const struct site *site, uint32_t m0);
/* It moves bytes of LDS, and who waits for that is seen elsewhere. */
void shared_moved(struct check *c, struct group_check *g, struct wave *w,
                  const struct site *site, uint32_t at, uint32_t bytes, int write);
/* The wave arrives at a barrier. */
void shared_arrive(struct group_check *g, struct wave_check *s,
                   const struct wave *w);

void global_begin(struct check *c);
void global_end(struct check *c);
void global_free(struct check *c);
void global_access(struct check *c, struct group_check *g, struct wave *w,
                   const struct site *site);
/* buffer_wbinvl1 and its like. */
void global_fence(struct check *c, struct group_check *g,
                  struct wave_check *s);

/* All that the group did so far is before what others do from now on, and theirs
 * before what it does. */
void global_meet(struct check *c, struct group_check *g);

/* Lanes from `first` on, `*lanes` of them, that touch one dword behind the other
 * all of an aligned 256 bytes: these lanes; or 0. */
uint64_t line_lanes(const struct access *a, unsigned first, unsigned *lanes);

void init_allocated(struct check *c, uint64_t at, uint64_t bytes);
void init_written(struct check *c, uint64_t at, uint64_t bytes);
void init_free(struct check *c);
/* The instruction touches unknown registers: does it use one? */
void init_before(struct check *c, struct group_check *g, const struct wave *w,
                 const struct site *site);
void init_memory(struct check *c, struct group_check *g, const struct wave *w,
                 const struct site *site);
/* A wave begins: but for what the hardware sets its registers and its private
 * memory are nobody's. */
void registers_begin(struct check *c, struct wave_check *s,
                     const struct wave *w);
/* Nothing is unknown any more. */
void registers_forget(struct wave_check *s);
/* Which registers a site has: site->touch. */
void registers_of(struct site *site);
/* Entries for those that the instruction touches. */
void registers_reveal(struct group_check *g, const struct wave *w,
                      const struct site *site);
void init_unwritten(struct check *c, uint64_t at, uint64_t bytes);

/* May one of its registers be unknown? */
static inline int registers_touched(const struct wave_check *s,
                                    const struct wave *w,
                                    const struct site *site)
{
  if (site->touches > TOUCH_MOST || w->mode & MODE_GPR_IDX)
    return 1;
  for (unsigned n = 0; n < site->touches; n++)
    if (s->maybe[site->touch[n].word] & site->touch[n].mask)
      return 1;
  return 0;
}

/* Behind an access to LDS. */
int shared_is_written(const struct group_check *g, size_t dword);
void init_lds_bytes(struct group_check *g, size_t at, unsigned mask);
void init_lds_load(struct group_check *g, const struct wave *w,
                   const struct site *site);
void init_lds_store(struct group_check *g, const struct wave *w,
                    const struct site *site);
void init_lds_atomic(struct check *c, struct group_check *g,
                     const struct wave *w, const struct site *site);

void bounds_allocated(struct check *c, uint64_t at, uint64_t bytes);
void bounds_freed(struct check *c, uint64_t at);
void bounds_begin(struct check *c);
void bounds_memory(struct check *c, struct group_check *g,
                   const struct wave *w, const struct site *site);
void bounds_lds(struct check *c, struct group_check *g, const struct wave *w,
                const struct site *site, unsigned lane, int write);
/* The instruction stopped the launch. */
void bounds_fault(struct check *c, struct group_check *g,
                  const struct wave *w, const struct site *site);

/* The instruction accessed LDS. */
void conflicts_count(const struct wave *w, const struct site *site);
/* Its program is about to go. */
void conflicts_keep(struct check *c, struct site *site);
void conflicts_print(struct check *c);
void conflicts_free(struct check *c);

/* All waves of the group that live wait at a barrier. */
void barrier_meet(struct check *c, const struct group *g);
/* All waves that live have signalled one, and need not wait yet. */
void barrier_met(struct check *c, const struct group *g);
/* The group is about to go, perhaps because it could not go on. */
void barrier_end(struct check *c, const struct group *g);

/* --- reports -------------------------------------------------------------- */

/* One side of a finding. */
struct side {
  const struct site *site;
  const char *did;  /* "read by" */
  unsigned wave;
  int lane;         /* -1: all */
  uint64_t group;
};

/* Both sides, or one (b.site NULL); where, and why that is wrong. */
void report(struct check *c, unsigned kind, const struct group_check *g,
            struct side a, struct side b, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

#endif
