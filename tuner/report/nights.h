/* nights.h - the nights of a sweep, side by side: a point for each night and
 * problem.
 *
 * The shards of a night are joined: a night is what began together, one file of
 * each shard. Sequence: nights_open -> nights_* -> nights_free. Everything that
 * is pointed to lives until nights_free().
 *
 * Errors: ERR_FAILED where the sweep has no night that can be read, naming the
 * sweeps that there are. What is damaged, cut or missing is told through
 * `notice`, and the rest is used.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_report_nights_h
#define tuner_report_nights_h

#include "db/night.h"
#include "db/table.h"
#include "tuner/report/names.h"

enum point_state {POINT_NONE, POINT_OK, POINT_FAILED, POINT_CUT};
enum point_source {SOURCE_NONE, SOURCE_MEASURED, SOURCE_MODELLED};
/* What the night did: nothing (it is the result of an earlier night), timed winners of
 * near problems, timed the old winner again, or searched. */
enum point_why {WHY_NONE, WHY_NEW, WHY_CHANGED, WHY_INCUMBENT, WHY_NEAR,
                WHY_KEPT};

/* What a night found for a problem. */
struct point {
  unsigned char state, source, why, throttled;
  uint32_t n; /* launches timed */
  /* numbers of names */
  uint32_t device, config, made, kernel, date, reason, changed;
  double time_us, mad_us;
  float error_80;                   /* of a modelled time, relative; or 0 */
  float rate;                       /* GFLOP/s, GB/s, as the row has it */
  float sclk_mhz, mclk_mhz, power_w, temp_c; /* 0: not recorded */
};

/* One thing that is tuned, wherever it ran. */
struct subject {
  uint32_t arch, family, problem; /* numbers of names */
};

/* What nights count together. */
struct night_cost {
  double wall_s, busy_s, compile_s, device_s, search_s, core_s;
  double candidates, known;
};

struct night_info {
  char stamp[NIGHT_STAMP]; /* of its first shard, without its number */
  uint32_t program;
  size_t files, shards; /* read; what the night should have */
  size_t ended;         /* of these, files with an end */
  size_t wanted;        /* problems that the sweep has */
  size_t damaged;       /* lines */
  struct night_cost cost;
  size_t room;
  struct point *points; /* of nights.subjects, by their places */
};

struct nights {
  char sweep[NIGHT_STAMP];
  struct names names;
  size_t nsubjects;
  struct subject *subjects;
  uint32_t *place; /* inside: subjects by hash */
  size_t places;
  size_t n;
  struct night_info *list; /* oldest first */
  size_t nrows;
  struct record **rows; /* of the last night, by subject; NULL: none */
};

typedef void night_notice(void *user, const char *text);

/* sweep: its name, the path of its file, or NULL where there is only one.
 * until (may be NULL): read no night after the one of this stamp, which may be
 * cut to its beginning as long as it names one night. */
int nights_open(struct nights *out, const char *store, const char *sweep,
                const char *until, night_notice *notice, void *user,
                struct err *e);
void nights_free(struct nights *s);

/* The night of a stamp, or of the beginning of one: -1 with e set where there
 * is none, or several. */
long nights_find(const struct nights *s, const char *stamp, struct err *e);

/* Which subject a row is of; -1: none. */
long nights_subject(struct nights *s, const struct record *row);

/* The tables in folder/ARCH/FAMILY.table as if they were a night, for the
 * subjects that there are. It is no part of s->list; night_info_free() it. */
int nights_tables(struct nights *s, const char *folder, struct night_info *out,
                  night_notice *notice, void *user, struct err *e);
void night_info_free(struct night_info *n);

/* A night ended, in all its shards. */
int night_whole(const struct night_info *n);

const char *source_name(int source); /* "measured", "modelled", "" */
const char *why_name(int why);

#endif
