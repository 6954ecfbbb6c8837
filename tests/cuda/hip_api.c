/* hip_api.c - libhipcuda's translation, on stand-ins for CUDA's libraries.
 *
 * The libraries are loaded once a process, and a device that a kernel has
 * broken stays so: each test runs in a child of its own.
 */
// SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/cuda/fake.h"
#include "tuner/device/hip.h"
#include "tuner/device/health.h"

/* In the child: 0 where all is as it must be, else the line. */
#define MUST(condition) \
  do { \
    if (!(condition)) \
      return __LINE__; \
  } while (0)

static void in_child(int (*test)(void))
{
  int ends[2], line = -1;
  assert_int_equal(pipe(ends), 0);
  pid_t pid = fork();
  if (pid == 0) {
    line = test();
    _exit(write(ends[1], &line, sizeof line) != sizeof line);
  }
  close(ends[1]);
  if (read(ends[0], &line, sizeof line) != sizeof line)
    line = -1;
  close(ends[0]);
  waitpid(pid, NULL, 0);
  if (line)
    fail_msg("what line %d wants is not so", line);
}

static int open_both(struct hip *h, struct rtc *r)
{
  setenv("HIPCUDA_DRIVER", FAKE_CUDA, 1);
  setenv("HIPCUDA_NVRTC", FAKE_NVRTC, 1);
  MUST(hip_open(h, HIPCUDA, NULL) == 0);
  MUST(rtc_open(r, HIPCUDA, NULL) == 0);
  return 0;
}

static int device(void)
{
  struct hip h;
  struct rtc r;
  int value = 0, n = 0;
  size_t bytes = 0;
  char text[128];
  MUST(open_both(&h, &r) == 0);
  MUST(h.hipInit(0) == hipSuccess);
  MUST(h.hipGetDeviceCount(&n) == hipSuccess && n == 1);
  MUST(h.hipSetDevice(0) == hipSuccess);
  MUST(h.hipSetDevice(1) == hipErrorInvalidDevice);
  MUST(h.hipDeviceGetName(text, sizeof text, 0) == hipSuccess);
  MUST(!strcmp(text, "Fake GPU"));
  MUST(h.hipDeviceTotalMem(&bytes, 0) == hipSuccess && bytes == FAKE_MEMORY);
  static const struct {
    hipDeviceAttribute_t id;
    int value;
  } known[] = {
      {hipDeviceAttributeMultiprocessorCount, FAKE_CUS},
      {hipDeviceAttributeClockRate, 1980000},
      {hipDeviceAttributeWarpSize, 32},
      {hipDeviceAttributeMaxThreadsPerBlock, FAKE_THREADS},
      {hipDeviceAttributeMaxSharedMemoryPerBlock, FAKE_SHARED},
      {hipDeviceAttributeSharedMemPerBlockOptin, FAKE_SHARED_OPTIN},
      {hipDeviceAttributeComputeCapabilityMajor, 9},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    MUST(h.hipDeviceGetAttribute(&value, known[i].id, 0) == hipSuccess);
    MUST(value == known[i].value);
  }
  MUST(h.hipDeviceGetAttribute(&value, hipDeviceAttributeGcnArch, 0)
       == hipErrorInvalidValue);
  MUST(h.hipRuntimeGetVersion(&value) == hipSuccess && value == 120600000);
  h.hipcudaRuntime(text, sizeof text);
  MUST(!strncmp(text, "cuda-12.6", 9));
  r.hipcudaCompiler(text, sizeof text);
  MUST(!strcmp(text, "nvrtc-12.6"));
  return 0;
}

static int memory(void)
{
  struct hip h;
  struct rtc r;
  void *p = &h, *q;
  char in[64], out[64] = {0};
  MUST(open_both(&h, &r) == 0);
  MUST(h.hipMalloc(&p, 0) == hipSuccess && !p);
  MUST(h.hipFree(NULL) == hipSuccess);
  MUST(h.hipMalloc(&p, 64) == hipSuccess && h.hipMalloc(&q, 64) == hipSuccess);
  for (int i = 0; i < 64; i++)
    in[i] = (char)i;
  MUST(h.hipMemcpy(p, in, 64, hipMemcpyHostToDevice) == hipSuccess);
  MUST(h.hipMemset(p, 0x7f, 8) == hipSuccess);
  MUST(h.hipMemcpy(q, p, 64, hipMemcpyDeviceToDevice) == hipSuccess);
  MUST(h.hipMemcpy(out, q, 64, hipMemcpyDeviceToHost) == hipSuccess);
  MUST(out[0] == 0x7f && out[7] == 0x7f && !memcmp(out + 8, in + 8, 56));
  MUST(h.hipMalloc(&p, FAKE_MEMORY) == hipErrorOutOfMemory && !p);
  return 0;
}

static int compile(const struct rtc *r, const char *text, const char *option,
                   struct str *code, struct str *log)
{
  hiprtcProgram program;
  const char *options[] = {"--gpu-architecture=sm_90", option};
  char bytes[4096];
  size_t n;
  MUST(r->hiprtcCreateProgram(&program, text, "x.hip", 0, NULL, NULL) == 0);
  int rc = (int)r->hiprtcCompileProgram(program, 2, options);
  if (r->hiprtcGetProgramLogSize(program, &n) == 0 && n < sizeof bytes &&
      r->hiprtcGetProgramLog(program, bytes) == 0)
    str_add(log, bytes);
  if (!rc && r->hiprtcGetCodeSize(program, &n) == 0 && n < sizeof bytes &&
      r->hiprtcGetCode(program, bytes) == 0)
    str_add_bytes(code, bytes, n);
  r->hiprtcDestroyProgram(&program);
  return rc;
}

static int compiler(void)
{
  struct hip h;
  struct rtc r;
  struct str code = {0}, log = {0};
  MUST(open_both(&h, &r) == 0);
  MUST(compile(&r, "void k()", "-O3", &code, &log) == HIPRTC_SUCCESS);
  MUST(code.len && log.len == 0);
  MUST(compile(&r, "#error", "-O3", &code, &log) == HIPRTC_ERROR_COMPILATION);
  MUST(strstr(log.at, "x.hip(1): error") != NULL);
  MUST(compile(&r, "void k()", "--bogus", &code, &log)
       == HIPRTC_ERROR_INVALID_OPTION);
  MUST(strstr(r.hiprtcGetErrorString(HIPRTC_ERROR_COMPILATION), "compilation"));
  return 0;
}

static int load(const struct hip *h, const struct rtc *r, const char *name,
                hipFunction_t *f)
{
  char text[64];
  struct str code = {0}, log = {0};
  hipModule_t module;
  snprintf(text, sizeof text, "void %s()", name);
  MUST(compile(r, text, "-O3", &code, &log) == HIPRTC_SUCCESS);
  MUST(h->hipModuleLoadData(&module, code.at) == hipSuccess);
  MUST(h->hipModuleGetFunction(f, module, "other") == hipErrorNotFound);
  MUST(h->hipModuleGetFunction(f, module, name) == hipSuccess);
  return 0;
}

static hipError_t launch(const struct hip *h, hipFunction_t f,
                         unsigned threads, unsigned lds)
{
  return h->hipModuleLaunchKernel(f, 5, 2, 1, threads, 1, 1, lds, NULL, NULL,
                                  NULL);
}

/* Results without a name in HIP, and leave for much LDS. */
static int launches(void)
{
  struct hip h;
  struct rtc r;
  hipFunction_t f;
  int value = 0;
  MUST(open_both(&h, &r) == 0);
  MUST(load(&h, &r, "k", &f) == 0);
  void *library = dlopen(FAKE_CUDA, RTLD_NOW | RTLD_NOLOAD);
  struct fake_launch (*last)(void) =
      (struct fake_launch(*)(void))dlsym(library, "fake_last_launch");
  MUST(h.hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_NUM_REGS, f)
       == hipSuccess);
  MUST(value == 40);
  MUST(launch(&h, f, 64, 100) == hipSuccess);
  struct fake_launch l = last();
  MUST(l.grid[0] == 5 && l.grid[1] == 2 && l.block[0] == 64);
  MUST(l.shared == 100 && l.allowed == FAKE_SHARED);
  MUST(launch(&h, f, 64, 100 << 10) == hipSuccess);
  MUST(last().shared == 100 << 10 && last().allowed == 100 << 10);
  MUST(launch(&h, f, 64, 1 << 20) == hipErrorInvalidConfiguration);
  MUST(launch(&h, f, 2048, 0) == hipErrorInvalidConfiguration);
  MUST(last().count == 2);
  MUST(h.hipModuleLoadData((hipModule_t *)&f, "rubbish")
       == hipErrorInvalidImage);
  return 0;
}

static int faults(const char *kernel, hipError_t wanted, const char *text)
{
  struct hip h;
  struct rtc r;
  hipFunction_t f;
  void *p;
  MUST(open_both(&h, &r) == 0);
  MUST(load(&h, &r, kernel, &f) == 0);
  MUST(launch(&h, f, 64, 0) == hipSuccess);
  MUST(h.hipDeviceSynchronize() == wanted);
  MUST(!strcmp(h.hipGetErrorString(wanted), text));
  MUST(h.hipMalloc(&p, 16) == wanted);
  return 0;
}

static int crash(void)
{
  return faults("crash", hipErrorIllegalAddress, "an illegal memory access");
}

/* HIP has no such error; the text still is CUDA's. */
static int misaligned(void)
{
  return faults("misaligned", hipErrorLaunchFailure, "misaligned address");
}

static int events(void)
{
  struct hip h;
  struct rtc r;
  hipFunction_t f;
  hipEvent_t from, to;
  float ms = 0;
  MUST(open_both(&h, &r) == 0);
  MUST(load(&h, &r, "k", &f) == 0);
  MUST(h.hipEventCreate(&from) == hipSuccess);
  MUST(h.hipEventCreate(&to) == hipSuccess);
  MUST(h.hipEventRecord(from, NULL) == hipSuccess);
  MUST(launch(&h, f, 64, 0) == hipSuccess);
  MUST(launch(&h, f, 64, 0) == hipSuccess);
  MUST(h.hipEventRecord(to, NULL) == hipSuccess);
  MUST(h.hipEventQuery(to) == hipSuccess);
  MUST(h.hipEventSynchronize(to) == hipSuccess);
  MUST(h.hipEventElapsedTime(&ms, from, to) == hipSuccess && ms == 0.5f);
  MUST(h.hipEventDestroy(from) == hipSuccess);
  return 0;
}

/* The tuner's health kernel, from text to result. */
static int checks_health(void)
{
  struct hip h;
  struct rtc r;
  struct str code = {0}, log = {0};
  struct health_check p;
  struct err e = {0};
  MUST(open_both(&h, &r) == 0);
  MUST(compile(&r, health_text, "-O3", &code, &log) == HIPRTC_SUCCESS);
  MUST(health_once(&h, &code, &e) == 0);
  MUST(health_time(&h, &code, 1, &p, &e) == 0);
  MUST(p.us == 250);
  strstr(code.at, "health(")[0] = 'q';
  MUST(health_once(&h, &code, &e) == ERR_FAILED);
  MUST(strstr(e.text, "health kernel") != NULL);
  return 0;
}

static int no_driver(void)
{
  struct hip h;
  int n;
  setenv("HIPCUDA_DRIVER", "/nowhere/libcuda.so.1", 1);
  MUST(hip_open(&h, HIPCUDA, NULL) == 0);
  MUST(h.hipInit(0) == hipErrorNoDevice);
  MUST(strstr(h.hipGetErrorString(hipErrorNoDevice), "no libcuda.so.1"));
  MUST(h.hipGetDeviceCount(&n) == hipErrorNoDevice);
  return 0;
}

static int no_device(void)
{
  struct hip h;
  setenv("HIPCUDA_DRIVER", FAKE_CUDA, 1);
  setenv("FAKE_CUDA_NONE", "1", 1);
  MUST(hip_open(&h, HIPCUDA, NULL) == 0);
  MUST(h.hipInit(0) == hipErrorNoDevice);
  MUST(strstr(h.hipGetErrorString(hipErrorNoDevice), "no NVIDIA device"));
  return 0;
}

static int no_compiler(void)
{
  struct rtc r;
  hiprtcProgram program;
  char version[32] = "x";
  setenv("HIPCUDA_NVRTC", "/nowhere/libnvrtc.so", 1);
  MUST(rtc_open(&r, HIPCUDA, NULL) == 0);
  hiprtcResult rc = r.hiprtcCreateProgram(&program, "", "x", 0, NULL, NULL);
  MUST(rc != HIPRTC_SUCCESS);
  MUST(strstr(r.hiprtcGetErrorString(rc), "no libnvrtc"));
  r.hipcudaCompiler(version, sizeof version);
  MUST(version[0] == 0);
  return 0;
}

/* cmocka's tests, each of the same name. */
#define TESTS(X) \
  X(device) X(memory) X(compiler) X(launches) X(crash) X(misaligned) \
  X(events) X(checks_health) X(no_driver) X(no_device) X(no_compiler)

#define X(name) \
  static void name##_test(void **state) \
  { \
    (void)state; \
    in_child(name); \
  }
TESTS(X)
#undef X

int main(void)
{
  const struct CMUnitTest tests[] = {
#define X(name) cmocka_unit_test(name##_test),
      TESTS(X)
#undef X
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
