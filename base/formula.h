/* formula.h - a whole number that follows from the keys of a problem.
 *
 * Steps in postfix order: a constant or a key is pushed, an operator takes two
 * and pushes one. Division goes down and the remainder has the divisor's sign,
 * as in Lua. A formula is traced from a family's Lua (gen/trace.h), travels in
 * packs, and is evaluated without Lua (ship/). This file is C99.
 */
// SPDX-License-Identifier: MIT
#ifndef base_formula_h
#define base_formula_h

#include <stddef.h>
#include <stdint.h>

enum formula_op { /* ORDER FORMULA: the numbers stand in packs */
  FORMULA_CONST,  /* push value */
  FORMULA_KEY,    /* push the key number value */
  FORMULA_ADD,
  FORMULA_SUB,
  FORMULA_MUL,
  FORMULA_DIV,
  FORMULA_MOD,
  FORMULA_AND,
  FORMULA_OR,
  FORMULA_XOR,
  FORMULA_SHL,
  FORMULA_SHR, /* of 64 bits without a sign, as Lua's */
  FORMULA_MIN,
  FORMULA_MAX,
  FORMULA_OPS
};

enum {FORMULA_DEPTH = 16, FORMULA_STEPS = 256};

struct formula_step {
  int64_t value;
  uint32_t op, zero;
};

/* May it be evaluated? Known operators, keys below nkeys, one result. */
int formula_valid(const struct formula_step *s, size_t n, size_t nkeys);

/* 0 and the value of a valid formula, or -1 where a number leaves 64 bits or
 * is divided by zero. */
int formula_value(const struct formula_step *s, size_t n, const int64_t *keys,
                  int64_t *out);

/* 0 and x OP y, or -1 as above; op is an operator. */
int formula_apply(uint32_t op, int64_t x, int64_t y, int64_t *out);

#endif
