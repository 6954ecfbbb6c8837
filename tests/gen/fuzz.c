/* fuzz.c - damaged families, templates, configurations and compiler logs.
 *
 * Nothing is expected but an error or a result: the sanitizers watch.
 */
// SPDX-License-Identifier: MIT
#include "gen/space.h"
#include "tests/gen/help.h"

static const char *const words[] = {
  "$", "$$", "$(", ")", "@", "\n@ ", "end", "do", "{", "}", "(", "\"", "'",
  "[[", "]]", "--", "--[[", "\\", "\0", "\033Lua", "0", "-1", "1e999",
  "9223372036854775807", "1 // 0", "0/0", "nil", "true", "{}", "i32(1)",
  "cfg", "problem", "arch", "tile", "..", "...", "#", "~=", "goto x",
  "return", "local", "function", "min", "max", "number", "\n", "\r", "\xff",
  "__text(", "__text(-1, 1, {})", "string.rep", "table.sort", "pairs",
  "tostring", "::x::", "%", "and", "or", "not", "1 << 63", "math.huge",
};

static char *read_all(const char *path, size_t *n)
{
  struct str s = {0};
  assert_int_equal(file_read(path, 1 << 20, &s, NULL), 0);
  *n = s.len;
  return s.at;
}

/* One to four changes to a copy of text. */
static void mutate(struct str *out, const char *text, size_t n, struct rng *r)
{
  str_clear(out);
  str_add_bytes(out, text, n);
  for (uint64_t i = 1 + rng_below(r, 4); i; i--) {
    struct str next = {0};
    size_t a = rng_below(r, out->len + 1), b = a + rng_below(r, 12);
    b = b < out->len ? b : out->len;
    const char *word = words[rng_below(r, sizeof words / sizeof *words)];
    size_t length = *word ? strlen(word) : 1;
    str_add_bytes(&next, out->at, a);
    switch (rng_below(r, 5)) {
    case 0: /* insert a word */
      str_add_bytes(&next, word, length);
      b = a;
      break;
    case 1: /* put it in place of something */
      str_add_bytes(&next, word, length);
      break;
    case 2: /* leave something out */
      break;
    case 3: /* twice */
      str_add_bytes(&next, out->at + a, b - a);
      b = a;
      break;
    case 4: /* change a byte */
      if (a < out->len) {
        char c = (char)rng_below(r, 256);
        str_add_bytes(&next, &c, 1);
        b = a + 1;
      }
      break;
    }
    str_add_bytes(&next, out->at + b, out->len - b);
    str_free(out);
    *out = next;
  }
}

static void use_space(struct family *f, const struct problem *p,
                      struct config *c, struct rng *r)
{
  struct space *s;
  struct err e;
  uint64_t excluded;
  if (space_open(&s, f, p, &e))
    return;
  assert_true(space_count(s) <= space_product(s));
  for (size_t i = 0; space_reason(s, i, &excluded); i++)
    assert_true(excluded <= space_product(s));
  if (space_random(s, r, c)) {
    struct config *list;
    space_neighbours(s, c, r, &list);
    free(list);
    space_next(s, &(struct config){0});
  }
  space_close(s);
}

static void use(struct family *f, struct rng *r)
{
  struct problem p, small;
  struct config c = {0};
  struct err e;
  struct str text = {0};
  struct linemap map;
  if (family_problem(f, NULL, NULL, 0, &p, &e))
    return;
  use_space(f, &p, &c, r);
  family_check_problem(f, &p, &c, &small, &e);
  if (!family_render(f, &p, &c, &text, &map, &e)) {
    size_t lines = 0;
    for (size_t i = 0; i < text.len; i++)
      lines += text.at[i] == '\n';
    assert_int_equal(lines, map.n);
    linemap_free(&map);
  }
  str_free(&text);
}

/* Lua and template of a family, one of them damaged. */
static int fuzz_family(const char *lua, size_t nlua, const char *hip,
                       size_t nhip, int rounds, uint64_t seed)
{
  struct rng r;
  struct str bad = {0};
  int opened = 0;
  rng_seed(&r, seed);
  for (int i = 0; i < rounds; i++) {
    struct family *f;
    struct err e = {0};
    int which = i % 2;
    mutate(&bad, which ? lua : hip, which ? nlua : nhip, &r);
    if (open_bytes(&f, which ? str_text(&bad) : lua, which ? bad.len : nlua,
                   which ? hip : str_text(&bad), which ? nhip : bad.len,
                   &e)) {
      assert_true(strlen(e.text) > 0);
      continue;
    }
    opened++;
    use(f, &r);
    family_close(f);
  }
  str_free(&bad);
  return opened;
}

static void made_up_family(void **state)
{
  (void)state;
  static const char hip[] = "$tile $(tile * 2) $$\n@ for i = 1, 3 do\nx$i = "
                            "$(i * n)$word;\n@ end\n$(order:upper())\n";
  int opened = fuzz_family(GOOD_FAMILY, sizeof GOOD_FAMILY - 1, hip,
                           sizeof hip - 1, 1500, 1);
  assert_true(opened > 150); /* else it only ever fuzzes the parser */
}

static void family_of_the_tests(void **state)
{
  (void)state;
  size_t nlua, nhip;
  char *lua = read_all(SOURCE_DIR "/tests/gen/families/toy.lua", &nlua);
  char *hip = read_all(SOURCE_DIR "/tests/gen/families/toy.hip", &nhip);
  fuzz_family(lua, nlua, hip, nhip, 1500, 2);
  free(lua);
  free(hip);
}

static void configurations(void **state)
{
  (void)state;
  static const char good[] = "threads=64,each=8,unroll=4,load=wide";
  struct family *f;
  struct rng r;
  struct str bad = {0};
  struct err e;
  rng_seed(&r, 3);
  assert_int_equal(
      family_open(&f, "toy", SOURCE_DIR "/tests/gen/families", &e), 0);
  for (int i = 0; i < 3000; i++) {
    struct config c = {0};
    struct problem p;
    mutate(&bad, good, sizeof good - 1, &r);
    config_parse(f, str_text(&bad), i % 2, &c, &e);
    const char *name = i % 3 ? "n" : "a", *text = str_text(&bad);
    family_problem(f, &name, &text, 1, &p, &e);
    family_problem(f, &text, &name, 1, &p, &e);
  }
  str_free(&bad);
  family_close(f);
}

static void logs(void **state)
{
  (void)state;
  static const char good[] =
      "toy.gen.hip:3:7: error: x\n/a/toy.gen.hip:12:1: note: y\n"
      "In file included from toy.gen.hip:2:\ntoy.gen.hip:99:99:99: z\n"
      "toy.gen.hip(4): error: w\n";
  struct origin lines[20] = {{0, 0}, {1, 1}, {1, 2}, {0, 3}};
  struct linemap map = {20, lines};
  struct family *f;
  struct rng r;
  struct str bad = {0}, out = {0};
  struct err e;
  rng_seed(&r, 4);
  assert_int_equal(
      family_open(&f, "toy", SOURCE_DIR "/tests/gen/families", &e), 0);
  for (int i = 0; i < 3000; i++) {
    mutate(&bad, good, sizeof good - 1, &r);
    str_clear(&out);
    family_map_log(f, &map, str_text(&bad), &out);
  }
  str_free(&bad);
  str_free(&out);
  family_close(f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(made_up_family),
    cmocka_unit_test(family_of_the_tests),
    cmocka_unit_test(configurations),
    cmocka_unit_test(logs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
