/* guess.c - what is guessed of configurations orders them as the card must. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/session/guess.h"

#include <math.h>

#include "bowl.h"
#include "gen/space.h"
#include "gen/work.h"

enum {DRAWN = 300};

static struct family *family;
static const struct arch *arch;

#define BASE "tile_m=64,tile_n=64,thread_m=4,thread_n=4,wave_m=8,tile_k=16," \
  "slice_k=1,slice_loads=0,load_a=4,load_b=4,read_width=4,pad_a=4,pad_b=0," \
  "xor_a=0,xor_b=0," \
  "async=0,stages=1,load_ahead=1,read_ahead=0,raster=1,split_k=1,stream_k=0"

#define THIN "short=m,columns=8,rows=2,depth=8,width=4,lanes_k=64,waves_k=1," \
  "waves_r=8,x_in=lds,panel=0,ahead=0,waves=1,per_cu=2,split_k=4"

static struct config config(const char *base, const char *change)
{
  struct config c = {0};
  struct err e = {0};
  if (config_parse(family, base, 0, &c, &e) ||
      config_parse(family, change, 1, &c, &e))
    fail_msg("%s", e.text);
  return c;
}

/* Of a product whose m, n and k are given. */
static double guessed_of(const char *base, const char *const sizes[3],
                         const char *change)
{
  const char *names[] = {"m", "n", "k"}, *texts[3];
  struct problem p;
  struct err e = {0};
  struct config c = config(base, change);
  for (int i = 0; i < 3; i++)
    texts[i] = sizes[i];
  if (family_problem(family, names, texts, 3, &p, &e))
    fail_msg("%s", e.text);
  struct guess *g = guess_open(family, &p, arch);
  assert_non_null(g);
  double us = guess_us(g, &c);
  assert_true(isfinite(us) && us > 0);
  assert_true(guess_us(g, &c) == us);
  guess_close(g);
  return us;
}

/* Of a product of n x n x k. */
static double guessed(const char *n, const char *k, const char *change)
{
  const char *sizes[] = {n, n, k};
  return guessed_of(BASE, sizes, change);
}

/* Twice the steps are nearly twice the time, 64 times the tiles over 20 times:
 * two workgroups a unit wait more than many. */
static void work_counts(void **state)
{
  (void)state;
  double one = guessed("512", "4096", "raster=1");
  double two = guessed("512", "8192", "raster=1");
  assert_true(two > 1.8 * one && two < 2.1 * one);
  assert_true(guessed("4096", "4096", "raster=1") > 20 * one);
}

/* 64 tiles on 60 units are two rounds of one, and split in four they share the
 * card; 16 large tiles leave most of it idle. */
static void the_card_is_to_be_filled(void **state)
{
  (void)state;
  double tiles = guessed("512", "8192", "raster=1");
  assert_true(guessed("512", "8192", "split_k=4") < tiles);
  assert_true(guessed("512", "8192",
                      "tile_m=128,tile_n=128,thread_m=8,thread_n=8") > tiles);
}

/* So do conflicts, and sums of two by two, which LDS holds up. What is read ahead
 * is not waited for. */
static void waits_cost(void **state)
{
  (void)state;
  double good = guessed("4096", "4096", "raster=1");
  assert_true(guessed("4096", "4096", "pad_a=0") > good);
  assert_true(guessed("4096", "4096", "load_ahead=0") > good);
  assert_true(guessed("4096", "4096",
                      "tile_m=32,tile_n=32,thread_m=2,thread_n=2,"
                      "read_width=2") > 1.3 * good);
  assert_true(guessed("4096", "4096", "stages=2,read_ahead=2") <
              guessed("4096", "4096", "stages=2,read_ahead=1"));
}

/* Of 8 rows, with 64 MB of weights. */
static double thin(const char *change)
{
  static const char *const sizes[] = {"8", "4096", "4096"};
  return guessed_of(THIN, sizes, change);
}

/* Lanes far apart in memory have a line each, registers that there is no room for
 * go to memory, and one row a thread reads LDS once for each of its own words. */
static void thin_products_wait_for_memory(void **state)
{
  (void)state;
  double good = thin("rows=2");
  assert_true(thin("lanes_k=1,width=1,split_k=1") > 1.5 * good);
  assert_true(thin("waves=4,rows=6") > 1.5 * good);
  assert_true(thin("rows=1,depth=2,width=1") > good);
  assert_true(thin("per_cu=0,waves_r=1,split_k=1") > good); /* few loads at a time */
}

/* Of random configurations of a product of such a type and layout. */
static void all_have_a_guess(const char *dtype, const char *layout)
{
  const char *names[] = {"m", "n", "k", "dtype", "layout"};
  const char *texts[] = {"128", "4096", "4096", dtype, layout};
  struct problem p;
  struct space *space;
  struct config c;
  struct rng rng;
  struct err e = {0};
  rng_seed(&rng, 1);
  if (family_problem(family, names, texts, 5, &p, &e) ||
      space_open(&space, family, &p, &e))
    fail_msg("%s", e.text);
  struct guess *g = guess_open(family, &p, arch);
  for (int i = 0; i < DRAWN; i++) {
    struct work work;
    assert_true(space_random(space, &rng, &c));
    if (family_work(family, &p, &c, &work, &e))
      fail_msg("%s", e.text);
    assert_true(isfinite(guess_us(g, &c)));
  }
  guess_close(g);
  space_close(space);
}

/* What rules allow can be made: those of gemm once let slices of four rows have loads
 * of eight, whose threads took rows by numbers divided by 0. */
static void what_is_legal_is_guessed(void **state)
{
  (void)state;
  all_have_a_guess("bf16", "nt");
  all_have_a_guess("f16", "tn");
}

/* A family that says nothing of its work has no guess. */
static void others_have_none(void **state)
{
  (void)state;
  struct bowl b = bowl_open();
  assert_false(family_works(b.family));
  assert_null(guess_open(b.family, &b.problem, arch));
  guess_close(NULL);
  bowl_close(&b);
}

static int open_family(const char *name)
{
  const struct pair *facts;
  arch = arch_find("gfx906");
  size_t n = arch_facts(arch, &facts);
  return family_open(&family, name, NULL, NULL) ||
         family_set_arch(family, facts, n, NULL);
}

static int open_gemm(void **state)
{
  (void)state;
  return open_family("gemm");
}

static int open_skinny(void **state)
{
  (void)state;
  return open_family("skinny");
}

static int close_family(void **state)
{
  (void)state;
  family_close(family);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(work_counts),
      cmocka_unit_test(the_card_is_to_be_filled),
      cmocka_unit_test(waits_cost),
      cmocka_unit_test(what_is_legal_is_guessed),
      cmocka_unit_test(others_have_none),
  };
  const struct CMUnitTest of_thin[] = {
      cmocka_unit_test(thin_products_wait_for_memory),
  };
  int failed = cmocka_run_group_tests(tests, open_gemm, close_family);
  return failed + cmocka_run_group_tests(of_thin, open_skinny, close_family);
}
