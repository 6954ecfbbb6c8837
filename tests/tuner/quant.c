/* quant.c - blocks of quantised numbers: what libggml made of the same bytes,
 * planes, and activations by their definition. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tuner/reference/inputs.h"
#include "tuner/reference/quant.h"

static void from_hex(const char *text, uint8_t *out, size_t n)
{
  assert_int_equal(strlen(text), 2 * n);
  for (size_t i = 0; i < n; i++) {
    unsigned byte;
    assert_int_equal(sscanf(text + 2 * i, "%2x", &byte), 1);
    out[i] = (uint8_t)byte;
  }
}

/* Every bit, the sign of zeros too. */
static void decoders_are_libggmls(void **state)
{
  (void)state;
  FILE *file = fopen(SOURCE_DIR "/tests/data/ggml_blocks.txt", "r");
  static char line[4096], name[16], kind[16], block[1024], numbers[2560];
  int blocks = 0;
  assert_non_null(file);
  while (fgets(line, sizeof line, file)) {
    if (*line == '#')
      continue;
    assert_int_equal(sscanf(line, "%15s %15s %1023s %2559s", name, kind, block,
                            numbers), 4);
    const struct quant *t = quant_find(name);
    uint8_t bytes[QUANT_BYTES], want[4 * QUANT_MOST];
    float got[QUANT_MOST];
    assert_non_null(t);
    from_hex(block, bytes, t->block->bytes);
    from_hex(numbers, want, t->block->elements * sizeof *got);
    quant_decode(t, bytes, got);
    assert_memory_equal(got, want, t->block->elements * sizeof *got);
    blocks++;
  }
  fclose(file);
  assert_int_equal(blocks, 25);
  assert_null(quant_find("q5_0"));
}

/* What a file has, field by field: from any byte on. */
static void planes_are_the_blocks_apart(void **state)
{
  (void)state;
  enum {BLOCKS = 7};
  static const enum element types[] = {ELEMENT_Q8_0, ELEMENT_Q4_0,
                                       ELEMENT_Q4_1, ELEMENT_Q4_K,
                                       ELEMENT_Q6_K};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    struct buffer file = {.type = types[i], .elements = BLOCKS, .low = -1,
                          .high = 1};
    struct buffer planes = file;
    const struct quant *t = quant_find(element_ops(types[i])->name);
    uint8_t whole[BLOCKS * QUANT_BYTES], apart[BLOCKS * QUANT_BYTES];
    uint8_t part[2 * QUANT_BYTES], block[QUANT_BYTES];
    planes.planes = 1;
    assert_int_equal(t->block->bytes, element_ops(types[i])->size);
    input_fill(1, 0, &file, 0, BLOCKS, whole);
    input_fill(1, 0, &planes, 0, BLOCKS, apart);
    const uint8_t *at = apart;
    const struct block_field *end = t->block->fields + BLOCK_FIELDS;
    for (const struct block_field *f = t->block->fields; f < end && f->bytes; f++)
      for (size_t b = 0; b < BLOCKS; b++, at += f->bytes)
        assert_memory_equal(at, whole + b * t->block->bytes + f->at, f->bytes);
    for (size_t b = 0; b < BLOCKS; b++) {
      input_block(1, 0, &file, b, block);
      assert_memory_equal(block, whole + b * t->block->bytes, t->block->bytes);
    }
    input_fill(1, 0, &planes, 3, 2, part);
    assert_memory_equal(part, apart + 3 * t->block->bytes, 2 * t->block->bytes);
  }
}

/* Two panels of 3 rows of 2 blocks. Of q8_0 the planes have pieces of 16 bytes of the
 * numbers, and then scales; byte b of block i is i * 40 + b. */
static void number_block(void *with, size_t i, uint8_t *out)
{
  (void)with;
  for (int b = 0; b < 34; b++)
    out[b] = (uint8_t)(i * 40 + (size_t)b);
}

static void panels_are_rows_side_by_side(void **state)
{
  (void)state;
  enum {PANELS = 2, ROWS = 3, ALONG = 2, BLOCKS = PANELS * ROWS * ALONG, FIELD = 32};
  struct quant_planes lie = {.blocks = BLOCKS, .panel = ROWS, .row = ALONG};
  uint8_t got[BLOCKS * 34], want[BLOCKS * 34], part[50], *at = want;
  for (size_t p = 0; p < PANELS; p++)
    for (size_t along = 0; along < ALONG; along++)
      for (size_t piece = 0; piece < FIELD; piece += 16)
        for (size_t row = 0; row < ROWS; row++)
          for (size_t b = 0; b < 16; b++)
            *at++ = (uint8_t)(((p * ROWS + row) * ALONG + along) * 40 + 2 +
                              piece + b);
  for (size_t p = 0; p < PANELS; p++)
    for (size_t along = 0; along < ALONG; along++)
      for (size_t row = 0; row < ROWS; row++)
        for (size_t b = 0; b < 2; b++)
          *at++ = (uint8_t)(((p * ROWS + row) * ALONG + along) * 40 + b);
  quant_planes(quant_find("q8_0"), lie, 0, sizeof got, number_block, NULL, got);
  assert_memory_equal(got, want, sizeof want);
  for (size_t first = 0; first + sizeof part <= sizeof want; first += 7) {
    quant_planes(quant_find("q8_0"), lie, first, sizeof part, number_block, NULL,
                 part);
    assert_memory_equal(part, want + first, sizeof part);
  }
}

/* Random blocks have finite scales within the bounds, and some are 0. */
static void scales_are_numbers(void **state)
{
  (void)state;
  struct buffer b = {.type = ELEMENT_Q4_1, .elements = 4096, .low = -0.5,
                     .high = 0.25};
  int small = 0;
  for (size_t i = 0; i < b.elements; i++) {
    uint8_t block[QUANT_BYTES];
    input_block(3, 1, &b, i, block);
    for (int at = 0; at < 4; at += 2) {
      double scale = element_ops(ELEMENT_F16)->load(block + at);
      assert_true(scale >= -0.5 && scale <= 0.25);
      small += fabs(scale) < 0x1p-14;
    }
  }
  assert_in_range(small, 64, 256); /* of 8192, one in 64 */
}

/* d = 1: integers stay, halves go away from 0; the sum is that of x. */
static void activations_are_q8_1(void **state)
{
  (void)state;
  float x[QUANT_X] = {127, -126, 2.5f, -2.5f, 0.5f, -0.5f, 0.49f, 63.5f};
  static const int q[] = {127, -126, 3, -3, 1, -1, 0, 64};
  struct quant_x out;
  quant_activations(x, &out);
  for (int i = 0; i < QUANT_X; i++)
    assert_int_equal(out.q[i], i < 8 ? q[i] : 0);
  assert_true(out.d == 1);
  assert_true(out.s == 65); /* 64.99 in f16, steps of 1/16 from 64 on */
  memset(x, 0, sizeof x);
  quant_activations(x, &out);
  assert_true(out.d == 0 && out.s == 0 && out.q[0] == 0);
  x[31] = -254; /* d = 2 */
  x[30] = 3;    /* 1.5 */
  quant_activations(x, &out);
  assert_true(out.d == 2 && out.s == -251 && out.q[31] == -127 &&
              out.q[30] == 2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(decoders_are_libggmls),
    cmocka_unit_test(planes_are_the_blocks_apart),
    cmocka_unit_test(panels_are_rows_side_by_side),
    cmocka_unit_test(scales_are_numbers),
    cmocka_unit_test(activations_are_q8_1),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
