/* search_forest.c - a model of the results says what to try next.
 *
 * It begins with random configurations (course.h). Then each proposal is the one
 * that a forest (search_trees.h), grown for this proposal from the results so far,
 * likes best: either among the neighbours of the best configuration that has untried
 * ones, or among all that differ from a good one in one or two tunables and random
 * ones. The first kind never stops short of a local optimum, the second leaves it.
 *
 * The forest learns ranks, not times: the logarithm of a result's rank keeps
 * the best few apart and does not care how bad the bad ones are.
 *
 * Forests differ by chance, so what is proposed while results are outstanding
 * differs too: being ahead costs little, and it never waits for a result.
 *
 * The constants were chosen on recorded convolutions, dedispersion, polygon
 * and matrix kernels of other cards than the MI50 (`tune replay`); the MI50's
 * score was watched beside them, so it is no clean test. Ranks and pairs were
 * chosen on 14 recordings without it, and none of the constants moved then.
 */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tuner/replay/rivals.h"
#include "tuner/replay/search_trees.h"
#include "tuner/search/course.h"

enum {
  DEEP = 8,          /* the best; one with untried neighbours is sought */
  ELITES = 3,        /* whose neighbours and pairs of changes are compared */
  DRAWS = 150,       /* random configurations that are compared */
};

#define NEAR 0.5 /* of all proposals are neighbours of the best */

struct state {
  struct course course;
  struct trees trees;
};

/* The choice between candidates. */
struct choice {
  struct config config;
  double guess;
  int any;
};

static void *open(struct space *space, uint64_t seed)
{
  struct state *s = mem_alloc(sizeof *s);
  course_open(&s->course, space, seed);
  for (size_t t = 0; t < space_tunables(space); t++)
    if (space_values(space, t) > 1)
      s->trees.tunables[s->trees.n++] = (uint8_t)t;
  return s;
}

/* --- random ones ---------------------------------------------------------- */

static int draw(void *state, struct config *c)
{
  struct state *s = state;
  return config_set_draw(&s->course.seen, s->course.space, &s->course.rng, c);
}

/* --- candidates ---------------------------------------------------------- */

/* What the forest says comes first: it is cheaper than the rules. */
static void consider(const struct state *s, const struct config *c,
                     struct choice *best)
{
  double guess = trees_guess(&s->trees, c);
  if (best->any && guess >= best->guess)
    return;
  if (config_set_lacks(&s->course.seen, s->course.space, c))
    *best = (struct choice){*c, guess, 1};
}

/* All values of the i-th tunable that has a choice. */
static void vary(const struct state *s, const struct config *of, size_t i,
                 struct choice *best)
{
  size_t t = s->trees.tunables[i];
  struct config c = *of;
  for (size_t v = 0; v < space_values(s->course.space, t); v++) {
    c.at[t] = (uint8_t)v;
    consider(s, &c, best);
  }
}

static void neighbours(const struct state *s, const struct config *of,
                       struct choice *best)
{
  for (size_t i = 0; i < s->trees.n; i++)
    vary(s, of, i, best);
}

/* All that differ in two tunables. */
static void pairs(const struct state *s, const struct config *of,
                  struct choice *best)
{
  for (size_t i = 1; i < s->trees.n; i++) {
    size_t t = s->trees.tunables[i];
    struct config c = *of;
    for (size_t v = 0; v < space_values(s->course.space, t); v++) {
      if (v == of->at[t])
        continue;
      c.at[t] = (uint8_t)v;
      for (size_t j = 0; j < i; j++)
        vary(s, &c, j, best);
    }
  }
}

static void random_ones(struct state *s, struct choice *best)
{
  struct course *c = &s->course;
  struct config drawn;
  for (int i = 0; i < DRAWS && space_random(c->space, &c->rng, &drawn); i++)
    consider(s, &drawn, best);
}

/* All failures have the rank behind the slowest that ran. */
static void grow(struct state *s)
{
  struct ranking *r = &s->course.results;
  for (size_t i = 0; i < r->n; i++)
    r->list[i].y = log1p((double)(i < r->ok ? i : r->ok));
  trees_grow(&s->trees, r->list, r->n, &s->course.rng);
}

static int choose(void *state, struct config *c)
{
  struct state *s = state;
  struct choice best = {.any = 0};
  if (!s->trees.n)
    return 0;
  grow(s);
  if (rng_unit(&s->course.rng) < NEAR)
    for (size_t i = 0; i < s->course.results.ok && i < DEEP && !best.any; i++)
      neighbours(s, &s->course.results.list[i].config, &best);
  if (!best.any) {
    random_ones(s, &best);
    for (size_t i = 0; i < s->course.results.ok && i < ELITES; i++) {
      neighbours(s, &s->course.results.list[i].config, &best);
      pairs(s, &s->course.results.list[i].config, &best);
    }
  }
  *c = best.config;
  return best.any;
}

/* --- the interface ------------------------------------------------------- */

static enum search_answer ask(void *state, struct config *c)
{
  static const struct course_model model = {NULL, draw, choose};
  struct state *s = state;
  return course_ask(&s->course, &model, s, c);
}

static void tell(void *state, const struct config *c, double cost)
{
  struct state *s = state;
  course_tell(&s->course, c, cost);
}

static void close(void *state)
{
  struct state *s = state;
  course_close(&s->course);
  free(s);
}

const struct search_ops search_forest = {
    "forest", "what a model of the results likes best", open, ask, tell, close,
    NULL};
