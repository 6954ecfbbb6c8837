/* spin.h - does a wave only wait for other workgroups?
 *
 * Kernels that scan in one pass, or that stay on the card and meet at barriers
 * of their own, have waves that ask memory again and again until another group
 * has written there. Such a wave comes back to the same instruction with the
 * same registers and has changed nothing meanwhile: whatever it does next it
 * did before, until memory changes. A loop that counts is not of that kind, nor
 * one that looks at a clock, or at nothing.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_spin_h
#define sim_spin_h

#include "runtimes/sim/run/wave.h"

/* Executes w for a while, which counts as any execution. 0: it goes on. */
int wave_spins(struct wave *w);

#endif
