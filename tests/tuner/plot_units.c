/* plot_units.c - what plots of speed count: Gop/s where one of their points
 * is of integers, GFLOP/s where none is.
 */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gen/source.h"
#include "arch/arch.h"
#include "gen/figure.h"
#include "gen/space.h"

/* The plan of a problem's first legal configuration; 0 where there is none. */
static int plan_of(struct family *f, const char *const *names,
                   const char *const *texts, size_t n, struct plan *plan)
{
  struct problem p;
  struct space *space = NULL;
  struct config c = {0};
  struct err e;
  if (family_problem(f, names, texts, n, &p, &e) ||
      space_open(&space, f, &p, &e))
    return 0;
  int found = space_first(space, &c) && !family_plan(f, &p, &c, plan, &e);
  space_close(space);
  return found;
}

/* How many points are of integers; *all is how many there are. An axis of
 * tunables does not change what is counted. */
static size_t integer_points(struct family *f, const struct plot *plot,
                             size_t *all)
{
  const char *names[FAMILY_KEYS + 2], *texts[FAMILY_KEYS + 2];
  const struct axis *axes[] = {&plot->x, &plot->y};
  size_t integers = 0, n[2];
  for (size_t i = 0; i < 2; i++)
    n[i] = axes[i]->name && axes[i]->of_problem ? axes[i]->n : 1;
  *all = 0;
  for (size_t i = 0; i < n[0] * n[1]; i++) {
    size_t given = 0, at[] = {i % n[0], i / n[0]};
    char words[2][64];
    struct plan plan;
    for (; given < plot->given.n; given++) {
      names[given] = plot->given.names[given];
      texts[given] = plot->given.texts[given];
    }
    for (size_t k = 0; k < 2; k++)
      if (axes[k]->name && axes[k]->of_problem) {
        value_format(&axes[k]->values[at[k]], words[k], sizeof words[k]);
        names[given] = axes[k]->name;
        texts[given++] = words[k];
      }
    if (!plan_of(f, names, texts, given, &plan))
      continue;
    ++*all;
    integers += !strcmp(quantity_rate(&plan)->name, "gops");
  }
  return integers;
}

static size_t check_family(const char *name)
{
  struct family *f;
  struct err e;
  const struct pair *facts;
  const struct plot *plots;
  size_t speeds = 0, nfacts = arch_facts(arch_find("gfx906"), &facts);
  if (family_open(&f, name, NULL, &e) || family_set_arch(f, facts, nfacts, &e))
    fail_msg("%s", e.text);
  size_t n = family_plots(f, &plots);
  for (size_t i = 0; i < n; i++) {
    if (strcmp(quantity_cost(plots[i].quantity), "flops") != 0)
      continue;
    size_t all, integers = integer_points(f, &plots[i], &all);
    assert_true(all > 0);
    if (strcmp(plots[i].quantity->unit, integers ? "Gop/s" : "GFLOP/s"))
      fail_msg("%s, plot %s: %s, but %zu of %zu points are of integers", name,
               plots[i].name, plots[i].quantity->unit, integers, all);
    speeds++;
  }
  family_close(f);
  return speeds;
}

static void test_units(void **state)
{
  (void)state;
  char **names;
  size_t n = source_list(NULL, &names), speeds = 0;
  for (size_t i = 0; i < n; i++)
    speeds += check_family(names[i]);
  free(names);
  assert_true(speeds > 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_units),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
