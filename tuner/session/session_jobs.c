/* session_jobs.c - see session.h. */
// SPDX-License-Identifier: MIT
#include "tuner/session/session.h"

struct compile_job session_compile_job(const struct session_setup *u,
                                       const char *cache)
{
  return (struct compile_job){u->family, u->problem, u->arch, u->compiler,
                              cache};
}

struct device_job session_device_job(const struct session_setup *u,
                                     size_t slot, const struct str *plain)
{
  return (struct device_job){
      .family = u->family, .problem = u->problem, .arch = u->arch,
      .device = slot < u->nteam ? u->team[slot] : u->device, .seed = u->seed,
      .precision = u->precision, .hot = u->hot, .plain = plain,
      .timeout = u->timeout};
}
