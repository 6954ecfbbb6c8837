/* recording.h - what must hold of a recording's readers for any bytes. */
// SPDX-License-Identifier: MIT
#ifndef tests_fuzz_recording_h
#define tests_fuzz_recording_h

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "tests/fuzz/store.h"
#include "tuner/replay/recording.h"

/* Refused with a sentence that begins with the file, or a space whose points
 * have costs; 1 if read. */
static inline int recording_bytes(const char *bytes, size_t n)
{
  struct recording *r;
  struct err e = {0};
  struct config c;
  if (recording_parse(&r, "file", bytes, n, &e)) {
    MUST(!r && e.code == ERR_FAILED && !strncmp(e.text, "file", 4));
    return 0;
  }
  struct space *s = recording_space(r);
  const double *times;
  size_t ntimes = recording_times(r, &times), points = 0;
  MUST(ntimes > 0 && ntimes <= recording_size(r));
  for (int more = space_first(s, &c); more; more = space_next(s, &c)) {
    MUST(recording_cost(r, &c) > 0);
    points++;
  }
  MUST(points == recording_size(r));
  recording_close(r);
  return 1;
}

/* The text with one to three bytes changed, cut out or doubled. */
static inline int recording_damaged(const char *text, struct rng *rng)
{
  static const char spice[] = "\t\n{}[]\",:-e0915nk\0#\xff";
  size_t n = strlen(text);
  char *copy = malloc(n + 64); /* cut to size below, so that ASan sees ends */
  MUST(copy);
  memcpy(copy, text, n);
  for (uint64_t times = 1 + rng_below(rng, 3); times && n > 1; times--) {
    size_t at = rng_below(rng, n), left = n - at;
    size_t some = 1 + rng_below(rng, left < 16 ? left : 16);
    switch (rng_below(rng, 3)) {
    case 0:
      copy[at] = spice[rng_below(rng, sizeof spice - 1)];
      break;
    case 1:
      memmove(copy + at, copy + at + some, left - some);
      n -= some;
      break;
    case 2:
      memmove(copy + at + some, copy + at, left);
      n += some;
    }
  }
  char *exact = malloc(n ? n : 1);
  MUST(exact);
  memcpy(exact, copy, n);
  int good = recording_bytes(exact, n);
  free(exact);
  free(copy);
  return good;
}

#endif
