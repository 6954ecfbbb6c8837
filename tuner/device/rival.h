/* rival.h - a library's own product, to be timed beside a candidate's, or a
 * kernel of a code object (rival_code.h).
 *
 * rocBLAS is looked for under the name that TUNE_ROCBLAS gives, or under its
 * usual names, and must call the same HIP runtime as the worker. For a
 * simulated device the simulator is loaded first and with its symbols visible
 * to all, so that the library's calls end there; for a real device the worker
 * takes the runtime that the library came with. To be called in device workers
 * only, once in the life of one.
 *
 * Sequence: rival_load -> a device is opened with the runtime -> rival_begin ->
 * rival_launch.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_device_rival_h
#define tuner_device_rival_h

#include <limits.h>

#include "base/status.h"
#include "gen/family.h"
#include "tuner/device/device.h"
#include "tuner/device/launch.h"
#include "tuner/device/rival_code.h"

/* The calls, declared as in rocblas-functions.h, which building does not take:
 * X(type of the result, name, arguments). */
#define ROCBLAS_CALLS(X) \
  X(int, rocblas_create_handle, (void **handle)) \
  X(int, rocblas_get_version_string, (char *out, size_t room)) \
  X(const char *, rocblas_status_to_string, (int status)) \
  X(int, rocblas_sgemm, \
    (void *handle, int op_a, int op_b, int m, int n, int k, \
     const float *alpha, const float *a, int lda, const float *b, int ldb, \
     const float *beta, float *c, int ldc)) \
  X(int, rocblas_gemm_ex, \
    (void *handle, int op_a, int op_b, int m, int n, int k, \
     const void *alpha, const void *a, int a_type, int lda, const void *b, \
     int b_type, int ldb, const void *beta, const void *c, int c_type, \
     int ldc, void *d, int d_type, int ldd, int compute_type, int algo, \
     int solution, unsigned flags))

struct rival {
  void *library; /* NULL: there is none */
  void *handle;  /* rocblas_handle */
  char name[128]; /* rocblas-4.1.0; of a code object its file */
  const struct family *family;
  const struct hip *hip;
  struct rival_code code; /* where code.kernel is not NULL */
#define X(type, name, arguments) type(*name) arguments;
  ROCBLAS_CALLS(X)
#undef X
};

/* ERR_USAGE where `name` is no library that is known, or has no such product
 * on such devices. Of FILE:KERNEL: rival_code_parse(). */
int rival_can(const char *name, const struct family *f,
              const struct problem *p, const struct arch *a, struct err *e);

/* *runtime: the HIP runtime to open. launch: how a kernel of a code object is
 * launched, or NULL. */
int rival_load(struct rival *r, const char *name, const char *launch,
               const struct device *device, char runtime[PATH_MAX],
               struct err *e);
int rival_begin(struct rival *r, const struct hip *h, const struct family *f,
                struct err *e);

/* Start it, on buffers of a plan of this problem. A kernel of a code object that
 * has no launch is reported on, and not started. */
enum status rival_launch(const struct rival *r, const struct problem *p,
                         const struct plan *plan, const struct buffers *set,
                         struct err *e);

#endif
