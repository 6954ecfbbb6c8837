/* hip_module.c - modules, their functions and variables. */
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "runtimes/sim/hip.h"
#include "runtimes/sim/hip_image.h"
#include "runtimes/sim/occupancy.h"

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

static hipError_t load(struct runtime *r, hipModule_t *out,
                       enum image_kind kind, const struct code_image *image)
{
  struct err e = {0};
  struct object *object;
  if (kind == IMAGE_BAD)
    return hip_fail(r, hipErrorInvalidImage,
                    "neither a code object nor a bundle of them");
  if (kind == IMAGE_OTHER)
    return hip_fail(r, hipErrorNoBinaryForGpu,
                    "the bundle holds no code object for gfx906");
  if (object_load(&object, r->arena, image->at, image->n, &e))
    return hip_fail(r, e.code == ERR_USAGE ? hipErrorNoBinaryForGpu
                                           : hipErrorInvalidImage,
                    "%s", e.text);
  *out = mem_alloc(sizeof **out);
  (*out)->object = object;
  (*out)->next = r->modules;
  r->modules = *out;
  return hipSuccess;
}

static hipError_t load_data(struct runtime *r, hipModule_t *out,
                            const void *image)
{
  struct code_image code;
  if (!out || !image)
    return hipErrorInvalidValue;
  enum image_kind kind = image_measure(image, &code);
  return load(r, out, kind, &code);
}

static hipError_t load_file(struct runtime *r, hipModule_t *out,
                            const char *path)
{
  struct str bytes = {0};
  struct err e = {0};
  struct code_image code;
  if (!out || !path)
    return hipErrorInvalidValue;
  if (file_read(path, (size_t)1 << 30, &bytes, &e)) {
    str_free(&bytes);
    return hip_fail(r, hipErrorFileNotFound, "%s", e.text);
  }
  enum image_kind kind = image_find(str_text(&bytes), bytes.len, &code);
  hipError_t result = load(r, out, kind, &code);
  str_free(&bytes);
  return result;
}

static hipError_t unload(struct runtime *r, hipModule_t m)
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
  CALL(unload(r, m));
}

/* --- looking up ----------------------------------------------------------- */

static hipError_t function(struct runtime *r, hipFunction_t *out,
                           hipModule_t m, const char *name)
{
  if (!out || !name)
    return hipErrorInvalidValue;
  if (!module_valid(r, m))
    return hipErrorInvalidHandle;
  const struct kernel *k = object_kernel(m->object, name);
  if (!k)
    return hip_fail(r, hipErrorNotFound,
                    "no kernel '%.200s' in the module, which has %zu%s%.200s",
                    name, m->object->nkernels,
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
  CALL(function(r, out, m, name));
}

static hipError_t global(struct runtime *r, hipDeviceptr_t *at, size_t *bytes,
                         hipModule_t m, const char *name)
{
  size_t size = 0;
  if (!name || (!at && !bytes))
    return hipErrorInvalidValue;
  if (!module_valid(r, m))
    return hipErrorInvalidHandle;
  uint64_t address = object_symbol(m->object, name, &size);
  if (!address)
    return hip_fail(r, hipErrorNotFound, "no variable '%.200s' in the module",
                    name);
  if (at)
    *at = (hipDeviceptr_t)(uintptr_t)address;
  if (bytes)
    *bytes = size;
  return hipSuccess;
}

hipError_t hipModuleGetGlobal(hipDeviceptr_t *at, size_t *bytes, hipModule_t m,
                              const char *name)
{
  CALL(global(r, at, bytes, m, name));
}

/* --- what a function needs ------------------------------------------------ */

static hipError_t function_attribute(struct runtime *r, int *value,
                                     hipFunction_attribute id, hipFunction_t f)
{
  if (!value)
    return hipErrorInvalidValue;
  if (!hip_function_valid(r, f))
    return hipErrorInvalidHandle;
  const struct kernel *k = f->kernel;
  const struct {
    hipFunction_attribute id;
    uint32_t value;
  } values[] = {
      {HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, k->max_threads},
      {HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, k->lds},
      {HIP_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, 0},
      {HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, k->scratch},
      {HIP_FUNC_ATTRIBUTE_NUM_REGS, k->vgprs},
      {HIP_FUNC_ATTRIBUTE_PTX_VERSION, 90},
      {HIP_FUNC_ATTRIBUTE_BINARY_VERSION, 90},
      {HIP_FUNC_ATTRIBUTE_CACHE_MODE_CA, 0},
      {HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
       (uint32_t)r->card->lds - k->lds},
      {HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 0},
  };
  for (size_t n = 0; n < sizeof values / sizeof *values; n++)
    if (values[n].id == id) {
      *value = (int)values[n].value;
      return hipSuccess;
    }
  return hipErrorInvalidValue;
}

hipError_t hipFuncGetAttribute(int *value, hipFunction_attribute id,
                               hipFunction_t f)
{
  CALL(function_attribute(r, value, id, f));
}

static hipError_t groups_per_cu(struct runtime *r, int *out, hipFunction_t f,
                                int threads, size_t dynamic)
{
  if (!out || threads <= 0)
    return hipErrorInvalidValue;
  if (!hip_function_valid(r, f))
    return hipErrorInvalidHandle;
  const struct kernel *k = f->kernel;
  size_t lds = k->lds + dynamic;
  *out = 0;
  if ((uint32_t)threads > k->max_threads || lds > (size_t)r->card->lds)
    return hipSuccess;
  *out = (int)occupancy(r->card, k->vgprs, k->sgprs, (uint32_t)lds,
                        ((unsigned)threads + LANES - 1) / LANES).groups;
  return hipSuccess;
}

hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(
    int *out, hipFunction_t f, int threads, size_t dynamic)
{
  CALL(groups_per_cu(r, out, f, threads, dynamic));
}
