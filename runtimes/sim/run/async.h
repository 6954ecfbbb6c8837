/* async.h - loads to LDS and stores from there that nobody waits for at once.
 *
 * They are done when they are executed, but nobody may count on that: until the
 * wave has waited for them, what a load writes must not be touched, and what a
 * store reads must not be written, by any wave. Who does faults, and the fault
 * names both instructions. Those of lanes count in asynccnt, those of the tensor
 * mover (tensor.c) in tensorcnt; of a counter they end in the order in which they
 * began, and it holds 63.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_async_h
#define sim_async_h

#include "runtimes/sim/run/dispatch.h"

/* Forget everything: another workgroup begins. */
void async_reset(struct group *g);
void async_free(struct group *g);

enum async_counter {ASYNC_LANES, ASYNC_TENSOR, ASYNC_COUNTERS};

/* The oldest of a counter end, until `left` of the wave's are left. */
void async_wait(struct wave *w, enum async_counter counter, unsigned left);

/* What the tensor mover does begins. The answer names it to async_tensor_bytes(),
 * which says that it touches these bytes of LDS. */
uint32_t async_tensor(struct wave *w, int is_load);
void async_tensor_bytes(struct wave *w, uint32_t owner, uint32_t at,
                        uint32_t bytes);
/* May it? 0: no, with a fault. */
int async_tensor_may(struct wave *w, int is_load, uint32_t at, uint32_t bytes);

/* May the active lanes touch LDS at access.addr[k]? 0: no, with a fault. */
int async_check(struct wave *w, unsigned k, unsigned bytes);

#endif
