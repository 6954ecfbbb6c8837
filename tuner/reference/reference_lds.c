/* reference_lds.c - a tile of which every fourth word grew by one each pass,
 * and the sum of what was read of it. Where in LDS a word was does not matter
 * to either: a layout that is wrong shows.
 *
 *   to[i] = from[i] + (passes - 1) g(i)    g(i) = 1 where i mod 4 = 0, else 0
 *   sum   = high * sum over passes p and words i of (from[i] + p g(i))
 *
 * where `high` lanes read the same, so that only the first words / high words
 * are read in a pass. All of it modulo 2^32, as the device computes it.
 */
// SPDX-License-Identifier: MIT
#include <string.h>

#include "tuner/reference/inputs.h"
#include "tuner/reference/problem.h"
#include "tuner/reference/reference.h"

enum {GROWS = 4 /* words to the next that grows */};

struct lds {
  const struct reference_job *job;
  size_t words, tiles, high;
  uint32_t passes;
  int from, to, sums; /* buffers */
};

static size_t element_bytes(const char *dtype)
{
  return !strcmp(dtype, "f16") ? 2 : !strcmp(dtype, "i8") ? 1 : 4;
}

static struct lds describe(const struct reference_job *job)
{
  const struct family *f = job->family;
  const struct problem *p = job->problem;
  size_t bytes = element_bytes(problem_text(f, p, "dtype"));
  struct lds g = {
      .job = job,
      .words = (size_t)problem_int(f, p, "rows")
               * (size_t)problem_int(f, p, "columns") * bytes / 4,
      .tiles = (size_t)problem_int(f, p, "tiles"),
      .passes = (uint32_t)problem_int(f, p, "passes"),
      .high = (size_t)problem_int(f, p, "down"),
      .from = reference_buffer(job->plan, "from"),
      .to = reference_buffer(job->plan, "to"),
      .sums = reference_buffer(job->plan, "sums"),
  };
  const char *pattern = problem_text(f, p, "pattern");
  if (strcmp(pattern, "row") != 0 && strcmp(pattern, "broadcast") != 0)
    g.high = 1;
  return g;
}

static size_t elements(const struct lds *g, int buffer)
{
  return buffer < 0 ? 0 : g->job->plan->buffers[buffer].elements;
}

static int check(const struct reference_job *job, struct err *e)
{
  struct lds g = describe(job);
  size_t n = g.words * g.tiles;
  if (!n || !g.passes || !g.high || elements(&g, g.from) < n ||
      elements(&g, g.to) < n || elements(&g, g.sums) < g.tiles)
    return err_set(e, ERR_FAILED, "%s.lua: the reference 'lds' needs the keys "
                   "rows, columns, dtype, pattern, down, tiles, passes and "
                   "i32 buffers from, to, sums", family_name(job->family));
  return 0;
}

static uint32_t input(const struct lds *g, size_t i)
{
  double d = input_value(g->job->seed, (size_t)g->from,
                         &g->job->plan->buffers[g->from], i);
  return (uint32_t)(int32_t)d;
}

static uint32_t sum_tile(const struct lds *g, size_t tile)
{
  uint32_t words = 0, growing = 0;
  for (size_t i = 0; i < g->words / g->high; i++) {
    words += input(g, tile * g->words + i);
    growing += i % GROWS == 0;
  }
  /* 0 + 1 + ... + passes - 1; the product is even before it is halved. */
  uint32_t grown = (uint32_t)((uint64_t)g->passes * (g->passes - 1) / 2);
  return (uint32_t)g->high * (words * g->passes + growing * grown);
}

static struct expected one(const struct reference_job *job, size_t b,
                           size_t i)
{
  struct lds g = describe(job);
  if ((int)b == g.sums)
    return reference_exactly(i < g.tiles ? sum_tile(&g, i) : 0);
  uint32_t grown = i % g.words % GROWS == 0 ? g.passes - 1 : 0;
  return reference_exactly(input(&g, i) + grown);
}

const struct reference reference_lds = {"lds", check, NULL, one};
