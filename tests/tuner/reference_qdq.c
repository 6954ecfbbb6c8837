/* reference_qdq.c - dot products of packed numbers, against a device of
 * floats that does all in another order, and devices that do it wrong.
 */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "tests/tuner/opened.h"

enum {N = 130, BLOCK = 8, ROUNDS = 7};

/* What a device may do differently. */
struct habits {
  float (*whole)(float x); /* how it rounds to integers */
  int rounds;
  int truncates; /* to f16, as v_cvt_pkrtz does */
};

struct kind {
  const char *dtype, *way, *use;
};

static const struct kind kinds[] = {
    {"f32", "quantise", "hot"},    {"f32", "quantise", "once"},
    {"f16", "quantise", "hot"},    {"f16", "quantise", "once"},
    {"i8", "quantise", "hot"},     {"i8", "quantise", "once"},
    {"i4", "quantise", "hot"},     {"i4", "quantise", "once"},
    {"f16", "dequantise", "hot"},  {"f16", "dequantise", "once"},
    {"i8", "dequantise", "hot"},   {"i8", "dequantise", "once"},
    {"i4", "dequantise", "hot"},   {"i4", "dequantise", "once"},
};

enum {KINDS = sizeof kinds / sizeof *kinds};

static void open_kind(struct opened *o, const struct kind *k)
{
  char problem[160];
  snprintf(problem, sizeof problem,
           "dtype=%s,way=%s,use=%s,block=%d,rounds=%d,n=%d", k->dtype, k->way,
           k->use, BLOCK, ROUNDS, N);
  open_family(o, "qdq", problem, "ilp=1,unroll=1");
}

static float f16_of(uint16_t bits)
{
  return (float)element_ops(ELEMENT_F16)->load(&bits);
}

/* To f16 and back, to nearest or towards zero. */
static float through_f16(float x, int truncate)
{
  uint16_t bits;
  element_ops(ELEMENT_F16)->store(&bits, (double)x);
  if (truncate && fabsf(f16_of(bits)) > fabsf(x))
    bits--;
  return f16_of(bits);
}

/* Weight k of sum i in a round, as its bytes say. */
static float weight(const struct opened *o, const struct kind *kind, size_t k,
                    size_t i, int flipped)
{
  int halves = kind->dtype[0] == 'f' && kind->dtype[1] == '1';
  if (kind->dtype[1] == '3')
    return (float)input_at(o, "w", k * N + i);
  if (halves) {
    uint16_t bits, change = 0;
    double w = input_at(o, "w", (k / 2 * N + i) * 2 + k % 2);
    element_ops(ELEMENT_F16)->store(&bits, w);
    if (flipped)
      change = (uint32_t)(int32_t)input_at(o, "move", k / 2 * N + i)
               >> k % 2 * 16 & 0x83ff;
    return f16_of(bits ^ change);
  }
  size_t each = kind->dtype[1] == '8' ? 4 : 8;
  uint32_t word = (uint32_t)(int32_t)input_at(o, "w", k / each * N + i);
  if (flipped)
    word ^= (uint32_t)(int32_t)input_at(o, "move", k / each * N + i);
  int8_t bytes[4], byte;
  memcpy(bytes, &word, 4);
  byte = bytes[each == 4 ? k % 4 : k % 8 / 2];
  if (each == 4)
    return byte;
  int nibble = (k % 2 ? byte >> 4 : byte) & 15;
  return (float)(nibble > 7 ? nibble - 16 : nibble);
}

/* An activation as the packed type has it. */
static float packed(const struct kind *kind, float x, float scale,
                    const struct habits *h)
{
  int eight = kind->dtype[1] == '8';
  if (kind->way[0] == 'd' || kind->dtype[1] == '3')
    return x;
  if (kind->dtype[1] == '1')
    return through_f16(x, h->truncates);
  float units = h->whole(x * (1 / scale));
  return fminf(fmaxf(units, eight ? -128 : -8), eight ? 127 : 7);
}

/* Sum i as a device of floats adds it up: columns first. */
static float device(const struct opened *o, const struct kind *kind, size_t i,
                    const struct habits *h)
{
  int whole = kind->dtype[0] == 'i', quantise = kind->way[0] == 'q';
  int hot = kind->use[0] == 'h';
  float scale = whole && quantise ? (float)input_at(o, "scale_x", i) : 1;
  float sum = 0;
  for (size_t k = 0; k < BLOCK; k++) {
    float x = (float)input_at(o, "x", k * N + i);
    for (int r = 0; r < h->rounds; r++) {
      if (hot && quantise)
        x = (float)input_at(o, "move", k * N + i) - x;
      sum += packed(kind, x, scale, h)
             * weight(o, kind, k, i, hot && !quantise && r % 2 == 0);
    }
  }
  if (whole)
    sum *= (float)input_at(o, "scale_w", i);
  return sum * scale;
}

static int accepted(const struct kind *kind, const struct habits *h)
{
  struct opened o;
  int right = 0;
  open_kind(&o, kind);
  struct expected *all = all_of(&o, "y");
  for (size_t i = 0; i < N; i++) {
    double off = fabs((double)device(&o, kind, i, h) - all[i].want);
    assert_true(all[i].bound > 0 && all[i].bound < 0.05);
    right += off <= all[i].bound;
  }
  free(all);
  close_family(&o);
  return right;
}

static void right_devices_are_right(void **state)
{
  (void)state;
  static const struct habits right = {rintf, ROUNDS, 0};
  static const struct habits truncating = {rintf, ROUNDS, 1};
  for (size_t k = 0; k < KINDS; k++) {
    assert_int_equal(accepted(&kinds[k], &right), N);
    assert_int_equal(accepted(&kinds[k], &truncating), N);
  }
}

static void wrong_devices_are_wrong(void **state)
{
  (void)state;
  static const struct habits lazy = {rintf, ROUNDS - 1, 0};
  static const struct habits floors = {floorf, ROUNDS, 0};
  static const struct habits cuts = {truncf, ROUNDS, 0};
  for (size_t k = 0; k < KINDS; k++) {
    int rounds = kinds[k].dtype[0] == 'i' && kinds[k].way[0] == 'q';
    assert_true(accepted(&kinds[k], &lazy) < N / 10);
    if (rounds) {
      assert_true(accepted(&kinds[k], &floors) < N / 10);
      assert_true(accepted(&kinds[k], &cuts) < N / 10);
    }
  }
}

/* Some activations lie beyond the range of the integers, most inside. */
static void some_activations_are_clamped(void **state)
{
  (void)state;
  for (size_t k = 0; k < KINDS; k++) {
    struct opened o;
    int outside = 0;
    double most = kinds[k].dtype[1] == '8' ? 127.5 : 7.5;
    if (kinds[k].dtype[0] != 'i' || kinds[k].way[0] != 'q' ||
        kinds[k].use[0] != 'h')
      continue;
    open_kind(&o, &kinds[k]);
    for (size_t i = 0; i < N; i++)
      for (size_t b = 0; b < BLOCK; b++)
        outside += fabs(input_at(&o, "move", b * N + i)
                        - input_at(&o, "x", b * N + i))
                   > most * input_at(&o, "scale_x", i);
    assert_in_range(outside, N * BLOCK / 100, N * BLOCK / 3);
    close_family(&o);
  }
}

static void problems_must_make_sense(void **state)
{
  (void)state;
  struct opened o;
  struct err e = {0};
  open_kind(&o, &kinds[4]);
  o.plan.buffers[0].elements = 1;
  assert_int_equal(o.reference->check(&o.job, &e), ERR_FAILED);
  assert_non_null(strstr(e.text, "the reference 'qdq' needs"));
  close_family(&o);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(right_devices_are_right),
      cmocka_unit_test(wrong_devices_are_wrong),
      cmocka_unit_test(some_activations_are_clamped),
      cmocka_unit_test(problems_must_make_sense),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
