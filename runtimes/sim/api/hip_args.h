/* hip_args.h - filling a launch's kernarg segment. */
// SPDX-License-Identifier: MIT
#ifndef sim_hip_args_h
#define sim_hip_args_h

#include "base/err.h"
#include "runtimes/sim/api/hip.h"

/* Explicit arguments from params (one pointer each) or extra (a buffer laid
 * out as the kernel wants it), hidden ones from the launch. The segment at
 * d->kernarg is zeroed already. */
hipError_t hip_args(const struct dispatch *d, uint32_t dynamic, void **params,
                    void **extra, struct err *e);

/* The explicit ones alone. */
hipError_t hip_args_given(const struct dispatch *d, void **params,
                          void **extra, struct err *e);
size_t hip_args_count(const struct kernel *k); /* explicit ones */
/* Bytes of the segment up to the end of the explicit ones; of a kernel that
 * tells of none, all. */
size_t hip_args_size(const struct kernel *k);

#endif
