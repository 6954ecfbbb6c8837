/* hip_graph.c - graphs, made and captured, through the HIP API. */
// SPDX-License-Identifier: MIT
#define CALLS(X) \
  X(hipGetErrorName) X(hipsimError) X(hipMalloc) X(hipFree) X(hipMemcpy) \
  X(hipMemcpyAsync) X(hipMemset) X(hipMemsetAsync) X(hipMemset2DAsync) \
  X(hipMemcpy2DAsync) X(hipMallocAsync) X(hipFreeAsync) \
  X(hipModuleLoadData) X(hipModuleUnload) X(hipModuleGetFunction) \
  X(hipModuleLaunchKernel) X(hipDeviceSynchronize) X(hipStreamSynchronize) \
  X(hipStreamCreate) X(hipStreamCreateWithFlags) X(hipStreamDestroy) \
  X(hipStreamWaitEvent) X(hipStreamIsCapturing) X(hipStreamBeginCapture) \
  X(hipStreamEndCapture) X(hipStreamGetCaptureInfo_v2) \
  X(hipStreamUpdateCaptureDependencies) X(hipLaunchHostFunc) \
  X(hipThreadExchangeStreamCaptureMode) X(hipEventCreate) X(hipEventRecord) \
  X(hipEventQuery) X(hipEventDestroy) X(hipGraphCreate) X(hipGraphDestroy) \
  X(hipGraphClone) X(hipGraphNodeFindInClone) X(hipGraphGetNodes) \
  X(hipGraphGetRootNodes) X(hipGraphGetEdges) X(hipGraphAddDependencies) \
  X(hipGraphRemoveDependencies) X(hipGraphNodeGetDependencies) \
  X(hipGraphNodeGetDependentNodes) X(hipGraphNodeGetType) \
  X(hipGraphDestroyNode) X(hipGraphAddKernelNode) X(hipGraphAddMemsetNode) \
  X(hipGraphAddMemcpyNode1D) X(hipGraphAddHostNode) X(hipGraphAddEmptyNode) \
  X(hipGraphAddChildGraphNode) X(hipGraphChildGraphNodeGetGraph) \
  X(hipGraphAddEventRecordNode) X(hipGraphAddEventWaitNode) \
  X(hipGraphEventRecordNodeGetEvent) X(hipGraphKernelNodeGetParams) \
  X(hipGraphKernelNodeSetParams) X(hipGraphExecKernelNodeSetParams) \
  X(hipGraphMemcpyNodeGetParams) X(hipGraphExecMemcpyNodeSetParams1D) \
  X(hipGraphMemsetNodeGetParams) X(hipGraphMemsetNodeSetParams) \
  X(hipGraphInstantiate) X(hipGraphInstantiateWithFlags) X(hipGraphLaunch) \
  X(hipGraphExecUpdate) X(hipGraphExecDestroy)

#include "tests/sim/library.h"
#include "tests/sim/rtc.h"

enum {N = 100};

static const char source[] =
    "extern \"C\" __global__ void add(int *p, int n, int k)\n"
    "{\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n)\n"
    "    p[i] += k;\n"
    "}\n"
    "extern \"C\" __global__ void twice(int *p, int n, int k)\n"
    "{\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n)\n"
    "    p[i] = 2 * p[i] + k;\n"
    "}\n";

static struct {
  hipModule_t module;
  hipFunction_t add, twice;
  hipStream_t s, t;
  hipEvent_t e, f;
  int *p;
} dev;

static int setup(void **state)
{
  struct rtc r;
  size_t n;
  (void)state;
  if (library_open())
    return -1;
  if (rtc_open(&r)) {
    fprintf(stderr, "skipped: no hiprtc (Debian package libamdhip64-5)\n");
    return 0;
  }
  char *code = rtc_compile(&r, source, &n);
  if (!code || h.hipModuleLoadData(&dev.module, code) != hipSuccess)
    return -1;
  free(code);
  check(h.hipModuleGetFunction(&dev.add, dev.module, "add"));
  check(h.hipModuleGetFunction(&dev.twice, dev.module, "twice"));
  check(h.hipStreamCreate(&dev.s));
  check(h.hipStreamCreate(&dev.t));
  check(h.hipEventCreate(&dev.e));
  check(h.hipEventCreate(&dev.f));
  dev.p = device_alloc(N * sizeof(int));
  return 0;
}

static int teardown(void **state)
{
  (void)state;
  if (!dev.module)
    return 0;
  check(h.hipFree(dev.p));
  check(h.hipStreamDestroy(dev.s)), check(h.hipStreamDestroy(dev.t));
  check(h.hipEventDestroy(dev.e)), check(h.hipEventDestroy(dev.f));
  check(h.hipModuleUnload(dev.module));
  return 0;
}

static void needed(void)
{
  if (!dev.module)
    skip();
}

static hipError_t launch(hipFunction_t f, hipStream_t s, int k)
{
  int n = N;
  void *params[] = {&dev.p, &n, &k};
  return h.hipModuleLaunchKernel(f, 2, 1, 1, 64, 1, 1, 0, s, params, NULL);
}

static void expect(int value)
{
  int host[N];
  check(h.hipMemcpy(host, dev.p, sizeof host, hipMemcpyDeviceToHost));
  for (int i = 0; i < N; i++)
    assert_int_equal(host[i], value);
}

static void set(int value)
{
  int host[N];
  for (int i = 0; i < N; i++)
    host[i] = value;
  check(h.hipMemcpy(dev.p, host, sizeof host, hipMemcpyHostToDevice));
}

static hipGraphExec_t made(hipGraph_t g)
{
  hipGraphExec_t e;
  check(h.hipGraphInstantiate(&e, g, NULL, NULL, 0));
  return e;
}

static size_t nodes_of(hipGraph_t g)
{
  size_t n = 0;
  check(h.hipGraphGetNodes(g, NULL, &n));
  return n;
}

static void count_up(void *user)
{
  ++*(int *)user;
}

/* --- capture -------------------------------------------------------------- */

/* Nothing happens while a stream takes it down; each launch does it all, with
 * the arguments of then. */
static void test_capture(void **state)
{
  hipGraph_t g;
  hipStreamCaptureStatus status;
  int calls = 0, host[N] = {0};
  (void)state;
  needed();
  set(7);
  check(h.hipStreamBeginCapture(dev.s, hipStreamCaptureModeGlobal));
  check(h.hipStreamIsCapturing(dev.s, &status));
  assert_int_equal(status, hipStreamCaptureStatusActive);
  check(h.hipMemsetAsync(dev.p, 0, N * sizeof(int), dev.s));
  check(launch(dev.add, dev.s, 3));
  check(launch(dev.twice, dev.s, 1));
  check(h.hipMemcpyAsync(host, dev.p, sizeof host, hipMemcpyDeviceToHost,
                         dev.s));
  check(h.hipLaunchHostFunc(dev.s, count_up, &calls));
  check(h.hipStreamEndCapture(dev.s, &g));
  check(h.hipStreamIsCapturing(dev.s, &status));
  assert_int_equal(status, hipStreamCaptureStatusNone);
  assert_int_equal(calls, 0);
  expect(7);
  assert_int_equal(nodes_of(g), 5);
  hipGraphExec_t e = made(g);
  check(h.hipGraphDestroy(g));
  for (int n = 1; n <= 3; n++) {
    check(h.hipGraphLaunch(e, dev.s));
    check(h.hipStreamSynchronize(dev.s));
    assert_int_equal(calls, n);
    assert_int_equal(host[N - 1], 7);
    expect(7);
    set(1000);
  }
  check(h.hipGraphExecDestroy(e));
  assert_int_equal(h.hipGraphLaunch(e, dev.s), hipErrorInvalidValue);
  calls = 0;
  check(h.hipLaunchHostFunc(dev.s, count_up, &calls));
  assert_int_equal(calls, 1);
}

/* Rows that a pitch keeps apart. */
static void test_boxes(void **state)
{
  hipGraph_t g;
  unsigned char host[40] = {0}, back[40] = {0};
  (void)state;
  needed();
  set(0x01010101);
  check(h.hipStreamBeginCapture(dev.s, hipStreamCaptureModeRelaxed));
  check(h.hipMemset2DAsync(dev.p, 16, 9, 3, 4, dev.s));
  check(h.hipMemcpy2DAsync(host, 10, dev.p, 16, 4, 4, hipMemcpyDeviceToHost,
                           dev.s));
  check(h.hipStreamEndCapture(dev.s, &g));
  hipGraphExec_t e = made(g);
  check(h.hipGraphLaunch(e, NULL));
  for (int y = 0; y < 4; y++)
    memcpy(back + 10 * y, "\t\t\t\1", 4);
  assert_memory_equal(host, back, sizeof host);
  check(h.hipGraphExecDestroy(e)), check(h.hipGraphDestroy(g));
}

static hipError_t fork_capture(int join, hipGraph_t *g)
{
  check(h.hipStreamBeginCapture(dev.s, hipStreamCaptureModeGlobal));
  check(launch(dev.add, dev.s, 1));
  check(h.hipEventRecord(dev.e, dev.s));
  check(h.hipStreamWaitEvent(dev.t, dev.e, 0));
  check(launch(dev.add, dev.t, 10));
  check(launch(dev.add, dev.s, 100));
  if (join) {
    check(h.hipEventRecord(dev.f, dev.t));
    check(h.hipStreamWaitEvent(dev.s, dev.f, 0));
    check(launch(dev.twice, dev.s, 0));
  }
  return h.hipStreamEndCapture(dev.s, g);
}

static void test_fork(void **state)
{
  hipGraph_t g;
  hipGraphNode_t from[4], to[4], before[2];
  size_t edges = 4, n = 2;
  (void)state;
  needed();
  check(fork_capture(1, &g));
  assert_int_equal(nodes_of(g), 4);
  check(h.hipGraphGetEdges(g, from, to, &edges));
  assert_int_equal(edges, 4);
  check(h.hipGraphNodeGetDependencies(to[3], before, &n));
  assert_int_equal(n, 2);
  assert_true(from[0] == from[1] && to[2] == to[3]);
  hipGraphExec_t e = made(g);
  set(0);
  check(h.hipGraphLaunch(e, dev.t));
  expect(222);
  check(h.hipGraphExecDestroy(e)), check(h.hipGraphDestroy(g));
  assert_int_equal(fork_capture(0, &g), hipErrorStreamCaptureUnjoined);
  assert_null(g);
  check(launch(dev.add, dev.t, 1)); /* which captures no more */
  expect(223);
}

static void test_rules(void **state)
{
  const hipStreamCaptureMode relaxed = hipStreamCaptureModeRelaxed;
  hipStreamCaptureMode mode = relaxed;
  hipGraph_t g;
  void *p;
  (void)state;
  needed();
  assert_int_equal(h.hipStreamBeginCapture(NULL, relaxed),
                   hipErrorStreamCaptureUnsupported);
  assert_int_equal(h.hipStreamEndCapture(dev.s, &g), hipErrorIllegalState);
  const struct {
    hipStreamCaptureMode mode;
    int call;
    hipError_t error;
  } rows[] = {
      {hipStreamCaptureModeGlobal, 0, hipErrorStreamCaptureUnsupported},
      {hipStreamCaptureModeThreadLocal, 0, hipErrorStreamCaptureUnsupported},
      {relaxed, 0, hipSuccess},
      {relaxed, 1, hipErrorStreamCaptureImplicit},
      {relaxed, 2, hipErrorStreamCaptureUnsupported},
      {relaxed, 3, hipErrorStreamCaptureUnsupported},
      {relaxed, 4, hipErrorCapturedEvent},
  };
  for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
    check(h.hipStreamBeginCapture(dev.s, rows[n].mode));
    assert_int_equal(h.hipStreamBeginCapture(dev.s, relaxed),
                     hipErrorIllegalState);
    check(h.hipEventRecord(dev.e, dev.s));
    int call = rows[n].call;
    hipError_t error =
        call == 0   ? h.hipMalloc(&p, 64)
        : call == 1 ? h.hipMemset(dev.p, 0, 4)
        : call == 2 ? h.hipStreamSynchronize(dev.s)
        : call == 3 ? h.hipDeviceSynchronize()
                    : h.hipEventQuery(dev.e);
    assert_int_equal(error, rows[n].error);
    assert_int_equal(launch(dev.add, dev.s, 1),
                     error ? hipErrorStreamCaptureInvalidated : hipSuccess);
    assert_int_equal(h.hipStreamEndCapture(dev.s, &g),
                     error ? hipErrorStreamCaptureInvalidated : hipSuccess);
    if (!error)
      check(h.hipGraphDestroy(g)), check(h.hipFree(p));
  }
  check(h.hipThreadExchangeStreamCaptureMode(&mode));
  check(h.hipStreamBeginCapture(dev.s, hipStreamCaptureModeGlobal));
  check(h.hipMalloc(&p, 64)); /* this thread may */
  check(h.hipStreamSynchronize(dev.t));
  check(h.hipStreamEndCapture(dev.s, &g));
  check(h.hipThreadExchangeStreamCaptureMode(&mode));
  check(h.hipFree(p)), check(h.hipGraphDestroy(g));
}

/* Two captures do not become one; a stream that goes ends its own. */
static void test_two(void **state)
{
  hipGraph_t g;
  hipStream_t u;
  (void)state;
  needed();
  check(h.hipStreamBeginCapture(dev.s, hipStreamCaptureModeRelaxed));
  check(h.hipStreamBeginCapture(dev.t, hipStreamCaptureModeRelaxed));
  check(h.hipEventRecord(dev.e, dev.s));
  assert_int_equal(h.hipStreamWaitEvent(dev.t, dev.e, 0),
                   hipErrorStreamCaptureMerge);
  assert_int_equal(h.hipStreamEndCapture(dev.s, &g),
                   hipErrorStreamCaptureInvalidated);
  assert_int_equal(h.hipStreamEndCapture(dev.t, &g),
                   hipErrorStreamCaptureInvalidated);
  check(h.hipStreamCreateWithFlags(&u, hipStreamNonBlocking));
  check(h.hipStreamBeginCapture(u, hipStreamCaptureModeGlobal));
  check(launch(dev.add, u, 1));
  check(h.hipStreamDestroy(u));
  check(h.hipDeviceSynchronize());
}

/* What a stream takes down next can be put behind other nodes. */
static void test_dependencies(void **state)
{
  hipGraph_t g, same;
  hipStreamCaptureStatus status;
  const hipGraphNode_t *last;
  hipGraphNode_t first, before[2];
  size_t n = 0;
  (void)state;
  needed();
  check(h.hipStreamBeginCapture(dev.s, hipStreamCaptureModeGlobal));
  check(launch(dev.add, dev.s, 1));
  check(h.hipStreamGetCaptureInfo_v2(dev.s, &status, NULL, &g, &last, &n));
  assert_int_equal(n, 1);
  first = last[0];
  check(launch(dev.add, dev.s, 10));
  check(h.hipStreamUpdateCaptureDependencies(
      dev.s, &first, 1, hipStreamSetCaptureDependencies));
  check(launch(dev.add, dev.s, 100));
  check(h.hipStreamGetCaptureInfo_v2(dev.s, &status, NULL, NULL, &last, &n));
  assert_int_equal(n, 1);
  n = 2;
  check(h.hipGraphNodeGetDependencies(last[0], before, &n));
  assert_true(n == 1 && before[0] == first);
  check(h.hipStreamEndCapture(dev.s, &same));
  assert_true(same == g);
  check(h.hipGraphDestroy(g));
}

/* Memory that the graph allocates is there after each launch. */
static void test_memory(void **state)
{
  hipGraph_t g;
  void *p;
  int value = 0;
  (void)state;
  needed();
  check(h.hipStreamBeginCapture(dev.s, hipStreamCaptureModeGlobal));
  check(h.hipMallocAsync(&p, 64, dev.s));
  check(h.hipMemsetAsync(p, 1, 64, dev.s));
  check(h.hipMemcpyAsync(&value, p, 4, hipMemcpyDeviceToHost, dev.s));
  check(h.hipFreeAsync(p, dev.s));
  check(h.hipStreamEndCapture(dev.s, &g));
  assert_int_equal(nodes_of(g), 4);
  hipGraphExec_t e = made(g);
  check(h.hipGraphDestroy(g));
  for (int n = 0; n < 2; n++) {
    check(h.hipGraphLaunch(e, dev.s));
    assert_int_equal(value, 0x01010101);
    value = 0;
  }
  check(h.hipGraphExecDestroy(e));
  assert_int_equal(h.hipMemset(p, 0, 4), hipErrorInvalidValue);
}

/* --- update --------------------------------------------------------------- */

static hipGraph_t captured(int k, hipFunction_t f, int more)
{
  hipGraph_t g;
  check(h.hipStreamBeginCapture(dev.s, hipStreamCaptureModeRelaxed));
  check(launch(dev.add, dev.s, k));
  if (f)
    check(launch(f, dev.s, k));
  else
    check(h.hipMemsetAsync(dev.p, 0, 4, dev.s));
  for (int n = 0; n < more; n++)
    check(launch(dev.add, dev.s, k));
  check(h.hipStreamEndCapture(dev.s, &g));
  return g;
}

static void test_update(void **state)
{
  hipGraphExecUpdateResult why;
  hipGraphNode_t bad;
  (void)state;
  needed();
  hipGraph_t g = captured(1, dev.add, 0);
  hipGraphExec_t e = made(g);
  const struct {
    hipGraph_t g;
    hipGraphExecUpdateResult why;
    int value;
  } rows[] = {
      {captured(5, dev.add, 0), hipGraphExecUpdateSuccess, 10},
      {captured(5, dev.twice, 0), hipGraphExecUpdateSuccess, 15},
      {captured(9, dev.add, 1), hipGraphExecUpdateErrorTopologyChanged, 15},
      {captured(9, NULL, 0), hipGraphExecUpdateErrorNodeTypeChanged, 15},
      {g, hipGraphExecUpdateSuccess, 2},
  };
  for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
    hipError_t error = h.hipGraphExecUpdate(e, rows[n].g, &bad, &why);
    assert_int_equal(why, rows[n].why);
    assert_int_equal(error, why ? hipErrorGraphExecUpdateFailure : hipSuccess);
    check(h.hipGraphDestroy(rows[n].g));
    set(0);
    check(h.hipGraphLaunch(e, dev.s));
    expect(rows[n].value);
  }
  check(h.hipGraphExecDestroy(e));
}

/* As llama.cpp did: read a node's arguments, change one, write them back. */
static void test_kernel_params(void **state)
{
  hipGraphNode_t nodes[2];
  hipGraphNodeType type;
  hipKernelNodeParams p;
  hipGraph_t g;
  size_t n = 2;
  (void)state;
  needed();
  g = captured(1, dev.add, 0);
  hipGraphExec_t e = made(g);
  check(h.hipGraphGetNodes(g, nodes, &n));
  check(h.hipGraphNodeGetType(nodes[0], &type));
  assert_int_equal(type, hipGraphNodeTypeKernel);
  check(h.hipGraphKernelNodeGetParams(nodes[0], &p));
  assert_true(p.func == (void *)dev.add && p.gridDim.x == 2 &&
              p.blockDim.x == 64 && *(int *)p.kernelParams[2] == 1);
  int fifty = 50;
  void *params[] = {p.kernelParams[0], p.kernelParams[1], &fifty};
  p.kernelParams = params;
  check(h.hipGraphExecKernelNodeSetParams(e, nodes[0], &p));
  set(0);
  check(h.hipGraphLaunch(e, NULL));
  expect(51);
  p.func = (void *)dev.twice;
  check(h.hipGraphKernelNodeSetParams(nodes[1], &p));
  check(h.hipGraphExecDestroy(e));
  e = made(g);
  set(10);
  check(h.hipGraphLaunch(e, NULL));
  expect(72);
  check(h.hipGraphExecDestroy(e)), check(h.hipGraphDestroy(g));
}

/* --- nodes of a program's own --------------------------------------------- */

static hipGraphNode_t kernel_node(hipGraph_t g, hipFunction_t f, int k)
{
  int n = N;
  void *params[] = {&dev.p, &n, &k};
  hipGraphNode_t node;
  const hipKernelNodeParams p = {.func = (void *)f, .gridDim = {2, 1, 1},
                                 .blockDim = {64, 1, 1},
                                 .kernelParams = params};
  check(h.hipGraphAddKernelNode(&node, g, NULL, 0, &p));
  return node;
}

static void test_nodes(void **state)
{
  hipGraph_t g, copy, child;
  hipGraphNode_t set_node, copy_node, host_node, empty, found, out[8];
  int value = 0, calls = 0;
  size_t n;
  (void)state;
  needed();
  const hipMemsetParams fill = {.dst = dev.p, .elementSize = 4, .height = 1,
                                .value = 20, .width = N};
  const hipHostNodeParams host = {count_up, &calls};
  check(h.hipGraphCreate(&g, 0));
  hipGraphNode_t add = kernel_node(g, dev.add, 5); /* before what it needs */
  check(h.hipGraphAddMemsetNode(&set_node, g, NULL, 0, &fill));
  check(h.hipGraphAddMemcpyNode1D(&copy_node, g, &add, 1, &value, dev.p, 4,
                                  hipMemcpyDeviceToHost));
  check(h.hipGraphAddHostNode(&host_node, g, &copy_node, 1, &host));
  check(h.hipGraphAddEmptyNode(&empty, g, &host_node, 1));
  check(h.hipGraphAddDependencies(g, &set_node, &add, 1));
  assert_int_equal(h.hipGraphAddDependencies(g, &set_node, &add, 1),
                   hipErrorInvalidValue);
  n = 8;
  check(h.hipGraphGetNodes(g, out, &n));
  assert_true(n == 5 && out[0] == set_node && out[1] == add && !out[5]);
  n = 8;
  check(h.hipGraphGetRootNodes(g, out, &n));
  assert_true(n == 1 && out[0] == set_node);
  n = 8;
  check(h.hipGraphNodeGetDependentNodes(set_node, out, &n));
  assert_true(n == 1 && out[0] == add);

  check(h.hipGraphClone(&copy, g));
  check(h.hipGraphNodeFindInClone(&found, add, copy));
  assert_true(found != add);
  check(h.hipGraphDestroy(copy));

  hipGraphExec_t e = made(g);
  check(h.hipGraphLaunch(e, dev.s));
  expect(25);
  assert_true(value == 25 && calls == 1);
  int other = 0;
  check(h.hipGraphExecMemcpyNodeSetParams1D(e, copy_node, &other, dev.p, 4,
                                            hipMemcpyDeviceToHost));
  check(h.hipGraphLaunch(e, dev.s));
  assert_true(other == 25 && calls == 2);
  check(h.hipGraphExecDestroy(e));

  check(h.hipGraphCreate(&child, 0));
  hipGraphNode_t twice = kernel_node(child, dev.twice, 0), within;
  check(h.hipGraphAddChildGraphNode(&within, child, &twice, 1, g));
  check(h.hipGraphDestroy(g));
  check(h.hipGraphChildGraphNodeGetGraph(within, &g));
  assert_int_equal(nodes_of(g), 5);
  assert_int_equal(h.hipGraphDestroy(g), hipErrorInvalidValue);
  e = made(child);
  check(h.hipGraphLaunch(e, dev.s));
  expect(25);
  assert_int_equal(calls, 3);
  check(h.hipGraphExecDestroy(e)), check(h.hipGraphDestroy(child));
}

static void test_cycle(void **state)
{
  hipGraph_t g;
  hipGraphExec_t e;
  (void)state;
  needed();
  check(h.hipGraphCreate(&g, 0));
  hipGraphNode_t a = kernel_node(g, dev.add, 1), b = kernel_node(g, dev.add, 2);
  check(h.hipGraphAddDependencies(g, &a, &b, 1));
  check(h.hipGraphAddDependencies(g, &b, &a, 1));
  assert_int_equal(h.hipGraphAddDependencies(g, &a, &a, 1),
                   hipErrorInvalidValue);
  assert_int_equal(h.hipGraphInstantiate(&e, g, NULL, NULL, 0),
                   hipErrorInvalidValue);
  check(h.hipGraphRemoveDependencies(g, &b, &a, 1));
  e = made(g);
  check(h.hipGraphExecDestroy(e));
  check(h.hipGraphDestroyNode(a));
  assert_int_equal(h.hipGraphDestroyNode(a), hipErrorInvalidValue);
  assert_int_equal(nodes_of(g), 1);
  check(h.hipGraphDestroy(g));
  assert_int_equal(h.hipGraphDestroy(g), hipErrorInvalidValue);
}

static void test_events(void **state)
{
  hipGraph_t g;
  hipGraphNode_t record, wait;
  hipEvent_t e = NULL;
  (void)state;
  needed();
  check(h.hipGraphCreate(&g, 0));
  check(h.hipGraphAddEventRecordNode(&record, g, NULL, 0, dev.e));
  check(h.hipGraphAddEventWaitNode(&wait, g, &record, 1, dev.e));
  check(h.hipGraphEventRecordNodeGetEvent(record, &e));
  assert_true(e == dev.e);
  assert_int_equal(h.hipGraphEventRecordNodeGetEvent(wait, &e),
                   hipErrorInvalidValue);
  hipGraphExec_t x = made(g);
  check(h.hipGraphLaunch(x, dev.s));
  check(h.hipGraphExecDestroy(x)), check(h.hipGraphDestroy(g));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_capture), cmocka_unit_test(test_boxes),
      cmocka_unit_test(test_fork),    cmocka_unit_test(test_rules),
      cmocka_unit_test(test_two),     cmocka_unit_test(test_dependencies),
      cmocka_unit_test(test_memory),  cmocka_unit_test(test_update),
      cmocka_unit_test(test_kernel_params), cmocka_unit_test(test_nodes),
      cmocka_unit_test(test_cycle),   cmocka_unit_test(test_events),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
