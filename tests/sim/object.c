/* object.c - loading code objects: real ones, and damaged ones. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "tests/sim/launch.h"

static const char source[] =
    "__device__ int table[100] = {1, 2, 3};\n"
    "__device__ int *where = &table[2];\n"
    "struct five { int x[5]; };\n"
    "extern \"C\" __global__ __launch_bounds__(128) void first(int *out,\n"
    "    float a, short b, double c, struct five d)\n"
    "{\n"
    "  __shared__ int local[300];\n"
    "  local[threadIdx.x] = b;\n"
    "  __syncthreads();\n"
    "  out[threadIdx.x] = (int)a + local[threadIdx.x ^ 1] + (int)c + d.x[4]\n"
    "      + table[threadIdx.x] + *where;\n"
    "}\n"
    "extern \"C\" __global__ void second(int *out)\n"
    "{\n"
    "  volatile int private_[40];\n"
    "  private_[threadIdx.x & 31] = 1;\n"
    "  out[0] = private_[3];\n"
    "}\n"
    "extern \"C\" __device__ __attribute__((noinline)) void poke(int *p)\n"
    "{\n"
    "  *p = 1;\n"
    "}\n"
    "extern \"C\" __global__ void strays(int *out)\n"
    "{\n"
    "  poke(out);\n"
    "}\n";

static struct arena *arena;
static char *code;
static size_t size;

static int setup(void **state)
{
  struct rtc r;
  (void)state;
  arena = arena_open((uint64_t)1 << 32);
  if (!arena)
    return -1;
  if (rtc_open(&r))
    fprintf(stderr, "skipped: no hiprtc (Debian package libamdhip64-5)\n");
  else
    code = rtc_compile(&r, source, &size);
  return r.library && !code ? -1 : 0;
}

static int teardown(void **state)
{
  (void)state;
  free(code);
  arena_close(arena);
  return 0;
}

static struct object *load(void)
{
  struct err e = {0};
  struct object *o;
  if (!code)
    skip();
  if (object_load(&o, arena, isa_at(0), code, size, exec_bind, &e))
    fail_msg("%s", e.text);
  return o;
}

static void test_kernels(void **state)
{
  (void)state;
  struct object *o = load();
  const struct kernel *k = object_kernel(o, "first");
  assert_non_null(k);
  assert_non_null(object_kernel(o, "second"));
  assert_null(object_kernel(o, "third"));
  assert_int_equal(k->lds, 1200);
  assert_int_equal(k->scratch, 0);
  assert_true(object_kernel(o, "second")->scratch >= 128);
  assert_int_equal(k->max_threads, 128);
  assert_int_equal(k->vgprs % 4, 0);
  assert_int_equal(k->sgprs % 16, 0);
  assert_true(k->nargs >= 5);
  static const uint32_t offsets[] = {0, 8, 12, 16, 24};
  static const uint32_t sizes[] = {8, 4, 2, 8, 20};
  for (int n = 0; n < 5; n++) {
    assert_int_equal(k->args[n].offset, offsets[n]);
    assert_int_equal(k->args[n].size, sizes[n]);
  }
  assert_string_equal(k->args[0].kind, "global_buffer");
  assert_string_equal(k->args[4].kind, "by_value");
  assert_true(k->kernarg_size >= 44);
  object_free(o);
}

static void test_variables(void **state)
{
  (void)state;
  struct object *o = load();
  size_t bytes = 0;
  uint64_t table = object_symbol(o, "table", &bytes);
  assert_int_equal(bytes, 400);
  assert_int_equal(((int *)(uintptr_t)table)[2], 3);
  uint64_t where = object_symbol(o, "where", &bytes);
  assert_int_equal(bytes, 8);
  /* a pointer in data is relocated to where the image lies */
  assert_int_equal(*(uint64_t *)(uintptr_t)where, table + 8);
  assert_int_equal(object_symbol(o, "nothing", &bytes), 0);
  object_free(o);
}

/* A fault's place is of use by the name of the function that it is in. */
static void test_functions(void **state)
{
  (void)state;
  struct object *o = load();
  const struct device device = {arena, o};
  struct dispatch d;
  struct fault fault = {0};
  const int *nowhere = NULL;
  assert_int_equal(device_prepare(&device, &d, "strays", 1, 64, &nowhere,
                                  sizeof nowhere), 0);
  assert_int_equal(dispatch_run(&d, 1, NULL, &fault), FAULT_ADDRESS);
  if (!strstr(fault.text, "kernel strays,") ||
      !strstr(fault.text, ": flat_store_dword in poke+0x"))
    fail_msg("no 'in poke' in: %s", fault.text);
  device_finish(&d);
  object_free(o);
}

static void refused(const char *bytes, size_t n, int expected,
                    const char *words)
{
  struct err e = {0};
  struct object *o;
  assert_int_equal(object_load(&o, arena, isa_at(0), bytes, n, exec_bind, &e), expected);
  assert_null(o);
  if (!strstr(e.text, words))
    fail_msg("no '%s' in: %s", words, e.text);
}

static void test_refused(void **state)
{
  (void)state;
  refused("", 0, ERR_FAILED, "not an ELF file");
  refused("#!/bin/sh\n", 10, ERR_FAILED, "not an ELF file");
  if (!code)
    skip();
  char *copy = malloc(size);
  memcpy(copy, code, size);
  copy[48] = 0x30; /* e_flags: gfx908 */
  refused(copy, size, ERR_USAGE, "--offload-arch=gfx906");
  copy[48] = 0x2c; /* gfx900: a real gfx906 refuses it too */
  refused(copy, size, ERR_USAGE, "--offload-arch=gfx906");
  copy[48] = 0x2f, copy[18] = 62; /* e_machine: x86-64 */
  refused(copy, size, ERR_FAILED, "no code object");
  memcpy(copy, code, size);
  copy[8] = 0; /* ABI version 2 */
  refused(copy, size, ERR_USAGE, "-mcode-object-version");
  refused(code, 100, ERR_FAILED, "damaged");
  free(copy);
}

/* LLVM: "Generic Processors": code for gfx900 to gfx90c, whose flags have a
 * version in their top byte. */
static void test_generic(void **state)
{
  struct object *o;
  struct err e = {0};
  (void)state;
  if (!code)
    skip();
  char *copy = malloc(size);
  memcpy(copy, code, size);
  copy[8] = 4; /* code object version 6 */
  copy[48] = 0x51, copy[51] = 1;
  assert_int_equal(object_load(&o, arena, isa_at(0), copy, size, exec_bind, &e), 0);
  object_free(o);
  free(copy);
}

/* Bytes changed, inserted as zeros or cut off: an error or a good object, no
 * crash and nothing left in the device's memory. */
static void test_damaged(void **state)
{
  (void)state;
  if (!code)
    skip();
  struct rng rng;
  rng_seed(&rng, 5);
  uint64_t before, after, total;
  arena_space(arena, &before, &total);
  char *copy = malloc(size);
  int good = 0;
  for (int n = 0; n < 3000; n++) {
    struct err e = {0};
    struct object *o;
    memcpy(copy, code, size);
    for (uint64_t k = rng_below(&rng, 8) + 1; k; k--) {
      /* the headers and the note more often than the code */
      uint64_t range = rng_below(&rng, 2) ? 0x600 : size;
      uint64_t at = rng_below(&rng, range < size ? range : size);
      copy[at] = (char)(rng_below(&rng, 3) ? rng_next(&rng) : 0xff);
    }
    size_t cut = rng_below(&rng, 4) ? size : rng_below(&rng, size);
    if (!object_load(&o, arena, isa_at(0), copy, cut, exec_bind, &e)) {
      good++;
      object_free(o);
    } else {
      assert_true(e.text[0]);
    }
  }
  arena_space(arena, &after, &total);
  assert_int_equal(before, after);
  print_message("%d of 3000 damaged objects still load\n", good);
  free(copy);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kernels),
      cmocka_unit_test(test_variables),
      cmocka_unit_test(test_functions),
      cmocka_unit_test(test_refused), cmocka_unit_test(test_generic),
      cmocka_unit_test(test_damaged),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
