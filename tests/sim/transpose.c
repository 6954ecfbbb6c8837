/* transpose.c - gfx1250's transposing loads, from LDS and from memory.
 *
 * Each lane loads a row of elements, which have numbers here: row times the elements
 * of a row plus the column. Whose rows a lane's elements come of is written down as
 * lists: of 16 bits as a card gave them for the first lanes of each eight, of
 * 8 bits as one gave them for the first sixteen lanes; of 4 and 6 bits lane n's is the n-th.
 */
// SPDX-License-Identifier: MIT
#include "tests/sim/program.h"

enum {ROWS_AT = 32, LDS_BYTES = 1024, DST = 4};

static const uint8_t rows_16[16][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7},
    {0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7},
    {0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7},
    {8, 9, 10, 11, 12, 13, 14, 15}, {8, 9, 10, 11, 12, 13, 14, 15},
    {8, 9, 10, 11, 12, 13, 14, 15}, {8, 9, 10, 11, 12, 13, 14, 15},
    {8, 9, 10, 11, 12, 13, 14, 15}, {8, 9, 10, 11, 12, 13, 14, 15},
    {8, 9, 10, 11, 12, 13, 14, 15}, {8, 9, 10, 11, 12, 13, 14, 15}};
static const uint8_t rows_8[16][16] = {
    {0, 1, 2, 3, 8, 9, 10, 11}, {0, 1, 2, 3, 8, 9, 10, 11}, {0, 1, 2, 3, 8, 9, 10, 11},
    {0, 1, 2, 3, 8, 9, 10, 11}, {0, 1, 2, 3, 8, 9, 10, 11}, {0, 1, 2, 3, 8, 9, 10, 11},
    {0, 1, 2, 3, 8, 9, 10, 11}, {0, 1, 2, 3, 8, 9, 10, 11},
    {4, 5, 6, 7, 12, 13, 14, 15}, {4, 5, 6, 7, 12, 13, 14, 15},
    {4, 5, 6, 7, 12, 13, 14, 15}, {4, 5, 6, 7, 12, 13, 14, 15},
    {4, 5, 6, 7, 12, 13, 14, 15}, {4, 5, 6, 7, 12, 13, 14, 15},
    {4, 5, 6, 7, 12, 13, 14, 15}, {4, 5, 6, 7, 12, 13, 14, 15}};

struct form {
  unsigned bits, bytes;
  const uint8_t (*rows)[16]; /* NULL: the n-th */
  uint32_t lds[2], global[3];
};

/* ds_load_tr* v[4:], v0 offset:32 and global_load_tr* v[4:], v[2:3], off */
static const struct form forms[] = {
    {4, 8, NULL, {0xdbe80020, 0x04000000}, {0xee1cc07c, 4, 2}},
    {6, 12, NULL, {0xdbec0020, 0x04000000}, {0xee1d007c, 4, 2}},
    {8, 8, rows_8, {0xdbf40020, 0x04000000}, {0xee16007c, 4, 2}},
    {16, 16, rows_16, {0xdbf00020, 0x04000000}, {0xee15c07c, 4, 2}},
};
enum {FORMS = sizeof forms / sizeof *forms};

static uint32_t number(const struct form *f, unsigned row, unsigned column)
{
  unsigned each = f->bytes * 8 / f->bits;
  return (row * 37 + row * each + column) & ((1u << f->bits) - 1);
}

static void put_bits(uint8_t *to, unsigned at, unsigned bits, uint32_t value)
{
  for (unsigned n = 0; n < bits; n++)
    if (value >> n & 1)
      to[(at + n) / 8] |= (uint8_t)(1 << (at + n) % 8);
}

static uint32_t got(const struct wave *w, unsigned lane, unsigned at, unsigned bits)
{
  uint32_t value = 0;
  for (unsigned n = 0; n < bits; n++)
    value |= (w->v[DST + (at + n) / 32][lane] >> (at + n) % 32 & 1) << n;
  return value;
}

/* Rows lie backwards, so that each lane's address matters. */
static size_t place(const struct form *f, unsigned row)
{
  return (31 - row) * f->bytes;
}

static void fill(const struct form *f, uint8_t *to)
{
  memset(to, 0, 32 * f->bytes);
  for (unsigned row = 0; row < 32; row++)
    for (unsigned k = 0; k < f->bytes * 8 / f->bits; k++)
      put_bits(to + place(f, row), k * f->bits, f->bits, number(f, row, k));
}

static void open_form(struct program *p, const struct form *f, int lds)
{
  program_load_for(p, isa_find("gfx1250"), lds ? f->lds : f->global, lds ? 2 : 3);
  p->dispatch.lds = LDS_BYTES;
  program_start(p, 32);
  struct wave *w = &p->group->waves[0];
  uint8_t *memory = arena_alloc(p->arena, LDS_BYTES);
  fill(f, memory);
  memcpy(p->group->lds + ROWS_AT, memory, 32 * f->bytes);
  for (unsigned l = 0; l < 32; l++) {
    uint64_t at = (uint64_t)(uintptr_t)memory + place(f, l);
    w->v[0][l] = (uint32_t)place(f, l);
    w->v[2][l] = (uint32_t)at, w->v[3][l] = (uint32_t)(at >> 32);
  }
}

static void test_columns(void **state)
{
  (void)state;
  for (int k = 0; k < 2 * FORMS; k++) {
    const struct form *f = &forms[k / 2];
    unsigned each = f->bytes * 8 / f->bits;
    struct program p;
    open_form(&p, f, k % 2);
    struct wave *w = &p.group->waves[0];
    wave_step(w);
    if (w->state != WAVE_RUN)
      fail_msg("%u bits: %s", f->bits, w->fault.text);
    for (unsigned l = 0; l < 32; l++)
      for (unsigned n = 0; n < each; n++) {
        unsigned row = (l & 16) + (f->rows ? f->rows[l % 16][n] : n);
        assert_int_equal(got(w, l, n * f->bits, f->bits), number(f, row, l % each));
      }
    program_close(&p);
  }
}

static void faults(int lds, const char *part)
{
  struct program p;
  open_form(&p, &forms[3], lds);
  struct wave *w = &p.group->waves[0];
  if (strstr(part, "EXEC"))
    WAVE_EXEC(w) = 0x7fffffff;
  else
    w->v[0][3] += 4;
  wave_step(w);
  assert_int_equal(w->state, WAVE_FAULT);
  if (!strstr(w->fault.text, part))
    fail_msg("no '%s' in: %s", part, w->fault.text);
  program_close(&p);
}

static void test_refused(void **state)
{
  (void)state;
  faults(1, "needs all 32 lanes, EXEC is 0x7fffffff");
  faults(0, "needs all 32 lanes, EXEC is 0x7fffffff");
  faults(1, "which is not a multiple of 16");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_columns),
      cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
