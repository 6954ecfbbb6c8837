/* tensor.c - gfx1250's tensor mover, and barriers in LDS.
 *
 * What must lie where follows from the descriptor: a tile of elements, its rows
 * `stride` apart in memory and one behind the other in LDS, 0 where the tensor ends.
 * Fields are put into the descriptor here by the bit numbers of Composable Kernel's
 * amd_tdm_descriptor.hpp; cases are those of rocjitsu's cdna5_tensor_dma_test.cpp.
 */
// SPDX-License-Identifier: MIT
#include "tests/sim/program.h"

enum {LDS_BYTES = 4096, MEMORY = 4096, SENTINEL = 0x5e};

/* Groups of four and eight SGPRs, D0 in s0, D1 in s4, D2 in s12, D3 in s16. */
enum {D0 = 0, D1 = 4, D2 = 12, D3 = 16};

static const uint32_t load_2[] = {0xd0710001, 0x7c000000, 0x7c7c0400};
static const uint32_t load_4[] = {0xd0710001, 0x7c000000, 0x100c0400};
static const uint32_t store_2[] = {0xd0714001, 0x7c000000, 0x7c7c0400};
static const uint32_t store_4[] = {0xd0714001, 0x7c000000, 0x100c0400};

struct machine {
  struct program p;
  struct wave *w;
  uint8_t *memory;
};

static void set(struct machine *m, unsigned group, unsigned bit, unsigned bits,
                uint64_t value)
{
  for (unsigned n = 0; n < bits; n++) {
    uint32_t *at = &m->w->s[group + (bit + n) / 32], one = 1u << (bit + n) % 32;
    *at = value >> n & 1 ? *at | one : *at & ~one;
  }
}

static void open_machine(struct machine *m, const uint32_t *words, size_t n)
{
  program_load_for(&m->p, isa_find("gfx1250"), words, n);
  m->p.dispatch.lds = LDS_BYTES;
  program_start(&m->p, 32);
  m->w = &m->p.group->waves[0];
  m->memory = arena_alloc(m->p.arena, MEMORY);
  for (int k = 0; k < MEMORY; k++)
    m->memory[k] = (uint8_t)(k * 7 + k / 256);
  memset(m->p.group->lds, SENTINEL, LDS_BYTES);
  memset(m->w->s, 0, 20 * sizeof *m->w->s);
  set(m, D0, 0, 2, 1);
  set(m, D0, 64, 57, (uint64_t)(uintptr_t)m->memory);
  set(m, D0, 126, 2, 2);
}

static void close_machine(struct machine *m)
{
  program_close(&m->p);
}

/* A tile of a tensor, both of `x` by `y` by `z` elements of 2^`size` bytes. */
struct box {
  unsigned size, tile[3], tensor[3], stride[2];
};

static void describe(struct machine *m, const struct box *b)
{
  set(m, D1, 16, 2, b->size);
  set(m, D1, 48, 32, b->tensor[0]);
  set(m, D1, 80, 32, b->tensor[1]);
  for (unsigned n = 0; n < 3; n++)
    set(m, D1, 112 + 16 * n, 16, b->tile[n]);
  set(m, D1, 160, 48, b->stride[0]);
  set(m, D1, 208, 48, b->stride[1]);
  set(m, D2, 0, 32, b->tensor[2]);
}

static void go(struct machine *m)
{
  wave_step(m->w);
  if (m->w->state != WAVE_RUN)
    fail_msg("%s", m->w->fault.text);
}

static unsigned at_least_one(unsigned n)
{
  return n ? n : 1;
}

/* LDS against memory, byte by byte of each element; what lies behind is as it was. */
static void check_box(const struct machine *m, const struct box *b, unsigned lds)
{
  const uint8_t *got = m->p.group->lds + lds;
  unsigned bytes = 1u << b->size;
  for (unsigned z = 0; z < at_least_one(b->tile[2]); z++)
    for (unsigned y = 0; y < at_least_one(b->tile[1]); y++)
      for (unsigned x = 0; x < b->tile[0]; x++)
        for (unsigned k = 0; k < bytes; k++) {
          int inside = x < b->tensor[0] && (!b->tile[1] || y < b->tensor[1]) &&
                       (!b->tile[2] || z < b->tensor[2]);
          size_t from = (x + y * b->stride[0] + z * b->stride[1]) * bytes + k;
          assert_int_equal(*got++, inside ? m->memory[from] : 0);
        }
  assert_int_equal(*got, SENTINEL);
}

static const struct box boxes[] = {
    {2, {16, 0, 0}, {16, 0, 0}, {0, 0}},
    {2, {2, 3, 2}, {2, 2, 2}, {2, 6}},      /* a row more than the tensor has */
    {0, {7, 5, 0}, {6, 9, 0}, {11, 0}},     /* columns more */
    {1, {8, 4, 0}, {100, 100, 0}, {64, 0}}, /* the tensor is larger */
    {3, {3, 2, 4}, {3, 2, 3}, {9, 40}},
};

static void test_load(void **state)
{
  (void)state;
  for (size_t n = 0; n < sizeof boxes / sizeof *boxes; n++) {
    struct machine m;
    int deep = boxes[n].tile[2] != 0;
    open_machine(&m, deep ? load_4 : load_2, 3);
    describe(&m, &boxes[n]);
    set(&m, D0, 32, 32, 64);
    WAVE_EXEC(m.w) = 0; /* does not matter */
    go(&m);
    check_box(&m, &boxes[n], 64);
    close_machine(&m);
  }
}

/* What is outside of the tensor stays. */
static void test_store(void **state)
{
  (void)state;
  for (size_t n = 0; n < sizeof boxes / sizeof *boxes; n++) {
    const struct box *b = &boxes[n];
    struct machine m;
    uint8_t want[MEMORY], *from;
    unsigned bytes = 1u << b->size;
    open_machine(&m, b->tile[2] ? store_4 : store_2, 3);
    describe(&m, b);
    for (int k = 0; k < LDS_BYTES; k++)
      m.p.group->lds[k] = (uint8_t)(k * 5 + 1);
    memcpy(want, m.memory, MEMORY);
    from = m.p.group->lds;
    for (unsigned z = 0; z < at_least_one(b->tile[2]); z++)
      for (unsigned y = 0; y < at_least_one(b->tile[1]); y++)
        for (unsigned x = 0; x < b->tile[0]; x++, from += bytes)
          if (x < b->tensor[0] && (!b->tile[1] || y < b->tensor[1]) &&
              (!b->tile[2] || z < b->tensor[2]))
            memcpy(want + (x + y * b->stride[0] + z * b->stride[1]) * bytes, from,
                   bytes);
    go(&m);
    assert_memory_equal(m.memory, want, MEMORY);
    close_machine(&m);
  }
}

/* 260 bytes, of which each 64 dwords have 4 dwords of nothing behind them; and four
 * dwords, of which each two have one. */
static void test_padding(void **state)
{
  static const struct {
    unsigned size, elements, interval, amount, every, gap; /* the last in bytes */
  } cases[] = {{0, 260, 5, 3, 256, 16}, {2, 4, 0, 0, 8, 4}, {2, 64, 2, 1, 32, 8}};
  (void)state;
  for (size_t n = 0; n < 3; n++) {
    unsigned bytes = cases[n].elements << cases[n].size, k, at = 0;
    struct box b = {cases[n].size, {cases[n].elements}, {cases[n].elements}, {0}};
    struct machine m;
    open_machine(&m, load_2, 3);
    describe(&m, &b);
    set(&m, D1, 20, 1, 1);
    set(&m, D1, 22, 3, cases[n].interval);
    set(&m, D1, 25, 7, cases[n].amount);
    go(&m);
    for (k = 0; k < bytes; k++) {
      if (k && k % cases[n].every == 0)
        for (unsigned g = 0; g < cases[n].gap; g++)
          assert_int_equal(m.p.group->lds[at++], SENTINEL);
      assert_int_equal(m.p.group->lds[at++], m.memory[k]);
    }
    assert_int_equal(m.p.group->lds[at], SENTINEL);
    close_machine(&m);
  }
}

/* Rows by number: 5 of 32 bits, 10 of 16; number 9 is beyond the tensor. */
static void test_gather(void **state)
{
  static const unsigned numbers[] = {7, 0, 3, 6, 1, 4, 9, 5, 7, 3};
  (void)state;
  for (unsigned wide = 0; wide < 2; wide++) {
    struct machine m;
    unsigned rows = wide ? 5 : 10, columns = 2, bits = wide ? 32 : 16;
    struct box b = {2, {columns, rows}, {columns, 8}, {columns}};
    open_machine(&m, load_4, 3);
    describe(&m, &b);
    set(&m, D0, 30, 1, wide);
    set(&m, D0, 31, 1, 1);
    for (unsigned n = 0; n < rows; n++)
      set(&m, D2, n * bits, bits, numbers[n]);
    go(&m);
    for (unsigned n = 0; n < rows; n++)
      for (unsigned k = 0; k < 8; k++)
        assert_int_equal(m.p.group->lds[n * 8 + k],
                         numbers[n] < 8 ? m.memory[numbers[n] * 8 + k] : 0);
    assert_int_equal(m.p.group->lds[rows * 8], SENTINEL);
    close_machine(&m);
  }
}

/* Twice a row of two dwords: 4 dwords on in LDS, 2 in memory. */
static void test_iterate(void **state)
{
  struct box b = {2, {2, 1}, {2, 2}, {0}};
  struct machine m;
  (void)state;
  open_machine(&m, load_4, 3);
  describe(&m, &b);
  set(&m, D1, 19, 1, 1);
  set(&m, D2, 32, 32, 4);
  set(&m, D2, 64, 48, 2);
  set(&m, D2, 112, 16, 1);
  go(&m);
  assert_memory_equal(m.p.group->lds, m.memory, 8);
  assert_int_equal(m.p.group->lds[8], SENTINEL);
  assert_memory_equal(m.p.group->lds + 16, m.memory + 8, 8);
  assert_int_equal(m.p.group->lds[24], SENTINEL);
  close_machine(&m);
}

static void test_nothing(void **state)
{
  struct machine m;
  (void)state;
  open_machine(&m, load_2, 3);
  describe(&m, &boxes[0]);
  set(&m, D0, 0, 2, 0); /* a count of 0 */
  go(&m);
  assert_int_equal(m.p.group->lds[0], SENTINEL);
  assert_null(m.p.group->async);
  close_machine(&m);
}

/* --- what is refused, and what was not waited for ------------------------- */

static void refused(const uint32_t *words, unsigned group, unsigned bit,
                    unsigned bits, uint64_t value, const char *part)
{
  struct machine m;
  open_machine(&m, words, 3);
  describe(&m, &boxes[0]);
  set(&m, group, bit, bits, value);
  wave_step(m.w);
  assert_int_equal(m.w->state, WAVE_FAULT);
  if (!strstr(m.w->fault.text, part))
    fail_msg("no '%s' in: %s", part, m.w->fault.text);
  assert_int_equal(m.p.group->lds[0], SENTINEL);
  close_machine(&m);
}

static void test_refused(void **state)
{
  (void)state;
  refused(load_2, D0, 0, 2, 2, "a count above 1");
  refused(load_2, D0, 2, 1, 1, "context that is restored");
  refused(load_2, D0, 126, 2, 1, "another type than 2");
  refused(store_2, D1, 20, 1, 1, "padding of a store");
  refused(load_2, D0, 32, 32, LDS_BYTES - 4, "outside the workgroup's 4096 bytes");
  refused(load_2, D0, 64, 57, 64, "load from 0x40 (64 bytes, of a row");
}

/* tensor_load_to_lds; then perhaps s_wait_tensorcnt 0; ds_load_b32 v2, v0 */
static void test_wait(void **state)
{
  static const uint32_t words[] = {0xd0710001, 0x7c000000, 0x7c7c0400,
                                   0xbfcb0000, 0xd8d80000, 0x02000000};
  (void)state;
  for (int waits = 0; waits < 2; waits++) {
    struct machine m;
    open_machine(&m, words, 6);
    describe(&m, &boxes[0]);
    memset(m.w->v[0], 0, sizeof m.w->v[0]);
    go(&m);
    if (!waits)
      m.w->pc++;
    else
      go(&m);
    wave_step(m.w);
    if (waits)
      assert_int_equal(m.w->state, WAVE_RUN);
    else
      assert_non_null(strstr(m.w->fault.text,
                             "is being written by wave 0's tensor_load_to_lds at +0x0, "
                             "which it has not waited for; s_wait_tensorcnt is "
                             "missing between the two"));
    close_machine(&m);
  }
}

/* --- barriers in LDS ------------------------------------------------------ */

static uint64_t cell(uint64_t each, uint64_t phase, uint64_t pending)
{
  return each << 32 | phase << 16 | pending;
}

/* ds_atomic_barrier_arrive_rtn_b64 v[2:3], v0, v[4:5] by one lane. Of 2 that must
 * arrive (written as 1) the second ends the phase; 5 are two phases and one. */
static void test_barrier(void **state)
{
  static const uint32_t words[] = {0xd9d40000, 0x02000400};
  static const struct {
    uint64_t before, count, after;
  } cases[] = {
      {0x100000001, 1, 0x100000000},
      {0x100000000, 1, 0x1ffff0001},
      {0x100000001, 5, 0x1fffe0000},
      {0, 1, 0xffff0000},
      {0x100000000, 0, 0x100000000},
  };
  (void)state;
  assert_int_equal(cell(1, 0xffff, 1), cases[1].after);
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    struct machine m;
    uint64_t after;
    open_machine(&m, words, 2);
    WAVE_EXEC(m.w) = 1;
    memcpy(m.p.group->lds + 64, &cases[n].before, 8);
    m.w->v[0][0] = 64;
    m.w->v[4][0] = (uint32_t)cases[n].count, m.w->v[5][0] = 0;
    go(&m);
    memcpy(&after, m.p.group->lds + 64, 8);
    assert_true(after == cases[n].after);
    assert_int_equal(m.w->v[2][0], (uint32_t)cases[n].before);
    assert_int_equal(m.w->v[3][0], (uint32_t)(cases[n].before >> 32));
    close_machine(&m);
  }
}

/* A descriptor may say that the mover arrives at one behind the tile. */
static void test_arrives(void **state)
{
  struct machine m;
  uint64_t after, before = cell(0, 0, 0);
  (void)state;
  open_machine(&m, load_2, 3);
  describe(&m, &boxes[0]);
  set(&m, D1, 18, 1, 1);
  set(&m, D1, 32, 16, 2048 >> 3);
  memcpy(m.p.group->lds + 2048, &before, 8);
  go(&m);
  check_box(&m, &boxes[0], 0);
  memcpy(&after, m.p.group->lds + 2048, 8);
  assert_true(after == cell(0, 0xffff, 0));
  close_machine(&m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_load),    cmocka_unit_test(test_store),
      cmocka_unit_test(test_padding), cmocka_unit_test(test_gather),
      cmocka_unit_test(test_iterate), cmocka_unit_test(test_nothing),
      cmocka_unit_test(test_refused), cmocka_unit_test(test_wait),
      cmocka_unit_test(test_barrier), cmocka_unit_test(test_arrives),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
