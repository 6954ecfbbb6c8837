/* agpr_loop.c - sums in AGPRs are right behind a loop that was moved ahead in large
 * steps: one that leads past its end is undone, AGPRs as well (fast_forward.c).
 */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/sim/launch.h"

enum {THREADS = 256, TURNS = 5000};

static const char source[] =
    "extern \"C\" __global__ __launch_bounds__(256)\n"
    "void count(unsigned *out, int n)\n"
    "{\n"
    "  unsigned sum = threadIdx.x;\n"
    "  for (int i = 0; i < n; i++) {\n"
    "    asm volatile(\"\" : \"+a\"(sum));\n"
    "    sum++;\n"
    "    asm volatile(\"\" : \"+a\"(sum));\n"
    "    __builtin_amdgcn_s_barrier();\n"
    "  }\n"
    "  out[threadIdx.x] = sum;\n"
    "}\n";

static void test_counts(void **state)
{
  struct rtc r;
  struct device device;
  struct dispatch d;
  struct timing t;
  struct fault fault = {0};
  (void)state;
  if (rtc_open(&r)) {
    fprintf(stderr, "skipped: no hiprtc (Debian package libamdhip64-5)\n");
    skip();
  }
  assert_int_equal(device_open_for(&device, &r, isa_find("gfx90a"), source), 0);
  uint32_t *out = arena_alloc(device.arena, THREADS * sizeof *out);
  struct {uint32_t *out; int n;} args = {out, TURNS};
  assert_int_equal(device_prepare(&device, &d, "count", 1, THREADS, &args,
                                  sizeof args), 0);
  if (model_run(&d, card_find("mi50"), &t, NULL, &fault))
    fail_msg("%s", fault.text);
  timing_free(&t);
  for (uint32_t n = 0; n < THREADS; n++)
    assert_int_equal(out[n], n + TURNS);
  device_finish(&d);
  arena_free(device.arena, out);
  device_close(&device);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_counts)};
  return cmocka_run_group_tests_name("agpr_loop", tests, NULL, NULL);
}
