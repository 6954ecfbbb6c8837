/* rng.c - see rng.h. */
// SPDX-License-Identifier: MIT
#include "base/rng.h"

static uint64_t rotate(uint64_t x, int k)
{
  return x << k | x >> (64 - k);
}

void rng_seed(struct rng *r, uint64_t seed)
{
  for (unsigned i = 0; i < 4; i++)
    r->s[i] = rng_nth(seed, i);
}

uint64_t rng_next(struct rng *r)
{
  uint64_t *s = r->s, result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotate(s[3], 45);
  return result;
}

uint64_t rng_below(struct rng *r, uint64_t n)
{
  uint64_t limit = -n % n, x; /* 2^64 mod n: draws under it would be biased */
  do
    x = rng_next(r);
  while (x < limit);
  return x % n;
}

double rng_unit(struct rng *r)
{
  return rng_fraction(rng_next(r));
}
