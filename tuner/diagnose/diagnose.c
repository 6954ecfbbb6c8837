/* diagnose.c - see diagnose.h. */
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tuner/diagnose/diagnose.h"

/* ORDER CAUSE */
const char *const cause_words[CAUSES] = {
    "LDS", "global memory", "global memory or LDS", "scalar loads",
    "barriers", "matrix units", "vector units", "all else",
};

/* ORDER TROUBLE */
const char *const trouble_words[TROUBLES] = {
    "bank conflicts", "write to read", "exchange",
};

/* The shares and totals are those that FlyDSL's guide to traces of LDS teaches.
 * Totals grow with the number of traced waves; so stalls of one hit must be
 * long, too. 64 cycles: what an LDS access takes that nothing holds up, 50 to
 * 64 as measured on gfx906 to gfx942. */
const struct diagnose_limits diagnose_limits = {
    .lds_share = 0.15,
    .least_share = 0.01,
    .conflict_stall = 100,
    .pair_stall = 50,
    .wait_total = 2000,
    .wait_stall = 32,
    .near = 8,
    .barrier_total = 5000,
    .barriers = 4,
    .between = 32,
    .words = 8,
};

struct examined {
  const struct att_kernel *k;
  struct flow *flow;
  struct diagnosis *d;
  int banks;
};

/* --- what stalls are for ------------------------------------------------- */

static const unsigned lds_kinds = 1 << FLOW_LDS_READ | 1 << FLOW_LDS_WRITE
                                  | 1 << FLOW_LDS_EXCHANGE;

static int is_lds(enum flow_kind kind)
{
  return lds_kinds >> kind & 1;
}

/* A wait that names LDS's counter waits for LDS only if some is under way. */
static int waits_for_lds(const struct flow *f)
{
  return f->waits & FLOW_WAITS_LDS && f->pending & lds_kinds;
}

static enum cause cause_of_wait(const struct flow *f)
{
  int memory = f->waits & FLOW_WAITS_MEMORY;
  if (waits_for_lds(f))
    return memory ? CAUSE_BOTH : CAUSE_LDS;
  if (memory)
    return CAUSE_MEMORY;
  return f->pending >> FLOW_SCALAR_LOAD & 1 ? CAUSE_SCALAR : CAUSE_OTHER;
}

static const enum cause causes[FLOW_KINDS] = {
    [FLOW_OTHER] = CAUSE_OTHER,          [FLOW_LDS_READ] = CAUSE_LDS,
    [FLOW_LDS_WRITE] = CAUSE_LDS,        [FLOW_LDS_EXCHANGE] = CAUSE_LDS,
    [FLOW_SCALAR_LOAD] = CAUSE_SCALAR,   [FLOW_MEMORY] = CAUSE_MEMORY,
    [FLOW_BARRIER] = CAUSE_BARRIER,      [FLOW_MATRIX] = CAUSE_MATRIX,
    [FLOW_VECTOR] = CAUSE_VECTOR,        [FLOW_BRANCH] = CAUSE_OTHER,
};

enum cause cause_of(const struct flow *f)
{
  return f->kind == FLOW_WAIT ? cause_of_wait(f) : causes[f->kind];
}

static void add_up(struct examined *x)
{
  struct diagnosis *d = x->d;
  for (size_t i = 0; i < x->k->nrows; i++) {
    const struct att_row *row = &x->k->rows[i];
    d->by[cause_of(&x->flow[i])] += row->stall;
    d->stall += row->stall;
    d->cycles += row->latency;
  }
  d->waves = x->k->nrows ? x->k->rows[0].hits : 0;
}

/* --- findings ------------------------------------------------------------ */

static void find(struct examined *x, struct finding f)
{
  struct diagnosis *d = x->d;
  f.share = d->stall > 0 ? f.stall / d->stall : 0;
  if (f.share < diagnose_limits.least_share)
    return;
  d->findings = mem_resize(d->findings,
                           (d->nfindings + 1) * sizeof *d->findings);
  d->findings[d->nfindings++] = f;
}

static double a_hit(const struct att_row *row)
{
  return row->hits > 0 ? row->stall / row->hits : 0;
}

/* Has it two addresses, as ds_read2_b64 and ds_write2st64_b32? */
static int is_pair(const char *text)
{
  return strstr(text, "read2") || strstr(text, "write2") || strstr(text, "_2addr");
}

/* ds_read2_b64 v[0:3], v4 offset0:16 offset1:48: do both words that a lane
 * reads lie in the same banks? Offsets count words, or 64 of them. */
static int same_banks(const char *text, int banks)
{
  const char *first = strstr(text, "offset0:");
  const char *second = strstr(text, "offset1:");
  if (!is_pair(text) || !second)
    return 0;
  long apart = strtol(second + 8, NULL, 10)
               - (first ? strtol(first + 8, NULL, 10) : 0);
  apart *= strstr(text, "_b64") ? 2 : 1;
  apart *= strstr(text, "2st64_") ? 64 : 1;
  return apart && apart % banks == 0;
}

static void look_for_conflicts(struct examined *x, size_t i)
{
  const struct att_row *row = &x->k->rows[i];
  int same = same_banks(row->text, x->banks);
  if (!is_lds(x->flow[i].kind) ||
      a_hit(row) <= (same ? diagnose_limits.pair_stall
                          : diagnose_limits.conflict_stall))
    return;
  find(x, (struct finding){.trouble = TROUBLE_CONFLICTS, .first = i, .last = i,
                           .hits = row->hits, .stall = row->stall,
                           .same_banks = same});
}

static void look_for_distance(struct examined *x, size_t i)
{
  const struct att_row *row = &x->k->rows[i];
  const struct flow *f = &x->flow[i];
  if (f->kind != FLOW_WAIT || !f->all || f->waits & FLOW_WAITS_MEMORY ||
      !(f->pending >> FLOW_LDS_WRITE & 1) ||
      f->from_write > diagnose_limits.near ||
      row->stall <= diagnose_limits.wait_total ||
      a_hit(row) <= diagnose_limits.wait_stall)
    return;
  find(x, (struct finding){.trouble = TROUBLE_DISTANCE, .first = i, .last = i,
                           .hits = row->hits, .stall = row->stall,
                           .distance = f->from_write});
}

/* Words that a lane moves by it. */
static int moved(const struct examined *x, size_t i)
{
  const char *text = x->k->rows[i].text;
  unsigned kind = 1u << x->flow[i].kind;
  if (!(kind & (1 << FLOW_LDS_READ | 1 << FLOW_LDS_WRITE)))
    return 0;
  return flow_width(text) * (is_pair(text) ? 2 : 1);
}

/* Does an exchange end at such an instruction? */
static int ends_exchange(enum flow_kind kind)
{
  return kind == FLOW_MEMORY || kind == FLOW_MATRIX;
}

/* Barriers one after the other, from row i on: the last row of those between
 * which there is LDS and little else. */
static size_t chain_end(const struct examined *x, size_t i)
{
  size_t end = i;
  int lds = 0, words = 0;
  for (size_t at = i + 1; at < x->k->nrows; at++) {
    enum flow_kind kind = x->flow[at].kind;
    words += moved(x, at);
    if (at - end > diagnose_limits.between || ends_exchange(kind) ||
        words > diagnose_limits.words)
      break;
    lds |= is_lds(kind);
    if (kind == FLOW_BARRIER && lds) {
      end = at;
      lds = words = 0;
    }
  }
  return end;
}

/* Is there LDS and little else from one row to another, which are a loop? */
static int exchanges(const struct examined *x, size_t first, size_t last)
{
  int lds = 0, words = 0, barriers = 0;
  for (size_t i = first; i <= last; i++) {
    if (ends_exchange(x->flow[i].kind))
      return 0;
    lds |= is_lds(x->flow[i].kind);
    words += moved(x, i);
    barriers += x->flow[i].kind == FLOW_BARRIER;
  }
  return lds && words <= diagnose_limits.words * barriers;
}

/* The branch that closes a short loop around the barrier at row i, or i. */
static size_t loop_end(const struct examined *x, size_t i, size_t *first)
{
  for (size_t at = i + 1; at < x->k->nrows; at++) {
    if (at - i > diagnose_limits.between)
      break;
    size_t to = flow_target(x->k, at);
    if (x->flow[at].kind == FLOW_BRANCH && to <= i &&
        at - to <= diagnose_limits.between && exchanges(x, to, at)) {
      *first = to;
      return at;
    }
  }
  return i;
}

/* What barriers, and waits for LDS, from one row to another stalled. */
static struct finding exchanged(const struct examined *x, size_t first,
                                size_t last)
{
  struct finding f = {.trouble = TROUBLE_EXCHANGE, .first = first,
                      .last = last};
  for (size_t i = first; i <= last; i++) {
    const struct att_row *row = &x->k->rows[i];
    int barrier = x->flow[i].kind == FLOW_BARRIER;
    if (barrier)
      f.hits += row->hits;
    if (barrier ||
        (x->flow[i].kind == FLOW_WAIT && waits_for_lds(&x->flow[i])))
      f.stall += row->stall;
  }
  f.barriers = x->d->waves > 0 ? f.hits / x->d->waves : 0;
  return f;
}

static void look_for_exchanges(struct examined *x)
{
  for (size_t i = 0; i < x->k->nrows; i++) {
    if (x->flow[i].kind != FLOW_BARRIER)
      continue;
    size_t first = i, end = chain_end(x, i);
    if (end == i)
      end = loop_end(x, i, &first);
    struct finding f = exchanged(x, first, end);
    if (end > i && f.barriers > diagnose_limits.barriers &&
        f.stall > diagnose_limits.barrier_total)
      find(x, f);
    i = end;
  }
}

static int compare(const void *a, const void *b)
{
  const struct finding *x = a, *y = b;
  if (x->stall != y->stall)
    return x->stall < y->stall ? 1 : -1;
  return (x->first > y->first) - (x->first < y->first);
}

void diagnose(struct diagnosis *d, const struct att_kernel *k, int banks)
{
  struct examined x = {k, flow_of(k), d, banks};
  *d = (struct diagnosis){0};
  add_up(&x);
  for (size_t i = 0; i < k->nrows; i++) {
    look_for_conflicts(&x, i);
    look_for_distance(&x, i);
  }
  look_for_exchanges(&x);
  if (d->nfindings)
    qsort(d->findings, d->nfindings, sizeof *d->findings, compare);
  free(x.flow);
}

void diagnosis_free(struct diagnosis *d)
{
  free(d->findings);
  *d = (struct diagnosis){0};
}
