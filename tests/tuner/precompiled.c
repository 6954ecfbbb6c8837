/* precompiled.c - hiprtc's header, precompiled: the same code comes out, and a file that
 * clang does not like costs nothing.
 */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <unistd.h>

#include "base/file.h"
#include "folder.h"
#include "tuner/device/precompiled.h"

static const char good[] =
    "extern \"C\" __global__ void k(float *x, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) x[i] = sqrtf(x[i]) + __shfl_xor(x[i], 1);\n"
    "}\n";
static const char bad[] = "extern \"C\" __global__ void k() { nothing(); }\n";

struct state {
  struct rtc rtc;
  const struct arch *arch;
  char version[COMPILER_VERSION], cache[64];
  struct precompiled made;
  struct str code, log, plain, header;
};

static int open_compiler(void **state)
{
  static struct state s;
  struct err e;
  folder_make(s.cache);
  s.arch = arch_find("gfx906");
  if (compiler_open(&s.rtc, s.arch, &e)) {
    fprintf(stderr, "%s\n", e.text);
    return -1;
  }
  compiler_version(&s.rtc, s.version);
  precompiled_open(&s.made, s.arch, s.cache, s.version);
  precompiled_path(&s.made, &s.header);
  *state = &s;
  return 0;
}

static int close_compiler(void **state)
{
  struct state *s = *state;
  str_free(&s->code);
  str_free(&s->log);
  str_free(&s->plain);
  str_free(&s->header);
  precompiled_close(&s->made);
  folder_remove(s->cache);
  return 0;
}

static int run(struct state *s, const char *text)
{
  struct err e = {0};
  str_clear(&s->code);
  str_clear(&s->log);
  return precompiled_run(&s->made, &s->rtc, "x.hip", text, &s->code, &s->log, &e);
}

/* As without the file. */
static void assert_plain(struct state *s)
{
  struct err e;
  if (!s->plain.len)
    assert_int_equal(compiler_run(&s->rtc, s->arch, "good.hip", good, &s->plain, &s->log,
                                  &e), 0);
  assert_int_equal(s->code.len, s->plain.len);
  assert_memory_equal(s->code.at, s->plain.at, s->plain.len);
}

static void code_is_the_same(void **state)
{
  struct state *s = *state;
  char before[4096], now[4096];
  assert_non_null(getcwd(before, sizeof before));
  for (int times = 0; times < 2; times++) {
    assert_int_equal(run(s, good), 0);
    assert_plain(s);
    assert_true(file_exists(s->header.at));
  }
  assert_non_null(getcwd(now, sizeof now));
  assert_string_equal(before, now);
}

static void errors_are_told(void **state)
{
  struct state *s = *state;
  assert_int_not_equal(run(s, bad), 0);
  assert_non_null(strstr(s->log.at, "x.hip:1:"));
  assert_non_null(strstr(s->log.at, "nothing"));
  assert_true(file_exists(s->header.at)); /* which was not at fault */
}

/* Clang refuses what is cut: it is removed. A process that has compiled makes no other. */
static void refused_costs_nothing(void **state)
{
  struct state *s = *state;
  struct str all = {0};
  struct err e;
  assert_int_equal(file_read(s->header.at, 64 << 20, &all, &e), 0);
  assert_int_equal(file_replace(s->header.at, all.at, all.len / 2, &e), 0);
  str_free(&all);
  for (int times = 0; times < 2; times++) {
    assert_int_equal(run(s, good), 0);
    assert_plain(s);
    assert_false(file_exists(s->header.at));
  }
}

/* A process that finds one whose hash is another does not show it to clang. */
static void damaged_is_not_used(void **state)
{
  struct state *s = *state;
  struct precompiled made = s->made;
  struct err e;
  assert_int_equal(file_replace(s->header.at, "damaged", 7, &e), 0);
  precompiled_open(&s->made, s->arch, s->cache, s->version);
  s->made.tried = 1;
  assert_int_equal(run(s, good), 0);
  assert_plain(s);
  assert_true(file_exists(s->header.at)); /* which clang would have had removed */
  precompiled_close(&s->made);
  s->made = made;
}

static void no_cache_is_no_matter(void **state)
{
  struct state *s = *state;
  const char *const folders[] = {"", "/proc/none"};
  for (int n = 0; n < 2; n++) {
    struct precompiled made = s->made;
    precompiled_open(&s->made, s->arch, folders[n], s->version);
    assert_int_equal(run(s, good), 0);
    assert_plain(s);
    precompiled_close(&s->made);
    s->made = made;
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(code_is_the_same),
      cmocka_unit_test(errors_are_told),
      cmocka_unit_test(refused_costs_nothing),
      cmocka_unit_test(damaged_is_not_used),
      cmocka_unit_test(no_cache_is_no_matter),
  };
  return cmocka_run_group_tests(tests, open_compiler, close_compiler);
}
