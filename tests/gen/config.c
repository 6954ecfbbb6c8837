/* config.c - configurations as text, and problems from text. */
// SPDX-License-Identifier: MIT
#include "base/rng.h"
#include "tests/gen/help.h"

static struct family *toy(void)
{
  struct family *f = NULL;
  struct err e;
  static const struct pair facts[] = {
    {"name", {.kind = VALUE_STR, .s = "gfx906"}},
    {"max_threads", {.kind = VALUE_INT, .i = 1024}},
  };
  if (family_open(&f, "toy", SOURCE_DIR "/tests/gen/families", &e) ||
      family_set_arch(f, facts, 2, &e))
    fail_msg("%s", e.text);
  return f;
}

static void round_trip(void **state)
{
  (void)state;
  struct family *f = toy();
  struct rng r;
  rng_seed(&r, 1);
  const struct tunable *list;
  size_t n = family_tunables(f, &list);
  for (int i = 0; i < 200; i++) {
    struct config c = {0}, back;
    struct str text = {0};
    struct err e;
    memset(&back, 0xff, sizeof back);
    for (size_t j = 0; j < n; j++)
      c.at[j] = (uint8_t)rng_below(&r, list[j].nvalues);
    config_format(f, &c, &text);
    assert_int_equal(config_parse(f, text.at, 0, &back, &e), 0);
    assert_memory_equal(c.at, back.at, n);
    str_free(&text);
  }
  family_close(f);
}

static void written_form(void **state)
{
  (void)state;
  struct family *f = toy();
  struct config c = {{3, 0, 2, 1}};
  struct str text = {0};
  struct err e;
  config_format(f, &c, &text);
  assert_string_equal(text.at, "threads=512,each=1,unroll=4,load=wide");
  assert_int_equal(config_parse(f, "load=plain,each=8", 1, &c, &e), 0);
  str_clear(&text);
  config_format(f, &c, &text);
  assert_string_equal(text.at, "threads=512,each=8,unroll=4,load=plain");
  assert_int_equal(config_parse(f, "", 1, &c, &e), 0);
  assert_int_equal(config_parse_older(f, "unroll=4,threads=512", &c, &e), 0);
  str_clear(&text);
  config_format(f, &c, &text);
  assert_string_equal(text.at, "threads=512,each=1,unroll=4,load=plain");
  assert_int_equal(config_parse_older(f, "", &c, &e), ERR_USAGE);
  str_free(&text);
  family_close(f);
}

/* All tunables count, also those that the family does not have. */
static void among(void **state)
{
  (void)state;
  struct config list[3] = { {{0, 1}}, {{1, 0}}, {{1, 1}} };
  struct config c = {{1, 1}};
  assert_true(config_among(list, 3, &c));
  assert_false(config_among(list, 2, &c));
  assert_false(config_among(list, 0, &c));
  c.at[FAMILY_TUNABLES - 1] = 1;
  assert_false(config_among(list, 3, &c));
}

static const struct {
  const char *text, *error;
} bad[] = {
  {"thread=64", "'thread' is not a tunable of toy; did you mean 'threads'?"},
  { "pad=64",
    "'pad' is not a tunable of toy; there is: threads, each, unroll, load" },
  {"threads=65", "threads cannot be '65'; it can be 64, 128, 256, 512"},
  {"threads= 64", "threads cannot be ' 64'; it can be 64, 128, 256, 512"},
  {"load=", "load cannot be ''; it can be plain, wide"},
  {"threads", "'threads' is not name=value"},
  {"=3", "'=3' is not name=value"},
  {"each=1,,unroll=1", "'' is not name=value"},
  {"each=1,", "a comma with no name=value behind it"},
  {"each=1,each=2", "each is given twice"},
  {"each=1,unroll=1,load=plain", "threads is missing; name every tunable"},
  {"", "threads is missing; name every tunable"},
};

static void bad_configurations(void **state)
{
  (void)state;
  struct family *f = toy();
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct config c = {{1, 1, 1, 1}}, before = c;
    struct err e;
    assert_int_equal(config_parse(f, bad[i].text, 0, &c, &e), ERR_USAGE);
    assert_string_equal(e.text, bad[i].error);
    assert_memory_equal(&c, &before, sizeof c);
  }
  family_close(f);
}

static int set(struct family *f, const char *name, const char *text,
               struct problem *p, struct err *e)
{
  return family_problem(f, &name, &text, 1, p, e);
}

static void problems(void **state)
{
  (void)state;
  struct family *f = toy();
  struct problem p;
  struct err e;
  assert_int_equal(family_problem(f, NULL, NULL, 0, &p, &e), 0);
  assert_int_equal(p.n, 4);
  assert_int_equal(p.values[0].i, 1000);
  assert_true(p.values[1].d == 2.0);
  assert_string_equal(p.values[2].s, "up");
  assert_int_equal(p.values[3].i, 1); /* completed from 0 */
  assert_int_equal(set(f, "n", "1073741824", &p, &e), 0);
  assert_int_equal(p.values[0].i, 1 << 30);
  assert_int_equal(set(f, "a", "-1e-3", &p, &e), 0);
  assert_true(p.values[1].d == -1e-3);
  assert_int_equal(set(f, "order", "down", &p, &e), 0);
  assert_string_equal(p.values[2].s, "down");
  family_close(f);
}

static const struct {
  const char *name, *text, *error;
} bad_keys[] = {
  {"n", "0", "n is 0; it must be from 1 to 1073741824"},
  {"n", "-4", "n is -4; it must be from 1 to 1073741824"},
  {"n", "1073741825", "n is 1073741825; it must be from 1 to 1073741824"},
  { "n", "99999999999999999999",
    "n is '99999999999999999999'; it must be an integer" },
  {"n", "4k", "n is '4k'; it must be an integer"},
  {"n", "", "n is ''; it must be an integer"},
  {"n", " 4", "n is ' 4'; it must be an integer"},
  {"n", "1.5e0", "n is '1.5e0'; it must be an integer"},
  {"a", "two", "a is 'two'; it must be a number"},
  {"a", "nan", "a is not a finite number"},
  {"a", "1e999", "a is '1e999'; it must be a number"},
  {"order", "dwon", "order is dwon; it can be up, down"},
  {"m", "1", "'m' is not a key of toy; did you mean 'n'?"},
  {"strid", "1", "'strid' is not a key of toy; did you mean 'stride'?"},
  { "elements", "1",
    "'elements' is not a key of toy; there is: n, a, order, stride" },
};

static void bad_problems(void **state)
{
  (void)state;
  struct family *f = toy();
  struct problem p;
  struct err e;
  for (size_t i = 0; i < sizeof bad_keys / sizeof *bad_keys; i++) {
    assert_int_equal(set(f, bad_keys[i].name, bad_keys[i].text, &p, &e),
                     ERR_USAGE);
    assert_string_equal(e.text, bad_keys[i].error);
  }
  const char *names[] = {"order", "stride"}, *texts[] = {"down", "2"};
  assert_int_equal(family_problem(f, names, texts, 2, &p, &e), ERR_USAGE);
  assert_string_equal(e.text, "toy: order=down needs stride 1");
  family_close(f);
}

/* check() gives n = 3 * threads * each + 1, and complete() fills stride. */
static void check_problems(void **state)
{
  (void)state;
  struct family *f = toy();
  struct problem p, small;
  struct config c = {{1, 2, 0, 0}};
  struct err e;
  assert_int_equal(set(f, "a", "5", &p, &e), 0);
  assert_int_equal(family_check_problem(f, &p, &c, &small, &e), 0);
  assert_int_equal(small.values[0].i, 3 * 128 * 4 + 1);
  assert_true(small.values[1].d == 5);
  assert_string_equal(small.values[2].s, "up");
  assert_int_equal(small.values[3].i, 1);
  family_close(f);
}

/* What check() or complete() may return; GOOD_REST ends on line 24. */
static const struct {
  const char *functions, *error;
} broken[] = {
  { "check = function () return 5 end,",
    "t.lua:24: check: must return { key = value }, not a number" },
  { "check = function () end,",
    "t.lua:24: check: must return { key = value }, not a nil" },
  { "check = function () return { m = 5 } end,",
    "t.lua:24: check: 'm' is not a key of t; did you mean 'n'?" },
  { "check = function () return { n = 500 } end,",
    "t.lua:24: check: n is 500; it must be from 1 to 100" },
  { "check = function () return { n = 5 / 2 } end,",
    "t.lua:24: check: n is a number; it must be an integer" },
  { "check = function () return { n = {} } end,",
    "t.lua:24: check: 'n' is a table" },
  { "check = function () return { 7 } end,",
    "t.lua:24: check: must return { key = value }" },
  { "check = function () return { order = 'left' } end,",
    "t.lua:24: check: order is left; it can be up, down" },
  { "check = function (cfg) return { n = cfg.tyle } end,",
    "t.lua:24: 'tyle' is not a tunable; did you mean 'tile'?" },
  { "check = function (_, problem) problem.n = 1 end,",
    "t.lua:24: problem cannot be changed" },
  { "check = function () return {} end, complete = function (p)\n"
    "if p.n ~= 10 then return end return p.x > 9 and {} or 5 end,",
    "t.lua:24: complete: must return { key = value }, not a number" },
  { "check = function () return {} end,\n"
    "complete = function (cfg) return { n = cfg.tile } end,",
    "t.lua:25: 'tile' is not a key of the problem" },
};

static void broken_functions(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
    struct str lua = {0};
    struct family *f = NULL;
    struct problem p, small;
    struct config c = {0};
    struct err e;
    str_addf(&lua, "return {\n%s%s%s%s}\n", GOOD_MEANING GOOD_PROBLEM,
             GOOD_SPACE GOOD_RULES GOOD_LAUNCH GOOD_BUFFERS, GOOD_REST,
             broken[i].functions);
    if (open_text(&f, lua.at, "", &e))
      fail_msg("%s", e.text);
    assert_true(family_problem(f, NULL, NULL, 0, &p, &e) ||
                family_check_problem(f, &p, &c, &small, &e));
    assert_string_equal(e.text, broken[i].error);
    str_free(&lua);
    family_close(f);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(round_trip),
    cmocka_unit_test(written_form),
    cmocka_unit_test(among),
    cmocka_unit_test(bad_configurations),
    cmocka_unit_test(problems),
    cmocka_unit_test(bad_problems),
    cmocka_unit_test(check_problems),
    cmocka_unit_test(broken_functions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
