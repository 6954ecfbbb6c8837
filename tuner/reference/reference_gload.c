/* reference_gload.c - words read, written or copied, exactly.
 *
 * Word i of those that are used is at offset_of(i): of every `stride` pieces of
 * 16 bytes the first is used. A read sums the columns of tiles of `depth` rows
 * of 1024 words, wrapping at 32 bits.
 */
// SPDX-License-Identifier: MIT
#include <string.h>

#include "tuner/reference/inputs.h"
#include "tuner/reference/problem.h"
#include "tuner/reference/reference.h"

enum {ROW = 1024, PIECE = 4 /* words */};

struct gload {
  const struct reference_job *job;
  size_t n, stride, depth;
  int x, y; /* buffers; a write has no x */
  int read, write;
  uint32_t key; /* a write's last argument */
};

static struct gload describe(const struct reference_job *job)
{
  const struct family *f = job->family;
  const struct problem *p = job->problem;
  const struct launch *l = &job->plan->launches[0];
  const char *op = problem_text(f, p, "op");
  struct gload g = {
      .job = job,
      .n = (size_t)problem_int(f, p, "n"),
      .stride = (size_t)problem_int(f, p, "stride"),
      .depth = (size_t)problem_int(f, p, "depth"),
      .x = reference_buffer(job->plan, "x"),
      .y = reference_buffer(job->plan, "y"),
      .read = !strcmp(op, "read"),
      .write = !strcmp(op, "write"),
  };
  if (g.write && l->nargs > 0)
    g.key = (uint32_t)l->args[l->nargs - 1].i;
  return g;
}

static size_t elements(const struct gload *g, int buffer)
{
  return g->job->plan->buffers[buffer].elements;
}

static int is_words(const struct gload *g, int buffer, size_t least)
{
  return buffer >= 0 && elements(g, buffer) >= least &&
         g->job->plan->buffers[buffer].type == ELEMENT_I32;
}

static int check(const struct reference_job *job, struct err *e)
{
  struct gload g = describe(job);
  size_t span = g.n * g.stride;
  int whole = g.stride && g.depth && g.n && g.n % (ROW * g.depth) == 0;
  if (!whole || !is_words(&g, g.y, g.read ? g.n / g.depth : span) ||
      (!g.write && !is_words(&g, g.x, span)))
    return err_set(e, ERR_FAILED, "%s.lua: the reference 'gload' needs the "
                   "keys op, n, stride and depth, n a multiple of %d depth, "
                   "and i32 buffers x and y that hold n stride words",
                   family_name(job->family), ROW);
  return 0;
}

static size_t offset_of(const struct gload *g, size_t i)
{
  return i / PIECE * PIECE * g->stride + i % PIECE;
}

static uint32_t word(const struct gload *g, size_t at)
{
  const struct buffer *x = &g->job->plan->buffers[g->x];
  return (uint32_t)(int32_t)input_value(g->job->seed, (size_t)g->x, x, at);
}

static uint32_t column(const struct gload *g, size_t i)
{
  size_t first = i / ROW * ROW * g->depth + i % ROW;
  uint32_t sum = 0;
  for (size_t row = 0; row < g->depth; row++)
    sum += word(g, offset_of(g, first + row * ROW));
  return sum;
}

static struct expected expect(const struct gload *g, size_t at)
{
  size_t piece = at / PIECE, i = piece / g->stride * PIECE + at % PIECE;
  if (g->read && at < g->n / g->depth)
    return reference_exactly(column(g, at));
  if (g->read || piece % g->stride || i >= g->n)
    return (struct expected){.bound = -1};
  return reference_exactly(g->write ? (uint32_t)i ^ g->key : word(g, at));
}

static struct expected one(const struct reference_job *job, size_t b,
                           size_t i)
{
  (void)b; /* there is one output, y */
  struct gload g = describe(job);
  return expect(&g, i);
}

const struct reference reference_gload = {"gload", check, NULL, one};
