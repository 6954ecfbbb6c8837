/* search.c - how near a search comes to the best of what journals hold.
 *
 *     bench_search FAMILY ARCH SEEDS EVALS JOURNAL...
 *
 * All journals are of one problem. What was not timed takes its guess, times what the
 * guess is wrong by for its likes that were timed, so that a search takes seconds. It
 * flatters: what is near the best of a journal looks better than it is. Compare by it,
 * and run what is better (docs/search.md, "A search of journals"). A line for each seed:
 * how much slower than the best that was timed the search ended, in percent.
 */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "tests/bench/journals.h"
#include "tuner/reference/problem.h"
#include "tuner/search/config_set.h"
#include "tuner/search/search.h"
#include "tuner/session/guess.h"

struct bench {
  struct family *family;
  const struct arch *arch;
  struct problem problem;
  int has_problem;
  struct space *space;
  struct guess *guess;
  struct config_set numbers; /* of what was timed, */
  size_t room;
  struct timed {
    struct config config;
    double us, wrong; /* logarithm of the time over the guess */
  } *timed;           /* by number - 1 */
  double best;        /* of these */
};

static void add(struct bench *b, const struct config *c, double us)
{
  if (!config_set_add(&b->numbers, c))
    return;
  if (b->numbers.n > b->room) {
    b->room = b->room ? 2 * b->room : 1024;
    b->timed = mem_resize(b->timed, b->room * sizeof *b->timed);
  }
  b->timed[b->numbers.n - 1] = (struct timed){*c, us, 0};
  b->best = fmin(b->best, us);
}

static void take(void *user, struct record *r)
{
  struct bench *b = user;
  struct config c = {0};
  double us = record_number(r, "time_us", 0);
  if (!b->has_problem)
    b->has_problem = !problem_parse(b->family, record_text(r, "problem"),
                                    &b->problem, NULL);
  if (us > 0 && !config_parse(b->family, record_text(r, "config"), 0, &c, NULL))
    add(b, &c, us);
  record_free(r);
}

static int read_all(struct bench *b, const char *family, const char *arch, char **journals,
                    struct err *e)
{
  const struct journal_reader reader = {b, take, NULL};
  if (journals_read(&b->family, family, &b->arch, arch, journals, &reader, e))
    return e->code;
  if (!b->has_problem)
    return err_set(e, ERR_FAILED, "the journals hold no problem of %s", family);
  b->guess = guess_open(b->family, &b->problem, b->arch);
  if (!b->guess)
    return err_set(e, ERR_FAILED, "%s has no guess of its times", family);
  return space_open(&b->space, b->family, &b->problem, e);
}

static void weigh(struct bench *b)
{
  for (size_t i = 0; i < b->numbers.n; i++) {
    struct timed *t = &b->timed[i];
    t->wrong = log(t->us / guess_us(b->guess, &t->config));
  }
}

static double distance(const struct space *s, const struct config *x, const struct config *y)
{
  double sum = 0;
  for (size_t t = 0; t < space_tunables(s); t++)
    if (x->at[t] != y->at[t])
      sum += 0.5 + fabs((double)x->at[t] - y->at[t]) / (double)(space_values(s, t) - 1);
  return sum;
}

static double time_of(struct bench *b, const struct config *c)
{
  size_t number = config_set_number(&b->numbers, c);
  if (number)
    return b->timed[number - 1].us;
  double sum = 0, weights = 0;
  for (size_t i = 0; i < b->numbers.n; i++) {
    const struct timed *t = &b->timed[i];
    if (!isfinite(t->wrong))
      continue;
    double w = exp(-4 * distance(b->space, c, &t->config));
    sum += w * t->wrong;
    weights += w;
  }
  return guess_us(b->guess, c) * (weights > 0 ? exp(sum / weights) : 1);
}

static double guess(void *user, const struct config *c)
{
  return guess_us(user, c);
}

/* The best time of a search, which is told of results as a session tells it. */
static double run(struct bench *b, uint64_t seed, size_t evals)
{
  struct search s = search_open(&search_bayes, b->space, seed);
  struct config open[SEARCH_AHEAD], c;
  size_t asked = 0, told = 0;
  double best = INFINITY;
  search_advise(&s, (struct prior){guess, b->guess});
  while (told < evals) {
    if (asked < evals && asked - told < SEARCH_AHEAD &&
        search_ask(&s, &c) == SEARCH_CONFIG) {
      open[asked++ % SEARCH_AHEAD] = c;
      continue;
    }
    if (asked == told)
      break;
    c = open[told++ % SEARCH_AHEAD];
    double us = time_of(b, &c);
    best = fmin(best, us);
    search_tell(&s, &c, us);
  }
  search_close(&s);
  return best;
}

int main(int argc, char **argv)
{
  struct bench b = {.best = INFINITY};
  struct err e = {0};
  if (argc < 6) {
    fprintf(stderr, "usage: bench_search FAMILY ARCH SEEDS EVALS JOURNAL...\n");
    return 2;
  }
  int failed = read_all(&b, argv[1], argv[2], argv + 5, &e);
  if (failed)
    fprintf(stderr, "bench_search: %s\n", e.text);
  else
    weigh(&b);
  for (int seed = 1; !failed && seed <= atoi(argv[3]); seed++) {
    double found = run(&b, (uint64_t)seed, (size_t)atoi(argv[4]));
    printf("%d %.1f\n", seed, 100 * (found / b.best - 1));
    fflush(stdout);
  }
  space_close(b.space);
  guess_close(b.guess);
  config_set_free(&b.numbers);
  free(b.timed);
  family_close(b.family);
  return failed != 0;
}
