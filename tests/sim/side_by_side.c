/* side_by_side.c - waves of a group keep together behind a barrier, as a card's
 * do: what all read there, one of them writes anew a few hundred instructions
 * later with no barrier between. Such a kernel is wrong, works on cards, and is
 * in rocSOLVER (run_syevj).
 */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/sim/launch.h"

enum {THREADS = 512, SUMMED = 16};

static const char source[] =
    "extern \"C\" __global__ __launch_bounds__(512) void sums(unsigned *out)\n"
    "{\n"
    "  __shared__ unsigned part[16];\n"
    "  unsigned t = threadIdx.x, sum = 0, late = t;\n"
    "  if (t < 16)\n"
    "    part[t] = t + 1;\n"
    "  __syncthreads();\n"
    "#pragma unroll\n"
    "  for (int i = 0; i < 16; i++)\n"
    "    sum += part[i];\n"
    "  for (int i = 0; i < 50; i++)\n"
    "    late ^= late << 13, late ^= late >> 17, late ^= late << 5;\n"
    "  if (t < 16)\n"
    "    part[t] = late;\n"
    "  __syncthreads();\n"
    "  out[t] = sum + (part[t & 15] == 1);\n"
    "}\n";

static void all_read_before_one_writes(void **state)
{
  struct rtc r;
  struct device device;
  struct dispatch d;
  struct fault fault = {0};
  (void)state;
  if (rtc_open(&r)) {
    fprintf(stderr, "skipped: no hiprtc (Debian package libamdhip64-5)\n");
    skip();
  }
  assert_int_equal(device_open(&device, &r, source), 0);
  uint32_t *out = arena_alloc(device.arena, THREADS * sizeof *out);
  assert_int_equal(device_prepare(&device, &d, "sums", 1, THREADS, &out,
                                  sizeof out), 0);
  if (dispatch_run(&d, 1, NULL, &fault))
    fail_msg("%s", fault.text);
  for (int t = 0; t < THREADS; t++)
    assert_int_equal(out[t], SUMMED * (SUMMED + 1) / 2);
  device_finish(&d);
  arena_free(device.arena, out);
  device_close(&device);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_read_before_one_writes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
