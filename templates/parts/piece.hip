@ -- piece.hip - loads of several elements, and the words that are made of them.
@ -- SPDX-License-Identifier: MIT
@
@ -- A piece is what one load brings: a vector of words, or a part of a word. (As a
@ -- vector of one char LLVM 15 cannot select it.)
@ local piece <const> = {}
@ local terms <const> = include "parts/terms.lua"
@ local T <const> = include("parts/types.lua").text(problem, arch)
@ local held <const> = 32 // T.bits -- elements of 32 bits
@
@ -- The type of a piece of so many elements.
@ function piece.type(elements)
@   local bits <const> = elements * T.bits
@   if bits < 32 then return bits == 8 and "unsigned char" or "unsigned short" end
@   return "vec<" .. (T.plain and "float" or "unsigned") .. ", " .. bits // 32 .. ">"
@ end
@
@ -- Word i of a piece v of so many elements.
@ local function word(v, i, elements)
@   return elements * T.bits < 32 and v or v .. "[" .. i .. "]"
@ end
@
@ -- Element e of a piece v of so many, as a number or as its bits. e: text; i: the
@ -- same by the parts of a word, where that is shorter.
@ function piece.element(v, e, elements, i)
@   local least <const> = math.min(elements, held)
@   local at <const> = terms.row(e, least, tostring(held), elements)
@   local lane <const> = terms.place(i or e, least, tostring(held), elements)
@   local bits <const> = word(v, at, elements) ..
@                        (lane == "0" and "" or " >> " .. T.bits .. " * " .. terms.wrap(lane))
@   return T.pack == 1 and not T.plain and "widen(" .. bits .. ")" or bits
@ end
@
@ -- Word i of consecutive elements in an array of pieces. width: elements of a
@ -- piece, which the text calls `name`; all: elements of the array.
@ function piece.word(array, i, width, name, all)
@   if width < T.pack then
@     local first <const> = terms.times(i, "(pack / " .. name .. ")")
@     return "join<pack / " .. name .. ">(" .. terms.plus(array, first) .. ")"
@   end
@   local words <const>, several <const> = width // T.pack, all // T.pack
@   local each <const> = T.pack == 1 and name or "(" .. name .. " / pack)"
@   local from <const> = array .. "[" .. terms.row(i, words, each, several) .. "]"
@   local at <const> = terms.place(i, words, each, several)
@   if T.pack > 1 then return word(from, at, width) end
@   return piece.element(from, at, width, width >= held and at ~= "0" and i or at)
@ end
@
@ function piece.join()

// The word of so many pieces, the first the lowest.
template <int n, class T> static __device__ inline word join(T *from)
{
  word to = 0;
#pragma unroll
  for (int i = 0; i < n; i++)
    to |= (word)from[i] << i * (32 / n);
  return to;
}
@ end
@
@ return piece
