/* slice.h - a kernel without what its results alone need.
 *
 * Of a group whose results nobody will look at, the model wants to know where its
 * waves go and which addresses they touch. That part of a program is a slice of it
 * (M. Weiser, "Program Slicing", 1981): the scalar unit, branches, what writes
 * SGPRs, and whatever the VALU and loads do for these or for an address. A group of
 * the slice executes as many instructions as one of the launch, takes the same
 * way and has the same addresses, but the rest of the VALU does nothing, and the
 * rest of memory's instructions move no data: none changes device memory.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_slice_h
#define sim_slice_h

#include "runtimes/sim/run/dispatch.h"

struct slice;

/* The launch with the slice of its kernel, for group_new(); d has to outlive it.
 * NULL where it cannot be told: code that is called, registers that are indexed,
 * atomics on device memory, and branches or addresses of loads that come from memory
 * which the kernel itself may have written. Where such an address of a store does, a
 * group of the slice may fault though one of the launch does not. */
struct slice *slice_open(const struct dispatch *d);
const struct dispatch *slice_dispatch(const struct slice *s);
void slice_close(struct slice *s);

#endif
