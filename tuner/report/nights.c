/* nights.c - see nights.h. */
// SPDX-License-Identifier: MIT
#include "tuner/report/nights.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "tuner/report/night_files.h"
#include "tuner/report/points.h"

int night_whole(const struct night_info *n)
{
  return n->files == n->shards && n->ended == n->files;
}

void night_info_free(struct night_info *n)
{
  free(n->points);
  *n = (struct night_info){0};
}

void nights_free(struct nights *s)
{
  for (size_t i = 0; i < s->n; i++)
    free(s->list[i].points);
  for (size_t i = 0; s->rows && i < s->nsubjects; i++)
    record_free(s->rows[i]);
  free(s->rows);
  free(s->list);
  free(s->subjects);
  free(s->place);
  names_free(&s->names);
  *s = (struct nights){0};
}

/* --- subjects ------------------------------------------------------------ */

static uint32_t *place_of(const struct nights *s, const struct subject *a)
{
  size_t at = hash_64(a, sizeof *a) & (s->places - 1);
  while (s->place[at] &&
         memcmp(&s->subjects[s->place[at] - 1], a, sizeof *a) != 0)
    at = (at + 1) & (s->places - 1);
  return &s->place[at];
}

static void more_places(struct nights *s)
{
  free(s->place);
  s->places = s->places ? 2 * s->places : 1024;
  s->place = mem_array(s->places, sizeof *s->place);
  s->subjects = mem_resize(s->subjects, s->places / 2 * sizeof *s->subjects);
  for (size_t i = 0; i < s->nsubjects; i++)
    *place_of(s, &s->subjects[i]) = (uint32_t)i + 1;
}

/* Where the subject of a record is; with `make`, it is made. -1: none. */
static long subject_of(struct nights *s, const struct record *r, int make)
{
  struct subject a = {names_add(&s->names, record_text(r, "arch")),
                      names_add(&s->names, record_text(r, "family")),
                      names_add(&s->names, record_text(r, "problem"))};
  if (!s->places || (make && s->nsubjects == s->places / 2))
    more_places(s);
  uint32_t *place = place_of(s, &a);
  if (!*place && !make)
    return -1;
  if (!*place) {
    s->subjects[s->nsubjects++] = a;
    *place = (uint32_t)s->nsubjects;
  }
  return (long)*place - 1;
}

long nights_subject(struct nights *s, const struct record *row)
{
  return subject_of(s, row, 0);
}

/* --- reading ------------------------------------------------------------- */

static void make_room(struct night_info *n, size_t wanted)
{
  if (wanted <= n->room)
    return;
  size_t room = n->room ? n->room : 64;
  while (room < wanted)
    room *= 2;
  n->points = mem_resize(n->points, room * sizeof *n->points);
  memset(n->points + n->room, 0, (room - n->room) * sizeof *n->points);
  n->room = room;
}

/* Takes over the record. */
static void take(struct nights *s, struct night_info *n, struct record *r,
                 struct record **rows)
{
  size_t at = (size_t)subject_of(s, r, 1);
  make_room(n, at + 1);
  point_read(&s->names, r, &n->points[at]);
  cost_add(&n->cost, r);
  rows[at] = r;
}

static void take_file(struct nights *s, struct night_info *n,
                      const struct night_read *f)
{
  n->files++;
  n->damaged += (size_t)f->damaged;
  if (f->head) {
    n->program = names_add(&s->names, record_text(f->head, "program"));
    n->wanted += (size_t)record_number(f->head, "problems", 0);
  }
  if (f->end) {
    n->ended++;
    cost_end(&n->cost, f->end);
  }
}

/* The rows of the night before are given up: those of the last remain. */
static void keep_rows(struct nights *s, struct record **rows)
{
  for (size_t i = 0; i < s->nrows; i++)
    record_free(s->rows[i]);
  free(s->rows);
  s->rows = rows;
  s->nrows = s->nsubjects;
}

static int take_night(struct nights *s, const struct night_group *g,
                      const char *store, night_notice *notice, void *user,
                      struct err *e)
{
  struct night_info *n = &s->list[s->n++];
  *n = (struct night_info){.shards = g->shards};
  snprintf(n->stamp, sizeof n->stamp, "%s", g->stamp);
  struct record **rows = NULL;
  size_t room = 0;
  int code = 0;
  for (size_t i = 0; i < g->n && !code; i++) {
    struct night_read f;
    code = night_load(&f, store, s->sweep, g->file[i], notice, user, e);
    if (code)
      break;
    take_file(s, n, &f);
    size_t most = s->nsubjects + f.n;
    rows = mem_resize(rows, (most + 1) * sizeof *rows);
    memset(rows + room, 0, (most + 1 - room) * sizeof *rows);
    room = most + 1;
    for (size_t k = 0; k < f.n; k++) {
      take(s, n, f.problems[k], rows);
      f.problems[k] = NULL; /* it is the night's now */
    }
    night_free(&f);
  }
  keep_rows(s, rows);
  return code;
}

static int take_all(struct nights *s, const struct night_files *files,
                    const char *store, night_notice *notice, void *user,
                    struct err *e)
{
  for (size_t i = 0; i < files->n; i++)
    if (take_night(s, &files->group[i], store, notice, user, e))
      return e->code;
  for (size_t i = 0; i < s->n; i++)
    make_room(&s->list[i], s->nsubjects);
  return 0;
}

int nights_open(struct nights *s, const char *store, const char *sweep,
                const char *until, night_notice *notice, void *user,
                struct err *e)
{
  struct night_files files = {0};
  *s = (struct nights){0};
  int code = night_files_find(&files, store, sweep, until, s->sweep, e);
  s->list = mem_array(files.n + 1, sizeof *s->list);
  if (!code)
    code = take_all(s, &files, store, notice, user, e);
  night_files_free(&files);
  return code;
}

long nights_find(const struct nights *s, const char *stamp, struct err *e)
{
  long found = -1;
  size_t matches = 0;
  for (size_t i = 0; i < s->n; i++)
    if (!strncmp(s->list[i].stamp, stamp, strlen(stamp))) {
      found = (long)i;
      matches++;
    }
  if (matches == 1)
    return found;
  err_set(e, ERR_FAILED, matches
              ? "sweep %s has %zu nights that begin with %s; name one of them "
                "as %s"
              : "sweep %s has %zu nights %s; the last is %s",
          s->sweep, matches, stamp, s->list[s->n - 1].stamp);
  return -1;
}

/* --- tables -------------------------------------------------------------- */

/* How well a row fits the night's own: of several devices' rows the same
 * device's is compared, and of one device's the same source's. */
static int fit(const struct nights *s, size_t i, const struct record *row)
{
  const struct record *own = i < s->nrows ? s->rows[i] : NULL;
  static const char *const names[] = {"source", "cus", "device"};
  int score = 1;
  for (int k = 0; own && k < 3; k++)
    if (!strcmp(record_text(own, names[k]), record_text(row, names[k])))
      score += 1 << k;
  return record_number(row, "hot", 0) > 0 ? 0 : score;
}

struct tables {
  const char *folder;
  night_notice *notice;
  void *user;
  int *fit; /* of what each subject has so far */
};

static int take_table(struct nights *s, const struct tables *from,
                      const struct subject *a, struct night_info *out,
                      struct err *e)
{
  struct table *t;
  const char *arch = names_text(&s->names, a->arch);
  const char *family = names_text(&s->names, a->family);
  if (table_load(&t, from->folder, arch, family, from->notice, from->user, e))
    return e->code;
  for (size_t k = 0; k < table_size(t); k++) {
    const struct record *row = table_row(t, k);
    long i = subject_of(s, row, 0);
    int score = i < 0 ? 0 : fit(s, (size_t)i, row);
    if (i < 0 || score <= from->fit[i])
      continue;
    from->fit[i] = score;
    point_read(&s->names, row, &out->points[i]);
  }
  table_free(t);
  return 0;
}

/* Has an earlier subject the same table? */
static int had(const struct nights *s, size_t i)
{
  for (size_t k = i; k-- > 0;)
    if (s->subjects[k].arch == s->subjects[i].arch &&
        s->subjects[k].family == s->subjects[i].family)
      return 1;
  return 0;
}

int nights_tables(struct nights *s, const char *folder, struct night_info *out,
                  night_notice *notice, void *user, struct err *e)
{
  struct tables from = {folder, notice, user,
                        mem_array(s->nsubjects + 1, sizeof *from.fit)};
  int code = 0;
  *out = (struct night_info){.files = 1, .shards = 1, .ended = 1};
  make_room(out, s->nsubjects);
  for (size_t i = 0; i < s->nsubjects && !code; i++)
    if (!had(s, i))
      code = take_table(s, &from, &s->subjects[i], out, e);
  free(from.fit);
  return code;
}
