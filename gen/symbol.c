/* symbol.c - see symbol.h. */
// SPDX-License-Identifier: MIT
#include "gen/symbol.h"

#include <lauxlib.h>
#include <string.h>

static const char SYMBOL[] = "wavetune.symbol";

const struct symbol *symbol_at(lua_State *L, int i)
{
  return luaL_testudata(L, i, SYMBOL);
}

/* A new symbol of n steps on the top of the stack. */
static struct symbol *push(lua_State *L, size_t n)
{
  if (n > FORMULA_STEPS)
    luaL_error(L, "a formula of more than %d steps", FORMULA_STEPS);
  struct symbol *s =
      lua_newuserdatauv(L, sizeof *s + n * sizeof *s->step, 0);
  *s = (struct symbol){.n = n};
  luaL_setmetatable(L, SYMBOL);
  return s;
}

void symbol_push_key(lua_State *L, size_t key, int number)
{
  struct symbol *s = push(L, 1);
  s->number = number;
  s->step[0] =
      (struct formula_step){.op = FORMULA_KEY, .value = (int64_t)key};
}

/* The operand at index i: a symbol, or an integer in *one. */
struct operand {
  const struct formula_step *step;
  size_t n;
};

static struct operand operand(lua_State *L, int i, struct formula_step *one)
{
  const struct symbol *s = symbol_at(L, i);
  if (!s) {
    *one = (struct formula_step){ .op = FORMULA_CONST,
                                  .value = luaL_checkinteger(L, i) };
    return (struct operand){one, 1};
  }
  if (s->number)
    luaL_error(L, "a key that is no integer can only be handed to f32()");
  return (struct operand){s->step, s->n};
}

/* Does y leave x as it is: x + 0, x - 0, x * 1, x // 1? */
static int neutral(uint32_t op, const struct operand *y)
{
  int sum = op == FORMULA_ADD || op == FORMULA_SUB;
  int product = op == FORMULA_MUL || op == FORMULA_DIV;
  return y->n == 1 && y->step->op == FORMULA_CONST &&
         ((sum && y->step->value == 0) || (product && y->step->value == 1));
}

/* (x + c) - d: x + (c - d). */
static int fold_sum(const struct operand *x, uint32_t op,
                    const struct operand *y, int64_t *sum)
{
  const struct formula_step *end = x->step + x->n - 1;
  return (op == FORMULA_ADD || op == FORMULA_SUB) && y->n == 1 &&
         y->step->op == FORMULA_CONST && x->n > 2 && end->op == FORMULA_ADD &&
         end[-1].op == FORMULA_CONST &&
         !formula_apply(op, end[-1].value, y->step->value, sum);
}

/* Push x op y, one of which is a symbol at least. */
static int combine(lua_State *L, int i, int j, uint32_t op)
{
  struct formula_step one[2];
  struct operand x = operand(L, i, &one[0]), y = operand(L, j, &one[1]);
  int64_t sum;
  if (neutral(op, &y)) {
    lua_pushvalue(L, i);
    return 1;
  }
  if (fold_sum(&x, op, &y, &sum)) {
    struct symbol *s = push(L, x.n);
    memcpy(s->step, x.step, x.n * sizeof *s->step);
    s->step[x.n - 2].value = sum;
    return 1;
  }
  struct symbol *s = push(L, x.n + y.n + 1);
  memcpy(s->step, x.step, x.n * sizeof *s->step);
  memcpy(s->step + x.n, y.step, y.n * sizeof *s->step);
  s->step[x.n + y.n] = (struct formula_step){.op = op};
  return 1;
}

/* Upvalue: the operator. */
static int arithmetic(lua_State *L)
{
  return combine(L, 1, 2, (uint32_t)lua_tointeger(L, lua_upvalueindex(1)));
}

static int negate(lua_State *L)
{
  lua_pushinteger(L, 0);
  return combine(L, lua_gettop(L), 1, FORMULA_SUB);
}

static int refuse_order(lua_State *L)
{
  return luaL_error(L, "a key of any value is compared; math.min and math.max "
                       "can be traced");
}

/* The least or greatest of all arguments, as Lua's own where none is a
 * symbol. */
static int among(lua_State *L, uint32_t op)
{
  int n = lua_gettop(L), symbols = 0;
  for (int i = 1; i <= n; i++)
    symbols += symbol_at(L, i) != NULL;
  if (!symbols)
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
  luaL_checkstack(L, n, NULL);
  lua_pushvalue(L, 1);
  for (int i = 2; i <= n; i++)
    if (lua_isinteger(L, -1) && lua_isinteger(L, i)) {
      int64_t value = 0;
      formula_apply(op, lua_tointeger(L, -1), lua_tointeger(L, i), &value);
      lua_pushinteger(L, value);
    } else {
      combine(L, lua_gettop(L), i, op);
    }
  return 1;
}

int symbol_min(lua_State *L)
{
  return among(L, FORMULA_MIN);
}

int symbol_max(lua_State *L)
{
  return among(L, FORMULA_MAX);
}

void symbol_open(lua_State *L)
{
  static const struct {
    const char *name;
    enum formula_op op;
  } ops[] = {
    {"__add", FORMULA_ADD},  {"__sub", FORMULA_SUB},
    {"__mul", FORMULA_MUL},  {"__idiv", FORMULA_DIV},
    {"__mod", FORMULA_MOD},  {"__band", FORMULA_AND},
    {"__bor", FORMULA_OR},   {"__bxor", FORMULA_XOR},
    {"__shl", FORMULA_SHL},  {"__shr", FORMULA_SHR},
  };
  luaL_newmetatable(L, SYMBOL);
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
    lua_pushinteger(L, ops[i].op);
    lua_pushcclosure(L, arithmetic, 1);
    lua_setfield(L, -2, ops[i].name);
  }
  lua_pushcfunction(L, negate);
  lua_setfield(L, -2, "__unm");
  lua_pushcfunction(L, refuse_order);
  lua_setfield(L, -2, "__lt");
  lua_pushcfunction(L, refuse_order);
  lua_setfield(L, -2, "__le");
  lua_pop(L, 1);
}
