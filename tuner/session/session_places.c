/* session_places.c - see session.h. */
// SPDX-License-Identifier: MIT
#include "tuner/reference/problem.h"
#include "tuner/session/session.h"

/* A simulated device is a program: as many as there are jobs, and memory for
 * their buffers (twice, for what surrounds them). */
size_t session_places(const struct session *s)
{
  struct config c = {0};
  struct plan plan;
  if (!s->device->modelled)
    return s->nteam ? s->nteam : 1;
  if (s->given)
    c = *s->given;
  else
    space_first(s->space, &c);
  if (family_plan(s->family, s->problem, &c, &plan, NULL))
    return 1;
  double fit = s->device->memory / (2 * plan_bytes(&plan) + (64 << 20));
  size_t places = fit < (double)s->jobs ? (size_t)fit : s->jobs;
  return places > 0 ? places : 1;
}
