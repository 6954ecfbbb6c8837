/* slice.c - a kernel's slice goes the same way and asks for the same addresses.
 *
 * A group of the launch and the same group of its slice are executed side by side,
 * instruction by instruction: place, EXEC and addresses must be the same, and
 * the slice must leave memory as it was. Which kernels have a slice is known by what
 * they do; how much of it the VALU still has to execute is printed.
 */
// SPDX-License-Identifier: MIT
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "runtimes/sim/timing/slice.h"
#include "tests/sim/kernels.h"

/* SAVED: most of a kernel's VALU is idle. */
enum expected {NO_SLICE, SLICE, SAVED};

static const struct kernel_case {
  const char *name;
  int n;
  enum expected expected;
} cases[] = {
    {"gemm_stages", 48, SAVED},  {"gemm_simple", 48, SAVED}, {"axpy", 0, SLICE},
    {"fma_wide", 40, SAVED},     {"lds_row", 40, SLICE},     {"lds_exchange", 20, SLICE},
    {"reduce", 6, SLICE},        {"triangle", 40, SLICE},    {"stencil", 20, SLICE},
    {"divergent", 60, SLICE},    {"shares", 4800, SLICE},    {"by_index", 8, NO_SLICE},
    {"counted", 8, NO_SLICE},    {"own_flag", 8, NO_SLICE},  {"by_lds", 30, SLICE},
    {"nested_lanes", 9, SLICE},  {"float_branch", 40, SLICE}, {"called", 9, NO_SLICE},
    {"vote", 9, SLICE},
};

static int open_device(void **state)
{
  static struct kernels s;
  static const char *const files[] = {"sampling.hip", "slice.hip"};
  if (kernels_open(&s, files, sizeof files / sizeof *files))
    return -1;
  for (size_t i = 0; i < KERNELS_BUFFER / 4; i++)
    ((uint32_t *)s.x)[i] = (uint32_t)(i * 2654435761u >> 20 & 15);
  memset(s.y, 0, KERNELS_BUFFER);
  *state = &s;
  return 0;
}

static int close_device(void **state)
{
  struct kernels *s = *state;
  device_close(&s->dev);
  return 0;
}

static int same_access(const struct access *a, const struct access *b)
{
  int same = a->n == b->n && (!a->n || a->lanes == b->lanes);
  for (unsigned k = 0; k < a->n && same; k++)
    for (unsigned l = 0; l < LANES && same; l++)
      same = !(a->lanes >> l & 1) || a->addr[k][l] == b->addr[k][l];
  return same;
}

/* One instruction of each; 0 where they part. */
static int step_both(struct wave *a, struct wave *b)
{
  wave_step(a);
  wave_step(b);
  return a->pc == b->pc && a->state == b->state && a->executed == b->executed &&
         WAVE_EXEC(a) == WAVE_EXEC(b) && same_access(&a->access, &b->access);
}

static void run_both(struct group *a, struct group *b, const char *name)
{
  enum {TURN = 64};
  while (a->ended < a->nwaves) {
    for (unsigned n = 0; n < a->nwaves; n++)
      for (int k = 0; k < TURN && a->waves[n].state == WAVE_RUN; k++)
        if (!step_both(&a->waves[n], &b->waves[n]))
          fail_msg("%s: wave %u parts at dword %u: %s%s", name, n, a->waves[n].at,
                   a->waves[n].fault.text, b->waves[n].fault.text);
    assert_int_equal(group_release(a), group_release(b));
  }
}

/* The part of the VALU's instructions that is idle. */
static double idle_part(const struct dispatch *d, const struct dispatch *slice)
{
  double idle = 0, all = 0;
  const struct object *o = d->kernel->object, *of = slice->kernel->object;
  for (size_t pc = 0; pc < o->ncode; pc++)
    if (of->code[pc].exec && o->code[pc].unit == UNIT_VALU) {
      all++;
      idle += of->code[pc].exec != o->code[pc].exec;
    }
  return idle / all;
}

/* Both groups load from the same memory, to which only the launch's stores. */
static void check_group(const struct dispatch *d, const struct dispatch *slice,
                        uint64_t index)
{
  struct group *a = group_new(d, index), *b = group_new(slice, index);
  run_both(a, b, d->kernel->name);
  for (int class = 0; class < CLASS_N; class++)
    for (unsigned n = 0; n < a->nwaves; n++)
      assert_int_equal(a->waves[n].counts[class], b->waves[n].counts[class]);
  group_free(a);
  group_free(b);
}

/* Nothing but a slice's own group runs here. */
static void leaves_memory_alone(struct kernels *s, const struct dispatch *slice)
{
  enum {LOOKED_AT = 1 << 22};
  static uint8_t before[LOOKED_AT];
  struct fault fault = {0};
  struct group *g = group_new(slice, 1);
  memcpy(before, s->y, sizeof before);
  assert_int_equal(group_run(g, &fault), 0);
  assert_memory_equal(before, s->y, sizeof before);
  group_free(g);
}

static void check_case(struct kernels *s, const struct kernel_case *c)
{
  struct { void *x, *y; int n; } args = {s->x, s->y, c->n};
  struct dispatch d;
  assert_int_equal(device_prepare(&s->dev, &d, c->name, 120, 256, &args, sizeof args), 0);
  struct slice *slice = slice_open(&d);
  if ((slice != NULL) != (c->expected != NO_SLICE))
    fail_msg("%s has %s slice", c->name, slice ? "a" : "no");
  if (slice) {
    const struct dispatch *of = slice_dispatch(slice);
    leaves_memory_alone(s, of);
    check_group(&d, of, 0);
    check_group(&d, of, 7);
    double idle = idle_part(&d, of);
    printf("%-14s %5.1f %% of the VALU's instructions are idle\n", c->name, 100 * idle);
    assert_true(c->expected != SAVED || idle > 0.5);
  }
  slice_close(slice);
  device_finish(&d);
}

static void same_way(void **state)
{
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
    check_case(*state, &cases[n]);
}

/* The whole report of the model is the same with the slice and without it, which a launch
 * that may ask something of the host does not have. */
static void same_report(void **state)
{
  struct kernels *s = *state;
  static struct hostcall *const asked = (struct hostcall *)&asked;
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    struct { void *x, *y; int n; } args = {s->x, s->y, cases[n].n * 2};
    struct timing with, without;
    struct fault fault = {0};
    struct dispatch d;
    assert_int_equal(device_prepare(&s->dev, &d, cases[n].name, 480, 256, &args,
                                    sizeof args), 0);
    d.timed = 1;
    assert_int_equal(model_run(&d, card_find("mi50"), &with, NULL, &fault), 0);
    d.hostcall = asked;
    assert_int_equal(model_run(&d, card_find("mi50"), &without, NULL, &fault), 0);
    if (memcmp(&with.report, &without.report, sizeof with.report))
      fail_msg("%s: %g us with its slice, %g without", cases[n].name,
               with.report.time_us, without.report.time_us);
    timing_free(&with);
    timing_free(&without);
    device_finish(&d);
  }
}

/* What only a slice does wrong is no fault of the launch. */
static void faults_are_the_launchs(void **state)
{
  struct kernels *s = *state;
  struct { void *x, *y; int n; } args = {s->x, s->y, 1};
  struct timing t;
  struct fault fault = {0};
  struct dispatch d;
  assert_int_equal(device_prepare(&s->dev, &d, "own_index", 240, 256, &args, sizeof args),
                   0);
  memset(s->y, 0x7f, KERNELS_BUFFER); /* as indices, far outside */
  d.timed = 1;
  struct slice *slice = slice_open(&d);
  struct group *g = group_new(slice_dispatch(slice), 0);
  assert_int_not_equal(group_run(g, &fault), 0);
  group_free(g);
  slice_close(slice);
  fault = (struct fault){0};
  assert_int_equal(model_run(&d, card_find("mi50"), &t, NULL, &fault), 0);
  assert_true(t.report.time_us > 0);
  timing_free(&t);
  device_finish(&d);
  memset(s->y, 0, KERNELS_BUFFER);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_way),
      cmocka_unit_test(same_report),
      cmocka_unit_test(faults_are_the_launchs),
  };
  return cmocka_run_group_tests(tests, open_device, close_device);
}
