/* conditions.c - several readings as one, and as fields of a row. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/conditions/conditions.h"

static struct reading reading(double sclk, double temp, int throttle)
{
  return (struct reading){.sclk_mhz = sclk, .mclk_mhz = 1000, .power_w = 190,
                          .temp_c = temp, .throttle = throttle};
}

static void nothing_is_known_of_nothing(void **state)
{
  (void)state;
  struct conditions c = {0};
  struct reading r = conditions_fold(&c);
  assert_true(r.sclk_mhz == 0 && r.temp_c == 0);
  assert_int_equal(r.throttle, -1);
}

static void readings_are_folded(void **state)
{
  (void)state;
  struct conditions c = {0};
  const struct reading list[] = {
      reading(1725, 60, 0), reading(0, 0, -1), reading(1606, 72, THROTTLE_POWER),
      reading(1600, 71, THROTTLE_THERMAL)};
  for (size_t i = 0; i < 4; i++)
    conditions_add(&c, &list[i]);
  struct reading r = conditions_fold(&c);
  assert_true(r.sclk_mhz == 1606); /* the median of the three that know it */
  assert_true(r.temp_c == 72);
  assert_int_equal(r.throttle, THROTTLE_POWER | THROTTLE_THERMAL);
}

static void of_many_the_last_count(void **state)
{
  (void)state;
  struct conditions c = {0};
  for (int i = 0; i < 1000; i++) {
    struct reading r = reading(i < 900 ? 1000 : 1500, 50, 0);
    conditions_add(&c, &r);
  }
  assert_true(conditions_fold(&c).sclk_mhz == 1500);
}

/* A card that only counts: what happened between two readings is seen. */
static void counters_that_move(void **state)
{
  (void)state;
  struct conditions c = {0};
  struct reading a = reading(1000, 50, -1), b;
  a.counts = 1;
  a.held[1] = UINT32_MAX; /* they wrap round */
  b = a;
  conditions_add(&c, &a);
  assert_int_equal(conditions_fold(&c).throttle, -1);
  conditions_add(&c, &b);
  assert_int_equal(conditions_fold(&c).throttle, 0);
  b.held[1]++;
  conditions_add(&c, &b);
  assert_int_equal(conditions_fold(&c).throttle, THROTTLE_THERMAL);
}

static const char *words(const struct record *r, struct str *out)
{
  str_clear(out);
  conditions_format(r, out);
  return str_text(out);
}

static void rows_say_what_is_known(void **state)
{
  (void)state;
  struct card card = {0};
  struct record *r = record_new(), *copy = record_new();
  struct reading known = reading(1606, 71, THROTTLE_POWER | THROTTLE_THERMAL);
  struct str text = {0};
  assert_string_equal(words(r, &text), "");
  conditions_note(&READING_NONE, &card, r);
  assert_int_equal(record_size(r), 0);
  str_add(&card.driver, "amdgpu 6.7.0");
  str_add(&card.firmware, "vbios 113");
  conditions_note(&known, &card, r);
  assert_string_equal(record_text(r, "sclk_mhz"), "1606");
  assert_string_equal(record_text(r, "throttled"), "3");
  assert_string_equal(record_text(r, "driver"), "amdgpu 6.7.0");
  assert_string_equal(words(r, &text), "1606 MHz, memory 1000 MHz, 190 W, 71 C, "
                      "throttled by power and temperature");
  conditions_copy(r, copy);
  assert_int_equal(record_size(copy), record_size(r));
  known.throttle = 0;
  conditions_note(&known, &card, copy);
  assert_string_equal(words(copy, &text),
                      "1606 MHz, memory 1000 MHz, 190 W, 71 C");
  record_set(r, "throttled", "99"); /* damaged: no reason of ours */
  assert_string_equal(words(r, &text), "1606 MHz, memory 1000 MHz, 190 W, 71 C");
  record_free(r);
  record_free(copy);
  str_free(&text);
  str_free(&card.driver);
  str_free(&card.firmware);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_is_known_of_nothing),
      cmocka_unit_test(readings_are_folded),
      cmocka_unit_test(of_many_the_last_count),
      cmocka_unit_test(counters_that_move),
      cmocka_unit_test(rows_say_what_is_known),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
