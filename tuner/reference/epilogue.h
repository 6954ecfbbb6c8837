/* epilogue.h - what becomes of an element of a product, by definition: the
 * keys of templates/parts/epilogue.lua.
 *
 *   C = act(scales * alpha op(A) op(B) + beta C + bias) * up + residual
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_epilogue_h
#define tuner_epilogue_h

#include "tuner/reference/reference.h"

struct epilogue {
  const struct reference_job *job;
  int row_scale, col_scale, bias, up, residual; /* buffers; -1: none */
  int by_row; /* the bias */
  double (*activation)(double x); /* NULL: none */
};

/* Of a family without the keys there is nothing to do. */
struct epilogue epilogue_of(const struct reference_job *job);

/* The factor of the product in this row and column. */
double epilogue_scale(const struct epilogue *e, size_t row, size_t col);

/* What x, scales * alpha op(A) op(B) + beta C, becomes at element i of C; the
 * bound is of f32 still. */
struct expected epilogue_apply(const struct epilogue *e, struct expected x,
                               size_t row, size_t col, size_t i);

/* silu(gate) * up, both with bounds of f32. */
struct expected epilogue_gate(struct expected gate, struct expected up);

#endif
