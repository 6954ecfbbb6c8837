/* kernel.h - rocBLAS's GEMM kernels in a code object: what each declares.
 *
 * The arguments come from the metadata note. What else has to be known to
 * launch one (tile, workgroup, split of the sum, conditions on the sizes) is
 * in its name, as KEYnumber between underscores.
 */
// SPDX-License-Identifier: MIT
#ifndef rocblas_kernel_h
#define rocblas_kernel_h

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum {KERNEL_ARGS = 64};

struct argument {
  char name[48];
  uint32_t offset, size;
};

/* A condition "stride `index` is `value`"; index -1: there is none. */
struct stride_rule {
  int index;
  unsigned value;
};

struct gemm_kernel {
  char *name;
  uint32_t kernarg;  /* bytes */
  size_t nargs;
  struct argument args[KERNEL_ARGS];
  /* from the name */
  char type, out, sum; /* of A and B, of C and D, of alpha: 'S' float, 'D'
                          double, 'H' half, 'B' bfloat16, '8' and 'I' integers
                          of 8 and 32 bits; 'C' and 'Z' complex floats and
                          doubles */
  int transposed[2]; /* A, B: the rows of the tensor are the matrix's columns */
  int conjugate[2];
  int general;       /* takes arrays of pointers, one a batch */
  unsigned tile[2], depth; /* macro tile; steps of the sum a turn */
  unsigned threads;
  unsigned split;    /* workgroups that share a sum (GSU) */
  int parts;         /* each of those leaves its part in a buffer: D is made
                        by a second kernel, which adds them up */
  unsigned mapping;  /* WGM */
  unsigned persistent; /* workgroups a CU that take several tiles each; 0: a
                          workgroup a tile */
  unsigned stagger, stagger_shift;
  unsigned vector;   /* elements of A loaded at once: M has at least as many */
  unsigned multiple[3]; /* M, N, K are multiples of these */
  struct stride_rule a, c;
};

struct kernel_list {
  size_t n;
  struct gemm_kernel *at;
};

/* Append the kernels of the code object in the file. */
int kernels_read(struct kernel_list *out, const char *path, struct err *e);
void kernels_free(struct kernel_list *list);
struct gemm_kernel *kernels_find(const struct kernel_list *list,
                                 const char *name);

/* Bytes of an element, and its numbers: 2 of a complex one. */
unsigned type_bytes(char type);
unsigned type_parts(char type);

/* Fill what the name says; 0, or ERR_FAILED where a part is missing. */
int kernel_parse(struct gemm_kernel *k, struct err *e);

#endif
