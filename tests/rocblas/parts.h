/* parts.h - the second kernel of products that leave their sums in parts.
 *
 * Adds up what is in b->parts, times alpha, and beta * C, into D. The kernels
 * that do so are in a code object of their own. Launches and waits.
 */
// SPDX-License-Identifier: MIT
#ifndef rocblas_parts_h
#define rocblas_parts_h

#include "tests/rocblas/launch.h"

#define PARTS_FILE "Kernels.so-000-gfx906.hsaco"

int parts_add(hipModule_t adders, const struct gemm_kernel *k,
              const struct problem *p, const struct buffers *b,
              struct err *e);

#endif
