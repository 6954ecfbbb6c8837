/* fake_cuda.c - stands in for libcuda: a device in host memory.
 *
 * Of a module it knows the name of every function that stands in its text as
 * "NAME(", and can run one: "health(unsigned *out, int rounds)", with the
 * sequence of tuner/device/health.c. A kernel named "crash" ends in an illegal
 * address, which every later call then reports, as CUDA does; "misaligned" in
 * its own error.
 */
// SPDX-License-Identifier: MIT
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtimes/cuda/driver.h"
#include "tests/cuda/fake.h"

enum {
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  INVALID_DEVICE = 101,
  INVALID_IMAGE = 200,
  INVALID_CONTEXT = 201,
  INVALID_HANDLE = 400,
  NOT_FOUND = 500,
  ILLEGAL_ADDRESS = 700,
};

enum {FUNCTIONS = 8};

struct CUfunc_st {
  char name[64];
  int shared; /* what the kernel was allowed */
};

struct CUmod_st {
  char *text;
  size_t n;
  struct CUfunc_st functions[FUNCTIONS];
};

struct CUevent_st {
  double ms;
};

/* One device, whose context is there once it was asked for. */
static struct {
  int current;
  CUresult sticky;
  size_t used;
  double ms; /* its clock: each launch takes a quarter */
  struct fake_launch last;
} device;

/* Memory that was given out, each with its size in front. */
enum {HEAD = 16};

struct fake_launch fake_last_launch(void)
{
  return device.last;
}

static CUresult ready(void)
{
  return device.current ? device.sticky : INVALID_CONTEXT;
}

CUresult cuInit(unsigned flags)
{
  if (getenv("FAKE_CUDA_NONE"))
    return 100; /* CUDA_ERROR_NO_DEVICE */
  return flags ? INVALID_VALUE : 0;
}

CUresult cuDriverGetVersion(int *version)
{
  *version = 12060;
  return 0;
}

CUresult cuGetErrorString(CUresult code, const char **text)
{
  static const struct {
    CUresult code;
    const char *text;
  } known[] = {{0, "no error"},
               {ILLEGAL_ADDRESS, "an illegal memory access"},
               {CU_MISALIGNED_ADDRESS, "misaligned address"},
               {100, "no device"}};
  *text = NULL;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].code == code)
      *text = known[i].text;
  return *text ? 0 : INVALID_VALUE;
}

CUresult cuDeviceGetCount(int *count)
{
  *count = 1;
  return 0;
}

CUresult cuDeviceGet(CUdevice *out, int ordinal)
{
  *out = ordinal;
  return ordinal ? INVALID_DEVICE : 0;
}

CUresult cuDeviceGetName(char *name, int room, CUdevice d)
{
  snprintf(name, (size_t)room, "Fake GPU");
  return d ? INVALID_DEVICE : 0;
}

CUresult cuDeviceGetPCIBusId(char *out, int room, CUdevice d)
{
  snprintf(out, (size_t)room, FAKE_BUS_ID);
  return d ? INVALID_DEVICE : 0;
}

CUresult cuDeviceGetAttribute(int *value, int which, CUdevice d)
{
  static const int known[][2] = {{1, FAKE_THREADS},
                                 {8, FAKE_SHARED},
                                 {10, 32},
                                 {13, 1980000},
                                 {16, FAKE_CUS},
                                 {75, 9},
                                 {76, 0},
                                 {97, FAKE_SHARED_OPTIN}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i][0] == which) {
      *value = known[i][1];
      return d ? INVALID_DEVICE : 0;
    }
  return INVALID_VALUE;
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice d)
{
  *bytes = FAKE_MEMORY;
  return d ? INVALID_DEVICE : 0;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice d)
{
  *context = (CUcontext)&device;
  return d ? INVALID_DEVICE : 0;
}

CUresult cuCtxSetCurrent(CUcontext context)
{
  device.current = context != NULL;
  return 0;
}

CUresult cuCtxGetCurrent(CUcontext *context)
{
  *context = device.current ? (CUcontext)&device : NULL;
  return 0;
}

CUresult cuCtxGetDevice(CUdevice *out)
{
  *out = 0;
  return ready();
}

CUresult cuCtxSynchronize(void)
{
  return ready();
}

/* --- memory --------------------------------------------------------------- */

CUresult cuMemAlloc_v2(CUdeviceptr *at, size_t bytes)
{
  if (ready() || !bytes)
    return ready() ? ready() : INVALID_VALUE;
  if (device.used + bytes > FAKE_MEMORY)
    return OUT_OF_MEMORY;
  char *p = malloc(bytes + HEAD);
  memcpy(p, &bytes, sizeof bytes);
  device.used += bytes;
  *at = (CUdeviceptr)(uintptr_t)(p + HEAD);
  return 0;
}

CUresult cuMemFree_v2(CUdeviceptr at)
{
  char *p = (char *)(uintptr_t)at - HEAD;
  size_t bytes;
  memcpy(&bytes, p, sizeof bytes);
  device.used -= bytes;
  free(p);
  return ready();
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes)
{
  memcpy((void *)(uintptr_t)to, from, bytes);
  return ready();
}

CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes)
{
  memcpy(to, (const void *)(uintptr_t)from, bytes);
  return ready();
}

CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
  memcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes);
  return ready();
}

CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t bytes)
{
  memset((void *)(uintptr_t)to, value, bytes);
  return ready();
}

/* --- modules and launches ------------------------------------------------- */

CUresult cuModuleLoadData(CUmodule *out, const void *image)
{
  size_t head = strlen(FAKE_CODE);
  if (ready() || strncmp(image, FAKE_CODE, head) != 0)
    return ready() ? ready() : INVALID_IMAGE;
  CUmodule m = calloc(1, sizeof *m);
  m->text = malloc(strlen(image) + 1);
  strcpy(m->text, (const char *)image + head);
  *out = m;
  return 0;
}

CUresult cuModuleUnload(CUmodule m)
{
  free(m->text);
  free(m);
  return ready();
}

CUresult cuModuleGetFunction(CUfunction *f, CUmodule m, const char *name)
{
  char wanted[96];
  snprintf(wanted, sizeof wanted, "%s(", name);
  if (!strstr(m->text, wanted) || m->n == FUNCTIONS)
    return NOT_FOUND;
  *f = &m->functions[m->n++];
  snprintf((*f)->name, sizeof (*f)->name, "%s", name);
  (*f)->shared = FAKE_SHARED;
  return ready();
}

/* 40 registers and 1 KiB of static shared memory. */
CUresult cuFuncGetAttribute(int *value, int which, CUfunction f)
{
  static const int known[][2] = {{0, FAKE_THREADS}, {1, 1024}, {3, 0}, {4, 40}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i][0] == which) {
      *value = known[i][1];
      return f ? 0 : INVALID_HANDLE;
    }
  return INVALID_VALUE;
}

CUresult cuFuncSetAttribute(CUfunction f, int which, int value)
{
  if (which != CU_FUNC_MAX_DYNAMIC_SHARED || value > FAKE_SHARED_OPTIN - 1024)
    return INVALID_VALUE;
  f->shared = value;
  return 0;
}

static void run_health(unsigned threads, void **args)
{
  unsigned *out = *(unsigned **)args[0];
  int rounds = *(int *)args[1];
  unsigned factor = 1, sum = 0; /* all rounds together: x * factor + sum */
  for (int n = 0; n < rounds; n++) {
    factor *= 1664525u;
    sum = sum * 1664525u + 1013904223u;
  }
  for (unsigned i = 0; i < threads; i++)
    out[i] = i * factor + sum;
}

CUresult cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz,
                        unsigned bx, unsigned by, unsigned bz, unsigned shared,
                        CUstream stream, void **args, void **extra)
{
  (void)extra;
  if (ready() || stream || !gx || !gy || !gz || bx * by * bz > FAKE_THREADS ||
      shared > (unsigned)f->shared)
    return ready() ? ready() : INVALID_VALUE;
  device.last = (struct fake_launch){{gx, gy, gz}, {bx, by, bz}, shared,
                                     (unsigned)f->shared,
                                     device.last.count + 1};
  device.ms += 0.25;
  if (!strcmp(f->name, "health"))
    run_health(gx * bx, args);
  else if (!strcmp(f->name, "crash"))
    device.sticky = ILLEGAL_ADDRESS;
  else if (!strcmp(f->name, "misaligned"))
    device.sticky = CU_MISALIGNED_ADDRESS;
  return 0;
}

/* --- events --------------------------------------------------------------- */

CUresult cuEventCreate(CUevent *event, unsigned flags)
{
  *event = calloc(1, sizeof **event);
  return flags ? INVALID_VALUE : ready();
}

CUresult cuEventDestroy_v2(CUevent event)
{
  free(event);
  return ready();
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
  event->ms = device.ms;
  return stream ? INVALID_HANDLE : ready();
}

CUresult cuEventQuery(CUevent event)
{
  return event ? ready() : INVALID_HANDLE;
}

CUresult cuEventSynchronize(CUevent event)
{
  return event ? ready() : INVALID_HANDLE;
}

CUresult cuEventElapsedTime(float *ms, CUevent from, CUevent to)
{
  *ms = (float)(to->ms - from->ms);
  return ready();
}
