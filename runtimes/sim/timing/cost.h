/* cost.h - what each instruction costs its unit, by tables of names.
 *
 * Dynamic costs (bank conflicts, lines touched, waiting) are not here.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_cost_h
#define sim_cost_h

#include "runtimes/sim/run/buffer.h"
#include "runtimes/sim/isa/inst.h"

enum price_flag {
  OP_WAIT = 1 << 0,    /* s_waitcnt */
  OP_END = 1 << 1,     /* s_endpgm */
  OP_VMCNT = 1 << 2,   /* counts in vmcnt */
  OP_LGKM = 1 << 3,    /* counts in lgkmcnt */
  OP_WRITES = 1 << 4,  /* changes device memory: store or atomic */
  OP_FLAT = 1 << 5,    /* may go to LDS or memory, counts in both */
};

struct price {
  uint16_t held;  /* cycles until the wave may issue its next one */
  uint8_t unit;   /* enum unit */
  uint8_t busy;   /* cycles its unit is taken: VALU, LDS port, address unit */
  uint8_t issue;  /* LDS: cycles that address and data take to go in */
  uint8_t shared; /* LDS: cycles a CU needs for one, both ports together */
  uint8_t flags;  /* enum price_flag */
  uint8_t words;
  uint8_t vm, lgkm; /* OP_WAIT: counts to wait for */
};

/* f64: times what doubles take here, for a card that has them slower. */
void cost_price(const struct inst *i, double f64, struct price *p);

/* Would w, by this instruction, change memory that others see? Spills go
 * through SCRATCH, or through a buffer: the ABI has the group's in s[0:3], where
 * hand-written code may have any other. */
static inline int cost_writes(const struct inst *i, const struct price *p,
                              const struct wave *w)
{
  return p->flags & OP_WRITES && i->format != SCRATCH &&
         !(i->format == MUBUF && buffer_is_private(w, i->srsrc));
}

/* Of an object's code. */
struct prices {
  const struct inst *code;
  double f64;       /* cost_price() */
  struct price *at; /* zeroed, a dword each: price_of() */
};

/* Filled when it is first asked for, because an object may hold hundreds of
 * kernels and one is run. */
static inline const struct price *price_of(const struct prices *p, size_t pc)
{
  if (!p->at[pc].words)
    cost_price(&p->code[pc], p->f64, &p->at[pc]);
  return &p->at[pc];
}

#endif
