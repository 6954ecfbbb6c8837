/* verb_explain_annotate.c - the kernel's instructions, each with what it
 * costs: see explain.h.
 *
 * The loop to look at is the innermost one, that is one without another in
 * it, in which the waves spend most time.
 */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tuner/cli/explain.h"

struct loop {
  long first, last; /* offsets: its first instruction, the branch back */
  double latency;   /* of all in it */
  double times;     /* the branch was reached */
};

struct annotation {
  const struct explained *x;
  const struct listing *listing;
  size_t *order;
  double waves;   /* simulated */
  double latency; /* of all instructions */
  struct loop *loops;
  size_t nloops;
  const struct loop *hot; /* NULL: no loop */
};

/* --- order --------------------------------------------------------------- */

static int compare(const void *a, const void *b, void *user)
{
  const struct explained *x = user;
  long at = explain_offset(&x->rows[*(const size_t *)a]);
  long other = explain_offset(&x->rows[*(const size_t *)b]);
  return (at > other) - (at < other);
}

size_t *explain_order(const struct explained *x)
{
  size_t *order = mem_array(x->nrows + 1, sizeof *order);
  for (size_t i = 0; i < x->nrows; i++)
    order[i] = i;
  qsort_r(order, x->nrows, sizeof *order, compare, (void *)x);
  return order;
}

/* --- loops --------------------------------------------------------------- */

static int in_loop(const struct loop *l, long at)
{
  return at >= l->first && at <= l->last;
}

/* The compiler places what is rarely executed first where it likes: a branch
 * back to what was not executed is none of a loop. */
static int goes_round(const struct explained *x,
                      const struct hipsim_instruction *b)
{
  if (b->hits <= 0 || (int32_t)b->target > explain_offset(b))
    return 0;
  for (size_t i = 0; i < x->nrows; i++)
    if (x->rows[i].offset == b->target)
      return x->rows[i].hits > 0;
  return 0;
}

/* Several branches back to one place (continue) are one loop. */
static void add_loop(struct annotation *a, const struct hipsim_instruction *b)
{
  long first = (int32_t)b->target, last = explain_offset(b);
  for (size_t i = 0; i < a->nloops; i++)
    if (a->loops[i].first == first) {
      if (last > a->loops[i].last)
        a->loops[i].last = last;
      a->loops[i].times += b->hits;
      return;
    }
  a->loops[a->nloops++] = (struct loop){first, last, 0, b->hits};
}

static int holds_another(const struct annotation *a, const struct loop *l)
{
  for (size_t i = 0; i < a->nloops; i++)
    if (&a->loops[i] != l && in_loop(l, a->loops[i].first) &&
        in_loop(l, a->loops[i].last))
      return 1;
  return 0;
}

static void find_loops(struct annotation *a)
{
  const struct explained *x = a->x;
  a->loops = mem_array(x->nrows + 1, sizeof *a->loops);
  for (size_t i = 0; i < x->nrows; i++) {
    const struct hipsim_instruction *row = &x->rows[i];
    a->latency += row->latency;
    if (goes_round(x, row))
      add_loop(a, row);
  }
  for (size_t i = 0; i < a->nloops; i++) {
    struct loop *l = &a->loops[i];
    for (size_t k = 0; k < x->nrows; k++)
      if (in_loop(l, explain_offset(&x->rows[k])))
        l->latency += x->rows[k].latency;
    if (!holds_another(a, l) && (!a->hot || l->latency > a->hot->latency))
      a->hot = l;
  }
}

static char mark(const struct annotation *a, long at)
{
  if (a->hot && in_loop(a->hot, at))
    return '|';
  for (size_t i = 0; i < a->nloops; i++)
    if (in_loop(&a->loops[i], at))
      return ':';
  return ' ';
}

/* --- printing ------------------------------------------------------------ */

static double per(double x, double n)
{
  return n > 0 ? x / n : 0;
}

enum {TEXT_AT = 40, WIDTH = 80};

/* Text in what is left of the line and, broken at blanks, the next ones. */
static void print_text(const char *text)
{
  size_t room = WIDTH - TEXT_AT;
  while (strlen(text) > room) {
    size_t cut = room;
    while (cut > 0 && text[cut] != ' ')
      cut--;
    if (!cut)
      break;
    printf("%.*s\n%*s", (int)cut, text, TEXT_AT, "");
    text += cut;
    room = WIDTH - TEXT_AT - 1;
  }
  printf("%s\n", text);
}

static void print_row(const struct annotation *a, size_t i)
{
  const struct hipsim_instruction *row = &a->x->rows[i];
  const char *text = i < a->listing->n && a->listing->text[i]
                         ? a->listing->text[i] : row->name;
  char all[WIDTH * 4], hits[16], hex[24];
  long at = explain_offset(row);
  snprintf(hits, sizeof hits, row->hits < 1e5 * a->waves ? "%.5g" : "%.3g",
           per(row->hits, a->waves));
  snprintf(all, sizeof all, "%s", text);
  if (!strcmp(row->unit, "branch"))
    snprintf(all, sizeof all, "%s -> %lx", text, (long)(int32_t)row->target);
  snprintf(hex, sizeof hex, "%s%lx", at < 0 ? "-" : "", labs(at));
  printf("%c%6s", mark(a, at), hex);
  if (row->hits > 0)
    printf(" %7s %7.1f %7.1f %5.1f  ", hits, per(row->latency, row->hits),
           per(row->stall, row->hits), 100 * per(row->latency, a->latency));
  else
    printf(" %7s %7s %7s %5s  ", "-", "", "", "");
  print_text(all);
}

static void print_loop(const struct annotation *a)
{
  const struct loop *l = a->hot;
  if (l)
    printf("  hot loop %lx to %lx: %.1f %% of the waves' time, %.4g times a "
           "wave\n", l->first, l->last, 100 * per(l->latency, a->latency),
           per(l->times, a->waves));
}

static void print_legend(const struct annotation *a)
{
  const struct hipsim_report *r = &a->x->report;
  printf("\n  instructions of %.40s, modelled on %.2g %% of the waves\n"
         "  at       bytes from its entry, hexadecimal\n"
         "  hits     times a wave executes it\n"
         "  latency  cycles, from when it could issue to when the next one "
         "can\n"
         "  stall    of these, before it issued\n"
         "  %%        its part of all waves' time\n"
         "  | :      the hot loop, another loop; hits -: not executed\n",
         r->kernel, 100 * r->sampled_share);
}

void explain_annotate(const struct explained *x, const struct listing *l)
{
  struct annotation a = {.x = x, .listing = l, .order = explain_order(x),
                         .waves = x->report.sq_waves
                                  * x->report.sampled_share};
  find_loops(&a);
  print_legend(&a);
  print_loop(&a);
  printf("\n %6s %7s %7s %7s %5s  %s\n", "at", "hits", "latency", "stall",
         "%", "instruction");
  for (size_t i = 0; i < x->nrows; i++)
    print_row(&a, a.order[i]);
  free(a.order);
  free(a.loops);
}
