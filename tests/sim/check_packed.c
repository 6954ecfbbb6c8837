/* check_packed.c - HIPSIM_CHECK=init of instructions on two numbers of 32 bits: the
 * half of a pair that is not taken may be what nobody wrote, the one that is may not.
 */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "runtimes/sim/check/check.h"
#include "tests/sim/launch.h"

enum {THREADS = 64};

#define KERNEL(name, halves)                                                 \
  "extern \"C\" __global__ void " name "(float *out)\n"                      \
  "{\n"                                                                      \
  "  float a, b;\n"                                                          \
  "  asm volatile(\"v_mov_b32 v10, 2.0\\n\\tv_mov_b32 v12, 1.0\\n\\t\"\n"    \
  "               \"v_mov_b32 v13, 4.0\\n\\t\"\n"                            \
  "               \"v_pk_mul_f32 v[14:15], v[12:13], v[10:11] " halves       \
  "\\n\\t\"\n"                                                               \
  "               \"v_mov_b32 %0, v14\\n\\tv_mov_b32 %1, v15\"\n"            \
  "               : \"=v\"(a), \"=v\"(b)\n"                                  \
  "               :: \"v10\", \"v11\", \"v12\", \"v13\", \"v14\", \"v15\");\n" \
  "  out[2 * threadIdx.x] = a + 1;\n"                                        \
  "  out[2 * threadIdx.x + 1] = b + 1;\n"                                    \
  "}\n"

static const char source[] = KERNEL("one_half", "op_sel_hi:[1,0]")
    KERNEL("both", "op_sel_hi:[1,1]");

static uint64_t findings(const struct device *d, const char *kernel, float *out)
{
  struct dispatch launch;
  struct fault fault = {0};
  char *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  struct check *c = check_open(CHECK_INIT, f);
  check_allocated(c, out, 2 * THREADS * sizeof *out);
  assert_int_equal(device_prepare(d, &launch, kernel, 1, THREADS, &out, sizeof out), 0);
  check_launch(c, &launch);
  if (dispatch_run(&launch, 1, NULL, &fault))
    fail_msg("%s", fault.text);
  check_launched(c);
  device_finish(&launch);
  uint64_t n = check_count(c, CHECK_INIT);
  check_close(c);
  fclose(f);
  free(text);
  return n;
}

static void test_halves(void **state)
{
  struct rtc r;
  struct device device;
  (void)state;
  if (rtc_open(&r)) {
    fprintf(stderr, "skipped: no hiprtc (Debian package libamdhip64-5)\n");
    skip();
  }
  assert_int_equal(device_open_for(&device, &r, isa_find("gfx90a"), source), 0);
  float *out = arena_alloc(device.arena, 2 * THREADS * sizeof *out);
  assert_int_equal(findings(&device, "one_half", out), 0);
  assert_true(out[2] == 3 && out[3] == 9);
  assert_true(findings(&device, "both", out) > 0);
  arena_free(device.arena, out);
  device_close(&device);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_halves)};
  return cmocka_run_group_tests_name("check_packed", tests, NULL, NULL);
}
