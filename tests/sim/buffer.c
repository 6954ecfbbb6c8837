/* Buffer instructions, from the definitions in AMD's ISA document. */
// SPDX-License-Identifier: MIT
#include "tests/sim/memory_test.h"

enum {BYTES = 8192, OLD = 0x11223344, SRSRC = 8, SOFFSET = 5, PRIVATE = 64};

enum {SWIZZLE = 1 << 15}; /* in the upper half of the second dword */
enum {ADD_LANE = 1 << 23, STRIDE_64 = 3 << 21, STRIDE_8 = 0};
enum {XYZW = 4 | 5 << 3 | 6 << 6 | 7 << 9}; /* DST_SEL */

static void resource(struct wave *w, const void *base, uint32_t stride,
                     uint32_t records, uint32_t last)
{
  uint64_t at = (uintptr_t)base;
  w->s[SRSRC] = (uint32_t)at;
  w->s[SRSRC + 1] = (uint32_t)(at >> 32) | stride << 16;
  w->s[SRSRC + 2] = records;
  w->s[SRSRC + 3] = last;
}

static struct inst buffer(unsigned op, unsigned flags, int32_t imm)
{
  struct inst i = bench_inst(MUBUF, op);
  i.flags = (uint16_t)flags;
  i.srsrc = SRSRC;
  i.src[2] = SOFFSET;
  i.imm = imm;
  i.dst = 8; /* VDATA is both */
  return i;
}

static void test_addresses(void **state)
{
  struct bench *b = *state;
  struct wave *w = &b->wave;
  uint8_t *p = arena_alloc(b->arena, BYTES);
  bench_fill(p, BYTES);
  w->s[SOFFSET] = 256;
  for (unsigned l = 0; l < LANES; l++) {
    w->v[0][l] = 63 - l;
    w->v[1][l] = 8 * l;
  }
  struct inst i = buffer(0x14, 0, 12);
  resource(w, p, 0, BYTES, 0);
  bench_ok(b, &i);
  assert_int_equal(w->v[8][7], bench_dword(p + 256 + 12, 4, 0));
  i.flags = INST_OFFEN;
  bench_ok(b, &i);
  assert_int_equal(w->v[8][7], bench_dword(p + 256 + 12 + 56, 4, 0));
  resource(w, p, 20, BYTES / 20, 0);
  i.flags = INST_IDXEN;
  bench_ok(b, &i);
  assert_int_equal(w->v[8][7], bench_dword(p + 256 + 12 + 20 * 56, 4, 0));
  i.flags = INST_IDXEN | INST_OFFEN; /* the index first */
  bench_ok(b, &i);
  assert_int_equal(w->v[8][7], bench_dword(p + 256 + 12 + 20 * 56 + 56, 4, 0));
  resource(w, p, 20, BYTES, ADD_LANE);
  i.flags = 0;
  bench_ok(b, &i);
  assert_int_equal(w->v[8][7], bench_dword(p + 256 + 12 + 20 * 7, 4, 0));
}

/* Every load and store: v8 to v11 go out to one place and come back. */
static void test_widths(void **state)
{
  static const struct {
    unsigned load, store, bytes;
  } rows[] = { {0x10, 0x18, 1}, {0x12, 0x1a, 2}, {0x14, 0x1c, 4},
               {0x15, 0x1d, 8}, {0x16, 0x1e, 12}, {0x17, 0x1f, 16},
               {0x21, 0x19, 1}, {0x25, 0x1b, 2} };
  struct bench *b = *state;
  struct wave *w = &b->wave;
  uint8_t *p = arena_alloc(b->arena, BYTES);
  resource(w, p, 0, BYTES, 0);
  w->s[SOFFSET] = 0;
  for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
    unsigned high = rows[k].load & 1 && rows[k].load > 0x20;
    struct inst out = buffer(rows[k].store, INST_OFFEN, 3);
    struct inst in = buffer(rows[k].load, INST_OFFEN, 3);
    in.dst = 24;
    for (unsigned l = 0; l < LANES; l++) {
      w->v[0][l] = 21 * l;
      for (unsigned d = 0; d < 4; d++)
        w->v[8 + d][l] = 0x9e3779b9 * (4 * l + d + 1);
      w->v[24][l] = OLD;
    }
    bench_ok(b, &out);
    bench_ok(b, &in);
    for (unsigned l = 0; l < LANES; l++)
      for (unsigned d = 0; d < (rows[k].bytes + 3) / 4; d++) {
        uint32_t sent = w->v[8 + d][l];
        uint32_t mask = rows[k].bytes == 1   ? 0xff
                        : rows[k].bytes == 2 ? 0xffff
                                             : 0xffffffff;
        assert_int_equal(w->v[24 + d][l],
                         high ? (sent >> 16 & mask) << 16
                              : sent & mask);
      }
  }
}

/* Out of range a load gives 0 and a store is dropped, dword by dword; the
 * allocation beyond the range is not read. */
static void test_range(void **state)
{
  struct bench *b = *state;
  struct wave *w = &b->wave;
  uint8_t *p = arena_alloc(b->arena, BYTES), before[BYTES];
  struct inst load = buffer(0x17, INST_OFFEN, 0);
  struct inst store = buffer(0x1f, INST_OFFEN, 0);
  bench_fill(p, BYTES);
  resource(w, p, 0, 1000, 0);
  w->s[SOFFSET] = 12;
  for (unsigned l = 0; l < LANES; l++)
    w->v[0][l] = l < 32 ? 960 + 4 * l : 0xffffff00 + l;
  for (unsigned d = 0; d < 4; d++)
    for (unsigned l = 0; l < LANES; l++)
      w->v[8 + d][l] = OLD;
  bench_ok(b, &load);
  for (unsigned l = 0; l < LANES; l++)
    for (unsigned d = 0; d < 4; d++) {
      uint64_t at = (uint64_t)w->v[0][l] + 12 + 4 * d;
      assert_int_equal(w->v[8 + d][l],
                       at + 4 <= 1000 ? bench_dword(p + at, 4, 0) : 0);
    }
  memcpy(before, p, BYTES);
  for (unsigned d = 0; d < 4; d++)
    for (unsigned l = 0; l < LANES; l++)
      w->v[8 + d][l] = OLD;
  bench_ok(b, &store);
  assert_memory_equal(p, before, 972);
  assert_int_equal(bench_dword(p + 996, 4, 0), OLD);
  assert_memory_equal(p + 1000, before + 1000, BYTES - 1000);
  /* Records: an index is in range or not. */
  struct inst indexed = buffer(0x14, INST_IDXEN, 0);
  resource(w, p, 16, 10, 0);
  w->s[SOFFSET] = 0;
  for (unsigned l = 0; l < LANES; l++)
    w->v[0][l] = l;
  bench_ok(b, &indexed);
  assert_int_equal(w->v[8][9], bench_dword(p + 144, 4, 0));
  assert_int_equal(w->v[8][10], 0);
  assert_int_equal(w->access.lanes, 0x3ff);
  /* A no-op for an atomic, too, and it returns 0. */
  struct inst add = buffer(0x42, INST_IDXEN | INST_GLC, 0);
  memcpy(before, p, BYTES);
  w->v[8][11] = 5;
  WAVE_EXEC(w) = 1 << 11;
  bench_ok(b, &add);
  assert_int_equal(w->v[8][11], 0);
  assert_memory_equal(p, before, BYTES);
}

static void test_atomics(void **state)
{
  struct bench *b = *state;
  struct wave *w = &b->wave;
  uint64_t *p = arena_alloc(b->arena, 512);
  struct inst add = buffer(0x62, INST_OFFEN | INST_GLC, 8); /* add_x2 */
  struct inst swap = buffer(0x41, INST_OFFEN, 0); /* cmpswap */
  resource(w, p, 0, 512, 0);
  w->s[SOFFSET] = 0;
  for (unsigned l = 0; l < LANES; l++) {
    w->v[8][l] = 0xffffffff;
    w->v[9][l] = 0;
  }
  bench_ok(b, &add);
  assert_int_equal(p[1], 64 * (uint64_t)0xffffffff);
  assert_int_equal(w->v[8][63] | (uint64_t)w->v[9][63] << 32,
                   63 * (uint64_t)0xffffffff);
  for (unsigned l = 0; l < LANES; l++) {
    w->v[8][l] = l + 1; /* each finds what the lane before it left */
    w->v[9][l] = l;
  }
  bench_ok(b, &swap);
  assert_int_equal(p[0], 64);
}

static void test_faults(void **state)
{
  struct bench *b = *state;
  struct wave *w = &b->wave;
  uint8_t *p = arena_alloc(b->arena, 1024);
  struct inst load = buffer(0x14, INST_OFFEN, 0);
  resource(w, p, 0, 0xffffffff, 0); /* says more than there is */
  w->s[SOFFSET] = 0;
  w->v[0][20] = 1021;
  bench_do(b, &load);
  bench_faulted(b, "lane 20: load from");
  w->v[0][21] = 0xfffffffe; /* out of range: not looked at */
  w->v[0][20] = 1020;
  bench_ok(b, &load);
}

/* The resource that a kernel gets for its private memory. */
static void test_private(void **state)
{
  struct bench *b = *state;
  struct wave *w = &b->wave;
  struct inst store = buffer(0x1c, INST_OFFEN, 4);
  struct inst load = buffer(0x14, 0, 4), byte = buffer(0x10, INST_OFFEN, 5);
  bench_private(b, PRIVATE);
  resource(w, (void *)w->scratch, SWIZZLE, PRIVATE * LANES,
           STRIDE_64 | ADD_LANE);
  w->s[SOFFSET] = 4 * LANES * 2; /* a stack pointer counts for all lanes */
  for (unsigned l = 0; l < LANES; l++) {
    w->v[0][l] = l % 2 * 4;
    w->v[8][l] = 0x01010101 * l;
  }
  bench_ok(b, &store);
  const uint32_t *dwords = (const uint32_t *)w->scratch;
  for (unsigned l = 0; l < LANES; l++)
    assert_int_equal(dwords[(3 + l % 2) * LANES + l], 0x01010101 * l);
  bench_ok(b, &load);
  assert_int_equal(w->v[8][40], 0x01010101 * 40);
  assert_int_equal(w->v[8][41], 0);
  bench_ok(b, &byte);
  assert_int_equal(w->v[8][41], 41);
  w->v[0][9] = PRIVATE - 8; /* with soffset and imm: past the end */
  bench_do(b, &store);
  bench_faulted(b, "lane 9: private address");
}

/* Records of 12 bytes, eight lanes' dwords side by side: dword d of record r
 * is at (r / 8 * 3 + d) * 8 + r % 8. */
static void test_swizzle(void **state)
{
  struct bench *b = *state;
  struct wave *w = &b->wave;
  uint8_t *p = arena_alloc(b->arena, BYTES);
  struct inst load = buffer(0x16, INST_IDXEN, 0);
  bench_fill(p, BYTES);
  resource(w, p, SWIZZLE | 12, 50, STRIDE_8);
  w->s[SOFFSET] = 0;
  for (unsigned l = 0; l < LANES; l++)
    w->v[0][l] = l;
  bench_ok(b, &load);
  for (unsigned r = 0; r < LANES; r++)
    for (unsigned d = 0; d < 3; d++)
      assert_int_equal(
          w->v[8 + d][r],
          r < 50 ? bench_dword(p, BYTES, (r / 8 * 3 + d) * 8 + r % 8) : 0);
}

/* Formats: bytes in memory and what they mean as x y z w. */
static const struct {
  unsigned data, number;
  uint32_t memory[4], component[4];
} formats[] = {
  /* 8_8_8_8 unorm: 0, 255, 51, 1 are 0, 1, 0.2, 1/255 */
  {10, 0, {0x0133ff00}, {0, 0x3f800000, 0x3e4ccccd, 0x3b808081}},
  /* 8_8_8_8 snorm: 127, -127, -128, 0 */
  {10, 1, {0x0080817f}, {0x3f800000, 0xbf800000, 0xbf800000, 0}},
  { 10, 2, {0x0203ff01},
    {0x3f800000, 0x437f0000, 0x40400000, 0x40000000} }, /* uscaled */
  { 10, 3, {0x0203ff01},
    {0x3f800000, 0xbf800000, 0x40400000, 0x40000000} }, /* sscaled */
  {10, 4, {0x80ff0201}, {1, 2, 255, 128}},                /* uint */
  {10, 5, {0x80ff0201}, {1, 2, 0xffffffff, 0xffffff80}},  /* sint */
  {1, 4, {0x7f}, {127, 0, 0, 1}},         /* 8: missing are 0 0 1 */
  {2, 7, {0x3c00}, {0x3f800000, 0, 0, 0x3f800000}},       /* 16 */
  {3, 4, {0x0201}, {1, 2, 0, 1}},                         /* 8_8 */
  {4, 7, {0x40490fdb}, {0x40490fdb, 0, 0, 0x3f800000}},   /* 32 */
  /* 16_16 halves: smallest denormal, largest */
  {5, 7, {0x7bff0001}, {0x33800000, 0x477fe000, 0, 0x3f800000}},
  /* 10_11_11 floats, x lowest: 1, 2, 0.5 */
  { 6, 7, {0x3c0 | 0x400 << 11 | 0x1c0u << 22},
    {0x3f800000, 0x40000000, 0x3f000000, 0x3f800000} },
  /* 11_11_10 uint */
  {7, 4, {1023 | 2047 << 10 | 5u << 21}, {1023, 2047, 5, 1}},
  {8, 4, {3 | 1023 << 2 | 5 << 12 | 7u << 22}, {3, 1023, 5, 7}},
  { 9, 5, {1023 | 511 << 10 | 512 << 20 | 2u << 30},
    {0xffffffff, 511, 0xfffffe00, 0xfffffffe} },              /* 2_10_10_10 */
  {11, 5, {7, 0x80000000}, {7, 0x80000000, 0, 1}},        /* 32_32 */
  {12, 4, {0x00020001, 0xffff0003}, {1, 2, 3, 0xffff}},
  {13, 4, {1, 2, 3}, {1, 2, 3, 1}},
  {14, 4, {1, 2, 3, 0xffffffff}, {1, 2, 3, 0xffffffff}},
};

/* Both ways that say a format; -128 is the one number that does not come
 * back as it was. */
static void test_formats(void **state)
{
  struct bench *b = *state;
  struct wave *w = &b->wave;
  uint32_t *p = arena_alloc(b->arena, 64);
  w->s[SOFFSET] = 0;
  WAVE_EXEC(w) = 1 << 3;
  for (unsigned k = 0; k < sizeof formats / sizeof *formats; k++) {
    uint32_t format = formats[k].number << 12 | formats[k].data << 15;
    struct inst load = buffer(0x03, 0, 0), store = buffer(0x07, 0, 0);
    resource(w, p, 0, 64, XYZW | format);
    if (k & 1) { /* MTBUF */
      w->s[SRSRC + 3] = XYZW;
      load.format = store.format = MTBUF;
      load.dfmt = store.dfmt = (uint8_t)formats[k].data;
      load.nfmt = store.nfmt = (uint8_t)formats[k].number;
    }
    memcpy(p, formats[k].memory, 16);
    bench_ok(b, &load);
    for (unsigned c = 0; c < 4; c++)
      assert_int_equal(w->v[8 + c][3], formats[k].component[c]);
    memset(p, 0, 16);
    bench_ok(b, &store);
    if (formats[k].data == 10 && formats[k].number == 1)
      assert_int_equal(p[0], 0x0081817f);
    else
      assert_memory_equal(p, formats[k].memory, 16);
  }
}

static void test_format_forms(void **state)
{
  struct bench *b = *state;
  struct wave *w = &b->wave;
  uint32_t *p = arena_alloc(b->arena, 64);
  struct inst xyzw = buffer(0x03, 0, 0), d16 = buffer(0x0b, 0, 0);
  struct inst high = buffer(0x26, 0, 0), out = buffer(0x0f, 0, 4);
  w->s[SOFFSET] = 0;
  p[0] = 0x0133ff00;
  /* DST_SEL: w, 0, 1, x. */
  resource(w, p, 0, 64, 7 | 0 << 3 | 1 << 6 | 4 << 9 | 10 << 15 | 4 << 12);
  bench_ok(b, &xyzw);
  for (unsigned c = 0; c < 4; c++)
    assert_int_equal(w->v[8 + c][0], ((uint32_t[]){1, 0, 1, 0})[c]);
  /* Halves of 0, 1, 0.2, 1/255. */
  resource(w, p, 0, 64, XYZW | 10 << 15);
  bench_ok(b, &d16);
  assert_int_equal(w->v[8][0], 0x3c000000);
  assert_int_equal(w->v[9][0], 0x1c043266);
  bench_ok(b, &out);
  assert_int_equal(p[1], p[0]);
  w->v[8][0] = OLD;
  p[0] = 0xff;
  bench_ok(b, &high);
  assert_int_equal(w->v[8][0], 0x3c000000);
  /* Outside the range: 0. */
  resource(w, p, 0, 3, XYZW | 10 << 15);
  bench_ok(b, &xyzw);
  assert_int_equal(w->v[8][0] | w->v[11][0], 0);
  /* No such format. */
  resource(w, p, 0, 64, XYZW | 15 << 15);
  bench_do(b, &xyzw);
  assert_int_equal(w->fault.code, FAULT_LAUNCH);
}

/* M0, the offset and the lane make the LDS address; what is out of the
 * buffer's range arrives as 0, lanes that are off write nothing. */
static void test_to_lds(void **state)
{
  struct bench *b = *state;
  struct wave *w = &b->wave;
  uint8_t *p = arena_alloc(b->arena, BYTES), before[LDS_BYTES];
  struct inst dword = buffer(0x14, INST_OFFEN | INST_LDS, 12);
  struct inst sbyte = buffer(0x11, INST_OFFEN | INST_LDS, 0);
  bench_fill(p, BYTES);
  memset(b->group.lds, 0x55, LDS_BYTES);
  memcpy(before, b->group.lds, LDS_BYTES);
  resource(w, p, 0, 40 * 8 + 16, 0);
  w->s[SOFFSET] = 0;
  w->s[CODE_M0] = 0x70000 + 256;
  for (unsigned l = 0; l < LANES; l++)
    w->v[0][l] = 8 * l;
  WAVE_EXEC(w) = ~(uint64_t)2;
  bench_ok(b, &dword);
  for (unsigned l = 0; l < LANES; l++)
    assert_int_equal(bench_dword(b->group.lds + 268 + 4 * l, 4, 0),
                     l == 1    ? 0x55555555
                     : l <= 40 ? bench_dword(p + 12 + 8 * l, 4, 0)
                               : 0);
  assert_memory_equal(b->group.lds, before, 268);
  p[24] = 0x80;
  bench_ok(b, &sbyte);
  assert_int_equal(bench_dword(b->group.lds + 256 + 12, 4, 0), 0xffffff80);
  w->s[CODE_M0] = LDS_BYTES - 4 * 63;
  bench_do(b, &sbyte);
  bench_faulted(b, "lane 63");
}

static void test_refused(void **state)
{
  struct inst lds = buffer(0x15, INST_LDS, 0), odd = buffer(0x3d, 0, 0);
  struct inst cache = buffer(0x3e, 0, 0);
  struct bench *b = *state;
  lds.as = lds.op;
  odd.as = odd.op;
  assert_null(memory_handler(&lds));
  assert_null(memory_handler(&odd));
  bench_ok(b, &cache);
  assert_int_equal(b->wave.access.n, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    BENCH_TEST(test_addresses), BENCH_TEST(test_widths),
    BENCH_TEST(test_range),     BENCH_TEST(test_atomics),
    BENCH_TEST(test_faults),    BENCH_TEST(test_private),
    BENCH_TEST(test_swizzle),   BENCH_TEST(test_formats),
    BENCH_TEST(test_format_forms), BENCH_TEST(test_to_lds),
    BENCH_TEST(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
