/* template.c - the records of template.test, and where lines come from. */
// SPDX-License-Identifier: MIT
#include "tests/gen/help.h"

/* Cut the record at `at` into its parts, in place. */
struct record {
  char *title, *template, *expected;
  int is_error;
};

/* The separator line before `limit`, cut out with the newline before it. */
static char *cut(char *from, const char *separator)
{
  char *at = strstr(from, separator);
  if (!at)
    return NULL;
  at[1] = 0; /* the newline in front is the template's */
  return at + strlen(separator);
}

static struct record parse(char *text)
{
  struct record r = {.title = text};
  char *end = strchr(text, '\n');
  *end = 0;
  r.template = end + 1;
  r.expected = cut(r.template, "\n--\n");
  if (!r.expected) {
    r.is_error = 1;
    r.expected = cut(r.template, "\n!!\n");
  }
  assert_non_null(r.expected);
  return r;
}

static int run(const struct record *r)
{
  struct family *f;
  struct err e = {0};
  struct str text = {0};
  struct linemap map = {0};
  int failed = open_text(&f, GOOD_FAMILY, r->template, &e);
  if (!failed) {
    failed = render_first(f, &text, &map, &e);
    family_close(f);
  }
  struct str got = {0};
  if (failed)
    str_addf(&got, "%s\n", e.text);
  else
    str_add(&got, body(&text));
  int bad = !!failed != r->is_error || strcmp(got.at, r->expected);
  if (bad)
    print_error("%s\n  wanted:\n%s  got:\n%s", r->title, r->expected, got.at);
  str_free(&got);
  str_free(&text);
  linemap_free(&map);
  return bad;
}

static void records(void **state)
{
  (void)state;
  struct str text = {0};
  assert_int_equal(
      file_read(SOURCE_DIR "/tests/gen/template.test", 1 << 20, &text, NULL),
      0);
  int bad = 0, n = 0;
  char *at = strstr(text.at, "\n== ") + 4;
  while (at) {
    char *next = strstr(at, "\n\n== ");
    if (next) {
      next[1] = 0;
      next += 5;
    }
    struct record r = parse(at);
    bad += run(&r);
    n++;
    at = next;
  }
  str_free(&text);
  assert_true(n > 40);
  assert_int_equal(bad, 0);
}

static void last_line_without_newline(void **state)
{
  (void)state;
  struct family *f;
  struct err e;
  struct str text = {0};
  assert_int_equal(open_text(&f, GOOD_FAMILY, "a\r\n\n$tile", &e), 0);
  assert_int_equal(render_first(f, &text, NULL, &e), 0);
  assert_string_equal(body(&text), "a\r\n\n4");
  str_free(&text);
  family_close(f);
}

/* Line i of the text came from line map[i] of the template. */
static void lines_are_mapped(void **state)
{
  (void)state;
  static const unsigned expected[] = {1, 3, 4, 3, 4, 6};
  struct family *f;
  struct err e;
  struct str text = {0};
  struct linemap map;
  assert_int_equal(open_text(&f, GOOD_FAMILY,
                             "first\n@ for i = 1, 2 do\nx$i\n"
                             "y$i\n@ end\nlast\n", &e), 0);
  assert_int_equal(render_first(f, &text, &map, &e), 0);
  assert_string_equal(body(&text), "first\nx1\ny1\nx2\ny2\nlast\n");
  size_t head = map.n - 6;
  for (size_t i = 0; i < head; i++)
    assert_int_equal(map.at[i].line, 0);
  for (size_t i = 0; i < 6; i++)
    assert_int_equal(map.at[head + i].line, expected[i]);
  linemap_free(&map);
  str_free(&text);
  family_close(f);
}

static void compiler_logs_are_mapped(void **state)
{
  (void)state;
  struct family *f;
  struct err e;
  struct str text = {0}, log = {0}, out = {0};
  struct linemap map;
  assert_int_equal(open_text(&f, GOOD_FAMILY, "a\n@ local x = 1\nb\n", &e), 0);
  assert_string_equal(family_file(f), "t.gen.hip");
  assert_int_equal(render_first(f, &text, &map, &e), 0);
  str_addf(&log,
           "/some/where/t.gen.hip:%zu:7: error: bad b\n"
           "In file from t.gen.hip:%zu:\n"
           "t.gen.hip(%zu): error: bad c\n"
           "t.gen.hip:1:1: note: the head\nt.gen.hip:99999:1: far\n"
           "t.gen.hip: no line\nat.gen.hip\n1 error generated.\n",
           map.n, map.n - 1, map.n);
  family_map_log(f, &map, log.at, &out);
  assert_string_equal(out.at,
                      "t.hip:3: error: bad b\nIn file from t.hip:1:\n"
                      "t.hip:3: error: bad c\n"
                      "t.gen.hip:1:1: note: the head\n"
                      "t.gen.hip:99999:1: far\n"
                      "t.gen.hip: no line\nat.gen.hip\n1 error generated.\n");
  str_free(&log);
  str_free(&out);
  str_free(&text);
  linemap_free(&map);
  family_close(f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(records),
    cmocka_unit_test(last_line_without_newline),
    cmocka_unit_test(lines_are_mapped),
    cmocka_unit_test(compiler_logs_are_mapped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
