/* steady.c - see steady.h. */
// SPDX-License-Identifier: MIT
#include "tuner/device/steady.h"

void steady_begin(struct steady *s)
{
  s->tries = 0;
}

int steady_again(struct steady *s, int throttle, double took, double left)
{
  if (throttle <= 0) {
    s->stubborn = 0;
    return 0;
  }
  if (s->stubborn < STEADY_STUBBORN && s->tries < STEADY_TRIES &&
      took + STEADY_REST <= left) {
    s->tries++;
    return 1;
  }
  if (s->stubborn < STEADY_STUBBORN)
    s->stubborn++;
  return 0;
}
