/* diagnose.h - what a kernel waits for, and what of the LDS is to blame.
 *
 * Three things make LDS slow, and each is known by its signs in a thread trace:
 *
 *   bank conflicts   an LDS instruction itself stalls long each time
 *   write to read    lgkmcnt(0) stalls right behind an LDS write, which has
 *                    had no time to end
 *   exchange         one barrier after the other with little between them, as
 *                    sums over a workgroup by way of LDS have
 *
 * The thresholds stand in diagnose_limits. Waits for scalar loads, which share
 * a counter with LDS, are told apart by flow.h.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_diagnose_diagnose_h
#define tuner_diagnose_diagnose_h

#include "tuner/diagnose/flow.h"
#include "tuner/diagnose/att.h"

/* What a stall is for. ORDER CAUSE */
enum cause {
  CAUSE_LDS,      /* LDS instructions, and waits for them */
  CAUSE_MEMORY,   /* the same of global memory */
  CAUSE_BOTH,     /* one wait for both */
  CAUSE_SCALAR,   /* scalar loads */
  CAUSE_BARRIER,
  CAUSE_MATRIX,
  CAUSE_VECTOR,
  CAUSE_OTHER,
  CAUSES,
};

extern const char *const cause_words[CAUSES];

/* ORDER TROUBLE */
enum trouble {TROUBLE_CONFLICTS, TROUBLE_DISTANCE, TROUBLE_EXCHANGE, TROUBLES};

extern const char *const trouble_words[TROUBLES];

struct diagnose_limits {
  double lds_share;      /* of all stalls: from here on LDS is what to mend */
  double least_share;    /* of all stalls: less is not worth naming */
  double conflict_stall; /* cycles a hit of an LDS instruction */
  double pair_stall;     /* the same where its two offsets share their banks */
  double wait_total;     /* cycles that a wait behind a write stalled in all */
  double wait_stall;     /* ... and a hit: a write ends within about 64 */
  size_t near;           /* instructions between the write and such a wait */
  double barrier_total;  /* cycles that an exchange's barriers stalled in all */
  double barriers;       /* that a wave meets in an exchange: more than these */
  size_t between;        /* instructions between two of them, at most */
  int words;             /* that a lane moves between them, at most: more is a tile */
};

extern const struct diagnose_limits diagnose_limits;

struct finding {
  enum trouble trouble;
  size_t first, last;  /* rows of the kernel */
  double hits, stall;  /* of the row, or of an exchange's barriers and waits */
  double share;        /* of the kernel's stalls */
  size_t distance;     /* TROUBLE_DISTANCE: instructions behind the write */
  double barriers;     /* TROUBLE_EXCHANGE: that a wave meets */
  int same_banks;      /* TROUBLE_CONFLICTS: its two offsets share banks */
};

struct diagnosis {
  double waves;  /* traced: hits of the first instruction */
  double cycles; /* latency of all instructions */
  double stall;
  double by[CAUSES]; /* of the stall */
  struct finding *findings; /* the longest stall first */
  size_t nfindings;
};

/* What a stall of the instruction is for. */
enum cause cause_of(const struct flow *f);

/* banks: of the LDS, of 4 bytes each. diagnosis_free() what it fills. */
void diagnose(struct diagnosis *d, const struct att_kernel *k, int banks);
void diagnosis_free(struct diagnosis *d);

#endif
