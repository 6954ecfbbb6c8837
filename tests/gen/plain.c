/* plain.c - families with a plain kernel of their own as the reference. */
// SPDX-License-Identifier: MIT
#include "tests/gen/help.h"

#define WITH(reference) \
  FAMILY(GOOD_MEANING, GOOD_PROBLEM, GOOD_SPACE, GOOD_RULES, GOOD_LAUNCH, \
         GOOD_BUFFERS, "reference = " reference ",\n" \
         "cost = function (problem) return {} end,\n" GOOD_CHECK)
#define LAUNCH "launch = function (problem)\n" \
  "  return { { kernel = \"p\", grid = { 1, 1, 1 }, " \
  "block = { problem.n, 1, 1 },\n    args = { \"a\" } } } end,\n"
#define BOUND "bound = function (problem)\n" \
  "  return { relative = problem.x } end,\n"
#define FITS(launch, bound) \
  WITH("{ text = [[\nint x;\n]],\n" launch bound "}")

/* The reference is at line 22, its text begins at 23. */
static const struct damaged damaged[] = {
  { WITH("5"), "t.lua:22: 'reference' is a number; it must be the name of a "
               "reference, or { text =, launch =, bound = }" },
  { WITH("{}"), "t.lua:22: reference: text must be the HIP of a plain "
                "kernel" },
  { WITH("{ text = 'x', lunch = 1 }"),
    "t.lua:22: reference: 'lunch' is not a field; did you mean 'launch'?" },
  { FITS("", BOUND), "t.lua:22: reference: launch must be a function "
                     "(problem, arch)" },
  { FITS(LAUNCH, "bound = 0.5"), "t.lua:22: reference: bound must be a "
                                 "function (problem, arch)" },
};

static void damaged_references(void **state)
{
  (void)state;
  must_refuse(damaged, sizeof damaged / sizeof *damaged);
}

/* The candidate's plan, the plain kernel's, and the bound. */
static int plans(const char *lua, struct plan *own, struct plan *plain,
                 struct bound *bound, struct err *e)
{
  struct family *f;
  struct problem p;
  struct config c = {{0}};
  assert_int_equal(open_text(&f, lua, "", e), 0);
  assert_null(family_reference(f));
  assert_int_equal(family_problem(f, NULL, NULL, 0, &p, e), 0);
  assert_int_equal(family_plan(f, &p, &c, own, e), 0);
  int failed = family_plain_plan(f, &p, own, plain, e);
  if (!failed)
    failed = family_plain_bound(f, &p, bound, e);
  family_close(f);
  return failed;
}

static void good_reference(void **state)
{
  (void)state;
  struct plan own, plain;
  struct bound bound;
  struct err e;
  assert_int_equal(plans(FITS(LAUNCH, BOUND), &own, &plain, &bound, &e), 0);
  assert_int_equal(plain.nbuffers, own.nbuffers);
  assert_string_equal(plain.buffers[0].name, "a");
  assert_int_equal(plain.nlaunches, 1);
  assert_string_equal(plain.launches[0].kernel, "p");
  assert_int_equal(plain.launches[0].block[0], 10);
  assert_int_equal(plain.launches[0].nargs, 1);
  assert_string_equal(own.launches[0].kernel, "k");
  assert_true(bound.absolute == 0 && bound.relative == 2.5);
}

static void damaged_calls(void **state)
{
  (void)state;
  static const struct {
    const char *lua, *error;
  } calls[] = {
    { FITS("launch = function () return {} end,\n", BOUND),
      "t.lua:25: reference.launch: must return a list of 1 to 4 tables" },
    { FITS("launch = function () return { { kernel = 'p', "
           "grid = { 1, 1, 1 }, block = { 1, 1, 1 }, args = { 'b' } } } "
           "end,\n", BOUND),
      "t.lua:25: reference.launch: argument 'b' is not one of the buffers" },
    { FITS(LAUNCH, "bound = function () return 1 end,\n"),
      "t.lua:28: reference.bound: must return { absolute = N, relative = N "
      "}" },
    { FITS(LAUNCH, "bound = function () return { relative = -1 } end,\n"),
      "t.lua:28: reference.bound: relative cannot be negative" },
  };
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    struct plan own, plain;
    struct bound bound;
    struct err e;
    assert_int_equal(plans(calls[i].lua, &own, &plain, &bound, &e),
                     ERR_FAILED);
    assert_string_equal(e.text, calls[i].error);
  }
}

/* What the compiler says of it names the place in the Lua file. */
static void text(void **state)
{
  (void)state;
  struct family *f;
  struct err e;
  struct str text = {0};
  assert_int_equal(open_text(&f, FITS(LAUNCH, BOUND), "", &e), 0);
  family_plain(f, &text);
  assert_string_equal(text.at, "#line 23 \"t.lua\"\nint x;\n");
  str_free(&text);
  family_close(f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(damaged_references), cmocka_unit_test(good_reference),
    cmocka_unit_test(damaged_calls),      cmocka_unit_test(text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
