/* ds.h - the DS opcodes: ds.c reads and writes LDS, ds_lane.c the rest. */
// SPDX-License-Identifier: MIT
#ifndef sim_ds_h
#define sim_ds_h

#include "runtimes/sim/run/memory.h"

struct ds_op {
  exec_fn *exec;
  struct memory_op move;
  uint16_t scale; /* two addresses: bytes an offset counts;
                     an atomic: 1 where data1 is an operand */
};

const struct ds_op *ds_op_find(unsigned op);

/* Is access.addr[k] inside the group's LDS for every active lane? */
int lds_check(struct wave *w, unsigned k, unsigned bytes);

exec_fn ds_nothing;  /* ds_nop */
exec_fn ds_swizzle;  /* these three move registers and touch no LDS */
exec_fn ds_permute;
exec_fn ds_bpermute;
/* The lane of which each lane gets the data; LANES, or one that is off: of none. */
typedef void ds_sources_fn(const struct wave *w, const struct inst *i,
                           uint8_t source[LANES]);
ds_sources_fn ds_swizzle_sources, ds_permute_sources, ds_bpermute_sources;
exec_fn ds_addtid;   /* M0 + offset + 4 * lane */
exec_fn ds_count;    /* ds_append, ds_consume */
exec_fn ds_transposed; /* ds_read_*_tr_* */

/* Address k of every lane into w->access, by VGPR v; checked: 0 is a fault. */
int ds_addresses(struct wave *w, unsigned v, uint32_t offset, unsigned bytes,
                 unsigned k);

#endif
