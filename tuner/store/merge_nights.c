/* merge_nights.c - see merge_nights.h. */
// SPDX-License-Identifier: MIT
#include "tuner/store/merge_nights.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "tuner/store/merge_records.h"

struct source {
  char sweep[NIGHT_STAMP];
  char stamp[NIGHT_STAMP]; /* of the file */
  struct str head;         /* its line; empty where there is none */
  size_t n;
  struct record **records;
};

struct reading {
  struct source *to;
  void (*notice)(void *user, const char *text);
  void *user;
};

/* --- reading ------------------------------------------------------------- */

static void take(void *user, struct record *r)
{
  struct source *to = ((struct reading *)user)->to;
  if (!to->head.len && !strcmp(record_text(r, "kind"), "night"))
    record_format(r, &to->head);
  if ((to->n & (to->n + 1)) == 0) /* 0, 1, 3, 7...: full */
    to->records =
        mem_resize(to->records, (2 * to->n + 1) * sizeof *to->records);
  to->records[to->n++] = r;
}

static void say(void *user, const char *text)
{
  const struct reading *g = user;
  if (g->notice)
    g->notice(g->user, text);
}

static int read_source(struct source *s, const char *path,
                       void (*notice)(void *user, const char *text),
                       void *user, struct err *e)
{
  struct reading g = {s, notice, user};
  const struct journal_reader reader = {&g, take, say};
  return journal_read(path, &reader, e) < 0 ? e->code : 0;
}

static void source_free(struct source *s)
{
  for (size_t i = 0; i < s->n; i++)
    record_free(s->records[i]);
  free(s->records);
  str_free(&s->head);
}

static int name_source(struct source *s, const struct store_file *f,
                       struct err *e)
{
  struct tm tm;
  if (strlen(f->folder) >= NIGHT_STAMP || *f->folder == '.')
    return err_set(e, ERR_FAILED, "%s: '%.80s' names no sweep", f->path,
                   f->folder);
  if (strlen(f->name) >= NIGHT_STAMP ||
      !strptime(f->name, "%Y%m%dT%H%M%SZ", &tm))
    return err_set(e, ERR_FAILED, "%s: a night is named by when it began, as "
                   "20261124T010000Z.night", f->path);
  strcpy(s->sweep, f->folder);
  strcpy(s->stamp, f->name);
  return 0;
}

/* --- where it goes ------------------------------------------------------- */

/* The stamp of some seconds later. */
static void later(const char *stamp, int seconds, char out[NIGHT_STAMP])
{
  struct tm tm = {0};
  const char *shard = strptime(stamp, "%Y%m%dT%H%M%SZ", &tm);
  time_t at = timegm(&tm) + seconds;
  char text[24];
  gmtime_r(&at, &tm);
  strftime(text, sizeof text, "%Y%m%dT%H%M%SZ", &tm);
  snprintf(out, NIGHT_STAMP, "%s%.30s", text, shard);
}

/* Is the file of this path the same night, or free for it? */
static int suits(const struct source *s, const char *path, int *is_new,
                 struct err *e)
{
  struct source there = {0};
  int code = read_source(&there, path, NULL, NULL, e);
  *is_new = !there.n;
  int same = !code && (!there.n || (there.head.len == s->head.len &&
                                    !strcmp(str_text(&there.head),
                                            str_text(&s->head))));
  source_free(&there);
  return same;
}

static int find_place(const struct source *s, const char *store,
                      struct str *path, int *is_new, struct err *e)
{
  char stamp[NIGHT_STAMP];
  for (int seconds = 0; seconds < 3600; seconds++) {
    later(s->stamp, seconds, stamp);
    str_clear(path);
    str_addf(path, "%s/nights/%s/%s.night", store, s->sweep, stamp);
    e->code = 0;
    if (suits(s, path->at, is_new, e) || e->code)
      return e->code;
  }
  return err_set(e, ERR_FAILED, "%s: there are too many nights of this hour",
                 path->at);
}

/* All records of a night in their order: the head has the first place, what is
 * there already comes first. */
static int put(struct source *s, const char *store,
               struct merged_nights *out,
               void (*notice)(void *user, const char *text), void *user,
               struct err *e)
{
  struct incoming *in = incoming_open();
  struct journal_edit edit;
  struct str path = {0};
  int is_new, code = find_place(s, store, &path, &is_new, e);
  for (size_t i = 0; i < s->n; i++)
    incoming_line(in, s->records[i]);
  s->n = 0;
  if (!code)
    code = incoming_merge(in, path.at, notice, user, &edit, e);
  if (!code) {
    out->nights += (size_t)is_new;
    out->records += edit.inserted;
  }
  incoming_close(in);
  str_free(&path);
  return code;
}

/* --- all ----------------------------------------------------------------- */

static int order(const void *a, const void *b)
{
  const struct source *x = a, *y = b;
  int by = strcmp(str_text(&x->head), str_text(&y->head));
  return by ? by : (x->n > y->n) - (x->n < y->n);
}

int merge_nights(const char *store, const struct store_file *const *files,
                 size_t n, void (*notice)(void *user, const char *text),
                 void *user, struct merged_nights *out, struct err *e)
{
  struct source *list = mem_array(n + 1, sizeof *list);
  int code = 0;
  for (size_t i = 0; i < n && !code; i++) {
    code = read_source(&list[i], files[i]->path, notice, user, e);
    if (!code)
      code = name_source(&list[i], files[i], e);
  }
  if (!code)
    qsort(list, n, sizeof *list, order);
  for (size_t i = 0; i < n && !code; i++)
    if (list[i].n)
      code = put(&list[i], store, out, notice, user, e);
  for (size_t i = 0; i < n; i++)
    source_free(&list[i]);
  free(list);
  return code;
}
