/* vocabulary.h - words that a target's compiler does not have.
 *
 * Templates are written with HIP and LLVM's __builtin_amdgcn_*. For a target
 * without these (the arch fact `amdgcn`), rendered text gets the definitions
 * that it uses from gen/vocabulary.hip, so that it still stands on its own.
 */
// SPDX-License-Identifier: MIT
#ifndef gen_vocabulary_h
#define gen_vocabulary_h

#include "base/str.h"

/* Append what `text` needs, in the order of vocabulary.hip. What stands
 * between "#if defined __HIP__" and its #else or #endif is not looked at:
 * only AMD's compilers see it. */
void vocabulary_add(const char *text, struct str *out);

/* The same for dot products where only those exist that are told which operand
 * has signs (the arch fact `dot_iu`), from gen/vocabulary_dots.hip. */
void vocabulary_add_dots(const char *text, struct str *out);

#endif
