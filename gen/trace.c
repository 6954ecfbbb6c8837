/* trace.c - see trace.h. */
// SPDX-License-Identifier: MIT
#include "gen/trace.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "gen/inside.h"
#include "gen/lib.h"
#include "gen/symbol.h"

enum {OTHERS = 4, DRAWS = 32};

int family_serves(const struct family *f)
{
  return f->functions[FUNCTION_SERVES] != LUA_NOREF;
}

int trace_symbolic(const struct key *k, const struct value *v)
{
  return !k->nvalues && ((v->kind == VALUE_INT && v->i != 0) ||
                         (v->kind == VALUE_NUM && v->d != 0));
}

int trace_open(const struct key *k)
{
  return k->standard.kind == VALUE_INT && !k->nvalues && k->min == 0 &&
         k->standard.i == 0 && !k->quiet;
}

void trace_keys(const struct problem *p, int64_t out[FAMILY_KEYS])
{
  for (size_t i = 0; i < p->n; i++)
    out[i] = p->values[i].kind == VALUE_INT ? p->values[i].i : 0;
}

/* The formula of the symbol or integer at the top, which is popped. */
static struct formula *take_formula(lua_State *L, const char *what)
{
  const struct symbol *s = symbol_at(L, -1);
  if (!s && !lua_isinteger(L, -1))
    luaL_error(L, "%s is a %s; it must be an integer", what,
               luaL_typename(L, -1));
  size_t n = s ? s->n : 1;
  struct formula *f = mem_alloc(sizeof *f + n * sizeof *f->step);
  f->n = n;
  if (s)
    memcpy(f->step, s->step, n * sizeof *f->step);
  else
    f->step[0] = (struct formula_step){ .op = FORMULA_CONST,
                                        .value = lua_tointeger(L, -1) };
  lua_pop(L, 1);
  return f;
}

/* --- needs --------------------------------------------------------------- */

/* The keys of the problem as a strict table. */
static void push_other(lua_State *L, const struct family *f)
{
  lua_createtable(L, 0, (int)f->nkeys);
  for (size_t i = 0; i < f->nkeys; i++) {
    view_symbol(L, f, i);
    lua_setfield(L, -2, f->keys[i].name);
  }
  lib_strict(L, "is not a key of the problem");
}

/* { "reason", expression } at the top. */
static void take_need(lua_State *L, struct need *n)
{
  if (!lua_istable(L, -1) || lua_rawgeti(L, -1, 1) != LUA_TSTRING)
    luaL_error(L, "serves: an entry is no { \"reason\", expression }");
  snprintf(n->reason, sizeof n->reason, "%s", lua_tostring(L, -1));
  lua_pop(L, 1);
  lua_rawgeti(L, -1, 2);
  n->zero = take_formula(L, n->reason);
}

void trace_needs(lua_State *L, struct family *f, struct trace *t)
{
  lua_rawgeti(L, LUA_REGISTRYINDEX, f->functions[FUNCTION_SERVES]);
  lua_rawgeti(L, LUA_REGISTRYINDEX, f->views[VIEW_CFG]);
  lua_rawgeti(L, LUA_REGISTRYINDEX, f->views[VIEW_PROBLEM]);
  push_other(L, f);
  lua_rawgeti(L, LUA_REGISTRYINDEX, f->views[VIEW_ARCH]);
  lua_call(L, 4, 1);
  size_t n = lua_istable(L, -1) ? lua_rawlen(L, -1) : FAMILY_NEEDS + 1;
  if (n > FAMILY_NEEDS)
    luaL_error(L, "serves: must return a list of at most %d entries",
               FAMILY_NEEDS);
  for (size_t i = 0; i < n; i++) {
    lua_rawgeti(L, -1, (lua_Integer)i + 1);
    take_need(L, &t->needs[i]);
    t->nneeds++;
    lua_pop(L, 1);
  }
}

/* The integer or symbol that the table at the top has under this name. */
static struct formula *take_field(lua_State *L, const char *name)
{
  lua_getfield(L, -1, name);
  return take_formula(L, name);
}

void trace_work(lua_State *L, struct family *f, struct trace *t)
{
  if (f->functions[FUNCTION_WORK] == LUA_NOREF)
    return;
  lua_call(L, view_function(L, f, FUNCTION_WORK), 1);
  if (!lua_istable(L, -1))
    luaL_error(L, "work: must return { steps =, flops =, bytes =, results =, "
               "written = }");
  t->work.steps = take_field(L, "steps");
  t->work.flops = take_field(L, "flops");
  t->work.bytes = take_field(L, "bytes");
  t->work.results = take_field(L, "results");
  t->work.written = take_field(L, "written");
  lua_pop(L, 1);
}

int trace_serves(const struct trace *t, const struct problem *p,
                 const char **reason)
{
  int64_t keys[FAMILY_KEYS], left;
  trace_keys(p, keys);
  for (size_t i = 0; i < t->nneeds; i++) {
    const struct formula *f = t->needs[i].zero;
    *reason = t->needs[i].reason;
    if (formula_value(f->step, f->n, keys, &left) || left)
      return 0;
  }
  return 1;
}

/* --- what `complete` fills in -------------------------------------------- */

struct completion {
  struct family *f;
  struct trace *trace;
};

static int complete(lua_State *L)
{
  struct completion *c = lua_touserdata(L, 1);
  struct family *f = c->f;
  lua_call(L, view_function(L, f, FUNCTION_COMPLETE), 1);
  if (lua_isnil(L, -1))
    return 0;
  if (!lua_istable(L, -1))
    return luaL_error(L, "complete: must return { key = value }");
  for (lua_pushnil(L); lua_next(L, -2);) {
    size_t i = family_key(f, luaL_checkstring(L, -2));
    if (i == f->nkeys || !trace_open(&f->keys[i]))
      return luaL_error(L, "complete: changes more than what is left at 0");
    c->trace->completed[i] = take_formula(L, f->keys[i].name);
  }
  return 0;
}

static int trace_complete(struct family *f, const struct problem *p,
                          struct trace *t, struct err *e)
{
  struct problem open = *p;
  struct completion c = {f, t};
  if (f->functions[FUNCTION_COMPLETE] == LUA_NOREF)
    return 0;
  for (size_t i = 0; i < f->nkeys; i++)
    if (trace_open(&f->keys[i]))
      open.values[i].i = 0;
  f->tracing = 1;
  int failed = family_call(f, SOURCE_LUA, complete, &c, &open, NULL, e);
  f->tracing = 0;
  return failed;
}

/* --- against the family's own functions ---------------------------------- */

static int number(const struct formula *f, const int64_t *keys, double *out)
{
  int64_t value;
  if (!f)
    return 0;
  if (formula_value(f->step, f->n, keys, &value))
    return -1;
  *out = (double)value;
  return 0;
}

static int whole(const struct formula *f, const int64_t *keys, int64_t *out)
{
  return f ? formula_value(f->step, f->n, keys, out) : 0;
}

static int same_arg(const struct formula *f, const struct arg *made,
                    const struct arg *a, const struct problem *p,
                    const int64_t *keys)
{
  int64_t i = made->i;
  double d = made->d;
  if (f && f->n == 1 && f->step->op == FORMULA_KEY &&
      p->values[f->step->value].kind == VALUE_NUM)
    d = p->values[f->step->value].d;
  else if (f && (whole(f, keys, &i) || number(f, keys, &d)))
    return 0;
  return made->kind == a->kind && made->buffer == a->buffer &&
         (a->kind == ARG_BUFFER || (a->kind == ARG_F32 ? d == a->d : i == a->i));
}

static int same_launch(const struct launch_trace *t, const struct launch *made,
                       const struct launch *l, const struct problem *p,
                       const int64_t *keys)
{
  int64_t lds = made->lds;
  int same = !strcmp(made->kernel, l->kernel) && made->nargs == l->nargs &&
             !memcmp(made->block, l->block, sizeof l->block) &&
             !whole(t->lds, keys, &lds) && lds == l->lds;
  for (int i = 0; i < 3 && same; i++) {
    int64_t groups = made->grid[i];
    same = !whole(t->grid[i], keys, &groups) && groups == l->grid[i];
  }
  for (size_t i = 0; i < l->nargs && same; i++)
    same = same_arg(t->args[i], &made->args[i], &l->args[i], p, keys);
  return same;
}

/* Do the formulas give for p what the family's functions give? */
static int same_plan(const struct trace *t, const struct plan *plan,
                     const struct problem *p)
{
  const struct plan *made = &t->plan;
  int64_t keys[FAMILY_KEYS];
  double flops = made->flops, bytes = made->bytes;
  trace_keys(p, keys);
  int same = made->nlaunches == plan->nlaunches &&
             made->nbuffers == plan->nbuffers &&
             !number(t->flops, keys, &flops) && flops == plan->flops &&
             !number(t->bytes, keys, &bytes) && bytes == plan->bytes;
  for (size_t i = 0; i < plan->nbuffers && same; i++) {
    const struct buffer *a = &made->buffers[i], *b = &plan->buffers[i];
    int64_t elements = (int64_t)a->elements;
    int64_t pointers = (int64_t)a->pointers;
    same = !strcmp(a->name, b->name) && a->role == b->role &&
           a->type == b->type && !whole(t->elements[i], keys, &elements) &&
           elements == (int64_t)b->elements && a->align == b->align &&
           !whole(t->pointers[i], keys, &pointers) &&
           pointers == (int64_t)b->pointers;
  }
  for (size_t i = 0; i < plan->nlaunches && same; i++)
    same = same_launch(&t->launches[i], &made->launches[i],
                       &plan->launches[i], p, keys);
  return same;
}

/* A problem with the words of p, and lengths and numbers by chance. */
static int draw(struct family *f, const struct problem *p, struct rng *rng,
                struct problem *out)
{
  const char *names[FAMILY_KEYS], *texts[FAMILY_KEYS];
  char text[FAMILY_KEYS][64];
  struct err e; /* what is drawn may be no problem of the family's */
  for (size_t i = 0; i < f->nkeys; i++) {
    struct value v = p->values[i];
    if (trace_open(&f->keys[i]))
      v.i = 0;
    else if (trace_symbolic(&f->keys[i], &v) && v.kind == VALUE_INT)
      v.i = (long long)((1 + rng_below(rng, 64)) << rng_below(rng, 7));
    else if (trace_symbolic(&f->keys[i], &v))
      v.d = 0.25 + (double)rng_below(rng, 8);
    value_format(&v, text[i], sizeof text[i]);
    names[i] = f->keys[i].name;
    texts[i] = text[i];
  }
  return family_problem(f, names, texts, f->nkeys, out, &e);
}

static int compare(struct family *f, const struct problem *p,
                   const struct config *c, const struct trace *t,
                   struct err *e)
{
  struct plan plan;
  int failed = family_plan(f, p, c, &plan, e);
  if (!failed && !same_plan(t, &plan, p))
    failed = err_set(e, ERR_FAILED, "%s: launch, buffers or cost compare keys "
                     "by == or ~=; formulas cannot follow that",
                     f->source.file[SOURCE_LUA].path.at);
  return failed;
}

static int compare_others(struct family *f, const struct problem *p,
                          const struct config *c, const struct trace *t,
                          struct err *e)
{
  struct problem other;
  struct rng rng;
  const char *reason;
  int failed = compare(f, p, c, t, e), compared = 0;
  rng_seed(&rng, 1);
  for (int i = 0; i < DRAWS && compared < OTHERS && !failed; i++) {
    if (draw(f, p, &rng, &other) || !trace_serves(t, &other, &reason))
      continue;
    failed = compare(f, &other, c, t, e);
    compared++;
  }
  return failed;
}

int family_trace(struct family *f, const struct problem *p,
                 const struct config *c, struct trace *out, struct err *e)
{
  const char *reason = NULL;
  *out = (struct trace){0};
  if (!family_serves(f))
    return err_set(e, ERR_FAILED, "%s has no field `serves`",
                   f->source.file[SOURCE_LUA].path.at);
  int failed = plan_trace(f, p, c, out, e);
  if (!failed)
    failed = trace_complete(f, p, out, e);
  if (!failed && !trace_serves(out, p, &reason))
    failed = err_set(e, ERR_FAILED, "%s: serves: a kernel does not serve the "
                     "problem that it was made for: %s",
                     f->source.file[SOURCE_LUA].path.at, reason);
  return failed ? failed : compare_others(f, p, c, out, e);
}

void trace_free(struct trace *t)
{
  for (size_t i = 0; i < FAMILY_LAUNCHES; i++) {
    for (int d = 0; d < 3; d++)
      free(t->launches[i].grid[d]);
    free(t->launches[i].lds);
    for (size_t j = 0; j < FAMILY_ARGS; j++)
      free(t->launches[i].args[j]);
  }
  for (size_t i = 0; i < FAMILY_BUFFERS; i++) {
    free(t->elements[i]);
    free(t->pointers[i]);
    free(t->strides[i]);
  }
  for (size_t i = 0; i < FAMILY_KEYS; i++)
    free(t->completed[i]);
  for (size_t i = 0; i < t->nneeds; i++)
    free(t->needs[i].zero);
  free(t->work.steps);
  free(t->work.flops);
  free(t->work.bytes);
  free(t->work.results);
  free(t->work.written);
  free(t->flops);
  free(t->bytes);
  *t = (struct trace){0};
}
