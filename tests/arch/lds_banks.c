/* LDS phases and conflicts, against published measurements and against the
 * definition written out. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/rng.h"
#include "arch/arch.h"
#include "arch/lds_banks.h"

#define ALL (~(uint64_t)0)

static const struct lds_layout *const layout = &lds_layout_gfx906;

static unsigned strided(enum lds_kind kind, unsigned bytes, unsigned stride)
{
  uint64_t addr[LDS_LANES];
  unsigned phases;
  for (unsigned l = 0; l < LDS_LANES; l++)
    addr[l] = (uint64_t)l * stride;
  return lds_cycles(layout, kind, bytes, ALL, addr, &phases);
}

/* MI308X, ds_read_b32 at strides in dwords: measured 4.22, 8.07, 16.06, 32.02
 * and 64.0 cycles (tingqli/pyhip, archive/bank-conflict). */
static void test_measured_strides(void **state)
{
  (void)state;
  for (unsigned stride = 2; stride <= 32; stride *= 2)
    assert_int_equal(strided(LDS_READ, 4, 4 * stride), 2 * stride);
  for (unsigned stride = 1; stride < 64; stride += 2)
    assert_int_equal(strided(LDS_READ, 4, 4 * stride), 2);
}

/* MI50, reading a column of a tile of float4: rows of 32 are slow, one of
 * padding brings back the speed of contiguous reads (wiki-gfx906). */
static void test_padded_column(void **state)
{
  (void)state;
  assert_int_equal(strided(LDS_READ, 16, 32 * 16), 64);
  assert_int_equal(strided(LDS_READ, 16, 33 * 16), 8);
  assert_int_equal(strided(LDS_READ, 16, 16), 8);
  assert_int_equal(strided(LDS_WRITE, 16, 32 * 16), 64);
  assert_int_equal(strided(LDS_WRITE, 16, 33 * 16), 8);
}

static void test_broadcast(void **state)
{
  static const struct {
    unsigned bytes, cycles;
  } rows[] = {{1, 2}, {2, 2}, {4, 2}, {8, 4}, {12, 8}, {16, 8}};
  (void)state;
  for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
    assert_int_equal(strided(LDS_READ, rows[k].bytes, 0), rows[k].cycles);
    assert_int_equal(strided(LDS_WRITE, rows[k].bytes, 0), rows[k].cycles);
  }
  /* Atomics on one address take turns. */
  assert_int_equal(strided(LDS_ATOMIC, 4, 0), 64);
  assert_int_equal(strided(LDS_ATOMIC, 4, 4), 2);
}

/* A phase has an active lane or does not take place. */
static void test_inactive_lanes(void **state)
{
  uint64_t addr[LDS_LANES] = {0};
  unsigned phases;
  (void)state;
  assert_int_equal(lds_cycles(layout, LDS_READ, 16, 0, addr, &phases), 0);
  assert_int_equal(phases, 0);
  assert_int_equal(lds_cycles(layout, LDS_READ, 4, 1, addr, &phases), 1);
  assert_int_equal(phases, 1);
  assert_int_equal(lds_cycles(layout, LDS_READ, 16, 0xff, addr, &phases), 2);
  assert_int_equal(phases, 2);
}

/* Lane groups as published, written out: group g of a row is lanes of the
 * masks. Reads of gfx906 wider than 8 bytes are inferred, as are writes that
 * the published tables leave out. */
struct row {
  const char *arch;
  enum lds_kind kind;
  unsigned bytes, banks, groups;
  uint64_t lanes[8];
};

#define L(a, b) (~(uint64_t)0 >> (63 - (b)) & ~(uint64_t)0 << (a))
#define WHOLE L(0, 63)
#define HALVES L(0, 31), L(32, 63)
#define QUARTERS L(0, 15), L(16, 31), L(32, 47), L(48, 63)
#define EIGHTHS                                                               \
  L(0, 7), L(8, 15), L(16, 23), L(24, 31), L(32, 39), L(40, 47), L(48, 55),   \
      L(56, 63)
#define MIXED                                                                 \
  L(0, 3) | L(20, 23), L(4, 7) | L(16, 19), L(8, 11) | L(28, 31),             \
      L(12, 15) | L(24, 27)
#define MIXED_HIGH                                                            \
  L(32, 35) | L(52, 55), L(36, 39) | L(48, 51), L(40, 43) | L(60, 63),        \
      L(44, 47) | L(56, 59)

static const struct row rows[] = {
  {"gfx906", LDS_READ, 4, 32, 2, {HALVES}},
  {"gfx906", LDS_READ, 8, 32, 4, {QUARTERS}},
  {"gfx906", LDS_READ, 12, 32, 8, {MIXED, MIXED_HIGH}},
  {"gfx906", LDS_READ, 16, 32, 8, {MIXED, MIXED_HIGH}},
  {"gfx906", LDS_WRITE, 4, 32, 2, {HALVES}},
  {"gfx906", LDS_WRITE, 8, 32, 4, {QUARTERS}},
  {"gfx906", LDS_WRITE, 12, 32, 8, {EIGHTHS}},
  {"gfx906", LDS_WRITE, 16, 32, 8, {EIGHTHS}},
  {"gfx906", LDS_ATOMIC, 4, 32, 2, {HALVES}},
  {"gfx906", LDS_ATOMIC, 8, 32, 4, {QUARTERS}},
  {"gfx942", LDS_READ, 1, 32, 2, {HALVES}},
  {"gfx942", LDS_READ, 2, 32, 2, {HALVES}},
  {"gfx942", LDS_READ, 4, 32, 2, {HALVES}},
  {"gfx942", LDS_READ, 8, 32, 4, {QUARTERS}},
  {"gfx942", LDS_READ, 16, 32, 8, {MIXED, MIXED_HIGH}},
  {"gfx942", LDS_WRITE, 16, 32, 8, {EIGHTHS}},
  {"gfx950", LDS_READ, 4, 64, 1, {WHOLE}},
  {"gfx950", LDS_READ, 8, 64, 2, {HALVES}},
  {"gfx950", LDS_READ, 12, 32, 8, {MIXED, MIXED_HIGH}},
  { "gfx950", LDS_READ, 16, 64, 4,
    { L(0, 3) | L(12, 15) | L(20, 27), L(4, 11) | L(16, 19) | L(28, 31),
      L(32, 35) | L(44, 47) | L(52, 59), L(36, 43) | L(48, 51) | L(60, 63) } },
  {"gfx950", LDS_WRITE, 8, 32, 4, {QUARTERS}},
  {"gfx950", LDS_WRITE, 16, 32, 8, {EIGHTHS}},
  {"gfx1100", LDS_READ, 4, 32, 1, {L(0, 31)}},
  {"gfx1100", LDS_READ, 8, 32, 2, {L(0, 15), L(16, 31)}},
  {"gfx1100", LDS_READ, 16, 32, 4, {MIXED}},
  {"gfx1201", LDS_READ, 4, 32, 1, {L(0, 31)}},
  {"gfx1201", LDS_READ, 8, 32, 2, {L(0, 15), L(16, 31)}},
  { "gfx1201", LDS_READ, 16, 32, 4,
    {L(0, 7), L(8, 15), L(16, 23), L(24, 31)} },
};

/* Different dwords (atomics: all) that the group wants from a bank. */
static unsigned wanted(const struct row *r, uint64_t lanes,
                       const uint64_t *addr, unsigned bank)
{
  uint64_t seen[LDS_LANES * 4];
  unsigned n = 0;
  for (unsigned l = 0; l < LDS_LANES; l++) {
    if (!(lanes >> l & 1))
      continue;
    for (uint64_t at = addr[l] & ~(uint64_t)3; at < addr[l] + r->bytes;
         at += 4) {
      unsigned k = 0;
      while (k < n && (seen[k] != at || r->kind == LDS_ATOMIC))
        k++;
      if (at / 4 % r->banks == bank && k == n)
        seen[n++] = at;
    }
  }
  return n;
}

static unsigned by_definition(const struct row *r, uint64_t lanes,
                              const uint64_t *addr, unsigned *phases)
{
  unsigned cycles = 0;
  *phases = 0;
  for (unsigned g = 0; g < r->groups; g++) {
    unsigned worst = 0;
    for (unsigned bank = 0; bank < r->banks; bank++) {
      unsigned n = wanted(r, lanes & r->lanes[g], addr, bank);
      worst = n > worst ? n : worst;
    }
    cycles += worst;
    *phases += worst > 0;
  }
  return cycles;
}

static void fill(struct rng *r, unsigned round, unsigned bytes, uint64_t *addr)
{
  static const unsigned span[] = {64, 512, 4096, 65536 - 32};
  unsigned stride = (unsigned)rng_below(r, 600), turn = rng_below(r, 64);
  for (unsigned l = 0; l < LDS_LANES; l++) {
    addr[l] = round & 1 ? rng_below(r, span[round / 2 % 4])
                        : (l ^ turn) * stride % 60000;
    if (round & 8) /* aligned, or aligned alike */
      addr[l] = addr[l] / bytes * bytes + (round & 16 ? turn : 0);
  }
}

static void check_row(const struct row *row, struct rng *r)
{
  const struct lds_layout *y = lds_layout_find(row->arch);
  assert_non_null(y);
  for (unsigned round = 0; round < 384; round++) {
    uint64_t addr[LDS_LANES];
    uint64_t lanes = lds_wave(y) & (round % 3 ? ALL : rng_next(r));
    unsigned phases, expected_phases;
    fill(r, round, row->bytes, addr);
    unsigned expected = by_definition(row, lanes, addr, &expected_phases);
    assert_int_equal(
        lds_cycles(y, row->kind, row->bytes, lanes, addr, &phases), expected);
    assert_int_equal(phases, expected_phases);
  }
}

static void test_definition(void **state)
{
  struct rng r;
  (void)state;
  rng_seed(&r, 7);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
    check_row(&rows[k], &r);
}

/* Every layout is whole (each lane in one group, a source for each width),
 * and says what the arch table says. */
static void test_table(void **state)
{
  const struct lds_layout *y;
  (void)state;
  for (size_t i = 0; (y = lds_layout_at(i)); i++) {
    unsigned most = 0;
    for (unsigned k = 0; k < 8; k++) {
      const struct lds_phases *p = k < 4 ? &y->read[k + 1] : &y->write[k - 3];
      uint64_t lanes = 0;
      for (unsigned l = 0; l < y->wave; l++)
        lanes |= (uint64_t)1 << p->order[l];
      assert_true(lanes == lds_wave(y));
      assert_int_equal(y->wave % p->phases, 0);
      assert_non_null(p->source);
      most = p->banks > most ? p->banks : most;
    }
    const struct arch *a = arch_find(y->arch);
    if (!a)
      continue;
    assert_int_equal(arch_fact(a, "wave"), y->wave);
    assert_int_equal(arch_fact(a, "lds_banks"), most);
  }
  assert_ptr_equal(lds_layout_find("gfx906"), &lds_layout_gfx906);
  assert_null(lds_layout_find("gfx1250"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_measured_strides),
    cmocka_unit_test(test_padded_column),
    cmocka_unit_test(test_broadcast),
    cmocka_unit_test(test_inactive_lanes),
    cmocka_unit_test(test_definition),
    cmocka_unit_test(test_table),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
