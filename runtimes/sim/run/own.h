/* own.h - instructions that GFX9 has nothing like, each by a function of its own,
 * own_NAME of the rows NEW of the ops_*.def.
 *
 * Floats of scalar instructions: scalar_float.c; masks of 32 lanes, integers and
 * narrow loads: scalar_own.c; waits and barriers: wait.c, barrier.c;
 * memory that goes to LDS or to a cluster: async.c, tensor.c, cluster.c; that is
 * transposed: transpose.c; barriers in LDS: lds_barrier.c; matrices: wmma.c.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_own_h
#define sim_own_h

#include "runtimes/sim/run/exec.h"

#define AS(...)
#define NAMED(...)
#define NEW(format, op, name, ...) exec_fn own_##name;
#include "runtimes/sim/isa/ops_gfx1250.def"
#undef NEW
#undef NAMED
#undef AS

#endif
