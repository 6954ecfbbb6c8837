/* calls.h - the functions of rocBLAS and HIP that the front needs.
 *
 * Declared as in rocblas-functions.h and hip_runtime_api.h, of which building
 * takes neither: enumerations are ints, handles and streams are pointers. Their
 * binary interface has been the same from ROCm 5 to 7.
 */
// SPDX-License-Identifier: MIT
#ifndef ship_rocblas_calls_h
#define ship_rocblas_calls_h

#include <stddef.h>
#include <stdint.h>

/* X(name, arguments, their names): the products; each returns a status, and D
 * is C for those without D. */
#define PRODUCT_CALLS(X) \
  X(rocblas_sgemm, \
    (void *handle, int op_a, int op_b, int m, int n, int k, \
     const float *alpha, const float *a, int lda, const float *b, int ldb, \
     const float *beta, float *c, int ldc), \
    (handle, op_a, op_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)) \
  X(rocblas_hgemm, \
    (void *handle, int op_a, int op_b, int m, int n, int k, \
     const uint16_t *alpha, const uint16_t *a, int lda, const uint16_t *b, \
     int ldb, const uint16_t *beta, uint16_t *c, int ldc), \
    (handle, op_a, op_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)) \
  X(rocblas_sgemm_strided_batched, \
    (void *handle, int op_a, int op_b, int m, int n, int k, \
     const float *alpha, const float *a, int lda, int64_t stride_a, \
     const float *b, int ldb, int64_t stride_b, const float *beta, float *c, \
     int ldc, int64_t stride_c, int batch), \
    (handle, op_a, op_b, m, n, k, alpha, a, lda, stride_a, b, ldb, stride_b, \
     beta, c, ldc, stride_c, batch)) \
  X(rocblas_hgemm_strided_batched, \
    (void *handle, int op_a, int op_b, int m, int n, int k, \
     const uint16_t *alpha, const uint16_t *a, int lda, int64_t stride_a, \
     const uint16_t *b, int ldb, int64_t stride_b, const uint16_t *beta, \
     uint16_t *c, int ldc, int64_t stride_c, int batch), \
    (handle, op_a, op_b, m, n, k, alpha, a, lda, stride_a, b, ldb, stride_b, \
     beta, c, ldc, stride_c, batch)) \
  X(rocblas_sgemm_batched, \
    (void *handle, int op_a, int op_b, int m, int n, int k, \
     const float *alpha, const float *const *a, int lda, \
     const float *const *b, int ldb, const float *beta, float *const *c, \
     int ldc, int batch), \
    (handle, op_a, op_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, \
     batch)) \
  X(rocblas_gemm_ex, \
    (void *handle, int op_a, int op_b, int m, int n, int k, \
     const void *alpha, const void *a, int a_type, int lda, const void *b, \
     int b_type, int ldb, const void *beta, const void *c, int c_type, \
     int ldc, void *d, int d_type, int ldd, int compute, int algo, \
     int32_t solution, uint32_t flags), \
    (handle, op_a, op_b, m, n, k, alpha, a, a_type, lda, b, b_type, ldb, beta, \
     c, c_type, ldc, d, d_type, ldd, compute, algo, solution, flags)) \
  X(rocblas_gemm_strided_batched_ex, \
    (void *handle, int op_a, int op_b, int m, int n, int k, \
     const void *alpha, const void *a, int a_type, int lda, int64_t stride_a, \
     const void *b, int b_type, int ldb, int64_t stride_b, const void *beta, \
     const void *c, int c_type, int ldc, int64_t stride_c, void *d, \
     int d_type, int ldd, int64_t stride_d, int batch, int compute, int algo, \
     int32_t solution, uint32_t flags), \
    (handle, op_a, op_b, m, n, k, alpha, a, a_type, lda, stride_a, b, b_type, \
     ldb, stride_b, beta, c, c_type, ldc, stride_c, d, d_type, ldd, stride_d, \
     batch, compute, algo, solution, flags)) \
  X(rocblas_gemm_batched_ex, \
    (void *handle, int op_a, int op_b, int m, int n, int k, \
     const void *alpha, const void *a, int a_type, int lda, const void *b, \
     int b_type, int ldb, const void *beta, const void *c, int c_type, \
     int ldc, void *d, int d_type, int ldd, int batch, int compute, int algo, \
     int32_t solution, uint32_t flags), \
    (handle, op_a, op_b, m, n, k, alpha, a, a_type, lda, b, b_type, ldb, beta, \
     c, c_type, ldc, d, d_type, ldd, batch, compute, algo, solution, flags))

/* X(type of the result, name, arguments): what else the library is asked. */
#define LIBRARY_CALLS(X) \
  X(void, rocblas_initialize, (void)) \
  X(int, rocblas_get_stream, (void *handle, void **stream)) \
  X(int, rocblas_get_pointer_mode, (void *handle, int *mode)) \
  X(_Bool, rocblas_is_device_memory_size_query, (void *handle))

#define RUNTIME_CALLS(X) \
  X(int, hipGetLastError, (void)) \
  X(int, hipThreadExchangeStreamCaptureMode, (int *mode)) \
  X(int, hipGetDevice, (int *device)) \
  X(int, hipDeviceGetAttribute, (int *value, int attribute, int device)) \
  X(int, hipStreamIsCapturing, (void *stream, int *status)) \
  X(int, hipStreamSynchronize, (void *stream)) \
  X(int, hipMalloc, (void **at, size_t bytes)) \
  X(int, hipFree, (void *at)) \
  X(int, hipMemcpyAsync, (void *to, const void *from, size_t bytes, int kind, \
                          void *stream)) \
  X(int, hipModuleLoadData, (void **module, const void *image)) \
  X(int, hipModuleUnload, (void *module)) \
  X(int, hipModuleGetFunction, (void **function, void *module, \
                                const char *name)) \
  X(int, hipModuleLaunchKernel, \
    (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, \
     unsigned block_x, unsigned block_y, unsigned block_z, unsigned lds, \
     void *stream, void **args, void **extra))

#endif
