/* loop_control.h - which instructions decide how a loop goes on.
 *
 * Where a group is followed by its addresses alone (replay.h), the scalar unit's
 * instructions run, and the branches. What these go by may come from the VALU: a
 * compiler that does not see that all lanes count alike has the count in a VGPR
 * or compares by v_cmp; others read lanes back (v_readfirstlane). Such an
 * instruction runs too, and whatever of the VALU its operands come from, turn by
 * turn. Loads do not: a value that the loop reads stays as it was in the first
 * turn.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_loop_control_h
#define sim_loop_control_h

#include "runtimes/sim/timing/main_loop.h"

/* For each dword from the loop's first to its last: 1 where an instruction that
 * has to run begins. The caller frees it. */
unsigned char *loop_control(const struct main_loop *b);

#endif
