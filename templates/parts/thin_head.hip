@ -- thin_head.hip - the comment at the head of a thin product: how it works, and what it
@ -- asks of the problem.
@ -- SPDX-License-Identifier: MIT
@
@ -- o: thin.numbers(). whole: of how many the steps of a part of k are a multiple.
@ local o <const>, long <const>, short <const>, ragged <const>, whole <const> = ...
@ local side <const>, turned <const>, split <const> = o.side, o.turned, split_k > 1
@ local kept <const>, panels <const> = short.kept, short.panels
@ local product <const>, epilogue <const> = include "parts/product.lua", include "parts/epilogue.lua"
@ local gap <const> = epilogue.some(problem) and "\n// " or " "
@ local kind <const> = side.columns == "m" and "rows" or "columns" -- of the short side
@ local other <const> = side.columns == "m" and "columns" or "rows"
// $(epilogue.formula(problem)),$(gap)row-major, with at most $columns $kind.
//
// What takes time is to read the long operand, w: $(side.w:upper()). A workgroup
// takes blocks of $(o.group_rows) $other of C, one after the other. At each step a thread
// loads $rows x $depth elements of w, and adds their products with the short
// operand, x, which it reads from $(kept and "LDS" or "memory"), to its $rows x $(o.columns) sums.
//
// Any m, n and k will do as long as
//   A, B and C start at multiples of $align bytes
//   C has at most $columns $kind
@ if not long.far then
//   a block of w spans less than 4 GiB of memory
@ end
@ if not ragged then
//   k is a multiple of $(o.step_k)
@ end
@ if whole > 1 then
//   the steps of a part of k, of $(o.step_k) each, are a multiple of $whole
@ end
@ if kept and not panels then
//   $(split and "a part of k has" or "k is") at most $(o.kept_k)
@ end
@ if width > 1 then
//   $(product.along(problem, turned and "k" or side.rows, side.ldw, side.stride_w)) are multiples of $width
@ end

