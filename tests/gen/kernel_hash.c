/* kernel_hash.c - when kernels count as changed. */
// SPDX-License-Identifier: MIT
#include "tests/gen/help.h"

#include "gen/kernel_hash.h"

#define HIP "kernel with tiles of $tile\n"

static void hash_of(const char *lua, const char *hip, char out[HASH_TEXT],
                    char files[HASH_TEXT])
{
  struct family *f;
  struct problem p;
  struct config c = {{0}};
  struct err e = {0};
  if (open_text(&f, lua, hip, &e) ||
      family_problem(f, NULL, NULL, 0, &p, &e) ||
      kernel_hash(f, &p, &c, out, &e))
    fail_msg("%s", e.text);
  snprintf(files, HASH_TEXT, "%s", family_hash(f));
  family_close(f);
}

#define LAUNCH(grid, comment) \
  FAMILY(GOOD_MEANING, GOOD_PROBLEM, GOOD_SPACE, GOOD_RULES, \
         "launch = function (cfg, problem)\n" \
         "  return { { kernel = \"k\", grid = { " grid ", 1, 1 },\n" \
         "    block = { cfg.tile, 1, 1 }, lds = 0,\n" \
         "    args = { \"a\" } } }\n" \
         "end, " comment "\n", GOOD_BUFFERS, GOOD_REST GOOD_CHECK)

/* A comment in the Lua file and another head change nothing; the text and how
 * it is launched do. */
static void says_what_changed(void **state)
{
  (void)state;
  static const struct {
    const char *lua, *hip;
    int same;
  } others[] = {
    {LAUNCH("problem.n", "-- a comment"), HIP, 1},
    {LAUNCH("problem.n", ""), "@ -- a comment\n" HIP, 1},
    {LAUNCH("problem.n + 1", ""), HIP, 0},
    {LAUNCH("problem.n", ""), "another " HIP, 0},
  };
  char first[HASH_TEXT], files[HASH_TEXT];
  hash_of(LAUNCH("problem.n", ""), HIP, first, files);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    char hash[HASH_TEXT], now[HASH_TEXT];
    hash_of(others[i].lua, others[i].hip, hash, now);
    assert_string_not_equal(files, now);
    assert_int_equal(!strcmp(first, hash), others[i].same);
  }
}

static void compares_with_a_row(void **state)
{
  (void)state;
  struct family *f;
  struct problem p;
  struct config c = {{0}}, other = {{1}};
  char hash[HASH_TEXT];
  assert_int_equal(open_text(&f, GOOD_FAMILY, HIP, NULL), 0);
  assert_int_equal(family_problem(f, NULL, NULL, 0, &p, NULL), 0);
  assert_int_equal(kernel_hash(f, &p, &c, hash, NULL), 0);
  assert_false(kernel_changed(f, &p, &c, family_hash(f), ""));
  assert_false(kernel_changed(f, &p, &c, "other", hash));
  assert_true(kernel_changed(f, &p, &c, "other", ""));
  assert_true(kernel_changed(f, &p, &other, "other", hash));
  family_close(f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(says_what_changed),
    cmocka_unit_test(compares_with_a_row),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
