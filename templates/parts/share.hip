@ -- share.hip - lanes that share a row add up what they have.
@ -- SPDX-License-Identifier: MIT
@
@ -- Half of the sums go to the lanes of the other half, then half of these, as
@ -- long as there are two.
@ local loop <const> = include "parts/loop.hip"
@ local terms <const> = include "parts/terms.lua"
@ local T <const> = include("parts/types.lua").text(problem, arch)
@
@ -- { mask, the bit of the lane's number that tells the two apart, control word of
@ -- DPP }
@ local moves <const> = { { 32, 32 }, { 16, 16 }, { 15, 8, 0x140 }, { 7, 4, 0x141 },
@                         { 2, 2, 0x4e }, { 1, 1, 0xb1 } }
@ local count = rows * (...) -- sums of a lane, of so many columns

// x of the lane whose number differs in the bits of the mask.
template <int mask>
static __device__ inline $(T.sum) from_lane($(T.sum) x, int lane)
{
  int y = __builtin_bit_cast(int, x);
@ if lanes_k > 16 then
  if (mask >= 16)
    y = __builtin_amdgcn_ds_bpermute(4 * (lane ^ mask), y);
@ end
@ for _, move in ipairs(moves) do
@   if move[3] and move[2] < lanes_k then
  if (mask == $(move[1]))
    y = __builtin_amdgcn_mov_dpp(y, $(string.format("0x%x", move[3])), 0xf, 0xf, true);
@   end
@ end
  return __builtin_bit_cast($(T.sum), y);
}

// Add up the sums of the lanes that share a row. Each ends with some of them:
// from which on is returned, or -1 where another lane has the same.
static __device__ __forceinline__ int
share_out($(T.sum) *sum, int lane)
{
  int first = 0;
@ for _, move in ipairs(moves) do
@   if move[2] < lanes_k and count % 2 == 0 then
@     count = count // 2
  bool upper_$(move[2]) = lane & $(move[2]);
  first += upper_$(move[2]) ? $count : 0;
@     loop.block("i", count, tostring(count), function (i)
    $(T.sum) low = sum[$i], high = sum[$(terms.plus(i, tostring(count)))];
    $(T.sum) mine = upper_$(move[2]) ? high : low;
    $(T.sum) other = upper_$(move[2]) ? low : high;
    sum[$i] = mine + from_lane<$(move[1])>(other, lane);
@     end)
@   elseif move[2] < lanes_k then
@     loop.line("i", count, tostring(count), function (i)
    sum[$i] += from_lane<$(move[1])>(sum[$i], lane);
@     end)
  if (lane & $(move[2]))
    first = -sums;
@   end
@ end
  return first < 0 ? -1 : first;
}
@ return count
