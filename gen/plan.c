/* plan.c - buffers, launches and cost, from the family's functions. */
// SPDX-License-Identifier: MIT
#include "gen/inside.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "gen/lib.h"
#include "gen/symbol.h"
#include "gen/trace.h"

static const char *const titles[] = { /* ORDER FUNCTION */
  [FUNCTION_LAUNCH] = "launch", [FUNCTION_BUFFERS] = "buffers",
  [FUNCTION_COST] = "cost", [FUNCTION_REFERENCE] = "reference.launch",
  [FUNCTION_BOUND] = "reference.bound", [FUNCTION_SERVES] = "serves",
  [FUNCTION_WORK] = "work",
};
static const char *const roles[] = {"in", "out", "inout", "scratch"};
static const char *const types[] = {
  "f32", "f16", "i32", "i8", "bf16", "f64",
  "fp8", "bf8", "fp8_fnuz", "bf8_fnuz",
  "q8_0", "q4_0", "q4_1", "q4_K", "q6_K",
};

static_assert(sizeof types / sizeof *types == ELEMENT_N, "ORDER ELEMENT");

const char *role_name(enum buffer_role role)
{
  return roles[role];
}

const char *element_name(enum element type)
{
  return types[type];
}

struct request {
  struct family *f;
  struct plan *plan;
  enum function which; /* whose result is being read */
  struct trace *trace; /* where symbols go; NULL: there are none */
};

static int fail(lua_State *L, struct request *r, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  lua_pushfstring(L, "%s:%d: %s: ", r->f->source.file[SOURCE_LUA].path.at,
                  r->f->lines[r->which], titles[r->which]);
  lua_pushvfstring(L, format, args);
  va_end(args);
  lua_concat(L, 2);
  return lua_error(L);
}

/* The integer at the top, popped; `what` names it. */
static long long take_integer(lua_State *L, struct request *r,
                              const char *what, long long min, long long max)
{
  if (!lua_isinteger(L, -1))
    fail(L, r, "%s is a %s; it must be an integer (divide by //)", what,
         lua_type(L, -1) == LUA_TNUMBER ? "float" : luaL_typename(L, -1));
  long long i = lua_tointeger(L, -1);
  if (i < min || i > max)
    fail(L, r, "%s is %I; it must be from %I to %I", what, (lua_Integer)i,
         (lua_Integer)min, (lua_Integer)max);
  lua_pop(L, 1);
  return i;
}

/* A copy of a symbol's formula, which the trace owns. */
static struct formula *copy(const struct symbol *s)
{
  struct formula *f = mem_alloc(sizeof *f + s->n * sizeof *f->step);
  f->n = s->n;
  memcpy(f->step, s->step, s->n * sizeof *f->step);
  return f;
}

/* The same, or a symbol, whose formula goes to *formula. */
static long long take_amount(lua_State *L, struct request *r, const char *what,
                             long long min, long long max,
                             struct formula **formula)
{
  const struct symbol *s = r->trace ? symbol_at(L, -1) : NULL;
  if (!s)
    return take_integer(L, r, what, min, max);
  *formula = copy(s);
  lua_pop(L, 1);
  return min;
}

static double take_number(lua_State *L, struct request *r, const char *what,
                          double missing)
{
  double d = missing;
  if (!lua_isnil(L, -1)) {
    if (lua_type(L, -1) != LUA_TNUMBER || !isfinite(lua_tonumber(L, -1)))
      fail(L, r, "%s must be a number", what);
    d = lua_tonumber(L, -1);
  }
  lua_pop(L, 1);
  return d;
}

/* The string in field `name` of the table on the top, into out. */
static void take_text(lua_State *L, struct request *r, const char *name,
                      char *out, size_t room)
{
  if (lua_getfield(L, -1, name) != LUA_TSTRING)
    fail(L, r, "%s is missing or no string", name);
  const char *text = lua_tostring(L, -1);
  if (!*text || strlen(text) >= room)
    fail(L, r, "%s must be 1 to %d bytes long", name, (int)room - 1);
  strcpy(out, text);
  lua_pop(L, 1);
}

static int take_word(lua_State *L, struct request *r, const char *name,
                     const char *const *words, int n)
{
  char text[64];
  take_text(L, r, name, text, sizeof text);
  for (int i = 0; i < n; i++)
    if (!strcmp(text, words[i]))
      return i;
  struct str all = {0};
  for (int i = 0; i < n; i++)
    str_addf(&all, "%s%s", i ? ", " : "", words[i]);
  char list[128];
  snprintf(list, sizeof list, "%s", all.at);
  str_free(&all);
  return fail(L, r, "%s is '%s'; it can be %s", name, text, list);
}

/* Every field of the table on the top is one of the names. */
static void check_names(lua_State *L, struct request *r,
                        const char *const *names)
{
  if (lib_stray(L, lua_gettop(L), names, "is not a field"))
    fail(L, r, "%s", lua_tostring(L, -1));
}

/* Blocks cannot be written, and nothing else has planes. */
static void take_planes(lua_State *L, struct request *r, struct buffer *b)
{
  int blocks = b->type >= ELEMENT_Q8_0;
  lua_getfield(L, -1, "planes");
  b->planes = lua_toboolean(L, -1);
  lua_pop(L, 1);
  if (blocks && b->role != BUFFER_IN)
    fail(L, r, "type '%s' is one of inputs: role must be 'in'",
         types[b->type]);
  if (b->planes && !blocks)
    fail(L, r, "planes are those of blocks, but type is '%s'",
         types[b->type]);
}

/* A field that may be missing: then it is `missing`. */
static long long take_optional(lua_State *L, struct request *r,
                               const char *name, long long missing,
                               long long most, struct formula **formula)
{
  if (lua_getfield(L, -1, name) != LUA_TNIL)
    return take_amount(L, r, name, 1, most, formula);
  lua_pop(L, 1);
  return missing;
}

/* Rows of a panel, and blocks of a row. */
static void take_panel(lua_State *L, struct request *r, struct buffer *b)
{
  if (r->trace)
    return; /* who asks for other problems has the weights */
  b->panel = (size_t)take_optional(L, r, "panel", 0, INT_MAX, NULL);
  if (!b->panel)
    return;
  b->row = (size_t)take_optional(L, r, "row", 1, LLONG_MAX / 8, NULL);
  if (!b->planes || b->elements % (b->panel * b->row))
    fail(L, r, "panels need planes, and elements that are whole panels");
}

static void take_pointers(lua_State *L, struct request *r, struct buffer *b)
{
  size_t i = (size_t)(b - r->plan->buffers);
  struct trace *t = r->trace;
  b->pointers = (size_t)take_optional(L, r, "pointers", 0, INT_MAX,
                                      t ? &t->pointers[i] : NULL);
  b->stride = (size_t)take_optional(L, r, "stride", 0, LLONG_MAX / 8,
                                    t ? &t->strides[i] : NULL);
}

/* Groups that rows are dealt out to: one less than the buffer's elements. */
static void take_routed(lua_State *L, struct request *r, struct buffer *b)
{
  static const char *const laws[] = {"zipf", "same"}; /* ORDER ROUTING */
  static_assert(sizeof laws / sizeof *laws == ROUTING_N, "ORDER ROUTING");
  if (r->trace)
    return; /* who asks for other problems has the rows */
  b->routed = (size_t)take_optional(L, r, "routed", 0, INT_MAX, NULL);
  if (!b->routed)
    return;
  b->used = (size_t)take_optional(L, r, "used", 1, INT_MAX, NULL);
  b->routing = (enum routing)take_word(L, r, "routing", laws, ROUTING_N);
  if (b->type != ELEMENT_I32 || b->role != BUFFER_IN)
    fail(L, r, "routed rows are an input: role must be 'in', type 'i32'");
  if (b->elements < b->used + 1)
    fail(L, r, "a token uses %d groups, but there are %d", (int)b->used,
         (int)b->elements - 1);
}

static void take_buffer(lua_State *L, struct request *r, struct buffer *b)
{
  static const char *const names[] = {
    "name",   "role",  "type",     "elements", "low", "high",
    "planes", "align", "pointers", "stride",   "routed", "used",
    "routing", "shuffled", "panel", "row", NULL,
  };
  check_names(L, r, names);
  take_text(L, r, "name", b->name, sizeof b->name);
  for (size_t i = 0; i < r->plan->nbuffers; i++)
    if (!strcmp(b->name, r->plan->buffers[i].name))
      fail(L, r, "'%s' stands twice", b->name);
  b->role = (enum buffer_role)take_word(L, r, "role", roles, 4);
  b->type = (enum element)take_word(L, r, "type", types, ELEMENT_N);
  lua_getfield(L, -1, "elements");
  struct formula **elements =
      r->trace ? &r->trace->elements[b - r->plan->buffers] : NULL;
  b->elements =
      (size_t)take_amount(L, r, "elements", 1, LLONG_MAX / 8, elements);
  lua_getfield(L, -1, "low");
  b->low = take_number(L, r, "low", -1);
  lua_getfield(L, -1, "high");
  b->high = take_number(L, r, "high", 1);
  if (b->low > b->high)
    fail(L, r, "low is above high");
  take_planes(L, r, b);
  take_panel(L, r, b);
  b->align = (unsigned)take_optional(L, r, "align", BUFFER_ALIGN,
                                     BUFFER_ALIGN, NULL);
  take_pointers(L, r, b);
  take_routed(L, r, b);
  lua_getfield(L, -1, "shuffled");
  b->shuffled = lua_toboolean(L, -1);
  lua_pop(L, 1);
  if (b->shuffled && (b->type != ELEMENT_I32 || b->role != BUFFER_IN))
    fail(L, r, "shuffled numbers are an input: role must be 'in', type 'i32'");
}

/* Three integers of the list in field `name` of the table on the top. */
static void take_extent(lua_State *L, struct request *r, const char *name,
                        long long max, unsigned out[3],
                        struct formula **formulas)
{
  if (lua_getfield(L, -1, name) != LUA_TTABLE || lua_rawlen(L, -1) != 3)
    fail(L, r, "%s must be { x, y, z }", name);
  for (int i = 0; i < 3; i++) {
    lua_rawgeti(L, -1, i + 1);
    out[i] = (unsigned)(formulas
                            ? take_amount(L, r, name, 1, max, &formulas[i])
                            : take_integer(L, r, name, 1, max));
  }
  lua_pop(L, 1);
}

/* The argument on the top of the stack, popped. */
static void take_arg(lua_State *L, struct request *r, struct arg *a,
                     struct formula **formula)
{
  static const enum arg_kind of_tag[] = {
    [TAG_I32] = ARG_I32, [TAG_I64] = ARG_I64, [TAG_F32] = ARG_F32
  };
  if (lua_type(L, -1) == LUA_TSTRING) {
    const char *name = lua_tostring(L, -1);
    int i = 0, n = (int)r->plan->nbuffers;
    while (i < n && strcmp(name, r->plan->buffers[i].name))
      i++;
    if (i == n)
      fail(L, r, "argument '%s' is not one of the buffers", name);
    *a = (struct arg){.kind = ARG_BUFFER, .buffer = i};
  } else {
    enum arg_tag tag = lib_arg(L, -1, &a->i, &a->d);
    if (!tag)
      fail(L, r, "argument is a %s; write i32(...), i64(...), f32(...) or "
                 "the name of a buffer", luaL_typename(L, -1));
    a->kind = of_tag[tag];
    const struct symbol *s = lib_arg_symbol(L, -1);
    if (s && formula)
      *formula = copy(s);
  }
  lua_pop(L, 1);
}

static void take_launch(lua_State *L, struct request *r, struct launch *l,
                        struct launch_trace *t)
{
  static const char *const names[] = {
    "kernel", "grid", "block", "lds", "args", NULL,
  };
  check_names(L, r, names);
  take_text(L, r, "kernel", l->kernel, sizeof l->kernel);
  take_extent(L, r, "grid", INT_MAX, l->grid, t ? t->grid : NULL);
  take_extent(L, r, "block", 1024, l->block, NULL);
  if (lua_getfield(L, -1, "lds") == LUA_TNIL)
    lua_pop(L, 1);
  else
    l->lds = (unsigned)take_amount(L, r, "lds", 0, INT_MAX,
                                   t ? &t->lds : NULL);
  if (lua_getfield(L, -1, "args") != LUA_TTABLE ||
      lua_rawlen(L, -1) > FAMILY_ARGS)
    fail(L, r, "args must be a list of at most %d", FAMILY_ARGS);
  l->nargs = lua_rawlen(L, -1);
  for (size_t i = 0; i < l->nargs; i++) {
    lua_rawgeti(L, -1, (lua_Integer)i + 1);
    take_arg(L, r, &l->args[i], t ? &t->args[i] : NULL);
  }
  lua_pop(L, 1);
}

/* Call `which`, which returns a list of 1 to max tables; leave it on the
 * stack and return its length. */
static size_t call_list(lua_State *L, struct request *r, enum function which,
                        size_t max)
{
  r->which = which;
  lua_call(L, view_function(L, r->f, which), 1);
  size_t n = lua_istable(L, -1) ? lua_rawlen(L, -1) : 0;
  if (!n || n > max)
    fail(L, r, "must return a list of 1 to %d tables", (int)max);
  return n;
}

static void push_entry(lua_State *L, struct request *r, size_t i)
{
  if (lua_rawgeti(L, -1, (lua_Integer)i + 1) != LUA_TTABLE)
    fail(L, r, "entry %d is no table", (int)i + 1);
}

/* The name of an arch fact, which must be there: the view of the arch says
 * which is near. */
static void take_peak(lua_State *L, struct request *r)
{
  int said = lua_getfield(L, -1, "peak") != LUA_TNIL;
  lua_pop(L, 1);
  if (!said)
    return;
  take_text(L, r, "peak", r->plan->peak, sizeof r->plan->peak);
  lua_rawgeti(L, LUA_REGISTRYINDEX, r->f->views[VIEW_ARCH]);
  if (lua_getfield(L, -1, r->plan->peak) != LUA_TNUMBER)
    fail(L, r, "peak is '%s', which is no number of the arch", r->plan->peak);
  lua_pop(L, 2);
}

static void take_cost(lua_State *L, struct request *r)
{
  static const char *const names[] = { "flops",  "bytes", "exchanges",
                                       "memory", "peak",  NULL };
  static const char *const memories[] = {"hbm", "lds", "cache"};
  double *const amounts[] = { &r->plan->flops, &r->plan->bytes,
                              &r->plan->exchanges };
  struct trace *t = r->trace;
  struct formula **const formulas[] = { t ? &t->flops : NULL,
                                        t ? &t->bytes : NULL, NULL };
  r->which = FUNCTION_COST;
  lua_call(L, view_function(L, r->f, FUNCTION_COST), 1);
  if (!lua_istable(L, -1))
    fail(L, r, "must return { flops = N, bytes = N }");
  check_names(L, r, names);
  for (size_t i = 0; i < sizeof amounts / sizeof *amounts; i++) {
    lua_getfield(L, -1, names[i]);
    if (formulas[i] && symbol_at(L, -1))
      *amounts[i] = (double)take_amount(L, r, names[i], 0, 0, formulas[i]);
    else
      *amounts[i] = take_number(L, r, names[i], 0);
    if (*amounts[i] < 0)
      fail(L, r, "%s cannot be negative", names[i]);
  }
  int said = lua_getfield(L, -1, "memory") != LUA_TNIL;
  lua_pop(L, 1);
  if (said)
    r->plan->memory =
        (enum memory)take_word(L, r, "memory", memories, MEMORY_N);
  take_peak(L, r);
  lua_pop(L, 1);
}

static void take_launches(lua_State *L, struct request *r,
                          enum function which)
{
  size_t n = call_list(L, r, which, FAMILY_LAUNCHES);
  for (size_t i = 0; i < n; i++) {
    push_entry(L, r, i);
    take_launch(L, r, &r->plan->launches[i],
                r->trace ? &r->trace->launches[i] : NULL);
    r->plan->nlaunches++;
    lua_pop(L, 1);
  }
}

static int plan(lua_State *L)
{
  struct request *r = lua_touserdata(L, 1);
  size_t n = call_list(L, r, FUNCTION_BUFFERS, FAMILY_BUFFERS);
  for (size_t i = 0; i < n; i++) {
    push_entry(L, r, i);
    take_buffer(L, r, &r->plan->buffers[i]);
    r->plan->nbuffers++;
    lua_pop(L, 1);
  }
  take_launches(L, r, FUNCTION_LAUNCH);
  take_cost(L, r);
  return 0;
}

int family_plan(struct family *f, const struct problem *p,
                const struct config *c, struct plan *out, struct err *e)
{
  *out = (struct plan){0};
  struct request r = {f, out, FUNCTION_BUFFERS, NULL};
  return family_call(f, SOURCE_LUA, plan, &r, p, c, e);
}

/* --- with symbols --------------------------------------------------------- */

static int traced(lua_State *L)
{
  struct request *r = lua_touserdata(L, 1);
  plan(L);
  trace_work(L, r->f, r->trace);
  lua_settop(L, 1);
  r->f->tracing = 0; /* `problem` is the one that the kernel was made for */
  trace_needs(L, r->f, r->trace);
  return 0;
}

int plan_trace(struct family *f, const struct problem *p,
               const struct config *c, struct trace *out, struct err *e)
{
  struct request r = {f, &out->plan, FUNCTION_BUFFERS, out};
  f->tracing = 1;
  int failed = family_call(f, SOURCE_LUA, traced, &r, p, c, e);
  f->tracing = 0;
  return failed;
}

/* --- the family's own plain kernel --------------------------------------- */

static int plain_plan(lua_State *L)
{
  take_launches(L, lua_touserdata(L, 1), FUNCTION_REFERENCE);
  return 0;
}

int family_plain_plan(struct family *f, const struct problem *p,
                      const struct plan *plan, struct plan *out,
                      struct err *e)
{
  *out = *plan;
  out->nlaunches = 0;
  memset(out->launches, 0, sizeof out->launches);
  struct request r = {f, out, FUNCTION_REFERENCE, NULL};
  return family_call(f, SOURCE_LUA, plain_plan, &r, p, NULL, e);
}

struct bound_request {
  struct request r;
  struct bound *bound;
};

static int plain_bound(lua_State *L)
{
  static const char *const names[] = {"absolute", "relative", NULL};
  struct bound_request *b = lua_touserdata(L, 1);
  double *const numbers[] = {&b->bound->absolute, &b->bound->relative};
  lua_call(L, view_function(L, b->r.f, FUNCTION_BOUND), 1);
  if (!lua_istable(L, -1))
    fail(L, &b->r, "must return { absolute = N, relative = N }");
  check_names(L, &b->r, names);
  for (int i = 0; names[i]; i++) {
    lua_getfield(L, -1, names[i]);
    *numbers[i] = take_number(L, &b->r, names[i], 0);
    if (*numbers[i] < 0)
      fail(L, &b->r, "%s cannot be negative", names[i]);
  }
  return 0;
}

int family_plain_bound(struct family *f, const struct problem *p,
                       struct bound *out, struct err *e)
{
  *out = (struct bound){0};
  struct bound_request b = {{f, NULL, FUNCTION_BOUND, NULL}, out};
  return family_call(f, SOURCE_LUA, plain_bound, &b, p, NULL, e);
}
