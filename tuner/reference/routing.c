/* routing.c - see routing.h. */
// SPDX-License-Identifier: MIT
#include "tuner/reference/routing.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"

struct dealer {
  size_t groups;
  const struct buffer *buffer;
  struct rng rng;
  double *upto;  /* by rank: the sum of 1 / r */
  size_t *group; /* of a rank */
  size_t *token; /* by rank: the last that went there, from 1 on */
};

static void shuffle(struct dealer *d)
{
  for (size_t i = 0; i < d->groups; i++)
    d->group[i] = i;
  for (size_t i = d->groups; i > 1; i--) {
    size_t j = rng_below(&d->rng, i), other = d->group[j];
    d->group[j] = d->group[i - 1];
    d->group[i - 1] = other;
  }
}

static void rank(struct dealer *d)
{
  double sum = 0;
  for (size_t r = 0; r < d->groups; r++)
    d->upto[r] = sum += 1 / (double)(r + 1);
}

/* The first rank whose sum is above a random part of all. */
static size_t draw(struct dealer *d)
{
  double at = rng_unit(&d->rng) * d->upto[d->groups - 1];
  size_t low = 0, high = d->groups - 1;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (d->upto[middle] > at)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/* The rank of the nth group of a token. */
static size_t choose(struct dealer *d, size_t token, size_t nth)
{
  size_t r = nth;
  if (d->buffer->routing == ROUTING_ZIPF)
    do
      r = draw(d);
    while (d->token[r] == token);
  d->token[r] = token;
  return r;
}

void routing_offsets(uint64_t seed, const struct buffer *buffer, int32_t *out)
{
  size_t groups = buffer->elements - 1;
  struct dealer d = {groups, buffer, {{0}},
                     mem_array(groups, sizeof *d.upto),
                     mem_array(groups, sizeof *d.group),
                     mem_array(groups, sizeof *d.token)};
  rng_seed(&d.rng, seed);
  rank(&d);
  shuffle(&d);
  for (size_t i = 0; i <= groups; i++)
    out[i] = 0;
  for (size_t row = 0; row < buffer->routed; row++) {
    size_t token = row / buffer->used + 1, nth = row % buffer->used;
    out[d.group[choose(&d, token, nth)] + 1]++;
  }
  for (size_t i = 0; i < groups; i++)
    out[i + 1] += out[i];
  free(d.upto);
  free(d.group);
  free(d.token);
}

size_t routing_group(const int32_t *offsets, size_t groups, size_t row)
{
  size_t g = 0;
  while (g < groups && (size_t)offsets[g + 1] <= row)
    g++;
  return g;
}
