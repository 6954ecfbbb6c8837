/* opened.h - a family with a problem, for the tests of references.
 *
 * open_family(&o, "lane", "op=xor,row=64", "path=lds") -> o.job, ready for
 * reference_all(); close_family(&o). An empty configuration is the first
 * legal one.
 */
// SPDX-License-Identifier: MIT
#ifndef tests_tuner_opened_h
#define tests_tuner_opened_h

#include <stdlib.h>

#include "arch/arch.h"
#include "gen/space.h"
#include "tuner/reference/inputs.h"
#include "tuner/reference/problem.h"
#include "tuner/reference/reference.h"

struct opened {
  struct family *family;
  struct problem problem;
  struct plan plan;
  struct reference_job job;
  const struct reference *reference;
};

static void open_family(struct opened *o, const char *name,
                        const char *problem, const char *config)
{
  struct err e = {0};
  struct space *space = NULL;
  struct config c = {0};
  const struct pair *facts;
  size_t nfacts = arch_facts(arch_find("gfx906"), &facts);
  *o = (struct opened){0};
  if (family_open(&o->family, name, NULL, &e) ||
      family_set_arch(o->family, facts, nfacts, &e))
    fail_msg("%s", e.text);
  if (problem_parse(o->family, problem, &o->problem, &e) ||
      space_open(&space, o->family, &o->problem, &e))
    fail_msg("%s", e.text);
  assert_true(space_first(space, &c));
  if (config_parse(o->family, config, 1, &c, &e) ||
      family_plan(o->family, &o->problem, &c, &o->plan, &e))
    fail_msg("%s", e.text);
  space_close(space);
  o->job = (struct reference_job){o->family, &o->problem, &o->plan, 7};
  if (reference_find(&o->job, &o->reference, &e))
    fail_msg("%s", e.text);
}

static void close_family(struct opened *o)
{
  family_close(o->family);
}

/* Element i of the input called `name`. */
static inline double input_at(const struct opened *o, const char *name, size_t i)
{
  size_t b = (size_t)reference_buffer(&o->plan, name);
  return input_value(o->job.seed, b, &o->plan.buffers[b], i);
}

/* What all elements of output b must be, by the whole reference; free(). */
static struct expected *whole(const struct opened *o, size_t b)
{
  struct err e = {0};
  struct expected *all = calloc(o->plan.buffers[b].elements, sizeof *all);
  if (!all || reference_all(o->reference, &o->job, b, all, &e))
    fail_msg("%s", e.text);
  return all;
}

/* What all elements of output `name` must be; free(). That one() says the
 * same of each is asserted. */
static inline struct expected *all_of(const struct opened *o, const char *name)
{
  size_t b = (size_t)reference_buffer(&o->plan, name);
  struct expected *all = whole(o, b);
  for (size_t i = 0; i < o->plan.buffers[b].elements; i++) {
    struct expected x = o->reference->one(&o->job, b, i);
    assert_true(x.want == all[i].want && x.bound == all[i].bound);
  }
  return all;
}

#endif
