/* target.c - see target.h. */
// SPDX-License-Identifier: MIT
#include "tuner/target.h"

#include <sys/sysinfo.h>

#include "tuner/problem.h"

/* A simulated device's memory is this machine's. */
static double memory_of(const struct device *d)
{
  struct sysinfo info;
  if (!d->modelled || sysinfo(&info) != 0)
    return d->memory;
  double host = (double)info.totalram * info.mem_unit;
  return host < d->memory ? host : d->memory;
}

/* Buffers are as large for an illegal configuration as for a legal one, near
 * enough to refuse what is far too large before its rules are discussed. */
static int check_memory(const struct target *t, const struct job *j,
                        struct err *e)
{
  struct config c = {0};
  struct plan plan;
  int legal = space_first(j->space, &c);
  if (family_plan(j->family, &j->problem, &c, &plan, e))
    return e->code;
  double bytes = plan_bytes(&plan), memory = memory_of(t->device);
  if (bytes > memory)
    return err_set(e, ERR_USAGE, "the problem takes %.1f GiB, and %s has "
                   "%.1f GiB; make it smaller", bytes / (1 << 30),
                   t->device->name, memory / (1 << 30));
  if (!legal)
    return err_set(e, ERR_FAILED, "no configuration is legal for %s; `tune "
                   "explain %s --arch %s ...` shows which rule excludes what",
                   j->problem_text.at, family_name(j->family),
                   arch_name(j->arch));
  return 0;
}

int target_open(struct target *t, const struct job *j, struct err *e)
{
  struct str code = {0};
  *t = (struct target){0};
  int rc = device_code(j->arch, t->compiler, &code, e);
  if (!rc) {
    devices_find(&t->devices, &code);
    rc = device_choose(&t->devices, j->request->device, j->arch, &t->device,
                       &t->why, e);
  }
  if (!rc)
    rc = check_memory(t, j, e);
  str_free(&code);
  return rc;
}

void target_close(struct target *t)
{
  devices_free(&t->devices);
  str_free(&t->why);
  *t = (struct target){0};
}
