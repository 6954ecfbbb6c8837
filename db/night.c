/* night.c - see night.h. */
// SPDX-License-Identifier: MIT
#include "db/night.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "db/journal.h"

static const char suffix[] = ".night";

struct night {
  struct journal *journal;
  struct night_read had; /* of a night that goes on */
  struct str path;
  char begun[32];
  int lock;
};

/* --- places -------------------------------------------------------------- */

void night_sweep(const char *path, char out[NIGHT_STAMP])
{
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
  size_t n = strlen(base);
  if (n > 4 && !strcmp(base + n - 4, ".lua"))
    n -= 4;
  snprintf(out, NIGHT_STAMP, "%.*s", (int)n, base);
}

static struct str folder_of(const char *store, const char *sweep)
{
  struct str out = {0};
  str_addf(&out, "%s/nights/%s", store, sweep);
  return out;
}

static struct str night_file(const char *store, const char *sweep,
                             const char *stamp)
{
  struct str out = folder_of(store, sweep);
  str_addf(&out, "/%s%s", stamp, suffix);
  return out;
}

/* "-2-of-4", or "" for all of a sweep. */
static void shard_of(const struct night_name *name, char out[32])
{
  *out = 0;
  if (name->shards > 1)
    snprintf(out, 32, "-%d-of-%d", name->shard, name->shards);
}

static struct str lock_file(const struct night_name *name)
{
  struct str out = folder_of(name->store, name->sweep);
  char shard[32];
  shard_of(name, shard);
  str_addf(&out, "/lock%s", shard);
  return out;
}

static void stamp_of(time_t when, const char *shard, char out[NIGHT_STAMP])
{
  struct tm utc;
  char text[24];
  gmtime_r(&when, &utc);
  strftime(text, sizeof text, "%Y%m%dT%H%M%SZ", &utc);
  snprintf(out, NIGHT_STAMP, "%s%s", text, shard);
}

/* -1 where it is no stamp. */
static time_t time_of(const char *stamp)
{
  struct tm utc = {0};
  const char *rest = strptime(stamp, "%Y%m%dT%H%M%SZ", &utc);
  return rest ? timegm(&utc) : (time_t)-1;
}

/* --- the nights that there are ------------------------------------------- */

static int by_name(const void *a, const void *b)
{
  return strcmp(a, b);
}

/* The entries of a folder that `take` makes a name of. */
static size_t list(const char *folder, int (*take)(const char *, char *),
                   char (**out)[NIGHT_STAMP])
{
  char (*names)[NIGHT_STAMP] = mem_array(1, NIGHT_STAMP);
  size_t n = 0, room = 1;
  struct dirent *entry;
  DIR *dir = opendir(folder);
  while (dir && (entry = readdir(dir))) {
    if (n == room)
      names = mem_resize(names, (room *= 2) * NIGHT_STAMP);
    n += (size_t)take(entry->d_name, names[n]);
  }
  if (dir)
    closedir(dir);
  qsort(names, n, NIGHT_STAMP, by_name);
  *out = names;
  return n;
}

static int take_night(const char *file, char *stamp)
{
  size_t n = strlen(file), cut = strlen(suffix);
  if (n <= cut || n - cut >= NIGHT_STAMP || strcmp(file + n - cut, suffix))
    return 0;
  memcpy(stamp, file, n - cut);
  stamp[n - cut] = 0;
  return time_of(stamp) != (time_t)-1;
}

static int take_sweep(const char *file, char *name)
{
  if (*file == '.' || strlen(file) >= NIGHT_STAMP)
    return 0;
  strcpy(name, file);
  return 1;
}

size_t night_list(const char *store, const char *sweep,
                  char (**out)[NIGHT_STAMP])
{
  struct str folder = folder_of(store, sweep);
  size_t n = list(folder.at, take_night, out);
  str_free(&folder);
  return n;
}

size_t night_sweeps(const char *store, char (**out)[NIGHT_STAMP])
{
  struct str folder = {0};
  str_addf(&folder, "%s/nights", store);
  size_t n = list(folder.at, take_sweep, out);
  str_free(&folder);
  return n;
}

/* --- reading ------------------------------------------------------------- */

static int is_kind(const struct record *r, const char *kind)
{
  return !strcmp(record_text(r, "kind"), kind);
}

static int is_of(const struct record *r, const char *arch, const char *family,
                 const char *problem)
{
  return !strcmp(record_text(r, "problem"), problem) &&
         !strcmp(record_text(r, "family"), family) &&
         !strcmp(record_text(r, "arch"), arch);
}

static void replace(struct record **to, struct record *r)
{
  record_free(*to);
  *to = r;
}

static void take_record(void *user, struct record *r)
{
  struct night_read *to = user;
  if (is_kind(r, "night")) {
    replace(&to->head, r);
  } else if (is_kind(r, "end")) {
    replace(&to->end, r);
  } else if (is_kind(r, "problem")) {
    if ((to->n & (to->n + 1)) == 0) /* 1, 3, 7...: full */
      to->problems = mem_resize(to->problems,
                                (2 * to->n + 1) * sizeof *to->problems);
    to->problems[to->n++] = r;
  } else {
    record_free(r); /* of a later version */
  }
}

struct placed {
  struct record *r;
  size_t place;
};

static int by_problem(const void *a, const void *b)
{
  static const char *const fields[] = {"arch", "family", "problem"};
  const struct placed *x = a, *y = b;
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    int order = strcmp(record_text(x->r, fields[i]),
                       record_text(y->r, fields[i]));
    if (order)
      return order;
  }
  return (x->place > y->place) - (x->place < y->place);
}

/* Sorted, and of two of one problem the one that was written last. */
static void sort_problems(struct night_read *r)
{
  struct placed *list = mem_array(r->n + 1, sizeof *list);
  size_t kept = 0;
  for (size_t i = 0; i < r->n; i++)
    list[i] = (struct placed){r->problems[i], i};
  qsort(list, r->n, sizeof *list, by_problem);
  for (size_t i = 0; i < r->n; i++) {
    struct record *one = list[i].r;
    if (i + 1 < r->n && is_of(list[i + 1].r, record_text(one, "arch"),
                              record_text(one, "family"),
                              record_text(one, "problem")))
      record_free(one);
    else
      r->problems[kept++] = one;
  }
  r->n = kept;
  free(list);
}

static int load(struct night_read *out, const char *path,
                void (*notice)(void *user, const char *text), void *user,
                struct err *e)
{
  const struct journal_reader reader = {out, take_record, NULL};
  *out = (struct night_read){0};
  out->damaged = journal_read(path, &reader, e);
  if (out->damaged < 0)
    return e ? e->code : ERR_FAILED;
  if (out->damaged > 0 && notice) {
    struct str text = {0};
    str_addf(&text, "%s: damaged lines that are left out: %d", path, out->damaged);
    notice(user, text.at);
    str_free(&text);
  }
  sort_problems(out);
  return 0;
}

int night_load(struct night_read *out, const char *store, const char *sweep,
               const char *stamp,
               void (*notice)(void *user, const char *text), void *user,
               struct err *e)
{
  struct str path = night_file(store, sweep, stamp);
  int code = load(out, path.at, notice, user, e);
  str_free(&path);
  return code;
}

void night_free(struct night_read *r)
{
  for (size_t i = 0; i < r->n; i++)
    record_free(r->problems[i]);
  free(r->problems);
  record_free(r->head);
  record_free(r->end);
  *r = (struct night_read){0};
}

/* --- the lock ------------------------------------------------------------ */

static struct flock whole(short type)
{
  return (struct flock){.l_type = type, .l_whence = SEEK_SET};
}

static int open_lock(struct night *n, const struct night_name *name,
                     struct err *e)
{
  struct str path = lock_file(name);
  n->lock = open(path.at, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  int code = n->lock >= 0
                 ? 0
                 : err_set(e, ERR_FAILED, "%s: %s; choose a folder that you may "
                           "write to with --db", path.at, strerror(errno));
  str_free(&path);
  return code;
}

static int take_lock(struct night *n, const struct night_name *name,
                     struct err *e)
{
  struct flock lock = whole(F_WRLCK), holder = lock;
  if (open_lock(n, name, e))
    return e->code;
  if (!fcntl(n->lock, F_SETLK, &lock))
    return 0;
  int refused = errno == EAGAIN || errno == EACCES;
  if (refused && !fcntl(n->lock, F_GETLK, &holder) && holder.l_type != F_UNLCK)
    return err_set(e, ERR_FAILED, "process %d is running the sweep %s in %s; "
                   "`tune sweep --status` shows how far it is",
                   (int)holder.l_pid, name->sweep, name->store);
  return refused ? err_set(e, ERR_FAILED, "another process is running the "
                           "sweep %s in %s", name->sweep, name->store)
                 : 0; /* the file system has no locks */
}

int night_runs(const struct night_name *name)
{
  struct str path = lock_file(name);
  struct flock lock = whole(F_WRLCK);
  int fd = open(path.at, O_RDWR | O_CLOEXEC);
  str_free(&path);
  if (fd < 0)
    return 0;
  int held = !fcntl(fd, F_GETLK, &lock) && lock.l_type != F_UNLCK;
  close(fd);
  return held;
}

/* --- writing ------------------------------------------------------------- */

/* The last night of this shard; 0 where there is none. */
static int last_night(const struct night_name *name, char out[NIGHT_STAMP])
{
  char (*stamps)[NIGHT_STAMP], shard[32];
  size_t n = night_list(name->store, name->sweep, &stamps), found = 0;
  shard_of(name, shard);
  for (size_t i = 0; i < n; i++) {
    const char *behind = strchr(stamps[i], 'Z') + 1;
    if (strcmp(behind, shard) != 0)
      continue;
    strcpy(out, stamps[i]);
    found = 1;
  }
  free(stamps);
  return found != 0;
}

/* Names sort as nights begin: where the clock was set back, or two begin in a
 * second, the name is that of the second after the last. */
static void next_stamp(const struct night_name *name, const char *last,
                       void (*notice)(void *user, const char *text),
                       void *user, char out[NIGHT_STAMP])
{
  char shard[32], text[200];
  time_t now = time(NULL), before = *last ? time_of(last) : 0;
  shard_of(name, shard);
  if (now < before && notice) {
    snprintf(text, sizeof text, "the clock is behind the last night of %s, "
             "which began at %s; this one is named to come after it",
             name->sweep, last);
    notice(user, text);
  }
  stamp_of(now > before ? now : before + 1, shard, out);
}

static int write_head(struct night *n, const struct night_name *name,
                      const struct record *head, struct err *e)
{
  struct record *r = record_copy(head);
  time_t now = time(NULL);
  struct tm utc;
  gmtime_r(&now, &utc);
  strftime(n->begun, sizeof n->begun, "%Y-%m-%dT%H:%M:%SZ", &utc);
  record_set(r, "kind", "night");
  record_set(r, "sweep", "%s", name->sweep);
  record_set(r, "shard", "%d/%d", name->shard, name->shards);
  record_set(r, "begun", "%s", n->begun);
  int code = journal_append(n->journal, r, e);
  record_free(r);
  return code;
}

static int same(const struct record *a, const struct record *b,
                const char *field)
{
  return !strcmp(record_text(a, field), record_text(b, field));
}

static int goes_on(const struct night_read *had, const struct record *head)
{
  return had->head && !had->end && same(had->head, head, "file") &&
         same(had->head, head, "made_with");
}

static int choose(struct night *n, const struct night_name *name,
                  const struct record *head,
                  void (*notice)(void *user, const char *text), void *user,
                  struct err *e)
{
  char stamp[NIGHT_STAMP] = "", last[NIGHT_STAMP] = "";
  int known = last_night(name, last);
  if (known && night_load(&n->had, name->store, name->sweep, last, notice,
                          user, e))
    return e->code;
  int on = known && goes_on(&n->had, head);
  if (!on) {
    night_free(&n->had);
    next_stamp(name, last, notice, user, stamp);
  }
  n->path = night_file(name->store, name->sweep, on ? last : stamp);
  if (on)
    snprintf(n->begun, sizeof n->begun, "%s",
             record_text(n->had.head, "begun"));
  int code = journal_open(&n->journal, n->path.at, e);
  return code || on ? code : write_head(n, name, head, e);
}

int night_open(struct night **out, const struct night_name *name,
               const struct record *head,
               void (*notice)(void *user, const char *text), void *user,
               struct err *e)
{
  struct night *n = mem_alloc(sizeof *n);
  struct str folder = folder_of(name->store, name->sweep);
  *out = NULL;
  n->lock = -1;
  int code = file_mkdirs(folder.at, e);
  str_free(&folder);
  if (!code && !(code = take_lock(n, name, e)))
    code = choose(n, name, head, notice, user, e);
  if (code)
    night_close(n);
  else
    *out = n;
  return code;
}

void night_close(struct night *n)
{
  if (!n)
    return;
  journal_close(n->journal);
  night_free(&n->had);
  str_free(&n->path);
  if (n->lock >= 0)
    close(n->lock);
  free(n);
}

static int add(struct night *n, const char *kind, const struct record *given,
               struct err *e)
{
  struct record *r = record_copy(given);
  record_set(r, "kind", "%s", kind);
  int code = journal_append(n->journal, r, e);
  record_free(r);
  return code;
}

int night_add(struct night *n, const struct record *problem, struct err *e)
{
  return add(n, "problem", problem, e);
}

int night_end(struct night *n, const struct record *end, struct err *e)
{
  return add(n, "end", end, e);
}

/* Fields of a problem's record that the table does not have; also all that begin
 * with n_. */
static const char *const of_night[] = {
    "kind", "why", "changed", "count", "candidates", "known", "wall_s",
    "compile_s", "device_s", "search_s", "own_s", "cpu_s"};

static int is_of_night(const char *field)
{
  for (size_t i = 0; i < sizeof of_night / sizeof *of_night; i++)
    if (!strcmp(field, of_night[i]))
      return 1;
  return !strncmp(field, "n_", 2);
}

struct record *night_winner(const struct record *problem)
{
  if (strcmp(record_text(problem, "status"), "ok"))
    return NULL;
  struct record *row = record_new();
  for (size_t i = 0; i < record_size(problem); i++)
    if (!is_of_night(record_name(problem, i)))
      record_set(row, record_name(problem, i), "%s",
                 record_value(problem, i));
  return row;
}

const char *night_path(const struct night *n)
{
  return n->path.at;
}

const char *night_begun(const struct night *n)
{
  return n->begun;
}

size_t night_had(const struct night *n)
{
  return n->had.n;
}

const struct record *night_find(const struct night *n, const char *arch,
                                const char *family, const char *problem)
{
  for (size_t i = 0; i < n->had.n; i++)
    if (is_of(n->had.problems[i], arch, family, problem))
      return n->had.problems[i];
  return NULL;
}
