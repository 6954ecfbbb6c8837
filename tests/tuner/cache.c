/* cache.c - found again, never found damaged, never grows for ever. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <time.h>

#include "base/file.h"
#include "folder.h"
#include "tuner/device/cache.h"

static void entry(const char *folder, const char *key, char path[256])
{
  snprintf(path, 256, "%s/%.2s/%s", folder, key, key + 2);
}

static void everything_is_in_the_key(void **state)
{
  (void)state;
  char a[HASH_TEXT], b[HASH_TEXT];
  const char *with[][3] = {{"text", "-O3", "hiprtc-5"},
                           {"text ", "-O3", "hiprtc-5"},
                           {"text", "-O2", "hiprtc-5"},
                           {"text", "-O3", "hiprtc-6"}};
  cache_key("text", "-O3", "hiprtc-5", a);
  for (size_t i = 0; i < 4; i++) {
    cache_key(with[i][0], with[i][1], with[i][2], b);
    assert_int_equal(!strcmp(a, b), i == 0);
  }
}

static void put_and_take(void **state)
{
  (void)state;
  char folder[64], key[HASH_TEXT];
  struct str code = {0}, got = {0};
  folder_make(folder);
  cache_key("text", "", "", key);
  assert_false(cache_take(folder, key, &got));
  str_add_bytes(&code, "\177ELF\0\1\2\n", 8);
  cache_put(folder, key, &code);
  assert_true(cache_take(folder, key, &got));
  assert_int_equal(got.len, code.len);
  assert_memory_equal(got.at, code.at, code.len);
  str_free(&code);
  str_free(&got);
  folder_remove(folder);
}

/* Cut or changed anywhere, an entry is a miss, and can be put again. */
static void damage_is_a_miss(void **state)
{
  (void)state;
  char folder[64], key[HASH_TEXT], path[256];
  struct str code = {0}, got = {0}, whole = {0};
  folder_make(folder);
  cache_key("text", "", "", key);
  entry(folder, key, path);
  str_add(&code, "some code that is worth keeping");
  cache_put(folder, key, &code);
  assert_int_equal(file_read(path, 1 << 20, &whole, NULL), 0);
  for (size_t i = 0; i < whole.len; i++) {
    whole.at[i] ^= 1;
    file_replace(path, whole.at, whole.len, NULL);
    whole.at[i] ^= 1;
    if (i != 32) /* the newline behind the hash says nothing */
      assert_false(cache_take(folder, key, &got));
    file_replace(path, whole.at, i, NULL);
    assert_false(cache_take(folder, key, &got));
  }
  cache_put(folder, key, &code);
  assert_true(cache_take(folder, key, &got));
  str_free(&code);
  str_free(&got);
  str_free(&whole);
  folder_remove(folder);
}

static void no_folder_is_no_failure(void **state)
{
  (void)state;
  char key[HASH_TEXT];
  struct str code = {0};
  cache_key("text", "", "", key);
  str_add(&code, "code");
  cache_put("/dev/null/cache", key, &code);
  assert_false(cache_take("/dev/null/cache", key, &code));
  cache_trim("/dev/null/cache", 0);
  str_free(&code);
}

static void the_oldest_go_first(void **state)
{
  (void)state;
  char folder[64], key[4][HASH_TEXT], path[256], text[16];
  struct str code = {0}, got = {0};
  folder_make(folder);
  for (int i = 0; i < 1000; i++)
    str_add(&code, "x");
  for (int i = 0; i < 4; i++) {
    snprintf(text, sizeof text, "%d", i);
    cache_key(text, "", "", key[i]);
    cache_put(folder, key[i], &code);
    entry(folder, key[i], path);
    struct timespec times[2] = {{1000 + i, 0}, {1000 + i, 0}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
  }
  cache_trim(folder, 1 << 20);
  assert_true(cache_take(folder, key[0], &got));
  cache_trim(folder, 2500);
  for (int i = 0; i < 4; i++)
    assert_int_equal(cache_take(folder, key[i], &got), i >= 2);
  str_free(&code);
  str_free(&got);
  folder_remove(folder);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everything_is_in_the_key),
      cmocka_unit_test(put_and_take),
      cmocka_unit_test(damage_is_a_miss),
      cmocka_unit_test(no_folder_is_no_failure),
      cmocka_unit_test(the_oldest_go_first),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
