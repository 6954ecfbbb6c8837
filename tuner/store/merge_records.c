/* merge_records.c - see merge_records.h. */
// SPDX-License-Identifier: MIT
#include "tuner/store/merge_records.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"

enum {DATE = 24}; /* 2026-11-24T01:00:00Z and its NUL */

struct arrival {
  struct record *r;
  uint64_t hash;   /* of its line */
  uint64_t what;   /* of problem and configuration */
  char date[DATE]; /* the latest up to it in its file */
  uint32_t nth;    /* in its file, of one date, problem and configuration */
};

struct incoming {
  struct arrival *list;
  size_t n, room;
  size_t file; /* where the last file begins */
  /* while merging */
  void (*notice)(void *user, const char *text);
  void *user;
  uint64_t *there; /* hashes of the journal's records */
  size_t nthere, room_there, next;
  char date[DATE]; /* the latest of the journal, up to where it is read */
  int sorted;
};

struct incoming *incoming_open(void)
{
  return mem_alloc(sizeof(struct incoming));
}

void incoming_close(struct incoming *in)
{
  if (!in)
    return;
  for (size_t i = 0; i < in->n; i++)
    record_free(in->list[i].r);
  free(in->list);
  free(in->there);
  free(in);
}

/* --- what comes ---------------------------------------------------------- */

static uint64_t hash_what(const struct record *r)
{
  struct str text = {0};
  str_addf(&text, "%s\n%s\n%s", record_text(r, "problem"),
           record_text(r, "config"), record_text(r, "device"));
  uint64_t hash = hash_64(text.at, text.len);
  str_free(&text);
  return hash;
}

/* The later of both dates; a record without one came when the last did. */
static void advance(char date[DATE], const struct record *r)
{
  const char *own = record_text(r, "date");
  if (strlen(own) < DATE && strcmp(own, date) > 0)
    strcpy(date, own);
}

void incoming_add(struct incoming *in, struct record *r)
{
  if (in->n == in->room) {
    in->room = in->room ? 2 * in->room : 256;
    in->list = mem_resize(in->list, in->room * sizeof *in->list);
  }
  struct arrival *to = &in->list[in->n];
  *to = (struct arrival){.r = r, .hash = record_hash(r), .what = hash_what(r),
                         .nth = (uint32_t)(in->n - in->file)};
  if (in->n > in->file)
    strcpy(to->date, in->list[in->n - 1].date);
  advance(to->date, r);
  in->n++;
}

void incoming_line(struct incoming *in, struct record *r)
{
  incoming_add(in, r);
  struct arrival *to = &in->list[in->n - 1];
  strcpy(to->date, "~"); /* later than any date */
  to->what = 0;
}

static int by_what(const void *a, const void *b)
{
  const struct arrival *x = a, *y = b;
  int order = strcmp(x->date, y->date);
  if (!order)
    order = (x->what > y->what) - (x->what < y->what);
  return order ? order : (x->nth > y->nth) - (x->nth < y->nth);
}

/* From places in the file to places among those of one date, problem and
 * configuration: of others the order does not count. */
static void number(struct arrival *list, size_t n)
{
  qsort(list, n, sizeof *list, by_what);
  for (size_t i = 0; i < n; i++) {
    int same = i && list[i].what == list[i - 1].what &&
               !strcmp(list[i].date, list[i - 1].date);
    list[i].nth = same ? list[i - 1].nth + 1 : 0;
  }
}

void incoming_file(struct incoming *in)
{
  if (in->n > in->file)
    number(in->list + in->file, in->n - in->file);
  in->file = in->n;
}

/* --- each once ----------------------------------------------------------- */

static int by_hash(const void *a, const void *b)
{
  const struct arrival *x = a, *y = b;
  return (x->hash > y->hash) - (x->hash < y->hash);
}

static int number_order(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static int is_there(const struct incoming *in, uint64_t hash)
{
  return in->nthere && bsearch(&hash, in->there, in->nthere, sizeof hash,
                               number_order);
}

/* Of two files that have a record, the place that is later. */
static void join(struct arrival *to, const struct arrival *from)
{
  if (strcmp(from->date, to->date) > 0)
    strcpy(to->date, from->date);
  if (from->nth > to->nth)
    to->nth = from->nth;
}

static int by_place(const void *a, const void *b)
{
  const struct arrival *x = a, *y = b;
  int order = by_what(a, b);
  return order ? order : (x->hash > y->hash) - (x->hash < y->hash);
}

/* In the order in which they go in, without those that are there. */
static void sort(struct incoming *in)
{
  size_t kept = 0;
  if (in->nthere)
    qsort(in->there, in->nthere, sizeof *in->there, number_order);
  if (in->n)
    qsort(in->list, in->n, sizeof *in->list, by_hash);
  for (size_t i = 0; i < in->n; i++) {
    struct arrival *at = &in->list[i];
    int twice = kept && in->list[kept - 1].hash == at->hash;
    if (twice)
      join(&in->list[kept - 1], at);
    if (twice || is_there(in, at->hash))
      record_free(at->r);
    else
      in->list[kept++] = *at;
  }
  in->n = kept;
  if (in->n)
    qsort(in->list, in->n, sizeof *in->list, by_place);
  in->sorted = 1;
}

/* --- into the journal ---------------------------------------------------- */

static void look(void *user, const struct record *r)
{
  struct incoming *in = user;
  if (in->nthere == in->room_there) {
    in->room_there = in->room_there ? 2 * in->room_there : 256;
    in->there = mem_resize(in->there, in->room_there * sizeof *in->there);
  }
  in->there[in->nthere++] = record_hash(r);
}

static const struct record *insert(void *user, const struct record *before)
{
  struct incoming *in = user;
  if (!in->sorted)
    sort(in);
  if (before)
    advance(in->date, before);
  if (in->next == in->n ||
      (before && strcmp(in->list[in->next].date, in->date) >= 0))
    return NULL;
  return in->list[in->next++].r;
}

static void notice(void *user, const char *text)
{
  const struct incoming *in = user;
  if (in->notice)
    in->notice(in->user, text);
}

int incoming_merge(struct incoming *in, const char *path,
                   void (*say)(void *user, const char *text), void *user,
                   struct journal_edit *edit, struct err *e)
{
  const struct journal_editor editor = {in, look, NULL, insert, notice};
  struct journal *j;
  incoming_file(in);
  in->notice = say;
  in->user = user;
  int code = journal_open(&j, path, e);
  if (code)
    return code;
  journal_close(j);
  return journal_rewrite(path, &editor, edit, e);
}
