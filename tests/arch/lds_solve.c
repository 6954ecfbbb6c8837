/* The solver against brute force: conflicts counted from the definition, over
 * all pads and masks, for random tiles and accesses on every arch. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "arch/lds_solve.h"

enum {CASES = 600};

struct puzzle {
  const struct lds_layout *y;
  struct lds_tile tile;
  struct lds_use uses[2];
  uint64_t budget;
};

/* --- the definition ------------------------------------------------------ */

/* Word of the tile (row by row, without pad) that a lane's access starts at:
 * walks as the family `lds` describes them. */
static void position(const struct puzzle *z, const struct lds_use *u,
                     unsigned n, unsigned lane, unsigned *row, unsigned *word)
{
  unsigned words = u->bytes / 4, across = z->tile.row_bytes / u->bytes;
  if (u->walk == LDS_ALONG) {
    unsigned vector = n * (z->y->wave / u->down) + lane / u->down;
    *row = vector / across;
    *word = vector % across * words;
  } else if (u->walk == LDS_COLUMNS) {
    unsigned strips = z->tile.rows / u->down, wide = z->y->wave / u->down;
    *row = (n % strips) * u->down + lane % u->down;
    *word = ((n / strips) * wide + lane / u->down) * words;
  } else {
    unsigned vector = n / u->run * z->y->wave + lane;
    unsigned in_column = z->tile.rows / u->run;
    *row = vector % in_column * u->run + n % u->run;
    *word = vector / in_column;
  }
}

static unsigned physical(const struct puzzle *z, const struct lds_way *w,
                         unsigned row, unsigned word)
{
  unsigned stride = (z->tile.row_bytes + w->pad) / 4;
  if (w->mask) {
    unsigned unit = w->unit / 4;
    word = (word / unit ^ row % (w->mask + 1)) * unit + word % unit;
  }
  return row * stride + word;
}

/* Cycles of the lanes first..first+n-1 of the phase order: the most different
 * words that one bank must give. */
static unsigned phase_cycles(const unsigned *words, unsigned n, unsigned wide,
                             unsigned banks)
{
  unsigned seen[LDS_LANES * 4], of_bank[LDS_BANKS] = {0}, total = 0, most = 0;
  for (unsigned k = 0; k < n; k++)
    for (unsigned e = 0; e < wide; e++) {
      unsigned j = 0;
      while (j < total && seen[j] != words[k] + e)
        j++;
      if (j < total)
        continue;
      seen[total++] = words[k] + e;
      unsigned in = ++of_bank[(words[k] + e) % banks];
      most = in > most ? in : most;
    }
  return most;
}

static uint64_t count(const struct puzzle *z, const struct lds_use *u,
                      const struct lds_way *w)
{
  const struct lds_phases *p = &(u->kind == LDS_READ
                                     ? z->y->read
                                     : z->y->write)[u->bytes / 4];
  unsigned size = z->y->wave / p->phases;
  unsigned all = z->tile.rows * z->tile.row_bytes / (u->bytes * z->y->wave);
  uint64_t conflicts = 0;
  for (unsigned n = 0; n < all; n++)
    for (unsigned phase = 0; phase < p->phases; phase++) {
      unsigned words[LDS_LANES];
      for (unsigned k = 0; k < size; k++) {
        unsigned row, word;
        position(z, u, n, p->order[phase * size + k], &row, &word);
        words[k] = physical(z, w, row, word);
      }
      conflicts += phase_cycles(words, size, u->bytes / 4, p->banks) - 1;
    }
  return conflicts;
}

static uint64_t both(const struct puzzle *z, const struct lds_way *w)
{
  return count(z, &z->uses[0], w) + count(z, &z->uses[1], w);
}

/* --- brute force --------------------------------------------------------- */

static uint64_t tiles(const struct puzzle *z, unsigned pad)
{
  return z->budget / (z->tile.rows * (uint64_t)(z->tile.row_bytes + pad));
}

/* How dear a way is, as lds_solve.h says: nothing, free pads, XORs, pads. */
static unsigned dearness(const struct puzzle *z, const struct lds_way *w)
{
  if (w->mask)
    return 20000 + 8 * w->mask + w->unit / 16;
  if (!w->pad)
    return 0;
  return (tiles(z, w->pad) == tiles(z, 0) ? 10000 : 30000) + w->pad;
}

struct best {
  uint64_t conflicts;
  unsigned dearness;
};

static void consider(const struct puzzle *z, struct lds_way w, struct best *b)
{
  struct best x = {both(z, &w), dearness(z, &w)};
  if (x.conflicts < b->conflicts ||
      (x.conflicts == b->conflicts && x.dearness < b->dearness))
    *b = x;
}

/* Pads over two turns of 64 banks; every max phase, in chunks of 1, 2 and 4
 * of the widest access. */
static struct best brute_force(const struct puzzle *z)
{
  struct best b = {UINT64_MAX, 0};
  unsigned wide = z->uses[0].bytes > z->uses[1].bytes ? z->uses[0].bytes
                                                      : z->uses[1].bytes;
  for (unsigned pad = 0; pad < 512; pad += wide)
    if (tiles(z, pad))
      consider(z, (struct lds_way){pad, 0, 0}, &b);
  for (unsigned phases = 2; phases <= z->tile.rows; phases *= 2)
    for (unsigned unit = wide; unit <= 4 * wide; unit *= 2)
      if (z->tile.row_bytes % (phases * unit) == 0)
        consider(z, (struct lds_way){0, phases - 1, unit}, &b);
  return b;
}

/* --- random cases -------------------------------------------------------- */

static unsigned pick(struct rng *r, const unsigned *list, unsigned n)
{
  return list[rng_below(r, n)];
}

static struct puzzle draw(struct rng *r)
{
  static const unsigned rows[] = {8, 16, 24, 32, 48, 64, 64, 128};
  static const unsigned words[] = {8, 16, 20, 32, 32, 40, 64, 64, 96, 128};
  static const unsigned widths[] = {4, 8, 16, 16};
  static const unsigned downs[] = {1, 2, 4, 8, 16, 16, 32, 64};
  static const unsigned runs[] = {1, 2, 4};
  struct puzzle z = {.tile = {pick(r, rows, 8), 4 * pick(r, words, 10)}};
  size_t layouts = 0;
  while (lds_layout_at(layouts))
    layouts++;
  z.y = lds_layout_at(rng_below(r, (uint32_t)layouts));
  z.uses[0] = rng_below(r, 4)
                  ? (struct lds_use){LDS_WRITE, LDS_ALONG,
                                     pick(r, widths, 4), 1, 1}
                  : (struct lds_use){LDS_WRITE, LDS_TURNED, 4, 1,
                                     pick(r, runs, 3)};
  z.uses[1] = (struct lds_use){LDS_READ,
                               rng_below(r, 4) ? LDS_COLUMNS : LDS_ALONG,
                               pick(r, widths, 4), pick(r, downs, 8), 1};
  z.budget = rng_below(r, 2)
                 ? 65536
                 : (uint64_t)z.tile.rows * (z.tile.row_bytes + rng_below(r, 64))
                       * (1 + rng_below(r, 3));
  return z;
}

static int solvable(const struct puzzle *z)
{
  const char *why;
  return lds_use_fits(z->y, &z->tile, &z->uses[0], &why) &&
         lds_use_fits(z->y, &z->tile, &z->uses[1], &why);
}

static void check(const struct puzzle *z, unsigned *cured, unsigned *left)
{
  struct lds_solution s;
  struct best b = brute_force(z);
  int fits = lds_solve(z->y, &z->tile, z->uses, 2, z->budget, &s);
  assert_int_equal(fits, b.conflicts != UINT64_MAX);
  if (!fits)
    return;
  assert_int_equal(s.conflicts, b.conflicts);
  assert_int_equal(dearness(z, &s.way), b.dearness);
  assert_int_equal(both(z, &s.way), s.conflicts);
  assert_true(lds_tile_bytes(&z->tile, &s.way) <= z->budget);
  *cured += !s.conflicts && (s.way.pad || s.way.mask);
  *left += s.conflicts != 0;
}

static void test_brute_force(void **state)
{
  struct rng r;
  unsigned cured = 0, left = 0;
  (void)state;
  rng_seed(&r, 11);
  for (unsigned i = 0; i < CASES;) {
    struct puzzle z = draw(&r);
    if (!solvable(&z))
      continue;
    check(&z, &cured, &left);
    i++;
  }
  assert_true(cured > CASES / 10); /* the cases are worth something */
  assert_true(left > CASES / 50);
}

/* --- what the notes say -------------------------------------------------- */

static struct lds_solution solve(const char *arch, struct lds_tile tile,
                                 unsigned write, struct lds_use read,
                                 uint64_t budget)
{
  struct lds_solution s;
  struct lds_use uses[2] = {{LDS_WRITE, LDS_ALONG, write, 1, 1}, read};
  assert_true(lds_solve(lds_layout_find(arch), &tile, uses, 2, budget, &s));
  return s;
}

/* gfx906, 64 rows of 32 vec4 read down a column: one vec4 of padding where
 * there is room ("stride_vec = K_vec + 1"), an XOR where there is none. */
static void test_layout_standard(void **state)
{
  struct lds_tile tile = {64, 512};
  struct lds_use column = {LDS_READ, LDS_COLUMNS, 16, 64, 1};
  (void)state;
  struct lds_solution s = solve("gfx906", tile, 16, column, 48 << 10);
  assert_int_equal(s.conflicts, 0);
  assert_int_equal(s.way.pad, 16);
  assert_false(s.tight);
  /* Two such tiles fill 64 KiB: the pad would cost one of them. */
  s = solve("gfx906", tile, 16, column, 64 << 10);
  assert_int_equal(s.conflicts, 0);
  assert_int_equal(s.way.pad, 0);
  assert_int_equal(s.way.mask, 7);
  assert_int_equal(s.way.unit, 16);
  assert_true(s.tight);
}

/* A row-consumed operand: "no pad needed". */
static void test_rows(void **state)
{
  struct lds_use row = {LDS_READ, LDS_ALONG, 16, 1, 1};
  (void)state;
  struct lds_solution s = solve("gfx906", (struct lds_tile){64, 512}, 16, row,
                                64 << 10);
  assert_int_equal(s.conflicts, 0);
  assert_int_equal(s.way.pad + s.way.mask, 0);
}

/* MI350's example: swizzle unit 8 (16 bytes of f16) and max phase 8. */
static void test_mi350(void **state)
{
  struct lds_use matrix = {LDS_READ, LDS_COLUMNS, 16, 16, 1};
  (void)state;
  struct lds_solution s = solve("gfx950", (struct lds_tile){32, 128}, 4,
                                matrix, 4096);
  assert_int_equal(s.conflicts, 0);
  assert_int_equal(s.way.mask + 1, 8);
  assert_int_equal(s.way.unit, 16);
}

/* Its second exception: rows of 4 chunks for the 8 rows of a phase. An XOR
 * leaves two rows to each chunk in 8 phases of 4 reads. A pad of 16 bytes does
 * away with that, but then the 4 writes, of two rows in a phase, come around
 * to the first bank: as many, for more LDS. */
static void test_inevitable(void **state)
{
  static const uint64_t budgets[] = {4096, 65536};
  struct lds_use column = {LDS_READ, LDS_COLUMNS, 16, 64, 1};
  struct lds_tile tile = {64, 64};
  (void)state;
  for (size_t i = 0; i < 2; i++) {
    struct lds_solution s = solve("gfx942", tile, 16, column, budgets[i]);
    assert_int_equal(s.conflicts, 4 * 8);
    assert_int_equal(s.way.mask, 3);
  }
  struct lds_way pad = {16, 0, 0};
  struct lds_use write = {LDS_WRITE, LDS_ALONG, 16, 1, 1};
  const struct lds_layout *y = lds_layout_find("gfx942");
  assert_int_equal(lds_price(y, &tile, &column, &pad).conflicts, 0);
  assert_int_equal(lds_price(y, &tile, &write, &pad).conflicts, 4 * 8);
}

/* 16 rows read by groups of 16 lanes, a chunk each: an operand of the matrix cores.
 * Cycles of a ds_read_b128 by the lane groups that HipKittens (gfx950) and pyhip
 * (gfx942) measured, worked out apart from this code. 4 bytes of pad, an element or
 * two, leave conflicts, and accesses that are not aligned. */
static void test_matrix_operand(void **state)
{
  static const struct {
    unsigned row;
    struct lds_way way;
    unsigned gfx950, gfx942;
  } table[] = {
      {64, {0, 0, 0}, 8, 16},   {64, {0, 3, 16}, 8, 8},
      {64, {16, 0, 0}, 8, 16},  {64, {32, 0, 0}, 4, 8},
      {64, {64, 0, 0}, 16, 32},
      {128, {0, 0, 0}, 16, 32}, {128, {0, 7, 16}, 4, 8},
      {128, {0, 3, 16}, 8, 16}, {128, {4, 0, 0}, 16, 48},
      {128, {8, 0, 0}, 8, 24},  {128, {16, 0, 0}, 8, 16},
      {128, {32, 0, 0}, 4, 8},  {128, {64, 0, 0}, 8, 16},
      {256, {0, 0, 0}, 32, 32}, {256, {0, 15, 16}, 4, 8},
      {256, {0, 7, 16}, 8, 8},  {256, {16, 0, 0}, 8, 16},
      {256, {32, 0, 0}, 4, 8},  {256, {64, 0, 0}, 8, 16},
      {512, {0, 0, 0}, 32, 32}, {512, {0, 15, 16}, 4, 8},
      {512, {0, 7, 16}, 8, 8},  {512, {16, 0, 0}, 8, 16},
      {512, {32, 0, 0}, 4, 8},  {512, {64, 0, 0}, 8, 16},
  };
  struct lds_use use = {LDS_READ, LDS_COLUMNS, 16, 16, 1};
  (void)state;
  for (size_t n = 0; n < sizeof table / sizeof *table; n++)
    for (int which = 0; which < 2; which++) {
      struct lds_tile tile = {16, table[n].row};
      struct lds_price p = lds_price(lds_layout_find(which ? "gfx942" : "gfx950"),
                                     &tile, &use, &table[n].way);
      unsigned want = which ? table[n].gfx942 : table[n].gfx950;
      if (p.cycles != want * p.instructions)
        fail_msg("rows of %u bytes, pad %u, mask %u: %g cycles, not %u",
                 table[n].row, table[n].way.pad, table[n].way.mask,
                 (double)p.cycles / (double)p.instructions, want);
    }
}

static void test_no_room(void **state)
{
  struct lds_solution s;
  struct lds_tile tile = {64, 512};
  struct lds_use use = {LDS_READ, LDS_ALONG, 16, 1, 1};
  (void)state;
  assert_false(lds_solve(lds_layout_find("gfx906"), &tile, &use, 1, 4096,
                         &s));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_brute_force),
    cmocka_unit_test(test_layout_standard),
    cmocka_unit_test(test_rows),
    cmocka_unit_test(test_mi350),
    cmocka_unit_test(test_inevitable),
    cmocka_unit_test(test_matrix_operand),
    cmocka_unit_test(test_no_room),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
