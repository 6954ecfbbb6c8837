/* hostcall.c - a kernel's printf, formatted from its words, against the C
 * library's of the same arguments; and words that are damaged.
 */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "runtimes/sim/run/hostcall.h"

struct words {
  size_t n;
  uint64_t at[200];
};

static void add_word(struct words *w, uint64_t word)
{
  w->at[w->n++] = word;
}

static void add_double(struct words *w, double x)
{
  uint64_t word;
  memcpy(&word, &x, sizeof word);
  add_word(w, word);
}

static void add_text(struct words *w, const char *text)
{
  size_t words = strlen(text) / 8 + 1;
  memset(w->at + w->n, 0, 8 * words);
  memcpy(w->at + w->n, text, strlen(text));
  w->n += words;
}

static void check(const struct words *w, const char *expected, int stream)
{
  struct str out = {0};
  int to_stderr = -1;
  int n = hostcall_format(w->at, w->n, &out, &to_stderr);
  assert_string_equal(str_text(&out), expected);
  assert_int_equal(n, strlen(expected));
  assert_int_equal(to_stderr, stream);
  str_free(&out);
}

#define START(w, stream, text) \
  struct words w = {0}; \
  add_word(&w, stream); \
  add_text(&w, text)

static void test_numbers(void **state)
{
  static const char format[] = "%d|%-6i|%+5.3d|%u|%#x|%lld|%hhu|%zu|%c|%o%%";
  char expected[200];
  (void)state;
  START(w, 0, format);
  const uint64_t values[] = {(uint32_t)-7, 42, 5, (uint32_t)-1, 255,
                             (uint64_t)1 << 40, 300, 9, 'x', 8};
  for (size_t k = 0; k < sizeof values / sizeof *values; k++)
    add_word(&w, values[k]);
  snprintf(expected, sizeof expected, format, -7, 42, 5, -1u, 255, 1ll << 40,
           (unsigned char)300, (size_t)9, 'x', 8);
  check(&w, expected, 0);
}

static void test_floats(void **state)
{
  static const char format[] = "%f %8.3f %e %G %a %*.*lf";
  char expected[200];
  (void)state;
  START(w, 1, format);
  const double x = -1234.56789;
  for (int k = 0; k < 5; k++)
    add_double(&w, x);
  add_word(&w, 12);
  add_word(&w, 2);
  add_double(&w, x);
  snprintf(expected, sizeof expected, format, x, x, x, x, x, 12, 2, x);
  check(&w, expected, 1);
}

static void test_texts(void **state)
{
  (void)state;
  START(w, 0, "<%s|%.3s|%8s|%s> no conversion at the end\n");
  add_text(&w, "12345678"); /* its NUL is a word of its own */
  add_text(&w, "abcdef");
  add_text(&w, "right");
  add_text(&w, "");
  check(&w, "<12345678|abc|   right|> no conversion at the end\n", 0);
}

static void fails(const struct words *w)
{
  struct str out = {0};
  int to_stderr;
  assert_int_equal(hostcall_format(w->at, w->n, &out, &to_stderr), -1);
  str_free(&out);
}

static void test_damaged(void **state)
{
  (void)state;
  START(few, 0, "%d %d");
  add_word(&few, 1);
  fails(&few);
  START(unknown, 0, "%q");
  add_word(&unknown, 1);
  fails(&unknown);
  START(stream, 2, "text");
  fails(&stream);
  START(endless, 0, "12345678");
  endless.n--; /* cuts off the NUL */
  fails(&endless);
  START(text, 0, "%s");
  add_word(&text, ~(uint64_t)0);
  fails(&text);
  START(wide, 0, "%100000d");
  add_word(&wide, 1);
  fails(&wide);
  START(star, 0, "%*d");
  add_word(&star, 100000);
  add_word(&star, 1);
  fails(&star);
  START(stars, 0, "%*.***d");
  for (int k = 0; k < 5; k++)
    add_word(&stars, 1);
  fails(&stars);
}

static void test_random(void **state)
{
  static const char letters[] = "%%%dsfcxlh*.-+ 0123n\0\0\0pq";
  struct rng rng;
  (void)state;
  rng_seed(&rng, 7);
  for (int round = 0; round < 20000; round++) {
    size_t n = 1 + rng_below(&rng, 20);
    uint64_t *words = malloc(n * sizeof *words); /* exact, for the sanitizer */
    for (size_t k = 0; k < 8 * n; k++)
      ((char *)words)[k] = letters[rng_below(&rng, sizeof letters - 1)];
    words[0] = rng_below(&rng, 2);
    for (size_t k = n / 2 + 1; k < n; k++)
      words[k] = rng_next(&rng) >> rng_below(&rng, 64);
    struct str out = {0};
    int to_stderr, length = hostcall_format(words, n, &out, &to_stderr);
    assert_true(length == -1 || (size_t)length == out.len);
    str_free(&out);
    free(words);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_numbers), cmocka_unit_test(test_floats),
      cmocka_unit_test(test_texts),   cmocka_unit_test(test_damaged),
      cmocka_unit_test(test_random),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
