/* fake_hip.c - stands in for a HIP runtime with two devices, on the host.
 *
 * Device memory is the host's. A code object is the text of a layout, and its
 * kernel multiplies row-major matrices of that layout when it is launched.
 * FAKE_ARCH and FAKE_CUS say what the devices are, FAKE_FAULT what goes wrong:
 * `wrong` a result, `load` a module, `launch` a launch, `malloc` an allocation.
 */
// SPDX-License-Identifier: MIT
#include "tests/front/fakes.h"

#include <stdlib.h>
#include <string.h>

enum {DEVICES = 2, ARCH_AT = 1160, COMPUTE_UNITS = 63, NAMES = 8};

struct fake_counts fake_counts;
static _Thread_local int current;
static void *captures; /* the stream that is capturing */

static int faulty(const char *what)
{
  const char *fault = getenv("FAKE_FAULT");
  return fault && !strcmp(fault, what);
}

static const char *setting(const char *name, const char *usual)
{
  const char *value = getenv(name);
  return value ? value : usual;
}

void fake_capture(void *stream)
{
  captures = stream;
}

int hipSetDevice(int device)
{
  current = device;
  return device < 0 || device >= DEVICES;
}

int hipGetDevice(int *device)
{
  *device = current;
  return 0;
}

int hipDeviceGetAttribute(int *value, int attribute, int device)
{
  (void)device;
  *value = attribute == COMPUTE_UNITS ? atoi(setting("FAKE_CUS", "60")) : 0;
  return 0;
}

int hipGetDevicePropertiesR0600(void *out, int device)
{
  (void)device;
  strcpy((char *)out + ARCH_AT, setting("FAKE_ARCH", "gfx906:sramecc+:xnack-"));
  return 0;
}

int hipStreamIsCapturing(void *stream, int *status)
{
  *status = captures && stream == captures;
  return 0;
}

int hipStreamSynchronize(void *stream)
{
  fake_counts.waits++;
  return captures && stream == captures;
}

int hipMalloc(void **at, size_t bytes)
{
  fake_counts.allocations++;
  *at = faulty("malloc") ? NULL : malloc(bytes);
  return *at == NULL;
}

int hipFree(void *at)
{
  free(at);
  return 0;
}

int hipMemcpy(void *to, const void *from, size_t bytes, int kind)
{
  (void)kind;
  memcpy(to, from, bytes);
  return 0;
}

int hipModuleLoadData(void **module, const void *image)
{
  __atomic_add_fetch(&fake_counts.loads, 1, __ATOMIC_RELAXED);
  *module = (void *)(uintptr_t)image;
  return faulty("load");
}

int hipModuleUnload(void *module)
{
  (void)module;
  return 0;
}

/* A "function" is its module, or for the kernel that adds nothing its name. */
int hipModuleGetFunction(void **function, void *module, const char *name)
{
  static char add[] = "add";
  *function = !strcmp(name, "mul") ? module : add;
  return 0;
}

static void multiply(const char *layout, void **args)
{
  const float *a = *(float **)args[0], *b = *(float **)args[1];
  float *c = *(float **)args[2];
  int m = *(int *)args[3], n = *(int *)args[4], k = *(int *)args[5];
  int lda = *(int *)args[6], ldb = *(int *)args[7], ldc = *(int *)args[8];
  float alpha = *(float *)args[9], beta = *(float *)args[10];
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0, *to = &c[(size_t)i * (size_t)ldc + (size_t)j];
      for (int l = 0; l < k; l++)
        sum += a[layout[0] == 'n' ? i * lda + l : l * lda + i] *
               b[layout[1] == 'n' ? l * ldb + j : j * ldb + l];
      *to = alpha * sum + (beta == 0 ? 0 : beta * *to);
    }
  if (faulty("wrong"))
    c[0] += 1;
}

int hipModuleLaunchKernel(void *function, unsigned grid_x, unsigned grid_y,
                          unsigned grid_z, unsigned block_x, unsigned block_y,
                          unsigned block_z, unsigned lds, void *stream,
                          void **args, void **extra)
{
  (void)grid_x, (void)grid_y, (void)grid_z, (void)block_x, (void)block_y;
  (void)block_z, (void)lds, (void)stream, (void)extra;
  if (faulty("launch"))
    return 1;
  __atomic_add_fetch(&fake_counts.launches, 1, __ATOMIC_RELAXED);
  if (strcmp(function, "add") != 0)
    multiply(function, args);
  return 0;
}
