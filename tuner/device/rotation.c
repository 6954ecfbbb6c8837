/* rotation.c - see rotation.h. */
// SPDX-License-Identifier: MIT
#include "tuner/device/rotation.h"

static const size_t primes[] = {1, 2, 3, 5, ROTATION_MOST};

enum {PRIMES = sizeof primes / sizeof *primes};

/* Between two launches over a copy there are those over all others, but for one
 * that was passed over. */
size_t rotation_copies(double bytes, double cache)
{
  double wanted = 3 + cache / (bytes > 1 ? bytes : 1);
  size_t i = 0;
  while (i < PRIMES - 1 && (double)primes[i] < wanted)
    i++;
  return primes[i];
}

size_t rotation_fewer(size_t n)
{
  size_t i = PRIMES - 1;
  while (i && primes[i] > n)
    i--;
  return primes[i];
}

void rotation_begin(struct rotation *r, size_t n, size_t which, size_t leads)
{
  size_t *last = &r->last[which % ROTATION_CANDIDATES];
  if (n > 1 && (r->next + leads) % n + 1 == *last)
    r->next++;
  *last = (r->next + leads) % n + 1;
}

size_t rotation_take(struct rotation *r, size_t n)
{
  return r->next++ % n;
}
