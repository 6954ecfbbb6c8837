/* emitted.c - launches what `tune emit gemm --json` printed, by that alone.
 *
 *   cc -D__HIP_PLATFORM_AMD__ emitted.c -lamdhip64 -ljansson -lm
 *   emitted FILE [A B]
 *
 * Reads one object, compiles its text, makes the buffers, each where it is no
 * better aligned than it must be, and between guards, runs the launches in their
 * order, and compares c with the product by its definition. Elements of a and b
 * are small whole numbers, or all A and all B: sums are exact. Knows nothing of
 * tune.
 */
// SPDX-License-Identifier: MIT
#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>
#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {BUFFERS = 8, ARGS = 32};

#define NEED(what, condition)                                                \
  do {                                                                       \
    if (!(condition)) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, what);              \
      exit(1);                                                               \
    }                                                                        \
  } while (0)
#define HIP(call) NEED(hipGetErrorString(hipGetLastError()), (call) == 0)
#define RTC(call) NEED(#call, (call) == HIPRTC_SUCCESS)

struct buffer {
  const char *name, *type;
  size_t elements, bytes, align;
  char *base, *device;      /* what was allocated; where the buffer begins */
  unsigned char *host;      /* as it was before the launches */
  void **pointers; /* on the device, to its parts; NULL: there are none ... */
  size_t stride;   /* ... between which so many elements are */
};

enum {GUARD = 512, CANARY = 0xc5};

union slot {
  void *p;
  int32_t i32;
  int64_t i64;
  float f32;
};

static const char *text(const json_t *o, const char *name)
{
  const char *value = json_string_value(json_object_get(o, name));
  NEED(name, value);
  return value;
}

static long long integer(const json_t *o, const char *name)
{
  const json_t *value = json_object_get(o, name);
  NEED(name, json_is_integer(value));
  return json_integer_value(value);
}

static double number(const json_t *o, const char *name)
{
  const json_t *value = json_object_get(o, name);
  NEED(name, json_is_number(value));
  return json_number_value(value);
}

static hipModule_t compile(const json_t *o)
{
  hiprtcProgram program;
  hipModule_t module;
  char target[64];
  const char *options[] = {target};
  size_t size;
  snprintf(target, sizeof target, "--gpu-architecture=%s", text(o, "arch"));
  RTC(hiprtcCreateProgram(&program, text(o, "text"), "emitted", 0, NULL,
                          NULL));
  RTC(hiprtcCompileProgram(program, 1, options));
  RTC(hiprtcGetCodeSize(program, &size));
  char *code = malloc(size);
  RTC(hiprtcGetCode(program, code));
  HIP(hipModuleLoadData(&module, code));
  RTC(hiprtcDestroyProgram(&program));
  free(code);
  return module;
}

/* --- elements ------------------------------------------------------------ */

static double load(const struct buffer *b, const void *from, size_t i)
{
  const char *at = (const char *)from + i * (b->bytes / b->elements);
  if (!strcmp(b->type, "f32"))
    return (double)*(const float *)at;
  if (!strcmp(b->type, "f16"))
    return (double)*(const _Float16 *)at;
  if (!strcmp(b->type, "i32"))
    return *(const int32_t *)at;
  if (!strcmp(b->type, "i8"))
    return *(const int8_t *)at;
  NEED(b->type, !strcmp(b->type, "bf16"));
  uint32_t bits = (uint32_t)*(const uint16_t *)at << 16;
  float f;
  memcpy(&f, &bits, sizeof f);
  return (double)f;
}

/* The nearest of the type; of integers modulo 2^32. */
static void store(const struct buffer *b, void *to, size_t i, double x)
{
  char *at = (char *)to + i * (b->bytes / b->elements);
  float f = (float)x;
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  if (!strcmp(b->type, "f32"))
    *(float *)at = f;
  else if (!strcmp(b->type, "f16"))
    *(_Float16 *)at = (_Float16)x;
  else if (!strcmp(b->type, "i32"))
    *(uint32_t *)at = (uint32_t)(int64_t)x;
  else if (!strcmp(b->type, "i8"))
    *(int8_t *)at = (int8_t)x;
  else /* bf16: of two the even one */
    *(uint16_t *)at = (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/* --- buffers ------------------------------------------------------------- */

/* What is read gets small whole numbers, or `all`; what is only written, and
 * scratch, bytes that are a NaN of every type. */
static void fill(struct buffer *b, const char *role, const double *all)
{
  int read = !strcmp(role, "in") || !strcmp(role, "inout");
  memset(b->host, 0xff, b->bytes);
  for (size_t i = 0; i < b->elements && read; i++)
    store(b, b->host, i, all ? *all : rand() % 9 - 4);
}

/* Where the buffer is one of pointers to its parts, these lie behind it. */
static void point(const json_t *o, struct buffer *b)
{
  const json_t *pointers = json_object_get(o, "pointers");
  if (!pointers)
    return;
  size_t n = (size_t)json_integer_value(pointers);
  b->stride = (size_t)integer(o, "stride");
  size_t step = b->stride * (b->bytes / b->elements);
  char **list = malloc(n * sizeof *list);
  for (size_t i = 0; i < n; i++)
    list[i] = b->device + i * step;
  HIP(hipMalloc((void **)&b->pointers, n * sizeof *list));
  HIP(hipMemcpy(b->pointers, list, n * sizeof *list, hipMemcpyHostToDevice));
  free(list);
}

static struct buffer make(const json_t *o, const double *all)
{
  struct buffer b = {.name = text(o, "name"),
                     .type = text(o, "type"),
                     .elements = (size_t)integer(o, "elements"),
                     .bytes = (size_t)integer(o, "bytes"),
                     .align = (size_t)integer(o, "align")};
  NEED("align", b.align > 0 && b.align < GUARD);
  b.host = malloc(b.bytes);
  fill(&b, text(o, "role"), all);
  HIP(hipMalloc((void **)&b.base, b.bytes + 3 * GUARD));
  HIP(hipMemset(b.base, CANARY, b.bytes + 3 * GUARD));
  b.device = b.base + GUARD + b.align;
  HIP(hipMemcpy(b.device, b.host, b.bytes, hipMemcpyHostToDevice));
  point(o, &b);
  return b;
}

/* Bytes around it that were written. */
static size_t trampled(const struct buffer *b)
{
  size_t all = b->bytes + 3 * GUARD, before = GUARD + b->align, bad = 0;
  unsigned char *got = malloc(all);
  HIP(hipMemcpy(got, b->base, all, hipMemcpyDeviceToHost));
  for (size_t i = 0; i < all; i++)
    bad += got[i] != CANARY && (i < before || i >= before + b->bytes);
  free(got);
  return bad;
}

static const struct buffer *find(const struct buffer *list, size_t n,
                                 const char *name)
{
  for (size_t i = 0; i < n; i++)
    if (!strcmp(list[i].name, name))
      return &list[i];
  NEED(name, 0);
  return NULL;
}

static union slot argument(const json_t *o, const struct buffer *list,
                           size_t n)
{
  const char *type = text(o, "type");
  if (!strcmp(type, "buffer")) {
    const struct buffer *b = find(list, n, text(o, "name"));
    return (union slot){.p = b->pointers ? (void *)b->pointers : b->device};
  }
  if (!strcmp(type, "i32"))
    return (union slot){.i32 = (int32_t)integer(o, "value")};
  if (!strcmp(type, "i64"))
    return (union slot){.i64 = integer(o, "value")};
  NEED(type, !strcmp(type, "f32"));
  return (union slot){.f32 = (float)number(o, "value")};
}

static unsigned extent(const json_t *o, const char *name, size_t i)
{
  return (unsigned)json_integer_value(
      json_array_get(json_object_get(o, name), i));
}

static void launch(hipModule_t module, const json_t *o,
                   const struct buffer *list, size_t n)
{
  const json_t *args = json_object_get(o, "args");
  union slot slots[ARGS];
  void *params[ARGS];
  hipFunction_t kernel;
  NEED("args", json_array_size(args) <= ARGS);
  for (size_t i = 0; i < json_array_size(args); i++) {
    slots[i] = argument(json_array_get(args, i), list, n);
    params[i] = &slots[i];
  }
  HIP(hipModuleGetFunction(&kernel, module, text(o, "kernel")));
  HIP(hipModuleLaunchKernel(
      kernel, extent(o, "grid", 0), extent(o, "grid", 1), extent(o, "grid", 2),
      extent(o, "block", 0), extent(o, "block", 1), extent(o, "block", 2),
      (unsigned)integer(o, "dynamic_lds"), NULL, params, NULL));
}

/* --- the product --------------------------------------------------------- */

/* A key that is left out of a problem where it is 0. */
static long long optional(const json_t *p, const char *name)
{
  return json_integer_value(json_object_get(p, name));
}

/* Where matrix z of a batch begins. */
static long long first(const json_t *p, const struct buffer *b,
                       const char *stride, long long z)
{
  return z * (b->pointers ? (long long)b->stride : optional(p, stride));
}

/* Element i of a or b. A byte of i4 holds two, the lower half first. */
static double element(const json_t *p, const struct buffer *b, long long i)
{
  if (strcmp(text(p, "dtype"), "i4"))
    return load(b, b->host, (size_t)i);
  int byte = b->host[i / 2], half = i % 2 ? byte >> 4 : byte & 15;
  return half < 8 ? half : half - 16;
}

/* Row-major; a letter t of the layout means that the matrix is transposed. */
static double product(const json_t *p, const struct buffer *a,
                      const struct buffer *b, long long z, long long row,
                      long long column)
{
  const char *layout = text(p, "layout");
  long long lda = integer(p, "lda"), ldb = integer(p, "ldb");
  long long first_a = first(p, a, "stride_a", z);
  long long first_b = first(p, b, "stride_b", z);
  double sum = 0;
  for (long long k = 0; k < integer(p, "k"); k++)
    sum += element(p, a, first_a + (layout[0] == 't' ? k * lda + row
                                                      : row * lda + k)) *
           element(p, b, first_b + (layout[1] == 't' ? column * ldb + k
                                                      : k * ldb + column));
  return sum;
}

static int same(const struct buffer *c, const void *got, size_t i, double want)
{
  size_t size = c->bytes / c->elements;
  char bytes[8] = {0};
  struct buffer one = {.type = c->type, .elements = 1, .bytes = size};
  store(&one, bytes, 0, want);
  return load(&one, bytes, 0) == load(c, got, i);
}

/* Elements of C that are wrong; *all counts them. */
static size_t wrong(const json_t *p, const struct buffer *list, size_t n,
                    size_t *all)
{
  const struct buffer *a = find(list, n, "a"), *b = find(list, n, "b");
  const struct buffer *c = find(list, n, "c");
  double alpha = number(p, "alpha"), beta = number(p, "beta");
  long long batch = optional(p, "batch") ? optional(p, "batch") : 1;
  char *got = malloc(c->bytes);
  size_t bad = 0;
  *all = 0;
  HIP(hipMemcpy(got, c->device, c->bytes, hipMemcpyDeviceToHost));
  for (long long z = 0; z < batch; z++)
    for (long long row = 0; row < integer(p, "m"); row++)
      for (long long column = 0; column < integer(p, "n"); column++, ++*all) {
        size_t i = (size_t)(first(p, c, "stride_c", z) +
                            row * integer(p, "ldc") + column);
        double old = beta != 0 ? beta * load(c, c->host, i) : 0;
        double sum = alpha != 0 ? alpha * product(p, a, b, z, row, column) : 0;
        bad += !same(c, got, i, sum + old);
      }
  free(got);
  return bad;
}

int main(int argc, char **argv)
{
  json_error_t error;
  struct buffer list[BUFFERS];
  json_t *o = argc > 1 ? json_load_file(argv[1], 0, &error) : NULL;
  NEED("no JSON", o);
  const json_t *buffers = json_object_get(o, "buffers");
  const json_t *launches = json_object_get(o, "launches");
  const json_t *problem = json_object_get(o, "problem");
  size_t n = json_array_size(buffers), around = 0, all;
  NEED("buffers", n > 0 && n <= BUFFERS);
  NEED("launches", json_array_size(launches) > 0);
  hipModule_t module = compile(o);
  double values[2];
  for (int i = 0; i < 2 && argc > 3; i++)
    values[i] = atof(argv[2 + i]);
  for (size_t i = 0; i < n; i++)
    list[i] = make(json_array_get(buffers, i),
                   argc > 3 && i < 2 ? &values[i] : NULL);
  for (size_t i = 0; i < json_array_size(launches); i++)
    launch(module, json_array_get(launches, i), list, n);
  HIP(hipDeviceSynchronize());
  size_t bad = wrong(problem, list, n, &all);
  for (size_t i = 0; i < n; i++)
    around += trampled(&list[i]);
  printf("%zu launches, %zu buffers, %zu of %zu wrong%s\n",
         json_array_size(launches), n, bad, all,
         around ? ", and memory around buffers was written" : "");
  for (size_t i = 0; i < n; i++) {
    HIP(hipFree(list[i].base));
    HIP(hipFree(list[i].pointers));
    free(list[i].host);
  }
  json_decref(o);
  return bad != 0 || around != 0;
}
