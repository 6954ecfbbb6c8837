/* plan.c - see plan.h. */
// SPDX-License-Identifier: MIT
#include "tuner/pack/plan.h"

#include <assert.h>
#include <string.h>

#include "tuner/reference/inputs.h"

static_assert((int)BUFFER_SCRATCH == (int)BUFFER_SCRATCHED,
              "roles stand in packs as numbers");

/* --- keys ---------------------------------------------------------------- */

static int64_t bits(double d)
{
  int64_t out;
  d += 0.0; /* no -0 */
  memcpy(&out, &d, sizeof out);
  return out;
}

/* A word as its place among the legal ones. */
static int64_t value_of(const struct key *k, const struct value *v)
{
  if (v->kind != VALUE_STR)
    return v->kind == VALUE_INT ? v->i : bits(v->d);
  for (size_t i = 0; i < k->nvalues; i++)
    if (value_equal(&k->values[i], v))
      return (int64_t)i;
  return -1; /* winners.c looked */
}

static void range(const struct key *k, struct pack_key *out)
{
  out->min = k->nvalues ? INT64_MAX : k->min;
  out->max = k->nvalues ? INT64_MIN : k->max;
  for (size_t i = 0; i < k->nvalues && k->standard.kind == VALUE_INT; i++) {
    out->min = k->values[i].i < out->min ? k->values[i].i : out->min;
    out->max = k->values[i].i > out->max ? k->values[i].i : out->max;
  }
}

void pack_keys(struct maker *m, const struct family *f)
{
  static const enum pack_kind kinds[] = { [VALUE_INT] = PACK_WHOLE,
                                          [VALUE_NUM] = PACK_NUMBER,
                                          [VALUE_STR] = PACK_WORD };
  const struct key *keys;
  size_t n = family_keys(f, &keys);
  for (size_t i = 0; i < n; i++) {
    const struct key *k = &keys[i];
    const char *words[FAMILY_VALUES];
    size_t nwords = k->standard.kind == VALUE_STR ? k->nvalues : 0;
    for (size_t j = 0; j < nwords; j++)
      words[j] = k->values[j].s;
    struct pack_key out = { .kind = kinds[k->standard.kind],
                            .standard = value_of(k, &k->standard),
                            .open = family_serves(f) && trace_open(k),
                            .listed = k->nvalues > 0 };
    range(k, &out);
    maker_key(m, k->name, out, words, nwords);
  }
}

/* --- the plan ------------------------------------------------------------ */

/* The formula, or the number that it stands beside. */
static int32_t amount(struct maker *m, const struct formula *f, int64_t number)
{
  return f ? maker_formula(m, f->step, f->n) : maker_constant(m, number);
}

static int add_arg(struct maker *m, const struct family *f,
                   const struct formula *formula, const struct arg *a,
                   struct pack_arg *out, struct err *e)
{
  const struct key *keys;
  family_keys(f, &keys);
  switch (a->kind) {
  case ARG_BUFFER:
    *out = (struct pack_arg){PACK_BUFFER, 0, a->buffer};
    return 0;
  case ARG_I32:
  case ARG_I64:
    *out = (struct pack_arg){ a->kind == ARG_I32 ? PACK_I32 : PACK_I64, 0,
                              amount(m, formula, a->i) };
    return 0;
  case ARG_F32:
    break;
  }
  if (!formula) {
    *out = (struct pack_arg){PACK_F32, 0, bits(a->d)};
    return 0;
  }
  const struct formula_step *s = formula->step;
  if (formula->n != 1 || keys[s->value].standard.kind != VALUE_NUM)
    return err_set(e, ERR_FAILED, "packs have no f32() of whole numbers");
  *out = (struct pack_arg){PACK_F32_KEY, 0, s->value};
  return 0;
}

/* The launches, in order; args[i] is room for those of launch i. */
static int add_launches(struct maker *m, const struct family *f,
                        const struct trace *t, struct maker_launch *out,
                        struct pack_arg args[][FAMILY_ARGS], struct err *e)
{
  for (size_t i = 0; i < t->plan.nlaunches; i++) {
    const struct launch *l = &t->plan.launches[i];
    const struct launch_trace *from = &t->launches[i];
    struct pack_launch *to = &out[i].launch;
    *to = (struct pack_launch){ .kernel = maker_text(m, l->kernel),
                                .nargs = (uint32_t)l->nargs };
    for (int d = 0; d < 3; d++) {
      to->block[d] = l->block[d];
      to->grid[d] = amount(m, from->grid[d], l->grid[d]);
    }
    to->lds = amount(m, from->lds, l->lds);
    for (size_t j = 0; j < l->nargs; j++)
      if (add_arg(m, f, from->args[j], &l->args[j], &args[i][j], e))
        return e->code;
    out[i].args = args[i];
  }
  return 0;
}

enum {POINTER = 8 /* bytes of an address on the device */};

static void add_buffers(struct maker *m, const struct trace *t,
                        struct pack_buffer *out)
{
  for (size_t i = 0; i < t->plan.nbuffers; i++) {
    const struct buffer *b = &t->plan.buffers[i];
    out[i] = (struct pack_buffer){
        maker_text(m, b->name), b->role, (uint32_t)element_ops(b->type)->size,
        amount(m, t->elements[i], (int64_t)b->elements) };
    if (!b->pointers)
      continue;
    out[i].size = POINTER; /* an application gives the list of addresses */
    out[i].elements = amount(m, t->pointers[i], (int64_t)b->pointers);
  }
}

/* --- what estimates go by ------------------------------------------------ */

static int32_t known(struct maker *m, const struct formula *f)
{
  return f ? maker_formula(m, f->step, f->n) : PACK_NONE;
}

/* Workgroups of the first launch on a compute unit: the row has the waves of one
 * SIMD. */
static uint32_t resident(const struct arch *a, const struct winner *w,
                         const struct launch *l)
{
  double waves = record_number(w->row, "waves", 0) *
                 (double)arch_fact(a, "simds");
  double threads = (double)l->block[0] * l->block[1] * l->block[2];
  double lanes = waves * (double)arch_fact(a, "wave");
  return threads > 0 && lanes < 1e6 ? (uint32_t)(lanes / threads) : 0;
}

static uint32_t rate(const struct arch *a, const struct plan *p)
{
  return *p->peak ? (uint32_t)(arch_fact(a, p->peak) *
                               arch_fact(a, "clock_mhz"))
                  : 0;
}

static void add_work(struct maker *m, const struct arch *a,
                     const struct winner *w, const struct trace *t,
                     struct pack_plan *p)
{
  p->steps = known(m, t->work.steps);
  p->step_flops = known(m, t->work.flops);
  p->step_bytes = known(m, t->work.bytes);
  p->results = known(m, t->work.results);
  p->result_bytes = known(m, t->work.written);
  p->bytes = known(m, t->bytes);
  p->resident = resident(a, w, &t->plan.launches[0]);
  p->rate = rate(a, &t->plan);
}

static int add_plan(struct maker *m, const struct arch *a, struct family *f,
                    const struct winner *w, const struct trace *t,
                    const struct str *code, uint32_t *plan, struct err *e)
{
  struct maker_launch launches[FAMILY_LAUNCHES];
  struct pack_arg args[FAMILY_LAUNCHES][FAMILY_ARGS];
  struct pack_buffer buffers[FAMILY_BUFFERS];
  int32_t needs[FAMILY_NEEDS];
  struct str config = {0};
  config_format(f, &w->config, &config);
  struct pack_plan p = { .config = maker_text(m, config.at),
                         .nlaunches = (uint32_t)t->plan.nlaunches,
                         .nbuffers = (uint32_t)t->plan.nbuffers,
                         .nneeds = (uint32_t)t->nneeds };
  str_free(&config);
  p.cost = t->flops || t->plan.flops > 0
               ? amount(m, t->flops, (int64_t)t->plan.flops)
               : amount(m, t->bytes, (int64_t)t->plan.bytes);
  add_work(m, a, w, t, &p);
  for (size_t i = 0; i < t->nneeds; i++)
    needs[i] = amount(m, t->needs[i].zero, 0);
  add_buffers(m, t, buffers);
  if (add_launches(m, f, t, launches, args, e) ||
      maker_code(m, code->at, code->len, &p.code, e))
    return e->code;
  *plan = maker_plan(m, p, launches, buffers, needs);
  return 0;
}

static void add_winner(struct maker *m, const struct family *f,
                       const struct winner *w, const struct trace *t,
                       uint32_t plan, int *is_new)
{
  const struct key *keys;
  size_t n = family_keys(f, &keys);
  int64_t values[FAMILY_KEYS];
  int32_t completed[FAMILY_KEYS];
  uint32_t flags = w->stale ? WINNER_STALE : 0;
  for (size_t i = 0; i < n; i++) {
    values[i] = value_of(&keys[i], &w->problem.values[i]);
    completed[i] = amount(m, t->completed[i], 0);
  }
  if (strcmp(record_text(w->row, "source"), "measured") != 0)
    flags |= WINNER_MODELLED;
  *is_new = maker_winner(m, values, plan, flags,
                         record_number(w->row, "time_us", 0),
                         family_serves(f) ? completed : NULL);
}

void pack_values(const struct family *f, const struct problem *p,
                 int64_t values[FAMILY_KEYS])
{
  const struct key *keys;
  size_t n = family_keys(f, &keys);
  for (size_t i = 0; i < n; i++)
    values[i] = value_of(&keys[i], &p->values[i]);
}

int pack_add(struct maker *m, const struct arch *a, struct family *f,
             struct winner *w, const struct str *code, int *is_new,
             struct err *e)
{
  struct trace t = {0};
  uint32_t plan = 0;
  int failed = family_serves(f)
                   ? family_trace(f, &w->problem, &w->config, &t, e)
                   : family_plan(f, &w->problem, &w->config, &t.plan, e);
  if (!failed)
    failed = add_plan(m, a, f, w, &t, code, &plan, e);
  if (!failed) {
    add_winner(m, f, w, &t, plan, is_new);
    w->plan = plan;
    w->packed = 1;
  }
  trace_free(&t);
  return failed;
}
