/* header.c - see header.h. */
// SPDX-License-Identifier: MIT
#include "tuner/pack/header.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "gen/trace.h"
#include "tuner/pack/texts.h"
#include "tuner/pack/winners.h"
#include "tuner/reference/inputs.h"

/* A header that is being written. */
struct header {
  struct family *family;
  const struct key *keys;
  size_t nkeys;
  struct winners winners;
  struct texts texts;
  struct str names;     /* " w c x": buffers that a caller gives */
  struct str functions; /* of each winner */
  struct str rows;      /* of the table */
};

/* --- formulas ------------------------------------------------------------ */

/* How C++ writes them; `\1` and `\2` are the operands. */
static const char *const operators[FORMULA_OPS] = {
    [FORMULA_ADD] = "(\1 + \2)",    [FORMULA_SUB] = "(\1 - \2)",
    [FORMULA_MUL] = "(\1 * \2)",    [FORMULA_DIV] = "quotient(\1, \2)",
    [FORMULA_MOD] = "rest(\1, \2)", [FORMULA_AND] = "(\1 & \2)",
    [FORMULA_OR] = "(\1 | \2)",     [FORMULA_XOR] = "(\1 ^ \2)",
    [FORMULA_SHL] = "(\1 << \2)",   [FORMULA_SHR] = "shifted(\1, \2)",
    [FORMULA_MIN] = "least(\1, \2)", [FORMULA_MAX] = "most(\1, \2)",
};

static void apply(struct str *x, struct str *y, const char *form)
{
  struct str out = {0};
  for (; *form; form++)
    if (*form == 1 || *form == 2)
      str_add(&out, *form == 1 ? x->at : y->at);
    else
      str_add_bytes(&out, form, 1);
  str_free(x);
  str_free(y);
  *x = out;
  *y = (struct str){0};
}

/* In it key i is p.NAME. */
static void add_formula(struct str *s, const struct formula *f,
                        const struct key *keys)
{
  struct str stack[FORMULA_DEPTH] = {0};
  size_t top = 0;
  for (size_t i = 0; i < f->n; i++) {
    const struct formula_step *at = &f->step[i];
    if (at->op == FORMULA_CONST)
      str_addf(&stack[top++], "%lldLL", (long long)at->value);
    else if (at->op == FORMULA_KEY)
      str_addf(&stack[top++], "p.%s", keys[at->value].name);
    else {
      assert(top >= 2);
      apply(&stack[top - 2], &stack[top - 1], operators[at->op]);
      top--;
    }
  }
  str_add(s, str_text(&stack[0]));
  str_free(&stack[0]);
}

/* The formula, or the number that it stands beside. */
static void add_amount(const struct header *h, struct str *s,
                       const struct formula *f, long long number)
{
  if (f)
    add_formula(s, f, h->keys);
  else
    str_addf(s, "%lldLL", number);
}

/* --- which problems a kernel serves -------------------------------------- */

static void add_value(struct str *s, const struct value *v)
{
  char text[64];
  value_format(v, text, sizeof text);
  str_addf(s, v->kind == VALUE_STR ? "\"%s\"" : "%s", text);
}

static void add_key(struct str *s, const struct key *k, const struct value *v)
{
  if (trace_symbolic(k, v)) {
    if (k->standard.kind == VALUE_INT)
      str_addf(s, "         p.%s >= %lld && p.%s <= %lld &&\n", k->name, k->min,
               k->name, k->max);
    return;
  }
  str_addf(s, v->kind == VALUE_STR ? "         same(p.%s, " : "         p.%s == ",
           k->name);
  add_value(s, v);
  str_add(s, v->kind == VALUE_STR ? ") &&\n" : " &&\n");
}

static void add_serves(struct header *h, const struct winner *w,
                       const struct trace *t, size_t i)
{
  struct str *s = &h->functions;
  str_addf(s, "\nstatic bool serves_%zu(const problem &p)\n{\n  return\n", i);
  for (size_t j = 0; j < h->nkeys; j++)
    add_key(s, &h->keys[j], &w->problem.values[j]);
  for (size_t j = 0; j < t->nneeds; j++) {
    str_add(s, "         ");
    add_amount(h, s, t->needs[j].zero, 0);
    str_addf(s, " == 0 && // %s\n", t->needs[j].reason);
  }
  str_add(s, "         true;\n}\n");
}

/* --- launches ------------------------------------------------------------ */

static void add_bytes(struct header *h, const struct trace *t, size_t i)
{
  const struct buffer *b = &t->plan.buffers[i];
  str_add(&h->functions, "whole(");
  add_amount(h, &h->functions, t->elements[i], (long long)b->elements);
  str_addf(&h->functions, " * %zu)", element_ops(b->type)->size);
}

static void add_scratch(struct header *h, const struct trace *t, size_t i)
{
  str_addf(&h->functions,
           "\nstatic size_t scratch_%zu(const problem &p)\n{\n"
           "  (void)p;\n  return 0", i);
  for (size_t j = 0; j < t->plan.nbuffers; j++)
    if (t->plan.buffers[j].role == BUFFER_SCRATCH) {
      str_add(&h->functions, " + ");
      add_bytes(h, t, j);
    }
  str_add(&h->functions, ";\n}\n");
}

/* Its buffers as variables: scratch cut up, others as they were given. */
static void add_buffers(struct header *h, const struct trace *t)
{
  struct str *s = &h->functions;
  for (size_t j = 0; j < t->plan.nbuffers; j++) {
    const struct buffer *b = &t->plan.buffers[j];
    if (b->role == BUFFER_SCRATCH) {
      str_addf(s, "  void *%s = scratch;\n  scratch += ", b->name);
      add_bytes(h, t, j);
      str_add(s, ";\n");
      continue;
    }
    char name[sizeof b->name + 2];
    snprintf(name, sizeof name, " %s ", b->name);
    if (!strstr(str_text(&h->names), name))
      str_addf(&h->names, "%s", name);
    str_addf(s, "  void *%s = b.%s;\n", b->name, b->name);
  }
}

static const char *const number_types[] = {
    [ARG_I32] = "int", [ARG_I64] = "long long", [ARG_F32] = "float"};

static void add_number(struct header *h, const struct formula *f,
                       const struct arg *a, size_t i)
{
  struct str *s = &h->functions;
  str_addf(s, "    %s arg%zu = (%s)(", number_types[a->kind], i,
           number_types[a->kind]);
  if (a->kind == ARG_F32 && !f)
    str_addf(s, "%.9g", a->d);
  else
    add_amount(h, s, f, a->i);
  str_add(s, ");\n");
}

static void add_launch(struct header *h, const struct launch *l,
                       const struct launch_trace *f, const struct plan *plan,
                       size_t text)
{
  struct str *s = &h->functions;
  str_add(s, "  {\n");
  for (size_t j = 0; j < l->nargs; j++)
    if (l->args[j].kind != ARG_BUFFER)
      add_number(h, f->args[j], &l->args[j], j);
  str_add(s, "    void *args[] = {");
  for (size_t j = 0; j < l->nargs; j++)
    if (l->args[j].kind == ARG_BUFFER)
      str_addf(s, "%s&%s", j ? ", " : "", plan->buffers[l->args[j].buffer].name);
    else
      str_addf(s, "%s&arg%zu", j ? ", " : "", j);
  str_add(s, "};\n    dim3 grid(");
  for (int d = 0; d < 3; d++) {
    str_add(s, d ? ", (unsigned)" : "(unsigned)");
    add_amount(h, s, f->grid[d], l->grid[d]);
  }
  str_addf(s, ");\n    hipError_t e = hipLaunchKernel((const void *)kernel_%zu::%s,"
           "\n        grid, dim3(%u, %u, %u), args, ", text, l->kernel,
           l->block[0], l->block[1], l->block[2]);
  add_amount(h, s, f->lds, l->lds);
  str_add(s, ", stream);\n    if (e != hipSuccess)\n      return e;\n  }\n");
}

static void add_launches(struct header *h, const struct trace *t, size_t i,
                         size_t text)
{
  str_addf(&h->functions,
           "\nstatic hipError_t launch_%zu(const problem &p, const buffers &b,\n"
           "                            char *scratch, hipStream_t stream)\n{\n"
           "  (void)p;\n  (void)scratch;\n", i);
  add_buffers(h, t);
  for (size_t j = 0; j < t->plan.nlaunches; j++)
    add_launch(h, &t->plan.launches[j], &t->launches[j], &t->plan, text);
  str_add(&h->functions, "  return hipSuccess;\n}\n");
}

static void add_row(struct header *h, const struct winner *w, size_t i)
{
  struct str *s = &h->rows;
  str_add(s, "  { { ");
  for (size_t j = 0; j < h->nkeys; j++) {
    str_add(s, j ? ", " : "");
    add_value(s, &w->problem.values[j]);
  }
  str_add(s, " },\n    \"");
  config_format(h->family, &w->config, s);
  str_addf(s, "\",\n    %.9g, %d, serves_%zu, scratch_%zu, launch_%zu },\n",
           record_number(w->row, "time_us", 0),
           strcmp(record_text(w->row, "source"), "measured") != 0, i, i, i);
}

static int take_winner(struct header *h, size_t i, struct err *e)
{
  const struct winner *w = &h->winners.list[i];
  struct str text = {0};
  struct trace t = {0};
  int code = family_trace(h->family, &w->problem, &w->config, &t, e);
  if (!code)
    code = family_render(h->family, &w->problem, &w->config, &text, NULL, e);
  if (!code) {
    size_t number = texts_add(&h->texts, &text);
    add_serves(h, w, &t, i);
    add_scratch(h, &t, i);
    add_launches(h, &t, i, number);
    add_row(h, w, i);
  }
  trace_free(&t);
  str_free(&text);
  return code;
}

/* --- the file ------------------------------------------------------------ */

/* Its text behind the head comment; kernels of one name are apart only as
 * C++ names them. */
static void add_text(struct str *s, const struct str *text, size_t number)
{
  static const char c_name[] = "extern \"C\" __global__";
  const char *at = strstr(text->at, "*/\n"), *kernel;
  at = at ? at + 3 : text->at;
  str_addf(s, "\nnamespace kernel_%zu {\n", number);
  for (; (kernel = strstr(at, c_name)); at = kernel + sizeof c_name - 1) {
    str_add_bytes(s, at, (size_t)(kernel - at));
    str_add(s, "static __global__");
  }
  str_addf(s, "%s} // namespace kernel_%zu\n", at, number);
}

static void add_types(const struct header *h, struct str *s)
{
  static const char *const types[] = {[VALUE_INT] = "long long ",
                                      [VALUE_NUM] = "double ",
                                      [VALUE_STR] = "const char *"};
  str_add(s, "struct problem {\n");
  for (size_t i = 0; i < h->nkeys; i++)
    str_addf(s, "  %s%s;\n", types[h->keys[i].standard.kind], h->keys[i].name);
  str_add(s, "};\n\nstruct buffers { // on the device\n");
  char names[FAMILY_BUFFERS * 64], *rest = names, *name;
  snprintf(names, sizeof names, "%s", str_text(&h->names));
  while ((name = strsep(&rest, " ")))
    if (*name)
      str_addf(s, "  void *%s;\n", name);
  str_add(s,
          "};\n\nstruct kernel {\n"
          "  problem made_for;\n"
          "  const char *config;\n"
          "  double us;    // of that problem\n"
          "  int modelled; // us is: 1, or measured: 0\n"
          "  bool (*serves)(const problem &);\n"
          "  size_t (*scratch)(const problem &); // bytes\n"
          "  hipError_t (*launch)(const problem &, const buffers &, char *scratch,\n"
          "                       hipStream_t);\n"
          "};\n");
}

/* What formulas are made of: Lua's // and % go down. */
static const char helpers[] =
    "\nstatic inline long long quotient(long long a, long long b)\n"
    "{\n  return a / b - (a % b != 0 && (a < 0) != (b < 0));\n}\n"
    "static inline long long rest(long long a, long long b)\n"
    "{\n  return a - quotient(a, b) * b;\n}\n"
    "static inline long long shifted(long long a, long long b)\n"
    "{\n  return (long long)((unsigned long long)a >> b);\n}\n"
    "static inline long long least(long long a, long long b)\n"
    "{\n  return a < b ? a : b;\n}\n"
    "static inline long long most(long long a, long long b)\n"
    "{\n  return a > b ? a : b;\n}\n"
    "static inline size_t whole(long long bytes)\n"
    "{\n  return ((size_t)bytes + 255) / 256 * 256;\n}\n"
    "static inline bool same(const char *a, const char *b)\n"
    "{\n  return !strcmp(a, b);\n}\n"
    "static inline double apart(double a, double b)\n"
    "{\n  return a > 0 && b > 0 ? fabs(log2(a / b)) : a != b;\n}\n";

static void add_find(const struct header *h, struct str *s)
{
  str_add(s,
          "\n// The kernel for a problem: of those that serve it the one that was\n"
          "// made for the nearest, by the quotients of lengths; or NULL.\n"
          "static inline const kernel *find(const problem &p)\n{\n"
          "  const kernel *best = NULL;\n  double nearest = 0;\n"
          "  for (const kernel &k : kernels) {\n"
          "    if (!k.serves(p))\n      continue;\n"
          "    double far = 0");
  for (size_t i = 0; i < h->nkeys; i++)
    if (h->keys[i].standard.kind == VALUE_INT && !h->keys[i].nvalues)
      str_addf(s, "\n      + apart((double)p.%s, (double)k.made_for.%s)",
               h->keys[i].name, h->keys[i].name);
  str_add(s, ";\n    if (!best || far < nearest) {\n      best = &k;\n"
             "      nearest = far;\n    }\n  }\n  return best;\n}\n");
}

static int write_file(const struct header *h, const struct arch *a,
                      const char *path, struct err *e)
{
  const char *family = family_name(h->family), *arch = arch_name(a);
  struct str s = {0};
  str_addf(&s,
           "/* Kernels of %s for %s, and how to launch them.\n"
           " *\n"
           " *   const %s_%s::kernel *k = %s_%s::find(problem);\n"
           " *   if (k) k->launch(problem, buffers, scratch, stream);\n"
           " *\n"
           " * scratch: k->scratch(problem) bytes on the device, at a multiple of\n"
           " * 256. What is compiled for other architectures sees nothing of this.\n"
           " * Generated by tune emit --header; free of any licence of its own. */\n"
           "#pragma once\n\n"
           "#if !defined __HIP_DEVICE_COMPILE__ || defined __%s__\n"
           "#include <hip/hip_runtime.h>\n#include <math.h>\n#include <string.h>\n\n"
           "namespace %s_%s {\n\n",
           family, arch, family, arch, family, arch, arch, family, arch);
  add_types(h, &s);
  for (size_t i = 0; i < h->texts.n; i++)
    add_text(&s, &h->texts.list[i].text, i);
  str_add(&s, helpers);
  str_add_bytes(&s, h->functions.at, h->functions.len);
  str_add(&s, "\nstatic const kernel kernels[] = {\n");
  str_add_bytes(&s, h->rows.at, h->rows.len);
  str_add(&s, "};\n");
  add_find(h, &s);
  str_addf(&s, "\n} // namespace %s_%s\n#endif\n", family, arch);
  int code = file_replace(path, s.at, s.len, e);
  str_free(&s);
  return code;
}

int header_write(struct family *f, const struct arch *a, const char *dir,
                 const char *path, void (*notice)(void *, const char *),
                 void *user, struct headed *out, struct err *e)
{
  const struct pair *facts;
  size_t n = arch_facts(a, &facts);
  struct header h = {.family = f};
  *out = (struct headed){0};
  if (!arch_fact(a, "amdgcn"))
    return err_set(e, ERR_USAGE, "--header writes HIP for amdgcn, which %s is "
                   "not", arch_name(a));
  int code = family_set_arch(f, facts, n, e);
  h.nkeys = family_keys(f, &h.keys);
  if (!code)
    code = winners_open(&h.winners, f, dir, arch_name(a), notice, user, e);
  for (size_t i = 0; i < h.winners.n && !code; i++) {
    out->stale += h.winners.list[i].stale != 0;
    code = take_winner(&h, i, e);
  }
  out->winners = h.winners.n;
  out->kernels = h.texts.n;
  if (!code && out->winners)
    code = write_file(&h, a, path, e);
  winners_close(&h.winners);
  texts_free(&h.texts);
  str_free(&h.names);
  str_free(&h.functions);
  str_free(&h.rows);
  return code;
}
