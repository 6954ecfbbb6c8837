/* rocblas.c - stands in for librocblas: products of f32, f16 and i8, by a plain
 * kernel; batches of f32, product by product.
 *
 *   cc -shared -fPIC -D__HIP_PLATFORM_AMD__ rocblas.c -lamdhip64 \
 *     -o librocblas.so.4
 *
 * Like the real library it is linked to the HIP runtime, compiles for the
 * device that it finds, and takes column-major matrices. STUB_FAULT=wrong
 * makes one element wrong, STUB_FAULT=status refuses to multiply.
 */
// SPDX-License-Identifier: MIT
#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {SUCCESS, INVALID_HANDLE, NOT_IMPLEMENTED, TRANSPOSE = 112};

static const char source[] =
    "extern \"C\" __global__ void Cijk_stub(int ta, int tb, int m, int n,\n"
    "    int k, SUM alpha, const IN *a, int lda, const IN *b,\n"
    "    int ldb, SUM beta, OUT *c, int ldc, SUM extra)\n"
    "{\n"
    "  int row = blockIdx.x * 64 + threadIdx.x, column = blockIdx.y;\n"
    "  if (row >= m)\n"
    "    return;\n"
    "  SUM sum = 0;\n"
    "  for (int i = 0; i < k; i++)\n"
    "    sum += (SUM)a[ta ? row * lda + i : i * lda + row]\n"
    "           * (SUM)b[tb ? i * ldb + column : column * ldb + i];\n"
    "  OUT *to = c + (long long)column * ldc + row;\n"
    "  *to = alpha * sum + (beta != 0 ? beta * (SUM)*to : 0) + extra;\n"
    "}\n";

enum {F16 = 150, F32 = 151, I8 = 160, I32 = 162};

/* The types of A and B, and of C; the sums are float, or int of integers. */
static const struct kind {
  int in, out;
  const char *options[4];
} kinds[] = {
    {F32, F32, {"-DIN=float", "-DOUT=float", "-DSUM=float"}},
    {F16, F16, {"-DIN=_Float16", "-DOUT=_Float16", "-DSUM=float"}},
    {F16, F32, {"-DIN=_Float16", "-DOUT=float", "-DSUM=float"}},
    {I8, I32, {"-DIN=signed char", "-DOUT=int", "-DSUM=int"}},
};

enum {KINDS = sizeof kinds / sizeof *kinds};

struct handle {
  hipFunction_t products[KINDS]; /* compiled when first asked for */
};

static char *compile(const struct kind *kind)
{
  hipDeviceProp_t props;
  hiprtcProgram program;
  char option[300], *code;
  const char *options[] = {option, kind->options[0], kind->options[1],
                           kind->options[2]};
  size_t size;
  if (hipGetDeviceProperties(&props, 0) ||
      hiprtcCreateProgram(&program, source, "stub", 0, NULL, NULL))
    return NULL;
  snprintf(option, sizeof option, "--gpu-architecture=%s", props.gcnArchName);
  if (hiprtcCompileProgram(program, 4, options) ||
      hiprtcGetCodeSize(program, &size))
    return NULL;
  code = malloc(size);
  hiprtcGetCode(program, code);
  hiprtcDestroyProgram(&program);
  return code;
}

/* The kernel of a kind, 0 where there is none. */
static hipFunction_t product(struct handle *h, size_t kind)
{
  hipModule_t module;
  char *code = h->products[kind] ? NULL : compile(&kinds[kind]);
  if (code && (hipModuleLoadData(&module, code) ||
               hipModuleGetFunction(&h->products[kind], module, "Cijk_stub")))
    h->products[kind] = NULL;
  free(code);
  return h->products[kind];
}

static int faulty(const char *how)
{
  const char *fault = getenv("STUB_FAULT");
  return fault && !strcmp(fault, how);
}

int rocblas_create_handle(void **out)
{
  *out = calloc(1, sizeof(struct handle));
  return product(*out, 0) ? SUCCESS : INVALID_HANDLE;
}

int rocblas_get_stream(void *handle, void **stream)
{
  (void)handle;
  *stream = NULL;
  return SUCCESS;
}

int rocblas_get_pointer_mode(void *handle, int *mode)
{
  (void)handle;
  *mode = 0; /* alpha and beta are on the host */
  return SUCCESS;
}

_Bool rocblas_is_device_memory_size_query(void *handle)
{
  (void)handle;
  return 0;
}

int rocblas_hgemm(void)
{
  return NOT_IMPLEMENTED;
}

int rocblas_get_version_string(char *out, size_t room)
{
  snprintf(out, room, "4.9.9-stub");
  return SUCCESS;
}

const char *rocblas_status_to_string(int status)
{
  return status == INVALID_HANDLE ? "rocblas_status_invalid_handle"
                                  : "rocblas_status_not_implemented";
}

/* alpha, beta: of the type of the sums. */
static int multiply(struct handle *h, size_t kind, int op_a, int op_b, int m,
                    int n, int k, const void *alpha, const void *a, int lda,
                    const void *b, int ldb, const void *beta, void *c, int ldc)
{
  int ta = op_a == TRANSPOSE, tb = op_b == TRANSPOSE;
  int32_t x, y, one = 1, extra = 0;
  float one_f32 = 1;
  memcpy(&x, alpha, sizeof x);
  memcpy(&y, beta, sizeof y);
  if (faulty("wrong"))
    memcpy(&extra, kinds[kind].out == I32 ? (void *)&one : (void *)&one_f32,
           sizeof extra);
  void *params[] = {&ta, &tb, &m, &n, &k, &x, &a, &lda, &b, &ldb, &y, &c,
                    &ldc, &extra};
  hipFunction_t f = faulty("status") ? NULL : product(h, kind);
  return !f || hipModuleLaunchKernel(f, (unsigned)(m + 63) / 64, (unsigned)n,
                                     1, 64, 1, 1, 0, NULL, params, NULL)
             ? NOT_IMPLEMENTED
             : SUCCESS;
}

int rocblas_sgemm(void *handle, int op_a, int op_b, int m, int n, int k,
                  const float *alpha, const float *a, int lda, const float *b,
                  int ldb, const float *beta, float *c, int ldc)
{
  return multiply(handle, 0, op_a, op_b, m, n, k, alpha, a, lda, b, ldb, beta,
                  c, ldc);
}

int rocblas_sgemm_strided_batched(void *handle, int op_a, int op_b, int m, int n,
                                  int k, const float *alpha, const float *a,
                                  int lda, long long stride_a, const float *b,
                                  int ldb, long long stride_b,
                                  const float *beta, float *c, int ldc,
                                  long long stride_c, int batch)
{
  int status = SUCCESS;
  for (int i = 0; i < batch && !status; i++)
    status = multiply(handle, 0, op_a, op_b, m, n, k, alpha, a + i * stride_a,
                      lda, b + i * stride_b, ldb, beta, c + i * stride_c, ldc);
  return status;
}

/* The address of matrix i in a list on the device. */
static float *listed(const float *const list[], int i)
{
  float *at = NULL;
  if (hipMemcpy(&at, list + i, sizeof at, hipMemcpyDeviceToHost))
    return NULL;
  return at;
}

int rocblas_sgemm_batched(void *handle, int op_a, int op_b, int m, int n, int k,
                          const float *alpha, const float *const a[], int lda,
                          const float *const b[], int ldb, const float *beta,
                          float *const c[], int ldc, int batch)
{
  int status = SUCCESS;
  for (int i = 0; i < batch && !status; i++)
    status = multiply(handle, 0, op_a, op_b, m, n, k, alpha, listed(a, i), lda,
                      listed(b, i), ldb, beta,
                      listed((const float *const *)c, i), ldc);
  return status;
}

int rocblas_gemm_ex(void *handle, int op_a, int op_b, int m, int n, int k,
                    const void *alpha, const void *a, int a_type, int lda,
                    const void *b, int b_type, int ldb, const void *beta,
                    const void *c, int c_type, int ldc, void *d, int d_type,
                    int ldd, int compute_type, int algo, int solution,
                    unsigned flags)
{
  (void)algo, (void)solution, (void)flags;
  if (b_type != a_type || d_type != c_type || d != c || ldd != ldc ||
      compute_type != (c_type == I32 ? I32 : F32))
    return NOT_IMPLEMENTED;
  for (size_t i = 0; i < KINDS; i++)
    if (kinds[i].in == a_type && kinds[i].out == c_type)
      return multiply(handle, i, op_a, op_b, m, n, k, alpha, a, lda, b, ldb,
                      beta, d, ldc);
  return NOT_IMPLEMENTED;
}
