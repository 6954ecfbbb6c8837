/* scale.h - D = beta C, which runs before a kernel whose workgroups share a
 * sum and add to D. It is one of rocBLAS's own, in the code object PARTS_FILE.
 */
// SPDX-License-Identifier: MIT
#ifndef rocblas_scale_h
#define rocblas_scale_h

#include "tests/rocblas/launch.h"

/* Launches and waits; floats only. The arguments are those of Tensile's
 * generateBetaOnlyCall. */
int scale_run(hipModule_t scalers, const struct gemm_kernel *k,
              const struct problem *p, const struct buffers *b,
              struct err *e);

#endif
