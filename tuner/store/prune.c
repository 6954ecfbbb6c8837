/* prune.c - see prune.h. */
// SPDX-License-Identifier: MIT
#include "tuner/store/prune.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/mem.h"
#include "db/table.h"
#include "tuner/store/merge_rows.h"
#include "db/provenance.h"

enum {DAY = 24 * 60 * 60, FASTEST = 2};

enum fate {STAYS, SUPERSEDED, OUTDATED};

struct result {
  uint64_t question, provenance;
  uint64_t config; /* with provenance and seed */
  time_t date;     /* the latest up to it: a clock may be set back */
  double us;       /* INFINITY: it is no winner of anything */
  size_t number;   /* in the journal */
  char fate, always;
};

struct pruning {
  const struct prune_request *q;
  struct result *list;
  size_t n, room, next;
  uint64_t *winners; /* hashes of provenance and configuration */
  size_t nwinners;
  char *fates; /* by number; NULL: not decided yet */
  time_t last;
};

/* --- what is there ------------------------------------------------------- */

static uint64_t hash_config(uint64_t provenance, const char *config,
                            const char *seed)
{
  struct str text = {0};
  str_addf(&text, "%016llx %s %s", (unsigned long long)provenance, seed,
           config);
  uint64_t h = hash_64(text.at, text.len);
  str_free(&text);
  return h;
}

static int by_number(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static int wins(const struct pruning *p, uint64_t provenance,
                const char *config)
{
  uint64_t h = hash_config(provenance, config, "");
  return p->nwinners && bsearch(&h, p->winners, p->nwinners,
                                sizeof *p->winners, by_number);
}

static time_t date_of(const struct record *r)
{
  struct tm tm = {0};
  return strptime(record_text(r, "date"), "%Y-%m-%dT%H:%M:%SZ", &tm)
             ? timegm(&tm)
             : 0;
}

static void look(void *user, const struct record *r)
{
  struct pruning *p = user;
  if (p->n == p->room) {
    p->room = p->room ? 2 * p->room : 1024;
    p->list = mem_resize(p->list, p->room * sizeof *p->list);
  }
  const char *config = record_text(r, "config");
  uint64_t provenance = provenance_hash(r);
  int ok = !strcmp(record_text(r, "status"), "ok");
  double us = ok ? record_number(r, "time_us", INFINITY) : INFINITY;
  time_t date = date_of(r);
  p->last = date > p->last ? date : p->last;
  p->list[p->n] = (struct result){
      question_hash(r), provenance,
      hash_config(provenance, config, record_text(r, "seed")),
      p->last, us, p->n, STAYS,
      (char)(!strcmp(record_text(r, "source"), "imported") ||
             wins(p, provenance, config))};
  p->n++;
}

/* --- what stays ---------------------------------------------------------- */

static int compare(uint64_t a, uint64_t b)
{
  return (a > b) - (a < b);
}

static int by_config(const void *a, const void *b)
{
  const struct result *x = a, *y = b;
  int order = compare(x->config, y->config);
  return order ? order : compare(x->number, y->number);
}

static void supersede(struct pruning *p)
{
  if (p->n)
    qsort(p->list, p->n, sizeof *p->list, by_config);
  for (size_t i = 0; i + 1 < p->n; i++)
    if (p->list[i].config == p->list[i + 1].config)
      p->list[i].fate = SUPERSEDED;
}

static int by_provenance(const void *a, const void *b)
{
  const struct result *x = a, *y = b;
  int order = compare(x->question, y->question);
  if (!order)
    order = compare(x->provenance, y->provenance);
  if (!order)
    order = (x->fate > y->fate) - (x->fate < y->fate);
  if (!order)
    order = (x->us > y->us) - (x->us < y->us);
  return order ? order : compare(x->number, y->number);
}

/* Results of one provenance: [from, to). */
struct run {
  size_t from, to;
  time_t last;
};

static struct run run_at(const struct pruning *p, size_t from)
{
  struct run r = {from, from, 0};
  while (r.to < p->n && p->list[r.to].provenance == p->list[from].provenance) {
    time_t date = p->list[r.to++].date;
    r.last = date > r.last ? date : r.last;
  }
  return r;
}

/* All but the fastest few. */
static void outdate(struct pruning *p, const struct run *r, size_t keep)
{
  for (size_t i = r->from; i < r->to; i++) {
    struct result *at = &p->list[i];
    int fast = i - r->from < keep && at->us < INFINITY;
    if (at->fate == STAYS && !fast && !at->always)
      at->fate = OUTDATED;
  }
}

static int by_last(const void *a, const void *b)
{
  const struct run *x = a, *y = b;
  int order = (x->last < y->last) - (x->last > y->last);
  return order ? order : (x->from > y->from) - (x->from < y->from);
}

/* The provenances of one question, the newest first. */
static void judge(struct pruning *p, struct run *runs, size_t n)
{
  time_t since = p->last - (time_t)p->q->days * DAY;
  size_t old = 0;
  qsort(runs, n, sizeof *runs, by_last);
  for (size_t i = 1; i < n; i++)
    if (runs[i].last < since)
      outdate(p, &runs[i], old++ ? 0 : FASTEST);
}

static void judge_all(struct pruning *p)
{
  struct run *runs = mem_array(p->n + 1, sizeof *runs);
  size_t n = 0;
  if (p->n)
    qsort(p->list, p->n, sizeof *p->list, by_provenance);
  for (size_t i = 0; i < p->n; i = runs[n - 1].to) {
    if (n && p->list[runs[0].from].question != p->list[i].question) {
      judge(p, runs, n);
      n = 0;
    }
    runs[n++] = run_at(p, i);
  }
  if (n)
    judge(p, runs, n);
  free(runs);
}

static void decide(struct pruning *p)
{
  supersede(p);
  judge_all(p);
  p->fates = mem_array(p->n + 1, 1);
  for (size_t i = 0; i < p->n; i++)
    p->fates[p->list[i].number] = p->list[i].fate;
}

static int keep(void *user, const struct record *r)
{
  struct pruning *p = user;
  (void)r;
  if (!p->fates)
    decide(p);
  return p->fates[p->next++] == STAYS;
}

/* --- journals ------------------------------------------------------------ */

static void add_winner(struct pruning *p, const struct record *row,
                       const char *name)
{
  const char *config = record_get(row, name);
  if (config)
    p->winners[p->nwinners++] = hash_config(provenance_hash(row), config, "");
}

static int read_winners(struct pruning *p, const char *journal, struct err *e)
{
  struct str path = {0};
  struct table *t;
  str_addf(&path, "%.*s.table", (int)(strrchr(journal, '.') - journal),
           journal);
  int code = 0;
  if (file_exists(path.at) &&
      !(code = table_load_file(&t, path.at, p->q->notice, p->q->user, e))) {
    p->winners = mem_array(2 * table_size(t) + 1, sizeof *p->winners);
    for (size_t i = 0; i < table_size(t); i++) {
      add_winner(p, table_row(t, i), "config");
      add_winner(p, table_row(t, i), "runner_up");
    }
    qsort(p->winners, p->nwinners, sizeof *p->winners, by_number);
    table_free(t);
  }
  str_free(&path);
  return code;
}

static void look_only(void *user, struct record *r)
{
  look(user, r);
  record_free(r);
}

static int look_at(struct pruning *p, const char *path, struct pruned *out,
                   struct err *e)
{
  const struct journal_reader reader = {p, look_only, NULL};
  int damaged = journal_read(path, &reader, e);
  if (damaged < 0)
    return e->code;
  out->damaged += (size_t)damaged;
  decide(p);
  return 0;
}

static void say_damage(void *user, const char *text)
{
  const struct prune_request *q = ((const struct pruning *)user)->q;
  if (q->notice)
    q->notice(q->user, text);
}

static int rewrite(struct pruning *p, const char *path, struct pruned *out,
                   struct err *e)
{
  const struct journal_editor editor = {.user = p, .look = look, .keep = keep,
                                        .notice = say_damage};
  struct journal_edit edit;
  int code = journal_rewrite(path, &editor, &edit, e);
  out->damaged += edit.damaged;
  return code;
}

int prune_journal(const struct prune_request *q, const char *path,
                  struct pruned *out, struct err *e)
{
  struct pruning p = {.q = q};
  int code = read_winners(&p, path, e);
  if (!code)
    code = q->dry ? look_at(&p, path, out, e) : rewrite(&p, path, out, e);
  for (size_t i = 0; i < p.n && p.fates && !code; i++) {
    out->kept += p.fates[i] == STAYS;
    out->superseded += p.fates[i] == SUPERSEDED;
    out->outdated += p.fates[i] == OUTDATED;
  }
  free(p.list);
  free(p.winners);
  free(p.fates);
  return code;
}

/* --- tables -------------------------------------------------------------- */

struct rows {
  const struct prune_request *q;
  struct pruned *out;
};

static void settle(void *user, struct record ***list, size_t *n)
{
  const struct rows *r = user;
  size_t had = *n;
  merge_rows(*list, n, NULL, NULL);
  r->out->kept += *n;
  r->out->superseded += had - *n;
}

static void say(void *user, const char *text)
{
  const struct prune_request *q = ((const struct rows *)user)->q;
  if (q->notice)
    q->notice(q->user, text);
}

static void settle_copies(struct rows *r, const struct table *t)
{
  size_t n = table_size(t);
  struct record **list = mem_array(n + 1, sizeof *list);
  for (size_t i = 0; i < n; i++)
    list[i] = record_copy(table_row(t, i));
  settle(r, &list, &n);
  for (size_t i = 0; i < n; i++)
    record_free(list[i]);
  free(list);
}

int prune_table(const struct prune_request *q, const char *path,
                struct pruned *out, struct err *e)
{
  struct rows r = {q, out};
  const struct table_editor editor = {&r, settle, say};
  struct table *t;
  int code = table_load_file(&t, path, say, &r, e);
  if (code)
    return code;
  const struct record *first = table_size(t) ? table_row(t, 0) : NULL;
  if (first && q->dry)
    settle_copies(&r, t);
  else if (first)
    code = table_edit_file(path, record_text(first, "arch"),
                           record_text(first, "family"), &editor, NULL, e);
  table_free(t);
  return code;
}
