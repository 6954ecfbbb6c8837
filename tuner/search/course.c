/* course.c - see course.h. */
// SPDX-License-Identifier: MIT
#include "tuner/search/course.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

enum {
  RANDOM_FIRST = 12, /* random configurations to begin with */
  RANDOM_AGAIN = 8,  /* and to begin anew */
  SPREAD = 20,       /* draws; the one farthest from all before is taken */
  PATIENCE = 60,     /* results without gain before it begins anew */
};

void course_open(struct course *c, struct space *space, uint64_t seed)
{
  *c = (struct course){.space = space, .random = RANDOM_FIRST};
  rng_seed(&c->rng, seed);
}

void course_close(struct course *c)
{
  config_set_free(&c->seen);
  free(c->asked);
  ranking_free(&c->results);
}

/* Sum over the tunables of how far apart they are, of all their values. */
static double distance(const struct space *space, const struct config *a,
                       const struct config *b)
{
  double sum = 0;
  for (size_t t = 0; t < space_tunables(space); t++)
    if (a->at[t] != b->at[t])
      sum += abs(a->at[t] - b->at[t]) / (double)(space_values(space, t) - 1);
  return sum;
}

static double distance_to_all(const struct course *c, const struct config *x)
{
  double least = INFINITY;
  for (size_t i = 0; i < c->nasked; i++)
    least = fmin(least, distance(c->space, x, &c->asked[i]));
  return least;
}

static int draw_far(const struct course *c, const struct course_model *m,
                    void *state, struct config *out)
{
  struct config drawn;
  double farthest = -1;
  for (int i = 0; i < SPREAD && m->draw(state, &drawn); i++) {
    double far = distance_to_all(c, &drawn);
    if (far > farthest) {
      farthest = far;
      *out = drawn;
    }
  }
  return farthest >= 0;
}

static void begin_anew(struct course *c, const struct course_model *m,
                       void *state)
{
  ranking_clear(&c->results);
  c->idle = 0;
  c->begun = c->gained = c->nasked;
  c->random = c->nasked + RANDOM_AGAIN;
  if (m->renew)
    m->renew(state);
}

static void note(struct course *c, const struct config *proposed)
{
  if (c->nasked == c->room) {
    c->room = c->room ? 2 * c->room : 64;
    c->asked = mem_resize(c->asked, c->room * sizeof *c->asked);
  }
  c->asked[c->nasked++] = *proposed;
  config_set_add(&c->seen, proposed);
}

enum search_answer course_ask(struct course *c, const struct course_model *m,
                              void *state, struct config *out)
{
  if (c->idle > PATIENCE)
    begin_anew(c, m, state);
  int found = c->nasked >= c->random && c->results.ok && m->choose(state, out);
  if (!found && !draw_far(c, m, state, out))
    return c->told < c->nasked ? SEARCH_WAIT : SEARCH_END;
  note(c, out);
  return SEARCH_CONFIG;
}

void course_tell(struct course *c, const struct config *config, double cost)
{
  size_t proposal = c->told++;
  if (proposal < c->begun)
    return;
  if (ranking_add(&c->results, config, cost)) {
    c->gained = c->nasked;
    c->idle = 0;
  } else if (proposal >= c->gained) {
    c->idle++;
  }
}
