@ -- turn.hip - a square of elements, a row each in a word: turned in registers.
@ -- SPDX-License-Identifier: MIT
@
@ local pack <const> = ... -- elements of a word
@
@ local function by_bytes(from, to)
@   local a <const>, b <const>, c <const>, d <const> = from[1], from[2], from[3], from[4]
  low = __builtin_amdgcn_perm($b, $a, 0x05010400);
  high = __builtin_amdgcn_perm($b, $a, 0x07030602);
  low2 = __builtin_amdgcn_perm($d, $c, 0x05010400);
  high2 = __builtin_amdgcn_perm($d, $c, 0x07030602);
  v[$(to[1])] = __builtin_amdgcn_perm(low2, low, 0x05040100);
  v[$(to[2])] = __builtin_amdgcn_perm(low2, low, 0x07060302);
  v[$(to[3])] = __builtin_amdgcn_perm(high2, high, 0x05040100);
  v[$(to[4])] = __builtin_amdgcn_perm(high2, high, 0x07060302);
@ end

// Turn a square of elements: word i holds row i of it, and then column i.
static __device__ inline void turn(word v[$pack])
{
@   if pack == 2 then
  word low = __builtin_amdgcn_perm(v[1], v[0], 0x05040100);
  v[1] = __builtin_amdgcn_perm(v[1], v[0], 0x07060302);
  v[0] = low;
@   elseif pack == 4 then
  word low, high, low2, high2;
@     by_bytes({ "v[0]", "v[1]", "v[2]", "v[3]" }, { 0, 1, 2, 3 })
@   else
  word even[4], odd[4], low, high, low2, high2;
#pragma unroll
  for (int i = 0; i < 4; i++) {
    even[i] = (v[2 * i] & 0x0f0f0f0f) | (v[2 * i + 1] & 0x0f0f0f0f) << 4;
    odd[i] = (v[2 * i] >> 4 & 0x0f0f0f0f) | (v[2 * i + 1] & 0xf0f0f0f0);
  }
@     by_bytes({ "even[0]", "even[1]", "even[2]", "even[3]" }, { 0, 2, 4, 6 })
@     by_bytes({ "odd[0]", "odd[1]", "odd[2]", "odd[3]" }, { 1, 3, 5, 7 })
@   end
}
