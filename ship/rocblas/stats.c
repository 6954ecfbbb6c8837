/* stats.c - counters, printed at exit where TUNED_BLAS asks for it. */
// SPDX-License-Identifier: MIT
#include "ship/rocblas/stats.h"

#include <stdio.h>
#include <unistd.h>

#include "ship/rocblas/mode.h"

static unsigned long long counts[REASONS]; /* atomic */
static pid_t owner; /* a forked child has counts of its own */

static void __attribute__((constructor)) begin(void)
{
  owner = getpid();
}

void stats_count(enum reason r)
{
  __atomic_add_fetch(&counts[r], 1, __ATOMIC_RELAXED);
}

static void __attribute__((destructor)) print(void)
{
  unsigned long long forwarded = 0;
  if (!mode_get()->stats || getpid() != owner)
    return;
  for (int r = SERVED + 1; r < REASONS; r++)
    forwarded += counts[r];
  mode_say("%llu products served, %llu forwarded to rocBLAS", counts[SERVED],
           forwarded);
  for (int r = SERVED + 1; r < REASONS; r++)
    if (counts[r])
      mode_say("%10llu  %s: %s", counts[r], reason_name(r), reason_text(r));
}
