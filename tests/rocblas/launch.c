/* launch.c - see launch.h. */
// SPDX-License-Identifier: MIT
#include "tests/rocblas/launch.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runtimes/sim/hipsim.h"

int hip_check(hipError_t result, const char *call, struct err *e)
{
  return result ? err_set(e, ERR_FAILED, "%s: error %d, %s", call, (int)result,
                          hipsimError())
                : 0;
}

/* --- values --------------------------------------------------------------- */

static size_t element(const struct gemm_kernel *k)
{
  return k->type == 'H' ? 2 : 4;
}

/* f16 of integers below 2048 and of NaN. */
static uint16_t half_of(double x)
{
  float f = (float)x;
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  uint32_t sign = bits >> 16 & 0x8000, size = bits & 0x7fffffff;
  if (x != x)
    return 0x7e00;
  return (uint16_t)(size ? sign | ((size >> 13) - (112 << 10)) : sign);
}

static double double_of(uint16_t half)
{
  unsigned exponent = half >> 10 & 31, fraction = half & 0x3ff;
  double sign = half & 0x8000 ? -1 : 1;
  if (exponent == 31)
    return fraction ? (double)__builtin_nanf("") : sign * __builtin_inf();
  double x = exponent ? (1024 + fraction) / 1024.0 : fraction / 512.0;
  return sign * x * (exponent < 15 ? 1.0 / (1 << (15 - exponent))
                                   : (double)(1 << (exponent - 15)));
}

static void pack(const double *from, size_t n, char type, void *to)
{
  for (size_t i = 0; i < n; i++)
    if (type == 'H')
      ((uint16_t *)to)[i] = half_of(from[i]);
    else
      ((float *)to)[i] = (float)from[i];
}

static void unpack(const void *from, size_t n, char type, double *to)
{
  for (size_t i = 0; i < n; i++)
    to[i] = type == 'H' ? double_of(((const uint16_t *)from)[i])
                        : (double)((const float *)from)[i];
}

/* --- buffers -------------------------------------------------------------- */

int buffers_put(const struct buffers *b, const struct problem *p,
                const struct gemm_kernel *k, enum matrix x,
                const double *values, struct err *e)
{
  size_t n = problem_elements(p, x);
  void *bytes = mem_array(n, element(k));
  pack(values, n, k->type, bytes);
  hipError_t result = hipMemcpy(b->x[x], bytes, n * element(k),
                                hipMemcpyHostToDevice);
  free(bytes);
  return hip_check(result, "hipMemcpy", e);
}

int buffers_get(const struct buffers *b, const struct problem *p,
                const struct gemm_kernel *k, enum matrix x, double *values,
                struct err *e)
{
  size_t n = problem_elements(p, x);
  void *bytes = mem_array(n, element(k));
  hipError_t result = hipMemcpy(bytes, b->x[x], n * element(k),
                                hipMemcpyDeviceToHost);
  unpack(bytes, n, k->type, values);
  free(bytes);
  return hip_check(result, "hipMemcpy", e);
}

static hipError_t open_list(struct buffers *b, const struct problem *p,
                            const struct gemm_kernel *k, enum matrix x)
{
  size_t bytes = p->batch * sizeof(void *);
  char **list = mem_alloc(bytes);
  for (unsigned n = 0; n < p->batch; n++)
    list[n] = (char *)b->x[x] + (size_t)n * p->stride[x][2] * element(k);
  hipError_t result = hipMalloc(&b->lists[x], bytes);
  if (!result)
    result = hipMemcpy(b->lists[x], list, bytes, hipMemcpyHostToDevice);
  free(list);
  return result;
}

int buffers_open(struct buffers *b, const struct problem *p,
                 const struct gemm_kernel *k, struct err *e)
{
  *b = (struct buffers){{NULL}, {NULL}};
  hipError_t result = hipSuccess;
  for (int x = 0; x < MATRICES && !result; x++) {
    result = hipMalloc(&b->x[x], problem_elements(p, x) * element(k));
    if (!result && k->general)
      result = open_list(b, p, k, x);
  }
  if (result)
    buffers_close(b);
  return hip_check(result, "hipMalloc", e);
}

void buffers_close(struct buffers *b)
{
  for (int x = 0; x < MATRICES; x++) {
    (void)hipFree(b->x[x]);
    (void)hipFree(b->lists[x]);
  }
}

/* --- arguments ------------------------------------------------------------ */

/* Tensile's launch parameters (Tensile, ContractionSolution.cpp of release
 * 6.4), by the names that kernels declare. */
struct given {
  const char *name;
  uint32_t words[4];
  unsigned bytes;
};

/* Workgroups start their sums at different turns, where there are enough of
 * them, to spread over the memory channels. */
static uint32_t stagger(const struct gemm_kernel *k, const struct problem *p)
{
  uint32_t n = k->stagger, turns = p->k / k->depth / k->split;
  while (n > 1 && turns < n << k->stagger_shift)
    n /= 2;
  return n ? n - 1 : 0;
}

static uint32_t tiles(const struct gemm_kernel *k, const struct problem *p,
                      int side)
{
  uint32_t n = side ? p->n : p->m;
  return (n + k->tile[side] - 1) / k->tile[side];
}

static struct given whole64(const char *name, uint64_t value)
{
  return (struct given){name, {(uint32_t)value, (uint32_t)(value >> 32)}, 8};
}

static struct given number(const char *name, uint32_t value)
{
  return (struct given){name, {value}, 4};
}

static struct given scalar(const char *name, const struct gemm_kernel *k,
                           double value)
{
  uint32_t bits;
  float f = (float)value;
  memcpy(&bits, &f, sizeof bits);
  if (k->type == 'H')
    bits = half_of(value) * 0x10001u;
  return number(name, bits);
}

/* Most kernels take the row stride as 1 and do not ask for it. */
static struct given strides(const char *name, const struct problem *p,
                            enum matrix x, uint32_t size)
{
  const unsigned *s = p->stride[x] + (size == 8);
  return (struct given){name, {s[0], s[1], size == 8 ? 0 : s[2]},
                        size == 8 ? 8 : 12};
}

static struct given address(const char *name, const struct buffers *b,
                            enum matrix x)
{
  void *at = b->lists[x] ? b->lists[x] : b->x[x];
  return whole64(name, (uintptr_t)at);
}

/* Put one argument where it is declared; 0 where the name is not known. */
static int put(const struct argument *a, const struct given *given, size_t n,
               uint8_t *out)
{
  for (size_t i = 0; i < n; i++)
    if (!strcmp(a->name, given[i].name) && a->size == given[i].bytes) {
      memcpy(out + a->offset, given[i].words, a->size);
      return 1;
    }
  return 0;
}

static int fill(const struct gemm_kernel *k, const struct problem *p,
                const struct buffers *b, uint8_t *out, struct err *e)
{
  uint32_t blocks = tiles(k, p, 1) / k->mapping;
  uint32_t rest = tiles(k, p, 1) % k->mapping;
  rest = rest ? rest : k->mapping;
  for (size_t i = 0; i < k->nargs; i++) {
    const struct argument *a = &k->args[i];
    const struct given given[] = {
        whole64("Tensor2dSizeA", problem_span(p, A)),
        whole64("Tensor2dSizeB", problem_span(p, B)),
        address("AddressD", b, D), address("AddressC", b, C),
        address("AddressA", b, A), address("AddressB", b, B),
        whole64("OffsetD", 0), whole64("OffsetC", 0),
        whole64("OffsetA", 0), whole64("OffsetB", 0),
        scalar("Alpha", k, p->alpha), scalar("Beta", k, p->beta),
        strides("StridesD", p, D, a->size), strides("StridesC", p, C, a->size),
        strides("StridesA", p, A, a->size), strides("StridesB", p, B, a->size),
        {"SizesFree", {p->m, p->n, p->batch}, 12},
        number("SizesSum", p->k),
        number("OrigStaggerUIter", stagger(k, p)),
        number("NumWorkGroups0", tiles(k, p, 0)),
        number("NumWorkGroups1", tiles(k, p, 1)),
        number("NumFullBlocks", blocks), number("WgmRemainder1", rest),
        number("MagicNumberWgmRemainder1", (1u << 31) / rest + 1),
    };
    if ((uint64_t)a->offset + a->size > k->kernarg ||
        !put(a, given, sizeof given / sizeof *given, out))
      return err_set(e, ERR_FAILED, "argument %s of %u bytes is not known",
                     a->name, a->size);
  }
  return 0;
}

int kernel_run(hipModule_t module, const struct gemm_kernel *k,
               const struct problem *p, const struct buffers *b,
               struct err *e)
{
  hipFunction_t f;
  uint8_t *args = mem_alloc(k->kernarg);
  size_t bytes = k->kernarg;
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, args,
                   HIP_LAUNCH_PARAM_BUFFER_SIZE, &bytes, HIP_LAUNCH_PARAM_END};
  int code = hip_check(hipModuleGetFunction(&f, module, k->name),
                       "hipModuleGetFunction", e);
  if (!code)
    code = fill(k, p, b, args, e);
  if (!code)
    code = hip_check(
        hipModuleLaunchKernel(f, tiles(k, p, 0), tiles(k, p, 1) * k->split,
                              p->batch, k->threads, 1, 1, 0, NULL, NULL,
                              extra),
        "hipModuleLaunchKernel", e);
  if (!code)
    code = hip_check(hipDeviceSynchronize(), "hipDeviceSynchronize", e);
  free(args);
  return code;
}
