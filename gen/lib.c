/* lib.c - the library that a family's Lua code sees.
 *
 * Left out: all that reaches files, the system, other code or the state
 * itself; pcall, so that limits cannot be caught; patterns and table.move,
 * which can run in C for hours on little data; what differs from run to run
 * (random numbers, addresses, the order of pairs).
 */
// SPDX-License-Identifier: MIT
#include "gen/lib.h"

#include <assert.h>
#include <lauxlib.h>
#include <lualib.h>
#include <stdint.h>

#include "gen/sandbox.h"
#include "gen/symbol.h"

static const char ARG[] = "wavetune.arg", SORT[] = "wavetune.sort";

/* pairs in an order that is the same in every run: integers, then strings,
 * each sorted. It walks the keys that there were at the start. */
static_assert(LUA_TNUMBER < LUA_TSTRING, "integers come first");

static int key_less(lua_State *L)
{
  int a = lua_type(L, 1), b = lua_type(L, 2);
  lua_pushboolean(L, a == b ? lua_compare(L, 1, 2, LUA_OPLT) : a < b);
  return 1;
}

/* Upvalues: the keys, the position. */
static int next_pair(lua_State *L)
{
  lua_Integer i = lua_tointeger(L, lua_upvalueindex(2)) + 1;
  lua_pushinteger(L, i);
  lua_replace(L, lua_upvalueindex(2));
  if (lua_rawgeti(L, lua_upvalueindex(1), i) == LUA_TNIL)
    return 1;
  lua_pushvalue(L, -1);
  lua_gettable(L, 1);
  return 2;
}

static int pairs(lua_State *L)
{
  luaL_checktype(L, 1, LUA_TTABLE);
  sandbox_check(L);
  lua_settop(L, 1);
  lua_getfield(L, LUA_REGISTRYINDEX, SORT);
  lua_newtable(L);
  lua_Integer n = 0;
  for (lua_pushnil(L); lua_next(L, 1);) {
    lua_pop(L, 1);
    if (!lua_isinteger(L, -1) && lua_type(L, -1) != LUA_TSTRING)
      return luaL_error(L, "pairs needs keys that are integers or strings");
    lua_pushvalue(L, -1);
    lua_rawseti(L, 3, ++n);
  }
  lua_pushvalue(L, 2);
  lua_pushvalue(L, 3);
  lua_pushcfunction(L, key_less);
  lua_call(L, 2, 0);
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, next_pair, 2);
  lua_pushvalue(L, 1);
  return 2;
}

/* Like Lua's, with the position in front of the message. */
static int assertion(lua_State *L)
{
  if (lua_toboolean(L, 1))
    return lua_gettop(L);
  return luaL_error(L, "%s", luaL_optstring(L, 2, "assertion failed"));
}

/* Tables and functions would show an address. */
static void need_text(lua_State *L, int i)
{
  if (lua_type(L, i) > LUA_TSTRING)
    luaL_argerror(L, i, "a table or function has no text");
}

static int to_string(lua_State *L)
{
  luaL_checkany(L, 1);
  need_text(L, 1);
  luaL_tolstring(L, 1, NULL);
  return 1;
}

/* A C function whose time grows with its arguments looks at the limits
 * first; the hook cannot interrupt it. Upvalue: the function. */
static int checked(lua_State *L)
{
  sandbox_check(L);
  lua_CFunction f = lua_tocfunction(L, lua_upvalueindex(1));
  return f(L); /* not a call of its own: errors keep their position */
}

static int format(lua_State *L)
{
  for (int i = lua_gettop(L); i > 1; i--)
    need_text(L, i);
  return checked(L);
}

/* Lua's would count to n even where there is nothing to repeat. */
static int rep(lua_State *L)
{
  size_t length, between;
  luaL_checklstring(L, 1, &length);
  luaL_optlstring(L, 3, "", &between);
  if (length || between)
    return checked(L);
  lua_pushliteral(L, "");
  return 1;
}

static int make_arg(lua_State *L, enum arg_tag tag)
{
  const struct symbol *s = symbol_at(L, 1);
  if (s && tag != TAG_F32 && s->number)
    return luaL_error(L, "a key that is no integer must be f32(...)");
  if (tag == TAG_F32 && !s)
    luaL_checknumber(L, 1);
  else if (!s) {
    lua_Integer i = luaL_checkinteger(L, 1);
    if (tag == TAG_I32 && (i < INT32_MIN || i > INT32_MAX))
      return luaL_error(L, "%I does not fit in i32; use i64", i);
  }
  lua_newuserdatauv(L, 0, 2);
  lua_pushinteger(L, tag);
  lua_setiuservalue(L, -2, 1);
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, -2, 2);
  luaL_setmetatable(L, ARG);
  return 1;
}

static int i32(lua_State *L)
{
  return make_arg(L, TAG_I32);
}

static int i64(lua_State *L)
{
  return make_arg(L, TAG_I64);
}

static int f32(lua_State *L)
{
  return make_arg(L, TAG_F32);
}

enum arg_tag lib_arg(lua_State *L, int i, long long *integer, double *number)
{
  if (!luaL_testudata(L, i, ARG))
    return 0;
  i = lua_absindex(L, i);
  lua_getiuservalue(L, i, 1);
  lua_getiuservalue(L, i, 2);
  enum arg_tag tag = (enum arg_tag)lua_tointeger(L, -2);
  *integer = lua_tointeger(L, -1);
  *number = lua_tonumber(L, -1);
  lua_pop(L, 2);
  return tag;
}

const struct symbol *lib_arg_symbol(lua_State *L, int i)
{
  lua_getiuservalue(L, i, 2);
  const struct symbol *s = symbol_at(L, -1);
  lua_pop(L, 1); /* the argument holds it */
  return s;
}

/* What is taken from Lua's own libraries: as it is, and through checked() or
 * another function that gets the original as its upvalue. */
struct module {
  const char *name; /* "" for globals */
  lua_CFunction open;
  const char *strange; /* of a name that it does not have */
  const char *plain[20];
  luaL_Reg wrapped[8];
};

static const struct module modules[] = {
  { "", luaopen_base, NULL,
    {"error", "ipairs", "select", "tonumber", "type"},
    {{NULL, NULL}} },
  { "math", luaopen_math, "is not in math",
    { "abs", "ceil", "exp", "floor", "fmod", "huge", "log", "maxinteger",
      "mininteger", "modf", "pi", "sqrt", "tointeger", "type", "ult" },
    {{"max", symbol_max}, {"min", symbol_min}} },
  { "string", luaopen_string, "is not in string (patterns are left out)",
    {"byte", "char", "len"},
    { {"format", format}, {"lower", checked}, {"rep", rep},
      {"reverse", checked}, {"sub", checked}, {"upper", checked} } },
  { "table", luaopen_table, "is not in table",
    {"pack"},
    { {"concat", checked}, {"insert", checked}, {"remove", checked},
      {"sort", checked}, {"unpack", checked} } },
};

static const luaL_Reg own[] = {
  {"assert", assertion}, {"pairs", pairs}, {"tostring", to_string},
  {"i32", i32},          {"i64", i64},     {"f32", f32},
  {NULL, NULL},
};

/* Copy the functions of the module on the top into the table below it. */
static void take(lua_State *L, const struct module *m)
{
  for (size_t i = 0; m->plain[i]; i++) {
    lua_getfield(L, -1, m->plain[i]);
    lua_setfield(L, -3, m->plain[i]);
  }
  for (const luaL_Reg *w = m->wrapped; w->name; w++) {
    lua_getfield(L, -1, w->name);
    lua_pushcclosure(L, w->func, 1);
    lua_setfield(L, -3, w->name);
  }
}

static void open_module(lua_State *L, int library, const struct module *m)
{
  if (*m->name)
    lua_newtable(L);
  else
    lua_pushvalue(L, library);
  luaL_requiref(L, *m->name ? m->name : "_G", m->open, 0);
  take(L, m);
  lua_pop(L, 1);
  if (!*m->name) {
    lua_pop(L, 1);
    return;
  }
  lib_strict(L, m->strange);
  lua_setfield(L, library, m->name);
}

/* Methods of strings are the safe ones, and "1" + 1 is an error. */
static void strict_strings(lua_State *L, int library)
{
  lua_pushliteral(L, "");
  lua_createtable(L, 0, 1);
  lua_getfield(L, library, "string");
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
  lua_pop(L, 1);
}

int lib_open(lua_State *L)
{
  lua_newtable(L);
  int library = lua_gettop(L);
  for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
    open_module(L, library, &modules[i]);
  luaL_setfuncs(L, own, 0);
  strict_strings(L, library);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_getfield(L, -1, "table");
  lua_getfield(L, -1, "sort");
  lua_setfield(L, LUA_REGISTRYINDEX, SORT);
  luaL_newmetatable(L, ARG);
  symbol_open(L);
  lua_pushvalue(L, library);
  lua_setfield(L, LUA_REGISTRYINDEX, LIB_TABLE);
  return 0;
}
