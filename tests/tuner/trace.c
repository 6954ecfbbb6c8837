/* trace.c - `serves` of the families of products: kernels that serve each other's problems
 * are the same text, and formulas hold for every configuration that is drawn. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "arch/arch.h"
#include "base/rng.h"
#include "gen/space.h"
#include "gen/trace.h"

enum {PROBLEMS = 4, CONFIGS = 4, TRIES = 16};

static struct problem problem_of(struct family *f, const char *const *names,
                                 const char *const *texts, size_t n)
{
  struct problem p;
  struct err e = {0};
  if (family_problem(f, names, texts, n, &p, &e))
    fail_msg("%s", e.text);
  return p;
}

/* Layout and beta are one of eight by `words`. thin: so is the side of C, rows
 * or columns, that is at most 16. */
static struct problem draw(struct family *f, struct rng *r, unsigned words,
                           int thin)
{
  static const char *const layouts[] = {"nn", "nt", "tn", "tt"};
  static const char *const betas[] = {"0", "0.5"};
  const char *names[] = {"m", "n", "k", "layout", "beta"};
  const char *texts[5];
  char sizes[3][16];
  for (int i = 0; i < 3; i++) {
    unsigned size = (unsigned)(1 + rng_below(r, 40)) << rng_below(r, 6);
    if (thin) // few lengths, so that some fit each other
      size = i == (int)(words / 2 % 2) ? 1 + size % 16 / 4 * 5 : 48u << size % 3;
    snprintf(sizes[i], sizeof sizes[i], "%u", size);
    texts[i] = sizes[i];
  }
  texts[3] = layouts[words % 4];
  texts[4] = betas[words / 4 % 2];
  return problem_of(f, names, texts, 5);
}

/* Of quantised weights; thin: n, at most 8, is one of four by `words`. */
static struct problem draw_quant(struct family *f, struct rng *r,
                                 unsigned words, int thin)
{
  static const char *const types[] = {"q4_0", "q4_K", "q8_0", "q6_K"};
  const char *const names[] = {"m", "n", "k", "dtype"};
  char sizes[3][16];
  const char *const texts[] = {sizes[0], sizes[1], sizes[2],
                               types[words % 4]};
  unsigned n = thin ? 1u << words % 4 : 9 + (unsigned)rng_below(r, 100);
  snprintf(sizes[0], sizeof *sizes, "%u", 1 + (unsigned)rng_below(r, 5000));
  snprintf(sizes[1], sizeof *sizes, "%u", n);
  snprintf(sizes[2], sizeof *sizes, "%u",
           256u * (1 + (unsigned)rng_below(r, 12)));
  return problem_of(f, names, texts, 4);
}

static void render(struct family *f, const struct problem *p,
                   const struct config *c, struct str *out)
{
  struct err e = {0};
  if (family_render(f, p, c, out, NULL, &e))
    fail_msg("%s", e.text);
}

static const char *behind_head(const struct str *text)
{
  const char *end = strstr(text->at, "*/\n");
  assert_non_null(end);
  return end;
}

/* Traces of one configuration for p and q: do both serve both? */
static int mutual(struct family *f, const struct problem *p,
                  const struct problem *q, const struct config *c)
{
  struct trace a = {0}, b = {0};
  struct err e = {0};
  const char *reason;
  if (family_trace(f, p, c, &a, &e))
    fail_msg("%s", e.text);
  int yes = trace_serves(&a, q, &reason) && !family_trace(f, q, c, &b, &e) &&
            trace_serves(&b, p, &reason);
  trace_free(&a);
  trace_free(&b);
  return yes;
}

typedef struct problem drawer(struct family *, struct rng *, unsigned words,
                              int thin);

static void same_text(const char *family, drawer *draw_one, int thin)
{
  struct family *f;
  struct err e = {0};
  const struct arch *a;
  const struct pair *facts;
  struct rng r;
  unsigned served = 0;
  rng_seed(&r, 1);
  assert_int_equal(arch_need("gfx906", &a, &e), 0);
  assert_int_equal(family_open(&f, family, NULL, &e), 0);
  size_t n = arch_facts(a, &facts);
  assert_int_equal(family_set_arch(f, facts, n, &e), 0);
  for (unsigned i = 0; i < PROBLEMS; i++) {
    struct problem p = draw_one(f, &r, i, thin);
    struct space *s;
    struct config c = {0};
    if (space_open(&s, f, &p, &e))
      fail_msg("%s", e.text);
    for (int j = 0; j < CONFIGS && space_random(s, &r, &c); j++)
      for (int tries = 0; tries < TRIES; tries++) {
        struct problem q = draw_one(f, &r, i, thin);
        if (!mutual(f, &p, &q, &c))
          continue;
        struct str mine = {0}, other = {0};
        render(f, &p, &c, &mine);
        render(f, &q, &c, &other);
        assert_string_equal(behind_head(&mine), behind_head(&other));
        str_free(&mine);
        str_free(&other);
        served++;
        break;
      }
    space_close(s);
  }
  family_close(f);
  if (served < PROBLEMS)
    fail_msg("only %u pairs", served);
}

static void gemm(void **state)
{
  (void)state;
  same_text("gemm", draw, 0);
}

static void skinny(void **state)
{
  (void)state;
  same_text("skinny", draw, 1);
}

static void mmvq(void **state)
{
  (void)state;
  same_text("mmvq", draw_quant, 1);
}

static void mmq(void **state)
{
  (void)state;
  same_text("mmq", draw_quant, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gemm), cmocka_unit_test(skinny),
      cmocka_unit_test(mmvq), cmocka_unit_test(mmq)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
