/* include.c - templates in parts: text, values, positions, hashes, errors. */
// SPDX-License-Identifier: MIT
#include "gen/include.h"
#include "gen/directive.h"
#include "tests/gen/help.h"

static const struct {
  const char *title, *template, *part, *expected;
  int is_error;
} cases[] = {
  { "text stands where its include does",
    "a\n@ include \"p.hip\"\nb\n", "p$tile\n", "a\np4\nb\n", 0 },
  { "a part is run each time, with arguments, and may be in parentheses",
    "@ for i = 1, 2 do\n@   include(\"p.hip\", i, \"x\")\n@ end\n",
    "@ local n <const>, s <const> = ...\n$s$n\n", "x1\nx2\n", 0 },
  { "what it returns, include returns",
    "@ local part <const> = include \"p.hip\"\na\n@ part.twice(3)\n",
    "@ local part <const> = {}\n@ function part.twice(n)\n$(2 * n)\n@ end\n"
    "@ return part\n", "a\n6\n", 0 },
  { "a part sees tunables, problem and arch, and not what is local",
    "@ local mine = 1\n@ include \"p.hip\"\n", "$n $(arch.wave) $mine\n",
    "p.hip:1: 'mine' is not defined", 1 },
  { "indent moves lines of text, not the preprocessor's",
    "@ indent(4, function () include \"p.hip\" end)\n", "x\n\n#if 1\n  y\n",
    "    x\n\n#if 1\n      y\n", 0 },
  { "indent to the left stops at the margin",
    "@ indent(-4, function (x)\n      a$x\n  b\n@ end, 7)\nc\n  d\n", "",
    "  a7\nb\nc\n  d\n", 0 },
  { "an error names the part and its line",
    "a\n@ include \"p.hip\"\n", "x\n$tyle\n",
    "p.hip:2: 'tyle' is not defined; did you mean 'tile'?", 1 },
  { "so does one of syntax", "@ include \"p.hip\"\n", "x\n@ for\n",
    "p.hip:3: <name> expected near <eof>", 1 },
  { "and one of a value", "@ include \"p.hip\"\n", "x\n$(1 / 2)\n",
    "p.hip:2: $(1 / 2) is the float 0.5; only integers and strings are pasted "
    "(divide by //, or use math.tointeger)", 1 },
  { "a part that is not there", "a\n@ include \"q.hip\"\n", "",
    "t.hip:2: there is no part 'q.hip', neither beside the family nor in the "
    "program", 1 },
  { "a part outside", "@ include \"../p.hip\"\n", "",
    "t.hip:1: include '../p.hip': a part is NAME.hip or NAME.lua in the "
    "family's folder or one below", 1 },
  { "a name put together", "@ include(\"p\" .. \".hip\")\n", "",
    "t.hip:1: include 'p': a part is NAME.hip or NAME.lua in the family's "
    "folder or one below", 1 },
  { "a name from elsewhere", "@ local name = \"p.hip\"\n@ include(name)\n", "",
    "t.hip:2: include 'p.hip': the name must stand there in quotes, as in "
    "include \"parts/loop.hip\"", 1 },
  { "parts that go round", "@ include \"p.hip\"\n", "@ include \"p.hip\"\n",
    "p.hip:1: include 'p.hip': more than 16 deep; look for parts that include "
    "each other", 1 },
  { "indent by what is no number", "@ indent(\"x\", include)\n", "",
    "t.hip:1: bad argument #1 to 'indent' (number expected, got string)", 1 },
  { "#include", "a\n#include <hip/hip_runtime.h>\n", "",
    "t.hip:2: #include: " DIRECTIVE_ADVICE, 1 },
  { "#include, put together in a part", "a\n@ include \"p.hip\"\n",
    "x\n@ local word = \"include\"\n # $word \"/etc/passwd\"\n",
    "p.hip:3: #include: " DIRECTIVE_ADVICE, 1 },
  { "#include on a last line without its end", "#import <x>", "",
    "t.hip:1: #import: " DIRECTIVE_ADVICE, 1 },
};

static void write_part(const char *name, const char *text)
{
  char folder[2048], path[4096];
  snprintf(folder, sizeof folder, BUILD_DIR "/%s.files",
           program_invocation_short_name);
  mkdir(folder, 0777);
  snprintf(path, sizeof path, "%s/%s", folder, name);
  write_text(path, text, strlen(text));
}

static int run(size_t i)
{
  struct family *f;
  struct err e = {0};
  struct str text = {0};
  write_part("p.hip", cases[i].part);
  int failed = open_text(&f, GOOD_FAMILY, cases[i].template, &e);
  if (!failed) {
    failed = render_first(f, &text, NULL, &e);
    family_close(f);
  }
  const char *got = failed ? e.text : body(&text);
  int bad = !!failed != cases[i].is_error || strcmp(got, cases[i].expected);
  if (bad)
    print_error("%s\n  wanted:\n%s\n  got:\n%s\n", cases[i].title,
                cases[i].expected, got);
  str_free(&text);
  return bad;
}

static void parts(void **state)
{
  (void)state;
  int bad = 0;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    bad += run(i);
  assert_int_equal(bad, 0);
}

/* Lua of a family and of its template can share a part, which sees the
 * library alone. */
static void parts_in_lua(void **state)
{
  (void)state;
  struct family *f;
  struct err e = {0};
  struct str text = {0};
  static const char lua[] =
      "local half <const> = include \"p.lua\"\n"
      FAMILY(GOOD_MEANING, GOOD_PROBLEM,
             "space = { { \"tile\", { half(8) }, \"a tile\" } },\n", GOOD_RULES,
             GOOD_LAUNCH, GOOD_BUFFERS, GOOD_REST GOOD_CHECK);
  write_part("p.lua", "return function (n) return n // 2 end\n");
  assert_int_equal(
      open_text(&f, lua, "@ local half = include \"p.lua\"\n$(half(tile))\n",
                &e), 0);
  assert_int_equal(render_first(f, &text, NULL, &e), 0);
  assert_string_equal(body(&text), "2\n");
  str_free(&text);
  family_close(f);
  write_part("p.lua", "return tile\n");
  assert_int_not_equal(open_text(&f, lua, "", &e), 0);
  assert_string_equal(e.text, "p.lua:1: 'tile' is not defined");
}

static void text_in_lua(void **state)
{
  (void)state;
  struct family *f;
  struct err e = {0};
  write_part("p.hip", "x\n");
  assert_int_not_equal(
      open_text(&f, "include \"p.hip\"\n" GOOD_FAMILY, "", &e), 0);
  assert_string_equal(e.text, "t.lua:1: include 'p.hip': text can be included "
                              "by a .hip only");
}

/* A compiler's log comes back as lines of parts, too; the hash knows them. */
static void positions_and_hashes(void **state)
{
  (void)state;
  struct family *f;
  struct err e = {0};
  struct str text = {0}, log = {0}, out = {0};
  struct linemap map;
  char hash[2][HASH_TEXT];
  for (int i = 0; i < 2; i++) {
    write_part("p.hip", i ? "x\nz\n" : "x\ny\n");
    assert_int_equal(open_text(&f, GOOD_FAMILY, "a\n@ include \"p.hip\"\nb\n",
                               &e), 0);
    strcpy(hash[i], family_hash(f));
    if (!i)
      family_close(f);
  }
  assert_string_not_equal(hash[0], hash[1]);
  assert_int_equal(render_first(f, &text, &map, &e), 0);
  str_addf(&log, "t.gen.hip:%zu:7: error: z\nt.gen.hip:%zu:1: error: b\n",
           map.n - 1, map.n);
  family_map_log(f, &map, log.at, &out);
  assert_string_equal(out.at, "p.hip:2: error: z\nt.hip:3: error: b\n");
  linemap_free(&map);
  str_free(&text);
  str_free(&log);
  str_free(&out);
  family_close(f);
}

static void includes_are_found(void **state)
{
  (void)state;
  static const char lua[] =
      "-- include \"a.hip\"\n"
      "local x = include \"b.hip\", include('c.lua') -- include \"d.hip\"\n"
      "my_include \"e\" x.include \"f\" include(name) include \"g\n"
      "  @ include ( \"h.hip\" )\n";
  static const char *const all[] = {"b.hip", "c.lua", "h.hip"};
  size_t at = 0;
  for (int i = 0; i < 3; i++) {
    char *name = include_next(lua, &at, 0);
    assert_string_equal(name, all[i]);
    free(name);
  }
  assert_null(include_next(lua, &at, 0));
  at = 0;
  char *name = include_next(lua, &at, 1); /* lines of Lua in a template */
  assert_string_equal(name, "h.hip");
  free(name);
  assert_null(include_next(lua, &at, 1));
}

static void directives_are_found(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    size_t line;
  } texts[] = {
    {"int a;\n#include <x>\n", 2},
    {"#  include_next <x>", 1},
    {"%: include <x>", 1},
    {"\n# /* a */ in\\\nclude <x>\n", 2},
    {"/* a */ #include <x>", 1},
    {"/* a\n */\t#embed <x>", 2},
    {"R\"(/*)\"\n#/**/include <x>\n/*", 2},
    {"#define include x\n#if 0\n#pragma include\n", 0},
    {"// see #include <x>\nint a; // #include\n", 0},
    {"#includes <x>\nx#include\n", 0},
    {"", 0},
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const char *word;
    size_t line = directive_include(texts[i].text, &word);
    if (line != texts[i].line)
      fail_msg("%s: line %zu", texts[i].text, line);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(parts),
    cmocka_unit_test(parts_in_lua),
    cmocka_unit_test(text_in_lua),
    cmocka_unit_test(positions_and_hashes),
    cmocka_unit_test(includes_are_found),
    cmocka_unit_test(directives_are_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
