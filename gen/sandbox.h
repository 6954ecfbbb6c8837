/* sandbox.h - a Lua state in which a family's code can do no harm.
 *
 * The code sees a small library (lib.c) without files, system, loading of
 * code, or anything whose result differs from run to run. Each call has an
 * allowance of instructions and processor time, the state one of memory;
 * overrunning them is an error like any other.
 *
 * sandbox_call() is the one protected call: all use of the state happens in
 * a C function run by it, and every Lua error ends there as a struct err.
 */
// SPDX-License-Identifier: MIT
#ifndef gen_sandbox_h
#define gen_sandbox_h

#include <lauxlib.h>
#include <lua.h>

#include "base/err.h"

enum {
  SANDBOX_MEMORY = 32 << 20,  /* bytes of one state */
  SANDBOX_STEPS = 20000000,   /* VM instructions of one allowance, ~0.3 s */
  SANDBOX_SECONDS = 1,        /* processor time of one allowance */
};

struct sandbox;

int sandbox_open(struct sandbox **out, struct err *e);
void sandbox_close(struct sandbox *s);

/* Run f with `arg` as its light userdata argument. `where` stands in front
 * of errors that have no position of their own, such as lack of memory. */
int sandbox_call(struct sandbox *s, lua_CFunction f, void *arg,
                 const char *where, struct err *e);

/* The rest is for functions run by sandbox_call(). */

/* For a loop in C over many small Lua calls: an allowance of time for all of
 * it, and a fresh one of steps for each call. */
void sandbox_extend(lua_State *L, double seconds_more);
void sandbox_refill(lua_State *L);

/* Raise an error if the allowance of time is used up: every few calls look at the clock. */
void sandbox_check(lua_State *L);

/* Make an environment for a chunk and leave it on the stack: it reads the
 * names of the table at index `names` (0: none), then the library; unknown
 * names and assignments are errors. */
void sandbox_env(lua_State *L, int names);

/* Compile text (never bytecode) with the environment at index env; leaves
 * the function on the stack. */
void sandbox_compile(lua_State *L, const char *text, size_t n,
                     const char *name, int env);

/* Does the library have this global name? */
int sandbox_knows(lua_State *L, const char *name);

#endif
