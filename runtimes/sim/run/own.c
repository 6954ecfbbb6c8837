/* own.c - which function executes an instruction that GFX9 has nothing like. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/own.h"

#include <stddef.h>

enum {CODES = 128};

#define AS(...)
#define NAMED(...)
#define NEW(format, op, name, ...) [format][op] = own_##name,
static exec_fn *const table[FORMAT_N][CODES] = {
#include "runtimes/sim/isa/ops_gfx1250.def"
};

exec_fn *own_handler(const struct inst *i)
{
  return i->op < CODES ? table[i->format][i->op] : NULL;
}
