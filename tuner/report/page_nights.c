/* page_nights.c - which nights a page shows: see page.h. */
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/mem.h"
#include "tuner/report/page.h"

/* Weeks since some Monday; nights without a date are in week 0. */
static long week_of(const char *stamp)
{
  enum {WEEK = 7 * 86400, MONDAY = 4 * 86400 /* 1970 began on a Thursday */};
  struct tm tm = {0};
  if (sscanf(stamp, "%4d%2d%2dT%2d%2d", &tm.tm_year, &tm.tm_mon, &tm.tm_mday,
             &tm.tm_hour, &tm.tm_min) != 5)
    return 0;
  tm.tm_year -= 1900;
  tm.tm_mon--;
  return (long)((timegm(&tm) - MONDAY) / WEEK);
}

size_t page_nights(const struct report *r, size_t **out)
{
  size_t n = r->nights.n, problems = r->nights.nsubjects;
  size_t most = problems ? PAGE_POINTS / problems : n, found = 0;
  size_t recent = n < PAGE_NIGHTS ? 0 : n - PAGE_NIGHTS;
  size_t *list = mem_array(n + 1, sizeof *list);
  most = most < 2 ? 2 : most;
  for (size_t i = 0; i < n; i++)
    if (i >= recent || week_of(r->nights.list[i].stamp) !=
                           week_of(r->nights.list[i + 1].stamp))
      list[found++] = i;
  size_t left = found > most ? found - most : 0;
  for (size_t i = 0; i + left < found; i++)
    list[i] = list[i + left];
  *out = list;
  return found - left;
}
