/* space.c - how fast the space and the templates of the families are.
 *
 *     bench_space ARCH [FAMILY...]     default: every family in the program
 */
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "arch/arch.h"
#include "gen/space.h"
#include "gen/source.h"
#include "tests/bench/about.h"

enum {DRAWS = 10000, RENDERS = 300};

static double seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void line(const char *what, double n, double start)
{
  double s = seconds() - start;
  printf("  %-28s %14.0f %10.4f s %12.3f us each\n", what, n, s, s / n * 1e6);
}

static int render(struct family *f, const struct problem *p, struct space *s,
                  struct rng *r, struct err *e)
{
  double start = seconds();
  struct str text = {0};
  int failed = 0;
  for (int i = 0; i < RENDERS && !failed; i++) {
    struct config c;
    struct linemap map;
    if (!space_random(s, r, &c))
      break;
    str_clear(&text);
    failed = family_render(f, p, &c, &text, &map, e);
    if (!failed)
      linemap_free(&map);
  }
  line("renderings, plan included", RENDERS, start);
  str_free(&text);
  return failed;
}

static int bench(struct family *f, const struct arch *a, struct err *e)
{
  const struct pair *facts;
  size_t n = arch_facts(a, &facts);
  struct problem p;
  struct space *s;
  struct config c, *list;
  struct rng r;
  rng_seed(&r, 1);
  int failed = family_set_arch(f, facts, n, e);
  if (failed || (failed = family_problem(f, NULL, NULL, 0, &p, e)))
    return failed;
  double start = seconds();
  if ((failed = space_open(&s, f, &p, e)))
    return failed;
  double legal = (double)space_count(s);
  printf("%s: %.0f points, %.0f legal\n", family_name(f),
         (double)space_product(s), legal);
  line("tabulated and counted", legal, start);
  start = seconds();
  double walked = 0;
  for (int more = space_first(s, &c); more; more = space_next(s, &c))
    walked++;
  line("walked", walked, start);
  start = seconds();
  for (int i = 0; i < DRAWS; i++)
    space_random(s, &r, &c);
  line("drawn", DRAWS, start);
  start = seconds();
  for (int i = 0; i < DRAWS; i++) {
    space_neighbours(s, &c, &r, &list);
    free(list);
  }
  line("neighbourhoods", DRAWS, start);
  failed = render(f, &p, s, &r, e);
  space_close(s);
  return failed;
}

int main(int argc, char **argv)
{
  char **names = argv + 2, **all = NULL;
  size_t n = argc > 2 ? (size_t)argc - 2 : 0;
  struct err e = {0};
  const struct arch *a;
  if (argc < 2 || arch_need(argv[1], &a, &e)) {
    fprintf(stderr, "bench_space ARCH [FAMILY...]: %s\n", e.text);
    return ERR_USAGE;
  }
  about(argc, argv);
  if (!n) {
    n = source_list(NULL, &all);
    names = all;
  }
  for (size_t i = 0; i < n && !e.code; i++) {
    struct family *f;
    if (family_open(&f, names[i], NULL, &e))
      break;
    bench(f, a, &e);
    family_close(f);
  }
  free(all);
  if (e.code)
    fprintf(stderr, "bench_space: %s\n", e.text);
  return e.code;
}
