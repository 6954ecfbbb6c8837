/* sandbox.c - see sandbox.h: the state, its limits, the protected call. */
// SPDX-License-Identifier: MIT
#include "gen/sandbox.h"

#include <stdlib.h>
#include <time.h>

#include "base/mem.h"
#include "gen/lib.h"

enum {
  PERIOD = 1000, /* instructions between two looks at the limits */
  CALLS = 16,    /* of C functions between two looks at the clock: a look takes longer than
                  * most of them, and the longest takes tens of milliseconds */
};

struct sandbox {
  lua_State *L;
  size_t used;
  long steps;
  unsigned calls; /* since the last look at the clock */
  double deadline;
};

static struct sandbox *of(lua_State *L)
{
  return *(struct sandbox **)lua_getextraspace(L);
}

static void *allocate(void *user, void *p, size_t old, size_t size)
{
  struct sandbox *s = user;
  if (!p)
    old = 0; /* Lua then passes the kind of the object */
  if (size > old && size - old > SANDBOX_MEMORY - s->used)
    return NULL;
  if (!size) {
    free(p);
    s->used -= old;
    return NULL;
  }
  void *moved = realloc(p, size);
  if (moved)
    s->used += size - old;
  return moved;
}

/* Processor time, so that a stopped process does not overrun. */
static double seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void refill(struct sandbox *s)
{
  s->calls = 0;
  s->steps = SANDBOX_STEPS;
  s->deadline = seconds() + SANDBOX_SECONDS;
}

void sandbox_extend(lua_State *L, double seconds_more)
{
  of(L)->deadline += seconds_more;
}

void sandbox_refill(lua_State *L)
{
  of(L)->steps = SANDBOX_STEPS;
}

static void overrun(lua_State *L, int level)
{
  luaL_where(L, level);
  lua_pushliteral(L, "still running after its allowance of steps or time; "
                     "look for an endless loop");
  lua_concat(L, 2);
  lua_error(L);
}

void sandbox_check(lua_State *L)
{
  struct sandbox *s = of(L);
  if (++s->calls < CALLS)
    return;
  s->calls = 0;
  if (seconds() > s->deadline)
    overrun(L, 1);
}

/* In a hook, level 0 is the Lua function that was interrupted. */
static void tick(lua_State *L, lua_Debug *at)
{
  (void)at;
  struct sandbox *s = of(L);
  s->steps -= PERIOD;
  if (s->steps < 0 || seconds() > s->deadline)
    overrun(L, 0);
}

int sandbox_open(struct sandbox **out, struct err *e)
{
  struct sandbox *s = mem_alloc(sizeof *s);
  s->L = lua_newstate(allocate, s);
  if (!s->L) {
    free(s);
    return err_set(e, ERR_FAILED, "Lua: no memory to start");
  }
  *(struct sandbox **)lua_getextraspace(s->L) = s;
  lua_sethook(s->L, tick, LUA_MASKCOUNT, PERIOD);
  int failed = sandbox_call(s, lib_open, NULL, "Lua", e);
  if (failed) {
    sandbox_close(s);
    return failed;
  }
  *out = s;
  return 0;
}

void sandbox_close(struct sandbox *s)
{
  if (!s)
    return;
  lua_close(s->L);
  free(s);
}

int sandbox_call(struct sandbox *s, lua_CFunction f, void *arg,
                 const char *where, struct err *e)
{
  lua_State *L = s->L;
  int top = lua_gettop(L);
  refill(s);
  lua_pushcfunction(L, f);
  lua_pushlightuserdata(L, arg);
  int status = lua_pcall(L, 1, 0, 0);
  if (status == LUA_ERRMEM) {
    err_set(e, ERR_FAILED,
            "%s: needs more than %d MiB of memory; look for a loop that "
            "builds a table or a string",
            where, SANDBOX_MEMORY >> 20);
  } else if (status) {
    const char *text = lua_tostring(L, -1);
    if (text)
      err_set(e, ERR_FAILED, "%s", text);
    else
      err_set(e, ERR_FAILED, "%s: error() needs a message", where);
  }
  lua_settop(L, top);
  return status ? ERR_FAILED : 0;
}
