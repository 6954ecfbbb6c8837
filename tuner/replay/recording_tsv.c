/* recording_tsv.c - recordings as tab-separated text. */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tuner/replay/recording_build.h"

enum {COLUMNS = 128};

/* The column to take times from: the first of these that there is. */
static const char *const times[] = {"mean_ms", "time_ms", "time",
                                    "median_ms"};

struct head {
  size_t columns, status, time; /* tunables are those before status */
};

/* Cut a line at its tabs, in place. */
static size_t cut(char *line, char **cells)
{
  size_t n = 0;
  for (char *at = line; at && n <= COLUMNS; n++) {
    char *tab = strchr(at, '\t');
    if (n < COLUMNS)
      cells[n] = at;
    if (tab)
      *tab++ = 0;
    at = tab;
  }
  return n;
}

static size_t find(char *const *cells, size_t n, const char *name)
{
  size_t i = 0;
  while (i < n && strcmp(cells[i], name) != 0)
    i++;
  return i;
}

static int read_head(struct recording *r, char **cells, size_t n,
                     struct head *h, struct err *e)
{
  if (n > COLUMNS)
    return err_set(e, ERR_FAILED, "more than %d columns", COLUMNS);
  h->columns = h->time = n;
  h->status = find(cells, n, "status");
  for (size_t i = 0; i < sizeof times / sizeof *times && h->time == n; i++)
    h->time = find(cells, n, times[i]);
  if (h->status == n || h->time == n)
    return err_set(e, ERR_FAILED, "no column '%s'; the head line names "
                   "tunables, status, mean_ms",
                   h->status == n ? "status" : "mean_ms");
  if (h->status == 0 || h->time < h->status)
    return err_set(e, ERR_FAILED, "the tunables must come first, then status "
                   "and the time");
  for (size_t i = 0; i < h->status; i++)
    if (recording_name(r, cells[i], e))
      return e->code;
  return 0;
}

static int read_row(struct recording *r, char **cells, size_t n,
                    const struct head *h, struct err *e)
{
  double cost = INFINITY;
  char *end;
  if (n != h->columns)
    return err_set(e, ERR_FAILED, "%zu columns where the head has %zu", n,
                   h->columns);
  if (!strcmp(cells[h->status], "ok")) {
    cost = strtod(cells[h->time], &end);
    if (end == cells[h->time] || *end || !isfinite(cost))
      return err_set(e, ERR_FAILED, "'%.40s' is no time", cells[h->time]);
  }
  return recording_add(r, (const char *const *)cells, cost, e);
}

static int read_line(struct recording *r, char *line, struct head *h,
                     struct err *e)
{
  char *cells[COLUMNS];
  if (!*line || *line == '#')
    return 0;
  size_t n = cut(line, cells);
  return h->columns ? read_row(r, cells, n, h, e)
                    : read_head(r, cells, n, h, e);
}

int recording_tsv(struct recording *r, const char *path, const char *bytes,
                  size_t n, struct err *e)
{
  struct head head = {0};
  struct str line = {0};
  int code = 0;
  size_t number = 0;
  for (size_t at = 0; at < n && !code; number++) {
    const char *end = memchr(bytes + at, '\n', n - at);
    size_t length = end ? (size_t)(end - bytes) - at : n - at;
    str_clear(&line);
    str_add_bytes(&line, bytes + at, length);
    at += length + (end != NULL);
    if (memchr(line.at, 0, line.len))
      code = err_set(e, ERR_FAILED, "holds a NUL byte");
    while (line.len && line.at[line.len - 1] == '\r')
      line.at[--line.len] = 0;
    if (!code)
      code = read_line(r, line.at, &head, e);
  }
  str_free(&line);
  if (code)
    return err_prefix(e, "%s:%zu", path, number);
  return head.columns ? 0
                      : err_set(e, ERR_FAILED, "%s: no head line; it names "
                                "tunables, status, mean_ms", path);
}
