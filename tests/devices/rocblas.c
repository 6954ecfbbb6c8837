/* rocblas.c - stands in for librocblas: one product, by a plain kernel.
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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {SUCCESS, INVALID_HANDLE, NOT_IMPLEMENTED, TRANSPOSE = 112};

static const char source[] =
    "extern \"C\" __global__ void Cijk_stub(int ta, int tb, int m, int n,\n"
    "    int k, float alpha, const float *a, int lda, const float *b,\n"
    "    int ldb, float beta, float *c, int ldc, float extra)\n"
    "{\n"
    "  int row = blockIdx.x * 64 + threadIdx.x, column = blockIdx.y;\n"
    "  if (row >= m)\n"
    "    return;\n"
    "  float sum = 0;\n"
    "  for (int i = 0; i < k; i++)\n"
    "    sum += a[ta ? row * lda + i : i * lda + row]\n"
    "           * b[tb ? i * ldb + column : column * ldb + i];\n"
    "  float *to = c + (long long)column * ldc + row;\n"
    "  *to = alpha * sum + (beta != 0 ? beta * *to : 0) + extra;\n"
    "}\n";

struct handle {
  hipModule_t module;
  hipFunction_t product;
};

static char *compile(void)
{
  hipDeviceProp_t props;
  hiprtcProgram program;
  char option[300], *code;
  const char *options[] = {option};
  size_t size;
  if (hipGetDeviceProperties(&props, 0) ||
      hiprtcCreateProgram(&program, source, "stub", 0, NULL, NULL))
    return NULL;
  snprintf(option, sizeof option, "--gpu-architecture=%s", props.gcnArchName);
  if (hiprtcCompileProgram(program, 1, options) ||
      hiprtcGetCodeSize(program, &size))
    return NULL;
  code = malloc(size);
  hiprtcGetCode(program, code);
  hiprtcDestroyProgram(&program);
  return code;
}

static int faulty(const char *how)
{
  const char *fault = getenv("STUB_FAULT");
  return fault && !strcmp(fault, how);
}

int rocblas_create_handle(void **out)
{
  struct handle *h = calloc(1, sizeof *h);
  char *code = compile();
  if (!code || hipModuleLoadData(&h->module, code) ||
      hipModuleGetFunction(&h->product, h->module, "Cijk_stub"))
    return INVALID_HANDLE;
  free(code);
  *out = h;
  return SUCCESS;
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

int rocblas_sgemm(void *handle, int op_a, int op_b, int m, int n, int k,
                  const float *alpha, const float *a, int lda, const float *b,
                  int ldb, const float *beta, float *c, int ldc)
{
  struct handle *h = handle;
  int ta = op_a == TRANSPOSE, tb = op_b == TRANSPOSE;
  float x = *alpha, y = *beta, extra = faulty("wrong") ? 1 : 0;
  void *params[] = {&ta, &tb, &m, &n, &k, &x, &a, &lda, &b, &ldb, &y, &c,
                    &ldc, &extra};
  if (faulty("status"))
    return NOT_IMPLEMENTED;
  return hipModuleLaunchKernel(h->product, (unsigned)(m + 63) / 64,
                               (unsigned)n, 1, 64, 1, 1, 0, NULL, params, NULL)
             ? NOT_IMPLEMENTED
             : SUCCESS;
}
