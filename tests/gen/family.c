/* family.c - families good and damaged, their plans, heads and hashes. */
// SPDX-License-Identifier: MIT
#include "gen/source.h"
#include "tests/gen/help.h"

#define WITH(meaning, problem, space, rules, rest) \
  FAMILY(meaning, problem, space, rules, GOOD_LAUNCH, GOOD_BUFFERS, rest)

/* Line 1 is "return {", line 2 the meaning; problem is at 3, space at 8. */
static const struct damaged damaged[] = {
  {"", "t.lua: returns a nil; it must return the table of the family"},
  { "return 1",
    "t.lua: returns a number; it must return the table of the family" },
  {"return {", "t.lua:1: unexpected symbol near <eof>"},
  {"x = 1", "t.lua:1: 'x' is not a local variable; write 'local x'"},
  { WITH("", GOOD_PROBLEM, GOOD_SPACE, GOOD_RULES, GOOD_REST GOOD_CHECK),
    "t.lua: field 'meaning' is missing; add meaning = a sentence" },
  { WITH(GOOD_MEANING, GOOD_PROBLEM, GOOD_SPACE, "", GOOD_REST GOOD_CHECK),
    "t.lua: field 'rules' is missing; add rules = a list of { \"reason\", "
    "function (cfg, problem, arch) }" },
  { WITH(GOOD_MEANING, GOOD_PROBLEM, GOOD_SPACE, GOOD_RULES, GOOD_REST),
    "t.lua: field 'check' is missing; add check = function (cfg, problem, "
    "arch)" },
  { WITH("meaning = 5,\n", GOOD_PROBLEM, GOOD_SPACE, GOOD_RULES, ""),
    "t.lua:2: 'meaning' is a number; it must be a sentence" },
  { WITH("meaning = \"\",\n", GOOD_PROBLEM, GOOD_SPACE, GOOD_RULES,
         GOOD_REST GOOD_CHECK),
    "t.lua:2: 'meaning' must be one line without */" },
  { WITH("meaning = \"a */ b\",\n", GOOD_PROBLEM, GOOD_SPACE, GOOD_RULES,
         GOOD_REST GOOD_CHECK),
    "t.lua:2: 'meaning' must be one line without */" },
  { WITH(GOOD_MEANING, GOOD_PROBLEM, GOOD_SPACE, "rulez = {},\n" GOOD_RULES,
         GOOD_REST GOOD_CHECK),
    "t.lua: 'rulez' is not a field of a family; did you mean 'rules'?" },
  { WITH(GOOD_MEANING, "problem = {},\n", GOOD_SPACE, GOOD_RULES,
         GOOD_REST GOOD_CHECK),
    "t.lua:3: problem needs 1 to 32 keys" },
  { WITH(GOOD_MEANING, "problem = { \"n\" },\n", GOOD_SPACE, GOOD_RULES,
         GOOD_REST GOOD_CHECK),
    "t.lua:3: problem: entry 1 does not fit; it must be a list of { \"name\", "
    "default, legal values, \"meaning\" }" },
  { WITH(GOOD_MEANING, "problem = { { \"n\", 1, { 1, 2 } } },\n", GOOD_SPACE,
         GOOD_RULES, GOOD_REST GOOD_CHECK),
    "t.lua:3: problem: entry 1 does not fit; it must be a list of { \"name\", "
    "default, legal values, \"meaning\" }" },
  { WITH(GOOD_MEANING, "problem = { { \"n\", 3, { 1, 2 }, \"x\" } },\n",
         GOOD_SPACE, GOOD_RULES, GOOD_REST GOOD_CHECK),
    "t.lua:3: the default of 'n' is 3; it can be 1, 2" },
  { WITH(GOOD_MEANING, "problem = { { \"n\", 3, { min = 1 }, \"x\" } },\n",
         GOOD_SPACE, GOOD_RULES, GOOD_REST GOOD_CHECK),
    "t.lua:3: 'n': legal values are { min = INTEGER, max = INTEGER }, a list, "
    "or \"number\"" },
  { WITH(GOOD_MEANING, "problem = { { \"n\", 3, \"integer\", \"x\" } },\n",
         GOOD_SPACE, GOOD_RULES, GOOD_REST GOOD_CHECK),
    "t.lua:3: 'n': legal values are { min = INTEGER, max = INTEGER }, a list, "
    "or \"number\"" },
  { WITH(GOOD_MEANING,
         "problem = { { \"n\", 3, { min = 4, max = 5 }, \"x\" } },\n",
         GOOD_SPACE, GOOD_RULES, GOOD_REST GOOD_CHECK),
    "t.lua:3: the default of 'n' is 3; it must be from 4 to 5" },
  { WITH(GOOD_MEANING,
         "problem = { { \"n\", 3.5, { min = 1, max = 5 }, \"x\" } },\n",
         GOOD_SPACE, GOOD_RULES, GOOD_REST GOOD_CHECK),
    "t.lua:3: the default of 'n' is a number; it must be an integer" },
  { WITH(GOOD_MEANING, "problem = { { \"N\", 1, { 1 }, \"x\" } },\n",
         GOOD_SPACE, GOOD_RULES, GOOD_REST GOOD_CHECK),
    "t.lua:3: problem key 'N': a name is at most 31 lower-case letters, "
    "digits and _, and starts with a letter" },
  { WITH(GOOD_MEANING, "problem = { { \"end\", 1, { 1 }, \"x\" } },\n",
         GOOD_SPACE, GOOD_RULES, GOOD_REST GOOD_CHECK),
    "t.lua:3: problem key 'end': the name is taken in templates; choose "
    "another" },
  { WITH(GOOD_MEANING, "problem = { { \"type\", 1, { 1 }, \"x\" } },\n",
         GOOD_SPACE, GOOD_RULES, GOOD_REST GOOD_CHECK),
    "t.lua:3: problem key 'type': the name is taken in templates; choose "
    "another" },
  { WITH(GOOD_MEANING, GOOD_PROBLEM,
         "space = { { \"arch\", { 1 }, \"x\" } },\n", GOOD_RULES,
         GOOD_REST GOOD_CHECK),
    "t.lua:8: tunable 'arch': the name is taken in templates; choose "
    "another" },
  { WITH(GOOD_MEANING, GOOD_PROBLEM, "space = { { \"n\", { 1 }, \"x\" } },\n",
         GOOD_RULES, GOOD_REST GOOD_CHECK),
    "t.lua:4: tunable 'n': the name stands twice" },
  { WITH(GOOD_MEANING, GOOD_PROBLEM, "space = { { \"u\", { }, \"x\" } },\n",
         GOOD_RULES, GOOD_REST GOOD_CHECK),
    "t.lua:8: 'u' needs 1 to 64 values" },
  { WITH(GOOD_MEANING, GOOD_PROBLEM,
         "space = { { \"u\", { 1, \"a\" }, \"x\" } },\n", GOOD_RULES,
         GOOD_REST GOOD_CHECK),
    "t.lua:8: 'u': values must be all integers or all strings" },
  { WITH(GOOD_MEANING, GOOD_PROBLEM,
         "space = { { \"u\", { 1, 2.0 }, \"x\" } },\n", GOOD_RULES,
         GOOD_REST GOOD_CHECK),
    "t.lua:8: 'u': values must be all integers or all strings" },
  { WITH(GOOD_MEANING, GOOD_PROBLEM,
         "space = { { \"u\", { 1, 2, 1 }, \"x\" } },\n", GOOD_RULES,
         GOOD_REST GOOD_CHECK),
    "t.lua:8: 'u': value 3 stands twice" },
  { WITH(GOOD_MEANING, GOOD_PROBLEM,
         "space = { { \"u\", { \"a,b\" }, \"x\" } },\n", GOOD_RULES,
         GOOD_REST GOOD_CHECK),
    "t.lua:8: 'u': a string value is 1 to 63 letters, digits, _ . + or -" },
  { WITH(GOOD_MEANING, GOOD_PROBLEM, "space = { { \"u\", 4, \"x\" } },\n",
         GOOD_RULES, GOOD_REST GOOD_CHECK),
    "t.lua:8: 'u' needs its list of values" },
  { WITH(GOOD_MEANING, GOOD_PROBLEM, "space = { { \"u\", { 4 }, 5 } },\n",
         GOOD_RULES, GOOD_REST GOOD_CHECK),
    "t.lua:8: 'u' needs its meaning as entry 3" },
  { WITH(GOOD_MEANING, GOOD_PROBLEM, "space = { { \"u\", { 4 }, \"x\", \"y\" } },\n",
         GOOD_RULES, GOOD_REST GOOD_CHECK),
    "t.lua:8: 'u' needs a weight above 0 as entry 4, or none" },
  { WITH(GOOD_MEANING, GOOD_PROBLEM, "space = { { \"u\", { 4 }, \"x\", 0 } },\n",
         GOOD_RULES, GOOD_REST GOOD_CHECK),
    "t.lua:8: 'u' needs a weight above 0 as entry 4, or none" },
  { WITH(GOOD_MEANING, GOOD_PROBLEM, GOOD_SPACE,
         "rules = { { \"never\", true } },\n", GOOD_REST GOOD_CHECK),
    "t.lua:12: rule 'never' needs a function (cfg, problem, arch)" },
  { WITH(GOOD_MEANING, GOOD_PROBLEM, GOOD_SPACE,
         "rules = { function () end },\n", GOOD_REST GOOD_CHECK),
    "t.lua:12: rules: entry 1 does not fit; it must be a list of { "
    "\"reason\", function (cfg, problem, arch) }" },
};

static void damaged_families(void **state)
{
  (void)state;
  must_refuse(damaged, sizeof damaged / sizeof *damaged);
}

static int plan_of(const char *launch, const char *buffers, const char *cost,
                   struct plan *plan, struct err *e)
{
  struct str lua = {0};
  struct family *f = NULL;
  struct problem p;
  struct config c = {{1, 0}};
  str_addf(&lua, "return {\n%s%s%s%sreference = \"r\",\n%s%s}\n",
           GOOD_MEANING GOOD_PROBLEM, GOOD_SPACE GOOD_RULES, launch, buffers,
           cost, GOOD_CHECK);
  if (open_text(&f, lua.at, "", e) ||
      family_problem(f, NULL, NULL, 0, &p, e))
    fail_msg("%s", e->text);
  int failed = family_plan(f, &p, &c, plan, e);
  str_free(&lua);
  family_close(f);
  return failed;
}

#define GOOD_COST "cost = function () return { flops = 1, bytes = 2 } end,\n"
#define LAUNCH(text) "launch = function (cfg) return " text " end,\n"
#define BUFFERS(text) "buffers = function () return " text " end,\n"
#define COST(text) "cost = function () return " text " end,\n"
#define ONE(args) \
  LAUNCH("{ { kernel = 'k', grid = { 1, 1, 1 }, block = { 1, 1, 1 }, " \
         "args = " args " } }")

static void plans(void **state)
{
  (void)state;
  struct plan plan;
  struct err e;
  const char *launch = LAUNCH(
      "{ { kernel = 'one', grid = { 3, 2, 1 }, block = { cfg.tile, 4, 2 },\n"
      "lds = 512, args = { 'y', i32(-5), 'x', i64(1 << 40), f32(0.5),\n"
      "f32(2) } }, { kernel = 'two', grid = { 1, 1, 1 },\n"
      "block = { 64, 1, 1 }, args = {} } }");
  const char *buffers = BUFFERS(
      "{ { name = 'x', role = 'in', type = 'f16', elements = 77, low = 0,\n"
      "high = 3 }, { name = 'y', role = 'inout', type = 'i32',\n"
      "elements = 5 } }");
  if (plan_of(launch, buffers, COST("{ flops = 2.5e12, bytes = 1 << 40 }"),
              &plan, &e))
    fail_msg("%s", e.text);
  assert_int_equal(plan.nbuffers, 2);
  assert_string_equal(plan.buffers[0].name, "x");
  assert_int_equal(plan.buffers[0].role, BUFFER_IN);
  assert_int_equal(plan.buffers[0].type, ELEMENT_F16);
  assert_int_equal(plan.buffers[0].elements, 77);
  assert_true(plan.buffers[0].low == 0 && plan.buffers[0].high == 3);
  assert_int_equal(plan.buffers[1].role, BUFFER_INOUT);
  assert_int_equal(plan.buffers[1].type, ELEMENT_I32);
  assert_true(plan.buffers[1].low == -1 && plan.buffers[1].high == 1);
  assert_int_equal(plan.nlaunches, 2);
  const struct launch *l = plan.launches;
  assert_string_equal(l->kernel, "one");
  assert_int_equal(l->grid[0] * 100 + l->grid[1] * 10 + l->grid[2], 321);
  assert_int_equal(l->block[0] * 100 + l->block[1] * 10 + l->block[2], 842);
  assert_int_equal(l->lds, 512);
  assert_int_equal(l->nargs, 6);
  assert_int_equal(l->args[0].kind, ARG_BUFFER);
  assert_int_equal(l->args[0].buffer, 1);
  assert_int_equal(l->args[1].kind, ARG_I32);
  assert_int_equal(l->args[1].i, -5);
  assert_int_equal(l->args[2].buffer, 0);
  assert_int_equal(l->args[3].kind, ARG_I64);
  assert_true(l->args[3].i == 1LL << 40);
  assert_int_equal(l->args[4].kind, ARG_F32);
  assert_true(l->args[4].d == 0.5 && l->args[5].d == 2);
  assert_string_equal(l[1].kernel, "two");
  assert_int_equal(l[1].nargs, 0);
  assert_true(plan.flops == 2.5e12 && plan.bytes == 1099511627776.0);
}

static const struct {
  const char *launch, *buffers, *cost, *error;
} bad_plans[] = {
  { LAUNCH("1"), GOOD_BUFFERS, GOOD_COST,
    "t.lua:13: launch: must return a list of 1 to 4 tables" },
  { LAUNCH("{}"), GOOD_BUFFERS, GOOD_COST,
    "t.lua:13: launch: must return a list of 1 to 4 tables" },
  { LAUNCH("{ 1 }"), GOOD_BUFFERS, GOOD_COST,
    "t.lua:13: launch: entry 1 is no table" },
  { LAUNCH("{ {} }"), GOOD_BUFFERS, GOOD_COST,
    "t.lua:13: launch: kernel is missing or no string" },
  { LAUNCH("{ { kernel = 'k', grid = { 1, 1 } } }"), GOOD_BUFFERS, GOOD_COST,
    "t.lua:13: launch: grid must be { x, y, z }" },
  { LAUNCH("{ { kernel = 'k', gird = { 1, 1, 1 } } }"), GOOD_BUFFERS,
    GOOD_COST,
    "t.lua:13: launch: 'gird' is not a field; did you mean 'grid'?" },
  { LAUNCH("{ { kernel = 'k', grid = { 8 / 2, 1, 1 } } }"), GOOD_BUFFERS,
    GOOD_COST,
    "t.lua:13: launch: grid is a float; it must be an integer (divide by //)" },
  { LAUNCH("{ { kernel = 'k', grid = { 1, 0, 1 } } }"), GOOD_BUFFERS,
    GOOD_COST, "t.lua:13: launch: grid is 0; it must be from 1 to 2147483647" },
  { LAUNCH("{ { kernel = 'k', grid = { 1, 1, 1 }, block = { 2048, 1, 1 } "
           "} }"),
    GOOD_BUFFERS, GOOD_COST,
    "t.lua:13: launch: block is 2048; it must be from 1 to 1024" },
  { ONE("nil"), GOOD_BUFFERS, GOOD_COST,
    "t.lua:13: launch: args must be a list of at most 32" },
  { ONE("{ 'b' }"), GOOD_BUFFERS, GOOD_COST,
    "t.lua:13: launch: argument 'b' is not one of the buffers" },
  { ONE("{ 5 }"), GOOD_BUFFERS, GOOD_COST,
    "t.lua:13: launch: argument is a number; write i32(...), i64(...), "
    "f32(...) or the name of a buffer" },
  { ONE("{ i32(1 << 31) }"), GOOD_BUFFERS, GOOD_COST,
    "t.lua:13: 2147483648 does not fit in i32; use i64" },
  { ONE("{ i32(1.5) }"), GOOD_BUFFERS, GOOD_COST,
    "t.lua:13: bad argument #1 to 'i32' (number has no integer "
    "representation)" },
  { ONE("{}"), BUFFERS("{ { name = 'a', role = 'output' } }"), GOOD_COST,
    "t.lua:14: buffers: role is 'output'; it can be in, out, inout, scratch" },
  { ONE("{}"), BUFFERS("{ { name = 'a', role = 'in', type = 'f80' } }"),
    GOOD_COST,
    "t.lua:14: buffers: type is 'f80'; it can be f32, f16, i32, i8, "
    "bf16, f64, fp8, bf8, fp8_fnuz, bf8_fnuz, q8_0, q4_0, q4_1, q4_K, q6_K" },
  { ONE("{}"),
    BUFFERS("{ { name = 'a', role = 'out', type = 'q4_0', elements = 1 } }"),
    GOOD_COST,
    "t.lua:14: buffers: type 'q4_0' is one of inputs: role must be 'in'" },
  { ONE("{}"),
    BUFFERS("{ { name = 'a', role = 'in', type = 'i8', elements = 1, "
            "planes = true } }"),
    GOOD_COST,
    "t.lua:14: buffers: planes are those of blocks, but type is 'i8'" },
  { ONE("{}"),
    BUFFERS("{ { name = 'a', role = 'in', type = 'q4_0', elements = 12, "
            "planes = true, panel = 4, row = 2 } }"),
    GOOD_COST,
    "t.lua:14: buffers: panels need planes, and elements that are whole panels" },
  { ONE("{}"),
    BUFFERS("{ { name = 'a', role = 'in', type = 'f32', elements = 0 } }"),
    GOOD_COST,
    "t.lua:14: buffers: elements is 0; it must be from 1 to "
    "1152921504606846975" },
  { ONE("{}"), GOOD_BUFFERS, COST("5"),
    "t.lua:19: cost: must return { flops = N, bytes = N }" },
  { ONE("{}"), GOOD_BUFFERS, COST("{ flops = -1 }"),
    "t.lua:19: cost: flops cannot be negative" },
  { ONE("{}"), GOOD_BUFFERS, COST("{ flops = 1 / 0 }"),
    "t.lua:19: cost: flops must be a number" },
};

static void damaged_plans(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof bad_plans / sizeof *bad_plans; i++) {
    struct plan plan;
    struct err e;
    assert_int_equal(plan_of(bad_plans[i].launch, bad_plans[i].buffers,
                             bad_plans[i].cost, &plan, &e),
                     ERR_FAILED);
    assert_string_equal(e.text, bad_plans[i].error);
  }
}

static void heads(void **state)
{
  (void)state;
  struct family *f;
  struct err e;
  struct str text = {0}, wanted = {0};
  char hash[HASH_TEXT];
  hash_hex("$tile\n", 6, hash);
  str_addf(&wanted,
           "/* t for gfx906: a test\n"
           " *\n"
           " * problem: n=10 x=2.5 order=up\n"
           " * configuration: tile=4 word=ab\n"
           " *\n"
           " *   tune emit t.lua --arch gfx906 --n 10 --x 2.5 --order up \\\n"
           " *     --set tile=4,word=ab\n"
           " *\n"
           " * 4 threads a workgroup, 4096 bytes of LDS\n"
           " * From t.hip %.8s.\n"
           " *\n"
           " * Buffers: a f32[10] (out).\n"
           " * Launch, with bytes of dynamic LDS:\n"
           " *   k<<<dim3(10, 1, 1), dim3(4, 1, 1), 0>>>(a, 10, (float)2.5);"
           "\n"
           " *\n"
           " * Generated. Edit the template.\n"
           " */\n4\n",
           hash);
  const char *lua =
      FAMILY(GOOD_MEANING, GOOD_PROBLEM, GOOD_SPACE, GOOD_RULES, GOOD_LAUNCH,
             GOOD_BUFFERS, GOOD_REST GOOD_CHECK
             "lds = function (cfg) return cfg.tile * 1024 end\n");
  assert_int_equal(open_text(&f, lua, "$tile\n", &e), 0);
  assert_int_equal(render_first(f, &text, NULL, &e), 0);
  assert_string_equal(text.at, wanted.at);
  str_free(&text);
  str_free(&wanted);
  family_close(f);
}

/* No line of the head is too wide, and the command is all there. */
static void long_heads(void **state)
{
  (void)state;
  struct str space = {0}, lua = {0}, text = {0};
  struct family *f;
  struct err e;
  for (int i = 0; i < 32; i++)
    str_addf(&space, "{ \"a_long_name_of_a_tunable_%d\", { 123456789 }, "
                     "\"x\" },\n", i);
  str_addf(&lua, "return {\n%sspace = { %s },\n%s}\n",
           GOOD_MEANING GOOD_PROBLEM, space.at,
           GOOD_RULES
           "launch = function () return { { kernel = 'k', grid = { 1, 1, 1 },"
           "block = { 1, 1, 1 }, args = {} } } end,"
           GOOD_BUFFERS GOOD_REST GOOD_CHECK);
  assert_int_equal(open_text(&f, lua.at, "", &e), 0);
  assert_int_equal(render_first(f, &text, NULL, &e), 0);
  int named = 0;
  for (char *line = strtok(text.at, "\n"); line; line = strtok(NULL, "\n")) {
    assert_true(strlen(line) <= 80);
    for (char *at = line; (at = strstr(at, "=123456789")); at++)
      named++;
  }
  assert_int_equal(named, 2 * 32);
  str_free(&space);
  str_free(&lua);
  str_free(&text);
  family_close(f);
}

/* Either file changes the hash, and so does moving text between them. */
static void hashes(void **state)
{
  (void)state;
  const char *pairs[][2] = {
    {GOOD_FAMILY, "a"},
    {GOOD_FAMILY, "b"},
    {GOOD_FAMILY "\n", "a"},
    {GOOD_FAMILY "--a", ""},
  };
  char hash[4][HASH_TEXT];
  for (int i = 0; i < 4; i++) {
    struct family *f;
    struct err e;
    assert_int_equal(open_text(&f, pairs[i][0], pairs[i][1], &e), 0);
    assert_int_equal(strlen(family_hash(f)), HASH_TEXT - 1);
    strcpy(hash[i], family_hash(f));
    family_close(f);
    for (int j = 0; j < i; j++)
      assert_string_not_equal(hash[i], hash[j]);
  }
}

static void weights(void **state)
{
  (void)state;
  struct family *f;
  struct err e = {0};
  const struct tunable *list;
  assert_int_equal(open_text(&f, GOOD_FAMILY, "", &e), 0);
  assert_int_equal(family_tunables(f, &list), 2);
  assert_true(list[0].weight == 0.5 && list[1].weight == 0);
  family_close(f);
}

static void families_by_name(void **state)
{
  (void)state;
  static const char folder[] = SOURCE_DIR "/tests/gen/families";
  struct family *f;
  struct err e;
  assert_int_equal(family_open(&f, "tooy", folder, &e), ERR_USAGE);
  assert_string_equal(e.text, "no family 'tooy'; did you mean 'toy'?");
  assert_int_equal(family_open(&f, "zzzzzz", folder, &e), ERR_USAGE);
  assert_non_null(strstr(e.text, "toy"));
  assert_non_null(strstr(e.text, "./zzzzzz.lua"));
  assert_int_equal(family_open(&f, "./nowhere.lua", NULL, &e), ERR_FAILED);
  assert_non_null(strstr(e.text, "./nowhere.lua: cannot read: No such file"));
  assert_int_equal(family_open(&f, "", NULL, &e), ERR_USAGE);
  char **names;
  size_t n = source_list(folder, &names), found = 0;
  for (size_t i = 0; i < n; i++) {
    found += !strcmp(names[i], "toy");
    assert_true(!i || strcmp(names[i - 1], names[i]) < 0);
  }
  assert_int_equal(found, 1);
  free(names);
}

/* Every family of the program opens, and is what is in templates/. */
static void embedded_families(void **state)
{
  (void)state;
  char **names;
  size_t n = source_list(NULL, &names);
  assert_true(n > 0);
  for (size_t i = 0; i < n; i++) {
    struct family *f = NULL, *disk = NULL;
    struct err e = {0};
    if (family_open(&f, names[i], NULL, &e) ||
        family_open(&disk, names[i], SOURCE_DIR "/templates", &e))
      fail_msg("%s", e.text);
    assert_string_equal(family_name(f), names[i]);
    assert_string_equal(family_hash(f), family_hash(disk));
    family_close(f);
    family_close(disk);
  }
  free(names);
}

#define ELSEWHERE(result) \
  FAMILY(GOOD_MEANING, GOOD_PROBLEM, GOOD_SPACE, GOOD_RULES, GOOD_LAUNCH, \
         GOOD_BUFFERS, GOOD_REST GOOD_CHECK \
         "elsewhere = function (problem) return " result " end,\n")

/* Which other family such a family names of n = 10, or the error. */
static int names_other(const char *lua, struct str *out, struct err *e)
{
  struct family *f;
  struct problem p;
  assert_int_equal(open_text(&f, lua, "", e), 0);
  assert_int_equal(family_problem(f, NULL, NULL, 0, &p, e), 0);
  int failed = family_elsewhere(f, &p, out, e);
  family_close(f);
  return failed;
}

static void other_families(void **state)
{
  (void)state;
  struct str out = {0};
  struct err e = {0};
  assert_int_equal(names_other(GOOD_FAMILY, &out, &e), 0);
  assert_int_equal(names_other(ELSEWHERE("nil"), &out, &e), 0);
  assert_int_equal(out.len, 0);
  assert_int_equal(names_other(ELSEWHERE("'b of ' .. problem.n"), &out, &e), 0);
  assert_string_equal(out.at, "b of 10");
  assert_int_equal(names_other(ELSEWHERE("1"), &out, &e), ERR_FAILED);
  assert_non_null(strstr(e.text, "elsewhere: must return a text or nil, not a "
                                 "number"));
  str_free(&out);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(damaged_families), cmocka_unit_test(plans),
    cmocka_unit_test(damaged_plans),    cmocka_unit_test(heads),
    cmocka_unit_test(long_heads),       cmocka_unit_test(hashes),
    cmocka_unit_test(weights),
    cmocka_unit_test(families_by_name), cmocka_unit_test(embedded_families),
    cmocka_unit_test(other_families),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
