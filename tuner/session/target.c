/* target.c - see target.h. */
// SPDX-License-Identifier: MIT
#include "tuner/session/target.h"

#include <math.h>
#include <sys/sysinfo.h>

#include "base/clock.h"
#include "tuner/reference/problem.h"

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
int target_fits(const struct target *t, const struct task *k, struct err *e)
{
  struct config none = {0}, c = none;
  struct plan plan;
  int legal = space_first(k->space, &c);
  if (family_plan(k->family, &k->problem, legal ? &c : &none, &plan, e))
    return e->code;
  double bytes = plan_bytes(&plan), memory = memory_of(t->device);
  if (bytes > memory)
    return err_set(e, ERR_USAGE, "the problem takes %.0f MiB, and %s has "
                   "%.0f MiB; make it smaller", ceil(bytes / (1 << 20)),
                   t->device->name, floor(memory / (1 << 20)));
  if (!legal)
    return err_set(e, ERR_FAILED, "no configuration is legal for %s; `tune "
                   "explain %s --arch %s ...` shows which rule excludes what",
                   k->problem_text.at, family_name(k->family),
                   arch_name(k->arch));
  return 0;
}

struct record *target_identity(const struct target *t, const struct task *k)
{
  struct record *r = record_new();
  record_set(r, "arch", "%s", arch_name(k->arch));
  record_set(r, "family", "%s", family_name(k->family));
  record_set(r, "template", "%s", family_hash(k->family));
  record_set(r, "problem", "%s", k->problem_text.at);
  record_set(r, "device", "%s", t->device->name);
  record_set(r, "cus", "%d", t->device->cus);
  record_set(r, "source", "%s", device_source(t->device));
  record_set(r, "compiler", "%s", t->compiler);
  record_set(r, "runtime", "%s", t->device->runtime);
  record_set(r, "seed", "%lld", k->options->seed);
  record_set(r, "hot", "%d", k->options->hot);
  return r;
}

/* A device that had no time to answer may be the one that is wanted: another,
 * or the simulated one, is not taken for it. */
int target_open(struct target *t, const struct arch *a, const char *wish,
                double until, struct err *e)
{
  *t = (struct target){0};
  int rc = device_code(a, t->compiler, &t->health_code, until, e);
  if (!rc)
    devices_find(&t->devices, a, &t->health_code, until);
  if (clock_past(until))
    return err_set(e, ERR_FAILED, "the time was up before compiler and device "
                   "had answered; give more with --seconds");
  if (!rc)
    rc = device_choose(&t->devices, wish, a, &t->device, &t->why, e);
  return rc ? rc : device_team(&t->devices, wish, t->device, t->team,
                               &t->nteam, e);
}

void target_close(struct target *t)
{
  devices_free(&t->devices);
  str_free(&t->why);
  str_free(&t->health_code);
  *t = (struct target){0};
}
