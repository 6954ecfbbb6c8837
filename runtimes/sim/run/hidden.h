/* hidden.h - arguments that a kernel has from its launch, not from its caller.
 *
 * From version 5 on code objects read the size of the grid and more from behind
 * their own arguments (LLVM: User Guide for AMDGPU Backend, metadata V5). Those
 * that are not known here stay zero: offsets of the grid, which HIP has none
 * of, and the buffers of OpenCL's printf and queues.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_hidden_h
#define sim_hidden_h

#include "runtimes/sim/run/dispatch.h"

int hidden_is(const struct kernel_arg *a);

/* Write those of d's kernel into its segment at d->kernarg; dynamic: bytes of
 * LDS that the launch adds. */
void hidden_fill(const struct dispatch *d, uint32_t dynamic);

#endif
