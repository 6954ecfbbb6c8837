/* fit.c - see fit.h. */
// SPDX-License-Identifier: MIT
#include "ship/fit.h"

#include <math.h>
#include <string.h>

enum {NEAREST = 8};

/* The logarithm to base 2 of a length, linear between powers of two: 0.09 off
 * at most, and the same on every machine. */
static float logarithm(int64_t x)
{
  double d = (double)(x > 0 ? x : 0) + 1;
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  return (float)(bits >> 32) * 0x1p-20f;
}

/* The keys that a formula reads, one bit each. */
static uint32_t reads(const struct index *v, int32_t formula)
{
  const struct pack_formula *f = &v->formulas[formula];
  uint32_t keys = 0;
  for (uint32_t i = 0; i < f->nsteps; i++)
    if (v->steps[f->step + i].op == FORMULA_KEY)
      keys |= UINT32_C(1) << v->steps[f->step + i].value;
  return keys;
}

static int serves(const struct query *r, const struct index *v,
                  const struct pack_plan *p)
{
  for (uint32_t i = 0; i < p->nneeds; i++) {
    int64_t left;
    if (index_value(v, v->needs[p->need + i], r->keys, &left) || left)
      return 0;
  }
  return 1;
}

/* Workgroups of the first kernel, or 0. */
static double groups(const struct index *v, const struct pack_launch *l,
                     const int64_t *keys)
{
  double all = 1;
  for (int i = 0; i < 3; i++) {
    int64_t n = 0;
    if (index_value(v, l->grid[i], keys, &n))
      return 0;
    all *= (double)n;
  }
  return all;
}

static double cost(const struct index *v, const struct pack_plan *p,
                   const int64_t *keys)
{
  int64_t n = 0;
  return index_value(v, p->cost, keys, &n) ? 0 : (double)n;
}

/* How much more a workgroup does for keys than for tuned: it follows the keys
 * that the cost reads and the grid does not. Where there are none, it is the
 * cost by the workgroup. */
static double work(const struct index *v, const struct pack_plan *p,
                   const int64_t *tuned, const int64_t *keys)
{
  const struct pack_launch *l = &v->launches[p->launch];
  uint32_t spread = 0;
  for (int i = 0; i < 3; i++)
    spread |= reads(v, l->grid[i]);
  uint32_t rest = reads(v, p->cost) & ~spread;
  double before = cost(v, p, tuned);
  if (before <= 0)
    return 1;
  if (!rest)
    return cost(v, p, keys) / before * groups(v, l, tuned) /
           groups(v, l, keys);
  int64_t mixed[TUNED_KEYS];
  for (uint32_t i = 0; i < TUNED_KEYS; i++)
    mixed[i] = rest >> i & 1 ? keys[i] : tuned[i];
  return cost(v, p, mixed) / before;
}

static double rounds(const struct query *r, double groups)
{
  return ceil(groups / r->arch->cus);
}

/* The keys of a winner, and 0 behind them. */
static void tuned_keys(const struct query *r, const struct index *v,
                       const struct pack_winner *w, int64_t out[TUNED_KEYS])
{
  size_t n = r->family->nkeys;
  memcpy(out, v->values + w->value, n * sizeof *out);
  memset(out + n, 0, (TUNED_KEYS - n) * sizeof *out);
}

static double estimate(const struct query *r, const struct index *v,
                       const struct pack_winner *w)
{
  const struct pack_plan *p = &v->plans[w->plan];
  const struct pack_launch *l = &v->launches[p->launch];
  int64_t tuned[TUNED_KEYS];
  tuned_keys(r, v, w, tuned);
  double before = groups(v, l, tuned), now = groups(v, l, r->keys);
  if (before < 1 || now < 1)
    return INFINITY;
  return w->us * rounds(r, now) / rounds(r, before) *
         work(v, p, tuned, r->keys);
}

/* --- distance ------------------------------------------------------------ */

/* Logarithms of what is asked for, of the keys that count. */
struct place {
  unsigned n;
  uint32_t key[TUNED_KEYS];
  float at[TUNED_KEYS];
};

static void find_place(struct place *p, const struct query *r,
                       const struct index *v)
{
  const struct pack_winner *w = &v->winners[r->class_->winner];
  uint32_t counted = reads(v, v->plans[w->plan].cost);
  p->n = 0;
  for (uint32_t i = 0; i < r->family->nkeys; i++)
    if (counted >> i & 1) {
      p->key[p->n] = i;
      p->at[p->n++] = logarithm(r->keys[i]);
    }
}

/* The square of it. */
static float distance(const struct place *p, const int64_t *values)
{
  float sum = 0;
  for (unsigned i = 0; i < p->n; i++) {
    float d = p->at[i] - logarithm(values[p->key[i]]);
    sum += d * d;
  }
  return sum;
}

/* Half an octave, one, two, more. */
static unsigned band(float square)
{
  return square < 0.25f ? 0 : square < 1 ? 1 : square < 4 ? 2 : 3;
}

struct near {
  const struct pack_winner *winner;
  float square;
};

/* Insert it among the n nearest; returns their number. */
static unsigned insert(struct near *list, unsigned n,
                       const struct pack_winner *w, float square)
{
  unsigned at = n < NEAREST ? n : NEAREST - 1;
  while (at > 0 && list[at - 1].square > square) {
    list[at] = list[at - 1];
    at--;
  }
  list[at].winner = w;
  list[at].square = square;
  return n < NEAREST ? n + 1 : n;
}

struct fit fit_find(const struct query *r, const struct index *v,
                    const struct pack_winner *without)
{
  struct near list[NEAREST];
  struct place place;
  struct fit best = {NULL, INFINITY, 0};
  unsigned n = 0;
  find_place(&place, r, v);
  for (uint32_t i = 0; i < r->class_->nwinners; i++) {
    const struct pack_winner *w = &v->winners[r->class_->winner + i];
    float square = distance(&place, v->values + w->value);
    if (w != without && (n < NEAREST || square < list[n - 1].square) &&
        serves(r, v, &v->plans[w->plan]))
      n = insert(list, n, w, square);
  }
  for (unsigned i = 0; i < n; i++) {
    double us = estimate(r, v, list[i].winner);
    if (us < best.us || !best.winner) {
      best.winner = list[i].winner;
      best.us = us;
      best.band = band(list[i].square);
    }
  }
  return best;
}
