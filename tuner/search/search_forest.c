/* search_forest.c - a model of the results says what to try next.
 *
 * It begins with random configurations, each as far from all before as a few
 * draws allow. Then each proposal is the one that a forest (search_trees.h),
 * grown for this proposal from the results so far, likes best: either among
 * the neighbours of the best configuration that has untried ones, or among all
 * that differ from a good one in one or two tunables and random ones. The
 * first kind never stops short of a local optimum, the second leaves it. Long
 * without gain it forgets the results and begins anew.
 *
 * The forest learns ranks, not times: the logarithm of a result's rank keeps
 * the best few apart and does not care how bad the bad ones are.
 *
 * Forests differ by chance, so what is proposed while results are outstanding
 * differs too: being ahead costs little, and it never waits for a result.
 *
 * Where there is a guess of what configurations cost (search.h), random ones are
 * the best by it of many that are drawn, of which the first are bettered by it, a
 * tunable after the other, until none helps. The forest then learns what it leaves:
 * results are first explained by a line through their guesses, whose slope says how
 * far these are to be trusted, and forests explain the rest.
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
#include "tuner/search/search.h"
#include "tuner/search/search_trees.h"
#include "tuner/search/config_set.h"

enum {
  RANDOM_FIRST = 12, /* random configurations to begin with */
  RANDOM_AGAIN = 8,  /* and to begin anew */
  SPREAD = 20,       /* draws; the one farthest from all before is taken */
  DEEP = 8,          /* the best; one with untried neighbours is sought */
  ELITES = 3,        /* whose neighbours and pairs of changes are compared */
  DRAWS = 150,       /* random configurations that are compared */
  PATIENCE = 30,     /* results without gain before it begins anew */
  GUESSED = 4000,    /* drawn and guessed to begin with, and to begin anew */
  BETTERED = 24,     /* the best of these are bettered, as guesses go */
  POOL = 60,         /* of these, the best by their guesses are kept */
};

#define NEAR 0.5 /* of all proposals are neighbours of the best */

struct state {
  struct space *space;
  struct rng rng;
  struct config_set seen;
  struct config *asked; /* all proposals, in their order */
  size_t nasked, told, room;
  size_t random;          /* proposals up to this one are random */
  struct sample *results; /* since it began anew: best first, failures last */
  size_t n, ok;           /* of these: all, and those that did not fail */
  size_t idle;            /* results without gain */
  struct trees trees;
  struct prior prior;
  size_t npool;
  struct guessed *pool;   /* the best guess first */
  double base, slope;     /* of the line through the guesses */
};

struct guessed {
  struct config config;
  double guess;
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
  s->space = space;
  s->random = RANDOM_FIRST;
  for (size_t t = 0; t < space_tunables(space); t++)
    if (space_values(space, t) > 1)
      s->trees.tunables[s->trees.n++] = (uint8_t)t;
  rng_seed(&s->rng, seed);
  return s;
}

/* --- random ones ---------------------------------------------------------- */

/* Sum over the tunables of how far apart they are, of all their values. */
static double distance(const struct state *s, const struct config *a,
                       const struct config *b)
{
  double sum = 0;
  for (size_t i = 0; i < s->trees.n; i++) {
    size_t t = s->trees.tunables[i];
    sum += abs(a->at[t] - b->at[t])
           / (double)(space_values(s->space, t) - 1);
  }
  return sum;
}

static double distance_to_all(const struct state *s, const struct config *c)
{
  double least = INFINITY;
  for (size_t i = 0; i < s->nasked; i++)
    least = fmin(least, distance(s, c, &s->asked[i]));
  return least;
}

/* Keep it if it is among the best; each once. */
static void keep(struct state *s, const struct guessed *g)
{
  size_t i = s->npool;
  for (size_t j = 0; j < s->npool; j++)
    if (!memcmp(&s->pool[j].config, &g->config, sizeof g->config))
      return;
  if (i == POOL && s->pool[--i].guess <= g->guess)
    return;
  for (; i > 0 && s->pool[i - 1].guess > g->guess; i--)
    s->pool[i] = s->pool[i - 1];
  s->pool[i] = *g;
  s->npool += s->npool < POOL;
}

/* Each tunable in turn takes the value whose guess is the best. */
static struct guessed better_once(const struct state *s, struct guessed best)
{
  for (size_t i = 0; i < s->trees.n; i++) {
    size_t t = s->trees.tunables[i];
    struct guessed g = best;
    for (size_t v = 0; v < space_values(s->space, t); v++) {
      g.config.at[t] = (uint8_t)v;
      if (!config_set_lacks(&s->seen, s->space, &g.config))
        continue;
      g.guess = s->prior.guess(s->prior.user, &g.config);
      if (g.guess < best.guess)
        best = g;
    }
  }
  return best;
}

/* The same again and again, until it helps no more. */
static struct guessed better(const struct state *s, struct guessed best)
{
  double before;
  do {
    before = best.guess;
    best = better_once(s, best);
  } while (best.guess < before);
  return best;
}

static void fill_pool(struct state *s)
{
  struct guessed bettered[BETTERED];
  size_t n = 0;
  struct guessed g;
  s->npool = 0;
  for (int i = 0; i < GUESSED; i++) {
    if (!config_set_draw(&s->seen, s->space, &s->rng, &g.config))
      return;
    g.guess = s->prior.guess(s->prior.user, &g.config);
    keep(s, &g);
  }
  for (; n < BETTERED && n < s->npool; n++)
    bettered[n] = better(s, s->pool[n]);
  while (n > 0)
    keep(s, &bettered[--n]);
}

/* A random one, of the pool if there is one. */
static int draw(struct state *s, struct config *c)
{
  for (int i = 0; s->npool && i < POOL; i++) {
    *c = s->pool[rng_below(&s->rng, s->npool)].config;
    if (!config_set_has(&s->seen, c))
      return 1;
  }
  return config_set_draw(&s->seen, s->space, &s->rng, c);
}

static int draw_far(struct state *s, struct config *c)
{
  struct config drawn;
  double farthest = -1;
  for (int i = 0; i < SPREAD; i++) {
    if (!draw(s, &drawn))
      break;
    double far = distance_to_all(s, &drawn);
    if (far > farthest) {
      farthest = far;
      *c = drawn;
    }
  }
  return farthest >= 0;
}

/* --- candidates ---------------------------------------------------------- */

/* Finite, also where there is no guess. */
static double log_guess(const struct state *s, const struct config *c)
{
  return log(fmin(fmax(s->prior.guess(s->prior.user, c), 1e-30), 1e30));
}

/* What the line says of it. */
static double lined(const struct state *s, const struct config *c)
{
  return s->base + s->slope * log_guess(s, c);
}

/* What the forest says comes first: it is cheaper than the rules, and these than
 * a guess. */
static void consider(const struct state *s, const struct config *c,
                     struct choice *best)
{
  double guess = trees_guess(&s->trees, c);
  if (s->slope > 0) {
    if (!config_set_lacks(&s->seen, s->space, c))
      return;
    guess += lined(s, c);
    if (!best->any || guess < best->guess)
      *best = (struct choice){*c, guess, 1};
    return;
  }
  if (best->any && guess >= best->guess)
    return;
  if (config_set_lacks(&s->seen, s->space, c))
    *best = (struct choice){*c, guess, 1};
}

/* All values of the i-th tunable that has a choice. */
static void vary(const struct state *s, const struct config *of, size_t i,
                 struct choice *best)
{
  size_t t = s->trees.tunables[i];
  struct config c = *of;
  for (size_t v = 0; v < space_values(s->space, t); v++) {
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
    for (size_t v = 0; v < space_values(s->space, t); v++) {
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
  struct config c;
  for (size_t i = 0; i < s->npool; i++)
    consider(s, &s->pool[i].config, best);
  for (int i = 0; i < DRAWS && space_random(s->space, &s->rng, &c); i++)
    consider(s, &c, best);
}

/* The line through the results that ran, by least squares; level where guesses are
 * of no use. */
static void find_line(struct state *s)
{
  double n = (double)s->ok, x = 0, y = 0, xx = 0, xy = 0;
  for (size_t i = 0; i < s->ok; i++) {
    double guess = log_guess(s, &s->results[i].config);
    x += guess;
    y += s->results[i].y;
    xx += guess * guess;
    xy += guess * s->results[i].y;
  }
  double spread = n * xx - x * x;
  double slope = spread > 1e-9 * n * n ? (n * xy - x * y) / spread : 0;
  s->slope = slope > 0 ? slope : 0;
  s->base = s->slope > 0 ? (y - s->slope * x) / n : 0;
}

/* All failures have the rank behind the slowest that ran. */
static void grow(struct state *s)
{
  for (size_t i = 0; i < s->n; i++)
    s->results[i].y = log1p((double)(i < s->ok ? i : s->ok));
  if (s->prior.guess)
    find_line(s);
  for (size_t i = 0; s->slope > 0 && i < s->n; i++)
    s->results[i].y -= lined(s, &s->results[i].config);
  trees_grow(&s->trees, s->results, s->n, &s->rng);
}

static int choose(struct state *s, struct config *c)
{
  struct choice best = {.any = 0};
  grow(s);
  if (rng_unit(&s->rng) < NEAR)
    for (size_t i = 0; i < s->ok && i < DEEP && !best.any; i++)
      neighbours(s, &s->results[i].config, &best);
  if (!best.any) {
    random_ones(s, &best);
    for (size_t i = 0; i < s->ok && i < ELITES; i++) {
      neighbours(s, &s->results[i].config, &best);
      pairs(s, &s->results[i].config, &best);
    }
  }
  *c = best.config;
  return best.any;
}

/* --- the interface ------------------------------------------------------- */

static void begin_anew(struct state *s)
{
  s->n = s->ok = s->idle = 0;
  s->random = s->nasked + RANDOM_AGAIN;
  if (s->prior.guess)
    fill_pool(s);
}

static void advise(void *state, struct prior p)
{
  struct state *s = state;
  s->prior = p;
  s->pool = mem_array(POOL, sizeof *s->pool);
  fill_pool(s);
}

static enum search_answer ask(void *state, struct config *c)
{
  struct state *s = state;
  if (s->idle > PATIENCE)
    begin_anew(s);
  int found = s->nasked >= s->random && s->ok && s->trees.n && choose(s, c);
  if (!found && !draw_far(s, c))
    return s->told < s->nasked ? SEARCH_WAIT : SEARCH_END;
  if (s->nasked == s->room) { /* there are no more results than proposals */
    s->room = s->room ? 2 * s->room : 64;
    s->asked = mem_resize(s->asked, s->room * sizeof *s->asked);
    s->results = mem_resize(s->results, s->room * sizeof *s->results);
  }
  s->asked[s->nasked++] = *c;
  config_set_add(&s->seen, c);
  return SEARCH_CONFIG;
}

static void tell(void *state, const struct config *c, double cost)
{
  struct state *s = state;
  int ran = isfinite(cost);
  size_t i = ran ? s->ok : s->n;
  s->told++;
  memmove(&s->results[i + 1], &s->results[i],
          (s->n - i) * sizeof *s->results);
  for (; ran && i > 0 && s->results[i - 1].cost > cost; i--)
    s->results[i] = s->results[i - 1];
  s->results[i] = (struct sample){*c, cost, 0};
  s->idle = ran && i == 0 ? 0 : s->idle + 1;
  s->n++;
  s->ok += ran;
}

static void close(void *state)
{
  struct state *s = state;
  config_set_free(&s->seen);
  free(s->asked);
  free(s->results);
  free(s->pool);
  free(s);
}

const struct search_ops search_forest = {
    "forest", "what a model of the results likes best (the default)", open,
    ask, tell, close, advise};
