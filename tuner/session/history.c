/* history.c - see history.h. */
// SPDX-License-Identifier: MIT
#include "tuner/session/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/status.h"
#include "db/journal.h"

struct entry {
  uint64_t hash; /* of the configuration's text */
  size_t number; /* in the journal */
  struct record *record;
};

struct history {
  struct journal *journal;
  struct str path;
  struct record *identity;
  void (*notice)(void *user, const char *text);
  void *user;
  struct entry *list; /* in the order of the journal */
  size_t n, room;
};

int history_folder(const char *db, struct str *out, struct err *e)
{
  const char *env = getenv("TUNE_DB"), *data = getenv("XDG_DATA_HOME");
  const char *home = getenv("HOME");
  if (!db && env && *env)
    db = env;
  if (db)
    str_add(out, db);
  else if (data && *data == '/') /* the XDG standard ignores others */
    str_addf(out, "%s/tune", data);
  else if (home && *home)
    str_addf(out, "%s/.local/share/tune", home);
  else
    return err_set(e, ERR_FAILED, "where to keep results? HOME is not set; "
                   "name a folder with --db");
  return 0;
}

/* The data seed decides what is measured again, not what is comparable. */
static int same(const struct record *identity, const struct record *r)
{
  for (size_t i = 0; i < record_size(identity); i++) {
    const char *name = record_name(identity, i);
    if (strcmp(name, "seed") != 0
        && strcmp(record_value(identity, i), record_text(r, name)) != 0)
      return 0;
  }
  return record_get(r, "config")
         && status_parse(record_text(r, "status")) >= 0;
}

static void keep(struct history *h, struct record *r)
{
  if (h->n == h->room) {
    h->room = h->room ? 2 * h->room : 256;
    h->list = mem_resize(h->list, h->room * sizeof *h->list);
  }
  const char *config = record_text(r, "config");
  h->list[h->n] = (struct entry){hash_64(config, strlen(config)), h->n, r};
  h->n++;
}

static void take(void *user, struct record *r)
{
  struct history *h = user;
  if (same(h->identity, r))
    keep(h, r);
  else
    record_free(r);
}

static void say(void *user, const char *what)
{
  struct history *h = user;
  if (h->notice)
    h->notice(h->user, what);
}

static struct history *begin(const char *folder, const struct record *identity,
                             void (*notice)(void *user, const char *text),
                             void *user)
{
  struct history *h = mem_alloc(sizeof *h);
  *h = (struct history){.identity = record_copy(identity), .notice = notice,
                        .user = user};
  str_addf(&h->path, "%s/%s/%s.journal", folder, record_text(identity, "arch"),
           record_text(identity, "family"));
  return h;
}

static int read_all(struct history *h, struct history **out, struct err *e)
{
  struct journal_reader reader = {h, take, say};
  int code = journal_read(h->path.at, &reader, e) < 0 ? e->code : 0;
  *out = code ? NULL : h;
  if (code)
    history_close(h);
  return code;
}

int history_open(struct history **out, const char *folder,
                 const struct record *identity,
                 void (*notice)(void *user, const char *text), void *user,
                 struct err *e)
{
  struct history *h = begin(folder, identity, notice, user);
  *out = NULL;
  if (!journal_open(&h->journal, h->path.at, e))
    return read_all(h, out, e);
  history_close(h);
  return e->code;
}

int history_read(struct history **out, const char *folder,
                 const struct record *identity,
                 void (*notice)(void *user, const char *text), void *user,
                 struct err *e)
{
  return read_all(begin(folder, identity, notice, user), out, e);
}

void history_close(struct history *h)
{
  if (!h)
    return;
  journal_close(h->journal);
  for (size_t i = 0; i < h->n; i++)
    record_free(h->list[i].record);
  free(h->list);
  record_free(h->identity);
  str_free(&h->path);
  free(h);
}

const char *history_path(const struct history *h)
{
  return h->path.at;
}

const struct record *history_find(const struct history *h,
                                  const char *config)
{
  const char *seed = record_text(h->identity, "seed");
  uint64_t hash = hash_64(config, strlen(config));
  for (size_t i = h->n; i-- > 0;) {
    const struct record *r = h->list[i].record;
    if (h->list[i].hash == hash && strcmp(record_text(r, "config"), config) == 0
        && strcmp(record_text(r, "seed"), seed) == 0)
      return r;
  }
  return NULL;
}

const char *history_begun(const struct history *h)
{
  const char *seed = record_text(h->identity, "seed");
  for (size_t i = 0; i < h->n; i++)
    if (strcmp(record_text(h->list[i].record, "seed"), seed) == 0)
      return record_text(h->list[i].record, "date");
  return NULL;
}

int history_add(struct history *h, struct record *r, struct err *e)
{
  char date[32];
  time_t now = time(NULL);
  struct tm tm;
  strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
  for (size_t i = 0; i < record_size(h->identity); i++)
    record_set(r, record_name(h->identity, i), "%s",
               record_value(h->identity, i));
  record_set(r, "date", "%s", date);
  int code = journal_append(h->journal, r, e);
  if (!code)
    keep(h, record_copy(r));
  return code;
}

static int faster(const void *a, const void *b)
{
  const struct record *x = *(const struct record *const *)a;
  const struct record *y = *(const struct record *const *)b;
  double s = record_number(x, "time_us", INFINITY);
  double t = record_number(y, "time_us", INFINITY);
  if (s != t)
    return s < t ? -1 : 1;
  return strcmp(record_text(x, "config"), record_text(y, "config"));
}

/* By configuration, and the journal's order within it. */
static int alike(const void *a, const void *b)
{
  const struct entry *x = a, *y = b;
  int order = strcmp(record_text(x->record, "config"),
                     record_text(y->record, "config"));
  return order ? order : (x->number > y->number) - (x->number < y->number);
}

static int timed(const struct record *r)
{
  return strcmp(record_text(r, "status"), status_name(STATUS_OK)) == 0
         && record_number(r, "time_us", -1) > 0;
}

size_t history_best(const struct history *h, const struct record ***out)
{
  size_t n = 0;
  struct entry *all = mem_array(h->n + 1, sizeof *all);
  *out = mem_array(h->n + 1, sizeof **out);
  if (h->n)
    memcpy(all, h->list, h->n * sizeof *all);
  qsort(all, h->n, sizeof *all, alike);
  for (size_t i = 0; i < h->n; i++) {
    int last = i + 1 == h->n || all[i].hash != all[i + 1].hash;
    if (last && timed(all[i].record))
      (*out)[n++] = all[i].record;
  }
  qsort(*out, n, sizeof **out, faster);
  free(all);
  return n;
}

size_t history_tried(const struct history *h)
{
  size_t n = 0;
  struct entry *all = mem_array(h->n + 1, sizeof *all);
  if (h->n)
    memcpy(all, h->list, h->n * sizeof *all);
  qsort(all, h->n, sizeof *all, alike);
  for (size_t i = 0; i < h->n; i++)
    n += i + 1 == h->n || all[i].hash != all[i + 1].hash;
  free(all);
  return n;
}
