/* warnings.c - see warnings.h. */
// SPDX-License-Identifier: MIT
#include "tuner/report/warnings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static struct str *warn(struct report *r)
{
  r->warnings =
      mem_resize(r->warnings, (r->nwarnings + 1) * sizeof *r->warnings);
  r->warnings[r->nwarnings] = (struct str){0};
  return &r->warnings[r->nwarnings++];
}

/* --- clocks -------------------------------------------------------------- */

static void add_clock(struct str *to, const char *name, double a, double b)
{
  if (a > 0 && b > 0 && fabs(log(b / a)) > CLOCKS_DIFFER)
    str_addf(to, "%s%s %.0f MHz, before %.0f (%+.1f %%)", to->len ? "; " : "",
             name, b, a, 100 * (b / a - 1));
}

static void warn_clocks(struct report *r)
{
  const struct clocks *a = &r->comparison.clocks[0];
  const struct clocks *b = &r->comparison.clocks[1];
  struct str what = {0};
  add_clock(&what, "core", a->sclk_mhz, b->sclk_mhz);
  add_clock(&what, "memory", a->mclk_mhz, b->mclk_mhz);
  if (r->comparison.before && what.len)
    str_addf(warn(r), "the clocks differ from those of %s: %s. What is slower "
             "or faster may be the card, not the kernels", str_text(&r->with),
             what.at);
  str_free(&what);
  if (b->throttled)
    str_addf(warn(r), "the card throttled while %zu problems were measured "
             "(before: %zu), although they were measured again", b->throttled,
             a->throttled);
}

/* --- the nights ---------------------------------------------------------- */

static void warn_cut(struct report *r, const struct night_info *n,
                     const char *which)
{
  if (n->files < n->shards)
    str_addf(warn(r), "%s has %zu of its %zu shards: what the others were to do "
             "is missing", which, n->files, n->shards);
  if (n->ended < n->files && n->shards == 1)
    str_addf(warn(r), "%s was cut short, or still runs: it has no end. The same "
             "`tune sweep` again goes on in it", which);
  else if (n->ended < n->files)
    str_addf(warn(r), "%s was cut short, or still runs: %zu of its %zu shards "
             "have no end", which, n->files - n->ended, n->files);
  if (n->damaged)
    str_addf(warn(r), "%zu lines of %s are damaged and were not used", n->damaged,
             which);
}

/* --- what ran it --------------------------------------------------------- */

/* The first of the subjects of this verdict, or -1. */
static long first_of(const struct report *r, enum verdict v)
{
  for (size_t i = 0; i < r->comparison.n; i++)
    if (r->comparison.list[i].verdict == v)
      return (long)i;
  return -1;
}

static void warn_device(struct report *r)
{
  const struct names *names = &r->nights.names;
  long i = first_of(r, VERDICT_DEVICE);
  if (i < 0)
    return;
  str_addf(warn(r), "%zu problems ran on another device and are not compared: "
           "on %s, before on %s", r->comparison.count[VERDICT_DEVICE],
           names_text(names, report_after(r, (size_t)i)->device),
           names_text(names, report_before(r, (size_t)i)->device));
}

static void warn_source(struct report *r)
{
  long i = first_of(r, VERDICT_SOURCE);
  if (i < 0)
    return;
  str_addf(warn(r), "%zu problems are not compared: they are %s now and were %s "
           "before", r->comparison.count[VERDICT_SOURCE],
           source_name(report_after(r, (size_t)i)->source),
           source_name(report_before(r, (size_t)i)->source));
}

/* Compilers, runtimes and templates that are others than before. */
static void warn_made(struct report *r)
{
  const struct names *names = &r->nights.names;
  size_t n = 0;
  long first = -1;
  for (size_t i = 0; i < r->comparison.n; i++) {
    const struct point *a = report_before(r, i), *b = report_after(r, i);
    if (!a || !b || a->state != POINT_OK || b->state != POINT_OK ||
        a->made == b->made || a->source != b->source ||
        a->device != b->device)
      continue;
    first = first < 0 ? (long)i : first;
    n++;
  }
  if (!n || !r->comparison.before)
    return;
  str_addf(warn(r), "%zu winners were made with something else than before: as "
           "%s; before %s", n,
           names_text(names, report_after(r, (size_t)first)->made),
           names_text(names, report_before(r, (size_t)first)->made));
}

void warnings_find(struct report *r)
{
  const struct night_info *before = r->comparison.before;
  warn_clocks(r);
  warn_cut(r, report_night(r), "this night");
  if (before && before != &r->tables)
    warn_cut(r, before, str_text(&r->with));
  warn_device(r);
  warn_source(r);
  warn_made(r);
  if (r->unknown.len)
    str_addf(warn(r), "the families %s are not among the templates: rates, "
             "peaks and staleness of their winners are not known",
             r->unknown.at);
}
