/* vocabulary.c - what a target without amdgcn builtins is given. */
// SPDX-License-Identifier: MIT
#include "tests/gen/help.h"

#include "gen/vocabulary.h"

static void words_bring_what_they_use(void **state)
{
  (void)state;
  struct str out = {0};
  vocabulary_add("x = __builtin_amdgcn_mov_dpp(x, 0x111, 15, 15, true);",
                 &out);
  const char *lane = strstr(out.at, "int vocabulary_lane()");
  const char *from = strstr(out.at, "int vocabulary_dpp_lane(");
  const char *dpp = strstr(out.at, "int\n__builtin_amdgcn_update_dpp(");
  const char *mov = strstr(out.at, "int\n__builtin_amdgcn_mov_dpp(");
  assert_non_null(lane);
  assert_true(lane < from && from < dpp && dpp < mov);
  assert_null(strstr(out.at, "swizzle"));
  assert_null(strstr(out.at, "SPDX"));
  assert_null(strstr(out.at, "\n\n\n"));
  str_free(&out);
}

static void only_whole_words_count(void **state)
{
  (void)state;
  struct str out = {0};
  vocabulary_add("a__builtin_amdgcn_perm __builtin_amdgcn_perms\n"
                 "__builtin_expect(x, 1)\n", &out);
  assert_int_equal(out.len, 0);
  str_free(&out);
}

static void amd_lines_are_passed_over(void **state)
{
  (void)state;
  struct str out = {0};
  vocabulary_add("#if defined __HIP__ && !defined __launch_bounds__\n"
                 "#if 1\n"
                 "__builtin_amdgcn_readlane(x, 1)\n"
                 "#endif\n"
                 "__builtin_amdgcn_perm(x, y, 1)\n"
                 "#else\n"
                 "__builtin_amdgcn_alignbit(x, y, 1)\n"
                 "#endif\n"
                 "#if defined __HIP__\n"
                 "__builtin_amdgcn_ubfe(x, y, 1)\n"
                 "#endif\n"
                 "__builtin_amdgcn_sbfe(x, y, 1)\n", &out);
  assert_null(strstr(out.at, "readlane"));
  assert_null(strstr(out.at, "amdgcn_perm"));
  assert_null(strstr(out.at, "ubfe"));
  assert_non_null(strstr(out.at, "alignbit"));
  assert_non_null(strstr(out.at, "sbfe"));
  str_free(&out);
}

static void dots_are_told_about_signs(void **state)
{
  (void)state;
  struct str out = {0};
  vocabulary_add_dots("sum = __builtin_amdgcn_sdot4(a, b, sum, false);\n"
                      "x = __builtin_amdgcn_udot8(a, b, sum, false);\n", &out);
  assert_non_null(strstr(out.at, "sudot4(true, a, true, b, sum, clamp)"));
  assert_null(strstr(out.at, "dot8"));
  assert_null(strstr(out.at, "SPDX"));
  str_free(&out);
}

/* The paragraphs stand in the text, and lines still map to the template. */
static void rendering_adds_them(void **state)
{
  (void)state;
  struct family *f;
  struct err e;
  const struct pair facts[] = {
    {"wave", {.kind = VALUE_INT, .i = 32}},
    {"amdgcn", {.kind = VALUE_INT, .i = 0}},
  };
  struct problem p;
  struct config c = {0};
  struct str text = {0}, log = {0};
  struct linemap map;
  assert_int_equal(open_text(&f, GOOD_FAMILY, "one\n__builtin_amdgcn_readlane\n",
                             &e), 0);
  assert_int_equal(family_set_arch(f, facts, 2, &e), 0);
  assert_int_equal(family_problem(f, NULL, NULL, 0, &p, &e), 0);
  assert_int_equal(family_render(f, &p, &c, &text, &map, &e), 0);
  assert_non_null(strstr(text.at, "__shfl_sync(~0u, x, lane)"));
  assert_int_equal(map.at[map.n - 1].line, 2);
  assert_int_equal(map.at[map.n - 2].line, 1);
  assert_int_equal(map.at[map.n - 3].line, 0);
  size_t lines = 0;
  for (const char *at = text.at; *at; at++)
    lines += *at == '\n';
  assert_int_equal(lines, map.n);
  linemap_free(&map);
  str_free(&log);
  str_free(&text);
  family_close(f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(words_bring_what_they_use),
    cmocka_unit_test(only_whole_words_count),
    cmocka_unit_test(amd_lines_are_passed_over),
    cmocka_unit_test(dots_are_told_about_signs),
    cmocka_unit_test(rendering_adds_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
