/* check.c - weights and offsets that libtuned refuses, and what it says of them. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "ship/tuned.h"

/* Where scales and minima are, by ggml's ggml-common.h: block_q8_0 and the others. */
static const struct {
  const char *name;
  int elements, bytes, scales[2]; /* the last -1: there is one */
} types[] = {
  {"q8_0", 32, 34, {0, -1}},   {"q4_0", 32, 18, {0, -1}},
  {"q4_1", 32, 20, {0, 2}},    {"q4_K", 256, 144, {0, 2}},
  {"q6_K", 256, 210, {208, -1}}, {"f16", 1, 2, {0, -1}},
};
enum {TYPES = sizeof types / sizeof *types};

/* IEEE 754: an exponent of all ones. */
static int finite_at(const uint8_t *at)
{
  int bits = at[0] | at[1] << 8;
  return (bits >> 10 & 31) != 31;
}

static int all_finite(size_t type, const uint8_t *bytes, size_t blocks)
{
  for (size_t i = 0; i < blocks; i++)
    for (int s = 0; s < 2 && types[type].scales[s] >= 0; s++)
      if (!finite_at(bytes + i * (size_t)types[type].bytes + types[type].scales[s]))
        return 0;
  return 1;
}

/* Random bytes: the verdict is that on the scales alone, and nothing else is read. */
static void random_blocks_are_judged_by_their_scales(void **state)
{
  (void)state;
  struct rng rng;
  int refused = 0, taken = 0;
  rng_seed(&rng, 1);
  for (int n = 0; n < 4000; n++) {
    size_t type = rng_below(&rng, TYPES), rows = 1 + rng_below(&rng, 3);
    size_t row = 1 + rng_below(&rng, 4);
    size_t size = rows * row * (size_t)types[type].bytes;
    uint8_t *bytes = malloc(size);
    char why[256] = "";
    for (size_t i = 0; i < size; i++)
      bytes[i] = (uint8_t)rng_below(&rng, 256);
    int code = tuned_check_weights(types[type].name, (long long)rows,
                                   (long long)row * types[type].elements, bytes,
                                   size, why);
    int fine = all_finite(type, bytes, rows * row);
    assert_int_equal(code, fine ? TUNED_OK : TUNED_BAD_WEIGHTS);
    assert_int_equal(*why == 0, fine);
    refused += !fine;
    taken += fine;
    free(bytes);
  }
  assert_true(refused > 100 && taken > 100);
}

static void refused(const char *type, long long rows, long long k, const void *bytes,
                    size_t size, const char *part)
{
  char why[256];
  assert_int_equal(tuned_check_weights(type, rows, k, bytes, size, why),
                   TUNED_BAD_WEIGHTS);
  if (!strstr(why, part))
    fail_msg("'%s' does not say '%s'", why, part);
  assert_int_equal(tuned_check_weights(type, rows, k, bytes, size, NULL),
                   TUNED_BAD_WEIGHTS);
}

static void weights_say_what_is_wrong(void **state)
{
  (void)state;
  uint8_t bytes[6 * 18] = {0};
  assert_int_equal(tuned_check_weights("q4_0", 3, 64, bytes, sizeof bytes, NULL),
                   TUNED_OK);
  refused("q4_0", 4, 64, bytes, sizeof bytes, "cut off in row 3: 4 rows of 64");
  refused("q4_0", 3, 64, bytes, 0, "cut off in row 0");
  refused("q4_0", 2, 64, bytes, sizeof bytes, "72 bytes, but there are 108");
  refused("q4_0", 3, 65, bytes, sizeof bytes, "k is 65, but a block of q4_0 has 32");
  refused("q5_0", 3, 64, bytes, sizeof bytes, "it can be q8_0, q4_0");
  refused("", 3, 64, bytes, sizeof bytes, "not known");
  refused("q4_0", 0, 64, bytes, sizeof bytes, "at least 1");
  refused("q4_0", 3, -64, bytes, sizeof bytes, "at least 1");
  refused("q4_0", LLONG_MAX, 1LL << 40, bytes, sizeof bytes, "can be counted");
  bytes[3 * 18 + 1] = 0x7c; /* infinity */
  refused("q4_0", 3, 64, bytes, sizeof bytes, "row 1, block 1 of q4_0");
  bytes[3 * 18 + 1] = 0x7b; /* the largest */
  bytes[3 * 18] = 0xff;
  assert_int_equal(tuned_check_weights("q4_0", 3, 64, bytes, sizeof bytes, NULL),
                   TUNED_OK);
}

/* By definition: in order, and none outside. */
static void random_offsets_are_in_order(void **state)
{
  (void)state;
  enum {GROUPS = 3, ROWS = 4};
  struct rng rng;
  rng_seed(&rng, 2);
  for (int n = 0; n < 20000; n++) {
    int offsets[GROUPS + 1], fine = 1;
    char why[256] = "";
    for (int i = 0; i <= GROUPS; i++) {
      offsets[i] = (int)rng_below(&rng, ROWS + 3) - 1;
      fine &= offsets[i] >= 0 && offsets[i] <= ROWS &&
              (i == 0 || offsets[i] >= offsets[i - 1]);
    }
    assert_int_equal(tuned_check_offsets(offsets, GROUPS, ROWS, why),
                     fine ? TUNED_OK : TUNED_BAD_OFFSETS);
    assert_int_equal(*why == 0, fine);
  }
  char why[256];
  tuned_check_offsets((const int[]){0, 3, 2, 4}, GROUPS, ROWS, why);
  assert_non_null(strstr(why, "offsets[2] is 2, but offsets[1] is 3: group 1"));
  tuned_check_offsets((const int[]){0, 1, 2, 5}, GROUPS, ROWS, why);
  assert_non_null(strstr(why, "offsets[3] is 5, but there are 4 rows"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(random_blocks_are_judged_by_their_scales),
    cmocka_unit_test(weights_say_what_is_wrong),
    cmocka_unit_test(random_offsets_are_in_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
