/* sampling.c - sampled times beside complete ones.
 *
 * Every kernel of sampling.hip is timed twice: as launches are, with the
 * middle of long loops and of long grids credited instead of simulated, and
 * completely. The table is printed; no row may be off by more than 3 %, and
 * what the kernels compute must be the same. With sanitizers, which take ten
 * times as long, all are sampled but only some are also timed completely: the
 * release build judges the rest.
 */
// SPDX-License-Identifier: MIT
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>

#include "tests/sim/kernels.h"

#define LIMIT 0.03

#ifdef __SANITIZE_ADDRESS__
enum {COMPLETE = 6}; /* of so many kernels one */
#else
enum {COMPLETE = 1};
#endif

static const struct {
  const char *name;
  uint32_t threads, groups; /* of a group, of the grid */
  int n;
} kernels[] = {
    {"gemm_stages", 256, 300, 1024},    {"gemm_simple", 256, 420, 1024},
    {"axpy", 256, 32768, 0},            {"copy", 256, 8192, 0},
    {"stream", 256, 1100, 400},         {"scale_stride", 256, 240, 8388608},
    {"fma_chain", 256, 2400, 6000},     {"fma_wide", 256, 1500, 2000},
    {"lds_row", 256, 900, 3000},        {"lds_column", 256, 420, 1500},
    {"lds_padded", 256, 420, 2000},     {"lds_exchange", 256, 1500, 1500},
    {"reduce", 256, 960, 150},          {"triangle", 256, 1200, 3000},
    {"nested", 256, 960, 200},          {"transcendental", 256, 900, 6000},
    {"integers", 256, 900, 6000},       {"stencil", 256, 900, 1000},
    {"matvec", 256, 900, 1000},         {"divergent", 256, 1500, 1200},
    {"fma_wide", 256, 32768, 40},       {"lds_exchange", 256, 32768, 20},
    {"fma_short", 256, 4000, 6000},     {"fma_short", 128, 9600, 4096},
    {"shares", 256, 120, 36000},
};

static int open_device(void **state)
{
  static struct kernels s;
  static const char *const files[] = {"sampling.hip"};
  if (kernels_open(&s, files, sizeof files / sizeof *files))
    return -1;
  float *x = (float *)s.x;
  for (size_t i = 0; i < KERNELS_BUFFER / 4; i++)
    x[i] = (float)(i * 2654435761u >> 20 & 15) / 16;
  *state = &s;
  return 0;
}

static int close_device(void **state)
{
  struct kernels *s = *state;
  device_close(&s->dev);
  return 0;
}

typedef int model_fn(const struct dispatch *, const struct card *,
                     struct timing *, struct rest *, struct fault *);

/* Time one kernel; *sum gets a hash of the first group's results. */
static struct hipsim_report run(struct kernels *s, size_t k, model_fn *model)
{
  struct { void *x, *y; int n; } args = {s->x, s->y, kernels[k].n};
  struct dispatch d;
  struct timing t;
  struct fault fault = {0};
  memset(s->y, 0, KERNELS_BUFFER);
  assert_int_equal(device_prepare(&s->dev, &d, kernels[k].name,
                                  kernels[k].groups, kernels[k].threads,
                                  &args, sizeof args), 0);
  if (model(&d, card_find("mi50"), &t, NULL, &fault))
    fail_msg("%s", fault.text);
  struct hipsim_report r = t.report;
  timing_free(&t);
  device_finish(&d);
  return r;
}

static void within_three_percent(void **state)
{
  struct kernels *s = *state;
  int bad = 0;
  uint8_t *first = malloc(1024);
  printf("%-16s %12s %12s %8s %8s  bound\n", "kernel", "sampled us",
         "complete us", "error %", "waves %");
  for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
    struct hipsim_report r = run(s, k, model_run);
    if (k % COMPLETE)
      continue;
    memcpy(first, s->y, 1024);
    struct hipsim_report c = run(s, k, model_run_complete);
    assert_memory_equal(first, s->y, 1024);
    double error = r.time_us / c.time_us - 1;
    printf("%-16s %12.2f %12.2f %8.2f %8.2f  %s\n", kernels[k].name,
           r.time_us, c.time_us, 100 * error, 100 * r.sampled_share, r.bound);
    bad += fabs(error) > LIMIT;
  }
  free(first);
  assert_int_equal(bad, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(within_three_percent),
  };
  return cmocka_run_group_tests(tests, open_device, close_device);
}
