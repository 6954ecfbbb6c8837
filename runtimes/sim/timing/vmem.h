/* vmem.h - the vector memory path of a compute unit, as servers in a row:
 * address unit, L1, this CU's share of the rates of L2 and HBM, and the return
 * path, which delivers in order.
 *
 * One CU does not tell which of its L1 misses go on to HBM, because other CUs
 * may have brought the line. struct miss_rate says so for each instruction
 * (miss_rate.h).
 */
// SPDX-License-Identifier: MIT
#ifndef sim_vmem_h
#define sim_vmem_h

#include "runtimes/sim/timing/cache.h"
#include "runtimes/sim/timing/card.h"
#include "runtimes/sim/timing/cost.h"
#include "runtimes/sim/timing/l1.h"
#include "runtimes/sim/timing/totals.h"
#include "runtimes/sim/run/wave.h"

/* Of the lines that miss the L1: how many are read from HBM, and how many
 * have to wait for HBM (read, or under way for another CU). Of the lines that
 * are stored: how many HBM writes, and how many of those it writes in part
 * (write_combining.h). Of the lines that are loaded: how many missed the L1 where the
 * others were counted; 0: nothing is known of it. 0..1. */
struct miss_rate {
  float miss, late, missed_l1;
  int known; /* 0: the instruction was not met */
};

struct vmem {
  const struct card *card;
  struct totals *totals;
  struct l1 l1;
  struct cache stored; /* lines stored lately: this CU's part of the L2 */
  double address, port, hbm, back; /* when each server is free */
  double l2;        /* until when the CU's share of the L2 is used */
  double port_line; /* cycles that a line takes of the port */
  /* cycles that it takes of a share */
  double l2_line, load_line, camping_line, atomic_line, read_line, write_line,
      partial_line;
  double cus; /* at work */
  double held; /* cycles that HBM takes to write what the L2 holds */
  double late; /* error diffusion of rates.late */
  double unread; /* lines that HBM is still to read, for what this L1 had and the one
                    that the rates are of had not */
};

/* cus: how many compute units are at work and share L2 and HBM. */
void vmem_init(struct vmem *v, const struct card *c, double cus,
               struct totals *t);

/* Loads: the busiest channel of the L2, and of HBM, has this many times the
 * mean's load, and sets the pace. */
void vmem_skew(struct vmem *v, double l2, double hbm);

/* Loads: a line that misses the L1 takes at least so many cycles. */
void vmem_line_cycles(struct vmem *v, double cycles);
void vmem_free(struct vmem *v);

/* When the address unit will take one more instruction. */
double vmem_ready(const struct vmem *v);

/* The instruction that wave state `a` describes, at time t; `group` is its
 * workgroup for the L1 (l1.h). Returns when the data is back, or for stores
 * when the L2 has them. */
double vmem_take(struct vmem *v, double t, uint16_t group,
                 const struct access *a, const struct price *p,
                 struct miss_rate s);

/* The 64-byte lines of an access in the order of the address unit, which
 * looks at as many lanes a cycle as fill one line; a line is listed once for
 * each such group of lanes. Returns how many; at most VMEM_LINES. */
enum {VMEM_LINES = 2 * LANES};
unsigned vmem_lines(const struct access *a, unsigned line_bytes,
                    uint64_t out[VMEM_LINES]);

#endif
