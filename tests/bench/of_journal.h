/* of_journal.h - what benchmarks read of journals. */
// SPDX-License-Identifier: MIT
#ifndef bench_of_journal_h
#define bench_of_journal_h

#include <string.h>

#include "gen/family.h"

/* m=64,n=32 as a problem of the family; text is cut up. 0, or what family_problem() says. */
static inline int problem_of(struct family *f, char *text, struct problem *p)
{
  const char *names[FAMILY_KEYS], *texts[FAMILY_KEYS];
  size_t n = 0;
  for (char *at = strtok(text, ","); at && n < FAMILY_KEYS;
       at = strtok(NULL, ",")) {
    char *equals = strchr(at, '=');
    if (!equals)
      return 1;
    *equals = 0;
    names[n] = at;
    texts[n++] = equals + 1;
  }
  return family_problem(f, names, texts, n, p, NULL);
}

#endif
