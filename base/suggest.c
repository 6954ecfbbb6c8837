/* suggest.c - see suggest.h. */
// SPDX-License-Identifier: MIT
#include "base/suggest.h"

#include <string.h>

enum {LONGEST = 63};

static size_t least(size_t a, size_t b)
{
  return a < b ? a : b;
}

/* Optimal string alignment distance, with three rows kept. */
static size_t distance(const char *a, size_t na, const char *b, size_t nb)
{
  size_t rows[3][LONGEST + 2];
  for (size_t j = 0; j <= nb; j++)
    rows[0][j] = j;
  for (size_t i = 1; i <= na; i++) {
    size_t *now = rows[i % 3], *last = rows[(i + 2) % 3],
           *before = rows[(i + 1) % 3];
    now[0] = i;
    for (size_t j = 1; j <= nb; j++) {
      int differ = a[i - 1] != b[j - 1];
      now[j] = least(least(last[j], now[j - 1]) + 1, last[j - 1] + differ);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = least(now[j], before[j - 2] + 1);
    }
  }
  return rows[na % 3][nb];
}

const char *suggest(const char *wrong, const char *const *names, size_t n)
{
  size_t length = strlen(wrong);
  if (length > LONGEST)
    return NULL;
  size_t best = length / 3 > 1 ? length / 3 : 1;
  const char *found = NULL;
  for (size_t i = 0; i < n; i++) {
    size_t other = strlen(names[i]);
    if (other > LONGEST)
      continue;
    size_t d = distance(wrong, length, names[i], other);
    if (d < best || (d == best && !found)) {
      best = d;
      found = names[i];
    }
  }
  return found;
}
