/* lds_access.c - see lds_access.h. */
// SPDX-License-Identifier: MIT
#include "gen/lds_access.h"

#include <string.h>

#include "gen/inside.h"
#include "gen/lib.h"

enum {LDS_SPACE = 1 << 20}; /* bytes: more than any LDS has */

struct request {
  struct family *f;
  struct lds_access *list;
  size_t n;
  long long bytes;
};

static int fail(lua_State *L, struct request *r, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  lua_pushfstring(L, "%s:%d: lds_access: ", r->f->source.file[SOURCE_LUA].path.at,
                  r->f->lines[FUNCTION_LDS_ACCESS]);
  lua_pushvfstring(L, format, args);
  va_end(args);
  lua_concat(L, 2);
  return lua_error(L);
}

static unsigned wave(const struct family *f)
{
  for (size_t i = 0; i < f->nfacts; i++)
    if (!strcmp(f->facts[i].name, "wave") && f->facts[i].value.i > 0 &&
        f->facts[i].value.i < LDS_ACCESS_LANES)
      return (unsigned)f->facts[i].value.i;
  return LDS_ACCESS_LANES;
}

/* The string in field `name` of the table on the top; it stays there. */
static const char *text(lua_State *L, struct request *r, const char *name)
{
  if (lua_getfield(L, -1, name) != LUA_TSTRING)
    fail(L, r, "%s is missing or no string", name);
  return lua_tostring(L, -1);
}

static void take_name(lua_State *L, struct request *r, struct lds_access *a)
{
  const char *name = text(L, r, "name");
  if (!*name || strlen(name) >= sizeof a->name)
    fail(L, r, "name must be 1 to %d bytes long", (int)sizeof a->name - 1);
  strcpy(a->name, name);
  lua_pop(L, 1);
}

static void take_op(lua_State *L, struct request *r, struct lds_access *a)
{
  const char *op = text(L, r, "op");
  a->write = !strcmp(op, "write");
  if (!a->write && strcmp(op, "read"))
    fail(L, r, "op is '%s'; it can be read or write", op);
  lua_pop(L, 1);
}

static void take_bytes(lua_State *L, struct request *r, struct lds_access *a)
{
  static const unsigned widths[] = {1, 2, 4, 8, 12, 16};
  lua_getfield(L, -1, "bytes");
  for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
    if (lua_isinteger(L, -1) && lua_tointeger(L, -1) == widths[i])
      a->bytes = widths[i];
  if (!a->bytes)
    fail(L, r, "bytes must be 1, 2, 4, 8, 12 or 16, what a lane moves");
  lua_pop(L, 1);
}

static void take_addresses(lua_State *L, struct request *r,
                           struct lds_access *a)
{
  if (lua_getfield(L, -1, "address") != LUA_TFUNCTION)
    fail(L, r, "address must be function (lane)");
  for (unsigned l = 0; l < a->lanes; l++) {
    lua_pushvalue(L, -1);
    lua_pushinteger(L, l);
    lua_call(L, 1, 1);
    lua_Integer at = lua_tointeger(L, -1);
    if (!lua_isinteger(L, -1) || at < 0 || at >= LDS_SPACE)
      fail(L, r, "the address of lane %d must be an integer from 0 to %d",
           (int)l, LDS_SPACE - 1);
    a->address[l] = (uint64_t)at;
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

static int take_all(lua_State *L)
{
  static const char *const names[] = { "name", "op", "bytes", "address",
                                       NULL };
  struct request *r = lua_touserdata(L, 1);
  lua_call(L, view_function(L, r->f, FUNCTION_LDS_ACCESS), 1);
  size_t n = lua_istable(L, -1) ? lua_rawlen(L, -1) : LDS_ACCESSES + 1;
  if (n > LDS_ACCESSES)
    return fail(L, r, "must return a list of at most %d tables", LDS_ACCESSES);
  for (size_t i = 0; i < n; i++) {
    struct lds_access *a = &r->list[i];
    *a = (struct lds_access){.lanes = wave(r->f)};
    if (lua_rawgeti(L, -1, (lua_Integer)i + 1) != LUA_TTABLE)
      fail(L, r, "entry %d is no table", (int)i + 1);
    if (lib_stray(L, lua_gettop(L), names, "is not a field"))
      fail(L, r, "%s", lua_tostring(L, -1));
    take_name(L, r, a);
    take_op(L, r, a);
    take_bytes(L, r, a);
    take_addresses(L, r, a);
    lua_pop(L, 1);
  }
  r->n = n;
  return 0;
}

int family_lds_access(struct family *f, const struct problem *p,
                      const struct config *c,
                      struct lds_access list[LDS_ACCESSES], size_t *n,
                      struct err *e)
{
  struct request r = {f, list, 0, 0};
  *n = 0;
  if (f->functions[FUNCTION_LDS_ACCESS] == LUA_NOREF)
    return 0;
  int failed = family_call(f, SOURCE_LUA, take_all, &r, p, c, e);
  *n = r.n;
  return failed;
}

static int ask_bytes(lua_State *L)
{
  struct request *r = lua_touserdata(L, 1);
  lua_call(L, view_function(L, r->f, FUNCTION_LDS), 1);
  if (!lua_isinteger(L, -1) || lua_tointeger(L, -1) < 0)
    return luaL_error(L, "%s:%d: lds: must return bytes, an integer",
                      r->f->source.file[SOURCE_LUA].path.at, r->f->lines[FUNCTION_LDS]);
  r->bytes = lua_tointeger(L, -1);
  return 0;
}

int family_lds(struct family *f, const struct problem *p,
               const struct config *c, long long *bytes, struct err *e)
{
  struct request r = {f, NULL, 0, 0};
  int failed = 0;
  if (f->functions[FUNCTION_LDS] != LUA_NOREF)
    failed = family_call(f, SOURCE_LUA, ask_bytes, &r, p, c, e);
  *bytes = r.bytes;
  return failed;
}
