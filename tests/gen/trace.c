/* trace.c - formulas against what a family's functions give. */
// SPDX-License-Identifier: MIT
#include "tests/gen/help.h"

#include "gen/trace.h"

#define LAUNCH(grid) \
  "launch = function (cfg, problem, arch)\n" \
  "  local p <const> = problem\n" \
  "  return { { kernel = \"k\", grid = { " grid ", 1, 1 },\n" \
  "    block = { cfg.tile, 1, 1 }, lds = 0,\n" \
  "    args = { \"a\", i32(p.n * 2), f32(p.x), i64(7) } } }\n" \
  "end,\n"
#define SERVES \
  "serves = function (cfg, problem, other)\n" \
  "  return { { \"n is even\", other.n % 2 },\n" \
  "    { \"n is at most 64\", math.max(other.n - 64, 0) } }\n" \
  "end,\n"

/* Trace n=10,x=2.5,order=up with tile=4. */
static int trace(struct family **f, const char *launch, const char *serves,
                 struct trace *t, struct err *e)
{
  struct str text = {0};
  struct problem p;
  struct config c = {0};
  str_add(&text, "return {\n" GOOD_MEANING GOOD_PROBLEM GOOD_SPACE GOOD_RULES);
  str_addf(&text, "%s" GOOD_BUFFERS GOOD_REST GOOD_CHECK "%s}\n", launch,
           serves);
  assert_int_equal(open_text(f, text.at, "x\n", e), 0);
  str_free(&text);
  assert_int_equal(family_problem(*f, NULL, NULL, 0, &p, e), 0);
  return family_trace(*f, &p, &c, t, e);
}

static int64_t value(const struct formula *f, int64_t n)
{
  int64_t keys[FAMILY_KEYS] = {n}, out;
  assert_non_null(f);
  assert_int_equal(formula_value(f->step, f->n, keys, &out), 0);
  return out;
}

#define WORK(more) \
  "work = function (cfg, problem)\n" \
  "  return { steps = problem.n // 2, flops = 64, bytes = 8,\n" \
  "    results = 1" more " }\n" \
  "end,\n"

/* What a workgroup does is traced, too; a field that is left out is told. */
static void work(void **state)
{
  (void)state;
  struct family *f;
  struct trace t;
  struct err e = {0};
  assert_int_equal(trace(&f, LAUNCH("p.n"), SERVES WORK(", written = 4"), &t,
                         &e), 0);
  assert_int_equal(value(t.work.steps, 33), 16);
  assert_int_equal(value(t.work.flops, 33), 64);
  assert_int_equal(value(t.work.written, 33), 4);
  trace_free(&t);
  family_close(f);
  assert_int_equal(trace(&f, LAUNCH("p.n"), SERVES WORK(""), &t, &e),
                   ERR_FAILED);
  assert_non_null(strstr(e.text, "written is a nil; it must be an integer"));
  trace_free(&t);
  family_close(f);
  assert_int_equal(trace(&f, LAUNCH("p.n"), SERVES, &t, &e), 0);
  assert_null(t.work.steps);
  trace_free(&t);
  family_close(f);
}

static void formulas(void **state)
{
  (void)state;
  /* expected: by hand, from Lua's own rules of // and % */
  static const struct {
    const char *grid;
    int64_t n, is;
  } cases[] = {
    {"(p.n + 3) // 4", 10, 3},
    {"(p.n + 3) // 4", 64, 16},
    {"math.max(3, p.n % 7, 2)", 12, 5},
    {"math.min(p.n, 20)", 64, 20},
    {"-p.n // -4 + 1", 10, 3},
    {"(p.n << 2 | 1) ~ 1", 10, 40},
    {"(p.n & 12 | p.n >> 1) * 2 - p.n + 1", 10, 17},
    {"p.n * cfg.tile + 1 - 1 + 0", 12, 48},
    {"1 + p.n // 1 * 1", 10, 11},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct family *f;
    struct trace t;
    struct err e = {0};
    char launch[600];
    snprintf(launch, sizeof launch, LAUNCH("%s"), cases[i].grid);
    if (trace(&f, launch, SERVES, &t, &e))
      fail_msg("%s: %s", cases[i].grid, e.text);
    if (value(t.launches[0].grid[0], cases[i].n) != cases[i].is)
      fail_msg("%s for %d is %d", cases[i].grid, (int)cases[i].n,
               (int)value(t.launches[0].grid[0], cases[i].n));
    assert_int_equal(value(t.launches[0].args[1], 9), 18);
    assert_null(t.launches[0].args[3]);
    assert_int_equal(t.plan.launches[0].args[3].i, 7);
    assert_int_equal(value(t.elements[0], 33), 33);
    trace_free(&t);
    family_close(f);
  }
}

static void needs(void **state)
{
  (void)state;
  static const struct {
    const char *n;
    int serves;
    const char *reason;
  } cases[] = {
    {"2", 1, NULL}, {"64", 1, NULL}, {"63", 0, "n is even"},
    {"66", 0, "n is at most 64"},
  };
  struct family *f;
  struct trace t;
  struct err e = {0};
  assert_int_equal(trace(&f, LAUNCH("p.n"), SERVES, &t, &e), 0);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct problem p;
    const char *name = "n", *reason;
    assert_int_equal(family_problem(f, &name, &cases[i].n, 1, &p, &e), 0);
    assert_int_equal(trace_serves(&t, &p, &reason), cases[i].serves);
    if (cases[i].reason)
      assert_string_equal(reason, cases[i].reason);
  }
  trace_free(&t);
  family_close(f);
}

static void refused(void **state)
{
  (void)state;
  static const struct {
    const char *grid, *serves, *says;
  } cases[] = {
    {"p.n", "", "has no field `serves`"},
    {"p.n < 5 and 1 or 2", SERVES, "is compared"},
    {"p.n % 4 == 2 and 3 or 2", SERVES, "by == or ~="},
    {"p.n % 8 == 4 and 3 or 2", SERVES, "by == or ~="},
    {"p.x // 2", SERVES, "no integer"},
    {"math.floor(p.n)", SERVES, "number expected"},
    { "p.n", "serves = function () return { { \"odd\", 1 } } end,\n",
      "does not serve the problem that it was made for: odd" },
    {"p.n", "serves = function () return { 1 } end,\n", "an entry is no"},
    { "p.n", "serves = function () return { { \"x\", 1.5 } } end,\n",
      "must be an integer" },
    {"p.n", "serves = function () end,\n", "must return a list"},
    { "p.n", "serves = function (c, p, o) return { { \"x\", o.q } } end,\n",
      "is not a key" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct family *f;
    struct trace t;
    struct err e = {0};
    char launch[600];
    snprintf(launch, sizeof launch, LAUNCH("%s"), cases[i].grid);
    if (!trace(&f, launch, cases[i].serves, &t, &e) ||
        !strstr(e.text, cases[i].says))
      fail_msg("case %zu: '%s', not '%s'", i, e.text, cases[i].says);
    trace_free(&t);
    family_close(f);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(formulas),
    cmocka_unit_test(work),
    cmocka_unit_test(needs),
    cmocka_unit_test(refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
