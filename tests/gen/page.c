/* page.c - docs/families.md knows every field and function that there is, and
 * shows the family that a test tunes. */
// SPDX-License-Identifier: MIT
#include "tests/gen/help.h"

#include "gen/inside.h"
#include "gen/lib.h"

static struct str page;

static int read_page(void **state)
{
  (void)state;
  return file_read(SOURCE_DIR "/docs/families.md", 1 << 20, &page, NULL);
}

static void must_say(const char *prefix, const char *name)
{
  char word[128];
  snprintf(word, sizeof word, "`%s%s`", prefix, name);
  if (!strstr(page.at, word))
    fail_msg("docs/families.md does not name %s", word);
}

static void all_fields(void **state)
{
  (void)state;
  const char *name;
  size_t n = 0;
  while ((name = load_field(n)) != NULL) {
    must_say("", name);
    n++;
  }
  assert_true(n > 10);
}

/* The names of the table at the top, and of those in it. */
static void names(lua_State *L, const char *prefix, int *n)
{
  int t = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, t); lua_pop(L, 1)) {
    const char *name = lua_tostring(L, -2);
    if (*name == '_')
      continue;
    if (lua_istable(L, -1)) {
      char inner[64];
      snprintf(inner, sizeof inner, "%s.", name);
      names(L, inner, n);
      continue;
    }
    must_say(prefix, name);
    ++*n;
  }
}

static int all_names(lua_State *L)
{
  int *n = lua_touserdata(L, 1);
  lua_getfield(L, LUA_REGISTRYINDEX, LIB_TABLE);
  names(L, "", n);
  return 0;
}

static void all_functions(void **state)
{
  (void)state;
  struct family *f;
  struct err e = {0};
  int n = 0;
  assert_int_equal(open_text(&f, GOOD_FAMILY, "", &e), 0);
  assert_int_equal(sandbox_call(f->box, all_names, &n, "test", &e), 0);
  assert_true(n > 40);
  family_close(f);
}

static void the_family(void **state)
{
  (void)state;
  static const char *const files[] = {"scale.lua", "scale.hip"};
  for (int i = 0; i < 2; i++) {
    char path[256];
    struct str text = {0};
    snprintf(path, sizeof path, SOURCE_DIR "/tests/cli/families/%s", files[i]);
    assert_int_equal(file_read(path, 1 << 20, &text, NULL), 0);
    if (!strstr(page.at, text.at))
      fail_msg("docs/families.md does not show %s as it is", path);
    str_free(&text);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(all_fields),
    cmocka_unit_test(all_functions),
    cmocka_unit_test(the_family),
  };
  return cmocka_run_group_tests(tests, read_page, NULL);
}
