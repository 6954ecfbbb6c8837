/* fake_hip.c - stands in for a HIP runtime with two devices, on the host.
 *
 * Device memory is the host's. A code object is a text, and its kernel
 * multiplies row-major matrices of the layout and types in it when it is
 * launched.
 * FAKE_ARCH and FAKE_CUS say what the devices are, FAKE_FAULT what goes wrong:
 * `wrong` a result, `load` a module, `launch` a launch, `malloc` an allocation.
 *
 * As in the real one a failed call is remembered for hipGetLastError(), modules
 * belong to the device that they were loaded on, and what allocates breaks the
 * capture of any stream, unless its thread is relaxed about it.
 */
// SPDX-License-Identifier: MIT
#include "tests/front/fakes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/front/made_number.h"

enum {DEVICES = 2, ARCH_AT = 1160, COMPUTE_UNITS = 63, RELAXED = 2};

struct function {
  const struct module *module;
  int adds; /* it is the kernel that adds nothing */
};

struct module {
  const void *image;
  int device;
  struct function functions[2];
};

struct fake_counts fake_counts;
static _Thread_local int current, mode, last_error;
static void *captures; /* the stream that is capturing */
static void *placed;   /* the stream that is on device 1 */

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

static int ended(int error)
{
  if (error)
    last_error = error;
  return error;
}

/* What a stream that captures does not survive. */
static int is_unsafe(void)
{
  if (!captures || mode == RELAXED)
    return 0;
  fake_counts.broken++;
  return 1;
}

void fake_capture(void *stream)
{
  captures = stream;
}

void fake_place(void *stream)
{
  placed = stream;
}

int hipGetLastError(void)
{
  int error = last_error;
  last_error = 0;
  return error;
}

int hipThreadExchangeStreamCaptureMode(int *to)
{
  int was = mode;
  mode = *to;
  *to = was;
  return 0;
}

int hipSetDevice(int device)
{
  current = device;
  return ended(device < 0 || device >= DEVICES);
}

int hipGetDevice(int *device)
{
  *device = current;
  return 0;
}

int hipStreamGetDevice(void *stream, int *device)
{
  *device = stream == placed ? 1 : current;
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
  return ended(captures && stream == captures);
}

int hipMalloc(void **at, size_t bytes)
{
  fake_counts.allocations++;
  *at = faulty("malloc") || is_unsafe() ? NULL : malloc(bytes);
  return ended(*at == NULL);
}

int hipFree(void *at)
{
  free(at);
  return ended(is_unsafe());
}

int hipMemcpyAsync(void *to, const void *from, size_t bytes, int kind,
                   void *stream)
{
  (void)kind;
  memcpy(to, from, bytes);
  return ended(captures && stream == captures);
}

int hipModuleLoadData(void **out, const void *image)
{
  struct module *m = NULL;
  __atomic_add_fetch(&fake_counts.loads, 1, __ATOMIC_RELAXED);
  if (!faulty("load") && !is_unsafe())
    m = malloc(sizeof *m);
  if (m)
    *m = (struct module){image, current, {{m, 0}, {m, 1}}};
  *out = m;
  return ended(!m);
}

int hipModuleUnload(void *module)
{
  free(module);
  return 0;
}

int hipModuleGetFunction(void **out, void *module, const char *name)
{
  *out = &((struct module *)module)->functions[strcmp(name, "mul") != 0];
  return 0;
}

/* image: "nt f16 f32", the layout, the type of A and B, and that of C. */
static void multiply(const char *image, void **args)
{
  char types[2][8];
  sscanf(image + 3, "%7s %7s", types[0], types[1]);
  const struct made_number *in = made_number(types[0]);
  const struct made_number *out = made_number(types[1]);
  const void *a = *(void **)args[0], *b = *(void **)args[1];
  void *c = *(void **)args[2];
  int m = *(int *)args[3], n = *(int *)args[4], k = *(int *)args[5];
  size_t lda = *(unsigned *)args[6], ldb = *(unsigned *)args[7];
  size_t ldc = *(unsigned *)args[8];
  float alpha = *(float *)args[9], beta = *(float *)args[10];
  for (size_t i = 0; i < (size_t)m; i++)
    for (size_t j = 0; j < (size_t)n; j++) {
      double sum = 0;
      for (size_t l = 0; l < (size_t)k; l++)
        sum += made_get(in, a, image[0] == 'n' ? i * lda + l : l * lda + i) *
               made_get(in, b, image[1] == 'n' ? l * ldb + j : j * ldb + l);
      double old = beta == 0 ? 0 : beta * made_get(out, c, i * ldc + j);
      made_put(out, c, i * ldc + j, alpha * sum + old);
    }
  if (faulty("wrong"))
    made_put(out, c, 0, made_get(out, c, 0) + 64);
}

int hipModuleLaunchKernel(void *function, unsigned grid_x, unsigned grid_y,
                          unsigned grid_z, unsigned block_x, unsigned block_y,
                          unsigned block_z, unsigned lds, void *stream,
                          void **args, void **extra)
{
  const struct function *f = function;
  (void)grid_x, (void)grid_y, (void)grid_z, (void)block_x, (void)block_y;
  (void)block_z, (void)lds, (void)extra;
  if (faulty("launch") || f->module->device != current ||
      (stream && stream == placed && current != 1))
    return ended(1);
  __atomic_add_fetch(&fake_counts.launches, 1, __ATOMIC_RELAXED);
  if (!f->adds)
    multiply(f->module->image, args);
  return 0;
}
