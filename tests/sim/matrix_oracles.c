/* matrix_oracles.c - every dense instruction of the matrix cores, by what AMD's
 * calculator and MMA-Sim say of it (tests/data/mfma.tsv, matrix_oracles.py).
 *
 * The instruction is put together and executed on a wave, with its matrices in
 * VGPRs and, where there are any, in AGPRs. gfx950's own shapes, of which neither
 * tells, multiply small integers, which are exact in every format; where a lane
 * has its elements, CDNA4's manual says, and CK's test mx_mfma_op.
 */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>

#include "base/file.h"
#include "base/rng.h"
#include "base/str.h"
#include "tests/sim/matrix_bench.h"

/* The opcode of a name; -1: the architecture has none. */
static int opcode_of(const struct isa *isa, const char *name)
{
  for (unsigned op = 0; op < 128; op++) {
    const struct op *o = op_find(isa, VOP3P, op);
    if (o && !strcmp(o->name, name))
      return (int)op;
  }
  return -1;
}

/* --- hashes, as matrix_oracles.py makes them ------------------------------ */

static uint64_t fnv(uint64_t h, uint64_t word, unsigned bytes)
{
  for (unsigned n = 0; n < bytes; n++)
    h = (h ^ (word >> 8 * n & 0xff)) * 0x100000001b3;
  return h;
}
static const uint64_t fnv_start = 0xcbf29ce484222325;

static uint64_t hash_place(uint64_t h, struct place p)
{
  return fnv(fnv(h, p.lane, 4), p.bit, 4);
}

static uint64_t hash_a(uint64_t h, const struct matrix *x, unsigned b,
                       int modified)
{
  for (unsigned cbsz = 0; cbsz < (modified ? 5 : 1); cbsz++)
    for (unsigned abid = 0; abid < 1u << cbsz && 1u << cbsz <= x->blocks; abid++)
      for (unsigned i = 0; i < x->m; i++)
        for (unsigned k = 0; k < x->k; k++)
          h = hash_place(h, matrix_input(x, MATRIX_A,
                                         matrix_block(b, cbsz, abid), i, k));
  return h;
}

static uint64_t hash_b(uint64_t h, const struct matrix *x, unsigned b,
                       int permuted)
{
  for (unsigned blgp = 0; blgp < (permuted ? 8 : 1); blgp++)
    for (unsigned j = 0; j < x->n; j++)
      for (unsigned k = 0; k < x->k; k++) {
        struct place p = matrix_input(x, MATRIX_B, b, j, k);
        p.lane = matrix_lane(p.lane, blgp);
        h = hash_place(h, p);
      }
  return h;
}

static uint64_t hash_layout(const struct isa *isa, const struct matrix *x)
{
  uint64_t h = fnv_start;
  for (unsigned b = 0; b < x->blocks; b++) {
    h = hash_a(h, x, b, x->blocks > 1 && x->type[0] != MATRIX_F64);
    h = hash_b(h, x, b, matrix_permutes(isa, x));
    for (unsigned i = 0; i < x->m; i++)
      for (unsigned j = 0; j < x->n; j++)
        h = hash_place(h, matrix_output(x, b, i, j));
  }
  return h;
}

/* --- inputs, as number() of matrix_oracles.py makes them ------------------ */

static const struct {
  uint8_t exponent, fraction;
  uint16_t bias;
} formats[MATRIX_TYPES] = { /* ORDER MATRIX_TYPE */
    {8, 23, 127}, {11, 52, 1023}, {8, 23, 127}, {5, 10, 15}, {8, 7, 127},
    {4, 3, 8}, {5, 2, 16},
};

static uint64_t number(uint64_t seed, uint64_t n, unsigned kind, unsigned type)
{
  unsigned exponents = formats[type].exponent;
  unsigned fractions = formats[type].fraction;
  uint64_t r = rng_nth(seed, n), bias = formats[type].bias;
  uint64_t top = (1u << exponents) - 1, exponent = r >> 52 & top;
  if (kind == 0)
    exponent = bias - 4 + (r >> 52) % 8;
  else if (kind == 2 && exponent == top)
    exponent = bias;
  else if (kind == 3)
    exponent = (uint64_t[]){0, 1, bias, bias + 1}[r >> 52 & 3];
  return r >> 63 << (exponents + fractions) | exponent << fractions |
         (r & ((UINT64_C(1) << fractions) - 1));
}

enum {PART = 1 << 16}; /* numbers of a block's A, B and C */

static unsigned sum_type(const struct matrix *x)
{
  return x->type[0] == MATRIX_F64 ? MATRIX_F64 : MATRIX_F32;
}

static void fill(struct bench *t, const struct matrix *x, unsigned kind)
{
  unsigned type = sum_type(x);
  for (uint64_t b = 0; b < x->blocks; b++) {
    uint64_t first = 3 * b * PART;
    for (unsigned k = 0; k < x->k; k++) {
      for (unsigned i = 0; i < x->m; i++)
        put(t, t->a, matrix_input(x, MATRIX_A, (unsigned)b, i, k),
            matrix_bits(x->type[0]),
            number(kind, first + i * x->k + k, kind, x->type[0]));
      for (unsigned j = 0; j < x->n; j++)
        put(t, t->b, matrix_input(x, MATRIX_B, (unsigned)b, j, k),
            matrix_bits(x->type[1]),
            number(kind, first + PART + k * x->n + j, kind, x->type[1]));
    }
    for (unsigned i = 0; i < x->m; i++)
      for (unsigned j = 0; j < x->n; j++)
        put(t, t->c, matrix_output(x, (unsigned)b, i, j), matrix_bits(type),
            number(kind, first + 2 * PART + i * x->n + j, kind, type));
  }
}

/* Every NaN counts as one. */
static uint64_t one_nan(uint64_t bits, unsigned width)
{
  double d;
  float f;
  uint32_t low = (uint32_t)bits;
  memcpy(&d, &bits, sizeof d);
  memcpy(&f, &low, sizeof f);
  if (width == 64)
    return isnan(d) ? UINT64_C(0x7ff8) << 48 : bits;
  return isnan(f) ? 0x7fc00000 : bits;
}

static uint64_t hash_values(struct bench *t, const struct matrix *x,
                            unsigned kind)
{
  uint64_t h = fnv_start;
  unsigned width = matrix_bits(sum_type(x));
  fill(t, x, kind);
  bench_run(t);
  for (unsigned b = 0; b < x->blocks; b++)
    for (unsigned i = 0; i < x->m; i++)
      for (unsigned j = 0; j < x->n; j++)
        h = fnv(h, one_nan(get(t, matrix_output(x, b, i, j), width), width),
                width / 8);
  return h;
}

/* --- against the file ----------------------------------------------------- */

/* One row's fields; 0 where it is of another kind. */
struct row {
  char kind[16], arch[16], name[64];
  unsigned of; /* kind of numbers */
  uint64_t hash;
};

static int read_row(const char *line, struct row *r)
{
  unsigned long long hash;
  r->of = 0;
  if (sscanf(line, "%15s %15s %63s", r->kind, r->arch, r->name) != 3)
    return 0;
  const char *format = !strcmp(r->kind, "layout") ? "%*s %*s %*s %llx"
                                                  : "%*s %*s %*s %*u %llx";
  if (!strcmp(r->kind, "value") && sscanf(line, "%*s %*s %*s %u", &r->of) != 1)
    return 0;
  if (sscanf(line, format, &hash) != 1)
    return 0;
  r->hash = hash;
  return 1;
}

static int same_values(const struct isa *isa, unsigned op,
                       const struct matrix *x, const struct row *r)
{
  for (int where = IN_VGPRS; where <= IN_AGPRS; where++) {
    struct bench *t = calloc(1, sizeof *t);
    bench_open(t, isa, op, (enum where)where);
    uint64_t h = hash_values(t, x, r->of);
    free(t);
    if (h != r->hash)
      return 0;
  }
  return 1;
}

static int right(const struct isa *isa, const struct row *r)
{
  int op = opcode_of(isa, r->name);
  if (op < 0) {
    print_message("%s: %s is no instruction\n", r->arch, r->name);
    return 0;
  }
  const struct matrix *x = shape(isa, (unsigned)op);
  int same = !strcmp(r->kind, "layout") ? hash_layout(isa, x) == r->hash
                                        : same_values(isa, (unsigned)op, x, r);
  if (!same)
    print_message("%s %s: %s %u differs\n", r->arch, r->name, r->kind, r->of);
  return same;
}

static void test_file(void **state)
{
  const struct isa *isa = *state;
  struct str text = {0};
  struct err e = {0};
  int rows = 0, wrong = 0;
  if (file_read(SOURCE_DIR "/tests/data/mfma.tsv", 1 << 20, &text, &e))
    fail_msg("%s", e.text);
  for (char *save, *line = strtok_r(text.at, "\n", &save); line;
       line = strtok_r(NULL, "\n", &save)) {
    struct row r;
    if (!read_row(line, &r) || strcmp(r.arch, isa->name))
      continue;
    rows++;
    wrong += !right(isa, &r);
  }
  str_free(&text);
  print_message("%d of %d rows are right\n", rows - wrong, rows);
  assert_int_equal(wrong, 0);
  assert_true(rows >= 80); /* gfx908: 20 layouts and 60 of values; others more */
}

/* --- gfx950's own shapes -------------------------------------------------- */

/* A lane has K / (64 / dim) elements of a row or column, one after the other, in
 * consecutive registers; D as of the older shapes. */
static struct place own_input(const struct matrix *x, unsigned bits, unsigned i,
                              unsigned k)
{
  unsigned each = x->k * x->m / 64;
  return (struct place){k / each * x->m + i, k % each * bits};
}

static struct place own_output(unsigned m, unsigned i, unsigned j)
{
  if (m == 16)
    return (struct place){i / 4 * 16 + j, i % 4 * 32};
  return (struct place){i / 4 % 2 * 32 + j, (i / 8 * 4 + i % 4) * 32};
}

static int small(unsigned i, unsigned k)
{
  return (int)(i * 7 + k * 5) % 9 - 4;
}

/* -4 .. 4 as f16, bf16, i8. */
static uint64_t coded(int x, const char *type)
{
  static const uint8_t fp8[] = {0, 0x40, 0x48, 0x4c, 0x50}; /* of one zero */
  static const uint8_t bf8[] = {0, 0x40, 0x44, 0x46, 0x48};
  static const uint16_t halves[] = {0, 0x3c00, 0x4000, 0x4200, 0x4400};
  static const uint16_t bfloats[] = {0, 0x3f80, 0x4000, 0x4040, 0x4080};
  unsigned n = (unsigned)abs(x), sign = x < 0 ? 0x8000 : 0;
  if (!strcmp(type, "i8"))
    return (uint8_t)x;
  if (strstr(type, "8")) /* fp8, bf8 */
    return sign >> 8 | (*type == 'f' && type[1] == 'p' ? fp8 : bf8)[n];
  return sign | (!strcmp(type, "f16") ? halves : bfloats)[n];
}

static double decoded(uint64_t bits, const char *type)
{
  uint32_t low = (uint32_t)bits;
  float f;
  memcpy(&f, &low, sizeof f);
  return !strcmp(type, "i8") ? (int32_t)low : (double)f;
}

static void test_own_shapes(void **state)
{
  static const struct {
    const char *name, *type;
    struct matrix x;
  } all[] = {
      {"v_mfma_f32_16x16x32_f16", "f16", {16, 16, 32, 1, {0, 0}, 0}},
      {"v_mfma_f32_32x32x16_f16", "f16", {32, 32, 16, 1, {0, 0}, 0}},
      {"v_mfma_f32_16x16x32_bf16", "bf16", {16, 16, 32, 1, {0, 0}, 0}},
      {"v_mfma_f32_32x32x16_bf16", "bf16", {32, 32, 16, 1, {0, 0}, 0}},
      {"v_mfma_i32_16x16x64_i8", "i8", {16, 16, 64, 1, {0, 0}, 0}},
      {"v_mfma_i32_32x32x32_i8", "i8", {32, 32, 32, 1, {0, 0}, 0}},
  };
  const struct isa *isa = *state;
  for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
    const struct matrix *x = &all[n].x;
    unsigned bits = strcmp(all[n].type, "i8") ? 16 : 8;
    struct bench *t = calloc(1, sizeof *t);
    int op = opcode_of(isa, all[n].name);
    assert_true(op >= 0);
    bench_open(t, isa, (unsigned)op, n % 2 ? IN_AGPRS : IN_VGPRS);
    for (unsigned i = 0; i < x->m; i++)
      for (unsigned k = 0; k < x->k; k++) {
        put(t, t->a, own_input(x, bits, i, k), bits,
            coded(small(i, k), all[n].type));
        put(t, t->b, own_input(x, bits, i, k), bits,
            coded(small(k, i), all[n].type));
      }
    bench_run(t);
    for (unsigned i = 0; i < x->m; i++)
      for (unsigned j = 0; j < x->n; j++) {
        double want = 0;
        for (unsigned k = 0; k < x->k; k++)
          want += small(i, k) * small(k, j);
        double is = decoded(get(t, own_output(x->m, i, j), 32), all[n].type);
        if (is < want || is > want)
          fail_msg("%s: row %u, column %u: %g, not %g", all[n].name, i, j, is,
                   want);
      }
    free(t);
  }
}

/* --- sparse A ------------------------------------------------------------- */

/* Of k 4 q .. 4 q + 3 of row i A has two, one of six pairs, different by row. */
static void pair_of(unsigned i, unsigned q, unsigned to[2])
{
  static const uint8_t pairs[6][2] = {{0, 1}, {0, 2}, {0, 3},
                                      {1, 2}, {1, 3}, {2, 3}};
  const uint8_t *p = pairs[(i + 5 * q) % 6];
  to[0] = 4 * q + p[0];
  to[1] = 4 * q + p[1];
}

/* Of indices, by ABID: the second, where there is one. */
static unsigned set_of(const struct matrix *x)
{
  return x->k / 2 * x->m / 64 < 16;
}

/* As AMD's calculator prints it: an element of A stands where that of half its k
 * does; nibble n of a lane's set of indices is for its elements 2 n, 2 n + 1. */
static void fill_sparse(struct bench *t, const struct matrix *x,
                        const char *of_a, const char *of_b, unsigned bits)
{
  struct matrix half = *x;
  half.k /= 2;
  unsigned each = half.k * x->m / 64;
  for (unsigned i = 0; i < x->m; i++)
    for (unsigned n = 0; n < half.k; n++) {
      struct place p = own_input(&half, bits, i, n);
      unsigned k[2];
      pair_of(i, n / 2, k);
      put(t, t->a, p, bits, coded(small(i, k[n % 2]), of_a));
      p.bit = 2 * (set_of(x) * each + n % each);
      put(t, C, p, 2, k[n % 2] % 4);
    }
  for (unsigned j = 0; j < x->n; j++)
    for (unsigned k = 0; k < x->k; k++)
      put(t, t->b, own_input(x, bits, j, k), bits, coded(small(k, j), of_b));
}

static void sparse_product(const struct isa *isa, unsigned op,
                           enum where where)
{
  const struct matrix *x = shape(isa, op);
  const char *name = op_find(isa, VOP3P, op)->name;
  const char *of_b = strrchr(name, '_') + 1;
  const char *of_a = strstr(name, "_bf8_") ? "bf8" : strstr(name, "_fp8_")
                                                         ? "fp8" : of_b;
  struct bench *t = calloc(1, sizeof *t);
  /* OCP's 8-bit floats are twice those of the same bits with one zero. */
  int unit = isa->ocp && matrix_bits(x->type[0]) == 8 && strcmp(of_b, "i8") ? 4 : 1;
  bench_open(t, isa, op, where);
  t->i.opsel = (uint8_t)set_of(x);
  fill_sparse(t, x, of_a, of_b, matrix_bits(x->type[0]));
  bench_run(t);
  for (unsigned i = 0; i < x->m; i++)
    for (unsigned j = 0; j < x->n; j++) {
      double want = 0;
      for (unsigned q = 0; q < x->k / 4; q++) {
        unsigned k[2];
        pair_of(i, q, k);
        want += unit * (small(i, k[0]) * small(k[0], j) +
                        small(i, k[1]) * small(k[1], j));
      }
      double is = decoded(get(t, own_output(x->m, i, j), 32), of_b);
      if (is < want || is > want)
        fail_msg("%s: row %u, column %u: %g, not %g", name, i, j, is, want);
    }
  free(t);
}

static void test_sparse(void **state)
{
  const struct isa *isa = *state;
  int tried = 0;
  for (unsigned op = 0; op < 128; op++) {
    const struct op *o = op_find(isa, VOP3P, op);
    if (!o || !strstr(o->name, "smfmac") || !shape(isa, op))
      continue;
    sparse_product(isa, op, IN_VGPRS);
    sparse_product(isa, op, IN_AGPRS); /* but for the index */
    tried++;
  }
  assert_int_equal(tried, isa->ocp ? 28 : 14); /* LLVM 22: of gfx950, gfx942 */
}

/* --- what else differs ---------------------------------------------------- */

static void fill_all(struct bench *t, unsigned first, unsigned n, uint32_t x)
{
  for (unsigned r = 0; r < n; r++)
    for (unsigned l = 0; l < LANES; l++)
      t->v[first + r][l] = x;
}

/* 0x38 is 1 in OCP's E4M3, 0.5 in that with one zero (bias 8). */
static void test_ocp(void **state)
{
  const struct isa *isa = *state;
  struct bench *t = calloc(1, sizeof *t);
  bench_open(t, isa, (unsigned)opcode_of(isa, "v_mfma_f32_16x16x32_fp8_fp8"),
             IN_VGPRS);
  fill_all(t, t->a, 2, 0x38383838);
  fill_all(t, t->b, 2, 0x38383838);
  bench_run(t);
  float is, want = isa->ocp ? 32 : 8;
  memcpy(&is, &t->v[t->d][7], sizeof is);
  assert_true(!(is < want) && !(is > want));
  free(t);
}

/* BLGP of doubles: bits 0 to 2 negate A, B and C (LLVM prints neg:[1,0,0]). 4
 * products of 1 and C = 1. */
static void test_negated(void **state)
{
  static const double want[8] = {5, -3, -3, 5, 3, -5, -5, 3};
  const struct isa *isa = *state;
  for (unsigned neg = 0; neg < 8; neg++) {
    struct bench *t = calloc(1, sizeof *t);
    bench_open(t, isa, (unsigned)opcode_of(isa, "v_mfma_f64_16x16x4_f64"),
               IN_VGPRS);
    t->i.neg = (uint8_t)neg;
    fill_all(t, t->a + 1, 1, 0x3ff00000);
    fill_all(t, t->b + 1, 1, 0x3ff00000);
    for (unsigned r = 0; r < 8; r += 2)
      fill_all(t, t->c + r + 1, 1, 0x3ff00000);
    bench_run(t);
    uint64_t bits = get(t, (struct place){5, 0}, 64);
    double is;
    memcpy(&is, &bits, sizeof is);
    assert_true(!(is < want[neg]) && !(is > want[neg]));
    free(t);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
#define ON(test, arch) \
  {#test ", " arch, test, NULL, NULL, (void *)(uintptr_t)isa_find(arch)}
      ON(test_file, "gfx908"),        ON(test_file, "gfx90a"),
      ON(test_file, "gfx942"),        ON(test_own_shapes, "gfx950"),
      ON(test_sparse, "gfx942"),      ON(test_sparse, "gfx950"),
      ON(test_ocp, "gfx942"),         ON(test_ocp, "gfx950"),
      ON(test_negated, "gfx942"),     ON(test_negated, "gfx950"),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
