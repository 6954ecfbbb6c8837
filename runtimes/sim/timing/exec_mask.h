/* exec_mask.h - where in a kernel all lanes of a wave are on.
 *
 * EXEC begins with the lanes that the wave has. Conditions narrow it and restore it
 * from SGPRs in which it was saved. Over all ways that lead to an instruction, this
 * follows which pairs of SGPRs, EXEC among them, hold no other lanes than those, and
 * which hold all of them.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_exec_mask_h
#define sim_exec_mask_h

#include "runtimes/sim/timing/dataflow.h"

/* Set `full` of the steps of f, which is linked, before which all lanes are on; entry:
 * the kernel's. None is set where EXEC might get lanes that the wave does not have. */
void exec_mask_find(struct dataflow *f, uint32_t entry);

#endif
