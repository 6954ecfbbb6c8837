/* weights.c - the weights of a family's tunables (gen/family.h) that make results likely.
 *
 *     bench_weights FAMILY ARCH RESULTS JOURNAL...
 *
 * Of each problem that journals hold at least RESULTS of (80 are many) as many are taken,
 * the first ones. Weights begin at 0.3 and change by a factor, one after the other, while
 * that makes what guesses are wrong by likelier, of all problems together. A line for
 * each tunable; before and after them the logarithm of how likely results are, for each
 * problem in the mean and but for a constant, by the odd problems, which the weights are
 * fitted to, and by the even ones. With RESULTS below 0 they are fitted to all.
 */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tests/bench/about.h"
#include "tests/bench/journals.h"
#include "tuner/reference/problem.h"
#include "tuner/search/config_set.h"
#include "tuner/search/gauss.h"
#include "tuner/search/surprise.h"
#include "tuner/session/guess.h"

enum {
  PRODUCTS = 1024,
  PASSES = 12,
};

static const double begin = 0.3, least = 0.002, most = 20;
static const double step = 1.5;

/* One problem and its results. */
struct product {
  char *name;
  struct problem problem;
  struct guess *guess;
  struct config_set seen;
  struct ranking results;
  struct gauss *gauss;
};

struct bench {
  struct family *family;
  const struct arch *arch;
  size_t results; /* of each product */
  int fit_all;
  struct product *products[PRODUCTS];
  size_t n;
};

static struct product *product_of(struct bench *b, const char *name)
{
  for (size_t i = 0; i < b->n; i++)
    if (!strcmp(b->products[i]->name, name))
      return b->products[i];
  if (b->n == PRODUCTS)
    return NULL;
  struct product *p = mem_alloc(sizeof *p);
  *p = (struct product){.name = mem_copy(name)};
  if (!problem_parse(b->family, name, &p->problem, NULL))
    p->guess = guess_open(b->family, &p->problem, b->arch);
  return b->products[b->n++] = p;
}

static void take(void *user, struct record *r)
{
  struct bench *b = user;
  struct config c = {0};
  double us = record_number(r, "time_us", 0);
  struct product *p = us > 0 ? product_of(b, record_text(r, "problem")) : NULL;
  if (p && p->guess && p->results.n < b->results &&
      !config_parse(b->family, record_text(r, "config"), 0, &c, NULL) &&
      isfinite(guess_us(p->guess, &c)) && config_set_add(&p->seen, &c))
    ranking_add(&p->results, &c, us);
  record_free(r);
}

/* What the search would make of the results. */
static void prepare(const struct bench *b, struct product *p)
{
  double leanings[GAUSS_MOST];
  struct config points[GAUSS_MOST];
  size_t values[FAMILY_TUNABLES];
  const struct tunable *tunables;
  size_t n = family_tunables(b->family, &tunables);
  for (size_t i = 0; i < p->results.n; i++) {
    points[i] = p->results.list[i].config;
    leanings[i] = log(guess_us(p->guess, &points[i]));
  }
  surprise_take(p->results.list, leanings, p->results.n);
  for (size_t t = 0; t < n; t++)
    values[t] = tunables[t].nvalues;
  struct space *space = space_open_list(values, n, points, p->results.n);
  p->gauss = gauss_open(space);
  space_close(space);
}

static int is_fitted(const struct bench *b, size_t i)
{
  return b->fit_all || i % 2 == 0;
}

/* Of those that are fitted, or of the others; the mean. */
static double likely(const struct bench *b, int fitted)
{
  double sum = 0, count = 0;
  for (size_t i = 0; i < b->n; i++)
    if (is_fitted(b, i) == fitted) {
      const struct ranking *r = &b->products[i]->results;
      sum += gauss_take(b->products[i]->gauss, r->list, r->n, 0);
      count++;
    }
  return sum / fmax(count, 1);
}

static void weigh(const struct bench *b, size_t tunable, double weight)
{
  for (size_t i = 0; i < b->n; i++)
    gauss_weigh(b->products[i]->gauss, tunable, weight);
}

/* One weight, a step up or down where that is likelier. */
static void improve(const struct bench *b, size_t tunable, double *weight, double *best)
{
  const double tried[] = {fmin(*weight * step, most), fmax(*weight / step, least)};
  for (size_t k = 0; k < 2; k++) {
    weigh(b, tunable, tried[k]);
    double now = likely(b, 1);
    if (now > *best) {
      *best = now;
      *weight = tried[k];
      return;
    }
  }
  weigh(b, tunable, *weight);
}

static void show(const struct bench *b, const char *when)
{
  printf("%s: %.2f", when, likely(b, 1));
  if (!b->fit_all)
    printf(", of the others %.2f", likely(b, 0));
  printf("\n");
}

static void fit(const struct bench *b)
{
  const struct tunable *tunables;
  double weights[FAMILY_TUNABLES];
  size_t n = family_tunables(b->family, &tunables);
  for (size_t t = 0; t < n; t++)
    weigh(b, t, weights[t] = begin);
  show(b, "before");
  double best = likely(b, 1);
  for (int pass = 0; pass < PASSES; pass++)
    for (size_t t = 0; t < n; t++)
      improve(b, t, &weights[t], &best);
  for (size_t t = 0; t < n; t++)
    printf("%s %.2g\n", tunables[t].name, weights[t]);
  show(b, "after");
}

static void product_close(struct product *p)
{
  guess_close(p->guess);
  gauss_close(p->gauss);
  config_set_free(&p->seen);
  ranking_free(&p->results);
  free(p->name);
  free(p);
}

/* Leaves those that have enough results. */
static void choose(struct bench *b)
{
  size_t n = 0;
  for (size_t i = 0; i < b->n; i++) {
    struct product *p = b->products[i];
    if (p->results.n == b->results) {
      prepare(b, p);
      b->products[n++] = p;
    } else {
      product_close(p);
    }
  }
  b->n = n;
}

int main(int argc, char **argv)
{
  struct bench b = {0};
  struct err e = {0};
  int results = argc > 3 ? atoi(argv[3]) : 0;
  b.results = (size_t)abs(results);
  b.fit_all = results < 0;
  if (argc < 5 || !results || b.results > GAUSS_MOST) {
    fprintf(stderr, "usage: bench_weights FAMILY ARCH RESULTS JOURNAL... (at most %d)\n",
            GAUSS_MOST);
    return 2;
  }
  const struct journal_reader reader = {&b, take, NULL};
  int failed = journals_read(&b.family, argv[1], &b.arch, argv[2], argv + 4, &reader, &e);
  choose(&b);
  if (failed)
    fprintf(stderr, "bench_weights: %s\n", e.text);
  else if (b.n > 1) {
    about(argc, argv);
    printf("%zu problems\n", b.n);
    fit(&b);
  } else {
    fprintf(stderr, "bench_weights: fewer than 2 problems have %zu results\n", b.results);
  }
  for (size_t i = 0; i < b.n; i++)
    product_close(b.products[i]);
  family_close(b.family);
  return failed || b.n < 2;
}
