/* check.c - HIPSIM_CHECK finds the mistakes of planted.hip, and no others. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/file.h"
#include "base/rng.h"
#include "runtimes/sim/check/check.h"
#include "tests/sim/launch.h"

enum {WORDS = 1 << 16, GROUPS = 2, THREADS = 256};

static const char path[] = SOURCE_DIR "/tests/sim/planted.hip";

static int open_planted(struct device *d, struct str *text)
{
  struct rtc rtc;
  struct err e = {0};
  const char *options[] = {"--gpu-architecture=gfx906", "-O1", "-g"};
  size_t n;
  if (rtc_open(&rtc)) {
    print_message("skipped: no hiprtc\n");
    return -1;
  }
  assert_int_equal(file_read(path, 1 << 20, text, &e), 0);
  char *code = rtc_compile_with(&rtc, str_text(text), options, 3, &n);
  assert_non_null(code);
  d->arena = arena_open((uint64_t)1 << 30);
  assert_non_null(d->arena);
  if (object_load(&d->object, d->arena, isa_at(0), code, n, exec_bind, &e))
    fail_msg("%s", e.text);
  free(code);
  return 0;
}

static void launch_checked(const struct device *d, struct check *c,
                           const char *kernel, uint32_t threads,
                           const void *args, size_t nargs)
{
  struct dispatch launch;
  struct fault fault = {0};
  assert_int_equal(device_prepare(d, &launch, kernel, GROUPS, threads, args,
                                  nargs), 0);
  launch.lds_open = strstr(kernel, "as_on_a_card") != NULL;
  check_launch(c, &launch);
  if (dispatch_run(&launch, 1, NULL, &fault) && fault.code != FAULT_ADDRESS)
    fail_msg("%s", fault.text);
  check_launched(c);
  device_finish(&launch);
}

/* What checks of one launch print; free() it. */
static char *found_in(const struct device *d, const char *kernel,
                      unsigned kinds, uint64_t *n)
{
  struct {
    uint32_t *out, *in;
  } args = {arena_alloc(d->arena, WORDS * 4), arena_alloc(d->arena, WORDS * 4)};
  char *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  struct check *c = check_open(kinds, f);
  uint32_t *third = arena_alloc(d->arena, WORDS * 4);
  assert_ptr_equal(third, args.out + (1 << 18));
  for (uint32_t k = 0; k < WORDS; k++)
    args.in[k] = k * 2654435761u;
  memcpy(args.in + WORDS - 2, &third, sizeof third);
  memset(args.out, 0, WORDS * 4);
  check_allocated(c, args.out, WORDS * 4);
  check_written(c, args.out, WORDS * 2);
  check_allocated(c, third, WORDS * 4);
  check_written(c, third, WORDS * 4);
  if (!strcmp(kernel, "begins_afresh")) {
    launch_checked(d, c, "leaves_unknown", THREADS, &args, sizeof args);
    launch_checked(d, c, "register_kept", 64, &args, sizeof args);
  }
  launch_checked(d, c, kernel, THREADS, &args, sizeof args);
  *n = check_count(c, kinds);
  if (kinds & CHECK_CONFLICTS)
    check_total(c);
  check_close(c);
  fclose(f);
  arena_free(d->arena, third);
  arena_free(d->arena, args.in);
  arena_free(d->arena, args.out);
  return text;
}

/* A kernel of the file, and what is planted in it. */
struct kernel_row {
  char name[64], kind[16];
  unsigned line;
  int planted;
};

static const struct {
  const char *kind, *title;
  unsigned bit;
} kinds[] = {{"race", "libhipsim: race:", CHECK_RACE},
             {"wait", "libhipsim: missing wait:", CHECK_WAIT},
             {"barrier", "libhipsim: barrier:", CHECK_BARRIER},
             {"init", "libhipsim: never written:", CHECK_INIT},
             {"bounds", "libhipsim: out of bounds:", CHECK_BOUNDS}};
enum {KINDS = sizeof kinds / sizeof *kinds, ROWS = 200};

static size_t read_rows(char *text, struct kernel_row *rows)
{
  size_t n = 0;
  unsigned line = 0;
  for (char *at = strtok(text, "\n"); at; at = strtok(NULL, "\n")) {
    const char *mark = strstr(at, "//! ");
    line = (unsigned)strtoul(at, &at, 10);
    assert_in_range(n, 0, ROWS - 1);
    if (sscanf(at, " PLANTED(%60[^)])", rows[n].name) == 1)
      rows[n++].planted = 1;
    else if (sscanf(at, " SOUND(%60[^)])", rows[n].name) == 1)
      rows[n++].planted = 0;
    if (mark && n) {
      sscanf(mark, "//! %15s", rows[n - 1].kind);
      rows[n - 1].line = line;
    }
  }
  return n;
}

/* strtok() skips empty lines: each gets its number in front. */
static void number_lines(const char *text, struct str *out)
{
  unsigned line = 1;
  for (const char *at = text; *at; line++) {
    size_t n = strcspn(at, "\n");
    str_addf(out, "%u %.*s\n", line, (int)n, at);
    at += n + (at[n] == '\n');
  }
}

/* 0, or what was found instead is printed. */
static int expect_planted(const struct kernel_row *r, const char *found)
{
  char place[64];
  size_t k = 0;
  while (k < KINDS && strcmp(kinds[k].kind, r->kind))
    k++;
  assert_true(k < KINDS);
  snprintf(place, sizeof place, ":%u +", r->line);
  int good = strstr(found, kinds[k].title) && strstr(found, place);
  for (size_t other = 0; other < KINDS; other++)
    good = good && (other == k || !strstr(found, kinds[other].title));
  if (!good)
    print_message("%s: not just a %s at line %u:\n%s\n", r->name, r->kind,
                  r->line, found);
  return !good;
}

static int expect_none(const struct kernel_row *r, const char *found,
                       uint64_t findings)
{
  if (findings)
    print_message("%s has no mistake:\n%s\n", r->name, found);
  return findings != 0;
}

static void each_mistake_is_found(void **state)
{
  struct device d;
  struct str text = {0}, numbered = {0};
  static struct kernel_row rows[ROWS];
  int planted = 0, sound = 0, bad = 0;
  (void)state;
  if (open_planted(&d, &text))
    return;
  number_lines(str_text(&text), &numbered);
  size_t n = read_rows(numbered.at, rows);
  for (size_t k = 0; k < n; k++) {
    uint64_t findings;
    char *found = found_in(&d, rows[k].name, CHECK_ALL, &findings);
    bad += rows[k].planted ? expect_planted(&rows[k], found)
                           : expect_none(&rows[k], found, findings);
    planted += rows[k].planted;
    sound += !rows[k].planted;
    free(found);
  }
  print_message("%d kernels with a mistake, %d without\n", planted, sound);
  assert_int_equal(bad, 0);
  assert_true(planted >= 60);
  assert_true(sound >= 32);
  str_free(&text);
  str_free(&numbered);
  device_close(&d);
}

static void says_all(const char *found, const char *const *words, size_t n)
{
  for (size_t k = 0; k < n; k++)
    if (!strstr(found, words[k]))
      fail_msg("no '%s' in\n%s", words[k], found);
}

/* Both sides: instruction, line, wave and lane. */
static void a_finding_names_both_sides(void **state)
{
  struct device d;
  struct str text = {0};
  uint64_t n;
  (void)state;
  if (open_planted(&d, &text))
    return;
  char *found = found_in(&d, "no_barrier", CHECK_ALL, &n);
  const char *words[] = {"kernel no_barrier, workgroup 0", "ds_read_b32 v",
                         "read by wave ", ", lane ", "ds_write_b32 v",
                         "written by wave ", ":20 +0x"};
  assert_int_equal(n, 1); /* not once a lane */
  says_all(found, words, sizeof words / sizeof *words);
  free(found);
  found = found_in(&d, "no_barrier", CHECK_WAIT, &n);
  assert_int_equal(n, 0); /* it was not asked for */
  free(found);
  str_free(&text);
  device_close(&d);
}

/* A phase is 32 lanes, a bank gives one dword a cycle ("Vega" 7 nm ISA, 11.1): 2
 * phases of 32 cycles, of which 62 are for conflicts. */
static void conflicts_have_lines(void **state)
{
  struct device d;
  struct str text = {0};
  uint64_t n;
  (void)state;
  if (open_planted(&d, &text))
    return;
  char *found = found_in(&d, "in_one_bank", CHECK_CONFLICTS, &n);
  const char *words[] = {"CompileSource:", " in_one_bank ds_read_b32: 496 "
                         "cycles, 62.0 of 64.0 an execution"};
  says_all(found, words, sizeof words / sizeof *words);
  free(found);
  found = found_in(&d, "in_all_banks", CHECK_CONFLICTS, &n);
  if (!strstr(found, "LDS bank conflicts: 0 of "))
    fail_msg("%s", found);
  free(found);
  str_free(&text);
  device_close(&d);
}

/* Line numbers are the file's: whatever they say, nothing is read behind them. */
static void damaged_lines_do_no_harm(void **state)
{
  struct device d;
  struct str text = {0};
  struct source_line line;
  struct rng r;
  int found = 0;
  (void)state;
  if (open_planted(&d, &text))
    return;
  struct line_table *t = &d.object->lines;
  uint64_t entry = d.object->text_base + d.object->kernels[0].entry * 4u;
  for (unsigned k = 0; k < 64; k++) /* some are nobody's */
    found += object_line(d.object, entry + k * 4, &line);
  assert_in_range(found, 1, 64);
  found = 0;
  rng_seed(&r, 1);
  for (int n = 0; n < 2000; n++) {
    size_t at = rng_next(&r) % t->line.n, all = t->line.n;
    uint8_t was = t->line.at[at];
    t->line.at[at] = (uint8_t)rng_next(&r);
    t->line.n = n % 2 ? at : all;
    found += object_line(d.object, entry + rng_next(&r) % 4096 * 4, &line);
    t->line.n = all;
    t->line.at[at] = was;
  }
  assert_in_range(found, 1, 1999);
  str_free(&text);
  device_close(&d);
}

static void words_choose_the_kinds(void **state)
{
  struct err e = {0};
  unsigned k;
  (void)state;
  assert_int_equal(check_words("race,wait", &k, &e), 0);
  assert_int_equal(k, CHECK_RACE | CHECK_WAIT);
  assert_int_equal(check_words("wait", &k, &e), 0);
  assert_int_equal(k, CHECK_WAIT);
  assert_int_equal(check_words("all", &k, &e), 0);
  assert_int_equal(k, CHECK_ALL);
  assert_int_equal(check_words("all,conflicts", &k, &e), 0);
  assert_int_equal(k, CHECK_ALL | CHECK_CONFLICTS);
  assert_int_not_equal(check_words("race,weight", &k, &e), 0);
  assert_non_null(strstr(e.text, "weight"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_mistake_is_found),
      cmocka_unit_test(a_finding_names_both_sides),
      cmocka_unit_test(conflicts_have_lines),
      cmocka_unit_test(damaged_lines_do_no_harm),
      cmocka_unit_test(words_choose_the_kinds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
