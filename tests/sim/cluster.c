/* cluster.c - clusters of workgroups and multicast loads of gfx1250.
 *
 * The groups of Composable Kernel's tests (test/ck_tile/multicast_load), by the
 * kernels of cluster.hip: what each workgroup must get follows from the mask
 * alone. Then what breaks them, and how many requests a mask saves. clang-22
 * compiles them; where there is none all are skipped.
 */
// SPDX-License-Identifier: MIT
#include <hip/hip_runtime_api.h>

enum {WAVE = 32, WORDS = 4096, SENTINEL = -1, CLUSTER_DIMENSION = 4};

/* HIP 7's hipDrvLaunchKernelEx and its structs, which Debian 12's headers lack. */
struct attribute {
  int id, unused;
  uint32_t value[16];
};
struct config {
  unsigned grid[3], block[3], dynamic;
  hipStream_t stream;
  const struct attribute *attributes;
  unsigned n;
};
hipError_t hipDrvLaunchKernelEx(const struct config *c, hipFunction_t f,
                                void **params, void **extra);

#define CALLS(X) \
  X(hipGetErrorName) X(hipsimError) X(hipsimArch) X(hipsimReport) \
  X(hipModuleLoadData) X(hipModuleUnload) X(hipModuleGetFunction) \
  X(hipMalloc) X(hipFree) X(hipMemcpy) X(hipMemset) X(hipDeviceSynchronize) \
  X(hipDrvLaunchKernelEx) X(hipStreamCreate) X(hipStreamDestroy) \
  X(hipStreamSynchronize) X(hipStreamBeginCapture) X(hipStreamEndCapture) \
  X(hipGraphCreate) X(hipGraphDestroy) X(hipGraphAddKernelNode) \
  X(hipGraphKernelNodeSetAttribute) X(hipGraphKernelNodeGetAttribute) \
  X(hipGraphKernelNodeSetParams) X(hipGraphInstantiate) X(hipGraphLaunch) \
  X(hipGraphExecDestroy)
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"
#include "tests/sim/library.h"

static hipModule_t module; /* NULL: there is no clang-22 */
static int32_t *in, *out;  /* of the device, WORDS each */

struct args {
  void *out, *in;
  uint32_t number;
};

/* --- compiling, launching ------------------------------------------------- */

static int compile(struct str *code)
{
  char path[] = "/tmp/cluster-XXXXXX", command[512];
  int made = mkstemp(path);
  if (made < 0)
    return -1;
  close(made);
  snprintf(command, sizeof command,
           "clang-22 -x hip --offload-arch=gfx1250 --offload-device-only "
           "--no-gpu-bundle-output -nogpulib -nogpuinc -O3 -o %s %s 2>&1",
           path, SOURCE_DIR "/tests/sim/cluster.hip");
  int bad = system("command -v clang-22 ld.lld-22 >/dev/null") ||
            system(command) || file_read(path, 1 << 24, code, NULL);
  unlink(path);
  return bad;
}

static int open_all(void **state)
{
  struct str code = {0};
  (void)state;
  if (compile(&code)) {
    print_message("skipped: no clang-22 and lld-22 (Debian packages)\n");
    return 0;
  }
  assert_int_equal(library_open(), 0);
  assert_int_equal(h.hipsimArch("gfx1250"), 0);
  assert_int_equal(h.hipModuleLoadData(&module, code.at), 0);
  assert_int_equal(h.hipMalloc((void **)&in, 4 * WORDS), 0);
  assert_int_equal(h.hipMalloc((void **)&out, 4 * WORDS), 0);
  str_free(&code);
  return 0;
}

static int close_all(void **state)
{
  (void)state;
  if (module) {
    h.hipFree(in), h.hipFree(out);
    h.hipModuleUnload(module);
  }
  return 0;
}

struct shape {
  unsigned x, y;       /* workgroups */
  unsigned threads;    /* of each */
  unsigned cx, cy;     /* workgroups of a cluster */
};

static hipError_t launch_on(hipStream_t stream, const char *kernel, struct shape s,
                            uint32_t number)
{
  struct args args = {out, in, number};
  size_t bytes = sizeof args;
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &args,
                   HIP_LAUNCH_PARAM_BUFFER_SIZE, &bytes, HIP_LAUNCH_PARAM_END};
  const struct attribute a = {.id = CLUSTER_DIMENSION,
                              .value = {s.cx, s.cy, 1}};
  const struct config c = {.grid = {s.x, s.y, 1}, .block = {s.threads, 1, 1},
                           .stream = stream, .attributes = &a, .n = s.cx > 0};
  hipFunction_t f;
  assert_int_equal(h.hipModuleGetFunction(&f, module, kernel), 0);
  return h.hipDrvLaunchKernelEx(&c, f, NULL, extra);
}

static hipError_t launch(const char *kernel, struct shape s, uint32_t number)
{
  hipError_t result = launch_on(NULL, kernel, s, number);
  return result ? result : h.hipDeviceSynchronize();
}

/* Source words 1000 + n; results are the sentinel. */
static void fill(void)
{
  int32_t words[WORDS];
  for (int n = 0; n < WORDS; n++)
    words[n] = 1000 + n;
  assert_int_equal(h.hipMemcpy(in, words, sizeof words, hipMemcpyHostToDevice), 0);
  assert_int_equal(h.hipMemset(out, 0xff, sizeof words), 0);
}

static void run(const char *kernel, struct shape s, uint32_t number)
{
  fill();
  if (launch(kernel, s, number))
    fail_msg("%s: %s", kernel, h.hipsimError());
}

static void read_back(int32_t *words)
{
  assert_int_equal(h.hipMemcpy(words, out, 4 * WORDS, hipMemcpyDeviceToHost), 0);
}

/* `parts` one behind the other, each of n words from the first of the source;
 * nothing behind them. */
static void all_same(unsigned parts, unsigned n)
{
  int32_t words[WORDS];
  read_back(words);
  for (unsigned k = 0; k < parts * n; k++)
    assert_int_equal(words[k], 1000 + k % n);
  for (unsigned k = parts * n; k < WORDS; k++)
    assert_int_equal(words[k], SENTINEL);
}

static void need_compiler(void)
{
  if (!module)
    skip();
}

static struct shape line(unsigned groups)
{
  return (struct shape){groups, 1, WAVE, groups, 1};
}

static const struct width {
  const char *name;
  unsigned words;
} widths[] = {{"b32", 1}, {"b64", 2}, {"b128", 4}};
enum {WIDTHS = 3};

static void run_width(const char *kernel, const struct width *w, struct shape s,
                      uint32_t mask)
{
  char name[32];
  snprintf(name, sizeof name, "%s_%s", kernel, w->name);
  run(name, s, mask);
}

/* --- into registers ------------------------------------------------------- */

static void test_one_group(void **state)
{
  static const uint32_t masks[] = {1, 0, 1 | 1 << 16};
  (void)state;
  need_compiler();
  for (int k = 0; k < WIDTHS; k++)
    for (int m = 0; m < 3; m++) {
      run_width("load", &widths[k], line(1), masks[m]);
      all_same(1, WAVE * widths[k].words);
    }
}

static void test_clusters(void **state)
{
  (void)state;
  need_compiler();
  for (int k = 0; k < WIDTHS; k++)
    for (unsigned groups = 2; groups <= 6; groups++) {
      run_width("load", &widths[k], line(groups), (1u << groups) - 1);
      all_same(groups, WAVE * widths[k].words);
    }
  run_width("load", &widths[2], line(16), 0xffff);
  all_same(16, WAVE * 4);
}

/* 0 and 2 get the first words, 1 and 3 those of their own place. */
static void check_partial(void)
{
  int32_t words[WORDS];
  read_back(words);
  for (int n = 0; n < 4 * WAVE; n++)
    assert_int_equal(words[n], 1000 + (n / WAVE % 2 ? n : n % WAVE));
}

static void check_pairs(void)
{
  int32_t words[WORDS];
  read_back(words);
  for (int n = 0; n < 4 * WAVE; n++)
    assert_int_equal(words[n], 1000 + n / (2 * WAVE) * WAVE + n % WAVE);
}

static void test_masks(void **state)
{
  (void)state;
  need_compiler();
  run("load_partial", line(4), 5);
  check_partial();
  run("load_pairs", line(4), 0);
  check_pairs();
  run("fetch_partial", line(4), 5);
  check_partial();
  run("fetch_pairs", line(4), 0);
  check_pairs();
}

/* Fewer come than the mask says: M0[16] lets those that do go on. */
static void test_early_timeout(void **state)
{
  (void)state;
  need_compiler();
  run("load_b32", line(2), 0xf | 1 << 16);
  all_same(2, WAVE);
}

/* --- into LDS ------------------------------------------------------------- */

static void test_into_lds(void **state)
{
  (void)state;
  need_compiler();
  for (int k = 0; k < WIDTHS; k++)
    for (uint32_t mask = 0; mask < 2; mask++) {
      run_width("fetch", &widths[k], line(1), mask);
      all_same(1, WAVE * widths[k].words);
    }
}

/* Waves that asked for nothing see it behind the barrier. */
static void test_other_waves(void **state)
{
  (void)state;
  need_compiler();
  run("fetch_b32", (struct shape){1, 1, 4 * WAVE, 1, 1}, 1);
  all_same(4, WAVE);
  run("fetch_b32", (struct shape){4, 1, 4 * WAVE, 4, 1}, 0xf);
  all_same(16, WAVE);
}

static void test_shapes(void **state)
{
  (void)state;
  need_compiler();
  run("fetch_b32", line(2), 3);
  all_same(2, WAVE);
  run("fetch_b128", line(4), 0xf);
  all_same(4, WAVE * 4);
  run("fetch_b32", (struct shape){2, 2, WAVE, 2, 2}, 0xf);
  all_same(4, WAVE);
}

static void test_addresses(void **state)
{
  int32_t words[WORDS];
  (void)state;
  need_compiler();
  run("fetch_strided", line(1), 0);
  read_back(words);
  for (int n = 0; n < 256; n++)
    assert_int_equal(words[n], n % 8 ? 0 : 1000 + n / 8);
  run("fetch_offset", line(1), 0);
  read_back(words);
  for (int n = 0; n < 66; n++)
    assert_int_equal(words[n], n % 2 && n < 64 ? 1001 + n / 2 : SENTINEL);
}

static void test_counter(void **state)
{
  (void)state;
  need_compiler();
  run("fetch_both", line(1), 0);
  all_same(1, 2 * WAVE);
  run("fetch_in_order", line(1), 0);
  all_same(1, 2 * WAVE);
}

static void test_store(void **state)
{
  int32_t words[WORDS];
  (void)state;
  need_compiler();
  run("put_b128", line(1), 0);
  read_back(words);
  for (int n = 0; n < 4 * WAVE; n++)
    assert_int_equal(words[n], 1001 + n);
}

/* 8 rows of 32 words of the 64 that lie between rows. */
static void test_tensor(void **state)
{
  int32_t words[WORDS];
  (void)state;
  need_compiler();
  run("tensor_tile", line(1), 0);
  read_back(words);
  for (int n = 0; n < 8 * 64; n++)
    assert_int_equal(words[n], n % 64 < 32 ? 1000 + n : SENTINEL);
}

/* --- clusters themselves -------------------------------------------------- */

static void test_barrier(void **state)
{
  int32_t words[WORDS];
  (void)state;
  need_compiler();
  for (unsigned groups = 1; groups <= 16; groups += 5) {
    run("meet", line(groups), groups);
    read_back(words);
    for (unsigned n = 0; n < groups; n++)
      assert_int_equal(words[n], 100 + (n + 1) % groups);
  }
}

/* A grid of 4 x 4 in clusters of 2 x 2: ranks count x first. */
static void test_places(void **state)
{
  int32_t words[WORDS];
  (void)state;
  need_compiler();
  run("places", (struct shape){4, 4, 1, 2, 2}, 0);
  read_back(words);
  for (int y = 0; y < 4; y++)
    for (int x = 0; x < 4; x++) {
      const int32_t *w = &words[4 * (x + 4 * y)];
      assert_int_equal(w[0], x / 2);
      assert_int_equal(w[1], y / 2);
      assert_int_equal(w[2], x % 2 + 16 * (y % 2));
      assert_int_equal(w[3], x % 2 + 2 * (y % 2));
    }
}

/* What a kernel is compiled for needs no attribute, and no other will do. */
static void test_compiled_for(void **state)
{
  int32_t words[WORDS];
  (void)state;
  need_compiler();
  run("fixed", (struct shape){4, 1, WAVE, 0, 0}, 3);
  read_back(words);
  for (int n = 0; n < 4 * WAVE; n++)
    assert_int_equal(words[n], 1000 + n % WAVE + 1000 * (n / WAVE % 2));
  assert_int_equal(launch("fixed", (struct shape){4, 1, WAVE, 4, 1}, 3),
                   hipErrorInvalidConfiguration);
  assert_non_null(strstr(h.hipsimError(), "compiled for 2"));
}

/* Dwords inside of instructions are none, whatever they look like. */
static void test_lookalike(void **state)
{
  int32_t words[WORDS];
  (void)state;
  need_compiler();
  run("lookalike", line(1), 0);
  read_back(words);
  for (int n = 0; n < WAVE; n++)
    assert_int_equal((uint32_t)words[n], 0xca200109);
}

/* --- graphs --------------------------------------------------------------- */

/* Twice: what a graph keeps is there for each launch. */
static void run_graph(hipGraph_t graph)
{
  hipGraphExec_t exec;
  check(h.hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
  for (int n = 0; n < 2; n++) {
    fill();
    check(h.hipGraphLaunch(exec, NULL));
    check(h.hipDeviceSynchronize());
    all_same(4, WAVE);
  }
  check(h.hipGraphExecDestroy(exec));
}

static void test_captured(void **state)
{
  hipStream_t stream;
  hipGraph_t graph;
  (void)state;
  need_compiler();
  check(h.hipStreamCreate(&stream));
  check(h.hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  check(launch_on(stream, "load_b32", line(4), 0xf));
  check(h.hipStreamEndCapture(stream, &graph));
  run_graph(graph);
  check(h.hipGraphDestroy(graph));
  check(h.hipStreamDestroy(stream));
}

/* The attribute is the node's: other parameters leave it. Without it no workgroup
 * has a rank but 0. */
static void test_node(void **state)
{
  const uint32_t four[8] = {4, 1, 1};
  uint32_t got[16];
  struct args args = {out, in, 0xf};
  void *params[] = {&args.out, &args.in, &args.number};
  hipKernelNodeParams p = {.gridDim = {4, 1, 1}, .blockDim = {WAVE, 1, 1},
                           .kernelParams = params};
  hipFunction_t f;
  hipGraph_t graph;
  hipGraphNode_t node;
  (void)state;
  need_compiler();
  check(h.hipModuleGetFunction(&f, module, "load_b32"));
  p.func = (void *)f;
  check(h.hipGraphCreate(&graph, 0));
  check(h.hipGraphAddKernelNode(&node, graph, NULL, 0, &p));
  check(h.hipGraphKernelNodeSetAttribute(node, (hipKernelNodeAttrID)CLUSTER_DIMENSION,
                                         (const hipKernelNodeAttrValue *)four));
  check(h.hipGraphKernelNodeSetParams(node, &p));
  check(h.hipGraphKernelNodeGetAttribute(node, (hipKernelNodeAttrID)CLUSTER_DIMENSION,
                                         (hipKernelNodeAttrValue *)got));
  assert_memory_equal(got, four, 12);
  run_graph(graph);
  check(h.hipGraphDestroy(graph));
}

/* --- requests ------------------------------------------------------------- */

/* A wave's 32 words are one line of 128 bytes: of four workgroups a full mask
 * leaves one request, pairs leave two, none saves nothing. */
static void test_requests(void **state)
{
  static const struct {
    const char *kernel;
    uint32_t mask;
    double lines, merged;
  } cases[] = {
      {"load_b32", 0xf, 4, 3},   {"load_b32", 0, 4, 0},
      {"load_pairs", 0, 4, 2},   {"load_b128", 0xf, 16, 12},
      {"load_partial", 5, 4, 1}, {"fetch_b32", 0xf, 4, 3},
      {"tensor_tile", 0xf, 32, 24}, {"tensor_tile", 0, 32, 0},
  };
  (void)state;
  need_compiler();
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    struct hipsim_report r = {.size = sizeof r};
    run(cases[n].kernel, line(4), cases[n].mask);
    assert_int_equal(h.hipsimReport(&r), 0);
    assert_true(r.l2_requests == cases[n].lines);
    assert_true(r.l2_merged == cases[n].merged);
    assert_int_equal(r.timed, 0);
  }
}

/* --- broken --------------------------------------------------------------- */

static void faults(const char *kernel, struct shape s, uint32_t number,
                   hipError_t code, const char *const *parts)
{
  assert_int_equal(launch(kernel, s, number), code);
  for (; *parts; parts++)
    if (!strstr(h.hipsimError(), *parts))
      fail_msg("no '%s' in: %s", *parts, h.hipsimError());
}

static void test_missing_wait(void **state)
{
  static const char *const parts[] = {
      "ds_load_b32", "cluster_load_async_to_lds_b32",
      "s_wait_asynccnt is missing", NULL};
  static const char *const tensors[] = {
      "tensor_store_from_lds at", "tensor_load_to_lds at",
      "s_wait_tensorcnt is missing", NULL};
  (void)state;
  need_compiler();
  faults("no_wait", line(1), 0, hipErrorLaunchFailure, parts);
  faults("tensor_no_wait", line(1), 0, hipErrorLaunchFailure, tensors);
}

static void test_mask_of_others(void **state)
{
  int32_t words[WORDS];
  (void)state;
  need_compiler();
  run("not_mine", line(2), 2);
  read_back(words);
  for (int n = 0; n < 2 * WAVE; n++)
    assert_int_equal(words[n], n < WAVE ? SENTINEL : 1000 + n % WAVE);
}

static void test_grid_not_whole(void **state)
{
  static const char *const whole[] = {"not whole clusters of 2", NULL};
  static const char *const many[] = {"more than 16 workgroups", NULL};
  (void)state;
  need_compiler();
  faults("load_b32", (struct shape){3, 1, WAVE, 2, 1}, 3,
         hipErrorInvalidConfiguration, whole);
  faults("load_b32", (struct shape){17, 1, WAVE, 17, 1}, 1,
         hipErrorInvalidConfiguration, many);
}

static void test_nobody_comes(void **state)
{
  static const char *const parts[] = {
      "barrier -3 for ever: 3 of 4", "not (1, 0, 0), which still runs", NULL};
  (void)state;
  need_compiler();
  assert_int_equal(h.hipMemset(out, 0, 4 * WORDS), 0);
  faults("nobody_comes", line(4), 0, hipErrorLaunchTimeOut, parts);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_group),
      cmocka_unit_test(test_clusters),
      cmocka_unit_test(test_masks),
      cmocka_unit_test(test_early_timeout),
      cmocka_unit_test(test_into_lds),
      cmocka_unit_test(test_other_waves),
      cmocka_unit_test(test_shapes),
      cmocka_unit_test(test_addresses),
      cmocka_unit_test(test_counter),
      cmocka_unit_test(test_store),
      cmocka_unit_test(test_tensor),
      cmocka_unit_test(test_barrier),
      cmocka_unit_test(test_places),
      cmocka_unit_test(test_compiled_for),
      cmocka_unit_test(test_lookalike),
      cmocka_unit_test(test_captured),
      cmocka_unit_test(test_node),
      cmocka_unit_test(test_requests),
      cmocka_unit_test(test_missing_wait),
      cmocka_unit_test(test_mask_of_others),
      cmocka_unit_test(test_grid_not_whole),
      cmocka_unit_test(test_nobody_comes),
  };
  return cmocka_run_group_tests(tests, open_all, close_all);
}
