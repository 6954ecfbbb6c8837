/* vmem.c - the vector memory path: lines, rates, latencies. */
// SPDX-License-Identifier: MIT
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "runtimes/sim/timing/card.h"
#include "runtimes/sim/timing/model.h"
#include "runtimes/sim/timing/vmem.h"

/* All lanes, lane l at base + l * stride. */
static struct access pattern(unsigned bytes, uint64_t base, uint64_t stride)
{
  struct access a = {.lanes = ~(uint64_t)0, .bytes = (uint8_t)bytes, .n = 1,
                     .load = 1};
  for (unsigned l = 0; l < LANES; l++)
    a.addr[0][l] = base + l * stride;
  return a;
}

static unsigned lines(const struct access *a)
{
  uint64_t out[VMEM_LINES];
  return vmem_lines(a, 64, out);
}

/* A contiguous wave reads its bytes once: 64 lanes of n bytes are n lines. */
static void contiguous(void **state)
{
  (void)state;
  static const unsigned bytes[] = {4, 8, 16};
  for (unsigned i = 0; i < 3; i++) {
    struct access a = pattern(bytes[i], 0x10000, bytes[i]);
    assert_int_equal(lines(&a), bytes[i]);
  }
}

static void scattered(void **state)
{
  (void)state;
  struct access a = pattern(4, 0x10000, 64); /* a line a lane */
  assert_int_equal(lines(&a), 64);
  a = pattern(4, 0x10000, 0); /* one address: once a cycle of 16 lanes */
  assert_int_equal(lines(&a), 4);
  a = pattern(16, 0x10000 + 56, 64); /* each lane over two lines */
  assert_int_equal(lines(&a), 128 - 3 * 16); /* shared within four lanes */
  a = pattern(4, 0x10000, 4);
  a.lanes = 1;
  assert_int_equal(lines(&a), 1);
  a.lanes = 0;
  assert_int_equal(lines(&a), 0);
}

static const struct price load4 = {.busy = 16, .held = 4};
static const struct price load1 = {.busy = 8, .held = 4};
static const struct miss_rate from_hbm = {.miss = 1, .late = 1, .known = 1};
static const struct miss_rate found_in_l2 = {.known = 1};

/* Cycles for `n` waves' loads of 1 KiB each, `step` bytes apart. */
static double stream(struct vmem *v, struct miss_rate s, unsigned n,
                     uint64_t step)
{
  double done = 0, t = 0;
  for (unsigned i = 0; i < n; i++) {
    struct access a = pattern(16, 0x100000 + i * step, 16);
    t = vmem_ready(v) > t ? vmem_ready(v) : t;
    done = vmem_take(v, t, 0, &a, &load4, s);
  }
  return done;
}

static void hbm_rate_is_shared_by_the_cus(void **state)
{
  (void)state;
  const struct card *c = card_find("mi50");
  struct totals y = {0};
  struct vmem v;
  vmem_init(&v, c, c->cus, &y);
  enum {N = 4000};
  double cycles = stream(&v, from_hbm, N, 1024);
  double gbs = N * 1024.0 * c->cus / cycles * c->clock_mhz / 1e3;
  assert_true(gbs > 0.97 * c->hbm_read_gbs && gbs <= c->hbm_read_gbs);
  assert_true(y.l1_misses == N * 16 && y.l2_misses == N * 16);
  vmem_free(&v);
}

/* The part of the lines that HBM reads, where each load of 1024 bytes begins `step` bytes
 * after the one before: 512, and each line is asked for twice. */
static double read_by_hbm(struct miss_rate s, unsigned step)
{
  enum {N = 2000, LINE = 64};
  struct totals y = {0};
  struct vmem v;
  vmem_init(&v, card_find("mi50"), 60, &y);
  stream(&v, s, N, step);
  vmem_free(&v);
  return y.l2_misses * LINE / N / step;
}

/* Where the waves did not share lines in the L1 when the rates were counted, each line
 * was found in the L2 by all but the first. */
static void a_line_is_found_in_one_cache(void **state)
{
  (void)state;
  struct miss_rate apart = {.miss = 0.5, .late = 1, .missed_l1 = 1, .known = 1};
  struct miss_rate together = {.miss = 1, .late = 1, .missed_l1 = 0.5, .known = 1};
  struct miss_rate replayed = {.miss = 0.5, .late = 1, .known = 1};
  assert_float_equal(read_by_hbm(apart, 512), 1, 0.001);
  assert_float_equal(read_by_hbm(apart, 1024), 0.5, 0.001);
  assert_float_equal(read_by_hbm(together, 512), 1, 0.001);
  assert_float_equal(read_by_hbm(replayed, 512), 0.5, 0.001);
}

/* Bytes a clock that the whole card gets of lines in the L2: 16 bytes of each
 * lane, `stride` apart. */
static double from_l2(uint64_t stride)
{
  const struct card *c = card_find("mi50");
  struct totals y = {0};
  struct vmem v;
  vmem_init(&v, c, c->cus, &y);
  enum {N = 1000};
  double t = 0;
  for (unsigned i = 0; i < N; i++) {
    struct access a = pattern(16, 0x100000 + i * LANES * 1024, stride);
    t = vmem_ready(&v) > t ? vmem_ready(&v) : t;
    (void)vmem_take(&v, t, 0, &a, &load4, found_in_l2);
  }
  double lines = y.l1_misses;
  vmem_free(&v);
  return lines * c->line * c->cus / v.l2;
}

/* 57 bytes of each of 16 channels as on an MI100, 32 where the lines of a load
 * are on a few of them, as on a Vega 20. */
static void rows_slow_the_l2(void **state)
{
  (void)state;
  assert_in_range(from_l2(64), 16 * 57 * 96 / 100, 16 * 57);
  assert_in_range(from_l2(4096), 16 * 32 * 96 / 100, 16 * 32);
  assert_in_range(from_l2(512), 16 * 32 * 96 / 100, 16 * 32);
}

/* After a pause lines come as fast as the port goes, one a cycle; but no more
 * than the CU's share of the pause and of the time that they take. */
static void a_burst_after_a_pause(void **state)
{
  (void)state;
  const struct card *c = card_find("mi50");
  struct totals y = {0};
  struct vmem v;
  vmem_init(&v, c, c->cus, &y);
  assert_true(v.load_line > 4); /* 64 bytes of 907 / 60 a cycle */
  double pause = 10 * c->l2_burst;
  struct access a = pattern(16, 0x100000, 16);
  double done = vmem_take(&v, pause, 0, &a, &load4, found_in_l2);
  assert_true(done == pause + 15 + c->l2_latency + 1024 / c->l1_rate);
  for (unsigned i = 1; i < 100; i++) {
    a = pattern(16, 0x100000 + i * 1024, 16);
    done = vmem_take(&v, pause, 0, &a, &load4, found_in_l2);
  }
  double share = 1600 * v.load_line, latency = c->l2_latency + 16;
  assert_true(done - pause > share - c->l2_burst + latency - v.load_line);
  assert_true(done - pause < share + latency);
  vmem_free(&v);
}

static void l1_hits_run_at_64_bytes_a_clock(void **state)
{
  (void)state;
  const struct card *c = card_find("mi50");
  struct totals y = {0};
  struct vmem v;
  vmem_init(&v, c, c->cus, &y);
  enum {N = 2000};
  stream(&v, from_hbm, 8, 1024); /* 8 KiB: stays */
  double before = v.address;
  for (unsigned i = 0; i < N / 8; i++)
    stream(&v, from_hbm, 8, 1024);
  assert_true((v.address - before) / N == 16); /* 1024 bytes in 16 cycles */
  assert_true(y.l1_misses == 8 * 16);
  vmem_free(&v);
}

static void latencies(void **state)
{
  (void)state;
  const struct card *c = card_find("mi50");
  struct totals y = {0};
  struct vmem v;
  vmem_init(&v, c, 1, &y);
  struct access a = pattern(4, 0x100000, 0);
  a.lanes = 1;
  double back = 4 / c->l1_rate;
  double t = 0, done = vmem_take(&v, t, 0, &a, &load1, from_hbm);
  assert_true(done - t == c->hbm_latency + back);
  t = 10000;
  done = vmem_take(&v, t, 0, &a, &load1, from_hbm);
  assert_true(done - t == c->l1_latency + back);
  a.addr[0][0] += 4096;
  t = 20000;
  done = vmem_take(&v, t, 0, &a, &load1, found_in_l2);
  assert_true(done - t == c->l2_latency + back);
  vmem_free(&v);
}

/* A miss on a line that is under way waits for it, not for a new one. */
static void misses_on_one_line_merge(void **state)
{
  (void)state;
  const struct card *c = card_find("mi50");
  struct totals y = {0};
  struct vmem v;
  vmem_init(&v, c, 1, &y);
  struct access a = pattern(4, 0x100000, 4);
  double first = vmem_take(&v, 0, 0, &a, &load1, from_hbm);
  double second = vmem_take(&v, 300, 0, &a, &load1, from_hbm);
  assert_true(second - first < 10 && second > first);
  assert_true(y.l1_misses == 4);
  vmem_free(&v);
}

/* A group that asks again for what is under way does not ask the L2 again; another
 * group does, until it is there. */
static void groups_wait_for_their_own(void **state)
{
  (void)state;
  struct totals totals = {0};
  struct vmem v;
  vmem_init(&v, card_find("mi50"), 60, &totals);
  struct access a = pattern(4, 0x100000, 16384);
  a.lanes = 0xff; /* eight lines */
  double first = vmem_take(&v, 0, 0, &a, &load1, from_hbm);
  assert_int_equal((int)totals.l1_misses, 8);
  (void)vmem_take(&v, 10, 0, &a, &load1, from_hbm);
  assert_int_equal((int)totals.l1_misses, 8);
  (void)vmem_take(&v, 20, 1, &a, &load1, from_hbm);
  assert_int_equal((int)totals.l1_misses, 16);
  (void)vmem_take(&v, first + 1, 2, &a, &load1, from_hbm);
  assert_int_equal((int)totals.l1_misses, 16);
  vmem_free(&v);
}

/* Cycles of the address unit for dwords of neighbouring lanes. */
static double address_cycles(unsigned bytes, uint64_t base, uint64_t stride,
                             uint64_t lanes)
{
  struct totals totals = {0};
  struct vmem v;
  vmem_init(&v, card_find("mi50"), 60, &totals);
  struct access a = pattern(bytes, base, stride);
  a.lanes = lanes;
  (void)vmem_take(&v, 0, 0, &a, &load1, from_hbm);
  vmem_free(&v);
  return totals.address_busy;
}

/* Dwords of neighbours are fast, others take 16 cycles (a Radeon VII by
 * sebbbi/perftest), or one for each four lanes that are on, or one for each line. */
static void scattered_dwords_go_by_four_lanes(void **state)
{
  (void)state;
  const uint64_t all = ~(uint64_t)0;
  assert_true(address_cycles(4, 0x10000, 4, all) == load1.busy);
  assert_true(address_cycles(4, 0x10000, 0, all) == load1.busy);
  assert_true(address_cycles(4, 0x10000, 8, all) == 16);
  assert_true(address_cycles(1, 0x10000, 8, all) == 16);
  assert_true(address_cycles(4, 0x10000, 8, all >> 16) == 12);
  assert_true(address_cycles(4, 0x10000, 64, all) == 64);
  assert_true(address_cycles(4, 0x10000, 4096, 3) == load1.busy);
}

/* A dword at 2 modulo 4 lies in two, as those of blocks of 34 bytes do: twice
 * the time. Lanes that are off, and halves, do not count. */
static void unaligned_dwords_take_twice(void **state)
{
  (void)state;
  const uint64_t all = ~(uint64_t)0;
  assert_true(address_cycles(4, 0x10002, 4, all) == 2 * 16);
  assert_true(address_cycles(4, 0x10002, 4, 1) == 2 * load1.busy);
  assert_true(address_cycles(4, 0x10000, 34, all) ==
              2 * address_cycles(4, 0x10000, 36, all));
  assert_true(address_cycles(4, 0x10000, 34, 1) == load1.busy);
  assert_true(address_cycles(2, 0x10002, 2, 0xffff) == load1.busy);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contiguous),
      cmocka_unit_test(scattered),
      cmocka_unit_test(hbm_rate_is_shared_by_the_cus),
      cmocka_unit_test(a_line_is_found_in_one_cache),
      cmocka_unit_test(rows_slow_the_l2),
      cmocka_unit_test(a_burst_after_a_pause),
      cmocka_unit_test(l1_hits_run_at_64_bytes_a_clock),
      cmocka_unit_test(latencies),
      cmocka_unit_test(misses_on_one_line_merge),
      cmocka_unit_test(groups_wait_for_their_own),
      cmocka_unit_test(scattered_dwords_go_by_four_lanes),
      cmocka_unit_test(unaligned_dwords_take_twice),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
