/* emitted.c - what a change of the templates did to the code of the kernels.
 *
 *     emitted BEFORE CACHE ARCH COUNT JOBS [FAMILY...]
 *
 * Of each family in the folder BEFORE, COUNT random legal configurations of
 * random problems are rendered by it and by the family of the same name in
 * the program, compiled where their tokens differ, and compared. One line for
 * each: family, verdict, configuration, options of the problem, or a
 * sentence. `./check emitted` runs it.
 */
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gen/source.h"
#include "tests/emitted/code.h"
#include "tests/emitted/draw.h"

enum {EACH = 15}; /* configurations of one problem */

struct pair_of {
  struct family *before, *after;
  struct problem p, q;
  struct space *space, *now;
};

static void say(const struct pair_of *x, const char *verdict,
                const struct config *c, const char *why)
{
  struct str line = {0};
  str_addf(&line, "%s\t%s\t", family_name(x->before), verdict);
  config_format(x->before, c, &line);
  str_add(&line, "\t");
  draw_options(x->before, &x->p, &line);
  str_addf(&line, "\t%s\n", why);
  fputs(line.at, stdout); /* the output is a file: lines stay whole */
  fflush(stdout);
  str_free(&line);
}

static const char *compare(struct code_cache *cache, const struct str *old,
                           const struct str *new, struct err *e)
{
  struct str a = {0}, b = {0}, x = {0}, y = {0};
  const char *verdict = "failed";
  code_tokens(old->at, &a);
  code_tokens(new->at, &b);
  if (!strcmp(a.at, b.at))
    verdict = "tokens";
  else if (!code_of(cache, old->at, &a, &x, e) &&
           !code_of(cache, new->at, &b, &y, e))
    verdict = code_same(&x, &y) ? "same" : "different";
  str_free(&a);
  str_free(&b);
  str_free(&x);
  str_free(&y);
  return verdict;
}

static void try(struct code_cache *cache, struct pair_of *x,
                const struct config *c)
{
  struct str text = {0}, old = {0}, new = {0};
  struct config d = {{0}};
  struct err e = {0};
  const char *verdict = "failed", *rule = NULL;
  config_format(x->before, c, &text);
  if (!config_parse(x->after, text.at, 1, &d, &e) &&
      !(rule = space_rule(x->now, &d)) &&
      !family_render(x->before, &x->p, c, &old, NULL, &e) &&
      !family_render(x->after, &x->q, &d, &new, NULL, &e))
    verdict = compare(cache, &old, &new, &e);
  for (char *at = e.text; (at = strpbrk(at, "\t\n"));)
    *at = ' ';
  say(x, rule ? "rule" : verdict, c, rule ? rule : e.text);
  str_free(&text);
  str_free(&old);
  str_free(&new);
}

/* The configurations of one problem that are this process's: draws are the
 * same in all of them. */
static int try_problem(struct code_cache *cache, struct pair_of *x,
                       struct rng *r, int first, int job, int jobs, int count)
{
  struct err e;
  struct config c = {{0}};
  int n = 0;
  if (space_open(&x->space, x->before, &x->p, &e))
    return 0;
  if (!space_open(&x->now, x->after, &x->q, &e)) {
    for (; n < EACH && first + n < count && space_random(x->space, r, &c); n++)
      if ((first + n) % jobs == job)
        try(cache, x, &c);
    space_close(x->now);
  }
  space_close(x->space);
  return n;
}

static int try_family(struct code_cache *cache, const char *folder,
                      const char *name, int job, int jobs, int count)
{
  const struct pair *facts;
  size_t n = arch_facts(cache->arch, &facts);
  struct pair_of x = {0};
  struct err e = {0};
  struct rng r;
  rng_seed(&r, 1);
  int failed = family_open(&x.before, name, folder, &e) ||
               family_open(&x.after, name, NULL, &e) ||
               family_set_arch(x.before, facts, n, &e) ||
               family_set_arch(x.after, facts, n, &e);
  for (int done = 0, tries = 0; !failed && done < count && tries < 1000;
       tries++) {
    if (!draw_problem(x.before, &r, &x.p))
      break;
    failed = draw_translate(x.before, &x.p, x.after, &x.q, &e) != 0;
    if (!failed)
      done += try_problem(cache, &x, &r, done, job, jobs, count);
  }
  if (failed)
    fprintf(stderr, "emitted: %s: %s\n", name, e.text);
  family_close(x.before);
  family_close(x.after);
  return failed;
}

static int run(char **argv, int job, char **names, size_t n)
{
  struct err e;
  struct code_cache cache = {.folder = argv[2]};
  int failed = arch_need(argv[3], &cache.arch, &e) ||
               compiler_open(&cache.rtc, cache.arch, &e);
  if (failed) {
    fprintf(stderr, "emitted: %s\n", e.text);
    return 1;
  }
  compiler_version(&cache.rtc, cache.version);
  for (size_t i = 0; i < n; i++)
    failed |= try_family(&cache, argv[1], names[i], job, atoi(argv[5]),
                         atoi(argv[4]));
  return failed;
}

int main(int argc, char **argv)
{
  if (argc < 6) {
    fprintf(stderr, "emitted BEFORE CACHE ARCH COUNT JOBS [FAMILY...]\n");
    return 2;
  }
  char **names = argv + 6, **all = NULL;
  size_t n = (size_t)argc - 6;
  if (!n)
    n = source_list(argv[1], &all);
  int jobs = atoi(argv[5]), failed = 0, status;
  for (int job = 0; job < jobs; job++)
    if (!fork()) /* the compiler can end its process */
      _exit(run(argv, job, all ? all : names, n));
  while (wait(&status) > 0)
    failed |= status != 0;
  free(all);
  return failed;
}
