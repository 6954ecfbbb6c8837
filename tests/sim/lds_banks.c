/* LDS phases and conflicts, against published measurements and against the
 * definition written out. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/rng.h"
#include "runtimes/sim/lds_banks.h"
#include "runtimes/sim/model.h"

#define ALL (~(uint64_t)0)

static const struct lds_layout *const layout = &lds_layout_gfx9;

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
  } rows[] = { { 1, 2 }, { 2, 2 }, { 4, 2 }, { 8, 4 }, { 12, 8 }, { 16, 8 } };
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
  uint64_t addr[LDS_LANES] = { 0 };
  unsigned phases;
  (void)state;
  assert_int_equal(lds_cycles(layout, LDS_READ, 16, 0, addr, &phases), 0);
  assert_int_equal(phases, 0);
  assert_int_equal(lds_cycles(layout, LDS_READ, 4, 1, addr, &phases), 1);
  assert_int_equal(phases, 1);
  assert_int_equal(lds_cycles(layout, LDS_READ, 16, 0xff, addr, &phases), 2);
  assert_int_equal(phases, 2);
}

/* Wide reads: {0-3, 20-23} {4-7, 16-19} {8-11, 28-31} {12-15, 24-27} and the
 * same 32 lanes on, as measured on MI300X; the others by counting. */
static unsigned group_of(enum lds_kind kind, unsigned bytes, unsigned l)
{
  static const unsigned of_four[16] = { 0, 1, 2, 3, 1, 0, 3, 2,
                                        4, 5, 6, 7, 5, 4, 7, 6 };
  if (bytes <= 4)
    return l / 32;
  if (bytes == 8)
    return l / 16;
  return kind == LDS_READ ? of_four[l / 4] : l / 8;
}

/* Different dwords (atomics: all) that the group wants from a bank. */
static unsigned wanted(enum lds_kind kind, unsigned bytes, uint64_t lanes,
                       const uint64_t *addr, unsigned group, unsigned bank)
{
  uint64_t seen[LDS_LANES * 4];
  unsigned n = 0;
  for (unsigned l = 0; l < LDS_LANES; l++) {
    if (!(lanes >> l & 1) || group_of(kind, bytes, l) != group)
      continue;
    for (uint64_t at = addr[l] & ~(uint64_t)3; at < addr[l] + bytes; at += 4) {
      unsigned k = 0;
      while (k < n && (seen[k] != at || kind == LDS_ATOMIC))
        k++;
      if (at / 4 % 32 == bank && k == n)
        seen[n++] = at;
    }
  }
  return n;
}

static unsigned by_definition(enum lds_kind kind, unsigned bytes,
                              uint64_t lanes, const uint64_t *addr,
                              unsigned *phases)
{
  unsigned cycles = 0;
  *phases = 0;
  for (unsigned g = 0; g < 8; g++) {
    unsigned worst = 0;
    for (unsigned bank = 0; bank < 32; bank++) {
      unsigned n = wanted(kind, bytes, lanes, addr, g, bank);
      worst = n > worst ? n : worst;
    }
    cycles += worst;
    *phases += worst > 0;
  }
  return cycles;
}

static void fill(struct rng *r, unsigned round, unsigned bytes, uint64_t *addr)
{
  static const unsigned span[] = { 64, 512, 4096, 65536 - 32 };
  unsigned stride = (unsigned)rng_below(r, 600), turn = rng_below(r, 64);
  for (unsigned l = 0; l < LDS_LANES; l++) {
    addr[l] = round & 1 ? rng_below(r, span[round / 2 % 4])
                        : (l ^ turn) * stride % 60000;
    if (round & 8) /* aligned, or aligned alike */
      addr[l] = addr[l] / bytes * bytes + (round & 16 ? turn : 0);
  }
}

static void test_definition(void **state)
{
  static const unsigned widths[] = { 1, 2, 4, 8, 12, 16 };
  struct rng r;
  (void)state;
  rng_seed(&r, 7);
  for (unsigned round = 0; round < 12000; round++) {
    unsigned bytes = widths[round / 32 % 6];
    enum lds_kind kind = (enum lds_kind)(round / 192 % 3);
    uint64_t addr[LDS_LANES], lanes = round % 3 ? ALL : rng_next(&r);
    unsigned phases, expected_phases;
    if (kind == LDS_ATOMIC && bytes != 4 && bytes != 8)
      continue;
    fill(&r, round, bytes, addr);
    unsigned expected = by_definition(kind, bytes, lanes, addr,
                                      &expected_phases);
    assert_int_equal(lds_cycles(layout, kind, bytes, lanes, addr, &phases),
                     expected);
    assert_int_equal(phases, expected_phases);
  }
}

/* Two addresses are two accesses. */
static void test_access(void **state)
{
  struct access a = { .lanes = ALL, .bytes = 8, .n = 2, .load = 1, .lds = 1 };
  (void)state;
  for (unsigned l = 0; l < LDS_LANES; l++) {
    a.addr[0][l] = 8 * l;
    a.addr[1][l] = 128 * l;
  }
  struct lds_cost cost = lds_access_cost(&a);
  assert_int_equal(cost.cycles, 4 + 64);
  assert_int_equal(cost.conflicts, 60);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_measured_strides),
    cmocka_unit_test(test_padded_column),
    cmocka_unit_test(test_broadcast),
    cmocka_unit_test(test_inactive_lanes),
    cmocka_unit_test(test_definition),
    cmocka_unit_test(test_access),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
