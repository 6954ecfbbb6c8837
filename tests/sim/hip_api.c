/* hip_api.c - libhipsim as a program meets it: through the HIP API, with code
 * objects that the real hiprtc compiled.
 */
// SPDX-License-Identifier: MIT
#define CALLS(X) \
  X(hipInit) X(hipGetDeviceCount) X(hipSetDevice) X(hipGetDevice) \
  X(hipDeviceGetName) X(hipDeviceGetAttribute) X(hipDeviceTotalMem) \
  X(hipGetDeviceProperties) X(hipRuntimeGetVersion) X(hipDriverGetVersion) \
  X(hipDeviceSynchronize) X(hipGetErrorName) X(hipGetErrorString) \
  X(hipGetLastError) X(hipPeekAtLastError) X(hipMalloc) X(hipFree) \
  X(hipMemcpyHtoD) X(hipMemcpyDtoH) X(hipMemset) X(hipMemsetD32) \
  X(hipModuleLoad) X(hipModuleLoadData) X(hipModuleLoadDataEx) \
  X(hipModuleUnload) X(hipModuleGetFunction) X(hipModuleGetGlobal) \
  X(hipModuleLaunchKernel) X(hipFuncGetAttribute) \
  X(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor) \
  X(hipStreamCreate) X(hipStreamSynchronize) X(hipStreamDestroy) \
  X(hipEventCreate) X(hipEventRecord) X(hipEventQuery) \
  X(hipEventSynchronize) X(hipEventElapsedTime) X(hipEventDestroy) \
  X(hipsimSetMode) X(hipsimReport) X(hipsimInstruction) X(hipsimError) \
  X(hipsimInspect) X(hipsimArgument)

#include "tests/sim/launch.h"
#include "tests/sim/library.h"

static const char source[] =
    "extern \"C\" __global__ void vector_add(float *c, const float *a,\n"
    "    const float *b, int n)\n"
    "{\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n)\n"
    "    c[i] = a[i] + b[i];\n"
    "}\n"
    "__device__ int counter;\n"
    "extern \"C\" __global__ __launch_bounds__(64) void where(int *out)\n"
    "{\n"
    "  extern __shared__ int last[];\n"
    "  int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y\n"
    "      * threadIdx.z);\n"
    "  int g = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y\n"
    "      * blockIdx.z);\n"
    "  last[t] = g;\n"
    "  __syncthreads();\n"
    "  int size = blockDim.x * blockDim.y * blockDim.z;\n"
    "  out[g * size + t] = 1000 * last[size - 1 - t] + t;\n"
    "  if (!t)\n"
    "    atomicAdd(&counter, 1);\n"
    "}\n"
    "__device__ __attribute__((noinline)) int fibonacci(int n)\n"
    "{\n"
    "  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);\n"
    "}\n"
    "extern \"C\" __global__ void private_array(int *out, int n)\n"
    "{\n"
    "  int a[100];\n"
    "  for (int i = 0; i < 100; i++)\n"
    "    a[i] = i * threadIdx.x;\n"
    "  for (int i = 0; i < n; i++)\n"
    "    a[a[i] % 100] += i;\n"
    "  int sum = 0;\n"
    "  for (int i = 0; i < 100; i++)\n"
    "    sum += a[i] * (i + 1);\n"
    "  out[threadIdx.x] = sum + fibonacci(threadIdx.x % 10);\n"
    "}\n"
    /* Eight vector instructions, so many times as the group's number. */
    "extern \"C\" __global__ void uneven(int times)\n"
    "{\n"
    "  for (unsigned i = 0; i < blockIdx.x * times; i++)\n"
    "    asm volatile(\".rept 8\\n v_nop\\n .endr\");\n"
    "}\n"
    "extern \"C\" __global__ void stray(int *p)\n"
    "{\n"
    "  p[threadIdx.x == 5 ? 1 << 24 : 0] = 1;\n"
    "}\n"
    "extern \"C\" __global__ void spin(volatile int *p)\n"
    "{\n"
    "  while (!*p)\n"
    "    ;\n"
    "}\n"
    "extern \"C\" __global__ void trap(void)\n"
    "{\n"
    "  __builtin_trap();\n"
    "}\n";

static char *code;
static size_t size;
static hipModule_t module;

static int setup(void **state)
{
  struct rtc r;
  (void)state;
  setenv("HIPSIM_LIMIT", "200000", 1); /* the endless kernel ends soon */
  if (library_open())
    return -1;
  if (rtc_open(&r)) {
    fprintf(stderr, "skipped: no hiprtc (Debian package libamdhip64-5)\n");
    return 0;
  }
  code = rtc_compile(&r, source, &size);
  return code && h.hipModuleLoadData(&module, code) == hipSuccess ? 0 : -1;
}

static int teardown(void **state)
{
  (void)state;
  free(code);
  return !module || h.hipModuleUnload(module) == hipSuccess ? 0 : -1;
}

static hipFunction_t function(const char *name)
{
  hipFunction_t f;
  if (!code)
    skip();
  check(h.hipModuleGetFunction(&f, module, name));
  return f;
}

/* --- the device ----------------------------------------------------------- */

static void test_device(void **state)
{
  int n = -1;
  char name[100];
  size_t bytes;
  hipDeviceProp_t props;
  (void)state;
  check(h.hipInit(0));
  check(h.hipGetDeviceCount(&n));
  assert_int_equal(n, 1);
  check(h.hipDeviceGetName(name, sizeof name, 0));
  assert_non_null(strstr(name, "simulated"));
  assert_non_null(strstr(name, "gfx906"));
  check(h.hipDeviceTotalMem(&bytes, 0));
  assert_int_equal(bytes, (size_t)16 << 30);
  check(h.hipDeviceGetAttribute(&n, hipDeviceAttributeWarpSize, 0));
  assert_int_equal(n, 64);
  check(h.hipDeviceGetAttribute(&n, hipDeviceAttributeMultiprocessorCount, 0));
  assert_int_equal(n, 60);
  check(h.hipGetDeviceProperties(&props, 0));
  assert_int_equal(props.multiProcessorCount, 60);
  assert_int_equal(props.maxThreadsPerBlock, 1024);
  assert_int_equal(strncmp(props.gcnArchName, "gfx906", 6), 0);
  assert_int_equal(h.hipSetDevice(1), hipErrorInvalidDevice);
  assert_int_equal(h.hipPeekAtLastError(), hipErrorInvalidDevice);
  assert_int_equal(h.hipGetLastError(), hipErrorInvalidDevice);
  assert_int_equal(h.hipGetLastError(), hipSuccess);
  assert_string_equal(h.hipGetErrorName(hipErrorNotFound), "hipErrorNotFound");
}

/* --- running kernels ------------------------------------------------------ */

static void test_vector_add(void **state)
{
  enum {N = 10000};
  hipFunction_t f = function("vector_add");
  hipEvent_t begin, end;
  int n = N;
  float *host = malloc(N * 4), ms = 0;
  (void)state;
  float *a = device_alloc(N * 4), *b = device_alloc(N * 4);
  float *c = device_alloc(N * 4);
  for (int i = 0; i < N; i++)
    host[i] = (float)i;
  check(h.hipMemcpyHtoD(a, host, N * 4));
  check(h.hipMemcpyHtoD(b, host, N * 4));
  check(h.hipEventCreate(&begin));
  check(h.hipEventCreate(&end));
  void *params[] = {&c, &a, &b, &n};
  check(h.hipEventRecord(begin, NULL));
  check(h.hipModuleLaunchKernel(f, (N + 255) / 256, 1, 1, 256, 1, 1, 0, NULL,
                                params, NULL));
  check(h.hipEventRecord(end, NULL));
  check(h.hipEventSynchronize(end));
  check(h.hipEventElapsedTime(&ms, begin, end));
  assert_true(ms > 0.001 && ms < 1);
  check(h.hipMemcpyDtoH(host, c, N * 4));
  for (int i = 0; i < N; i++)
    assert_true(host[i] == (float)(2 * i));
  struct hipsim_report report = {.size = sizeof report};
  check((hipError_t)h.hipsimReport(&report));
  assert_true(report.time_us > 1 && report.instructions > 5);
  assert_true(report.sq_waves == (N + 255) / 256 * 4);
  struct hipsim_instruction row = {.size = sizeof row};
  check((hipError_t)h.hipsimInstruction(report.instructions - 1, &row));
  assert_string_equal(row.name, "s_endpgm");
  check(h.hipFree(a)), check(h.hipFree(b)), check(h.hipFree(c));
  check(h.hipEventDestroy(begin)), check(h.hipEventDestroy(end));
  free(host);
}

/* A kernel that is looked at: its code and arguments, and no counts. */
static void test_inspect(void **state)
{
  static const char *const kinds[] = {"global_buffer", "global_buffer",
                                      "global_buffer", "by_value"};
  hipFunction_t f = function("vector_add");
  struct hipsim_report report = {.size = sizeof report};
  struct hipsim_instruction row = {.size = sizeof row};
  struct hipsim_argument a = {.size = sizeof a};
  (void)state;
  check((hipError_t)h.hipsimInspect(f));
  check((hipError_t)h.hipsimReport(&report));
  assert_string_equal(report.kernel, "vector_add");
  assert_true(report.sq_waves == 0 && report.time_us == 0);
  assert_true(report.vgprs > 0 && report.sgprs > 0);
  assert_int_equal(report.lds_bytes, 0);
  assert_true(report.waves_per_simd > 0 && report.instructions > 5);
  check((hipError_t)h.hipsimInstruction(report.instructions - 1, &row));
  assert_string_equal(row.name, "s_endpgm");
  assert_true(row.hits == 0);
  for (uint32_t n = 0; n < 4; n++) {
    check((hipError_t)h.hipsimArgument(f, n, &a));
    assert_string_equal(a.kind, kinds[n]);
    assert_int_equal(a.bytes, n < 3 ? 8 : 4);
  }
  assert_int_equal(h.hipsimArgument(f, 4, &a), hipErrorInvalidValue);
  assert_int_equal(h.hipsimInspect(NULL), hipErrorInvalidHandle);
  assert_int_equal(h.hipsimArgument(NULL, 0, &a), hipErrorInvalidHandle);
  check((hipError_t)h.hipsimInspect(function("where")));
  check((hipError_t)h.hipsimReport(&report));
  assert_string_equal(report.kernel, "where");
}

/* Three dimensions, dynamic LDS, arguments in a buffer, a variable. */
static void test_where(void **state)
{
  enum {X = 3, Y = 2, Z = 2, BX = 4, BY = 2, BZ = 3, SIZE = BX * BY * BZ};
  hipFunction_t f = function("where");
  hipDeviceptr_t counter;
  hipStream_t stream;
  int host[X * Y * Z * SIZE], count;
  size_t bytes;
  (void)state;
  int *out = device_alloc(sizeof host);
  check(h.hipModuleGetGlobal(&counter, &bytes, module, "counter"));
  assert_int_equal(bytes, 4);
  check(h.hipMemsetD32(counter, 0, 1));
  check(h.hipStreamCreate(&stream));
  struct { int *out; } args = {out};
  size_t length = sizeof args;
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &args,
                   HIP_LAUNCH_PARAM_BUFFER_SIZE, &length,
                   HIP_LAUNCH_PARAM_END};
  check(h.hipModuleLaunchKernel(f, X, Y, Z, BX, BY, BZ, SIZE * 4, stream, NULL,
                                extra));
  check(h.hipStreamSynchronize(stream));
  check(h.hipMemcpyDtoH(host, out, sizeof host));
  for (int g = 0; g < X * Y * Z; g++)
    for (int t = 0; t < SIZE; t++)
      assert_int_equal(host[g * SIZE + t], 1000 * g + t);
  check(h.hipMemcpyDtoH(&count, counter, 4));
  assert_int_equal(count, X * Y * Z);
  check(h.hipStreamDestroy(stream));
  assert_int_equal(h.hipStreamSynchronize(stream), hipErrorInvalidHandle);
  check(h.hipFree(out));
}

static int fibonacci(int n)
{
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

/* Private memory through the scratch resource, and function calls. */
static void test_private(void **state)
{
  enum {THREADS = 192, ROUNDS = 60};
  hipFunction_t f = function("private_array");
  int n = ROUNDS, host[THREADS], a[100];
  (void)state;
  int *out = device_alloc(sizeof host);
  void *params[] = {&out, &n};
  check(h.hipModuleLaunchKernel(f, 1, 1, 1, THREADS, 1, 1, 0, NULL, params,
                                NULL));
  check(h.hipMemcpyDtoH(host, out, sizeof host));
  for (int t = 0; t < THREADS; t++) {
    int sum = 0;
    for (int i = 0; i < 100; i++)
      a[i] = i * t;
    for (int i = 0; i < n; i++)
      a[a[i] % 100] += i;
    for (int i = 0; i < 100; i++)
      sum += a[i] * (i + 1);
    assert_int_equal(host[t], sum + fibonacci(t % 10));
  }
  check(h.hipFree(out));
}

static void test_sampled(void **state)
{
  enum {GROUPS = 100000};
  hipFunction_t f = function("vector_add");
  int n = GROUPS * 256;
  (void)state;
  float *a = device_alloc((size_t)n * 4), *c = device_alloc((size_t)n * 4);
  void *params[] = {&c, &a, &a, &n};
  check((hipError_t)h.hipsimSetMode(HIPSIM_SAMPLED));
  check(h.hipModuleLaunchKernel(f, GROUPS, 1, 1, 256, 1, 1, 0, NULL, params,
                                NULL));
  check(h.hipDeviceSynchronize());
  check((hipError_t)h.hipsimSetMode(HIPSIM_FULL));
  struct hipsim_report report = {.size = sizeof report};
  check((hipError_t)h.hipsimReport(&report));
  assert_true(report.sampled_share < 0.5);
  assert_true(report.sq_waves == GROUPS * 4.0);
  assert_int_equal(h.hipsimSetMode(7), hipErrorInvalidValue);
  check(h.hipFree(a)), check(h.hipFree(c));
}

/* Where every workgroup runs, instructions are counted and not estimated. */
static void test_counted(void **state)
{
  enum {GROUPS = 301, TIMES = 3};
  hipFunction_t f = function("uneven");
  struct hipsim_report r[2];
  (void)state;
  for (int n = 0; n < 2; n++) {
    int times = n * TIMES;
    void *params[] = {&times};
    r[n] = (struct hipsim_report){.size = sizeof r[n]};
    check(h.hipModuleLaunchKernel(f, GROUPS, 1, 1, 128, 1, 1, 0, NULL, params,
                                  NULL));
    check(h.hipDeviceSynchronize());
    check((hipError_t)h.hipsimReport(&r[n]));
    assert_true(r[n].counted_share == 1);
    assert_true(r[n].sq_waves == 2 * GROUPS);
  }
  assert_true(r[1].sq_insts_valu - r[0].sq_insts_valu ==
              8.0 * TIMES * 2 * (GROUPS * (GROUPS - 1) / 2));
}

/* --- what is refused ------------------------------------------------------ */

static void test_arguments(void **state)
{
  hipFunction_t f = function("vector_add"), bounded = function("where"), g;
  int n = 0, value;
  void *p = NULL, *params[] = {&p, &p, &p, &n};
  (void)state;
#define LAUNCH(f, grid, block, lds, params) \
  h.hipModuleLaunchKernel(f, grid, 1, 1, block, 1, 1, lds, NULL, params, NULL)
  assert_int_equal(LAUNCH(NULL, 1, 64, 0, params), hipErrorInvalidHandle);
  assert_int_equal(LAUNCH(f, 0, 64, 0, params), hipErrorInvalidConfiguration);
  assert_int_equal(LAUNCH(f, 1, 0, 0, params), hipErrorInvalidConfiguration);
  assert_int_equal(LAUNCH(f, 1, 2048, 0, params),
                   hipErrorInvalidConfiguration);
  assert_int_equal(LAUNCH(bounded, 1, 128, 0, params),
                   hipErrorInvalidConfiguration);
  assert_non_null(strstr(h.hipsimError(), "compiled for at most 64"));
  assert_int_equal(LAUNCH(bounded, 1, 64, 65537, params),
                   hipErrorLaunchOutOfResources);
  assert_int_equal(LAUNCH(f, 1, 64, 0, NULL), hipErrorInvalidValue);
  size_t length = 4;
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &n,
                   HIP_LAUNCH_PARAM_BUFFER_SIZE, &length,
                   HIP_LAUNCH_PARAM_END};
  assert_int_equal(h.hipModuleLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, NULL, NULL,
                                           extra), hipErrorInvalidValue);
  assert_int_equal(h.hipModuleGetFunction(&g, module, "vectr_add"),
                   hipErrorNotFound);
  assert_int_equal(h.hipModuleGetFunction(&g, NULL, "vector_add"),
                   hipErrorInvalidHandle);
  check(h.hipFuncGetAttribute(&value,
                              HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
                              bounded));
  assert_int_equal(value, 64);
  check(h.hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&value, bounded,
                                                             64, 32768));
  assert_int_equal(value, 2);
  check(h.hipDeviceSynchronize());
}

static void test_images(void **state)
{
  hipModule_t m;
  char bad[200] = "not a code object";
  (void)state;
  assert_int_equal(h.hipModuleLoadData(&m, bad), hipErrorInvalidImage);
  assert_int_equal(h.hipModuleLoad(&m, "/nonexistent.co"),
                   hipErrorFileNotFound);
  if (!code)
    skip();
  char *copy = malloc(size);
  memcpy(copy, code, size);
  copy[48] = 0x30; /* gfx908 */
  assert_int_equal(h.hipModuleLoadData(&m, copy), hipErrorNoBinaryForGpu);
  free(copy);
}

/* A bundle as clang writes it: a host entry without code, then ours. */
static void test_bundle(void **state)
{
  static const char *const names[] = {"host-x86_64-unknown-linux--",
                                      "hipv4-amdgcn-amd-amdhsa--gfx906"};
  enum {AT = 4096};
  hipModule_t m;
  hipFunction_t f;
  (void)state;
  if (!code)
    skip();
  char *bundle = calloc(1, AT + size), *p = bundle + 32;
  memcpy(bundle, "__CLANG_OFFLOAD_BUNDLE__", 24);
  memcpy(bundle + 24, &(uint64_t){2}, 8);
  for (int n = 0; n < 2; n++) {
    const uint64_t entry[3] = {AT, n ? size : 0, strlen(names[n])};
    memcpy(p, entry, sizeof entry);
    memcpy(p + 24, names[n], entry[2]);
    p += 24 + entry[2];
  }
  memcpy(bundle + AT, code, size);
  check(h.hipModuleLoadData(&m, bundle));
  check(h.hipModuleGetFunction(&f, m, "vector_add"));
  check(h.hipModuleUnload(m));
  assert_int_equal(h.hipModuleUnload(m), hipErrorInvalidHandle);
  free(bundle);
}

/* --- kernels that fail: the launch is accepted, waiting for it says so ---- */

static void fails(const char *name, void **params, hipError_t error,
                  const char *words)
{
  hipFunction_t f = function(name);
  check(h.hipModuleLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, NULL, params, NULL));
  assert_int_equal(h.hipDeviceSynchronize(), error);
  if (!strstr(h.hipsimError(), words) || !strstr(h.hipsimError(), name))
    fail_msg("no '%s' of %s in: %s", words, name, h.hipsimError());
  check(h.hipDeviceSynchronize()); /* reported once; the process lives on */
}

static void test_faults(void **state)
{
  int *p = device_alloc(256);
  void *params[] = {&p};
  (void)state;
  check(h.hipMemset(p, 0, 256));
  fails("stray", params, hipErrorIllegalAddress, "lane 5");
  fails("spin", params, hipErrorLaunchTimeOut, "endless loop");
  fails("trap", NULL, hipErrorAssert, "s_trap");
  check(h.hipFree(p));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_device),
      cmocka_unit_test(test_vector_add),
      cmocka_unit_test(test_inspect),
      cmocka_unit_test(test_where),
      cmocka_unit_test(test_private),
      cmocka_unit_test(test_sampled),
      cmocka_unit_test(test_counted),
      cmocka_unit_test(test_arguments),
      cmocka_unit_test(test_images),
      cmocka_unit_test(test_bundle),
      cmocka_unit_test(test_faults),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
