/* merge_rows.c - see merge_rows.h. */
// SPDX-License-Identifier: MIT
#include "tuner/store/merge_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tuner/device/timing.h"
#include "db/provenance.h"

static int by_text(const struct record *a, const struct record *b)
{
  struct str x = {0}, y = {0};
  record_format(a, &x);
  record_format(b, &y);
  int order = strcmp(x.at, y.at);
  str_free(&x);
  str_free(&y);
  return order;
}

/* By provenance; of one, that which stays first. */
static int by_rank(const void *left, const void *right)
{
  const struct record *a = *(struct record *const *)left;
  const struct record *b = *(struct record *const *)right;
  int order = provenance_compare(a, b);
  if (!order)
    order = -strcmp(record_text(a, "date"), record_text(b, "date"));
  double s = record_number(a, "time_us", INFINITY);
  double t = record_number(b, "time_us", INFINITY);
  if (!order)
    order = (s > t) - (s < t);
  return order ? order : by_text(a, b);
}

static struct timing timing_of(const struct record *r)
{
  return (struct timing){.us = record_number(r, "time_us", 0),
                         .mad_us = record_number(r, "mad_us", 0),
                         .n = (unsigned)record_number(r, "n", 1)};
}

/* Is the row that goes the faster one? */
static int loses(const struct record *kept, const struct record *other)
{
  struct timing a = timing_of(kept), b = timing_of(other);
  return b.us > 0 && b.us < a.us && !timing_tie(&b, &a) &&
         strcmp(record_text(kept, "config"), record_text(other, "config"));
}

struct merging {
  merge_conflict *conflict;
  void *user;
};

static void tell(const struct merging *m, enum conflict_kind kind,
                 const struct record *kept, const struct record *other)
{
  const struct conflict c = {kind, kept, other};
  if (m->conflict)
    m->conflict(m->user, &c);
}

/* Both are of one provenance; `kept` stays. */
static void drop(const struct merging *m, const struct record *kept,
                 struct record *other)
{
  int same_date = !strcmp(record_text(kept, "date"),
                          record_text(other, "date"));
  if (same_date && by_text(kept, other))
    tell(m, CONFLICT_DATE, kept, other);
  else if (loses(kept, other))
    tell(m, CONFLICT_SLOWER, kept, other);
  record_free(other);
}

void merge_rows(struct record **rows, size_t *n, merge_conflict *conflict,
                void *user)
{
  const struct merging m = {conflict, user};
  size_t kept = 0;
  if (*n)
    qsort(rows, *n, sizeof *rows, by_rank);
  for (size_t i = 0; i < *n; i++) {
    struct record *r = rows[i], *last = kept ? rows[kept - 1] : NULL;
    if (last && !provenance_compare(last, r)) {
      drop(&m, last, r);
      continue;
    }
    if (last && !question_compare(last, r))
      tell(&m, CONFLICT_MADE, last, r);
    rows[kept++] = r;
  }
  *n = kept;
}

/* --- in words ------------------------------------------------------------ */

const char *conflict_name(enum conflict_kind k)
{
  static const char *const names[] = {"made", "slower", "date"};
  return names[k];
}

static void add_row(const struct record *r, struct str *out)
{
  str_addf(out, "%s us of %s", record_text(r, "time_us"),
           record_text(r, "date"));
}

void conflict_text(const struct conflict *c, struct str *out)
{
  const struct record *a = c->kept, *b = c->other;
  str_addf(out, "%s %s %s on %s, %s: ", record_text(a, "arch"),
           record_text(a, "family"), record_text(a, "problem"),
           record_text(a, "device"), record_text(a, "source"));
  add_row(a, out);
  if (c->kind == CONFLICT_MADE) {
    struct str what = {0};
    provenance_differs(a, b, &what);
    str_add(out, " and ");
    add_row(b, out);
    str_addf(out, " both stay, being made with %s; tuning it again settles it",
             what.at);
    str_free(&what);
    return;
  }
  str_addf(out, " stays, %s is replaced: ",
           c->kind == CONFLICT_DATE ? "and what has the same date"
                                    : "and what is older and faster");
  add_row(b, out);
  str_addf(out, " with %s; `tune %s --set` with that configuration times it "
           "again", record_text(b, "config"), record_text(b, "family"));
}
