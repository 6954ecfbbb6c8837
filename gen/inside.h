/* inside.h - a family as the files of gen/ see it. */
// SPDX-License-Identifier: MIT
#ifndef gen_inside_h
#define gen_inside_h

#include <assert.h>

#include "base/keep.h"
#include "gen/family.h"
#include "gen/figure.h"
#include "gen/sandbox.h"
#include "gen/source.h"

enum {FAMILY_RULES = 96, WIDEST = 40};

struct rule {
  const char *reason;
  int line; /* of its function */
  int function;
};

/* Functions of a family, as references into Lua's registry. */
enum function { /* ORDER FUNCTION */
  FUNCTION_LAUNCH,
  FUNCTION_BUFFERS,
  FUNCTION_COST,
  FUNCTION_CHECK,
  FUNCTION_COMPLETE,
  FUNCTION_LDS,
  FUNCTION_LDS_ACCESS,
  FUNCTION_REFERENCE, /* the launches of the family's own plain kernel */
  FUNCTION_BOUND,     /* how far off the candidates may be from it */
  FUNCTION_SERVES,    /* what a kernel asks of other problems: trace.h */
  FUNCTION_WORK,      /* what a workgroup does: trace.h */
  FUNCTION_ELSEWHERE, /* which other family is made for a problem */
  FUNCTION_N
};

enum view {VIEW_CFG, VIEW_PROBLEM, VIEW_ARCH, VIEW_N}; /* ORDER VIEW */

struct remembered; /* rule.c: tables of rules of the problem before */

struct family {
  struct sandbox *box;
  struct source source;
  struct str file; /* what the compiler is to call the rendered text */
  char hash[HASH_TEXT], template_hash[HASH_TEXT];
  struct keep *kept; /* memory that lives as long as the family */
  const char *meaning, *reference; /* reference NULL: the kernel `plain` */
  const char *plain;
  int plain_line; /* where its text begins */
  size_t nkeys, ntunables, nrules, nfacts;
  struct key keys[FAMILY_KEYS];
  struct tunable tunables[FAMILY_TUNABLES];
  struct rule rules[FAMILY_RULES];
  size_t nfigures, nplots;
  struct figure *figures; /* kept */
  struct plot *plots;
  struct pair *facts;
  struct remembered *remembered; /* of each rule; NULL: none */
  int functions[FUNCTION_N], views[VIEW_N]; /* LUA_NOREF: absent */
  int lines[FUNCTION_N]; /* where the functions are */
  int chunks[SOURCE_FILES]; /* of the template and the parts */
  int names;                /* the table of a template's names */

  /* While a template is rendered. */
  struct rendering *rendering; /* NULL: not now */
  int indent;                  /* columns that lines move to the right */
  int depth;                   /* of parts that include parts */

  /* What the views show during a call; NULL: not there now. */
  const struct problem *problem;
  const struct config *config;
  int tracing;   /* the problem's keys are symbols */
  uint32_t asked; /* keys of the problem read */
  uint32_t seen; /* tunables read, and in which order */
  size_t nseen;
  uint8_t order[FAMILY_TUNABLES];
};

static_assert(FAMILY_TUNABLES <= 32, "family.seen is 32 bits");
static_assert(FAMILY_KEYS <= 32, "family.asked is 32 bits");

/* family.c */
void *family_keep(struct family *f, size_t size); /* zeroed */
const char *family_keep_text(struct family *f, const char *text);
/* Run a C function by sandbox_call() while the views show p and c (may be
 * NULL); `file` is SOURCE_LUA or SOURCE_HIP, whose name errors start with. */
int family_call(struct family *f, int file, lua_CFunction run, void *arg,
                const struct problem *p, const struct config *c,
                struct err *e);

/* rule.c: forget the tables of all rules. */
void rules_forget(struct family *f);

/* part.c: `include` and its like join the library; then the parts are
 * compiled, those in Lua before the family's own Lua is run. */
int parts_open(lua_State *L);
int parts_compile_lua(lua_State *L);
int parts_compile(struct family *f, struct err *e);

/* render.c: __text(file, line, "text", value, "text", ...) */
int render_text(lua_State *L);

/* load.c: fill in the family from its Lua file; arg is the family. */
int family_load(lua_State *L);
/* The name of field i of a family, from 0; NULL past the last. */
const char *load_field(size_t i);
/* The line of the nth place (from 0) in the Lua file, from a line on, where
 * `word` follows one of the characters of `before`, blanks aside, and is
 * followed by one of `after`; 0 if there is none. */
int load_line(const struct family *f, int from, const char *before,
              const char *word, const char *after, size_t nth);
/* Keep the string at index i. */
const char *load_string(lua_State *L, struct family *f, int i);
/* Keep the list of values on the top: all integers or all strings. Errors
 * call it `name` and stand at `line`. */
size_t load_values(lua_State *L, struct family *f, const char *name, int line,
                   const struct value **out);

/* figure.c: the fields `figures` and `plots` of the table at index t. */
void figures_load(lua_State *L, struct family *f, int t);

/* view.c */
const char *view_name(enum view v);
void view_open(lua_State *L, struct family *f, enum view v);
void view_value(lua_State *L, const struct value *v); /* push */
/* The value at index i; 0 if it is none. A string stays Lua's. */
int view_read(lua_State *L, int i, struct value *v);
/* Push key i of the problem that is shown, as a symbol where it can be. */
void view_symbol(lua_State *L, const struct family *f, size_t i);
/* Push function `which` and the views it takes; returns their number. */
int view_function(lua_State *L, struct family *f, enum function which);

/* plan.c: launch, buffers and cost with symbols, then trace_needs(). */
struct trace;
int plan_trace(struct family *f, const struct problem *p,
               const struct config *c, struct trace *out, struct err *e);

/* trace.c: call `serves`, and `work` where there is one, and take what they
 * return. */
void trace_needs(lua_State *L, struct family *f, struct trace *t);
void trace_work(lua_State *L, struct family *f, struct trace *t);

/* problem.c: is v legal for key k? Integers become numbers where the key is
 * one. The error is the end of a sentence that starts with the key's name. */
int key_take(const struct key *k, struct value *v, struct err *e);

/* The tunable or key of that name, or its number if there is none. */
size_t family_tunable(const struct family *f, const char *name, size_t n);
size_t family_key(const struct family *f, const char *name);

#endif
