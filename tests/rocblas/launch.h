/* launch.h - put a problem onto the device and run a kernel on it.
 *
 * Only HIP calls. Errors name the call and what the device says about it.
 */
// SPDX-License-Identifier: MIT
#ifndef rocblas_launch_h
#define rocblas_launch_h

#include <hip/hip_runtime_api.h>

#include "tests/rocblas/problem.h"

struct buffers {
  void *x[MATRICES];     /* device memory */
  void *lists[MATRICES]; /* pointers to the batches, where they are wanted */
  void *parts;           /* of the sums, D's rows and columns without gaps,
                            where the kernel leaves them so */
};

int buffers_open(struct buffers *b, const struct problem *p,
                 const struct gemm_kernel *k, struct err *e);
void buffers_close(struct buffers *b);

/* Copy a matrix there, and back. */
int buffers_put(const struct buffers *b, const struct problem *p,
                const struct gemm_kernel *k, enum matrix x,
                const double complex *values, struct err *e);
int buffers_get(const struct buffers *b, const struct problem *p,
                const struct gemm_kernel *k, enum matrix x,
                double complex *values, struct err *e);

/* Launch the kernel of this name, and wait. */
int kernel_launch(hipModule_t module, const char *name,
                  const unsigned grid[3], unsigned threads, void *args,
                  size_t bytes, struct err *e);

/* Compute units of the device; 0 where it does not say. */
unsigned device_cus(void);

/* The workgroups that the kernel takes for the problem on this device. */
void kernel_grid(const struct gemm_kernel *k, const struct problem *p,
                 unsigned grid[3]);

/* Launch them with the arguments that the problem gives, and wait. */
int kernel_run(hipModule_t module, const struct gemm_kernel *k,
               const struct problem *p, const struct buffers *b,
               struct err *e);

/* 0, or ERR_FAILED with the device's words. */
int hip_check(hipError_t result, const char *call, struct err *e);

#endif
