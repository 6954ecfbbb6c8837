/* message.c - packing, and unpacking what was damaged on the way. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/rng.h"
#include "tuner/device/message.h"

static void pack_all(struct str *s)
{
  pack_u64(s, UINT64_MAX);
  pack_f64(s, -0.125);
  pack_text(s, "text");
  pack_bytes(s, "\0\1\2", 3);
  pack_text(s, "");
}

static void what_goes_in_comes_out(void **state)
{
  (void)state;
  struct str s = {0};
  size_t n;
  pack_all(&s);
  struct unpack in = unpack_from(&s);
  assert_true(unpack_u64(&in) == UINT64_MAX);
  assert_true(unpack_f64(&in) == -0.125);
  assert_string_equal(unpack_text(&in), "text");
  assert_memory_equal(unpack_bytes(&in, &n), "\0\1\2", 3);
  assert_int_equal(n, 3);
  assert_string_equal(unpack_text(&in), "");
  assert_false(in.bad);
  assert_int_equal(in.left, 0);
  assert_true(unpack_u64(&in) == 0);
  assert_true(in.bad);
  str_free(&s);
}

/* Any prefix, any damage: no read beyond the end (the sanitizers watch). */
static void damage_is_noticed_or_harmless(void **state)
{
  (void)state;
  struct str s = {0};
  struct rng rng;
  rng_seed(&rng, 1);
  for (int i = 0; i < 20000; i++) {
    size_t n;
    str_clear(&s);
    pack_all(&s);
    s.len = rng_below(&rng, s.len + 1);
    for (int j = 0; s.len && j < 3; j++)
      s.at[rng_below(&rng, s.len)] = (char)rng_next(&rng);
    struct unpack in = unpack_from(&s);
    unpack_u64(&in);
    unpack_f64(&in);
    assert_true(strlen(unpack_text(&in)) <= s.len);
    unpack_bytes(&in, &n);
    assert_true(n <= s.len);
    unpack_text(&in);
  }
  str_free(&s);
}

static void frames_come_in_pieces(void **state)
{
  (void)state;
  struct str one = {0}, two = {0}, all = {0}, wire = {0}, got = {0};
  int taken = 0;
  pack_text(&one, "the first");
  pack_text(&two, "the second one");
  frame_add(&all, &one);
  frame_add(&all, &two);
  for (size_t i = 0; i < all.len; i++) {
    str_add_bytes(&wire, all.at + i, 1);
    int rc = frame_take(&wire, &got);
    assert_true(rc >= 0);
    if (rc == 1) {
      const struct str *want = taken++ ? &two : &one;
      assert_int_equal(got.len, want->len);
      assert_memory_equal(got.at, want->at, want->len);
    }
  }
  assert_int_equal(taken, 2);
  assert_int_equal(wire.len, 0);
  str_free(&one);
  str_free(&two);
  str_free(&all);
  str_free(&wire);
  str_free(&got);
}

static void rubbish_is_no_frame(void **state)
{
  (void)state;
  struct str wire = {0}, got = {0};
  str_add(&wire, "GET / HTTP/1.1");
  assert_int_equal(frame_take(&wire, &got), -1);
  str_clear(&wire);
  pack_u64(&wire, 0xffffffff00000000u | 0x316d7477); /* 4 GiB long */
  assert_int_equal(frame_take(&wire, &got), -1);
  str_free(&wire);
  str_free(&got);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_goes_in_comes_out),
      cmocka_unit_test(damage_is_noticed_or_harmless),
      cmocka_unit_test(frames_come_in_pieces),
      cmocka_unit_test(rubbish_is_no_frame),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
