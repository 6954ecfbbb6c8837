/* str.c - growing strings, and memory that is never NULL. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/str.h"

static void grows(void **state)
{
  (void)state;
  struct str s = {0};
  assert_string_equal(str_text(&s), "");
  str_add(&s, "");
  str_add(&s, "one");
  str_addf(&s, " %d %s", 2, "three");
  str_add_bytes(&s, "\0four", 5);
  assert_int_equal(s.len, 16);
  assert_memory_equal(s.at, "one 2 three\0four", 17);
  str_clear(&s);
  assert_string_equal(str_text(&s), "");
  for (int i = 0; i < 10000; i++)
    str_addf(&s, "%05d,", i);
  assert_int_equal(s.len, 60000);
  assert_memory_equal(s.at + 6 * 9999, "09999,", 7);
  str_free(&s);
  assert_null(s.at);
  str_free(&s);
}

static void never_null(void **state)
{
  (void)state;
  void *p[] = {mem_alloc(0), mem_array(0, 8), mem_array(8, 0), mem_copy(""),
               mem_resize(NULL, 0)};
  for (size_t i = 0; i < sizeof p / sizeof *p; i++) {
    assert_non_null(p[i]);
    free(p[i]);
  }
  unsigned char *zero = mem_array(100, 10);
  for (int i = 0; i < 1000; i++)
    assert_int_equal(zero[i], 0);
  free(zero);
}

/* n * size wraps around to 0: refused, not returned as NULL. */
static void overflow_aborts(void **state)
{
  (void)state;
  int status;
  pid_t child = fork();
  if (!child) {
    close(2);
    size_t half = (size_t)1 << (sizeof(size_t) * 4);
    mem_array(half, half);
    _exit(0);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_not_equal(status, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(grows),
    cmocka_unit_test(never_null),
    cmocka_unit_test(overflow_aborts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
