/* emitted.c - launches what `tune emit gemm --json` printed, by that alone.
 *
 *   cc -D__HIP_PLATFORM_AMD__ emitted.c -lamdhip64 -ljansson -lm
 *   emitted FILE
 *
 * Reads one object, compiles its text, makes the buffers, runs the launches
 * in their order, and compares c with the product by its definition. Knows
 * nothing of tune.
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
  const char *name;
  size_t bytes;
  void *device;
  float *host; /* as it was before the launches */
};

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

/* What is read gets small whole numbers, so that sums are exact; what is only
 * written, and scratch, a NaN. */
static struct buffer make(const json_t *o)
{
  struct buffer b = {.name = text(o, "name"),
                     .bytes = (size_t)integer(o, "bytes")};
  const char *role = text(o, "role");
  size_t n = (size_t)integer(o, "elements");
  NEED("only f32 here", !strcmp(text(o, "type"), "f32") && n * 4 == b.bytes);
  int read = !strcmp(role, "in") || !strcmp(role, "inout");
  b.host = malloc(b.bytes);
  for (size_t i = 0; i < n; i++)
    b.host[i] = read ? (float)(rand() % 9 - 4) : NAN;
  HIP(hipMalloc(&b.device, b.bytes));
  HIP(hipMemcpy(b.device, b.host, b.bytes, hipMemcpyHostToDevice));
  return b;
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
  if (!strcmp(type, "buffer"))
    return (union slot){.p = find(list, n, text(o, "name"))->device};
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

/* Row-major; a letter t of the layout means that the matrix is transposed. */
static double product(const json_t *p, const struct buffer *a,
                      const struct buffer *b, long long row, long long column)
{
  const char *layout = text(p, "layout");
  long long lda = integer(p, "lda"), ldb = integer(p, "ldb");
  double sum = 0;
  for (long long k = 0; k < integer(p, "k"); k++)
    sum += (double)a->host[layout[0] == 't' ? k * lda + row : row * lda + k]
           * b->host[layout[1] == 't' ? column * ldb + k : k * ldb + column];
  return sum;
}

static size_t wrong(const json_t *p, const struct buffer *list, size_t n)
{
  const struct buffer *a = find(list, n, "a"), *b = find(list, n, "b");
  const struct buffer *c = find(list, n, "c");
  double alpha = number(p, "alpha"), beta = number(p, "beta");
  float *got = malloc(c->bytes);
  size_t bad = 0;
  HIP(hipMemcpy(got, c->device, c->bytes, hipMemcpyDeviceToHost));
  for (long long row = 0; row < integer(p, "m"); row++)
    for (long long column = 0; column < integer(p, "n"); column++) {
      long long i = row * integer(p, "ldc") + column;
      double old = beta != 0 ? beta * c->host[i] : 0;
      double want = alpha * product(p, a, b, row, column) + old;
      bad += !(got[i] == (float)want);
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
  size_t n = json_array_size(buffers);
  NEED("buffers", n > 0 && n <= BUFFERS);
  NEED("launches", json_array_size(launches) > 0);
  hipModule_t module = compile(o);
  for (size_t i = 0; i < n; i++)
    list[i] = make(json_array_get(buffers, i));
  for (size_t i = 0; i < json_array_size(launches); i++)
    launch(module, json_array_get(launches, i), list, n);
  HIP(hipDeviceSynchronize());
  size_t bad = wrong(problem, list, n);
  printf("%zu launches, %zu buffers, %zu of %lld wrong\n",
         json_array_size(launches), n, bad,
         integer(problem, "m") * integer(problem, "n"));
  for (size_t i = 0; i < n; i++) {
    HIP(hipFree(list[i].device));
    free(list[i].host);
  }
  json_decref(o);
  return bad != 0;
}
