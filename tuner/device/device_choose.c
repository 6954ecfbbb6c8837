/* device_choose.c - which device: see device.h. */
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "tuner/device/device.h"

const char *device_source(const struct device *d)
{
  return d->counted ? "counted" : d->modelled ? "modelled" : "measured";
}

static const struct device *first(const struct devices *d, int modelled)
{
  for (size_t i = 0; i < d->n; i++)
    if (d->list[i].modelled == modelled && d->list[i].fits)
      return &d->list[i];
  return NULL;
}

static int choose_number(const struct devices *d, const char *wish,
                         const struct arch *a, const struct device **out,
                         struct err *e)
{
  char *end;
  long number = strtol(wish, &end, 10);
  if (*end || end == wish || number < 0)
    return err_set(e, ERR_USAGE, "--device %s: must be auto, all, sim or a "
                   "number of `tune list devices`", wish);
  for (size_t i = 0; i < d->n; i++)
    if (!d->list[i].modelled && d->list[i].number == number) {
      *out = &d->list[i];
      return (*out)->fits ? 0 : err_set(e, ERR_FAILED, "device %ld (%s) does "
                                        "not run code for %s", number,
                                        (*out)->name, arch_name(a));
    }
  return err_set(e, ERR_FAILED, "there is no device %ld; `tune list devices` "
                 "shows what there is", number);
}

static int none(const struct devices *d, const char *what,
                const struct arch *a, struct err *e)
{
  struct str seen = {0};
  for (size_t i = 0; i < d->n; i++)
    if (d->list[i].fits)
      str_addf(&seen, "\n%s: is simulated; --device sim takes it",
               d->list[i].name);
    else
      str_addf(&seen, "\n%s: does not run code for %s", d->list[i].name,
               arch_name(a));
  if (d->notes.len)
    str_addf(&seen, "\n%.*s", (int)d->notes.len - 1, d->notes.at);
  err_set(e, ERR_FAILED, "there is no %sdevice for %s%s", what, arch_name(a),
          str_text(&seen));
  str_free(&seen);
  return e->code;
}

int device_choose(const struct devices *d, const char *wish,
                  const struct arch *a, const struct device **out,
                  struct str *why, struct err *e)
{
  if (!strcmp(wish, "sim")) {
    *out = first(d, 1);
    str_add(why, "asked for by --device sim");
    return *out ? 0 : none(d, "simulated ", a, e);
  }
  if (!strcmp(wish, "all")) {
    *out = first(d, 0);
    str_add(why, "asked for by --device all");
    return *out ? 0 : none(d, "real ", a, e);
  }
  if (strcmp(wish, "auto") != 0) {
    str_addf(why, "asked for by --device %s", wish);
    return choose_number(d, wish, a, out, e);
  }
  *out = first(d, 0);
  if (*out) {
    str_addf(why, "a real %s is here", arch_name(a));
    return 0;
  }
  *out = first(d, 1);
  str_addf(why, "no real %s is here", arch_name(a));
  return *out ? 0 : none(d, "", a, e);
}

/* Their times can stand beside each other. */
static int alike(const struct device *a, const struct device *b)
{
  return !strcmp(a->name, b->name) && a->cus == b->cus &&
         a->memory == b->memory;
}

int device_team(const struct devices *d, const char *wish,
                const struct device *chosen,
                const struct device *team[DEVICES], size_t *n, struct err *e)
{
  team[0] = chosen;
  *n = 1;
  for (size_t i = 0; i < d->n && !strcmp(wish, "all"); i++) {
    const struct device *at = &d->list[i];
    if (at == chosen || at->modelled || !at->fits)
      continue;
    if (!alike(at, chosen))
      return err_set(e, ERR_USAGE, "--device all: device %d (%s, %d CUs, %.1f "
                     "GiB) is not like device %d (%s, %d CUs, %.1f GiB), so "
                     "that their times do not compare; name one of them with "
                     "--device N", at->number, at->name, at->cus,
                     at->memory / (1 << 30), chosen->number, chosen->name,
                     chosen->cus, chosen->memory / (1 << 30));
    team[(*n)++] = at;
  }
  return 0;
}
