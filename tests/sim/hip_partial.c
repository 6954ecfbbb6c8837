/* hip_partial.c - grids given in threads, which end within a workgroup. */
// SPDX-License-Identifier: MIT
#define CALLS(X) \
  X(hipGetErrorName) X(hipsimError) X(hipsimReport) X(hipsimSetMode) \
  X(hipMalloc) X(hipFree) X(hipMemset) X(hipMemcpyDtoH) X(hipModuleLoadData) \
  X(hipModuleUnload) X(hipModuleGetFunction) X(hipDeviceSynchronize) \
  X(hipKernelNameRef) X(hipGetLastError)

#include "tests/sim/library.h"
#include "tests/sim/rtc.h"

/* blockDim of a last group is the launch's or its own, as the compiler takes
 * it, so kernels for such grids are told. `mark`: each thread leaves a mark at
 * its own place in a grid with rows of 100 and slices of 50 rows. `sums`: each
 * group adds up what its threads are by number, all of whom meet at the
 * barriers; and tells what the packet says of the launch. `privately`: a sum
 * in private memory. `rows`: a loop over memory in which waves meet. */
static const char source[] =
    "extern \"C\" __global__ void mark(int *out, int bx, int by, int bz)\n"
    "{\n"
    "  int x = blockIdx.x * bx + threadIdx.x;\n"
    "  int y = blockIdx.y * by + threadIdx.y;\n"
    "  int z = blockIdx.z * bz + threadIdx.z;\n"
    "  atomicAdd(&out[(z * 50 + y) * 100 + x], 1);\n"
    "}\n"
    "extern \"C\" __global__ void sums(int *out)\n"
    "{\n"
    "  __shared__ int sum;\n"
    "  if (!threadIdx.x)\n"
    "    sum = 0;\n"
    "  __syncthreads();\n"
    "  atomicAdd(&sum, threadIdx.x + 1);\n"
    "  __syncthreads();\n"
    "  if (threadIdx.x)\n"
    "    return;\n"
    "  out[3 * blockIdx.x] = sum;\n"
    "  out[3 * blockIdx.x + 1] = __builtin_amdgcn_grid_size_x();\n"
    "  out[3 * blockIdx.x + 2] = __builtin_amdgcn_workgroup_size_x();\n"
    "}\n"
    "extern \"C\" __global__ void privately(int *out, int n)\n"
    "{\n"
    "  int a[50], i = blockIdx.x * 128 + threadIdx.x, sum = 0;\n"
    "  for (int k = 0; k < 50; k++)\n"
    "    a[(k * n) % 50] = i * k;\n"
    "  for (int k = 0; k < 50; k++)\n"
    "    sum += a[(k + n) % 50];\n"
    "  out[i] = sum;\n"
    "}\n"
    "extern \"C\" __global__ void rows(float *out, const float *in, int n)\n"
    "{\n"
    "  __shared__ float tile[256];\n"
    "  float sum = 0;\n"
    "  int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 +"
    " threadIdx.y;\n"
    "  for (int k = 0; k < n; k++) {\n"
    "    tile[threadIdx.y * 64 + threadIdx.x] = in[(y * n + k) * 64 + x];\n"
    "    __syncthreads();\n"
    "    sum += tile[threadIdx.x ^ 5];\n"
    "    __syncthreads();\n"
    "  }\n"
    "  out[y * 64 + x] = sum;\n"
    "}\n";

/* C++ functions, of which hip_ext.h speaks. */
#define SHAPE \
  hipFunction_t f, uint32_t x, uint32_t y, uint32_t z, uint32_t bx, \
      uint32_t by, uint32_t bz, size_t lds, hipStream_t stream, \
      void **params, void **extra, hipEvent_t start, hipEvent_t stop
static hipError_t (*launch_ext)(SHAPE, uint32_t flags), (*launch_hcc)(SHAPE);

static char *code;
static hipModule_t module;

static int find(const char *name, void *at)
{
  void *library = dlopen(BUILD_DIR "/libhipsim.so", RTLD_NOW | RTLD_LOCAL);
  void *f = library ? dlsym(library, name) : NULL;
  memcpy(at, &f, sizeof f);
  return f ? 0 : -1;
}

#define MANGLED(name, end) \
  "_Z24" name "P18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11" \
  "ihipEvent_tS6_" end

static int setup(void **state)
{
  struct rtc r;
  (void)state;
  if (library_open() ||
      find(MANGLED("hipExtModuleLaunchKernel", "j"), &launch_ext) ||
      find(MANGLED("hipHccModuleLaunchKernel", ""), &launch_hcc))
    return -1;
  if (rtc_open(&r)) {
    fprintf(stderr, "skipped: no hiprtc (Debian package libamdhip64-5)\n");
    return 0;
  }
  size_t size;
  code = rtc_compile(&r, source, &size);
  return code && !h.hipModuleLoadData(&module, code) ? 0 : -1;
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
  if (!module)
    skip();
  check(h.hipModuleGetFunction(&f, module, name));
  assert_string_equal(h.hipKernelNameRef(f), name);
  return f;
}

static hipError_t launch(int old, hipFunction_t f, const uint32_t t[3],
                         const uint32_t b[3], void **params)
{
  hipError_t result =
      old ? launch_hcc(f, t[0], t[1], t[2], b[0], b[1], b[2], 0, NULL, params,
                       NULL, NULL, NULL)
          : launch_ext(f, t[0], t[1], t[2], b[0], b[1], b[2], 0, NULL, params,
                       NULL, NULL, NULL, 0);
  return result ? result : h.hipDeviceSynchronize();
}

/* --- what runs ------------------------------------------------------------ */

/* Every thread of the grid, once, and no other. */
static void test_mark(void **state)
{
  enum {PLACES = 100 * 50 * 20};
  static const uint32_t grids[][2][3] = {
      {{100, 1, 1}, {64, 1, 1}},   {{65, 1, 1}, {256, 1, 1}},
      {{1, 1, 1}, {1024, 1, 1}},   {{99, 50, 1}, {16, 16, 1}},
      {{100, 33, 9}, {7, 5, 4}},   {{64, 31, 3}, {64, 4, 1}},
      {{3, 50, 20}, {8, 3, 3}},    {{96, 32, 8}, {32, 8, 4}},
  };
  static int marks[PLACES];
  int *out = device_alloc(sizeof marks);
  (void)state;
  for (size_t n = 0; n < sizeof grids / sizeof *grids * 2; n++) {
    const uint32_t *all = grids[n / 2][0], *block = grids[n / 2][1];
    uint32_t told[3] = {block[0], block[1], block[2]};
    void *params[] = {&out, &told[0], &told[1], &told[2]};
    check(h.hipMemset(out, 0, sizeof marks));
    check(launch(n % 2, function("mark"), all, block, params));
    check(h.hipMemcpyDtoH(marks, out, sizeof marks));
    for (uint32_t i = 0; i < PLACES; i++)
      if (marks[i] != (i % 100 < all[0] && i / 100 % 50 < all[1] &&
                       i / 5000 < all[2]))
        fail_msg("grid %zu: %d threads at %u, %u, %u", n, marks[i], i % 100,
                 i / 100 % 50, i / 5000);
  }
  check(h.hipFree(out));
}

/* The last group has one wave and a lane: it waits for no more of them. */
static void test_barrier(void **state)
{
  enum {BLOCK = 256, GROUPS = 70, THREADS = (GROUPS - 1) * BLOCK + 65};
  static const uint32_t threads[3] = {THREADS, 1, 1}, block[3] = {BLOCK, 1, 1};
  static int told[GROUPS][3];
  int *out = device_alloc(sizeof told);
  void *params[] = {&out};
  (void)state;
  struct hipsim_report report = {.size = sizeof report};
  check(launch(0, function("sums"), threads, block, params));
  check((hipError_t)h.hipsimReport(&report));
  assert_true(report.sq_waves == 4 * (GROUPS - 1) + 2);
  check(h.hipMemcpyDtoH(told, out, sizeof told));
  for (int g = 0; g < GROUPS; g++) {
    int n = g < GROUPS - 1 ? BLOCK : 65;
    assert_int_equal(told[g][0], n * (n + 1) / 2);
    assert_int_equal(told[g][1], THREADS);
    assert_int_equal(told[g][2], BLOCK);
  }
  check(h.hipFree(out));
}

/* A group that was a partial one becomes a whole one, and the reverse. */
static void test_private(void **state)
{
  enum {GROUPS = 300, BLOCK = 128, THREADS = GROUPS * BLOCK - 100, K = 7};
  static const uint32_t threads[3] = {THREADS, 1, 1}, block[3] = {BLOCK, 1, 1};
  static int told[GROUPS * BLOCK];
  int n = K, *out = device_alloc(sizeof told);
  void *params[] = {&out, &n};
  (void)state;
  check(h.hipMemset(out, 0, sizeof told));
  check(launch(0, function("privately"), threads, block, params));
  check(h.hipMemcpyDtoH(told, out, sizeof told));
  for (int i = 0; i < GROUPS * BLOCK; i++)
    assert_int_equal(told[i], i < THREADS ? i * (49 * 50 / 2) : 0);
  check(h.hipFree(out));
}

/* Where the model executes some of the groups only, and follows the loads of
 * others, of which every other one has one wave, not four. */
static void test_sampled(void **state)
{
  enum {X = 64, Y = 4 * 4000 + 1, N = 32, FLOATS = (Y + 1) * N * 64};
  static const uint32_t threads[3] = {X, Y, 1}, block[3] = {64, 4, 1};
  static const uint32_t flat[3] = {X, 5, 400};
  float *out = device_alloc((Y + 1) * 64 * 4), *in = device_alloc(FLOATS * 4);
  int n = N;
  void *params[] = {&out, &in, &n};
  struct hipsim_report report = {.size = sizeof report};
  (void)state;
  check((hipError_t)h.hipsimSetMode(HIPSIM_SAMPLED));
  check(launch(0, function("rows"), threads, block, params));
  check((hipError_t)h.hipsimReport(&report));
  assert_true(report.time_us > 0 && report.sampled_share < 1);
  check(launch(0, function("rows"), flat, block, params));
  check((hipError_t)h.hipsimReport(&report));
  assert_true(report.time_us > 0);
  check((hipError_t)h.hipsimSetMode(HIPSIM_FULL));
  check(h.hipFree(out)), check(h.hipFree(in));
}

/* --- what is refused ------------------------------------------------------ */

static void test_refused(void **state)
{
  static const uint32_t bad[][2][3] = {
      {{0, 1, 1}, {64, 1, 1}}, {{64, 1, 0}, {64, 1, 1}},
      {{64, 1, 1}, {0, 1, 1}}, {{5, 1, 1}, {2048, 1, 1}},
  };
  hipFunction_t f = function("sums");
  int *out = NULL;
  void *params[] = {&out};
  (void)state;
  for (size_t n = 0; n < sizeof bad / sizeof *bad; n++)
    assert_int_equal(launch(n % 2, f, bad[n][0], bad[n][1], params),
                     hipErrorInvalidConfiguration);
  assert_int_equal(h.hipGetLastError(), hipErrorInvalidConfiguration);
  assert_null(h.hipKernelNameRef(NULL));
  assert_int_equal(h.hipGetLastError(), hipSuccess);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_mark),    cmocka_unit_test(test_barrier),
      cmocka_unit_test(test_private), cmocka_unit_test(test_sampled),
      cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
