/* hip_module.c - modules, their functions and variables. */
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "runtimes/sim/api/hip.h"
#include "runtimes/sim/load/image.h"
#include "runtimes/sim/run/exec.h"

static int module_valid(const struct runtime *r, hipModule_t m)
{
  for (struct ihipModule_t *p = r->modules; p; p = p->next)
    if (p == m)
      return 1;
  return 0;
}

int hip_function_valid(const struct runtime *r, hipFunction_t f)
{
  for (struct ihipModule_t *m = r->modules; m; m = m->next)
    for (struct ihipModuleSymbol_t *p = m->functions; p; p = p->next)
      if (p == f)
        return 1;
  return 0;
}

/* --- loading -------------------------------------------------------------- */

static hipError_t refuse(struct runtime *r, const struct err *e)
{
  return hip_fail(r, e->code == ERR_USAGE ? hipErrorNoBinaryForGpu
                                          : hipErrorInvalidImage,
                  "%s", e->text);
}

hipError_t hip_module_load(struct runtime *r, hipModule_t *out,
                           const void *bytes, size_t n)
{
  struct err e = {0};
  struct code_image image;
  struct object *object;
  if (image_find(r->isa, bytes, n, &image, &e))
    return refuse(r, &e);
  int code = object_load(&object, r->arena, r->isa, image.at, image.n,
                         exec_bind, &e);
  image_free(&image);
  if (code)
    return refuse(r, &e);
  *out = mem_alloc(sizeof **out);
  (*out)->object = object;
  (*out)->next = r->modules;
  r->modules = *out;
  return hipSuccess;
}

static hipError_t load_data(struct runtime *r, hipModule_t *out,
                            const void *image)
{
  if (!out || !image)
    return hipErrorInvalidValue;
  return hip_module_load(r, out, image, image_readable(image));
}

static hipError_t load_file(struct runtime *r, hipModule_t *out,
                            const char *path)
{
  struct str bytes = {0};
  struct err e = {0};
  if (!out || !path)
    return hipErrorInvalidValue;
  if (file_read(path, (size_t)1 << 30, &bytes, &e)) {
    str_free(&bytes);
    return hip_fail(r, hipErrorFileNotFound, "%s", e.text);
  }
  hipError_t result = hip_module_load(r, out, str_text(&bytes), bytes.len);
  str_free(&bytes);
  return result;
}

hipError_t hip_module_unload(struct runtime *r, hipModule_t m)
{
  if (!module_valid(r, m))
    return hipErrorInvalidHandle;
  struct ihipModule_t **p = &r->modules;
  while (*p != m)
    p = &(*p)->next;
  *p = m->next;
  for (struct ihipModuleSymbol_t *f = m->functions, *next; f; f = next) {
    next = f->next;
    free(f);
  }
  if (r->check)
    check_forget(r->check, m->object);
  object_free(m->object);
  free(m);
  return hipSuccess;
}

hipError_t hipModuleLoad(hipModule_t *out, const char *path)
{
  CALL(load_file(r, out, path));
}

hipError_t hipModuleLoadData(hipModule_t *out, const void *image)
{
  CALL(load_data(r, out, image));
}

hipError_t hipModuleLoadDataEx(hipModule_t *out, const void *image,
                               unsigned int n, hipJitOption *options,
                               void **values)
{
  (void)n, (void)options, (void)values; /* code objects need no compiling */
  CALL(load_data(r, out, image));
}

hipError_t hipModuleUnload(hipModule_t m)
{
  CALL(hip_module_unload(r, m));
}

/* --- looking up ----------------------------------------------------------- */

hipError_t hip_module_function(struct runtime *r, hipFunction_t *out,
                               hipModule_t m, const char *name)
{
  if (!out || !name)
    return hipErrorInvalidValue;
  if (!module_valid(r, m))
    return hipErrorInvalidHandle;
  const struct kernel *k = object_kernel(m->object, name);
  if (!k)
    return hip_answer(r, hipErrorNotFound,
                      "no kernel '%.200s' in the module, which has "
                      "%zu%s%.200s", name, m->object->nkernels,
                      m->object->nkernels ? ", the first " : "",
                      m->object->nkernels ? m->object->kernels[0].name : "");
  struct ihipModuleSymbol_t *f = m->functions;
  while (f && f->kernel != k)
    f = f->next;
  if (!f) {
    f = mem_alloc(sizeof *f);
    f->kernel = k;
    f->next = m->functions;
    m->functions = f;
  }
  *out = f;
  return hipSuccess;
}

hipError_t hipModuleGetFunction(hipFunction_t *out, hipModule_t m,
                                const char *name)
{
  CALL(hip_module_function(r, out, m, name));
}

hipError_t hip_module_global(struct runtime *r, hipDeviceptr_t *at,
                             size_t *bytes, hipModule_t m, const char *name)
{
  size_t size = 0;
  if (!name || (!at && !bytes))
    return hipErrorInvalidValue;
  if (!module_valid(r, m))
    return hipErrorInvalidHandle;
  uint64_t address = object_symbol(m->object, name, &size);
  if (!address)
    return hip_answer(r, hipErrorNotFound,
                      "no variable '%.200s' in the module", name);
  if (at)
    *at = (hipDeviceptr_t)(uintptr_t)address;
  if (bytes)
    *bytes = size;
  return hipSuccess;
}

hipError_t hipModuleGetGlobal(hipDeviceptr_t *at, size_t *bytes, hipModule_t m,
                              const char *name)
{
  CALL(hip_module_global(r, at, bytes, m, name));
}
