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

static size_t element(const struct gemm_kernel *k, enum matrix x)
{
  return type_bytes(matrix_type(k, x));
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

/* An element's numbers, by its type. */
union numbers {
  float f;
  double d;
  uint16_t h;
  int8_t b;
  int32_t i;
};

static unsigned number_bytes(char type)
{
  return type_bytes(type) / type_parts(type);
}

static void put_number(char *to, char type, double x)
{
  union numbers u = {.i = 0};
  switch (type) {
  case 'H': u.h = half_of(x); break;
  case 'B': u.f = (float)x; u.i >>= 16; break; /* the values are short */
  case 'D':
  case 'Z': u.d = x; break;
  case '8': u.b = (int8_t)(x == x ? x : 99); break;
  case 'I': u.i = x == x ? (int32_t)x : 9999999; break;
  default: u.f = (float)x;
  }
  memcpy(to, &u, number_bytes(type));
}

static double get_number(const char *from, char type)
{
  union numbers u = {.i = 0};
  memcpy(&u, from, number_bytes(type));
  switch (type) {
  case 'H': return double_of(u.h);
  case 'B': u.i = (int32_t)((uint32_t)u.h << 16); return u.f;
  case 'D':
  case 'Z': return u.d;
  case '8': return u.b;
  case 'I': return u.i;
  default: return u.f;
  }
}

static void pack(const double complex *from, size_t n, char type, char *to)
{
  unsigned bytes = number_bytes(type), parts = type_parts(type);
  for (size_t i = 0; i < n; i++, to += parts * bytes) {
    put_number(to, type, creal(from[i]));
    if (parts == 2)
      put_number(to + bytes, type, cimag(from[i]));
  }
}

static void unpack(const char *from, size_t n, char type, double complex *to)
{
  unsigned bytes = number_bytes(type), parts = type_parts(type);
  for (size_t i = 0; i < n; i++, from += parts * bytes)
    to[i] = get_number(from, type) +
            (parts == 2 ? get_number(from + bytes, type) * I : 0);
}

/* --- buffers -------------------------------------------------------------- */

int buffers_put(const struct buffers *b, const struct problem *p,
                const struct gemm_kernel *k, enum matrix x,
                const double complex *values, struct err *e)
{
  size_t n = problem_elements(p, x);
  void *bytes = mem_array(n, element(k, x));
  pack(values, n, matrix_type(k, x), bytes);
  hipError_t result = hipMemcpy(b->x[x], bytes, n * element(k, x),
                                hipMemcpyHostToDevice);
  free(bytes);
  return hip_check(result, "hipMemcpy", e);
}

int buffers_get(const struct buffers *b, const struct problem *p,
                const struct gemm_kernel *k, enum matrix x,
                double complex *values, struct err *e)
{
  size_t n = problem_elements(p, x);
  void *bytes = mem_array(n, element(k, x));
  hipError_t result = hipMemcpy(bytes, b->x[x], n * element(k, x),
                                hipMemcpyDeviceToHost);
  unpack(bytes, n, matrix_type(k, x), values);
  free(bytes);
  return hip_check(result, "hipMemcpy", e);
}

static hipError_t open_list(struct buffers *b, const struct problem *p,
                            const struct gemm_kernel *k, enum matrix x)
{
  size_t bytes = p->batch * sizeof(void *);
  char **list = mem_alloc(bytes);
  for (unsigned n = 0; n < p->batch; n++)
    list[n] = (char *)b->x[x] + (size_t)n * p->stride[x][2] * element(k, x);
  hipError_t result = hipMalloc(&b->lists[x], bytes);
  if (!result)
    result = hipMemcpy(b->lists[x], list, bytes, hipMemcpyHostToDevice);
  free(list);
  return result;
}

/* Parts that are not written show: they are NaN. */
static hipError_t open_parts(struct buffers *b, const struct problem *p,
                             const struct gemm_kernel *k)
{
  size_t bytes = (size_t)p->m * p->n * p->batch * k->split * type_bytes(k->sum);
  hipError_t result = hipMalloc(&b->parts, bytes);
  return result ? result : hipMemset(b->parts, 0xff, bytes);
}

int buffers_open(struct buffers *b, const struct problem *p,
                 const struct gemm_kernel *k, struct err *e)
{
  *b = (struct buffers){.parts = NULL};
  hipError_t result = hipSuccess;
  for (int x = 0; x < MATRICES && !result; x++) {
    result = hipMalloc(&b->x[x], problem_elements(p, x) * element(k, x));
    if (!result && k->general)
      result = open_list(b, p, k, x);
  }
  if (!result && k->parts)
    result = open_parts(b, p, k);
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
  (void)hipFree(b->parts);
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

unsigned device_cus(void)
{
  int n = 0;
  (void)hipDeviceGetAttribute(&n, hipDeviceAttributeMultiprocessorCount, 0);
  return (unsigned)n;
}

/* Workgroups in the first dimension; persistent ones share all tiles. */
static uint32_t grid_x(const struct gemm_kernel *k, const struct problem *p)
{
  uint32_t all = tiles(k, p, 0) * tiles(k, p, 1);
  uint32_t most = device_cus() * k->persistent;
  if (!k->persistent)
    return tiles(k, p, 0);
  return all < most ? all : most;
}

/* For x / n as (high half of x * magic, plus x where bit 31 of the shift is
 * set) >> shift; exact while x * n is below 2^32. */
static uint32_t magic(uint32_t n)
{
  return n > 1 ? (uint32_t)(((uint64_t)1 << 32) / n) + 1 : 0;
}

static struct given whole64(const char *name, uint64_t value)
{
  return (struct given){name, {(uint32_t)value, (uint32_t)(value >> 32)}, 8};
}

static struct given number(const char *name, uint32_t value)
{
  return (struct given){name, {value}, 4};
}

/* Halves may come twice, to fill a register. */
static struct given scalar(const char *name, const struct gemm_kernel *k,
                           double complex value, uint32_t size)
{
  struct given g = {name, {0}, 0};
  char *to = (char *)g.words;
  pack(&value, 1, k->sum, to);
  g.bytes = type_bytes(k->sum);
  if (k->sum == 'H' && size == 4) {
    pack(&value, 1, k->sum, to + 2);
    g.bytes = 4;
  }
  return g;
}

/* What stands where D and C do belongs to the parts, where a kernel leaves
 * such. */
static int is_result(enum matrix x)
{
  return x == D || x == C;
}

/* In the order of the tensor's indices; most kernels take the first's as 1 and
 * do not ask for it. */
static struct given strides(const char *name, const struct problem *p,
                            const struct gemm_kernel *k, enum matrix x,
                            uint32_t size)
{
  int swap = x == A ? k->transposed[0] : x == B && k->transposed[1];
  const unsigned packed[] = {1, p->m, p->m * p->n};
  const unsigned *s = k->parts && is_result(x) ? packed : p->stride[x];
  unsigned first = s[swap], second = s[!swap];
  return size == 8 ? (struct given){name, {second, s[2]}, 8}
                   : (struct given){name, {first, second, s[2]}, 12};
}

static struct given address(const char *name, const struct buffers *b,
                            enum matrix x)
{
  void *at = b->parts && is_result(x) ? b->parts
             : b->lists[x]            ? b->lists[x]
                                      : b->x[x];
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
        scalar("Alpha", k, p->alpha, a->size),
        scalar("Beta", k, p->beta, a->size),
        strides("StridesD", p, k, D, a->size),
        strides("StridesC", p, k, C, a->size),
        strides("StridesA", p, k, A, a->size),
        strides("StridesB", p, k, B, a->size),
        {"SizesFree", {p->m, p->n, p->batch}, 12},
        number("SizesSum", p->k),
        number("OrigStaggerUIter", stagger(k, p)),
        number("NumWorkGroups0", tiles(k, p, 0)),
        number("NumWorkGroups1", tiles(k, p, 1)),
        number("GridNumWorkGroups0", grid_x(k, p)),
        number("MagicNumberProblemNumGroupTiles0", magic(tiles(k, p, 0))),
        number("MagicShiftProblemNumGroupTiles0",
               tiles(k, p, 0) > 1 ? 0 : 1u << 31),
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

int kernel_launch(hipModule_t module, const char *name,
                  const unsigned grid[3], unsigned threads, void *args,
                  size_t bytes, struct err *e)
{
  hipFunction_t f;
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, args,
                   HIP_LAUNCH_PARAM_BUFFER_SIZE, &bytes, HIP_LAUNCH_PARAM_END};
  int code = hip_check(hipModuleGetFunction(&f, module, name),
                       "hipModuleGetFunction", e);
  if (!code)
    code = hip_check(hipModuleLaunchKernel(f, grid[0], grid[1], grid[2],
                                           threads, 1, 1, 0, NULL, NULL,
                                           extra),
                     "hipModuleLaunchKernel", e);
  if (!code)
    code = hip_check(hipDeviceSynchronize(), "hipDeviceSynchronize", e);
  return code;
}

void kernel_grid(const struct gemm_kernel *k, const struct problem *p,
                 unsigned grid[3])
{
  grid[0] = grid_x(k, p);
  grid[1] = k->persistent ? 1 : tiles(k, p, 1) * k->split;
  grid[2] = p->batch;
}

int kernel_run(hipModule_t module, const struct gemm_kernel *k,
               const struct problem *p, const struct buffers *b,
               struct err *e)
{
  uint8_t *args = mem_alloc(k->kernarg);
  unsigned grid[3];
  kernel_grid(k, p, grid);
  int code = fill(k, p, b, args, e);
  if (!code)
    code = kernel_launch(module, k->name, grid, k->threads, args, k->kernarg,
                         e);
  free(args);
  return code;
}
