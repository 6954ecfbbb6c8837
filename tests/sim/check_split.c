/* check_split.c - HIPSIM_CHECK on gfx1250 finds the mistakes of check_split.hip, and no
 * others. clang-22 compiles it; where there is none all are skipped. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/file.h"
#include "runtimes/sim/check/check.h"
#include "runtimes/sim/run/cluster.h"
#include "tests/sim/launch.h"

enum {WORDS = 1 << 16, GROUPS = 2, THREADS = 256};

#define SOURCE SOURCE_DIR "/tests/sim/check_split.hip"

static int compile(struct str *code)
{
  char path[] = "/tmp/split-XXXXXX", command[512];
  int made = mkstemp(path);
  if (made < 0)
    return -1;
  close(made);
  snprintf(command, sizeof command,
           "clang-22 -x hip --offload-arch=gfx1250 --offload-device-only "
           "--no-gpu-bundle-output -nogpulib -nogpuinc -O1 -g -o %s %s 2>&1",
           path, SOURCE);
  int bad = system("command -v clang-22 ld.lld-22 >/dev/null") ||
            system(command) || file_read(path, 1 << 24, code, NULL);
  unlink(path);
  return bad;
}

static int open_split(struct device *d)
{
  struct str code = {0};
  struct err e = {0};
  if (compile(&code)) {
    print_message("skipped: no clang-22 and lld-22 (Debian packages)\n");
    return -1;
  }
  d->arena = arena_open((uint64_t)1 << 30);
  assert_non_null(d->arena);
  if (object_load(&d->object, d->arena, isa_find("gfx1250"), code.at, code.len,
                  exec_bind, &e))
    fail_msg("%s", e.text);
  str_free(&code);
  return 0;
}

/* What checks of a launch of `threads` print; free() it. */
static char *found_in(const struct device *d, const char *kernel, uint32_t threads)
{
  struct {
    uint32_t *out, *in;
  } args = {arena_alloc(d->arena, WORDS * 4), arena_alloc(d->arena, WORDS * 4)};
  struct dispatch launch;
  struct fault fault = {0};
  char *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  struct check *c = check_open(CHECK_ALL, f);
  for (uint32_t k = 0; k < WORDS; k++)
    args.in[k] = k * 2654435761u;
  memset(args.out, 0, WORDS * 4);
  check_allocated(c, args.out, WORDS * 4);
  check_written(c, args.out, WORDS * 2);
  assert_int_equal(device_prepare(d, &launch, kernel, GROUPS, threads, &args,
                                  sizeof args), 0);
  int together = strstr(kernel, "clusters") != NULL;
  launch.cluster[0] = together ? GROUPS : 1;
  check_launch(c, &launch);
  int code = together ? cluster_run_all(&launch, &(struct counts){0}, &fault)
                      : dispatch_run(&launch, 1, NULL, &fault);
  if (code && fault.code != FAULT_ADDRESS)
    fail_msg("%s", fault.text);
  check_launched(c);
  device_finish(&launch);
  check_close(c);
  fclose(f);
  arena_free(d->arena, args.in);
  arena_free(d->arena, args.out);
  return text;
}

struct kernel_row {
  char name[64], kind[16];
  unsigned line;
  int planted;
};

static size_t read_rows(struct kernel_row *rows)
{
  char line[200];
  size_t n = 0;
  FILE *f = fopen(SOURCE, "r");
  assert_non_null(f);
  for (unsigned at = 1; fgets(line, sizeof line, f); at++) {
    const char *mark = strstr(line, "//! ");
    if (sscanf(line, "PLANTED(%60[^)])", rows[n].name) == 1)
      rows[n++].planted = 1;
    else if (sscanf(line, "SOUND(%60[^)])", rows[n].name) == 1)
      rows[n++].planted = 0;
    if (mark && n) {
      sscanf(mark, "//! %15s", rows[n - 1].kind);
      rows[n - 1].line = at;
    }
  }
  fclose(f);
  return n;
}

static const struct {
  const char *kind, *title;
} kinds[] = {{"race", "libhipsim: race:"},
             {"wait", "libhipsim: missing wait:"},
             {"barrier", "libhipsim: barrier:"},
             {"init", "libhipsim: never written:"},
             {"bounds", "libhipsim: out of bounds:"}};

/* Just what is planted, with its line. */
static int is_right(const struct kernel_row *r, const char *found)
{
  char place[64];
  int good = r->planted || !*found;
  snprintf(place, sizeof place, "check_split.hip:%u +", r->line);
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    int wanted = r->planted && !strcmp(kinds[k].kind, r->kind);
    good = good && (strstr(found, kinds[k].title) != NULL) == wanted;
  }
  return good && (!r->planted || strstr(found, place));
}

static void each_mistake_is_found(void **state)
{
  static struct kernel_row rows[60];
  struct device d;
  int bad = 0, planted = 0;
  (void)state;
  if (open_split(&d))
    skip();
  size_t n = read_rows(rows);
  for (size_t k = 0; k < n; k++) {
    char *found = found_in(&d, rows[k].name, THREADS);
    if (!is_right(&rows[k], found)) {
      print_message("%s, %s at line %u:\n%s\n", rows[k].name, rows[k].kind,
                    rows[k].line, found);
      bad++;
    }
    planted += rows[k].planted;
    free(found);
  }
  print_message("%d kernels with a mistake, %zu without\n", planted, n - planted);
  assert_int_equal(bad, 0);
  device_close(&d);
}

/* Waves by number, of which a group has up to 32 here. */
static void names_waves_and_waits(void **state)
{
  struct device d;
  (void)state;
  if (open_split(&d))
    skip();
  char *found = found_in(&d, "many_waves", 1024);
  if (!strstr(found, "ds_load_b32 v") || !strstr(found, "by wave 16, lane 0"))
    fail_msg("%s", found);
  free(found);
  found = found_in(&d, "stores_do_not_count", THREADS);
  if (!strstr(found, " before s_wait_loadcnt 0, or less, has waited for the load"))
    fail_msg("%s", found);
  free(found);
  device_close(&d);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_mistake_is_found),
      cmocka_unit_test(names_waves_and_waits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
