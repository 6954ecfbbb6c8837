/* reference_lane.c - x = exchange(x) + own among the lanes of a row, exactly.
 *
 * Rows are runs of `row` elements; numbers wrap at 32 bits, as the device's.
 */
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "tuner/reference/inputs.h"
#include "tuner/reference/problem.h"
#include "tuner/reference/reference.h"

enum {ROW = 1024}; /* lanes at most */

struct lane {
  const struct reference_job *job;
  size_t n, row, by;
  long long rounds;
  int x, y, keys; /* buffers; keys of permute alone */
  int sum;
  size_t source[ROW]; /* of the lanes of a row */
};

/* What lane i of a row takes from. */
static size_t source(const struct lane *g, const char *op, size_t i)
{
  if (!strcmp(op, "shift"))
    return i < g->by ? i : i - g->by;
  if (!strcmp(op, "rotate"))
    return (i + g->row - g->by) % g->row;
  if (!strcmp(op, "xor"))
    return i ^ g->by;
  return g->by;
}

static double input(const struct lane *g, int buffer, size_t i)
{
  return input_value(g->job->seed, (size_t)buffer,
                     &g->job->plan->buffers[buffer], i);
}

/* Lane i takes from the lane that its key has the rank of. */
static void rank_keys(struct lane *g)
{
  for (size_t i = 0; i < g->row; i++) {
    double key = input(g, g->keys, i);
    size_t rank = 0;
    for (size_t j = 0; j < g->row; j++) {
      double other = input(g, g->keys, j);
      rank += other < key || (other == key && j < i);
    }
    g->source[i] = rank;
  }
}

static struct lane describe(const struct reference_job *job)
{
  const struct family *f = job->family;
  const struct problem *p = job->problem;
  const char *op = problem_text(f, p, "op");
  struct lane g = {
      .job = job,
      .n = (size_t)problem_int(f, p, "n"),
      .row = (size_t)problem_int(f, p, "row"),
      .by = (size_t)problem_int(f, p, "by"),
      .rounds = problem_int(f, p, "rounds"),
      .x = reference_buffer(job->plan, "x"),
      .y = reference_buffer(job->plan, "y"),
      .keys = reference_buffer(job->plan, "keys"),
      .sum = !strcmp(op, "sum"),
  };
  if (!strcmp(op, "permute") && g.keys >= 0 && g.row <= ROW)
    rank_keys(&g);
  else
    for (size_t i = 0; i < g.row && i < ROW; i++)
      g.source[i] = source(&g, op, i);
  return g;
}

static int check(const struct reference_job *job, struct err *e)
{
  struct lane g = describe(job);
  const struct buffer *buffers = job->plan->buffers;
  int exact = g.x >= 0 && g.y >= 0 && buffers[g.x].type == ELEMENT_I32 &&
              buffers[g.y].type == ELEMENT_I32;
  if (!exact || g.row < 1 || g.row > ROW || g.by >= g.row || g.n % g.row ||
      buffers[g.x].elements < g.n || buffers[g.y].elements < g.n)
    return err_set(e, ERR_FAILED, "%s.lua: the reference 'lane' needs the "
                   "keys op, row, by, rounds and n, and i32 buffers x, y of "
                   "n elements, n a multiple of row",
                   family_name(job->family));
  return 0;
}

static uint32_t total(const uint32_t *x, size_t n)
{
  uint32_t sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += x[i];
  return sum;
}

/* All rounds of the row that begins at element `first`. */
static void run(const struct lane *g, size_t first, uint32_t *x)
{
  uint32_t own[ROW], old[ROW];
  for (size_t i = 0; i < g->row; i++)
    own[i] = x[i] = (uint32_t)(int32_t)input(g, g->x, first + i);
  for (long long round = 0; round < g->rounds; round++) {
    memcpy(old, x, g->row * sizeof *x);
    uint32_t sum = g->sum ? total(old, g->row) : 0;
    for (size_t i = 0; i < g->row; i++)
      x[i] = (g->sum ? sum : old[g->source[i]]) + own[i];
  }
}

static struct expected one(const struct reference_job *job, size_t b,
                           size_t i)
{
  (void)b; /* there is one output, y */
  struct lane g = describe(job);
  uint32_t x[ROW];
  if (i >= g.n)
    return (struct expected){.bound = -1};
  run(&g, i / g.row * g.row, x);
  return reference_exactly(x[i % g.row]);
}

static int all(const struct reference_job *job, size_t b,
               struct expected *out, struct err *e)
{
  (void)e;
  struct lane g = describe(job);
  uint32_t x[ROW];
  size_t elements = job->plan->buffers[b].elements;
  for (size_t first = 0; first < g.n; first += g.row) {
    run(&g, first, x);
    for (size_t i = 0; i < g.row; i++)
      out[first + i] = reference_exactly(x[i]);
  }
  for (size_t i = g.n; i < elements; i++)
    out[i] = (struct expected){.bound = -1};
  return 0;
}

const struct reference reference_lane = {"lane", check, all, one};
