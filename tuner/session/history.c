/* history.c - see history.h. */
// SPDX-License-Identifier: MIT
#include "tuner/session/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/status.h"
#include "db/claims.h"
#include "db/journal.h"
#include "tuner/session/cost.h"

struct entry {
  uint64_t hash; /* of the configuration's text */
  size_t number; /* in the journal */
  struct record *record;
};

struct entries {
  struct entry *list; /* in the order of the journal */
  size_t n, room;
};

struct history {
  struct journal *journal;
  struct claims *claims;
  struct str path;
  struct record *identity;
  void (*notice)(void *user, const char *text);
  void *user;
  struct entries now, outdated;
  size_t before; /* of `now`: were there when it was opened */
};

/* What a result is made with: with others it is another result. */
static const struct {
  const char *name, *phrase;
  int length; /* shown */
} makers[] = {{"template", "the templates have changed", 8},
              {"compiler", "the compiler has changed", 40},
              {"runtime", "the runtime has changed", 40}};

enum {MAKERS = sizeof makers / sizeof *makers};

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
  struct stat s;
  if (!stat(str_text(out), &s) && !S_ISDIR(s.st_mode))
    return err_set(e, ERR_FAILED, "%s: not a folder; --db, or TUNE_DB, names the "
                   "folder of results, which is made where there is none",
                   str_text(out));
  return 0;
}

static int equal(const struct record *a, const struct record *b,
                 const char *name)
{
  return !strcmp(record_text(a, name), record_text(b, name));
}

static int is_maker(const char *name)
{
  for (size_t i = 0; i < MAKERS; i++)
    if (!strcmp(makers[i].name, name))
      return 1;
  return 0;
}

/* Is it of the same problem, device and conditions? The data seed decides what
 * is measured again, not what is comparable. */
static int same_question(const struct record *identity,
                         const struct record *r)
{
  for (size_t i = 0; i < record_size(identity); i++) {
    const char *name = record_name(identity, i);
    if (strcmp(name, "seed") != 0 && !is_maker(name) &&
        !equal(identity, r, name))
      return 0;
  }
  return record_get(r, "config") &&
         status_parse(record_text(r, "status")) >= 0;
}

/* How many of the makers are others. */
static int changes(const struct record *identity, const struct record *r)
{
  int n = 0;
  for (size_t i = 0; i < MAKERS; i++)
    n += record_get(identity, makers[i].name) &&
         !equal(identity, r, makers[i].name);
  return n;
}

static void keep(struct entries *all, struct record *r)
{
  if (all->n == all->room) {
    all->room = all->room ? 2 * all->room : 256;
    all->list = mem_resize(all->list, all->room * sizeof *all->list);
  }
  const char *config = record_text(r, "config");
  all->list[all->n] = (struct entry){hash_64(config, strlen(config)), all->n,
                                     r};
  all->n++;
}

static void take(void *user, struct record *r)
{
  struct history *h = user;
  if (!same_question(h->identity, r))
    record_free(r);
  else
    keep(changes(h->identity, r) ? &h->outdated : &h->now, r);
}

static void say(void *user, const char *what)
{
  struct history *h = user;
  if (h->notice)
    h->notice(h->user, what);
}

int history_refresh(struct history *h, struct err *e)
{
  struct journal_reader reader = {h, take, say};
  return journal_follow(h->journal, &reader, e);
}

static int open_claims(struct history *h, struct err *e)
{
  struct str path = {0};
  str_addf(&path, "%.*s.claims", (int)(strrchr(h->path.at, '.') - h->path.at),
           h->path.at);
  int code = claims_open(&h->claims, path.at, e);
  str_free(&path);
  return code;
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
  const char *problem = record_text(h->identity, "problem");
  if (h->journal)
    journal_only(h->journal, problem);
  int code = h->journal ? journal_follow(h->journal, &reader, e)
                        : journal_find(h->path.at, problem, &reader, e);
  h->before = h->now.n;
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
  if (!journal_open(&h->journal, h->path.at, e) && !open_claims(h, e))
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

static void drop(struct entries *all)
{
  for (size_t i = 0; i < all->n; i++)
    record_free(all->list[i].record);
  free(all->list);
}

void history_close(struct history *h)
{
  if (!h)
    return;
  journal_close(h->journal);
  claims_close(h->claims);
  drop(&h->now);
  drop(&h->outdated);
  record_free(h->identity);
  str_free(&h->path);
  free(h);
}

const char *history_path(const struct history *h)
{
  return h->path.at;
}

/* Of these and all before the i-th, the last of a configuration (NULL: of any)
 * and of the run's data seed. */
static const struct record *last(const struct history *h,
                                 const struct entries *all, size_t *i,
                                 const char *config)
{
  uint64_t hash = config ? hash_64(config, strlen(config)) : 0;
  while (*i > 0) {
    const struct entry *at = &all->list[--*i];
    if ((!config ||
         (at->hash == hash &&
             !strcmp(record_text(at->record, "config"), config))) &&
        equal(h->identity, at->record, "seed"))
      return at->record;
  }
  return NULL;
}

const struct record *history_find(const struct history *h,
                                  const char *config)
{
  size_t i = h->now.n;
  return last(h, &h->now, &i, config);
}

const struct record *history_trial(const struct history *h,
                                   const char *config)
{
  size_t i = h->now.n;
  const struct record *r, *latest = NULL;
  while ((r = last(h, &h->now, &i, config))) {
    if (!record_get(r, "final"))
      return r;
    if (!latest)
      latest = r;
  }
  return latest;
}

/* Of this run's problem and conditions alone. */
static uint64_t claim_of(const struct history *h, const char *what)
{
  struct str text = {0};
  record_format(h->identity, &text);
  str_add(&text, what);
  uint64_t hash = hash_64(text.at, text.len);
  str_free(&text);
  return hash;
}

int history_claim(struct history *h, const char *what)
{
  return claims_take(h->claims, claim_of(h, what));
}

void history_unclaim(struct history *h, const char *what)
{
  claims_drop(h->claims, claim_of(h, what));
}

int history_was_there(const struct history *h, const struct record *r)
{
  for (size_t i = h->before; i-- > 0;)
    if (h->now.list[i].record == r)
      return 1;
  return 0;
}

/* The outdated one since which the least has changed. */
static const struct record *nearest(const struct history *h,
                                    const char *config)
{
  const struct record *r, *found = NULL;
  size_t i = h->outdated.n;
  while ((r = last(h, &h->outdated, &i, config)))
    if (!found || changes(h->identity, r) < changes(h->identity, found))
      found = r;
  return found;
}

int history_outdated(const struct history *h, const char *config,
                     struct str *why)
{
  size_t count = h->now.n;
  const struct record *r = nearest(h, config);
  if (!r && !last(h, &h->now, &count, NULL))
    r = nearest(h, NULL);
  for (size_t i = 0; i < MAKERS && r; i++) {
    const char *name = makers[i].name;
    int most = makers[i].length;
    if (!equal(h->identity, r, name))
      str_addf(why, "%s%s (%.*s, now %.*s)", why->len ? " and " : "",
               makers[i].phrase, most, record_text(r, name), most,
               record_text(h->identity, name));
  }
  return r != NULL;
}

const char *history_begun(const struct history *h)
{
  for (size_t i = 0; i < h->now.n; i++)
    if (equal(h->identity, h->now.list[i].record, "seed"))
      return record_text(h->now.list[i].record, "date");
  return NULL;
}

const char *history_first(const struct history *h)
{
  return h->now.n ? record_text(h->now.list[0].record, "date") : NULL;
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
    keep(&h->now, record_copy(r));
  return code;
}

static int faster(const void *a, const void *b)
{
  const struct record *x = *(const struct record *const *)a;
  const struct record *y = *(const struct record *const *)b;
  double s = cost_of(x, INFINITY), t = cost_of(y, INFINITY);
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
  return !strcmp(record_text(r, "status"), status_name(STATUS_OK)) &&
         cost_of(r, -1) > 0;
}

size_t history_best(const struct history *h, const struct record ***out)
{
  size_t n = 0;
  size_t count = h->now.n;
  struct entry *all = mem_array(count + 1, sizeof *all);
  *out = mem_array(count + 1, sizeof **out);
  if (count)
    memcpy(all, h->now.list, count * sizeof *all);
  qsort(all, count, sizeof *all, alike);
  for (size_t i = 0; i < count; i++) {
    int newest = i + 1 == count || all[i].hash != all[i + 1].hash;
    if (newest && timed(all[i].record))
      (*out)[n++] = all[i].record;
  }
  qsort(*out, n, sizeof **out, faster);
  free(all);
  return n;
}

size_t history_tried(const struct history *h)
{
  size_t n = 0;
  struct entry *all = mem_array(h->now.n + 1, sizeof *all);
  if (h->now.n)
    memcpy(all, h->now.list, h->now.n * sizeof *all);
  qsort(all, h->now.n, sizeof *all, alike);
  for (size_t i = 0; i < h->now.n; i++)
    n += i + 1 == h->now.n || all[i].hash != all[i + 1].hash;
  free(all);
  return n;
}
