/* hip_function.c - what a kernel needs, and how many groups fit a CU. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/api/hip.h"
#include "runtimes/sim/timing/occupancy.h"

/* --- attributes ------------------------------------------------------------ */

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
       (uint32_t)r->card.lds - k->lds},
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

static hipError_t attributes(struct runtime *r, struct hipFuncAttributes *out,
                             const void *stub)
{
  hipFunction_t f;
  if (!out)
    return hipErrorInvalidValue;
  hipError_t result = hip_host_function(r, &f, stub);
  if (result)
    return result;
  const struct kernel *k = f->kernel;
  *out = (struct hipFuncAttributes){
      .binaryVersion = 90,
      .ptxVersion = 90,
      .localSizeBytes = k->scratch,
      .maxDynamicSharedSizeBytes = (int)r->card.lds - (int)k->lds,
      .maxThreadsPerBlock = (int)k->max_threads,
      .numRegs = (int)k->vgprs,
      .sharedSizeBytes = k->lds};
  return hipSuccess;
}

hipError_t hipFuncGetAttributes(struct hipFuncAttributes *out,
                                const void *stub)
{
  CALL(attributes(r, out, stub));
}

/* Nothing is there to be set: LDS and L1 are apart, any kernel may have all
 * of the LDS. */
static hipError_t accept(struct runtime *r, const void *stub)
{
  hipFunction_t f;
  return hip_host_function(r, &f, stub);
}

hipError_t hipFuncSetAttribute(const void *stub, hipFuncAttribute id,
                               int value)
{
  (void)id, (void)value;
  CALL(accept(r, stub));
}

hipError_t hipFuncSetCacheConfig(const void *stub, hipFuncCache_t config)
{
  (void)config;
  CALL(accept(r, stub));
}

hipError_t hipFuncSetSharedMemConfig(const void *stub,
                                     hipSharedMemConfig config)
{
  (void)config;
  CALL(accept(r, stub));
}

/* --- occupancy ------------------------------------------------------------ */

/* Groups of so many threads on a CU; 0 where it cannot hold one. */
static int groups(const struct runtime *r, const struct kernel *k,
                  unsigned threads, size_t dynamic)
{
  size_t lds = k->lds + dynamic;
  if (threads > k->max_threads || lds > (size_t)r->card.lds)
    return 0;
  return (int)occupancy(&r->card, k->vgprs, k->sgprs, (uint32_t)lds,
                        (threads + LANES - 1) / LANES).groups;
}

static hipError_t groups_per_cu(struct runtime *r, int *out, hipFunction_t f,
                                int threads, size_t dynamic)
{
  if (!out || threads <= 0)
    return hipErrorInvalidValue;
  if (!hip_function_valid(r, f))
    return hipErrorInvalidHandle;
  *out = groups(r, f->kernel, (unsigned)threads, dynamic);
  return hipSuccess;
}

/* The block that fills a CU with the most waves, the largest of several. */
static hipError_t best_block(struct runtime *r, int *grid, int *block,
                             hipFunction_t f, size_t dynamic, int limit)
{
  if (!grid || !block || limit < 0)
    return hipErrorInvalidValue;
  if (!hip_function_valid(r, f))
    return hipErrorInvalidHandle;
  unsigned most = f->kernel->max_threads, best = 0;
  if (limit && (unsigned)limit < most)
    most = (unsigned)limit;
  *grid = *block = 0;
  for (unsigned threads = LANES; threads <= most; threads += LANES) {
    unsigned n = (unsigned)groups(r, f->kernel, threads, dynamic);
    if (n && n * threads >= best) {
      best = n * threads;
      *block = (int)threads;
      *grid = (int)n * (int)r->card.cus;
    }
  }
  return hipSuccess;
}

static hipError_t host_groups(struct runtime *r, int *out, const void *stub,
                              int threads, size_t dynamic)
{
  hipFunction_t f;
  hipError_t result = hip_host_function(r, &f, stub);
  return result ? result : groups_per_cu(r, out, f, threads, dynamic);
}

static hipError_t host_block(struct runtime *r, int *grid, int *block,
                             const void *stub, size_t dynamic, int limit)
{
  hipFunction_t f;
  hipError_t result = hip_host_function(r, &f, stub);
  return result ? result : best_block(r, grid, block, f, dynamic, limit);
}

hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(
    int *out, hipFunction_t f, int threads, size_t dynamic)
{
  CALL(groups_per_cu(r, out, f, threads, dynamic));
}

hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *out, hipFunction_t f, int threads, size_t dynamic, unsigned flags)
{
  (void)flags;
  CALL(groups_per_cu(r, out, f, threads, dynamic));
}

hipError_t hipModuleOccupancyMaxPotentialBlockSize(int *grid, int *block,
                                                   hipFunction_t f,
                                                   size_t dynamic, int limit)
{
  CALL(best_block(r, grid, block, f, dynamic, limit));
}

hipError_t hipModuleOccupancyMaxPotentialBlockSizeWithFlags(
    int *grid, int *block, hipFunction_t f, size_t dynamic, int limit,
    unsigned flags)
{
  (void)flags;
  CALL(best_block(r, grid, block, f, dynamic, limit));
}

hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int *out,
                                                        const void *stub,
                                                        int threads,
                                                        size_t dynamic)
{
  CALL(host_groups(r, out, stub, threads, dynamic));
}

hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *out, const void *stub, int threads, size_t dynamic, unsigned flags)
{
  (void)flags;
  CALL(host_groups(r, out, stub, threads, dynamic));
}

hipError_t hipOccupancyMaxPotentialBlockSize(int *grid, int *block,
                                             const void *stub, size_t dynamic,
                                             int limit)
{
  CALL(host_block(r, grid, block, stub, dynamic, limit));
}
