/* verb_list.c - tune list families|archs|devices|searches. */
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/source.h"
#include "base/suggest.h"
#include "tuner/cli/cli.h"
#include "tuner/device/device.h"
#include "tuner/replay/rivals.h"

enum {NAMES = 13}; /* columns of names and the blank behind them */

static int list_families(const struct options *r, struct err *e)
{
  char **names;
  size_t n = source_list(r->templates, &names);
  int code = 0;
  for (size_t i = 0; i < n && !code; i++) {
    struct family *f;
    code = family_open(&f, names[i], r->templates, e);
    if (code)
      break;
    cli_entry(names[i], NAMES, family_meaning(f));
    family_close(f);
  }
  free(names);
  return code;
}

static int list_archs(const struct options *r, struct err *e)
{
  (void)r, (void)e;
  const struct arch *a;
  printf("%-8s %-7s %5s %5s %10s %8s %9s\n", "arch", "card", "wave", "CUs",
         "clock, MHz", "LDS, KiB", "HBM, GB/s");
  for (size_t i = 0; (a = arch_at(i)); i++)
    printf("%-8s %-7s %5lld %5lld %10lld %8lld %9lld\n", arch_name(a),
           arch_card(a), arch_fact(a, "wave"), arch_fact(a, "cus"),
           arch_fact(a, "clock_mhz"), arch_fact(a, "lds_bytes") / 1024,
           arch_fact(a, "hbm_gbps"));
  return 0;
}

/* The second line of a device: what its runtime says of it. */
static void add_speeds(const struct device *d, struct str *to)
{
  str_addf(to, "     %d CUs", d->cus);
  if (d->clock_mhz > 0)
    str_addf(to, " at %.0f MHz", d->clock_mhz);
  str_addf(to, ", %.0f GiB", d->memory / (1 << 30));
  if (d->memory_mhz > 0 && d->bus_bits > 0)
    str_addf(to, " at %.0f MHz on %.0f bits", d->memory_mhz, d->bus_bits);
  if (d->l2_bytes > 0)
    str_addf(to, ", L2 %.0f MiB", d->l2_bytes / (1 << 20));
  str_addf(to, "\n     runtime %s\n", d->runtime);
}

static void add_conditions(const struct device *d, struct str *to)
{
  struct str text = {0};
  device_conditions(d, &text);
  if (text.len)
    str_addf(to, "     %s\n", text.at);
  str_free(&text);
}

static void add_device(const struct device *d, struct str *to)
{
  char number[16] = "sim";
  if (d->number >= 0)
    snprintf(number, sizeof number, "%d", d->number);
  str_addf(to, "%-4s %s%s%s, %s\n", number, d->name, d->arch[0] ? ", " : "",
           d->arch, d->counted ? "counted, not timed" : device_source(d));
  add_speeds(d, to);
  add_conditions(d, to);
}

/* A head, and what was found under it. */
static void add_found(void (*find)(struct str *), const char *head,
                      struct str *to)
{
  struct str found = {0};
  find(&found);
  str_addf(to, "%s\n%s", head, found.len ? found.at : "  none\n");
  str_free(&found);
}

static int list_devices(const struct options *r, struct err *e)
{
  (void)r, (void)e;
  struct devices d;
  struct str text = {0};
  devices_find(&d, NULL, NULL, 0);
  for (size_t i = 0; i < d.n; i++)
    add_device(&d.list[i], &text);
  str_add(&text, str_text(&d.notes));
  add_found(runtimes_find, "runtimes, of which the first of a vendor is used:",
            &text);
  add_found(compilers_find, "compilers, likewise, and what they compile for:",
            &text);
  cli_lines(text.at);
  str_free(&text);
  devices_free(&d);
  return 0;
}

static int list_searches(const struct options *r, struct err *e)
{
  (void)r, (void)e;
  const struct search_ops *s;
  for (size_t i = 0; (s = search_list[i]); i++)
    cli_entry(s->name, NAMES, s->meaning);
  printf("with replay only:\n");
  for (size_t i = 0; (s = replay_list[i]); i++)
    if (search_find(search_list, s->name, &s, NULL))
      cli_entry(replay_list[i]->name, NAMES, replay_list[i]->meaning);
  return 0;
}

static const struct {
  const char *name;
  int (*run)(const struct options *r, struct err *e);
} lists[] = {
    {"families", list_families},
    {"archs", list_archs},
    {"devices", list_devices},
    {"searches", list_searches},
};

enum {LISTS = sizeof lists / sizeof *lists};

static int run(const struct options *r, struct err *e)
{
  const char *names[LISTS], *what;
  if (cli_word(r, 1, "list: families, archs, devices or searches", &what, e) ||
      options_keys(r, NULL, e))
    return e->code;
  for (size_t i = 0; i < LISTS; i++) {
    names[i] = lists[i].name;
    if (!strcmp(what, names[i]))
      return lists[i].run(r, e);
  }
  const char *near = suggest(what, names, LISTS);
  return err_set(e, ERR_USAGE, "there is no list '%s'%s%s%s there are "
                 "families, archs, devices and searches", what,
                 near ? "; did you mean '" : "", near ? near : "",
                 near ? "'?" : ";");
}

const struct verb verb_list = {
    "list", "list families|archs|devices|searches", "what there is", run,
    "devices shows real and simulated ones, what can be read of a card while it\n"
    "measures (clocks, power ...), for a runtime that has no device, why,\n"
    "and the runtimes and compilers that were found, where, and for which targets.\n"};
