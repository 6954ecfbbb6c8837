/* hip_register.c - code that a program was linked with.
 *
 * The start-up code that clang writes registers each fat binary, and the host
 * addresses that stand for its kernels and variables (clang, CGCUDANV.cpp). A
 * binary is loaded when the first of them is used, as by the real runtime.
 */
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runtimes/sim/api/hip.h"
#include "runtimes/sim/load/image.h"

enum {WRAPPER_MAGIC = 0x48495046}; /* "HIPF" */

struct wrapper { /* what the start-up code passes */
  uint32_t magic, version;
  const void *image, *unused;
};

struct shadow { /* the device's kernel or variable `name` has this address */
  struct shadow *next;
  const void *host;
  char *name;
  hipFunction_t function; /* once it was looked up */
  void **managed;         /* where the program keeps a managed variable's */
};

enum kind {KERNEL, VARIABLE, KINDS};

struct fat_binary {
  struct fat_binary *next;
  const void *image;
  hipModule_t module; /* NULL: not loaded yet */
  struct shadow *shadows[KINDS];
};

static void add(void **binary, enum kind kind, const void *host,
                const char *name, void **managed)
{
  struct shadow **list = &((struct fat_binary *)binary)->shadows[kind];
  struct shadow *s = mem_alloc(sizeof *s);
  *s = (struct shadow){.next = *list, .host = host, .managed = managed,
                       .name = mem_copy(name)};
  *list = s;
}

static void drop(struct shadow *list)
{
  for (struct shadow *next; list; list = next) {
    next = list->next;
    free(list->name);
    free(list);
  }
}

/* --- loading -------------------------------------------------------------- */

/* In the device's code a managed variable is a pointer to it. */
static hipError_t point_managed(struct runtime *r, struct fat_binary *b)
{
  for (struct shadow *s = b->shadows[VARIABLE]; s; s = s->next) {
    hipDeviceptr_t at;
    size_t bytes;
    if (!s->managed)
      continue;
    hipError_t result =
        hip_module_global(r, &at, &bytes, b->module, s->name);
    if (result)
      return result;
    memcpy(at, s->managed, sizeof *s->managed);
  }
  return hipSuccess;
}

static hipError_t load(struct runtime *r, struct fat_binary *b)
{
  if (b->module)
    return hipSuccess;
  if (!b->image)
    return hip_fail(r, hipErrorInvalidImage,
                    "the program's fat binary does not begin with HIPF");
  hipError_t result =
      hip_module_load(r, &b->module, b->image, image_readable(b->image));
  return result ? result : point_managed(r, b);
}

/* --- looking up ----------------------------------------------------------- */

/* The binary that registered this address, now loaded, and its shadow. */
static hipError_t find(struct runtime *r, enum kind kind, const void *host,
                       struct fat_binary **binary, struct shadow **shadow)
{
  static const struct {
    const char *what;
    hipError_t error;
  } missing[] = {
    [KERNEL] = {"kernel", hipErrorInvalidDeviceFunction},
    [VARIABLE] = {"device variable", hipErrorInvalidSymbol},
  };
  for (struct fat_binary *b = r->binaries; b; b = b->next)
    for (struct shadow *s = b->shadows[kind]; s; s = s->next)
      if (s->host == host) {
        *binary = b;
        *shadow = s;
        return load(r, b);
      }
  return hip_fail(r, missing[kind].error, "%p is no %s of this program", host,
                  missing[kind].what);
}

/* That a program's own code lacks what its host side names is a fault. */
static hipError_t lacks(struct runtime *r, hipError_t result,
                        hipError_t meaning)
{
  char text[sizeof r->error];
  if (result != hipErrorNotFound)
    return result;
  memcpy(text, r->error, sizeof text);
  return hip_fail(r, meaning, "%s", text);
}

hipError_t hip_host_function(struct runtime *r, hipFunction_t *out,
                             const void *stub)
{
  struct fat_binary *b = NULL;
  struct shadow *s = NULL;
  hipError_t result = find(r, KERNEL, stub, &b, &s);
  if (!result && !s->function)
    result = hip_module_function(r, &s->function, b->module, s->name);
  if (!result)
    *out = s->function;
  return lacks(r, result, hipErrorInvalidDeviceFunction);
}

/* How the program calls f: by the address of its stub, or by its handle. */
const void *hip_host_stub(const struct runtime *r, hipFunction_t f)
{
  for (const struct fat_binary *b = r->binaries; b; b = b->next)
    for (const struct shadow *s = b->shadows[KERNEL]; s; s = s->next)
      if (s->function == f)
        return s->host;
  return f;
}

hipError_t hip_host_variable(struct runtime *r, hipDeviceptr_t *at,
                             size_t *bytes, const void *shadow)
{
  struct fat_binary *b = NULL;
  struct shadow *s = NULL;
  hipError_t result = find(r, VARIABLE, shadow, &b, &s);
  if (!result)
    result = hip_module_global(r, at, bytes, b->module, s->name);
  return lacks(r, result, hipErrorInvalidSymbol);
}

/* --- what the start-up code calls; no header declares it ------------------ */

#define EXPORT __attribute__((visibility("default")))
#define START(name) EXPORT name; EXPORT name

START(void **__hipRegisterFatBinary(const void *data))
{
  struct fat_binary *b = mem_alloc(sizeof *b);
  struct wrapper w;
  memcpy(&w, data, sizeof w);
  if (w.magic == WRAPPER_MAGIC)
    b->image = w.image;
  struct runtime *r = hip_lock();
  b->next = r->binaries;
  r->binaries = b;
  hip_leave(hipSuccess);
  return (void **)b;
}

START(void __hipRegisterFunction(void **binary, const void *stub,
                                 char *device_function, const char *name,
                                 unsigned threads, void *thread, void *block,
                                 void *block_dim, void *grid_dim, int *wave))
{
  (void)device_function, (void)threads, (void)thread, (void)block;
  (void)block_dim, (void)grid_dim, (void)wave;
  hip_lock();
  add(binary, KERNEL, stub, name, NULL);
  hip_leave(hipSuccess);
}

START(void __hipRegisterVar(void **binary, void *shadow, char *host_name,
                            char *name, int external, size_t bytes,
                            int constant, int global))
{
  (void)host_name, (void)external, (void)bytes, (void)constant, (void)global;
  hip_lock();
  add(binary, VARIABLE, shadow, name, NULL);
  hip_leave(hipSuccess);
}

/* The program may use a managed variable before it calls anything. */
START(void __hipRegisterManagedVar(void **binary, void **pointer,
                                   const void *initial, const char *name,
                                   size_t bytes, unsigned align))
{
  (void)align; /* at most the 256 of every allocation */
  struct runtime *r = hip_enter();
  hipError_t result =
      r->arena ? hip_managed(r, pointer, bytes) : hipErrorNoDevice;
  if (!result) {
    memcpy(*pointer, initial, bytes);
    add(binary, VARIABLE, pointer, name, pointer);
  }
  hip_leave(result);
}

/* Of textures and surfaces only what uses them is refused (hip_refuse.c). */
START(void __hipRegisterTexture(void **binary, void *shadow, char *host_name,
                                char *name, int type, int norm, int external))
{
  (void)binary, (void)shadow, (void)host_name, (void)name, (void)type;
  (void)norm, (void)external;
}

START(void __hipRegisterSurface(void **binary, void *shadow, char *host_name,
                                char *name, int type, int external))
{
  (void)binary, (void)shadow, (void)host_name, (void)name, (void)type;
  (void)external;
}

START(void __hipUnregisterFatBinary(void **binary))
{
  struct fat_binary *b = (struct fat_binary *)binary;
  struct runtime *r = hip_lock();
  struct fat_binary **p = &r->binaries;
  while (*p && *p != b)
    p = &(*p)->next;
  if (*p) {
    *p = b->next;
    if (b->module)
      hip_module_unload(r, b->module);
    for (enum kind kind = 0; kind < KINDS; kind++)
      drop(b->shadows[kind]);
    free(b);
  }
  hip_leave(hipSuccess);
}
