/* The LDS as it is hit, against the tables of published notes: AMD's note on
 * MI350 bank swizzling, and the stride tables of notes on LDS optimisation
 * for 32 and for 64 banks. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arch/arch.h"
#include "arch/lds_solve.h"
#include "tuner/cli/lds_plot.h"
#include "tuner/cli/lds_text.h"

/* --- the family's own addresses ------------------------------------------ */

/* The accesses of `tune lds` with these keys and tunables. */
static size_t accesses(const char *arch, const char *const *keys, size_t nkeys,
                       const char *config, struct lds_access *list)
{
  struct family *f;
  struct problem p;
  struct config c = {0};
  struct err e = {0};
  const struct pair *facts;
  const char *names[8], *texts[8];
  size_t n = 0;
  for (size_t i = 0; i < nkeys; i++) {
    names[i] = keys[2 * i];
    texts[i] = keys[2 * i + 1];
  }
  size_t nfacts = arch_facts(arch_find(arch), &facts);
  assert_int_equal(family_open(&f, "lds", NULL, &e), 0);
  assert_int_equal(family_set_arch(f, facts, nfacts, &e), 0);
  if (family_problem(f, names, texts, nkeys, &p, &e) ||
      config_parse(f, config, 1, &c, &e) ||
      family_lds_access(f, &p, &c, list, &n, &e))
    fail_msg("%s", e.text);
  family_close(f);
  return n;
}

/* The last access, which is the read. */
static struct lds_access read_of(const char *arch, const char *const *keys,
                                 size_t nkeys, const char *config)
{
  struct lds_access list[LDS_ACCESSES];
  size_t n = accesses(arch, keys, nkeys, config, list);
  assert_true(n > 1 && !list[n - 1].write);
  return list[n - 1];
}

static void says(const char *arch, const struct lds_access *a,
                 const char *words)
{
  struct str text = {0};
  lds_text(lds_layout_find(arch), a, &text);
  if (!strstr(text.at, words))
    fail_msg("'%s' is not in %s", words, text.at);
  for (const char *line = text.at; *line;) {
    size_t n = strcspn(line, "\n");
    assert_in_range(n, 0, 80);
    line += n + (line[n] == '\n');
  }
  str_free(&text);
}

static unsigned conflicts(const char *arch, const struct lds_access *a)
{
  unsigned n;
  lds_access_cycles(lds_layout_find(arch), a, &n);
  return n;
}

/* --- the MI350 note ------------------------------------------------------ */

/* A tile of 32 x 64 f16, written in pairs and read by eights, 16 lanes down
 * and four across (matrix cores' layout): "Threads 0, 2, 12 and 14 all access
 * the same banks (0/1/2/3)", a 4-way conflict in phase 0 of threads 0-3,
 * 12-15 and 20-27. With swizzle unit 8 and max phase 8 there is none, and
 * "Thread 1 now accesses Banks 36, 37, 38, 39". */
static const char *const mi350[] = {"rows", "32", "columns", "64", "dtype",
                                    "f16", "down", "16"};

static void test_mi350_note(void **state)
{
  (void)state;
  struct lds_access a = read_of("gfx950", mi350, 4,
                                "write_width=1,read_width=4,pad=0,xor=0");
  says("gfx950", &a, "phase 0, lanes 0-3 12-15 20-27: 4 cycles");
  says("gfx950", &a, " 0-3: 0 2 12 14  ");
  assert_int_equal(conflicts("gfx950", &a), 4 * 3);
  a = read_of("gfx950", mi350, 4, "write_width=1,read_width=4,pad=0,xor=7");
  assert_int_equal(a.address[1] / 4 % 64, 36);
  says("gfx950", &a, " 36-39: 1  ");
  says("gfx950", &a, "read_b128: 4 phases, 64 banks: 4 cycles, no conflicts");
}

/* "One exception is when the producer's granularity is larger than the
 * consumer's": lanes meet in one large brick. Written by eights and read in
 * pairs, no mask of the XOR cures the same tile; kept together by pairs, as
 * the consumer alone would want it, 31 does on half of the banks. */
static void test_large_producer(void **state)
{
  static const char *const keys[] = {"rows", "64", "columns", "64", "dtype",
                                     "f16"};
  static const char *const masks[] = {"0", "1", "3", "7"};
  char config[80];
  unsigned least = 64;
  struct lds_access a;
  (void)state;
  for (size_t i = 0; i < 4; i++) {
    strcpy(config, "write_width=4,read_width=1,unit=1,xor=");
    a = read_of("gfx950", keys, 3, strcat(config, masks[i]));
    unsigned n = conflicts("gfx950", &a);
    least = n < least ? n : least;
  }
  assert_int_equal(least, 7); /* 32 even rows in 4 bricks: 8 cycles */
  a = read_of("gfx950", keys, 3, "write_width=1,read_width=1,xor=31");
  assert_int_equal(conflicts("gfx950", &a), 1);
}

/* "When the number of rows accessed by a single phase exceeds the number of
 * available column chunks, a conflict is inevitable": rows of 16 words have 4
 * chunks for the 8 rows of a phase, of which 32 banks hold two. */
static void test_too_many_rows(void **state)
{
  static const char *const keys[] = {"rows", "64", "columns", "16"};
  static const char *const masks[] = {"0", "1", "3"};
  char config[80];
  (void)state;
  for (size_t i = 0; i < 3; i++) {
    strcpy(config, "write_width=4,read_width=4,xor=");
    struct lds_access a = read_of("gfx942", keys, 2, strcat(config, masks[i]));
    assert_true(conflicts("gfx942", &a) > 0);
  }
  struct lds_access a = read_of("gfx942", keys, 2,
                                "write_width=4,read_width=4,pad=4");
  assert_int_equal(conflicts("gfx942", &a), 0);
}

/* --- the stride tables --------------------------------------------------- */

static struct lds_access strided(unsigned bytes, unsigned stride)
{
  struct lds_access a = {.name = "ds_read", .bytes = bytes, .lanes = 64};
  for (unsigned l = 0; l < 64; l++)
    a.address[l] = (uint64_t)l * stride;
  return a;
}

/* gfx942, stride 128: threads 0, 1 and 2 in bank 0, "full conflict". gfx950,
 * stride 128: threads 0 and 2 in bank 0, thread 1 in bank 32; stride 256: all
 * in bank 0, "full 64-way conflict". */
static void test_strides(void **state)
{
  (void)state;
  struct lds_access a = strided(4, 128);
  says("gfx942", &a, "phase 0, lanes 0-31: 32 cycles\n    banks  0: 0 1 2 ");
  assert_int_equal(conflicts("gfx942", &a), 62);
  says("gfx950", &a, "phase 0, lanes 0-63: 32 cycles\n    banks  0: 0 2 4 ");
  says("gfx950", &a, "  32: 1 3 5 ");
  a = strided(4, 256);
  says("gfx950", &a, "phase 0, lanes 0-63: 64 cycles\n    banks  0: 0 1 2 ");
  assert_int_equal(conflicts("gfx950", &a), 63);
}

/* "For XOR mask: 32 / (vec * element_size / 4) - 1", 64 on gfx950: with rows
 * of as many banks as there are, that is the least mask that frees a column
 * of 16-byte reads. */
static void test_masks(void **state)
{
  static const struct {
    const char *arch, *columns, *enough, *less;
  } rows[] = {{"gfx942", "32", "7", "3"}, {"gfx950", "64", "15", "7"}};
  char config[80];
  (void)state;
  for (size_t i = 0; i < 2; i++) {
    const char *keys[] = {"rows", "64", "columns", rows[i].columns};
    strcpy(config, "write_width=4,read_width=4,xor=");
    struct lds_access a = read_of(rows[i].arch, keys, 2,
                                  strcat(config, rows[i].enough));
    assert_int_equal(conflicts(rows[i].arch, &a), 0);
    strcpy(config, "write_width=4,read_width=4,xor=");
    a = read_of(rows[i].arch, keys, 2, strcat(config, rows[i].less));
    assert_true(conflicts(rows[i].arch, &a) > 0);
  }
}

/* --- the solver's addresses ---------------------------------------------- */

/* The family and the solver describe the same layouts, each in its own words:
 * their addresses agree lane by lane. */
static void same(const char *const *keys, size_t nkeys, const char *config,
                 struct lds_tile tile, struct lds_use use, struct lds_way way)
{
  struct lds_access list[LDS_ACCESSES];
  size_t n = accesses("gfx906", keys, nkeys, config, list);
  int write = use.kind == LDS_WRITE;
  size_t last = write ? n - 1 : 1; /* a write of `run` elements is so many */
  for (size_t i = 0; i < last; i++) {
    const struct lds_access *a = &list[write ? i : n - 1];
    assert_int_equal(a->write, write);
    assert_int_equal(a->bytes, use.bytes);
    for (unsigned l = 0; l < 64; l++)
      assert_int_equal(a->address[l],
                       lds_lane_address(&lds_layout_gfx906, &tile, &use, &way,
                                        (unsigned)i, l));
  }
}

static void test_same_addresses(void **state)
{
  static const char *const f16[] = {"rows", "32", "columns", "96", "dtype",
                                    "f16", "down", "16"};
  static const char *const turned[] = {"pattern", "transpose", "rows", "32",
                                       "columns", "64"};
  static const char *const row[] = {"pattern", "row", "rows", "16", "columns",
                                    "32", "down", "4"};
  static const char *const plain[] = {"pattern", "contiguous", "rows", "16",
                                      "columns", "24"};
  struct lds_use along = {LDS_WRITE, LDS_ALONG, 8, 1, 1};
  struct lds_use read = {LDS_READ, LDS_ALONG, 16, 1, 1};
  (void)state;
  same(f16, 4, "write_width=1,read_width=2,pad=2,xor=7,unit=2",
       (struct lds_tile){32, 192}, (struct lds_use){LDS_READ, LDS_COLUMNS, 8,
       16, 1}, (struct lds_way){8, 7, 16});
  same(f16, 4, "write_width=2,read_width=1,pad=12,xor=3,unit=1",
       (struct lds_tile){32, 192}, along, (struct lds_way){48, 3, 8});
  same(turned, 3, "write_width=4,read_width=4,pad=4,xor=3,unit=1",
       (struct lds_tile){32, 256}, (struct lds_use){LDS_WRITE, LDS_TURNED, 4,
       1, 4}, (struct lds_way){16, 3, 16});
  same(turned, 3, "write_width=2,read_width=4,pad=0,xor=7,unit=2",
       (struct lds_tile){32, 256}, read, (struct lds_way){0, 7, 32});
  same(row, 4, "write_width=4,read_width=4,pad=0,xor=0",
       (struct lds_tile){16, 128}, (struct lds_use){LDS_READ, LDS_ALONG, 16, 4,
       1}, (struct lds_way){0, 0, 0});
  same(plain, 3, "write_width=4,read_width=4,pad=8,xor=1,unit=1",
       (struct lds_tile){16, 96}, read, (struct lds_way){32, 1, 16});
}

/* --- words and pictures -------------------------------------------------- */

static void test_sharing(void **state)
{
  struct lds_access a = strided(16, 0);
  (void)state;
  says("gfx906", &a, "    banks  0-3: 0-3=20-23\n");
  a.address[2] = 128;
  a.address[3] = 256;
  says("gfx906", &a, "    banks  0-3: 0=1=20-23 2 3\n");
  a = strided(4, 0);
  says("gfx1100", &a, "1 phases, 32 banks: 1 cycles, no conflicts");
}

/* A box each lane, in a panel as high as there are cycles. */
static void test_plot(void **state)
{
  struct str script = {0};
  struct lds_access list[] = {strided(16, 512), strided(4, 4)};
  (void)state;
  lds_plot(lds_layout_find("gfx906"), list, 2, "a 'title'", &script);
  size_t boxes = 0;
  for (const char *at = script.at; (at = strstr(at, "rectangle")); at++)
    boxes++;
  assert_int_equal(boxes, 128);
  assert_non_null(strstr(script.at, "set yrange [64:0]"));
  assert_non_null(strstr(script.at, "set yrange [2:0]"));
  str_free(&script);
}

/* No line of a long title is wider than the picture, and nothing is lost. */
static void test_long_title(void **state)
{
  struct str script = {0}, title = {0};
  struct lds_access a = strided(4, 4);
  (void)state;
  for (int i = 0; i < 30; i++)
    str_addf(&title, "%stunable_%d=%d", i ? "," : "", i, 100 + i);
  lds_plot(lds_layout_find("gfx906"), &a, 1, title.at, &script);
  const char *at = strstr(script.at, "set multiplot title '");
  assert_non_null(at);
  at = strchr(at, '\'');
  size_t from = 0;
  while (*at == '\'') {
    size_t n = strcspn(at + 1, "'");
    assert_true(n > 0 && n <= 110);
    assert_memory_equal(at + 1, title.at + from, n);
    from += n;
    at += n + 2;
    at += !strncmp(at, ".\"\\n\".", 6) ? 6 : 0;
  }
  assert_int_equal(from, title.len);
  str_free(&script);
  str_free(&title);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_mi350_note),
    cmocka_unit_test(test_large_producer),
    cmocka_unit_test(test_too_many_rows),
    cmocka_unit_test(test_strides),
    cmocka_unit_test(test_masks),
    cmocka_unit_test(test_same_addresses),
    cmocka_unit_test(test_sharing),
    cmocka_unit_test(test_plot),
    cmocka_unit_test(test_long_title),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
