/* few.c - see few.h. */
// SPDX-License-Identifier: MIT
#include "tuner/store/few.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "db/tried.h"

/* --- what is known ------------------------------------------------------- */

static int is_ok(const struct record *r)
{
  const char *status = record_get(r, "status");
  return (!status || !strcmp(status, "ok")) &&
         record_number(r, "time_us", 0) > 0;
}

static size_t problem_of(struct few *f, const char *text)
{
  size_t i = 0;
  while (i < f->nproblems && strcmp(f->problems[i].text, text) != 0)
    i++;
  if (i == f->nproblems)
    f->problems[f->nproblems++] = (struct few_problem){.text = text};
  return i;
}

static size_t kernel_of(struct few *f, const char *config)
{
  size_t i = 0;
  while (i < f->nkernels && strcmp(f->kernels[i], config) != 0)
    i++;
  if (i == f->nkernels)
    f->kernels[f->nkernels++] = config;
  return i;
}

/* A later result replaces an earlier one, as in a journal. */
static void know(struct few *f, size_t problem, size_t kernel, double us)
{
  f->us[problem * f->nkernels + kernel] = us;
}

static void take_tried(struct few *f, const char (*names)[TRIED_NAME],
                       size_t problem, const char *text)
{
  char name[TRIED_NAME];
  double us;
  while (tried_next(&text, name, &us))
    for (size_t k = 0; k < f->nkernels; k++)
      if (!strcmp(names[k], name) && !(f->us[problem * f->nkernels + k] > 0))
        know(f, problem, k, us);
}

static void find_best(struct few *f)
{
  for (size_t p = 0; p < f->nproblems; p++) {
    double best = INFINITY;
    for (size_t k = 0; k < f->nkernels; k++) {
      double us = f->us[p * f->nkernels + k];
      best = us > 0 && us < best ? us : best;
    }
    f->problems[p].best_us = best;
  }
}

void few_open(struct few *f, const struct results *r)
{
  *f = (struct few){0};
  f->problems = mem_array(r->n + 1, sizeof *f->problems);
  f->kernels = mem_array(r->n + 1, sizeof *f->kernels);
  for (size_t i = 0; i < r->n; i++)
    if (is_ok(r->list[i])) {
      problem_of(f, record_text(r->list[i], "problem"));
      kernel_of(f, record_text(r->list[i], "config"));
    }
  f->us = mem_array(f->nproblems * f->nkernels + 1, sizeof *f->us);
  f->chosen = mem_array(f->nkernels + 1, sizeof *f->chosen);
  char (*names)[TRIED_NAME] = mem_array(f->nkernels + 1, TRIED_NAME);
  for (size_t k = 0; k < f->nkernels; k++)
    tried_name(f->kernels[k], names[k]);
  for (size_t i = 0; i < r->n; i++)
    if (is_ok(r->list[i]))
      know(f, problem_of(f, record_text(r->list[i], "problem")),
           kernel_of(f, record_text(r->list[i], "config")),
           record_number(r->list[i], "time_us", 0));
  for (size_t i = 0; i < r->n; i++)
    if (is_ok(r->list[i]))
      take_tried(f, (const char (*)[TRIED_NAME])names,
                 problem_of(f, record_text(r->list[i], "problem")),
                 record_text(r->list[i], "tried"));
  free(names);
  find_best(f);
}

void few_free(struct few *f)
{
  free(f->problems);
  free(f->kernels);
  free(f->us);
  free(f->chosen);
  *f = (struct few){0};
}

/* --- choosing ------------------------------------------------------------ */

/* What the chosen cost on a problem, relative. */
static double ratio(const struct few *f, size_t p, size_t *kernel)
{
  double least = INFINITY;
  for (size_t i = 0; i < f->nchosen; i++) {
    double us = f->us[p * f->nkernels + f->chosen[i]];
    if (us > 0 && us < least) {
      least = us;
      *kernel = i;
    }
  }
  return least / f->problems[p].best_us;
}

double few_cost(const struct few *f)
{
  double sum = 0;
  size_t unused;
  for (size_t p = 0; p < f->nproblems; p++) {
    double x = ratio(f, p, &unused);
    sum += log(x < UNCOVERED ? x : UNCOVERED);
  }
  return sum;
}

static int is_chosen(const struct few *f, size_t kernel)
{
  size_t i = 0;
  while (i < f->nchosen && f->chosen[i] != kernel)
    i++;
  return i < f->nchosen;
}

/* Put the best kernel at place i of the chosen: what it costs then. */
static double best_at(struct few *f, size_t i)
{
  size_t best = f->chosen[i];
  double least = few_cost(f);
  for (size_t k = 0; k < f->nkernels; k++) {
    if (is_chosen(f, k))
      continue;
    size_t was = f->chosen[i];
    f->chosen[i] = k;
    double cost = few_cost(f);
    if (cost < least - 1e-12) {
      least = cost;
      best = k;
    }
    f->chosen[i] = was;
  }
  f->chosen[i] = best;
  return least;
}

/* A kernel that is not chosen yet, to begin a place with. */
static void add_place(struct few *f)
{
  size_t k = 0;
  while (is_chosen(f, k))
    k++;
  f->chosen[f->nchosen++] = k;
}

static void exchange(struct few *f)
{
  enum {ROUNDS = 20};
  double before = INFINITY, now = few_cost(f);
  for (int i = 0; i < ROUNDS && now < before - 1e-9; i++) {
    before = now;
    for (size_t at = 0; at < f->nchosen; at++)
      now = best_at(f, at);
  }
}

void few_choose(struct few *f, size_t n)
{
  f->nchosen = 0;
  while (f->nchosen < n && f->nchosen < f->nkernels) {
    add_place(f);
    best_at(f, f->nchosen - 1);
  }
  exchange(f);
  for (size_t p = 0; p < f->nproblems; p++) {
    struct few_problem *to = &f->problems[p];
    double x = ratio(f, p, &to->kernel);
    to->loss = isfinite(x) ? x - 1 : -1;
  }
}
