/* arch.c - the table of architectures, and that its check finds damage. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "arch/arch.h"

enum {MOST = 128};

static const struct arch *need(const char *name)
{
  const struct arch *a;
  struct err e;
  assert_int_equal(arch_need(name, &a, &e), 0);
  return a;
}

static void table_is_sound(void **state)
{
  (void)state;
  struct err e = {0};
  if (arch_check(&e))
    fail_msg("%s", e.text);
}

static void everything_has_source_and_unit(void **state)
{
  (void)state;
  const struct arch *a;
  for (size_t i = 0; (a = arch_at(i)); i++) {
    const struct pair *facts;
    size_t n = arch_facts(a, &facts);
    assert_ptr_equal(arch_find(arch_name(a)), a);
    for (size_t k = 0; k < n; k++) {
      assert_true(strlen(arch_source(a, facts[k].name)) > 10);
      assert_true(strlen(arch_unit(facts[k].name)) > 0);
    }
  }
  assert_null(arch_source(arch_at(0), "no_such_fact"));
}

static void names_are_suggested(void **state)
{
  (void)state;
  const struct arch *a;
  struct err e;
  assert_int_equal(arch_need("gfx90g", &a, &e), ERR_USAGE);
  assert_null(a);
  assert_non_null(strstr(e.text, "'gfx90g'"));
  assert_non_null(strstr(e.text, "did you mean 'gfx9"));
  assert_int_equal(arch_need("gxf906", &a, &e), ERR_USAGE);
  assert_non_null(strstr(e.text, "did you mean 'gfx906'?"));
  assert_int_equal(arch_need("turing", &a, &e), ERR_USAGE);
  assert_null(strstr(e.text, "did you mean"));
  assert_non_null(strstr(e.text, "gfx1250"));
}

/* Chips have numbers: what differs by that alone is another chip. */
static void numbers_are_no_slips(void **state)
{
  (void)state;
  static const char *const names[] = {"gfx1100", "gfx90c", "gfx940", "gfx803",
                                      "sm_80"};
  const struct arch *a;
  struct err e;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    assert_int_equal(arch_need(names[i], &a, &e), ERR_USAGE);
    assert_null(strstr(e.text, "did you mean"));
    assert_non_null(strstr(e.text, "known: gfx900 (MI25), gfx906 (MI50)"));
  }
}

/* What clang 22.1.8 prints as "; Occupancy" for kernels that use so many
 * VGPRs; the gfx906 column is also that of LLVM's D65010. */
static void occupancy_is_that_of_llvm(void **state)
{
  (void)state;
  static const struct {
    int vgprs, gfx906, gfx90a, gfx950, gfx1250;
  } known[] = {
    {1, 10, 8, 8, 16},  {24, 10, 8, 8, 16}, {28, 9, 8, 8, 16},
    {32, 8, 8, 8, 16},  {36, 7, 8, 8, 16},  {40, 6, 8, 8, 16},
    {48, 5, 8, 8, 16},  {64, 4, 8, 8, 16},  {65, 3, 7, 7, 12},
    {72, 3, 7, 7, 12},  {80, 3, 6, 6, 12},  {84, 3, 5, 5, 10},
    {96, 2, 5, 5, 10},  {128, 2, 4, 4, 8},  {129, 1, 3, 3, 7},
    {160, 1, 3, 3, 6},  {168, 1, 3, 3, 5},  {256, 1, 2, 2, 4},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    int n = known[i].vgprs;
    assert_int_equal(arch_waves(need("gfx906"), n), known[i].gfx906);
    assert_int_equal(arch_waves(need("gfx90a"), n), known[i].gfx90a);
    assert_int_equal(arch_waves(need("gfx950"), n), known[i].gfx950);
    assert_int_equal(arch_waves(need("gfx1250"), n), known[i].gfx1250);
  }
}

/* A few numbers as published, so that a slip of the pen is seen twice. */
static void well_known_numbers(void **state)
{
  (void)state;
  const struct arch *a = need("gfx906");
  assert_int_equal(arch_fact(a, "wave"), 64);
  assert_int_equal(arch_fact(a, "cus"), 60);
  assert_int_equal(arch_fact(a, "lds_bytes"), 65536);
  assert_int_equal(arch_fact(a, "dot4"), 1);
  assert_int_equal(arch_fact(a, "mfma"), 0);
  assert_int_equal(arch_fact(need("gfx900"), "dot4"), 0);
  assert_int_equal(arch_fact(need("gfx1250"), "dot4"), 1); /* clang-22 takes sudot4 */
  assert_int_equal(arch_fact(need("gfx1250"), "dot2"), 0);
  assert_int_equal(arch_fact(need("gfx908"), "mfma"), 1);
  assert_int_equal(arch_fact(need("gfx942"), "cus"), 304);
  assert_int_equal(arch_fact(need("gfx950"), "lds_bytes"), 163840);
  assert_int_equal(arch_fact(need("gfx1250"), "wave"), 32);
  assert_int_equal(arch_fact(need("gfx1250"), "lds_bytes"), 327680);
  a = need("sm_90");
  assert_int_equal(arch_fact(a, "wave"), 32);
  assert_int_equal(arch_fact(a, "vgprs"), 255);
  assert_int_equal(arch_fact(a, "lds_group"), 232448);
  assert_int_equal(arch_fact(a, "lds_static"), 49152);
  assert_int_equal(arch_fact(a, "cus"), 132);
  assert_int_equal(arch_waves(a, 64), 8);  /* 65536 registers of an SM */
  assert_int_equal(arch_waves(a, 168), 3); /* occupancy calculator */
  assert_int_equal(arch_waves(a, 255), 2);
}

/* Check a copy of an arch in which one fact has another value. */
static int with(const struct arch *a, const char *name, long long value,
                struct err *e)
{
  struct pair copy[MOST];
  const struct pair *facts;
  size_t n = arch_facts(a, &facts);
  assert_true(n <= MOST);
  memcpy(copy, facts, n * sizeof *copy);
  for (size_t i = 0; i < n; i++)
    if (!strcmp(copy[i].name, name))
      copy[i].value.i = value;
  return arch_check_facts(copy, n, e);
}

static void impossible_numbers_are_found(void **state)
{
  (void)state;
  const struct arch *a;
  struct err e;
  for (size_t i = 0; (a = arch_at(i)); i++) {
    const struct pair *facts;
    size_t n = arch_facts(a, &facts);
    for (size_t k = 0; k < n; k++) {
      if (facts[k].value.kind != VALUE_INT)
        continue;
      const char *name = facts[k].name;
      assert_int_equal(with(a, name, facts[k].value.i, &e), 0);
      assert_int_not_equal(with(a, name, -1, &e), 0);
      assert_non_null(strstr(e.text, name));
      if (!strcmp(arch_unit(name), "0/1"))
        assert_int_not_equal(with(a, name, 2, &e), 0);
    }
    assert_int_not_equal(arch_check_facts(facts, n - 1, &e), 0);
  }
}

static void broken_physics_is_found(void **state)
{
  (void)state;
  static const struct {
    const char *name;
    long long value;
  } wrong[] = {
    {"wave", 48},          {"lanes", 15},        {"simds", 2},
    {"vgpr_granule", 6},   {"vgpr_total", 512},  {"vgprs", 128},
    {"sgpr_granule", 24},  {"lds_granule", 500}, {"lds_banks", 31},
    {"lds_bytes", 65537},  {"cus", 64},          {"clock_mhz", 1800},
    {"fp32_flops", 256},   {"fp16_flops", 128},  {"fp64_flops", 128},
    {"dot4", 0},           {"dot4_ops", 256},    {"pk_fma_f32", 1},
    {"waves_per_simd", 3}, {"l2_bytes", 100},    {"l1_line", 96},
    {"llc_bytes", 1024},   {"max_threads", 1000}, {"dies", 7},
    {"fp32_published", 12000}, {"lds_group", 1 << 17},
    {"lds_static", 1 << 17},
  };
  struct err e;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    if (!with(need("gfx906"), wrong[i].name, wrong[i].value, &e))
      fail_msg("%s = %lld was not noticed", wrong[i].name, wrong[i].value);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(table_is_sound),
    cmocka_unit_test(everything_has_source_and_unit),
    cmocka_unit_test(names_are_suggested),
    cmocka_unit_test(numbers_are_no_slips),
    cmocka_unit_test(occupancy_is_that_of_llvm),
    cmocka_unit_test(well_known_numbers),
    cmocka_unit_test(impossible_numbers_are_found),
    cmocka_unit_test(broken_physics_is_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
