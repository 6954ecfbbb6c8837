/* buffers.c - what a device worker's buffers hold from candidate to candidate. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "tuner/device/check.h"
#include "tuner/device/launch.h"

/* A device whose memory is the host's. */
static hipError_t take(void **out, size_t bytes)
{
  *out = malloc(bytes);
  return *out ? hipSuccess : hipErrorOutOfMemory;
}
static hipError_t give_back(void *p)
{
  free(p);
  return hipSuccess;
}
static hipError_t copy(void *to, const void *from, size_t n, hipMemcpyKind kind)
{
  (void)kind;
  memcpy(to, from, n);
  return hipSuccess;
}
static hipError_t set(void *to, int byte, size_t n)
{
  memset(to, byte, n);
  return hipSuccess;
}

enum {BLOCKS = 9};

static void assert_holds(const struct buffers *b, const struct plan *plan)
{
  uint8_t want[BLOCKS * 18];
  input_fill(1, 0, &plan->buffers[0], 0, BLOCKS, want);
  assert_int_equal(b->at[0].bytes, sizeof want);
  assert_memory_equal(b->at[0].base + GUARD, want, sizeof want);
}

/* Blocks as in a file and in planes are as many bytes, and not the same. */
static void planes_replace_a_file(void **state)
{
  (void)state;
  struct hip h = {.hipMalloc = take, .hipFree = give_back, .hipMemcpy = copy,
                  .hipMemset = set};
  struct plan plan = {.nbuffers = 1,
                      .buffers = {{.name = "w", .type = ELEMENT_Q4_0,
                                   .elements = BLOCKS, .low = -1, .high = 1}}};
  struct buffers b = {0};
  struct err e;
  static const struct {int planes; size_t panel;} lie[] = {
    {0, 0}, {1, 0}, {1, 3}, {0, 0}, {1, 3}, {1, 0}};
  for (size_t i = 0; i < sizeof lie / sizeof *lie; i++) {
    plan.buffers[0].planes = lie[i].planes;
    plan.buffers[0].panel = lie[i].panel;
    plan.buffers[0].row = lie[i].panel ? BLOCKS / 3 : 0;
    assert_int_equal(buffers_fit(&h, &plan, &b, &e), STATUS_OK);
    assert_int_equal(buffers_reset(&h, &plan, 1, &b, &e), STATUS_OK);
    assert_holds(&b, &plan);
  }
  buffers_free(&h, &b);
}

/* One that may lie at any 4 bytes, or is a list, is none for who needs 16. */
static void alignment_is_that_of_the_plan(void **state)
{
  (void)state;
  struct hip h = {.hipMalloc = take, .hipFree = give_back, .hipMemcpy = copy,
                  .hipMemset = set};
  static const struct {unsigned align; size_t pointers;} turns[] = {
      {16, 0}, {4, 0}, {16, 0}, {16, 2}, {16, 0}, {8, 0}, {4, 0}};
  struct plan plan = {.nbuffers = 1,
                      .buffers = {{.name = "a", .type = ELEMENT_F32,
                                   .elements = 64, .stride = 32}}};
  struct buffers b = {0};
  struct err e;
  for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
    plan.buffers[0].align = turns[i].align;
    plan.buffers[0].pointers = turns[i].pointers;
    assert_int_equal(buffers_fit(&h, &plan, &b, &e), STATUS_OK);
    assert_int_equal((uintptr_t)b.at[0].base % 16, turns[i].align % 16);
    assert_int_equal(b.at[0].list != NULL, turns[i].pointers > 0);
  }
  buffers_free(&h, &b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(planes_replace_a_file),
      cmocka_unit_test(alignment_is_that_of_the_plan),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
