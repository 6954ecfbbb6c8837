/* guess.c - how well guesses (tuner/session/guess.h) order what was timed.
 *
 *     bench_guess FAMILY ARCH JOURNAL...
 *
 * A line for each candidate that ran: its time, the guess, problem, configuration.
 */
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>

#include "tests/bench/journals.h"
#include "tuner/reference/problem.h"
#include "tuner/session/guess.h"

struct bench {
  struct family *family;
  const struct arch *arch;
};

static void show(void *user, struct record *r)
{
  struct bench *b = user;
  struct problem p;
  struct config c = {0};
  double us = record_number(r, "time_us", 0);
  if (us > 0 && !problem_parse(b->family, record_text(r, "problem"), &p, NULL) &&
      !config_parse(b->family, record_text(r, "config"), 0, &c, NULL)) {
    struct guess *g = guess_open(b->family, &p, b->arch);
    if (g)
      printf("%g %g %s %s\n", us, guess_us(g, &c), record_text(r, "problem"),
             record_text(r, "config"));
    guess_close(g);
  }
  record_free(r);
}

int main(int argc, char **argv)
{
  struct bench b = {0};
  struct err e = {0};
  if (argc < 4) {
    fprintf(stderr, "usage: bench_guess FAMILY ARCH JOURNAL...\n");
    return 2;
  }
  const struct journal_reader reader = {&b, show, NULL};
  int failed = journals_read(&b.family, argv[1], &b.arch, argv[2], argv + 3, &reader, &e);
  if (failed)
    fprintf(stderr, "bench_guess: %s\n", e.text);
  family_close(b.family);
  return failed != 0;
}
