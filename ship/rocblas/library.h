/* library.h - the real rocBLAS, and the HIP that it calls.
 *
 * rocBLAS is the next library that has its functions. A backend that a program
 * opened with RTLD_LOCAL brings its rocBLAS with it, out of reach of the linker's
 * order: then it is found among the loaded libraries by its name. HIP's
 * functions are the program's own: those that everybody sees (a simulated
 * device is preloaded so), else those that rocBLAS was linked to.
 */
// SPDX-License-Identifier: MIT
#ifndef ship_rocblas_library_h
#define ship_rocblas_library_h

#include "ship/rocblas/calls.h"

struct library {
#define X(name, arguments, names) int(*name) arguments;
  PRODUCT_CALLS(X)
#undef X
#define X(type, name, arguments) type(*name) arguments;
  LIBRARY_CALLS(X)
#undef X
};

struct runtime {
#define X(type, name, arguments) type(*name) arguments;
  RUNTIME_CALLS(X)
#undef X
  /* Either of them, by the major version of ROCm: the architecture's name
   * stands in its struct at `arch_at`. */
  int (*properties)(void *out, int device);
  size_t arch_at;
  /* NULL before ROCm 6. */
  int (*hipStreamGetDevice)(void *stream, int *device);
  const char *missing; /* the first function that is not there, or NULL */
};

/* Found when they are first asked for; what is not there is NULL, and looked
 * for again by the next call, since a program may load it later. */
const struct library *library_get(void);
const struct runtime *runtime_get(void);

/* HIP keeps the error of a call for who asks next, which is the program: one of
 * ours is none of its. */
void runtime_forget_error(const struct runtime *r);

/* Loading and allocating would break the capture of another stream, unless this
 * thread says that it is not about it. Returns what runtime_restore() takes. */
int runtime_relax(const struct runtime *r);
void runtime_restore(const struct runtime *r, int mode);

/* Does rocBLAS have kernels for this architecture, in files beside it? Where
 * it has none, its products and rocblas_initialize() end the program. */
int library_has_kernels(const char *arch);

#endif
