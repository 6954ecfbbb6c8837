/* FLAT, GLOBAL and SCRATCH, from the definitions in AMD's ISA document. */
// SPDX-License-Identifier: MIT
#include <stdio.h>

#include "tests/sim/memory_test.h"

enum {BYTES = 8192, OLD = 0x11223344, PRIVATE = 64};

static const struct bench_width loads[] = {
  {0x10, 1, 0, 0}, {0x11, 1, 1, 0}, {0x12, 2, 0, 0}, {0x13, 2, 1, 0},
  {0x14, 4, 0, 0}, {0x15, 8, 0, 0}, {0x16, 12, 0, 0},
  {0x17, 16, 0, 0}, {0x20, 1, 0, 1}, {0x21, 1, 0, 2},
  {0x22, 1, 1, 1}, {0x23, 1, 1, 2}, {0x24, 2, 0, 1}, {0x25, 2, 0, 2},
};
static const struct bench_width stores[] = {
  {0x18, 1, 0, 0}, {0x19, 1, 0, 2}, {0x1a, 2, 0, 0}, {0x1b, 2, 0, 2},
  {0x1c, 4, 0, 0}, {0x1d, 8, 0, 0}, {0x1e, 12, 0, 0},
  {0x1f, 16, 0, 0},
};

static const uint64_t masks[] = {~(uint64_t)0, 0x8421fedc00ff1248};

static uint8_t byte_stored(const struct wave *w, const struct bench_width *y,
                           unsigned l, unsigned n)
{
  return (uint8_t)(w->v[8 + n / 4][l] >>
                   (n % 4 * 8 + (y->half == 2 ? 16 : 0)));
}

static void set_data(struct wave *w)
{
  for (unsigned l = 0; l < LANES; l++)
    for (unsigned d = 0; d < 4; d++) {
      w->v[8 + d][l] = 0x9e3779b9 * (4 * l + d + 1);
      w->v[24 + d][l] = OLD + d + l;
    }
}

static void check_loaded(const struct wave *w, const struct bench_width *y,
                         unsigned l, const uint8_t *at)
{
  for (unsigned d = 0; d < (y->bytes + 3) / 4; d++) {
    uint32_t old = OLD + d + l;
    int active = WAVE_EXEC(w) >> l & 1;
    assert_int_equal(w->v[24 + d][l],
                     active ? bench_loaded(y, at, d) : old);
  }
}

static void test_loads(void **state)
{
  struct bench *b = *state;
  struct wave *w = &b->wave;
  uint8_t *p = arena_alloc(b->arena, BYTES);
  bench_fill(p, BYTES);
  for (unsigned k = 0; k < sizeof loads / sizeof *loads; k++)
    for (unsigned m = 0; m < 2; m++)
      for (unsigned format = FLAT; format <= GLOBAL; format++) {
        struct inst i = bench_inst(format, loads[k].op);
        i.imm = format == FLAT ? 2047 : -64;
        WAVE_EXEC(w) = masks[m];
        set_data(w);
        for (unsigned l = 0; l < LANES; l++)
          bench_address(b, l, (uintptr_t)p + 64 + 37 * l);
        bench_ok(b, &i);
        for (unsigned l = 0; l < LANES; l++)
          check_loaded(w, &loads[k], l, p + 64 + 37 * l + i.imm);
      }
}

static void test_stores(void **state)
{
  struct bench *b = *state;
  struct wave *w = &b->wave;
  uint8_t *p = arena_alloc(b->arena, BYTES), expected[BYTES];
  for (unsigned k = 0; k < sizeof stores / sizeof *stores; k++)
    for (unsigned m = 0; m < 2; m++) {
      struct inst i = bench_inst(GLOBAL, stores[k].op);
      WAVE_EXEC(w) = masks[m];
      set_data(w);
      bench_fill(p, BYTES);
      memcpy(expected, p, BYTES);
      for (unsigned l = 0; l < LANES; l++) {
        bench_address(b, l, (uintptr_t)p + 37 * l);
        for (unsigned n = 0; n < stores[k].bytes; n++)
          if (WAVE_EXEC(w) >> l & 1)
            expected[37 * l + n] = byte_stored(w, &stores[k], l, n);
      }
      bench_ok(b, &i);
      assert_memory_equal(p, expected, BYTES);
      assert_true(w->access.store && !w->access.lds);
      assert_int_equal(w->access.bytes, stores[k].bytes);
    }
}

/* An SGPR pair, a VGPR without sign, a signed offset. */
static void test_scalar_base(void **state)
{
  struct bench *b = *state;
  struct wave *w = &b->wave;
  uint8_t *p = arena_alloc(b->arena, BYTES);
  struct inst i = bench_inst(GLOBAL, 0x14);
  uint64_t base = (uintptr_t)p - 0xfffff000;
  bench_fill(p, BYTES);
  i.flags = INST_SADDR;
  i.src[2] = 6;
  w->s[6] = (uint32_t)base;
  w->s[7] = (uint32_t)(base >> 32);
  for (unsigned l = 0; l < LANES; l++) /* the sum of base and v0 has 64 bits */
    w->v[0][l] = l < 32 ? 0xfffff000 + 4 * l : 0xffffffff - 4 * l;
  i.imm = 8;
  bench_ok(b, &i);
  for (unsigned l = 0; l < LANES; l++)
    assert_int_equal(
        w->v[24][l],
        bench_dword(p + 8 + (l < 32 ? 4 * l : 0xfff - 4 * l), 4, 0));
}

static void test_faults(void **state)
{
  struct bench *b = *state;
  struct wave *w = &b->wave;
  uint8_t *p = arena_alloc(b->arena, 1024), *q = arena_alloc(b->arena, 1024);
  struct inst load = bench_inst(GLOBAL, 0x17), store = bench_inst(FLAT, 0x1f);
  struct inst add = bench_inst(GLOBAL, 0x42);
  char text[64];
  for (unsigned l = 0; l < LANES; l++) /* two allocations are no fault */
    bench_address(b, l, (uintptr_t)(l & 1 ? p : q) + 16 * l);
  bench_ok(b, &load);
  set_data(w);
  bench_address(b, 63, (uintptr_t)p + 1024 - 15); /* one byte too far */
  bench_do(b, &load);
  assert_int_equal(w->v[24][0], OLD);
  bench_faulted(b, "lane 63");
  bench_do(b, &store);
  bench_faulted(b, "store to");
  snprintf(text, sizeof text, "0x%llx",
           (unsigned long long)(uintptr_t)p + 1009);
  bench_do(b, &store);
  bench_faulted(b, text);
  for (unsigned n = 0; n < 1024; n++)
    assert_int_equal(p[n], 0);
  WAVE_EXEC(w) = ~(uint64_t)0 >> 1; /* the lane is off */
  bench_ok(b, &load);
  for (unsigned l = 0; l < LANES; l++)
    bench_address(b, l, 0);
  bench_do(b, &load);
  bench_faulted(b, "lane 0: load from 0x0 ");
  bench_address(b, 0, ~(uint64_t)0 - 3);
  bench_do(b, &load);
  bench_faulted(b, "0xfffffffffffffffc");
  WAVE_EXEC(w) = 1;
  bench_address(b, 0, (uintptr_t)p + 2);
  bench_do(b, &add);
  bench_faulted(b, "multiple of 4");
  WAVE_EXEC(w) = 0;
  bench_ok(b, &load);
  arena_free(b->arena, p);
  WAVE_EXEC(w) = 1;
  bench_do(b, &load);
  bench_faulted(b, "outside every allocation");
}

/* op, bytes, memory before, data, what is compared, memory after. */
static const struct {
  unsigned op, bytes;
  uint64_t old, data, compare, result;
} atomics[] = {
  {0x40, 4, 5, 7, 0, 7},                   /* swap */
  {0x41, 4, 5, 7, 5, 7},                   /* cmpswap */
  {0x41, 4, 5, 7, 6, 5},
  {0x42, 4, 0xffffffff, 3, 0, 2},          /* add */
  {0x43, 4, 2, 3, 0, 0xffffffff},          /* sub */
  {0x44, 4, 2, 0x80000000, 0, 0x80000000}, /* smin */
  {0x45, 4, 2, 0x80000000, 0, 2},          /* umin */
  {0x46, 4, 2, 0x80000000, 0, 2},          /* smax */
  {0x47, 4, 2, 0x80000000, 0, 0x80000000}, /* umax */
  {0x48, 4, 6, 3, 0, 2},                   /* and */
  {0x49, 4, 6, 3, 0, 7},                   /* or */
  {0x4a, 4, 6, 3, 0, 5},                   /* xor */
  {0x4b, 4, 3, 3, 0, 0},                   /* inc */
  {0x4c, 4, 0, 3, 0, 3},                   /* dec */
  {0x60, 8, 5, 7ull << 40, 0, 7ull << 40}, /* swap_x2 */
  {0x61, 8, 5ull << 40, 7, 5ull << 40, 7}, /* cmpswap_x2 */
  {0x62, 8, 0xffffffff, 1, 0, 1ull << 32}, /* add_x2 */
  {0x63, 8, 1ull << 32, 1, 0, 0xffffffff}, /* sub_x2 */
  {0x64, 8, 2, 1ull << 63, 0, 1ull << 63}, /* smin_x2 */
  {0x65, 8, 2, 1ull << 63, 0, 2},          /* umin_x2 */
  {0x66, 8, 2, 1ull << 63, 0, 2},          /* smax_x2 */
  {0x67, 8, 2, 1ull << 63, 0, 1ull << 63}, /* umax_x2 */
  {0x68, 8, 6ull << 32, 3ull << 32, 0, 2ull << 32},
  {0x69, 8, 6ull << 32, 3ull << 32, 0, 7ull << 32},
  {0x6a, 8, 6ull << 32, 3ull << 32, 0, 5ull << 32},
  {0x6b, 8, 3ull << 32, 3ull << 32, 0, 0},
  {0x6c, 8, 0, 3ull << 32, 0, 3ull << 32},
};

static void atomic_once(struct bench *b, uint64_t *p, unsigned k, int glc)
{
  struct wave *w = &b->wave;
  struct inst i = bench_inst(k & 1 ? GLOBAL : FLAT, atomics[k].op);
  unsigned n = atomics[k].bytes / 4, l = 40;
  uint64_t after = 0;
  i.flags = glc ? INST_GLC : 0;
  WAVE_EXEC(w) = (uint64_t)1 << l;
  bench_address(b, l, (uintptr_t)p);
  *p = atomics[k].old;
  for (unsigned d = 0; d < n; d++) {
    w->v[8 + d][l] = (uint32_t)(atomics[k].data >> 32 * d);
    w->v[8 + n + d][l] = (uint32_t)(atomics[k].compare >> 32 * d);
  }
  w->v[24][l] = w->v[25][l] = 0;
  bench_ok(b, &i);
  memcpy(&after, p, atomics[k].bytes);
  assert_int_equal(after, atomics[k].result);
  assert_int_equal(w->v[24][l] | (uint64_t)w->v[25][l] << 32,
                   glc ? atomics[k].old : 0);
  assert_int_equal(w->access.load, glc);
}

static void test_atomics(void **state)
{
  struct bench *b = *state;
  uint64_t *p = arena_alloc(b->arena, 8);
  for (unsigned k = 0; k < sizeof atomics / sizeof *atomics; k++)
    for (int glc = 0; glc < 2; glc++)
      atomic_once(b, p, k, glc);
}

/* Dword d of lane l of private memory. */
static uint32_t *private_dword(struct bench *b, unsigned l, unsigned d)
{
  return (uint32_t *)b->wave.scratch + d * LANES + l;
}

/* Private memory by any means: SCRATCH with VGPR or SGPR, or FLAT. */
static struct inst private_inst(struct bench *b, unsigned how, unsigned op,
                                uint32_t offset)
{
  struct inst i = bench_inst(how == 2 ? FLAT : SCRATCH, op);
  b->wave.s[9] = offset;
  i.flags = how == 1 ? INST_SADDR : INST_VADDR;
  i.src[2] = 9;
  for (unsigned l = 0; l < LANES; l++)
    bench_address(b, l, how == 2 ? APERTURE_PRIVATE + offset : offset);
  return i;
}

static void test_private(void **state)
{
  struct bench *b = *state;
  struct wave *w = &b->wave;
  bench_private(b, PRIVATE);
  for (unsigned k = 0; k < sizeof stores / sizeof *stores; k++)
    for (unsigned how = 0; how < 3; how++)
      for (uint32_t at = 4; at < 10; at++) {
        uint8_t expected[PRIVATE], whole[PRIVATE];
        memset((void *)w->scratch, 0xee, PRIVATE * LANES);
        struct inst i = private_inst(b, how, stores[k].op, at);
        set_data(w);
        bench_ok(b, &i);
        for (unsigned l = 0; l < LANES; l++) {
          memset(expected, 0xee, PRIVATE);
          for (unsigned n = 0; n < stores[k].bytes; n++)
            expected[at + n] = byte_stored(w, &stores[k], l, n);
          for (unsigned d = 0; d < PRIVATE / 4; d++)
            memcpy(whole + 4 * d, private_dword(b, l, d), 4);
          assert_memory_equal(whole, expected, PRIVATE);
        }
      }
  for (unsigned k = 0; k < sizeof loads / sizeof *loads; k++)
    for (unsigned how = 0; how < 3; how++)
      for (uint32_t at = 4; at < 10; at++) {
        uint8_t whole[PRIVATE];
        bench_fill((uint8_t *)w->scratch, PRIVATE * LANES);
        struct inst i = private_inst(b, how, loads[k].op, at);
        set_data(w);
        bench_ok(b, &i);
        for (unsigned l = 0; l < LANES; l++) {
          for (unsigned d = 0; d < PRIVATE / 4; d++)
            memcpy(whole + 4 * d, private_dword(b, l, d), 4);
          check_loaded(w, &loads[k], l, whole + at);
        }
      }
}

static void test_private_faults(void **state)
{
  struct bench *b = *state;
  struct wave *w = &b->wave;
  struct inst load = bench_inst(SCRATCH, 0x15);
  load.flags = INST_VADDR;
  bench_do(b, &load); /* the kernel has no private memory */
  bench_faulted(b, "outside its 0 bytes");
  bench_private(b, PRIVATE);
  w->v[0][3] = PRIVATE - 8;
  bench_ok(b, &load);
  w->v[0][3]++;
  bench_do(b, &load);
  bench_faulted(b, "lane 3: private address 0x39");
  w->v[0][3] = 4;
  load.imm = -8;
  bench_do(b, &load);
  bench_faulted(b, "lane 0: private address 0xfffffff8");
}

/* One FLAT instruction, three kinds of memory. */
static void test_mixed(void **state)
{
  struct bench *b = *state;
  struct wave *w = &b->wave;
  uint8_t *p = arena_alloc(b->arena, BYTES);
  struct inst load = bench_inst(FLAT, 0x14), store = bench_inst(FLAT, 0x1c);
  bench_private(b, PRIVATE);
  for (unsigned l = 0; l < LANES; l++) {
    bench_address(b, l,
                  l % 3 == 0   ? (uintptr_t)p + 4 * l
                  : l % 3 == 1 ? APERTURE_SHARED + 4 * l
                               : APERTURE_PRIVATE + 8);
    w->v[8][l] = 77 * l;
  }
  bench_ok(b, &store);
  assert_int_equal(bench_dword(p + 4 * 33, 4, 0), 77 * 33);
  assert_int_equal(bench_dword(b->group.lds + 4 * 34, 4, 0), 77 * 34);
  assert_int_equal(*private_dword(b, 35, 2), 77 * 35);
  bench_ok(b, &load);
  assert_memory_equal(w->v[24], w->v[8], sizeof w->v[8]);
  assert_false(w->access.lds);
  WAVE_EXEC(w) = (uint64_t)1 << 1 | (uint64_t)1 << 34;
  bench_ok(b, &load);
  assert_true(w->access.lds);
  assert_int_equal(w->access.addr[0][34], 4 * 34);
  bench_address(b, 34, APERTURE_SHARED + LDS_BYTES);
  bench_do(b, &load);
  bench_faulted(b, "lane 34: LDS address 0x1000");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    BENCH_TEST(test_loads),   BENCH_TEST(test_stores),
    BENCH_TEST(test_scalar_base), BENCH_TEST(test_faults),
    BENCH_TEST(test_atomics), BENCH_TEST(test_private),
    BENCH_TEST(test_private_faults), BENCH_TEST(test_mixed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
