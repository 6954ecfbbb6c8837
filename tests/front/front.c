/* front.c - the front between programs and rocBLAS.
 *
 * The front reads its environment once, so each scenario is a process of its
 * own: this program again, with the scenario's name. Around it are stand-ins
 * for HIP, rocBLAS and the program's backend, which is opened with RTLD_LOCAL.
 * The front comes first in the linker's order, as LD_PRELOAD has it.
 *
 *     test_front               the tests
 *     test_front --overhead    what a served call costs
 */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/str.h"
#include "ship/format.h"
#include "tests/front/made_gemm.h"
#include "tests/front/scenarios.h"

static char pack[300], kernels[300], said[4096];

static void write_file(const char *path, const void *bytes, size_t size)
{
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

static void write_pack(uint32_t flags)
{
  struct str bytes = {0};
  assert_int_equal(made_gemm(&bytes, flags), 0);
  write_file(pack, bytes.at, bytes.len);
  str_free(&bytes);
}

/* A sound pack, and a rocBLAS that has kernels for gfx906. */
static int set_up(void **state)
{
  (void)state;
  snprintf(pack, sizeof pack, BUILD_DIR "/tests/front/%d.pack", (int)getpid());
  snprintf(kernels, sizeof kernels, BUILD_DIR "/tests/front/%d.kernels",
           (int)getpid());
  write_pack(0);
  return 0;
}

static int tear_down(void **state)
{
  (void)state;
  unlink(pack);
  return 0;
}

/* Play it with `environment`; what it prints goes to `said`. */
static void plays(const char *scenario, const char *environment)
{
  char command[2000];
  snprintf(command, sizeof command, "TUNED_PACK=%s %s timeout 60 %s %s 2>&1",
           pack, environment, BUILD_DIR "/tests/front/test_front", scenario);
  FILE *out = popen(command, "r");
  assert_non_null(out);
  size_t n = fread(said, 1, sizeof said - 1, out);
  said[n] = 0;
  if (pclose(out) != 0)
    fail_msg("%s %s:\n%s", environment, scenario, said);
}

static void says(const char *text)
{
  if (!strstr(said, text))
    fail_msg("'%s' is not in:\n%s", text, said);
}

static void says_nothing(void)
{
  assert_string_equal(said, "");
}

static void test_calls(void **state)
{
  (void)state;
  plays("random_calls", "");
  says_nothing();
}

/* The first of each kind is checked, and a wrong one found whatever its type. */
static void test_types(void **state)
{
  (void)state;
  plays("types", "TUNED_BLAS=stats");
  says("70 products served, 0 forwarded");
  plays("types", "TUNED_BLAS=trust");
  says_nothing();
  plays("batch_alone", "");
  says_nothing();
  plays("wrong_types", "FAKE_FAULT=wrong");
  says("element 0, 0 of a product of");
}

/* A rocBLAS that has kernels: the file that says so, and the environment. */
static void make_kernels(char file[400], char environment[400])
{
  snprintf(file, 400, "%s_gfx906.dat", kernels);
  write_file(file, "x", 1);
  snprintf(environment, 400, "ROCBLAS_TENSILE_LIBPATH=%s TUNED_BLAS=stats",
           BUILD_DIR "/tests/front");
}

static void test_capture(void **state)
{
  char file[400], environment[400];
  (void)state;
  make_kernels(file, environment);
  plays("capture", environment);
  says("1  capture: the stream is capturing, and the kernel is not loaded yet");
  says("1  scratch: ");
  unlink(file);
  plays("capture_alone", "");
  says_nothing();
  plays("beside_capture", "");
  says_nothing();
}

static void test_reasons(void **state)
{
  static const char *const once[] = {
      "arguments", "types",     "algorithm",  "flags",        "in-place",
      "alignment", "no-kernel", "size-query", "pointer-mode", "scalars"};
  char line[40];
  (void)state;
  plays("each_reason", "TUNED_BLAS=stats");
  says("1 products served, 12 forwarded");
  for (size_t i = 0; i < sizeof once / sizeof *once; i++) {
    snprintf(line, sizeof line, " 1  %s: ", once[i]);
    says(line);
  }
  says(" 2  empty: ");
  plays("no_library", "TUNED_BLAS=stats");
  says(" 1  no-runtime: ");
}

static void test_devices(void **state)
{
  (void)state;
  plays("devices", "TUNED_BLAS=stats");
  says("1  device: the handle's stream is of another device");
}

static void test_fork(void **state)
{
  (void)state;
  plays("forked", "");
  says("the pack was opened by another process");
}

static void test_threads(void **state)
{
  (void)state;
  plays("threads", "");
  says_nothing();
}

static void test_packs(void **state)
{
  (void)state;
  plays("served", "TUNED_BLAS=stats");
  says("tuned_rocblas: 5 products served, 0 forwarded");
  write_file(pack, "x", 1);
  plays("not_served", "");
  says("device 0: ");
  says("its products go to rocBLAS");
  unlink(pack);
  plays("not_served", "");
  says("No such file");
  write_pack(WINNER_STALE);
  plays("not_served", "TUNED_BLAS=stats");
  says("0 products served, 5 forwarded");
  says("5  stale: ");
  write_pack(0);
  plays("not_served", "FAKE_ARCH=gfx908");
  says("it has gfx906, not gfx908");
  plays("not_served", "FAKE_CUS=64");
  says("the pack is for 60 compute units, this card has 64");
  plays("served", "FAKE_CUS=64 TUNED_BLAS=any-cus");
}

static void says_damaged(struct str *bytes, size_t from, size_t to)
{
  for (size_t i = from; i < to; i++)
    bytes->at[i] ^= 4;
  write_file(pack, bytes->at, bytes->len);
  plays("not_served", "");
  says("its products go to rocBLAS");
  for (size_t i = from; i < to; i++)
    bytes->at[i] ^= 4;
}

/* What is damaged is said, and nothing is served from it: the head, the index,
 * all of the code, and what was cut off. */
static void test_damage(void **state)
{
  static const unsigned thousandths[] = {0, 1, 5, 25, 200, 400};
  struct str bytes = {0};
  struct pack_head head;
  (void)state;
  assert_int_equal(made_gemm(&bytes, 0), 0);
  memcpy(&head, bytes.at, sizeof head);
  for (size_t i = 0; i < sizeof thousandths / sizeof *thousandths; i++) {
    size_t at = head.index * thousandths[i] / 1000;
    says_damaged(&bytes, at, at + 1);
  }
  says_damaged(&bytes, head.index, bytes.len);
  says("the pack is damaged; make it again, or copy it again");
  write_file(pack, bytes.at, bytes.len - 1);
  plays("not_served", "");
  says("bytes, but was written with");
  str_free(&bytes);
  write_pack(0);
}

static void test_faults(void **state)
{
  (void)state;
  plays("not_served", "FAKE_FAULT=load TUNED_BLAS=stats");
  says("device 0: a call of HIP failed");
  says("1  hip-error: ");
  says("4  aside: ");
  plays("not_served", "FAKE_FAULT=malloc");
  plays("not_served", "FAKE_FAULT=launch");
  says("device 0: a call of HIP failed");
  plays("not_served", "FAKE_FAULT=wrong");
  says("element 0, 0 of a product of");
  plays("not_served", "ROCBLAS_LAYER=1 TUNED_BLAS=stats");
  says("5  layer: ");
}

static void test_modes(void **state)
{
  (void)state;
  plays("not_served", "TUNED_BLAS=off,stats");
  says("5  off: ");
  plays("not_served", "TUNED_BLAS=verify,stats");
  says("5  verify: ");
  plays("not_served", "TUNED_BLAS=verify FAKE_FAULT=wrong");
  says("element 0, 0 of a product of");
  plays("served", "TUNED_BLAS=sats,trust");
  says("'sats' is none of off, stats, ");
}

static void test_initialize(void **state)
{
  char environment[400];
  (void)state;
  snprintf(environment, sizeof environment, "ROCBLAS_TENSILE_LIBPATH=%s/none",
           BUILD_DIR);
  plays("initialize", environment);
  says("initialized 0");
  char file[400];
  make_kernels(file, environment);
  plays("initialize", environment);
  says("initialized 1");
  /* where rocBLAS has kernels, ours must be known to be good */
  plays("not_served", environment);
  says("5  loss: the nearest kernel is expected to be too slow");
  plays("batch_beside", environment);
  says("1  batch: ");
  unlink(file);
}

static void test_record(void **state)
{
  char environment[500], file[400], line[400];
  int skinny = 0;
  (void)state;
  snprintf(file, sizeof file, "%s.shapes", kernels);
  snprintf(environment, sizeof environment, "TUNED_BLAS=record:%s", file);
  plays("ask_often", environment);
  says_nothing();
  FILE *in = fopen(file, "r");
  assert_non_null(in);
  assert_non_null(fgets(line, sizeof line, in)); /* the head */
  for (int count = 3; count > 0; count--) {
    char want[16], same[400];
    int m, n;
    snprintf(want, sizeof want, " count=%d\n", count);
    assert_non_null(fgets(line, sizeof line, in));
    assert_int_equal(sscanf(line, "gemm m=%d n=%d ", &m, &n), 2);
    assert_non_null(strstr(line, want));
    if (m > 16 && n > 16)
      continue;
    /* few rows or columns: the same for the family that is made for them */
    assert_non_null(fgets(same, sizeof same, in));
    assert_int_equal(strncmp(same, "skinny ", 7), 0);
    assert_string_equal(same + 7, line + 5);
    skinny++;
  }
  assert_true(skinny > 0);
  assert_null(fgets(line, sizeof line, in));
  fclose(in);
  unlink(file);
  plays("ask_often", "TUNED_BLAS=record:/proc/none/file");
  says("TUNED_BLAS=record: /proc/none/file: No such file or directory");
}

static int print_overhead(void)
{
  set_up(NULL);
  for (int i = 0; i < 5; i++) {
    plays("overhead", "");
    fputs(said, stdout);
  }
  return tear_down(NULL);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_calls),   cmocka_unit_test(test_capture),
      cmocka_unit_test(test_fork),    cmocka_unit_test(test_threads),
      cmocka_unit_test(test_packs),   cmocka_unit_test(test_faults),
      cmocka_unit_test(test_modes),   cmocka_unit_test(test_initialize),
      cmocka_unit_test(test_record),  cmocka_unit_test(test_reasons),
      cmocka_unit_test(test_devices),
      cmocka_unit_test(test_damage),  cmocka_unit_test(test_types),
  };
  if (argc > 1 && !strcmp(argv[1], "--overhead"))
    return print_overhead();
  return argc > 1 ? play(argv[1])
                  : cmocka_run_group_tests(tests, set_up, tear_down);
}
