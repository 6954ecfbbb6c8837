/* help.h - families made of text, for the tests of gen/. */
// SPDX-License-Identifier: MIT
#ifndef tests_gen_help_h
#define tests_gen_help_h

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "gen/family.h"

/* A family that is right in every part, to be damaged one part at a time. */
#define GOOD_MEANING "meaning = \"a test\",\n"
#define GOOD_PROBLEM \
  "problem = {\n" \
  "  { \"n\", 10, { min = 1, max = 100 }, \"size\" },\n" \
  "  { \"x\", 2.5, \"number\", \"factor\" },\n" \
  "  { \"order\", \"up\", { \"up\", \"down\" }, \"direction\" },\n" \
  "},\n"
#define GOOD_SPACE \
  "space = {\n" \
  "  { \"tile\", { 4, 8, 16 }, \"size of a tile\", 0.5 },\n" \
  "  { \"word\", { \"ab\", \"cd\" }, \"a word\" },\n" \
  "},\n"
#define GOOD_RULES "rules = {},\n"
#define GOOD_LAUNCH \
  "launch = function (cfg, problem, arch)\n" \
  "  return { { kernel = \"k\", grid = { problem.n, 1, 1 },\n" \
  "    block = { cfg.tile, 1, 1 }, lds = 0,\n" \
  "    args = { \"a\", i32(problem.n), f32(problem.x) } } }\n" \
  "end,\n"
#define GOOD_BUFFERS \
  "buffers = function (cfg, problem, arch)\n" \
  "  return { { name = \"a\", role = \"out\", type = \"f32\",\n" \
  "    elements = problem.n, low = -1, high = 1 } }\n" \
  "end,\n"
#define GOOD_REST \
  "reference = \"none\",\n" \
  "cost = function (problem) return { flops = 1, bytes = 2 } end,\n"
#define GOOD_CHECK \
  "check = function (cfg, problem, arch) return { n = 3 } end,\n"

#define FAMILY(meaning, problem, space, rules, launch, buffers, rest) \
  "return {\n" meaning problem space rules launch buffers rest "}\n"
#define GOOD_FAMILY \
  FAMILY(GOOD_MEANING, GOOD_PROBLEM, GOOD_SPACE, GOOD_RULES, GOOD_LAUNCH, \
         GOOD_BUFFERS, GOOD_REST GOOD_CHECK)

static inline void write_text(const char *path, const char *text, size_t n)
{
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, n, file), n);
  assert_int_equal(fclose(file), 0);
}

/* Open a family t of these two texts, as t.lua and t.hip of the current
 * folder (one for each test program), for an arch with two facts. */
static inline int open_bytes(struct family **f, const char *lua, size_t nlua,
                             const char *hip, size_t nhip, struct err *e)
{
  static const struct pair facts[] = {
    {"name", {.kind = VALUE_STR, .s = "gfx906"}},
    {"wave", {.kind = VALUE_INT, .i = 64}},
  };
  char folder[4096], from[4096];
  snprintf(folder, sizeof folder, BUILD_DIR "/%s.files",
           program_invocation_short_name);
  mkdir(folder, 0777);
  assert_non_null(getcwd(from, sizeof from));
  assert_int_equal(chdir(folder), 0);
  write_text("t.lua", lua, nlua);
  write_text("t.hip", hip, nhip);
  int failed = family_open(f, "t.lua", NULL, e);
  unlink("t.lua");
  unlink("t.hip");
  assert_int_equal(chdir(from), 0);
  if (failed)
    return failed;
  assert_int_equal(family_set_arch(*f, facts, 2, e), 0);
  return 0;
}

static inline int open_text(struct family **f, const char *lua,
                            const char *hip, struct err *e)
{
  return open_bytes(f, lua, strlen(lua), hip, strlen(hip), e);
}

/* The Lua of a damaged family, and the message that it gets. */
struct damaged {
  const char *lua, *error;
};

static inline void must_refuse(const struct damaged *damaged, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    struct family *f;
    struct err e = {0};
    assert_int_equal(open_text(&f, damaged[i].lua, "", &e), ERR_FAILED);
    assert_string_equal(e.text, damaged[i].error);
  }
}

/* The rendered text behind the head comment. */
static inline const char *body(const struct str *text)
{
  const char *end = strstr(str_text(text), "*/\n");
  assert_non_null(end);
  return end + 3;
}

/* Render with default problem and first values; text behind the head. */
static inline int render_first(struct family *f, struct str *text,
                               struct linemap *map, struct err *e)
{
  struct problem p;
  struct config c = {0};
  int failed = family_problem(f, NULL, NULL, 0, &p, e);
  return failed ? failed : family_render(f, &p, &c, text, map, e);
}

#endif
