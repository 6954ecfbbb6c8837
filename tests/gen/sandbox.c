/* sandbox.c - what a family's Lua code cannot do. */
// SPDX-License-Identifier: MIT
#include <time.h>

#include "tests/gen/help.h"

/* Names that must not be reachable, in the file or in the template. */
static const char *const forbidden[] = {
  "io", "os", "package", "debug", "coroutine", "utf8", "require", "load",
  "loadstring", "loadfile", "dofile", "collectgarbage", "pcall", "xpcall",
  "print", "warn", "next", "rawget", "rawset", "rawequal", "rawlen",
  "setmetatable", "getmetatable", "_G", "_VERSION", "math.random",
  "math.randomseed", "string.dump", "table.move", "string.find", "string.match",
  "string.gmatch", "string.gsub", "string.pack", "string.unpack",
};

static void names_are_absent(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++) {
    const char *dot = strchr(forbidden[i], '.');
    const char *last = dot ? dot + 1 : forbidden[i];
    struct str lua = {0}, wanted = {0};
    struct family *f;
    struct err e;
    str_addf(&lua, "local x = %s\n%s", forbidden[i], GOOD_FAMILY);
    str_addf(&wanted, "t.lua:1: '%s' is not", last);
    assert_int_equal(open_text(&f, lua.at, "", &e), ERR_FAILED);
    if (strncmp(e.text, wanted.at, wanted.len))
      fail_msg("%s: %s", forbidden[i], e.text);
    str_free(&lua);
    str_free(&wanted);
  }
}

static double seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Templates that would take for ever or all memory. The limit on time is
 * that of the sandbox (2 s) with room for sanitizers on a busy machine. */
static const struct bomb {
  const char *template, *error;
} bombs[] = {
  {"@ while true do end\n", "endless loop"},
  {"@ ::again::\n@ goto again\n", "endless loop"},
  {"@ local function f() return f() end\n@ f()\n", "endless loop"},
  {"@ local function f() return 1 + f() end\n@ f()\n", ""},
  {"@ for i = 1, math.huge do\n$((\"x\"):rep(100))\n@ end\n", "MiB of text"},
  {"@ local s = \"x\"\n@ while true do\n@ s = s .. s\n@ end\n", "memory"},
  {"$((\"x\"):rep(1 << 40))\n", ""},
  {"$((\"x\"):rep(1 << 62, \"y\"))\n", ""},
  {"@ local t = {}\n@ for i = 1, 1 << 40 do t[i] = i end\n", "memory"},
  { "@ local s = (\"x\"):rep(4000000)\n"
    "@ while true do local t = s .. \"y\" end\n", "endless loop" },
  {"@ while true do local t = (\"x\"):rep(4000000) end\n", "endless loop"},
  { "@ local t = {}\n@ for i = 1, 500000 do t[i] = i % 1000 end\n"
    "@ while true do table.sort(t) end\n", "endless loop" },
  { "@ local t = {}\n@ for i = 1, 500000 do t[i] = i end\n"
    "@ while true do table.insert(t, 1, 0) table.remove(t, 1) end\n",
    "endless loop" },
  { "@ local t = {}\n@ for i = 1, 100000 do t[i] = i end\n"
    "@ while true do for k in pairs(t) do break end end\n", "endless loop" },
  { "@ local s = \"x\"\n@ for i = 1, 300 do s = \"(\" .. s end\n"
    "@ table.unpack({}, 1, 1 << 30)\n", "unpack" },
  {"@ table.move({}, 1, 1 << 60, 2)\n", "'move' is not in table"},
  {"$(string.format(\"%99999d\", 1))\n", ""},
  {"@ table.concat({}, \"x\", 1, 1 << 60)\n", ""},
};

static void bombs_end_in_errors(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof bombs / sizeof *bombs; i++) {
    struct family *f;
    struct err e = {0};
    struct str text = {0};
    double start = seconds();
    assert_int_equal(open_text(&f, GOOD_FAMILY, bombs[i].template, &e), 0);
    assert_int_equal(render_first(f, &text, NULL, &e), ERR_FAILED);
    if (strncmp(e.text, "t.hip", 5) || !strstr(e.text, bombs[i].error))
      fail_msg("bomb %zu: %s", i, e.text);
    if (seconds() - start > 60)
      fail_msg("bomb %zu: %g s", i, seconds() - start);
    str_free(&text);
    family_close(f);
  }
}

/* After an overrun the family still works. */
static void a_family_survives_a_bomb(void **state)
{
  (void)state;
  struct family *f;
  struct err e;
  struct str text = {0};
  struct problem p;
  struct config c = {0};
  assert_int_equal(open_text(&f, GOOD_FAMILY,
                             "@ if tile == 4 then\n"
                             "@   local s = \"x\"\n"
                             "@   while true do s = s .. s end\n"
                             "@ end\n$tile\n", &e), 0);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(render_first(f, &text, NULL, &e), ERR_FAILED);
    assert_int_equal(text.len, 0);
    assert_int_equal(family_problem(f, NULL, NULL, 0, &p, &e), 0);
    c.at[0] = 1;
    assert_int_equal(family_render(f, &p, &c, &text, NULL, &e), 0);
    assert_string_equal(body(&text), "8\n");
    str_clear(&text);
  }
  str_free(&text);
  family_close(f);
}

/* Lua's own string.rep counts to 2^60 here. */
static void nothing_is_repeated_at_once(void **state)
{
  (void)state;
  struct family *f;
  struct err e;
  struct str text = {0};
  assert_int_equal(open_text(&f, GOOD_FAMILY,
                             "<$((\"\"):rep(1 << 60))$((\"a\"):rep(3, \"-\"))"
                             "$((\"\"):rep(3, \"-\"))>", &e), 0);
  assert_int_equal(render_first(f, &text, NULL, &e), 0);
  assert_string_equal(body(&text), "<a-a-a-->");
  str_free(&text);
  family_close(f);
}

static void endless_files_end(void **state)
{
  (void)state;
  struct family *f;
  struct err e;
  assert_int_equal(open_text(&f, "\n\nwhile true do end", "", &e), ERR_FAILED);
  assert_string_equal(e.text,
                      "t.lua:3: still running after its allowance of steps or "
                      "time; look for an endless loop");
  static const char bytecode[] = "\x1bLuaT\0\x19\x93";
  assert_int_equal(open_bytes(&f, bytecode, sizeof bytecode, "", 0, &e),
                   ERR_FAILED);
  assert_non_null(strstr(e.text, "attempt to load a binary chunk"));
  struct str deep = {0};
  str_add(&deep, "return ");
  for (int i = 0; i < 100000; i++)
    str_add(&deep, "(");
  assert_int_equal(open_text(&f, deep.at, "", &e), ERR_FAILED);
  str_free(&deep);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(names_are_absent),
    cmocka_unit_test(bombs_end_in_errors),
    cmocka_unit_test(a_family_survives_a_bomb),
    cmocka_unit_test(nothing_is_repeated_at_once),
    cmocka_unit_test(endless_files_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
