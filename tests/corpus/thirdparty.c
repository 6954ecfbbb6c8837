/* thirdparty.c - a HIP program that knows nothing of the simulator: real
 * headers, linked to libamdhip64, hiprtc and the module API.
 *
 *   cc -D__HIP_PLATFORM_AMD__ thirdparty.c -lamdhip64
 */
// SPDX-License-Identifier: MIT
#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>
#include <stdio.h>
#include <stdlib.h>

#define HIP(call)                                                            \
  do {                                                                       \
    const hipError_t error = call;                                           \
    if (error) {                                                             \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,                     \
              hipGetErrorString(error));                                     \
      exit(1);                                                               \
    }                                                                        \
  } while (0)
#define RTC(call)                                                            \
  do {                                                                       \
    const hiprtcResult error = call;                                         \
    if (error) {                                                             \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,                     \
              hiprtcGetErrorString(error));                                  \
      exit(1);                                                               \
    }                                                                        \
  } while (0)

static const char source[] =
    "__constant__ float scale = 1;\n"
    "extern \"C\" __global__ void saxpy(float a, const float *x, float *y,\n"
    "                                 size_t n)\n"
    "{\n"
    "  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;\n"
    "  if (i < n)\n"
    "    y[i] += a * x[i] * scale;\n"
    "}\n"
    "extern \"C\" __global__ void stray(float *y)\n"
    "{\n"
    "  y[(size_t)1 << 36] = 1;\n"
    "}\n";

static void *compile(void)
{
  hipDeviceProp_t props;
  hiprtcProgram program;
  char option[300];
  const char *options[] = {option};
  size_t size;
  int doubles;
  HIP(hipGetDeviceProperties(&props, 0));
  HIP(hipDeviceGetAttribute(
      &doubles, hipDeviceAttributeSingleToDoublePrecisionPerfRatio, 0));
  printf("%s, %s, %d CUs, doubles 1:%d\n", props.name, props.gcnArchName,
         props.multiProcessorCount, doubles);
  snprintf(option, sizeof option, "--gpu-architecture=%s", props.gcnArchName);
  RTC(hiprtcCreateProgram(&program, source, "saxpy.cu", 0, NULL, NULL));
  RTC(hiprtcCompileProgram(program, 1, options));
  RTC(hiprtcGetCodeSize(program, &size));
  void *code = malloc(size);
  RTC(hiprtcGetCode(program, code));
  RTC(hiprtcDestroyProgram(&program));
  return code;
}

/* The time of one launch, from the events around it. */
static float launch(hipFunction_t f, float a, void *x, void *y, size_t n)
{
  hipStream_t stream;
  hipEvent_t begin, end;
  float ms;
  void *params[] = {&a, &x, &y, &n};
  HIP(hipStreamCreate(&stream));
  HIP(hipEventCreate(&begin));
  HIP(hipEventCreate(&end));
  HIP(hipEventRecord(begin, stream));
  HIP(hipModuleLaunchKernel(f, (unsigned)((n + 255) / 256), 1, 1, 256, 1, 1,
                            0, stream, params, NULL));
  HIP(hipEventRecord(end, stream));
  HIP(hipEventSynchronize(end));
  HIP(hipEventElapsedTime(&ms, begin, end));
  HIP(hipEventDestroy(begin));
  HIP(hipEventDestroy(end));
  HIP(hipStreamDestroy(stream));
  return ms;
}

/* A kernel that fails is reported by whoever waits for it. */
static void stray(hipModule_t module, void *y)
{
  hipFunction_t f;
  void *params[] = {&y};
  HIP(hipModuleGetFunction(&f, module, "stray"));
  HIP(hipModuleLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
  printf("stray: %s\n", hipGetErrorName(hipDeviceSynchronize()));
}

/* Asking is no fault. */
static void absent(hipModule_t module)
{
  hipFunction_t f;
  hipDeviceptr_t at;
  size_t n;
  printf("absent: %s\n",
         hipGetErrorName(hipModuleGetFunction(&f, module, "nothing")));
  hipModuleGetGlobal(&at, &n, module, "nothing");
}

int main(void)
{
  const size_t n = 1000000;
  const float three = 3;
  float *host = malloc(n * sizeof *host);
  void *x, *y, *code;
  hipModule_t module;
  hipFunction_t saxpy;
  hipDeviceptr_t scale;
  size_t bytes, bad = 0;
  int devices;

  HIP(hipInit(0));
  HIP(hipGetDeviceCount(&devices));
  code = compile();
  HIP(hipModuleLoadData(&module, code));
  HIP(hipModuleGetFunction(&saxpy, module, "saxpy"));
  HIP(hipModuleGetGlobal(&scale, &bytes, module, "scale"));
  HIP(hipMemcpyHtoD(scale, (void *)&three, sizeof three));
  HIP(hipMalloc(&x, n * sizeof *host));
  HIP(hipMalloc(&y, n * sizeof *host));
  for (size_t i = 0; i < n; i++)
    host[i] = (float)(i % 1000);
  HIP(hipMemcpy(x, host, n * sizeof *host, hipMemcpyHostToDevice));
  HIP(hipMemset(y, 0, n * sizeof *host));
  const float ms = launch(saxpy, 2, x, y, n);
  HIP(hipMemcpy(host, y, n * sizeof *host, hipMemcpyDeviceToHost));
  for (size_t i = 0; i < n; i++)
    bad += host[i] != (float)(6 * (i % 1000));
  printf("saxpy: %zu of %zu wrong, %.1f us\n", bad, n, ms * 1000);
  stray(module, y);
  absent(module);
  HIP(hipFree(x));
  HIP(hipFree(y));
  HIP(hipModuleUnload(module));
  free(code);
  free(host);
  return bad != 0;
}
