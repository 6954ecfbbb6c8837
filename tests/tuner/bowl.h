/* bowl.h - the synthetic family of these tests, opened. */
// SPDX-License-Identifier: MIT
#ifndef tests_tuner_bowl_h
#define tests_tuner_bowl_h

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arch/arch.h"
#include "gen/space.h"

struct bowl {
  struct family *family;
  struct problem problem;
  struct space *space;
};

static inline struct bowl bowl_open(void)
{
  struct bowl b;
  struct err e = {0};
  const struct pair *facts;
  size_t n = arch_facts(arch_find("gfx906"), &facts);
  if (family_open(&b.family, SOURCE_DIR "/tests/tuner/families/bowl.lua", NULL,
                  &e) ||
      family_set_arch(b.family, facts, n, &e) ||
      family_problem(b.family, NULL, NULL, 0, &b.problem, &e) ||
      space_open(&b.space, b.family, &b.problem, &e))
    fail_msg("%s", e.text);
  return b;
}

static inline void bowl_close(struct bowl *b)
{
  space_close(b->space);
  family_close(b->family);
}

/* The valley: 1 at t = (5, 3, 6, 2, 4, 1), more elsewhere, in unequal steps. */
static inline double bowl_cost(const struct config *c)
{
  static const int lowest[] = {5, 3, 6, 2, 4, 1};
  double cost = 1;
  for (int i = 0; i < 6; i++) {
    double off = c->at[i] - lowest[i];
    cost += 0.01 * (i + 1) * off * off;
  }
  return cost;
}

#endif
