/* fakes.h - the libraries that stand in for HIP, rocBLAS, and a backend of a
 * program that is linked to both. */
// SPDX-License-Identifier: MIT
#ifndef tests_front_fakes_h
#define tests_front_fakes_h

#include <stddef.h>
#include <stdint.h>

#include "ship/rocblas/calls.h"

/* What was asked of the fake HIP. */
struct fake_counts {
  int loads, launches, allocations, waits;
  int broken; /* captures, by what they do not survive */
};

/* What rocBLAS was asked for last, as fields of one size. */
enum {FAKE_ARGS = 32};
struct fake_call {
  const char *name;
  int n;
  uint64_t arg[FAKE_ARGS];
};

struct fake_handle {
  void *stream;
  int pointer_mode;
  _Bool size_query;
};

/* The backend's table: its calls of rocBLAS and HIP end where the linker took
 * them, as a program's do. */
struct backend {
#define X(name, arguments, names) int(*name) arguments;
  PRODUCT_CALLS(X)
#undef X
  void (*rocblas_initialize)(void);
  int (*hipSetDevice)(int device);
  int (*hipGetLastError)(void);
  void (*fake_capture)(void *stream);
  void (*fake_place)(void *stream);
  struct fake_counts *counts;
  struct fake_call *last;       /* of rocBLAS */
  int *forwarded, *initialized; /* calls that came to rocBLAS */
};

extern struct fake_counts fake_counts;
extern struct fake_call fake_last;
extern int fake_forwarded, fake_initialized;
void fake_capture(void *stream);
void fake_place(void *stream); /* on device 1 */

const struct backend *backend_get(void);

#endif
