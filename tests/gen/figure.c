/* figure.c - published figures and plots of families, good and damaged. */
// SPDX-License-Identifier: MIT
#include <math.h>

#include "gen/figure.h"
#include "tests/gen/help.h"

#define WITH(more) \
  FAMILY(GOOD_MEANING, GOOD_PROBLEM, GOOD_SPACE, GOOD_RULES, GOOD_LAUNCH, \
         GOOD_BUFFERS, GOOD_REST GOOD_CHECK more)
/* Line 25 is "figures = {" or "plots = {". */
#define FIGURE(row) WITH("figures = {\n" row "\n},\n")
#define PLOT(row) WITH("plots = {\n" row "\n},\n")
#define NAMED "study = \"s\", id = \"a\", what = \"w\", "
#define RANGE "unit = \"GB/s\", low = 1, high = 2"

static const struct damaged damaged[] = {
  { WITH("figures = 5,\n"), "t.lua:25: 'figures' is a number; it must be a "
    "list of tables, as gen/figure.h has it" },
  {WITH("figures = { a = 1 },\n"), "t.lua: figures must be a list"},
  { FIGURE("5"), "t.lua:25: figures: entry 1: is a number; it must be a "
                 "table" },
  { FIGURE("{}"), "t.lua:25: figures: entry 1: id is missing; it must be a "
                  "string" },
  { FIGURE("{ id = \"A\" }"),
    "t.lua:25: figures: entry 1: id is 'A'; it must be at most 31 lower-case "
    "letters, digits and _" },
  { FIGURE("{ id = \"a\" }"), "t.lua:26: figures: 'a': study is missing; it "
                              "must be a string" },
  { FIGURE("{ " NAMED RANGE ", hihg = 1 }"),
    "t.lua:26: figures: 'a': 'hihg' is not a field; did you mean 'high'?" },
  { FIGURE("{ " NAMED "unit = \"GBs\" }"),
    "t.lua:26: figures: 'a': unit is 'GBs'; it can be GB/s, TB/s, GFLOP/s, "
    "TFLOP/s, Gop/s, TOPS, Gxchg/s, us, %" },
  { FIGURE("{ " NAMED "unit = \"us\", low = 2, high = 1 }"),
    "t.lua:26: figures: 'a': low must be above 0, and high not below it" },
  { FIGURE("{ " NAMED "unit = \"us\", low = 0/0, high = 1 }"),
    "t.lua:26: figures: 'a': low must be a number" },
  { FIGURE("{ " NAMED RANGE ", note = \"a\\nb\" }"),
    "t.lua:26: figures: 'a': note must be one line of text" },
  { FIGURE("{ " NAMED RANGE ", problem = { m = 1 } }"),
    "t.lua:26: figures: 'a': 'm' is not a key of the problem; did you mean "
    "'n'?" },
  { FIGURE("{ " NAMED RANGE ", problem = { n = 101 } }"),
    "t.lua:26: figures: 'a': n is 101; it must be from 1 to 100" },
  { FIGURE("{ " NAMED RANGE ", problem = { n = true } }"),
    "t.lua:26: figures: 'a': n is a boolean" },
  { FIGURE("{ " NAMED RANGE ", problem = 1 }"),
    "t.lua:26: figures: 'a': problem is a number; it must be { name = value "
    "}" },
  { FIGURE("{ " NAMED RANGE ", config = { tiles = 4 } }"),
    "t.lua:26: figures: 'a': 'tiles' is not a tunable; did you mean 'tile'?" },
  { FIGURE("{ " NAMED RANGE ", config = { tile = 5 } }"),
    "t.lua:26: figures: 'a': tile cannot be '5'" },
  { FIGURE("{ " NAMED RANGE ", config = { tile = \"4\" } }"),
    "t.lua:26: figures: 'a': tile cannot be '4'" },
  { FIGURE("{ " NAMED RANGE " },\n{ " NAMED RANGE " }"),
    "t.lua:27: figures: 'a': stands twice in study 's'" },
  { PLOT("{ name = \"p\", kind = \"bars\" }"),
    "t.lua:26: plots: 'p': kind is 'bars'; it can be heat, lines" },
  { PLOT("{ name = \"p\", kind = \"heat\", title = \"t\", value = \"GB/s\" }"),
    "t.lua:26: plots: 'p': value is 'GB/s'; it can be gbps, tbps, gflops, "
    "tflops, gops, tops, gxchgps, time_us, saved" },
#define HEAT "name = \"p\", kind = \"heat\", title = \"t\", value = \"gbps\""
#define LINES "name = \"p\", kind = \"lines\", title = \"t\", value = \"gbps\""
  { PLOT("{ " HEAT ", x = \"tile\" }"),
    "t.lua:26: plots: 'p': y is missing; it must be a string" },
  { PLOT("{ " HEAT ", x = \"tile\", series = \"word\" }"),
    "t.lua:26: plots: 'p': a plot of this kind has y, not series" },
  { PLOT("{ " LINES ", x = \"tile\", y = \"word\" }"),
    "t.lua:26: plots: 'p': a plot of this kind has series, not y" },
  { PLOT("{ " LINES ", x = \"tail\" }"),
    "t.lua:26: plots: 'p': x is 'tail', which is neither a tunable nor a key "
    "of the problem" },
  { PLOT("{ " LINES ", x = \"n\" }"),
    "t.lua:26: plots: 'p': n has no list of values; add over = { n = { ... } "
    "}" },
  { PLOT("{ " LINES ", x = \"n\", over = { n = { 1, 200 } } }"),
    "t.lua:26: plots: 'p': over: n cannot be '200'" },
  { PLOT("{ " LINES ", x = \"tile\", over = { tile = { 5 } } }"),
    "t.lua:26: plots: 'p': over: tile cannot be '5'" },
  { PLOT("{ " LINES ", x = \"tile\", over = { word = { \"ab\" } } }"),
    "t.lua:26: plots: 'p': 'word' is not an axis of the plot" },
  { PLOT("{ " HEAT ", x = \"tile\", y = \"tile\" }"),
    "t.lua:26: plots: 'p': x and y are the same" },
  { PLOT("{ " LINES ", x = \"tile\", config = { tile = 4 } }"),
    "t.lua:26: plots: 'p': tile is an axis and stands in config too" },
  { PLOT("{ " LINES ", x = \"order\", problem = { order = \"up\" } }"),
    "t.lua:26: plots: 'p': order is an axis and stands in problem too" },
  { PLOT("{ " LINES ", x = \"tile\" },\n{ " LINES ", x = \"word\" }"),
    "t.lua:25: plots: entry 2: the name 'p' stands twice" },
};

static void damaged_rows(void **state)
{
  (void)state;
  must_refuse(damaged, sizeof damaged / sizeof *damaged);
}

static struct family *open_toy(void)
{
  struct family *f;
  struct err e;
  if (family_open(&f, SOURCE_DIR "/tests/gen/families/toy.lua", NULL, &e))
    fail_msg("%s", e.text);
  return f;
}

static void figures(void **state)
{
  (void)state;
  struct family *f = open_toy();
  const struct figure *g;
  assert_int_equal(family_figures(f, &g), 2);
  assert_string_equal(g[0].study, "stream");
  assert_string_equal(g[0].id, "wide");
  assert_string_equal(g[0].what, "wide loads");
  assert_string_equal(g[0].quantity->unit, "GB/s");
  assert_string_equal(g[0].arch, "gfx906");
  assert_string_equal(g[0].note, "");
  assert_true(g[0].low == 700 && g[0].high == 720.5);
  assert_int_equal(g[0].given.n, 2);
  assert_string_equal(g[0].given.names[0], "n");
  assert_string_equal(g[0].given.texts[0], "4096");
  assert_string_equal(g[0].given.names[1], "stride");
  assert_string_equal(g[0].given.config, "each=4,unroll=4,load=wide");
  assert_int_equal(g[1].given.n, 0);
  assert_string_equal(g[1].given.config, "");
  assert_string_equal(g[1].note, "our card is not the one of the paper");
  family_close(f);
}

static void plots(void **state)
{
  (void)state;
  struct family *f = open_toy();
  const struct plot *p;
  assert_int_equal(family_plots(f, &p), 2);
  assert_int_equal(p[0].kind, PLOT_HEAT);
  assert_string_equal(p[0].name, "threads_each");
  assert_string_equal(p[0].title, "Bandwidth over the shape");
  assert_string_equal(p[0].x.meaning, "threads of a workgroup");
  assert_int_equal(p[0].x.of_problem, 0);
  assert_int_equal(p[0].x.n, 4);
  assert_int_equal(p[0].y.n, 4);
  assert_int_equal(p[0].y.values[3].i, 8);
  assert_string_equal(p[0].given.config, "unroll=1");
  assert_int_equal(p[1].kind, PLOT_LINES);
  assert_string_equal(p[1].quantity->unit, "us");
  assert_int_equal(p[1].x.of_problem, 1);
  assert_int_equal(p[1].x.n, 2);
  assert_int_equal(p[1].x.values[1].i, 4096);
  assert_string_equal(p[1].y.name, "load");
  family_close(f);
}

/* 2e9 of each in 4 ms: 500e9 a second. */
static void quantities(void **state)
{
  (void)state;
  static const struct {
    const char *unit, *cost;
    double value;
  } want[] = {
    {"GB/s", "bytes", 500},       {"TB/s", "bytes", 0.5},
    {"GFLOP/s", "flops", 500},    {"TFLOP/s", "flops", 0.5},
    {"Gop/s", "flops", 500},      {"TOPS", "flops", 0.5},
    {"Gxchg/s", "exchanges", 500}, {"us", "", 4000},
    {"%", "", 0},
  };
  struct plan p = {.flops = 2e9, .bytes = 2e9, .exchanges = 2e9};
  struct plan none = {0};
  const struct quantity *q;
  size_t i = 0;
  for (; (q = quantity_at(i)); i++) {
    assert_string_equal(q->unit, want[i].unit);
    assert_string_equal(quantity_cost(q), want[i].cost);
    assert_true(fabs(quantity_of(q, &p, 4000) - want[i].value) < 1e-9);
    assert_true(quantity_of(q, &none, 4000) ==
                (*want[i].cost || quantity_counted(q) ? 0 : 4000));
  }
  assert_int_equal(i, sizeof want / sizeof *want);
}

/* Flops go before bytes, bytes before exchanges. */
static void rates(void **state)
{
  (void)state;
  static const struct {
    struct plan plan;
    const char *name;
  } want[] = {
    {{.flops = 1, .bytes = 1, .exchanges = 1}, "gflops"},
    {{.flops = 1, .peak = "fp16_flops"}, "gflops"},
    {{.flops = 1, .peak = "dot4_ops"}, "gops"},
    {{.bytes = 1, .peak = "dot4_ops"}, "gbps"},
    {{.bytes = 1, .exchanges = 1}, "gbps"},
    {{.exchanges = 1}, "gxchgps"},
    {{.flops = 0}, "gbps"},
  };
  for (size_t i = 0; i < sizeof want / sizeof *want; i++)
    assert_string_equal(quantity_rate(&want[i].plan)->name, want[i].name);
  assert_null(quantity_find("gb"));
  assert_string_equal(quantity_find("tops")->unit, "TOPS");
}

static void costs(void **state)
{
  (void)state;
  struct family *f;
  struct err e;
  struct problem p;
  struct plan plan;
  struct config c = {{0}};
  const char *lua =
      FAMILY(GOOD_MEANING, GOOD_PROBLEM, GOOD_SPACE, GOOD_RULES, GOOD_LAUNCH,
             GOOD_BUFFERS, "reference = \"none\",\n"
             "cost = function (problem) return { exchanges = 64 * problem.n } "
             "end,\n" GOOD_CHECK);
  assert_int_equal(open_text(&f, lua, "", &e), 0);
  assert_int_equal(family_problem(f, NULL, NULL, 0, &p, &e), 0);
  assert_int_equal(family_plan(f, &p, &c, &plan, &e), 0);
  assert_true(plan.exchanges == 640 && plan.flops == 0 && plan.bytes == 0);
  family_close(f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(damaged_rows), cmocka_unit_test(figures),
    cmocka_unit_test(plots),        cmocka_unit_test(quantities),
    cmocka_unit_test(rates),        cmocka_unit_test(costs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
