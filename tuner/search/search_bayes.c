/* search_bayes.c - the configuration whose expected gain is the greatest comes next.
 *
 * It begins with random configurations (course.h). Then each proposal is the one
 * that is expected to better the best time by most, by a Gaussian process (gauss.h)
 * that knows the results so far; so it also tries what it expects little of but knows
 * little of (Jones, Schonlau, Welch, "Efficient Global Optimization of Expensive
 * Black-Box Functions", Journal of Global Optimization 13, 1998). Half of the
 * proposals, and fewer the longer none gains, are sought among what differs from the
 * best result in one tunable or two, the others anywhere, by climbing from the best
 * results and from the most promising of those that are drawn. Proposals whose results
 * are still to come count as results that are as expected, so it never waits for one.
 *
 * It learns by how much the logarithms of times are above what was expected
 * (surprise.h). While all results are alike it goes on at random: on a plateau what is
 * known least are corners of the space.
 *
 * Where there is a guess of what configurations cost (search.h), it begins among
 * those that the guess likes best (guessed.h), climbs from these too, and the process
 * learns how times differ from guesses.
 *
 * Its constants were chosen on five matrix products of a modelled gfx906
 * (docs/search.md).
 */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tuner/search/course.h"
#include "tuner/search/gauss.h"
#include "tuner/search/guessed.h"
#include "tuner/search/search.h"
#include "tuner/search/surprise.h"

enum {
  LIKED = 60,        /* of those that are guessed: it begins among them */
  DRAWS = 150,       /* random configurations that are compared */
  DEEP = 8,          /* the best; one with untried neighbours is sought */
  STARTS = 6,        /* of what is drawn, and of the results: to climb from */
  STEPS = 20,        /* of a climb, at most */
  LEARN = 16,        /* results until the process learns its weights again */
};

static const double near = 0.5; /* of all proposals are neighbours of the best, */
static const double weary = 20; /* and half of that after so many results without gain */
static const double trust = 1;  /* in guesses, beside the squares of results */

/* The line through results and their guesses, both as logarithms. */
struct line {
  double n, x, y, xx, xy;
};

struct state {
  struct course course;
  struct gauss *gauss;
  size_t learnt;          /* told when the process last learnt its weights */
  struct prior prior;
  struct guessed *guessed; /* NULL: there is no guess */
  struct line random, all; /* through such results */
  double slope, level;     /* what is expected is level + slope * guess */
  double worst;            /* logarithm of the worst guess of what was tried */
};

/* What is proposed next. */
struct choice {
  struct config config;
  double gain; /* 0: nothing yet */
};

static void *open(struct space *space, uint64_t seed)
{
  struct state *s = mem_alloc(sizeof *s);
  course_open(&s->course, space, seed);
  s->gauss = gauss_open(space);
  return s;
}

/* --- random ones ---------------------------------------------------------- */

/* A random one, of those that the guess likes if there is one. */
static int draw(void *state, struct config *c)
{
  struct state *s = state;
  size_t liked = s->guessed ? s->guessed->n : 0;
  liked = liked < LIKED ? liked : LIKED;
  for (int i = 0; liked && i < LIKED; i++) {
    *c = s->guessed->at[rng_below(&s->course.rng, liked)];
    if (!config_set_has(&s->course.seen, c))
      return 1;
  }
  return config_set_draw(&s->course.seen, s->course.space, &s->course.rng, c);
}

/* --- what the process knows ----------------------------------------------- */

/* The logarithm of the guess, which may be infinite. */
static double log_guess(const struct state *s, const struct config *c)
{
  return log(fmax(s->prior.guess(s->prior.user, c), 1e-30));
}

/* What is expected of c by the guess alone, but for the level. */
static double leaning(const struct state *s, const struct config *c)
{
  if (s->slope <= 0)
    return 0;
  double guess = log_guess(s, c);
  return s->slope * (isfinite(guess) ? guess : s->worst);
}

static void line_add(struct line *l, double x, double y)
{
  l->n++;
  l->x += x, l->y += y, l->xx += x * x, l->xy += x * y;
}

/* By how much results rise with guesses: 1 before there are any. */
static double line_slope(const struct line *l)
{
  double n = fmax(l->n, 1);
  double spread = l->xx - l->x * l->x / n, together = l->xy - l->x * l->y / n;
  return (together + trust) / (spread + trust);
}

/* How far guesses are to be trusted is told by results that come in while it draws
 * at random: among those that the guess has helped to choose it can tell little more.
 * A guess is dropped while all results together say the contrary. */
static void weigh_guess(struct state *s, double guess, double cost)
{
  line_add(&s->all, guess, log(cost));
  if (s->course.told < s->course.random)
    line_add(&s->random, guess, log(cost));
  s->slope = line_slope(&s->all) > 0 ? fmax(line_slope(&s->random), 0) : 0;
}

/* The i-th of `most` results that the process is told of: the best half of what it
 * takes, and of the others some. */
static size_t pick(const struct state *s, size_t i, size_t most)
{
  size_t best = most / 2, n = s->course.results.n;
  if (n <= most || i < best)
    return i;
  return best + (i - best) * (n - best) / (most - best);
}

/* Those that the process is to know, the best one first; it has room for those that are
 * still to come. */
static size_t select_known(const struct state *s, struct result *known)
{
  const struct course *c = &s->course;
  size_t open = c->nasked - c->told;
  size_t most = GAUSS_MOST - (open < GAUSS_MOST / 2 ? open : GAUSS_MOST / 2);
  size_t n = c->results.n < most ? c->results.n : most;
  for (size_t i = 0; i < n; i++)
    known[i] = c->results.list[pick(s, i, most)];
  return n;
}

static void inform(struct state *s)
{
  struct result known[GAUSS_MOST];
  double leanings[GAUSS_MOST];
  size_t n = select_known(s, known);
  for (size_t i = 0; i < n; i++)
    leanings[i] = leaning(s, &known[i].config);
  s->level = surprise_take(known, leanings, n);
  int learn = s->course.told >= s->learnt + LEARN;
  if (learn)
    s->learnt = s->course.told;
  gauss_take(s->gauss, known, n, learn);
  for (size_t i = s->course.told; i < s->course.nasked; i++)
    gauss_believe(s->gauss, &s->course.asked[i]);
}

/* --- what gains most ------------------------------------------------------ */

static void consider(const struct state *s, const struct config *c,
                     struct choice *best)
{
  if (!config_set_lacks(&s->course.seen, s->course.space, c))
    return;
  double before = s->level + leaning(s, c);
  double gain = gauss_gain(s->gauss, c, before, 0, best->gain);
  if (gain > 0)
    *best = (struct choice){*c, gain};
}

/* All that differ from it in at most `changes` tunables, from number `first` on. */
static void neighbours(const struct state *s, const struct config *of,
                       size_t first, int changes, struct choice *best)
{
  for (size_t t = first; changes > 0 && t < space_tunables(s->course.space); t++) {
    struct config c = *of;
    for (size_t v = 0; v < space_values(s->course.space, t); v++) {
      c.at[t] = (uint8_t)v;
      if (v == of->at[t])
        continue;
      consider(s, &c, best);
      neighbours(s, &c, t + 1, changes - 1, best);
    }
  }
}

/* From c, of some gain, to the best of its neighbours, and on. */
static void climb(const struct state *s, struct choice from,
                  struct choice *best)
{
  double before;
  int steps = STEPS;
  do {
    const struct config at = from.config;
    before = from.gain;
    neighbours(s, &at, 0, 1, &from);
  } while (from.gain > before && --steps > 0);
  if (from.gain > best->gain)
    *best = from;
}

/* Puts it among the best `n` of at most STARTS. */
static size_t rank(struct choice *list, size_t n, const struct choice *x)
{
  size_t i = n;
  if (n == STARTS && list[--i].gain >= x->gain)
    return n;
  for (; i > 0 && list[i - 1].gain < x->gain; i--)
    list[i] = list[i - 1];
  list[i] = *x;
  return n < STARTS ? n + 1 : n;
}

/* The best of what is drawn. */
static size_t starts(struct state *s, struct choice list[STARTS])
{
  size_t n = 0, liked = s->guessed ? s->guessed->n : 0;
  struct config drawn;
  for (size_t i = 0; i < liked + DRAWS; i++) {
    struct choice one = {.gain = 0};
    if (i < liked)
      drawn = s->guessed->at[i];
    else if (!space_random(s->course.space, &s->course.rng, &drawn))
      break;
    consider(s, &drawn, &one);
    if (one.gain > 0)
      n = rank(list, n, &one);
  }
  return n;
}

/* The neighbours of the best result that has untried ones. Where rules tie tunables
 * together, as a stride's pad and an XOR that cure the same conflicts, one alone cannot
 * change, so that two may. */
static void seek_near(const struct state *s, struct choice *best)
{
  for (size_t i = 0; i < s->course.results.ok && i < DEEP && best->gain <= 0; i++)
    neighbours(s, &s->course.results.list[i].config, 0, 2, best);
}

static void seek_far(struct state *s, struct choice *best)
{
  struct choice list[STARTS];
  for (size_t n = starts(s, list); n > 0;)
    climb(s, list[--n], best);
  for (size_t i = 0; i < s->course.results.ok && i < STARTS; i++)
    climb(s, (struct choice){s->course.results.list[i].config, 0}, best);
}

/* The part of the proposals that are neighbours of the best: less the longer none gains. */
static double share_near(const struct state *s)
{
  return near / (1 + (double)s->course.idle / weary);
}

/* Did all that was tried run, and take as long? Then there is nothing to learn from. */
static int are_alike(const struct ranking *r)
{
  return r->ok == r->n && r->list[r->n - 1].cost <= r->list[0].cost;
}

static int choose(void *state, struct config *c)
{
  struct state *s = state;
  struct choice best = {.gain = 0};
  if (are_alike(&s->course.results))
    return 0;
  inform(s);
  if (rng_unit(&s->course.rng) < share_near(s))
    seek_near(s, &best);
  if (best.gain <= 0)
    seek_far(s, &best);
  *c = best.config;
  return best.gain > 0;
}

/* --- the interface ------------------------------------------------------- */

static void ask_the_guess(void *state)
{
  struct state *s = state;
  struct course *c = &s->course;
  if (s->guessed)
    guessed_fill(s->guessed, c->space, &c->seen, s->prior, &c->rng);
}

static void advise(void *state, struct prior p)
{
  struct state *s = state;
  s->prior = p;
  s->slope = 1;
  s->guessed = mem_alloc(sizeof *s->guessed);
  ask_the_guess(s);
}

static enum search_answer ask(void *state, struct config *c)
{
  static const struct course_model model = {ask_the_guess, draw, choose};
  struct state *s = state;
  return course_ask(&s->course, &model, s, c);
}

static void tell(void *state, const struct config *c, double cost)
{
  struct state *s = state;
  double guess = s->guessed ? log_guess(s, c) : INFINITY;
  if (isfinite(guess)) {
    s->worst = fmax(s->worst, guess);
    if (isfinite(cost))
      weigh_guess(s, guess, cost);
  }
  course_tell(&s->course, c, cost);
}

static void close(void *state)
{
  struct state *s = state;
  course_close(&s->course);
  gauss_close(s->gauss);
  free(s->guessed);
  free(s);
}

const struct search_ops search_bayes = {
    "bayes", "what is expected to gain most (the default)", open, ask, tell,
    close, advise};
