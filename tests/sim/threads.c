/* threads.c - one launch on several threads: atomics, determinism, faults.
 *
 * `./check threads` runs this under ThreadSanitizer.
 */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/sim/launch.h"

enum { GROUPS = 97, THREADS = 128, ALL = GROUPS * THREADS, CREW = 4,
       TIMES = 5 };

static const char kernels[] =
    "typedef unsigned int u32;\n"
    "typedef unsigned long long u64;\n"
    "#define I (blockIdx.x * blockDim.x + threadIdx.x)\n"

    /* Each thread once to every cell, in every way there is. */
    "extern \"C\" __global__ void totals(u32 *out, u64 *wide)\n"
    "{\n"
    "  atomicAdd(&out[0], I);\n"
    "  atomicMax(&out[1], I * 2654435761u);\n"
    "  atomicXor(&out[2], 1u << I % 32);\n"
    "  atomicInc(&out[3], 999);\n"
    "  atomicAdd(&out[4 + I % 7], 1u);\n"
    "  atomicAdd(wide, (u64)I << 20);\n"
    "  u32 old = *(volatile u32 *)&out[16], seen;\n"
    "  do {\n"
    "    seen = old;\n"
    "    old = atomicCAS(&out[16], seen, seen * 3 + 1);\n"
    "  } while (old != seen);\n"
    "}\n"

    /* LDS, a barrier, and an array that has to lie in private memory. */
    "extern \"C\" __global__ void mix(u32 *out, u64 *wide)\n"
    "{\n"
    "  __shared__ u32 row[128];\n"
    "  volatile u32 own[40];\n"
    "  for (int n = 0; n < 40; n++)\n"
    "    own[n] = I * 40 + n;\n"
    "  row[threadIdx.x] = own[I % 40];\n"
    "  __syncthreads();\n"
    "  u32 x = 0;\n"
    "  for (int n = 0; n < 128; n++)\n"
    "    x = x * 31 + row[(n + threadIdx.x) % 128];\n"
    "  out[I] = x + own[(x >> 7) % 40];\n"
    "}\n"

    /* The last workgroup to come adds up what the others left. */
    "extern \"C\" __global__ void last(u32 *out, u64 *wide)\n"
    "{\n"
    "  __shared__ u32 ticket;\n"
    "  out[64 + I] = I + 1;\n"
    "  __threadfence();\n"
    "  __syncthreads();\n"
    "  if (threadIdx.x == 0)\n"
    "    ticket = atomicAdd(&out[0], 1u);\n"
    "  __syncthreads();\n"
    "  if (ticket != gridDim.x - 1 || threadIdx.x)\n"
    "    return;\n"
    "  __threadfence();\n"
    "  for (u32 n = 0; n < gridDim.x * blockDim.x; n++)\n"
    "    out[1] += out[64 + n];\n"
    "}\n"

    /* Each workgroup waits for the one before it. */
    "extern \"C\" __global__ void chain(u32 *out, u64 *wide)\n"
    "{\n"
    "  if (threadIdx.x == 0) {\n"
    "    while (atomicAdd(&out[0], 0u) != blockIdx.x)\n"
    "      ;\n"
    "    out[64 + blockIdx.x] = blockIdx.x ? 2 * out[63 + blockIdx.x] + 1\n"
    "                                      : 1;\n"
    "    __threadfence();\n"
    "    atomicAdd(&out[0], 1u);\n"
    "  }\n"
    "}\n"

    /* Each waits for all of them. */
    "extern \"C\" __global__ void meet(u32 *out, u64 *wide)\n"
    "{\n"
    "  if (threadIdx.x == 0) {\n"
    "    atomicAdd(&out[0], 1u);\n"
    "    while (atomicAdd(&out[0], 0u) != gridDim.x)\n"
    "      ;\n"
    "    out[64 + blockIdx.x] = out[0] + blockIdx.x;\n"
    "  }\n"
    "}\n"

    /* Workgroups 41, 42, ... are at fault. */
    "extern \"C\" __global__ void stray(u32 *out, u64 *wide)\n"
    "{\n"
    "  out[blockIdx.x > 40 ? (1 << 24) + blockIdx.x : I] = I;\n"
    "}\n";

struct state {
  struct rtc rtc;
  struct device dev;
  uint32_t *out;
  uint64_t *wide;
};

enum {OUT = 1 << 20};

static int open_device(void **state)
{
  static struct state s;
  if (rtc_open(&s.rtc) || device_open(&s.dev, &s.rtc, kernels))
    return -1;
  s.out = arena_alloc(s.dev.arena, OUT);
  s.wide = arena_alloc(s.dev.arena, 64);
  *state = &s;
  return 0;
}

static int close_device(void **state)
{
  struct state *s = *state;
  device_close(&s->dev);
  return 0;
}

static int run(struct state *s, const char *name, unsigned threads,
               struct counts *counts, struct fault *fault)
{
  const struct {
    void *out, *wide;
  } args = {s->out, s->wide};
  struct dispatch d;
  memset(s->out, 0, OUT);
  memset(s->wide, 0, 64);
  *counts = (struct counts){0};
  *fault = (struct fault){0};
  assert_int_equal(device_prepare(&s->dev, &d, name, GROUPS, THREADS, &args,
                                  sizeof args), 0);
  d.limit = 1 << 24;
  int code = dispatch_run(&d, threads, counts, fault);
  device_finish(&d);
  return code;
}

static void run_well(struct state *s, const char *name, unsigned threads)
{
  struct counts counts;
  struct fault fault;
  int code = run(s, name, threads, &counts, &fault);
  if (code)
    print_message("%s\n", fault.text);
  assert_int_equal(code, 0);
  assert_int_equal(counts.waves, ALL / 64);
}

static void test_atomics(void **state)
{
  struct state *s = *state;
  uint32_t most = 0, bits = 0, chain = 0;
  for (uint32_t n = 0; n < ALL; n++) {
    uint32_t x = n * 2654435761u;
    most = x > most ? x : most;
    bits ^= 1u << n % 32;
    chain = chain * 3 + 1;
  }
  for (int time = 0; time < TIMES; time++) {
    run_well(s, "totals", CREW);
    assert_int_equal(s->out[0], (uint32_t)(ALL / 2 * (ALL - 1)));
    assert_int_equal(s->out[1], most);
    assert_int_equal(s->out[2], bits);
    assert_int_equal(s->out[3], ALL % 1000);
    for (uint32_t n = 0; n < 7; n++)
      assert_int_equal(s->out[4 + n], (ALL + 6 - n) / 7);
    assert_int_equal(s->wide[0], (uint64_t)(ALL / 2) * (ALL - 1) << 20);
    assert_int_equal(s->out[16], chain);
  }
}

static void test_same_bits(void **state)
{
  static uint32_t one[ALL];
  struct state *s = *state;
  run_well(s, "mix", 1);
  memcpy(one, s->out, sizeof one);
  for (int time = 0; time < TIMES; time++) {
    run_well(s, "mix", CREW);
    assert_memory_equal(s->out, one, sizeof one);
  }
}

static void test_groups_wait(void **state)
{
  struct state *s = *state;
  for (int time = 0; time < TIMES; time++) {
    run_well(s, "last", CREW);
    assert_int_equal(s->out[1], (uint32_t)(ALL / 2 * (ALL + 1)));
    run_well(s, "chain", CREW);
    uint32_t x = 1;
    for (uint32_t n = 0; n < GROUPS; n++, x = 2 * x + 1)
      assert_int_equal(s->out[64 + n], x);
    run_well(s, "meet", CREW);
    for (uint32_t n = 0; n < GROUPS; n++)
      assert_int_equal(s->out[64 + n], GROUPS + n);
  }
}

static void test_first_fault(void **state)
{
  struct state *s = *state;
  struct counts counts;
  struct fault one, many;
  run(s, "stray", 1, &counts, &one);
  assert_int_equal(one.code, FAULT_ADDRESS);
  assert_int_equal(counts.waves, 41 * (THREADS / 64));
  for (int time = 0; time < TIMES; time++) {
    assert_int_equal(run(s, "stray", CREW, &counts, &many), FAULT_ADDRESS);
    assert_string_equal(many.text, one.text);
    for (uint32_t n = 0; n < 41 * THREADS; n++)
      assert_int_equal(s->out[n], n);
  }
}

static void test_counts(void **state)
{
  static const char *const names[] = {"mix", "last"};
  struct state *s = *state;
  struct counts one, many;
  struct fault fault;
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    assert_int_equal(run(s, names[k], 1, &one, &fault), 0);
    assert_int_equal(run(s, names[k], CREW, &many, &fault), 0);
    assert_memory_equal(&one, &many, sizeof one);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_atomics),
    cmocka_unit_test(test_same_bits),
    cmocka_unit_test(test_groups_wait),
    cmocka_unit_test(test_first_fault),
    cmocka_unit_test(test_counts),
  };
  return cmocka_run_group_tests(tests, open_device, close_device);
}
