@ -- long.hip - the long operand w of a thin product, on its way from memory.
@ -- SPDX-License-Identifier: MIT
@
@ local loop <const> = include "parts/loop.hip"
@ local piece <const> = include "parts/piece.hip"
@ local terms <const> = include "parts/terms.lua"
@ local T <const> = include("parts/types.lua").text(problem, arch)
@ local o <const>, ragged <const> = ...
@ local side <const>, turned <const> = o.side, o.turned
@ local element <const> = T.plain and "float" or "element"
@ local chunk <const> = o.chunk
@ local chunks <const>, pieces <const> = turned and depth // chunk or 1, chunk // width
@ local vectors <const> = turned and rows or rows // width -- that begin apart
@ local long <const> = {}
@
@ -- Offsets inside of what a block takes of w have 32 bits where its bytes can be
@ -- counted so.
@ local down <const> = turned and waves_r * rows * 64 or k
@ long.far = down * problem[side.ldw] * T.bits // 8 >= 1 << 32
@ -- What a thread has of a step.
@ long.array = turned and "[rows][chunks][pieces]" or "[depth][vectors]"
@ long.pointer = turned and "(*w)[chunks][pieces]" or "(*w)[vectors]"
@
@ function long.constants()
constexpr int width = $width; // elements of a load of w
typedef $(piece.type(width)) w_piece; // such a load
@   if turned then
// Of a thread's k: those side by side, how often there are such, loads of them.
constexpr int chunk = $chunk, chunks = depth / chunk, pieces = chunk / width;
@   else
constexpr int chunk = depth, chunks = 1; // k side by side
constexpr int vectors = rows / width; // of w, from k to k
@   end
@ end
@
@ function long.place()

// Bytes from where a block of w begins.
typedef unsigned $(long.far and "long long " or "")offset;

// Where this thread's rows of a block of w begin. Past the last, `left` away,
// it loads others again: C keeps nothing of what comes of them.
static __device__ inline void place(offset *at, int row, int first_k, int left,
                                    int ldw)
{
@   loop.block("r", vectors, turned and "rows" or "vectors", function (r, step)
    int y = row$(step(turned and "lanes_r" or "(lanes_r * width)"));
@     if turned then
    y = y < left ? y : left - 1;
    at[$r] = ((offset)y * ldw + first_k) * sizeof($element);
@     else
    y = y < left ? y : left - width;
    at[$r] = ((offset)first_k * ldw + y) * sizeof($element);
@     end
@   end)
}
@ end
@
@ local function one(to, from, k)
@   if ragged then
    $to = w_piece{};
    if ($k < left)
      $to = *(const w_piece *)$(terms.wrap(from));
@   else
    $to = *(const w_piece *)$(terms.wrap(from));
@   end
@ end
@
@ function long.load()

// Load this thread's part of a step, `here` bytes after the block's first.
@   if ragged then
// Past k, which is `left` away, zeros follow.
@   end
@   local more <const> = (turned and "" or ", int ldw") .. (ragged and ", int left" or "")
static __device__ inline void load_w(w_piece $(long.pointer),
                                     const $element *from, const offset *at,
                                     offset here$more)
{
@   local way <const> = ragged and loop.block or loop.line
@   loop.block("r", vectors, turned and "rows" or "vectors", function (r)
    const char *place = (const char *)from + (at[$r] + here);
    const $element *row = (const $element *)place;
@     if turned then
@       indent(2, pieces > 1 and loop.block or way, "c", chunks, "chunks", function (c)
@         indent(2, way, "p", pieces, "pieces", function (p)
@           local on <const> = terms.plus(terms.times(c, "(lanes_k * chunk)"),
@                                         terms.times(p, "width", width))
@           one("w[" .. r .. "][" .. c .. "][" .. p .. "]", terms.plus("row", on), on)
@         end)
@       end)
@     else
@       indent(2, way, "d", depth, "depth", function (d)
@         one("w[" .. d .. "][" .. r .. "]",
@             terms.plus("row", terms.times(d, "(offset)ldw")), d)
@       end)
@     end
@   end)
}
@ end
@
@ -- What a thread takes of its k at once: word e of row r, in read i of chunk c.
@ local function straight()
@   local function at(e) return o.reads == 1 and e or terms.index("i", 2, "read", e) end
@   local function k(e, p)
@     return terms.index(at(e), T.pack, "pack", p)
@   end
@   if T.pack == 1 then
@     loop.block("e", o.read, "read", function (e)
@       indent(2, loop.block, "r", rows, "rows", function (r)
    w_piece v = w[$(at(e))][$(terms.row(r, width, "width", rows))];
    to[$r][$e] = $(piece.element("v", terms.place(r, width, "width", rows), width));
@       end)
@     end)
@   elseif width == 1 then
@     loop.block("e", o.read, "read", function (e)
@       indent(2, loop.block, "r", rows, "rows", function (r)
    w_piece apart[pack];
#pragma unroll
    for (int p = 0; p < pack; p++)
      apart[p] = w[$(k(e, "p"))][$r];
    to[$r][$e] = join<pack>(apart);
@       end)
@     end)
@   else
@     local squares <const> = rows // T.pack
@     loop.block("e", o.read, "read", function (e)
@       indent(2, loop.block, "q", squares, "(rows / pack)", function (q)
@         local words <const> = width // T.pack
@         local at <const> = terms.place(q, words, "(width / pack)", squares)
    word square[pack];
#pragma unroll
    for (int p = 0; p < pack; p++)
      square[p] =
          w[$(k(e, "p"))][$(terms.row(q, words, "(width / pack)", squares))][$at];
    turn(square);
#pragma unroll
    for (int p = 0; p < pack; p++)
      to[$(terms.index(q, 2, "pack", "p"))][$e] = square[p];
@       end)
@     end)
@   end
@ end
@
@ function long.take()
@   if not turned and T.pack > 1 and width > 1 then
@     include("parts/turn.hip", T.pack)
@   end

// The words of w that a thread multiplies at once: read i of chunk c.
static __device__ inline void take_w($(T.word) (*to)[read],
                                     w_piece $(long.pointer), int c, int i)
{
@   if turned then
@     loop.block("e", o.read, "read", function (e)
@       indent(2, loop.line, "r", rows, "rows", function (r)
@         local word <const> = o.reads == 1 and e or terms.index("i", 2, "read", e)
    to[$r][$e] =
        $(piece.word("w[" .. r .. "][c]", word, width, "width", chunk));
@       end)
@     end)
@   else
@     straight()
@   end
}
@ end
@
@ return long
