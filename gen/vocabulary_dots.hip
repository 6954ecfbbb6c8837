// vocabulary_dots.hip - dot products by what has signs in each operand (dot_iu).
// SPDX-License-Identifier: MIT
//
// As vocabulary.hip, but macros: clang lets nobody declare its builtins again.

#define __builtin_amdgcn_sdot4(a, b, sum, clamp) \
  __builtin_amdgcn_sudot4(true, a, true, b, sum, clamp)

#define __builtin_amdgcn_sdot8(a, b, sum, clamp) \
  __builtin_amdgcn_sudot8(true, a, true, b, sum, clamp)
