@ -- head.hip - the comment at the head of a product: how it works, and what it asks
@ -- of the problem.
@ -- SPDX-License-Identifier: MIT
@
@ local both <const>, far <const>, ragged <const>, width <const> = ...
@ local T <const> = include("parts/types.lua").text(problem, arch)
@ local formula <const> = include("parts/epilogue.lua").formula(problem)
@ local split <const> = split_k > 1
@ local product <const> = include "parts/product.lua"
@ local what <const> = T.pack > 1 and "words" or "elements"
@ local each <const> = T.pack > 1 and "word " or "k, "
@ local way <const> = async == 1 and "past the" or "through"
@ local work <const> = stream_k > 0 and "Workgroups share all k tiles of C's tiles:" or
@                      split and "A workgroup takes a tile of C, and a part of k:" or
@                      "A workgroup makes one tile of C:"
// $formula, row-major.
// $work
//
//                    tile_n
//                  +--------+
//                  | b_tile | tile_k    Each k tile goes from memory $way
//          tile_k  +--------+           registers into LDS. From there a
//        +--------++--------+           thread reads $thread_m $what of A and $thread_n
// tile_m | a_tile || C tile |           of B for each $(each)and adds their
//        +--------++--------+           products to its $thread_m x $thread_n sums.
//
@ if groups > 0 then
// There are `products` such B, one after the other: rows offsets[g] to
// offsets[g + 1] - 1 of A and C, which may be none or all, belong to the gth.
// No offset may be smaller than that before it.
//
@ end
// Any m, n and k will do as long as
//   A, B and C start at multiples of $align bytes
@ if not far then
//   a tile of A or B spans less than 4 GiB of memory
@ end
@ if not ragged then
//   k is a multiple of $(tile_k * T.pack)
@ end
@ for _, x in ipairs(both) do
@   if x.load > 1 then
//   $(product.along(problem, x.turned and "k" or x.names.edge, x.names.ld, x.names.stride)) are multiples of $(x.load)
@   end
@ end
@ if width > 1 then
//   $(split and "n is a multiple" or product.along(problem, "n", "ldc", "stride_c") .. " are multiples") of $width
@ end
