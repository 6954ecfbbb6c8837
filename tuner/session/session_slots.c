/* session_slots.c - see session.h. */
// SPDX-License-Identifier: MIT
#include "tuner/reference/problem.h"
#include "tuner/session/session.h"

/* A simulated device is a program: as many as there are jobs, and memory for
 * their buffers (twice, for what surrounds them). */
size_t session_slots(const struct session *s)
{
  struct config c = {0};
  struct plan plan;
  if (!s->setup.device->modelled)
    return s->setup.nteam ? s->setup.nteam : 1;
  if (s->setup.given)
    c = *s->setup.given;
  else
    space_first(s->setup.space, &c);
  if (family_plan(s->setup.family, s->setup.problem, &c, &plan, NULL))
    return 1;
  double fit = s->setup.device->memory / (2 * plan_bytes(&plan) + (64 << 20));
  size_t slots = fit < (double)s->setup.jobs ? (size_t)fit : s->setup.jobs;
  return slots > 0 ? slots : 1;
}
