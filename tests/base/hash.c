/* hash.c - XXH3 as the program xxhsum 0.8.1 computes it. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"

/* xxhsum -H128 and -H3 of files with these contents. */
static void known_hashes(void **state)
{
  (void)state;
  char lines[361] = "";
  for (int i = 0; i < 40; i++)
    memcpy(lines + 9 * i, "wavetune\n", 10);
  const struct {
    const char *text, *hex;
    uint64_t h;
  } known[] = {
    {"", "99aa06d3014798d86001c324468d497f", 0x2d06800538d394c2},
    {"a", "a96faf705af16834e6c632b61e964e1f", 0xe6c632b61e964e1f},
    {"123456789", "33119477ede5dcd5e9716427681d5860", 0x72dcb18b67a17dff},
    {lines, "3363c74227e55255bf745dd42739a9b6", 0xbf745dd42739a9b6},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    char hex[HASH_TEXT];
    size_t n = strlen(known[i].text);
    hash_hex(known[i].text, n, hex);
    assert_string_equal(hex, known[i].hex);
    assert_true(hash_64(known[i].text, n) == known[i].h);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(known_hashes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
