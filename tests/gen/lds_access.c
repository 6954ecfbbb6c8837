/* What a family says of its LDS accesses, and what it cannot say. */
// SPDX-License-Identifier: MIT
#include "tests/gen/help.h"

#include "gen/lds_access.h"

#define WITH(access)                                                          \
  FAMILY(GOOD_MEANING, GOOD_PROBLEM, GOOD_SPACE, GOOD_RULES, GOOD_LAUNCH,     \
         GOOD_BUFFERS, GOOD_REST GOOD_CHECK access)
#define ENTRY(text) WITH("lds_access = function (cfg) return { " text " } end")

static int ask(const char *lua, struct lds_access *list, size_t *n,
               struct err *e)
{
  struct family *f;
  struct problem p;
  struct config c = {{1, 0}};
  assert_int_equal(open_text(&f, lua, "x\n", e), 0);
  assert_int_equal(family_problem(f, NULL, NULL, 0, &p, e), 0);
  int code = family_lds_access(f, &p, &c, list, n, e);
  family_close(f);
  return code;
}

static void test_addresses(void **state)
{
  static struct lds_access list[LDS_ACCESSES];
  struct err e = {0};
  size_t n;
  (void)state;
  assert_int_equal(
      ask(ENTRY("{ name = \"a\", op = \"write\", bytes = 4,"
                "  address = function (lane) return cfg.tile * lane end },"
                "{ name = \"b\", op = \"read\", bytes = 16,"
                "  address = function (lane) return 16 end }"),
          list, &n, &e),
      0);
  assert_int_equal(n, 2);
  assert_string_equal(list[0].name, "a");
  assert_true(list[0].write && !list[1].write);
  assert_int_equal(list[0].lanes, 64);
  assert_int_equal(list[0].address[63], 8 * 63);
  assert_int_equal(list[1].bytes, 16);
  assert_int_equal(list[1].address[5], 16);
}

static void test_silent(void **state)
{
  static struct lds_access list[LDS_ACCESSES];
  struct err e = {0};
  size_t n = 7;
  (void)state;
  assert_int_equal(ask(WITH(""), list, &n, &e), 0);
  assert_int_equal(n, 0);
}

static void test_wrong(void **state)
{
#define ADDRESS(text)                                                         \
  ENTRY("{ name = \"a\", op = \"read\", bytes = 4, address = " text " }")
  static const struct {
    const char *lua, *says;
  } rows[] = {
      {WITH("lds_access = function () return 1 end"), "a list of at most"},
      {ENTRY("1"), "entry 1 is no table"},
      {ENTRY("{ op = \"read\", bytes = 4 }"), "name is missing"},
      {ENTRY("{ name = \"a\", op = \"add\", bytes = 4 }"), "op is 'add'"},
      {ENTRY("{ name = \"a\", op = \"read\", bytes = 5 }"), "bytes must be"},
      {ENTRY("{ name = \"a\", op = \"read\", bytes = 4, adress = 1 }"),
       "'adress' is not a field"},
      {ADDRESS("3"), "address must be function"},
      {ADDRESS("function (lane) return -4 end"), "from 0 to"},
      {ADDRESS("function (lane) return 1 << 30 end"), "from 0 to"},
      {ADDRESS("function (lane) return lane / 2 end"), "an integer"},
      {ADDRESS("function (lane) while true do end end"), "still running"},
  };
  static struct lds_access list[LDS_ACCESSES];
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct err e = {0};
    size_t n;
    assert_int_not_equal(ask(rows[i].lua, list, &n, &e), 0);
    if (!strstr(e.text, rows[i].says))
      fail_msg("row %zu: %s", i, e.text);
  }
}

/* Whose bytes a cost counts. */
static int memory_of(const char *memory, struct plan *plan, struct err *e)
{
  struct family *f;
  struct problem p;
  struct config c = {{0}};
  struct str lua = {0};
  str_addf(&lua, "return {\n" GOOD_MEANING GOOD_PROBLEM GOOD_SPACE GOOD_RULES
           GOOD_LAUNCH GOOD_BUFFERS "reference = \"none\",\n" GOOD_CHECK
           "cost = function () return { bytes = 8 %s } end }", memory);
  assert_int_equal(open_text(&f, lua.at, "x\n", e), 0);
  assert_int_equal(family_problem(f, NULL, NULL, 0, &p, e), 0);
  int code = family_plan(f, &p, &c, plan, e);
  family_close(f);
  str_free(&lua);
  return code;
}

static void test_memory(void **state)
{
  struct plan plan;
  struct err e = {0};
  (void)state;
  assert_int_equal(memory_of("", &plan, &e), 0);
  assert_int_equal(plan.memory, MEMORY_HBM);
  assert_int_equal(memory_of(", memory = \"lds\"", &plan, &e), 0);
  assert_int_equal(plan.memory, MEMORY_LDS);
  assert_true(plan.bytes == 8);
  assert_int_not_equal(memory_of(", memory = \"l3\"", &plan, &e), 0);
  assert_non_null(strstr(e.text, "memory is 'l3'; it can be hbm, lds, cache"));
}

/* The fact that bounds the operations. */
static void test_peak(void **state)
{
  struct plan plan;
  struct err e = {0};
  (void)state;
  assert_int_equal(memory_of("", &plan, &e), 0);
  assert_string_equal(plan.peak, "");
  assert_int_equal(memory_of(", peak = \"wave\"", &plan, &e), 0);
  assert_string_equal(plan.peak, "wave");
  assert_int_not_equal(memory_of(", peak = \"waves\"", &plan, &e), 0);
  assert_non_null(strstr(e.text, "waves"));
  assert_int_not_equal(memory_of(", peak = 3", &plan, &e), 0);
  assert_int_not_equal(memory_of(", peak = \"name\"", &plan, &e), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_addresses),
    cmocka_unit_test(test_silent),
    cmocka_unit_test(test_wrong),
    cmocka_unit_test(test_memory),
    cmocka_unit_test(test_peak),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
