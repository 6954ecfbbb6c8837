/* hip.c - libraries that are missing, or are something else. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "tuner/device/hip.h"

static void missing_libraries_are_said(void **state)
{
  (void)state;
  struct hip h;
  struct rtc r;
  struct err e = {0};
  assert_int_equal(hip_open(&h, "/nowhere/libhip.so", &e), ERR_FAILED);
  assert_non_null(strstr(e.text, "/nowhere/libhip.so"));
  assert_int_equal(rtc_open(&r, "/nowhere/librtc.so", &e), ERR_FAILED);
  assert_non_null(strstr(e.text, "/nowhere/librtc.so"));
}

static void other_libraries_are_refused(void **state)
{
  (void)state;
  struct hip h;
  struct rtc r;
  struct err e = {0};
  assert_int_equal(hip_open(&h, "libm.so.6", &e), ERR_FAILED);
  assert_non_null(strstr(e.text, "libm.so.6: has no hipInit"));
  assert_int_equal(rtc_open(&r, "libm.so.6", &e), ERR_FAILED);
  assert_non_null(strstr(e.text, "libm.so.6: has no hiprtcVersion"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(missing_libraries_are_said),
      cmocka_unit_test(other_libraries_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
