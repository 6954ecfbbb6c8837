/* record.c - lines of the store: one form, any bytes survived. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "db/record.h"

static const char *format(const struct record *r, struct str *out)
{
  str_clear(out);
  record_format(r, out);
  return out->at;
}

static struct record *parse(const char *line)
{
  struct record *r;
  struct err e = {0};
  if (record_parse(line, strlen(line), &r, &e))
    fail_msg("%s", e.text);
  return r;
}

/* The checksum was computed by Python's zlib.crc32. */
static void known_line(void **state)
{
  (void)state;
  static const char line[] =
      "arch=gfx906 config=tile_m=128,pad=1 device=AMD%20MI50%25%0A time_us=12.5"
      " crc=784d524e";
  struct record *r = record_new();
  struct str out = {0};
  record_set(r, "time_us", "%g", 12.5);
  record_set(r, "config", "tile_m=%d,pad=%d", 128, 1);
  record_set(r, "device", "AMD MI50%%\n");
  record_set(r, "arch", "gfx900");
  record_set(r, "arch", "gfx906");
  assert_string_equal(format(r, &out), line);
  record_free(r);

  r = parse(line);
  assert_int_equal(record_size(r), 4);
  assert_string_equal(record_name(r, 2), "device");
  assert_string_equal(record_value(r, 2), "AMD MI50%\n");
  assert_string_equal(record_get(r, "config"), "tile_m=128,pad=1");
  assert_null(record_get(r, "crc"));
  assert_null(record_get(r, "tile_m"));
  assert_string_equal(record_text(r, "config"), "tile_m=128,pad=1");
  assert_string_equal(record_text(r, "tile_m"), "");
  record_free(r);
  str_free(&out);
}

static void every_byte_comes_back(void **state)
{
  (void)state;
  char all[256];
  for (int c = 1; c < 256; c++)
    all[c - 1] = (char)c;
  all[255] = 0;
  struct record *r = record_new(), *copy, *again;
  struct str out = {0};
  record_set(r, "v", "%s", all);
  record_set(r, "empty", "%s", "");
  copy = record_copy(r);
  record_free(r);
  const char *line = format(copy, &out);
  for (const char *c = line; *c; c++)
    assert_true((unsigned char)*c >= ' ' && *c != 0x7f);
  again = parse(line);
  assert_string_equal(record_get(again, "v"), all);
  assert_string_equal(record_get(again, "empty"), "");
  record_free(again);
  record_free(copy);
  str_free(&out);
}

static void no_fields(void **state)
{
  (void)state;
  struct record *r = record_new();
  struct str out = {0};
  assert_string_equal(format(r, &out), " crc=00000000");
  record_free(r);
  r = parse(out.at);
  assert_int_equal(record_size(r), 0);
  record_free(r);
  str_free(&out);
}

static void numbers(void **state)
{
  (void)state;
  struct record *r = record_new();
  record_set(r, "good", "%.17g", 0.1);
  record_set(r, "bad", "12us");
  record_set(r, "empty", "%s", "");
  assert_true(record_number(r, "good", -1) == 0.1);
  assert_true(record_number(r, "bad", -1) == -1);
  assert_true(record_number(r, "empty", -1) == -1);
  assert_true(record_number(r, "none", -1) == -1);
  record_free(r);
}

static void many_fields_stay_sorted(void **state)
{
  (void)state;
  struct record *r = record_new();
  char name[16];
  for (int i = 0; i < 200; i++) {
    snprintf(name, sizeof name, "n%03d", i * 77 % 200);
    record_set(r, name, "%d", i * 77 % 200);
  }
  assert_int_equal(record_size(r), 200);
  for (int i = 0; i < 200; i++)
    assert_int_equal(atoi(record_value(r, (size_t)i)), i);
  record_free(r);
}

/* Lines with a right checksum (zlib.crc32) and a wrong text. */
static void wrong_lines(void **state)
{
  (void)state;
  static const struct {
    const char *line, *said;
  } wrong[] = {
    {"", "does not end with a checksum"},
    {"a=1", "does not end with a checksum"},
    {"a=1 crc=00000000", "checksum does not match"},
    {"a=1 crc=WRONG000", "checksum does not match"},
    {"a=1 a=2 crc=df100a7d", "given twice"},
    {"b=1 a=2 crc=eef810e0", "out of order"},
    {"a crc=e8b7be43", "expected name=value"},
    {"=1 crc=7aef5a7b", "expected name=value"},
    {"A=1 crc=b52f7661", "expected name=value"},
    {"a-b=1 crc=404d89c9", "expected name=value"},
    {"crc=1 crc=a821af6a", "expected name=value"},
    {"a=1  crc=735e1ec3", "expected name=value"},
    {" a=1 crc=f35599b1", "expected name=value"},
    {"a=1  b=2 crc=f76ee99c", "expected name=value"},
    {"a=% crc=97b8e4fc", "bad escape"},
    {"a=%2 crc=ae49b8de", "bad escape"},
    {"a=%zz crc=3bb704c9", "bad escape"},
    {"a=%00 crc=a7280bc8", "bad escape"},
    {"a=%0a crc=bb446aaa", "bad escape"},
    {"a=%41 crc=b443fe5a", "bad escape"},
    {"a=1\t2 crc=5c8decf2", "bad escape"},
    {"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
     "xxxxxxxxxxxxxxxxxxxxxxxx=1 crc=dd7bffb9",
     "expected name=value"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    struct record *r;
    struct err e = {0};
    size_t n = strlen(wrong[i].line);
    assert_int_equal(record_parse(wrong[i].line, n, &r, &e), ERR_FAILED);
    assert_null(r);
    if (!strstr(e.text, wrong[i].said))
      fail_msg("'%s': '%s'", wrong[i].line, e.text);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(known_line),
    cmocka_unit_test(every_byte_comes_back),
    cmocka_unit_test(no_fields),
    cmocka_unit_test(numbers),
    cmocka_unit_test(many_fields_stay_sorted),
    cmocka_unit_test(wrong_lines),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
