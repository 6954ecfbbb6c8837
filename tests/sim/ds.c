/* DS instructions, from the definitions in AMD's ISA document. */
// SPDX-License-Identifier: MIT
#include "tests/sim/memory_test.h"

enum {OLD = 0x11223344}; /* what result registers hold before */

static void set_results(struct wave *w)
{
  for (unsigned r = 24; r < 32; r++)
    for (unsigned l = 0; l < LANES; l++)
      w->v[r][l] = OLD + r + l;
}

static void test_reads(void **state)
{
  static const struct bench_width widths[] = {
    {0x3a, 1, 0, 0}, {0x39, 1, 1, 0}, {0x3c, 2, 0, 0},
    {0x3b, 2, 1, 0}, {0x36, 4, 0, 0}, {0x76, 8, 0, 0},
    {0xfe, 12, 0, 0}, {0xff, 16, 0, 0}, {0x56, 1, 0, 1},
    {0x57, 1, 0, 2}, {0x58, 1, 1, 1}, {0x59, 1, 1, 2},
    {0x5a, 2, 0, 1}, {0x5b, 2, 0, 2},
  };
  struct bench *b = *state;
  struct wave *w = &b->wave;
  bench_fill(b->group.lds, LDS_BYTES);
  for (unsigned k = 0; k < sizeof widths / sizeof *widths; k++)
    for (unsigned stride = 16; stride < 40; stride += 7)
      for (unsigned partly = 0; partly < 2; partly++) {
        const struct bench_width *y = &widths[k];
        struct inst i = bench_inst(DS, y->op);
        i.offset = 0x123;
        WAVE_EXEC(w) = partly ? 0x8421fedc00ff1248 : ~(uint64_t)0;
        for (unsigned l = 0; l < LANES; l++)
          w->v[0][l] = l * stride;
        set_results(w);
        bench_ok(b, &i);
        for (unsigned l = 0; l < LANES; l++)
          for (unsigned d = 0; d < (y->bytes + 3) / 4; d++) {
            uint32_t old = OLD + 24 + d + l;
            uint8_t *at = b->group.lds + l * stride + 0x123;
            assert_int_equal(w->v[24 + d][l],
                             WAVE_EXEC(w) >> l & 1
                                 ? bench_loaded(y, at, d)
                                 : old);
          }
      }
}

static void test_writes(void **state)
{
  static const struct bench_width widths[] = {
    {0x1e, 1, 0, 0}, {0x1f, 2, 0, 0}, {0x0d, 4, 0, 0},
    {0x4d, 8, 0, 0}, {0xde, 12, 0, 0}, {0xdf, 16, 0, 0},
    {0x54, 1, 0, 2}, {0x55, 2, 0, 2},
  };
  struct bench *b = *state;
  struct wave *w = &b->wave;
  for (unsigned k = 0; k < sizeof widths / sizeof *widths; k++)
    for (unsigned partly = 0; partly < 2; partly++) {
      const struct bench_width *y = &widths[k];
      struct inst i = bench_inst(DS, y->op);
      uint8_t expected[LDS_BYTES];
      WAVE_EXEC(w) = partly ? 0xf0f0f0f012345678 : ~(uint64_t)0;
      bench_fill(b->group.lds, LDS_BYTES);
      memcpy(expected, b->group.lds, LDS_BYTES);
      for (unsigned l = 0; l < LANES; l++) {
        w->v[0][l] = l * 37;
        for (unsigned d = 0; d < 4; d++)
          w->v[8 + d][l] = 0x9e3779b9 * (4 * l + d + 1);
        for (unsigned n = 0; n < y->bytes && WAVE_EXEC(w) >> l & 1; n++)
          expected[l * 37 + n] = (uint8_t)(
              w->v[8 + n / 4][l] >> (n % 4 * 8 + (y->half == 2 ? 16 : 0)));
      }
      bench_ok(b, &i);
      assert_memory_equal(b->group.lds, expected, LDS_BYTES);
    }
}

/* Two offsets count elements, or 64 of them. */
static void test_pairs(void **state)
{
  static const struct {
    unsigned read, write, exchange, bytes, scale;
  } rows[] = {
    {0x37, 0x0e, 0x2e, 4, 4},   {0x38, 0x0f, 0x2f, 4, 256},
    {0x77, 0x4e, 0x6e, 8, 8},   {0x78, 0x4f, 0x6f, 8, 512},
  };
  struct bench *b = *state;
  struct wave *w = &b->wave;
  for (unsigned k = 0; k < 4; k++) {
    unsigned n = rows[k].bytes / 4, first = 3 * rows[k].scale;
    unsigned second = 1 * rows[k].scale;
    bench_fill(b->group.lds, LDS_BYTES);
    for (unsigned l = 0; l < LANES; l++) {
      w->v[0][l] = l % 16 * 32; /* four lanes on each address */
      for (unsigned d = 0; d < n; d++) {
        w->v[8 + d][l] = 1000 * l + d;
        w->v[16 + d][l] = 2000 * l + d;
      }
    }
    struct inst i = bench_inst(DS, rows[k].read);
    i.offset = 3 | 1 << 8;
    WAVE_EXEC(w) = 0xffff;
    bench_ok(b, &i);
    assert_int_equal(w->access.n, 2);
    for (unsigned l = 0; l < 16; l++)
      for (unsigned d = 0; d < n; d++) {
        uint8_t *at = b->group.lds + l * 32;
        assert_int_equal(w->v[24 + d][l], bench_dword(at + first, 8, d));
        assert_int_equal(w->v[24 + n + d][l],
                         bench_dword(at + second, 8, d));
      }
    i.op = (uint16_t)rows[k].write;
    bench_ok(b, &i);
    for (unsigned l = 0; l < 16; l++)
      for (unsigned d = 0; d < n; d++) {
        uint8_t *at = b->group.lds + l * 32;
        assert_int_equal(bench_dword(at + first, 8, d), 1000 * l + d);
        assert_int_equal(bench_dword(at + second, 8, d), 2000 * l + d);
      }
    i.op = (uint16_t)rows[k].exchange;
    WAVE_EXEC(w) = 0xffff0000;
    bench_ok(b, &i);
    for (unsigned l = 16; l < 32; l++)
      for (unsigned d = 0; d < n; d++) {
        uint8_t *at = b->group.lds + l % 16 * 32;
        assert_int_equal(w->v[24 + d][l], 1000 * (l - 16) + d);
        assert_int_equal(w->v[24 + n + d][l], 2000 * (l - 16) + d);
        assert_int_equal(bench_dword(at + second, 8, d), 2000 * l + d);
      }
  }
}

#define TOP ((uint64_t)1 << 63)

/* Bits of floats and doubles. */
enum { F_1 = 0x3f800000, F_1_5 = 0x3fc00000, F_0_25 = 0x3e800000,
       F_1_75 = 0x3fe00000, F_2 = 0x40000000, F_NAN = 0x7fc00000 };
#define F_MINUS_0 0x80000000
#define F_MINUS_2 0xc0000000
#define D_2 0x4000000000000000
#define D_7 0x401c000000000000
#define D_MINUS_7 0xc01c000000000000

/* op, bytes, memory before, data0, data1, memory after. */
static const struct {
  unsigned op, bytes;
  uint64_t old, a, b, result;
} atomics[] = {
  {0x00, 4, 0xffffffff, 2, 0, 1},              /* add_u32 */
  {0x01, 4, 1, 2, 0, 0xffffffff},              /* sub_u32 */
  {0x02, 4, 1, 5, 0, 4},                       /* rsub_u32 */
  {0x03, 4, 6, 7, 0, 7},                       /* inc_u32 */
  {0x03, 4, 7, 7, 0, 0},
  {0x03, 4, 9, 7, 0, 0},
  {0x04, 4, 3, 7, 0, 2},                       /* dec_u32 */
  {0x04, 4, 0, 7, 0, 7},
  {0x04, 4, 9, 7, 0, 7},
  {0x05, 4, 1, 0xfffffffe, 0, 0xfffffffe},     /* min_i32 */
  {0x06, 4, 1, 0xfffffffe, 0, 1},              /* max_i32 */
  {0x07, 4, 1, 0xfffffffe, 0, 1},              /* min_u32 */
  {0x08, 4, 1, 0xfffffffe, 0, 0xfffffffe},     /* max_u32 */
  {0x09, 4, 0xff00, 0x0ff0, 0, 0x0f00},        /* and_b32 */
  {0x0a, 4, 0xff00, 0x0ff0, 0, 0xfff0},        /* or_b32 */
  {0x0b, 4, 0xff00, 0x0ff0, 0, 0xf0f0},        /* xor_b32 */
  {0x0c, 4, 0xffff, 0x00f0, 0x0a, 0xff0f},     /* mskor_b32 */
  {0x10, 4, 5, 5, 9, 9},                       /* cmpst_b32 */
  {0x10, 4, 6, 5, 9, 6},
  {0x11, 4, F_MINUS_0, 0, F_2, F_2},    /* cmpst_f32 */
  {0x11, 4, F_NAN, F_NAN, 1, F_NAN},
  {0x12, 4, F_1, F_MINUS_2, 0, F_MINUS_2},            /* min_f32 */
  {0x13, 4, F_1, F_MINUS_2, 0, F_1},             /* max_f32 */
  {0x15, 4, F_1_5, F_0_25, 0, F_1_75},   /* add_f32 */
  {0x40, 8, ~(uint64_t)0, 2, 0, 1},            /* add_u64 */
  {0x41, 8, 0, 1, 0, ~(uint64_t)0},            /* sub_u64 */
  {0x42, 8, 1, TOP, 0, TOP - 1},               /* rsub_u64 */
  {0x43, 8, 0xffffffff, TOP, 0, 0x100000000},  /* inc_u64 */
  {0x44, 8, 0x100000000, TOP, 0, 0xffffffff},  /* dec_u64 */
  {0x45, 8, 1, TOP, 0, TOP},                   /* min_i64 */
  {0x46, 8, 1, TOP, 0, 1},                     /* max_i64 */
  {0x47, 8, 1, TOP, 0, 1},                     /* min_u64 */
  {0x48, 8, 1, TOP, 0, TOP},                   /* max_u64 */
  {0x49, 8, TOP | 3, TOP | 6, 0, TOP | 2},     /* and_b64 */
  {0x4a, 8, TOP, 6, 0, TOP | 6},               /* or_b64 */
  {0x4b, 8, TOP | 3, TOP | 6, 0, 5},           /* xor_b64 */
  {0x4c, 8, TOP | 0xff, TOP | 0xf, 2, 0xf2},   /* mskor_b64 */
  {0x50, 8, TOP, TOP, 3, 3},                   /* cmpst_b64 */
  {0x51, 8, D_2, D_2, D_7, D_7},           /* cmpst_f64 */
  {0x52, 8, D_2, D_MINUS_7, 0, D_MINUS_7},            /* min_f64 */
  {0x53, 8, D_2, D_MINUS_7, 0, D_2},             /* max_f64 */
};

static void atomic_once(struct bench *b, unsigned op, unsigned k)
{
  struct wave *w = &b->wave;
  struct inst i = bench_inst(DS, op);
  uint64_t after = 0, before;
  unsigned l = 5;
  WAVE_EXEC(w) = 1 << l;
  i.offset = 8;
  w->v[0][l] = 64;
  for (unsigned d = 0; d < 2; d++) {
    w->v[8 + d][l] = (uint32_t)(atomics[k].a >> 32 * d);
    w->v[16 + d][l] = (uint32_t)(atomics[k].b >> 32 * d);
    w->v[24 + d][l] = 0;
  }
  memcpy(b->group.lds + 72, &atomics[k].old, 8);
  bench_ok(b, &i);
  memcpy(&after, b->group.lds + 72, atomics[k].bytes);
  assert_int_equal(after, atomics[k].result);
  before = w->v[24][l] | (uint64_t)w->v[25][l] << 32;
  assert_int_equal(before, op & 0x20 ? atomics[k].old : 0);
  assert_int_equal(w->access.load, op >> 5 & 1);
  assert_true(w->access.atomic && w->access.lds);
}

static void test_atomics(void **state)
{
  struct bench *b = *state;
  b->wave.mode = MODE_DENORM_32;
  for (unsigned k = 0; k < sizeof atomics / sizeof *atomics; k++) {
    atomic_once(b, atomics[k].op, k);
    atomic_once(b, atomics[k].op | 0x20, k);
  }
}

/* Lanes take turns, lowest first. */
static void test_atomic_turns(void **state)
{
  struct bench *b = *state;
  struct wave *w = &b->wave;
  struct inst i = bench_inst(DS, 0x20); /* ds_add_rtn_u32 */
  for (unsigned l = 0; l < LANES; l++) {
    w->v[0][l] = 0;
    w->v[8][l] = l;
  }
  bench_ok(b, &i);
  for (unsigned l = 0; l < LANES; l++)
    assert_int_equal(w->v[24][l], l * (l - 1) / 2);
  assert_int_equal(bench_dword(b->group.lds, 4, 0), 63 * 64 / 2);
  i = bench_inst(DS, 0x2d); /* ds_wrxchg_rtn_b32 */
  bench_ok(b, &i);
  assert_int_equal(w->v[24][0], 63 * 64 / 2);
  assert_int_equal(w->v[24][63], 62);
  assert_int_equal(bench_dword(b->group.lds, 4, 0), 63);
}

/* MODE says whether ds_add_f32 keeps denormals. */
static void test_add_denormals(void **state)
{
  struct bench *b = *state;
  struct wave *w = &b->wave;
  struct inst i = bench_inst(DS, 0x15);
  uint32_t tiny = 3;
  WAVE_EXEC(w) = 1;
  w->v[8][0] = tiny;
  memcpy(b->group.lds, &tiny, 4);
  w->mode = MODE_DENORM_32;
  bench_ok(b, &i);
  assert_int_equal(bench_dword(b->group.lds, 4, 0), 6);
  w->mode = 0;
  bench_ok(b, &i);
  assert_int_equal(bench_dword(b->group.lds, 4, 0), 0);
}

static void test_permutes(void **state)
{
  struct bench *b = *state;
  struct wave *w = &b->wave;
  struct inst push = bench_inst(DS, 0x3e), pull = bench_inst(DS, 0x3f);
  push.offset = pull.offset = 8;
  for (unsigned l = 0; l < LANES; l++) {
    w->v[0][l] = l * 4 * 5 + 256 * l; /* multiples of 256 do not count */
    w->v[8][l] = 100 + l;
  }
  bench_ok(b, &push);
  for (unsigned l = 0; l < LANES; l++)
    assert_int_equal(w->v[24][(5 * l + 2) % 64], 100 + l);
  WAVE_EXEC(w) = ~(uint64_t)1 << 7; /* lanes 0 to 7 are off: give 0 */
  bench_ok(b, &pull);
  for (unsigned l = 8; l < LANES; l++) {
    unsigned from = (5 * l + 2) % 64;
    assert_int_equal(w->v[24][l], from < 8 ? 0 : 100 + from);
  }
  assert_int_equal(w->access.n, 0);
  /* Everyone sends to lane 9: the others receive 0. */
  for (unsigned l = 0; l < LANES; l++)
    w->v[0][l] = 28;
  bench_ok(b, &push);
  assert_int_equal(w->v[24][9], 163);
  assert_int_equal(w->v[24][10], 0);
}

/* The lane that lanes 0, 1, 2, 37 read from, by offset. */
static void test_swizzles(void **state)
{
  static const struct {
    unsigned offset, from[4];
  } rows[] = {
    {0x001f, {0, 1, 2, 37}},   /* and 31: itself */
    {0x041f, {1, 0, 3, 36}},   /* xor 1 */
    {0x7c1f, {31, 30, 29, 58}}, /* xor 31: reverse */
    {0x0060, {3, 3, 3, 35}},   /* and 0, or 3: broadcast lane 3 */
    {0x8000 | 0x1b, {3, 2, 1, 38}}, /* quads reversed */
    {0x80aa, {2, 2, 2, 38}},   /* quads from their lane 2 */
    {0xc020, {1, 2, 3, 38}},   /* rotate by 1 */
    {0xc420, {31, 0, 1, 36}},  /* the other way */
    {0xc03c, {1, 2, 3, 38}},   /* within groups of 4: bits 4:2 stay */
    {0xc43c, {3, 0, 1, 36}},
    {0xe000, {0, 16, 8, 52}},  /* FFT, 32 points: bits reversed */
    {0xe01f, {0, 1, 2, 37}},
    {0xe010, {0, 8, 4, 42}},   /* 16 points */
  };
  static const unsigned lanes[] = {0, 1, 2, 37};
  struct bench *b = *state;
  struct wave *w = &b->wave;
  for (unsigned l = 0; l < LANES; l++)
    w->v[0][l] = 500 + l;
  for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
    struct inst i = bench_inst(DS, 0x3d);
    i.offset = rows[k].offset;
    bench_ok(b, &i);
    for (unsigned n = 0; n < 4; n++)
      assert_int_equal(w->v[24][lanes[n]], 500 + rows[k].from[n]);
  }
}

static void test_counters(void **state)
{
  struct bench *b = *state;
  struct wave *w = &b->wave;
  struct inst append = bench_inst(DS, 0xbe), consume = bench_inst(DS, 0xbd);
  uint32_t start = 100;
  append.offset = consume.offset = 16;
  w->s[CODE_M0] = 32;
  memcpy(b->group.lds + 48, &start, 4);
  WAVE_EXEC(w) = 0xff0;
  bench_ok(b, &append);
  assert_int_equal(w->v[24][4], 100);
  assert_int_equal(w->v[24][11], 100);
  assert_int_equal(bench_dword(b->group.lds + 48, 4, 0), 108);
  bench_ok(b, &consume);
  assert_int_equal(w->v[24][4], 108);
  assert_int_equal(bench_dword(b->group.lds + 48, 4, 0), 100);
  /* Addresses by lane. */
  struct inst write = bench_inst(DS, 0x1d), read = bench_inst(DS, 0xb6);
  write.offset = read.offset = 16;
  for (unsigned l = 0; l < LANES; l++)
    w->v[8][l] = 7 * l;
  WAVE_EXEC(w) = ~(uint64_t)0;
  bench_ok(b, &write);
  assert_int_equal(bench_dword(b->group.lds + 48 + 4 * 9, 4, 0), 63);
  bench_ok(b, &read);
  assert_memory_equal(w->v[24], w->v[8], sizeof w->v[8]);
}

static void test_faults(void **state)
{
  struct bench *b = *state;
  struct wave *w = &b->wave;
  struct inst read = bench_inst(DS, 0xff), write = bench_inst(DS, 0xdf);
  struct inst add = bench_inst(DS, 0x00);
  w->v[0][17] = LDS_BYTES - 16;
  bench_ok(b, &read);
  w->v[0][17] = LDS_BYTES - 15;
  set_results(w);
  bench_do(b, &read);
  assert_int_equal(w->v[24][17], OLD + 24 + 17); /* nothing has moved */
  bench_faulted(b, "lane 17");
  bench_do(b, &write);
  bench_faulted(b, "0xff1");
  WAVE_EXEC(w) = ~((uint64_t)1 << 17); /* off: may hold anything */
  bench_ok(b, &read);
  WAVE_EXEC(w) = ~(uint64_t)0;
  w->v[0][17] = 0xfffffff0; /* a negative base and an offset are an address */
  read.offset = 0x20;
  bench_ok(b, &read);
  assert_int_equal(w->v[24][17], bench_dword(b->group.lds + 16, 4, 0));
  w->v[0][17] = 6;
  bench_do(b, &add);
  bench_faulted(b, "multiple of 4");
  b->group.lds_bytes = 8;
  bench_do(b, &read);
  bench_faulted(b, "8 bytes");
}

/* A store to an address that no LDS has turns a lane off; a load does not,
 * nor does a negative address. */
static void test_turned_off(void **state)
{
  struct bench *b = *state;
  struct wave *w = &b->wave;
  struct inst write = bench_inst(DS, 0x0d), two = bench_inst(DS, 0x0e);
  struct inst read = bench_inst(DS, 0x36);
  uint8_t before[LDS_BYTES];
  two.offset = 0 | 3 << 8;
  memcpy(before, b->group.lds, LDS_BYTES);
  for (unsigned l = 0; l < LANES; l++)
    w->v[0][l] = 0xf00000;
  bench_ok(b, &write);
  assert_int_equal(w->access.lanes, 0);
  bench_ok(b, &two);
  assert_memory_equal(b->group.lds, before, LDS_BYTES);
  w->v[0][5] = 8;
  w->v[8][5] = 0x12345678;
  bench_ok(b, &write);
  assert_int_equal(w->access.lanes, 1 << 5);
  assert_int_equal(bench_dword(b->group.lds + 8, 4, 0), 0x12345678);
  bench_do(b, &read);
  bench_faulted(b, "0xf00000");
  w->v[0][5] = 0xffff0000;
  bench_do(b, &write);
  bench_faulted(b, "0xffff0000");
}

/* What the timing model is told. */
static void test_access(void **state)
{
  struct bench *b = *state;
  struct wave *w = &b->wave;
  struct inst i = bench_inst(DS, 0x4d);
  i.offset = 24;
  for (unsigned l = 0; l < LANES; l++)
    w->v[0][l] = 8 * l;
  WAVE_EXEC(w) = 0xff;
  bench_ok(b, &i);
  assert_int_equal(w->access.lanes, 0xff);
  assert_int_equal(w->access.bytes, 8);
  assert_int_equal(w->access.n, 1);
  assert_true(w->access.lds && w->access.store);
  assert_false(w->access.load || w->access.atomic);
  assert_int_equal(w->access.addr[0][7], 24 + 56);
}

/* GFX9's ISA manual: out of range a read returns 0, a write is not done. Each
 * address of a pair for itself. */
static void test_as_card(void **state)
{
  struct bench *b = *state;
  struct wave *w = &b->wave;
  const struct {
    unsigned op, at;
    uint32_t first, second; /* what the registers hold then */
  } loads[] = {
      {0x36, LDS_BYTES - 64 - 4, 0x1111, 7},  /* read_b32: the last */
      {0x36, LDS_BYTES - 64, 0, 7},
      {0x36, 0xfffffff0, 0, 7},
      {0x76, LDS_BYTES - 64 - 4, 0, 0},       /* read_b64: half of it */
      {0x37, LDS_BYTES - 64 - 4, 0x1111, 0},  /* read2_b32 */
      {0x20, LDS_BYTES - 64, 0, 7},           /* add_rtn_u32 */
      {0x0d, LDS_BYTES - 64, 7, 7},           /* write_b32 */
      {0x00, LDS_BYTES - 64, 7, 7},           /* add_u32 */
  };
  static const uint32_t last = 0x1111;
  uint8_t before[LDS_BYTES];
  b->group.lds_bytes = LDS_BYTES - 64;
  b->group.lds_open = 1;
  memcpy(b->group.lds + LDS_BYTES - 64 - 4, &last, sizeof last);
  memcpy(before, b->group.lds, LDS_BYTES);
  WAVE_EXEC(w) = 1 << 5;
  for (size_t n = 0; n < sizeof loads / sizeof *loads; n++) {
    struct inst i = bench_inst(DS, loads[n].op);
    i.offset = loads[n].op == 0x37 ? 1 << 8 : 0;
    w->v[0][5] = loads[n].at;
    w->v[8][5] = 3;
    w->v[24][5] = w->v[25][5] = 7;
    bench_ok(b, &i);
    assert_int_equal(w->v[24][5], loads[n].first);
    assert_int_equal(w->v[25][5], loads[n].second);
  }
  assert_memory_equal(b->group.lds, before, LDS_BYTES);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    BENCH_TEST(test_reads),
    BENCH_TEST(test_writes),
    BENCH_TEST(test_pairs),
    BENCH_TEST(test_atomics),
    BENCH_TEST(test_atomic_turns),
    BENCH_TEST(test_add_denormals),
    BENCH_TEST(test_permutes),
    BENCH_TEST(test_swizzles),
    BENCH_TEST(test_counters),
    BENCH_TEST(test_faults),
    BENCH_TEST(test_turned_off),
    BENCH_TEST(test_access),
    BENCH_TEST(test_as_card),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
