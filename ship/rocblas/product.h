/* product.h - one product that a program asks rocBLAS for.
 *
 * As rocBLAS has it: column-major, D = alpha op(A) op(B) + beta C, with m rows
 * and n columns of D, sums of length k. Numbers of types and operations are
 * those of rocblas-types.h.
 */
// SPDX-License-Identifier: MIT
#ifndef ship_rocblas_product_h
#define ship_rocblas_product_h

#include <stdint.h>

enum { /* rocblas_operation */
  OP_NONE = 111,
  OP_TRANSPOSE = 112,
  OP_CONJUGATE = 113, /* of real numbers: transposed */
};

enum { /* rocblas_datatype */
  TYPE_F16 = 150,
  TYPE_F32 = 151,
  TYPE_I8 = 160,
  TYPE_I32 = 162,
  TYPE_BF16 = 168,
};

enum { /* rocblas_status */
  ROCBLAS_SUCCESS = 0,
  ROCBLAS_NOT_IMPLEMENTED = 2,
};

enum { /* bits of rocblas_gemm_flags that change no result of ours */
  FLAG_CU_EFFICIENCY = 0x2,
  FLAG_F16_ALTERNATIVE = 0x4,
  FLAG_F16_ALTERNATIVE_RNZ = 0x10,
};

enum batching {
  BATCH_NONE,
  BATCH_STRIDED,
  BATCH_POINTERS, /* a, b, c and d are arrays of pointers on the device */
  BATCHINGS
};

struct matrix {
  const void *at;
  int type, ld;
  int64_t stride; /* elements from one of a strided batch to the next */
};

struct product {
  void *handle; /* rocblas_handle */
  int op_a, op_b, m, n, k;
  const void *alpha, *beta; /* of the compute type */
  struct matrix a, b, c, d;
  enum batching batching;
  int batch;
  int compute, algo, solution;
  uint32_t flags;
};

/* Rows of a matrix in memory, which is its least leading dimension. */
static inline int product_rows(int op, int rows, int columns)
{
  return op == OP_NONE ? rows : columns;
}

#endif
