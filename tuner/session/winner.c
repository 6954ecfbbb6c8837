/* winner.c - see winner.h. */
// SPDX-License-Identifier: MIT
#include "tuner/session/winner.h"

#include <stdlib.h>
#include <string.h>

#include "db/provenance.h"
#include "db/table.h"
#include "db/tried.h"
#include "gen/figure.h"
#include "gen/kernel_hash.h"
#include "tuner/reference/problem.h"
#include "tuner/session/cost.h"

double winner_rate(const struct plan *plan, double us, const char **unit)
{
  const struct quantity *q = quantity_rate(plan);
  *unit = q->name;
  return quantity_of(q, plan, us);
}

/* 10^9 a second, of so many a clock and CU. */
static double giga(const struct arch *a, const struct device *d,
                   long long per_clock)
{
  return 1e-3 * (double)per_clock * d->cus
         * (double)arch_fact(a, "clock_mhz");
}

/* GB/s: every bank of every CU in every clock. */
static double lds_peak(const struct arch *a, const struct device *d)
{
  return giga(a, d,
              arch_fact(a, "lds_banks") * arch_fact(a, "lds_bank_bytes"));
}

/* GB/s: a clock moves two bits on each line of the bus. The card that is here
 * may have other memory than that of the table. */
static double hbm_peak(const struct arch *a, const struct device *d)
{
  double here = 2e-3 * d->memory_mhz * d->bus_bits / 8;
  return here > 0 ? here : (double)arch_fact(a, "hbm_gbps");
}

double winner_peak(const struct arch *a, const struct device *d,
                   const struct plan *plan, struct str *what)
{
  int unit = (int)strcspn(plan->peak, "_"); /* of fp32_flops: fp32 */
  if (plan->flops > 0 && *plan->peak) {
    str_addf(what, "%.*s peak", unit, plan->peak);
    return giga(a, d, arch_fact(a, plan->peak));
  }
  if (plan->flops > 0 || plan->bytes <= 0 || plan->memory == MEMORY_CACHE)
    return 0;
  int lds = plan->memory == MEMORY_LDS;
  str_add(what, lds ? "LDS peak" : "HBM peak");
  return lds ? lds_peak(a, d) : hbm_peak(a, d);
}

static void add_runner_up(struct record *row, const struct record *second)
{
  double best = cost_of(row, 0), next = cost_of(second, 0);
  record_set(row, "runner_up", "%s", record_get(second, "config"));
  record_set(row, cost_is_time(row) ? "runner_up_us" : "runner_up_cost",
             "%.9g", next);
  record_set(row, "margin", "%.4f", next / best - 1);
  record_set(row, "tie", "%d", cost_tie(row, second));
}

/* What of the row follows from its configuration. */
static void add_derived(struct record *row, const struct session *s)
{
  struct config c = {0};
  char hash[HASH_TEXT];
  struct plan plan;
  const char *unit;
  if (config_parse(s->setup.family, record_get(row, "config"), 0, &c, NULL) ||
      family_plan(s->setup.family, s->setup.problem, &c, &plan, NULL))
    return;
  double rate = winner_rate(&plan, record_number(row, "time_us", 0), &unit);
  if (rate > 0)
    record_set(row, unit, "%.6g", rate);
  if (!kernel_hash(s->setup.family, s->setup.problem, &c, hash, NULL))
    record_set(row, "kernel", "%s", hash);
}

/* The times that winners of near problems have on this one. */
static void add_tried(struct record *row, const struct session *s)
{
  const struct session_setup *u = &s->setup;
  const struct config *list = u->given ? u->given : u->starts;
  size_t n = u->given ? u->ngiven : u->nstarts;
  struct str all = {0}, text = {0};
  char name[TRIED_NAME];
  for (size_t i = 0; i < n; i++) {
    str_clear(&text);
    config_format(u->family, &list[i], &text);
    const struct record *r = history_find(u->history, text.at);
    if (!r || strcmp(record_text(r, "status"), "ok"))
      continue;
    tried_name(text.at, name);
    tried_add(&all, name, cost_of(r, 0));
  }
  if (all.len)
    record_set(row, "tried", "%s", all.at);
  str_free(&all);
  str_free(&text);
}

struct record *winner_row(const struct session *s)
{
  const struct record **best;
  size_t n = history_best(s->setup.history, &best);
  struct record *row = n ? record_copy(best[0]) : NULL;
  if (n > 1)
    add_runner_up(row, best[1]);
  if (row) {
    add_derived(row, s);
    add_tried(row, s);
  }
  free(best);
  return row;
}

struct record *winner_given(const struct session *s)
{
  struct str text = {0};
  if (!s->setup.given)
    return NULL;
  config_format(s->setup.family, s->setup.given, &text);
  const struct record *found = history_find(s->setup.history, text.at);
  struct record *row = found ? record_copy(found) : NULL;
  if (row)
    add_derived(row, s);
  str_free(&text);
  return row;
}

/* Given configurations are no search: the row keeps what the last one was. */
static void keep_search(struct record *row, const struct record *older)
{
  static const char *const fields[] = {"asked", "evaluated"};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    const char *had = record_get(older, fields[i]);
    if (had)
      record_set(row, fields[i], "%s", had);
  }
}

static void keep_tried(struct record *row, const struct record *older)
{
  struct str all = {0};
  str_add(&all, record_text(row, "tried"));
  tried_merge(&all, record_text(older, "tried"));
  if (all.len)
    record_set(row, "tried", "%s", all.at);
  str_free(&all);
}

struct record *winner_tabled(const struct session *s, const struct record *row,
                             const struct record *older)
{
  struct record *r = record_copy(row);
  record_set(r, "evaluated", "%zu", s->result.done);
  if (!s->setup.given && s->result.whole)
    record_set(r, "asked", "%zu", s->setup.evals);
  if (!older || provenance_compare(r, older))
    return r;
  keep_tried(r, older);
  if (s->setup.given)
    keep_search(r, older);
  return r;
}

/* The row of the table that this one replaces, or NULL. */
static const struct record *find_older(const struct table *t,
                                       const struct record *row)
{
  for (size_t i = 0; i < table_size(t); i++)
    if (!question_compare(table_row(t, i), row))
      return table_row(t, i);
  return NULL;
}

int winner_store(const struct session *s, const struct record *row,
                 const char *folder,
                 void (*notice)(void *user, const char *text), void *user,
                 struct err *e)
{
  struct table *table;
  if (table_load(&table, folder, record_text(row, "arch"),
                 record_text(row, "family"), NULL, NULL, e))
    return e->code;
  struct record *r = winner_tabled(s, row, find_older(table, row));
  int code = table_put(folder, r, notice, user, e);
  record_free(r);
  table_free(table);
  return code;
}
