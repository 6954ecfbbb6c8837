/* formula.c - see formula.h. */
// SPDX-License-Identifier: MIT
#include "base/formula.h"

static int divide(int64_t x, int64_t y, int64_t *quotient, int64_t *rest)
{
  if (y == 0 || (x == INT64_MIN && y == -1))
    return -1;
  *quotient = x / y;
  *rest = x % y;
  if (*rest != 0 && (*rest < 0) != (y < 0)) {
    --*quotient;
    *rest += y;
  }
  return 0;
}

/* Lua's shifts: to the other side by negative numbers, zeros come in. */
static int64_t shift_left(int64_t x, int64_t by)
{
  if (by <= -64 || by >= 64)
    return 0;
  return by >= 0 ? (int64_t)((uint64_t)x << by)
                 : (int64_t)((uint64_t)x >> -by);
}

int formula_apply(uint32_t op, int64_t x, int64_t y, int64_t *out)
{
  int64_t other;
  switch (op) {
  case FORMULA_ADD:
    return __builtin_add_overflow(x, y, out) ? -1 : 0;
  case FORMULA_SUB:
    return __builtin_sub_overflow(x, y, out) ? -1 : 0;
  case FORMULA_MUL:
    return __builtin_mul_overflow(x, y, out) ? -1 : 0;
  case FORMULA_DIV:
    return divide(x, y, out, &other);
  case FORMULA_MOD:
    return divide(x, y, &other, out);
  case FORMULA_AND:
    *out = x & y;
    return 0;
  case FORMULA_OR:
    *out = x | y;
    return 0;
  case FORMULA_XOR:
    *out = x ^ y;
    return 0;
  case FORMULA_SHL:
    *out = shift_left(x, y);
    return 0;
  case FORMULA_SHR:
    *out = y == INT64_MIN ? 0 : shift_left(x, -y);
    return 0;
  case FORMULA_MIN:
    *out = x < y ? x : y;
    return 0;
  case FORMULA_MAX:
    *out = x > y ? x : y;
    return 0;
  default:
    return -1;
  }
}

int formula_valid(const struct formula_step *s, size_t n, size_t nkeys)
{
  size_t depth = 0;
  if (!n || n > FORMULA_STEPS)
    return 0;
  for (size_t i = 0; i < n; i++) {
    int pushes = s[i].op <= FORMULA_KEY;
    if (s[i].op >= FORMULA_OPS || (!pushes && depth < 2) ||
        (pushes && depth == FORMULA_DEPTH) ||
        (s[i].op == FORMULA_KEY && (uint64_t)s[i].value >= nkeys))
      return 0;
    if (pushes)
      depth++;
    else
      depth--;
  }
  return depth == 1;
}

int formula_value(const struct formula_step *s, size_t n, const int64_t *keys,
                  int64_t *out)
{
  int64_t stack[FORMULA_DEPTH];
  size_t depth = 0;
  for (size_t i = 0; i < n; i++) {
    if (s[i].op == FORMULA_CONST) {
      stack[depth++] = s[i].value;
    } else if (s[i].op == FORMULA_KEY) {
      stack[depth++] = keys[s[i].value];
    } else {
      depth--;
      if (formula_apply(s[i].op, stack[depth - 1], stack[depth],
                        &stack[depth - 1]))
        return -1;
    }
  }
  *out = stack[0];
  return 0;
}
