/* work.c - see work.h. */
// SPDX-License-Identifier: MIT
#include "gen/work.h"

#include "gen/inside.h"
#include "gen/lib.h"

enum {NEEDED = 5, WAITS = 9, FIELDS = 11};

static const char *const names[FIELDS + 1] = {
  "steps", "flops", "bytes", "results", "written",
  "fetched", "exchanged", "ahead", "registers", "waits", "latency", NULL,
};

/* Of a field that the family leaves out. */
static const double usual[FIELDS] = {[WAITS] = 0.3};

struct request {
  struct family *f;
  double values[FIELDS];
};

static int ask(lua_State *L)
{
  struct request *r = lua_touserdata(L, 1);
  lua_call(L, view_function(L, r->f, FUNCTION_WORK), 1);
  if (!lua_istable(L, -1))
    return luaL_error(L, "work: must return { steps =, flops =, bytes =, "
                      "results =, written = }");
  if (lib_stray(L, lua_gettop(L), names, "is not a field"))
    return luaL_error(L, "work: %s", lua_tostring(L, -1));
  for (int i = 0; i < FIELDS; i++) {
    int type = lua_getfield(L, -1, names[i]);
    if (type != LUA_TNUMBER && (type != LUA_TNIL || i < NEEDED))
      return luaL_error(L, "work: %s is a %s; it must be a number", names[i],
                        luaL_typename(L, -1));
    r->values[i] = type == LUA_TNIL ? usual[i] : lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  return 0;
}

int family_works(const struct family *f)
{
  return f->functions[FUNCTION_WORK] != LUA_NOREF;
}

int family_work(struct family *f, const struct problem *p,
                const struct config *c, struct work *out, struct err *e)
{
  struct request r = {.f = f};
  int failed = family_call(f, SOURCE_LUA, ask, &r, p, c, e);
  const double *v = r.values;
  *out = (struct work){v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8],
                       v[9], v[10]};
  return failed;
}
