/* launch.c - see launch.h. */
// SPDX-License-Identifier: MIT
#include "tuner/device/launch.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "tuner/device/check.h"
#include "tuner/reference/inputs.h"

enum {CHUNK = 1 << 18}; /* elements moved at a time */

/* Buffers of a program lie a multiple of STEP apart, and STEPS of these are as good as
 * none: a runtime aligns what has 16 KiB and more to 8 KiB at least, and to 2 MiB at most
 * (libhsakmt, fmm.c). */
enum {STEP = 8 << 10, STEPS = (2 << 20) / STEP};

/* What a HIP error says about the candidate; others refuse the launch. */
static enum status meaning(hipError_t rc)
{
  static const struct {
    hipError_t code;
    enum status status;
  } table[] = {
      {hipSuccess, STATUS_OK},
      {hipErrorOutOfMemory, STATUS_RESOURCE},
      {hipErrorInvalidConfiguration, STATUS_RESOURCE},
      {hipErrorLaunchOutOfResources, STATUS_RESOURCE},
      {hipErrorIllegalAddress, STATUS_CRASH},
      {hipErrorLaunchFailure, STATUS_CRASH},
      {hipErrorLaunchTimeOut, STATUS_TIMEOUT},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (table[i].code == rc)
      return table[i].status;
  return STATUS_LAUNCH;
}

enum status launch_judge(const struct hip *h, hipError_t rc, const char *call,
                         struct err *e)
{
  if (rc != hipSuccess)
    err_set(e, ERR_FAILED, "%s: %s", call, h->hipGetErrorString(rc));
  return meaning(rc);
}

/* --- kernels ------------------------------------------------------------- */

static int attribute(const struct hip *h, hipFunction_attribute which,
                     hipFunction_t f)
{
  int value = -1;
  return h->hipFuncGetAttribute(&value, which, f) == hipSuccess ? value : -1;
}

static void note_largest(const struct hip *h, const struct plan *plan,
                         struct kernels *k)
{
  hipFunction_t largest = k->functions[0];
  k->vgprs = attribute(h, HIP_FUNC_ATTRIBUTE_NUM_REGS, largest);
  for (size_t i = 1; i < plan->nlaunches; i++) {
    int vgprs = attribute(h, HIP_FUNC_ATTRIBUTE_NUM_REGS, k->functions[i]);
    if (vgprs <= k->vgprs)
      continue;
    k->vgprs = vgprs;
    largest = k->functions[i];
  }
  k->lds = attribute(h, HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, largest);
  k->spills = attribute(h, HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, largest);
}

enum status kernels_load(const struct hip *h, const struct str *code,
                         const struct plan *plan, struct kernels *out,
                         struct err *e)
{
  *out = (struct kernels){0};
  hipError_t rc = h->hipModuleLoadData(&out->module, code->at);
  if (rc != hipSuccess)
    return launch_judge(h, rc, "hipModuleLoadData", e);
  const char *name = "";
  for (size_t i = 0; i < plan->nlaunches && rc == hipSuccess; i++) {
    name = plan->launches[i].kernel;
    rc = h->hipModuleGetFunction(&out->functions[i], out->module, name);
  }
  if (rc != hipSuccess) {
    kernels_unload(h, out);
    enum status status = launch_judge(h, rc, "hipModuleGetFunction", e);
    err_prefix(e, "kernel '%s'", name);
    return status;
  }
  note_largest(h, plan, out);
  return STATUS_OK;
}

void kernels_unload(const struct hip *h, struct kernels *k)
{
  if (k->module)
    h->hipModuleUnload(k->module);
  *k = (struct kernels){0};
}

/* --- buffers ------------------------------------------------------------- */

/* Bytes that buffer i is off: for its place, and so that it is not aligned by chance. */
static size_t shift(const struct buffer *b, uint64_t place, size_t i)
{
  size_t steps = place ? rng_nth(place, i) % STEPS : 0;
  return steps * STEP + (b->align < BUFFER_ALIGN ? b->align : 0);
}

/* Where its list of addresses is behind it. */
static size_t list_at(size_t shift, size_t bytes)
{
  return (shift + bytes + 2 * GUARD + 7) / 8 * 8;
}

static hipError_t allocate(const struct hip *h, const struct buffer *b,
                           size_t shift, size_t bytes, void **out)
{
  size_t all = b->pointers ? list_at(shift, bytes) + b->pointers * sizeof(void *)
                           : shift + bytes + 2 * GUARD;
  return h->hipMalloc(out, all);
}

enum status buffers_fit(const struct hip *h, const struct plan *plan,
                        struct buffers *b, struct err *e)
{
  for (size_t i = 0; i < plan->nbuffers || i < b->n; i++) {
    const struct buffer *buffer = &plan->buffers[i];
    size_t bytes = i < plan->nbuffers
                       ? buffer->elements * element_ops(buffer->type)->size
                       : 0;
    size_t off = bytes ? shift(buffer, b->place, i) : 0;
    if (i < b->n && b->at[i].raw) {
      if (b->at[i].bytes == bytes && !buffer->pointers && !b->at[i].list &&
          b->at[i].base == b->at[i].raw + off)
        continue;
      h->hipFree(b->at[i].raw);
    }
    b->at[i].raw = b->at[i].base = b->at[i].list = NULL;
    b->at[i].written = 0;
    b->at[i].bytes = bytes;
    void *raw = NULL;
    hipError_t rc = bytes ? allocate(h, buffer, off, bytes, &raw) : hipSuccess;
    b->at[i].raw = raw;
    b->at[i].base = raw ? (char *)raw + off : NULL;
    if (raw && buffer->pointers)
      b->at[i].list = (char *)raw + list_at(off, bytes);
    if (b->n < i + 1)
      b->n = i + 1;
    if (rc != hipSuccess)
      return launch_judge(h, rc, "hipMalloc", e);
  }
  b->n = plan->nbuffers;
  return STATUS_OK;
}

static hipError_t upload_inputs(const struct hip *h, uint64_t seed, size_t i,
                                const struct buffer *buffer, char *to)
{
  size_t size = element_ops(buffer->type)->size;
  char *chunk = malloc(CHUNK * size);
  hipError_t rc = chunk ? hipSuccess : hipErrorOutOfMemory;
  for (size_t at = 0; at < buffer->elements && rc == hipSuccess;) {
    size_t n = buffer->elements - at < CHUNK ? buffer->elements - at : CHUNK;
    input_fill(seed, i, buffer, at, n, chunk);
    rc = h->hipMemcpy(to + at * size, chunk, n * size, hipMemcpyHostToDevice);
    at += n;
  }
  free(chunk);
  return rc;
}

/* The addresses of a buffer's parts. */
static hipError_t upload_list(const struct hip *h, const struct buffer *buffer,
                              const char *data, char *to)
{
  size_t step = buffer->stride * element_ops(buffer->type)->size;
  size_t bytes = buffer->pointers * sizeof(void *);
  const char **list = malloc(bytes);
  if (!list)
    return hipErrorOutOfMemory;
  for (size_t i = 0; i < buffer->pointers; i++)
    list[i] = data + i * step;
  hipError_t rc = h->hipMemcpy(to, list, bytes, hipMemcpyHostToDevice);
  free(list);
  return rc;
}

static int random_inside(const struct buffer *b)
{
  return b->role == BUFFER_IN || b->role == BUFFER_INOUT;
}

enum status buffers_reset(const struct hip *h, const struct plan *plan,
                          uint64_t seed, struct buffers *b, struct err *e)
{
  hipError_t rc = hipSuccess;
  for (size_t i = 0; i < b->n && rc == hipSuccess; i++) {
    const struct buffer *buffer = &plan->buffers[i];
    char *base = b->at[i].base;
    size_t bytes = b->at[i].bytes;
    if (b->at[i].written && buffer->role == BUFFER_IN &&
        b->at[i].planes == buffer->planes &&
        b->at[i].panel == buffer->panel && b->at[i].row == buffer->row &&
        b->at[i].routed == buffer->routed)
      continue;
    b->at[i].planes = buffer->planes;
    b->at[i].panel = buffer->panel;
    b->at[i].row = buffer->row;
    b->at[i].routed = buffer->routed;
    rc = h->hipMemset(base, CANARY, GUARD);
    if (rc == hipSuccess)
      rc = h->hipMemset(base + GUARD + bytes, CANARY, GUARD);
    if (rc == hipSuccess)
      rc = random_inside(buffer)
               ? upload_inputs(h, seed, i, buffer, base + GUARD)
               : h->hipMemset(base + GUARD, POISON, bytes);
    if (rc == hipSuccess && b->at[i].list)
      rc = upload_list(h, buffer, base + GUARD, b->at[i].list);
    b->at[i].written = rc == hipSuccess;
  }
  return launch_judge(h, rc, "filling the buffers", e);
}

enum status buffers_guarded(const struct hip *h, const struct plan *plan,
                            const struct buffers *b, struct err *e)
{
  char guards[2][GUARD];
  for (size_t i = 0; i < b->n; i++) {
    const char *base = b->at[i].base;
    hipError_t rc = h->hipMemcpy(guards[0], base, GUARD,
                                 hipMemcpyDeviceToHost);
    if (rc == hipSuccess)
      rc = h->hipMemcpy(guards[1], base + GUARD + b->at[i].bytes, GUARD,
                        hipMemcpyDeviceToHost);
    if (rc != hipSuccess)
      return launch_judge(h, rc, "hipMemcpy", e);
    for (int side = 0; side < 2; side++)
      if (!check_bytes(guards[side], GUARD, CANARY)) {
        err_set(e, ERR_FAILED, "memory %s %s was written",
                side ? "after" : "before", plan->buffers[i].name);
        return STATUS_WRONG;
      }
  }
  return STATUS_OK;
}

void buffers_free(const struct hip *h, struct buffers *b)
{
  for (size_t i = 0; i < b->n; i++)
    if (b->at[i].raw)
      h->hipFree(b->at[i].raw);
  *b = (struct buffers){0};
}

/* --- launching ----------------------------------------------------------- */

union slot {
  void *p;
  int32_t i32;
  int64_t i64;
  float f32;
};

static union slot fill_slot(const struct arg *a, const struct buffers *b)
{
  switch (a->kind) {
  case ARG_BUFFER:
    return (union slot){.p = b->at[a->buffer].list
                                 ? b->at[a->buffer].list
                                 : b->at[a->buffer].base + GUARD};
  case ARG_I32:
    return (union slot){.i32 = (int32_t)a->i};
  case ARG_I64:
    return (union slot){.i64 = a->i};
  case ARG_F32:
    return (union slot){.f32 = (float)a->d};
  }
  return (union slot){0};
}

enum status launch_one(const struct hip *h, const struct plan *plan, size_t i,
                       const struct kernels *k, const struct buffers *b,
                       struct err *e)
{
  const struct launch *l = &plan->launches[i];
  union slot slots[FAMILY_ARGS];
  void *args[FAMILY_ARGS];
  for (size_t j = 0; j < l->nargs; j++) {
    slots[j] = fill_slot(&l->args[j], b);
    args[j] = &slots[j];
  }
  hipError_t rc = h->hipModuleLaunchKernel(
      k->functions[i], l->grid[0], l->grid[1], l->grid[2], l->block[0],
      l->block[1], l->block[2], l->lds, NULL, args, NULL);
  enum status status = launch_judge(h, rc, "hipModuleLaunchKernel", e);
  if (status != STATUS_OK)
    err_prefix(e, "kernel '%s' of %u threads with %u bytes of dynamic LDS",
               l->kernel, l->block[0] * l->block[1] * l->block[2], l->lds);
  return status;
}

enum status launch_all(const struct hip *h, const struct plan *plan,
                       const struct kernels *k, const struct buffers *b,
                       struct err *e)
{
  enum status status = STATUS_OK;
  for (size_t i = 0; i < plan->nlaunches && status == STATUS_OK; i++)
    status = launch_one(h, plan, i, k, b, e);
  return status;
}

enum status launch_wait(const struct hip *h, struct err *e)
{
  return launch_judge(h, h->hipDeviceSynchronize(), "hipDeviceSynchronize", e);
}
