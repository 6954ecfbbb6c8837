// bits.hip - bit tricks
// SPDX-License-Identifier: MIT

KERNEL(count, u32, u32)
{
  const int i = GLOBAL_ID;
  const u32 x = in[i] >> (i % 33 == 32 ? 31 : i % 33);
  const u64 wide = (u64)x << 32 >> (i % 64);
  out[4 * i] = __popc(x) | __clz(x) << 8 | __ffs(x) << 16;
  out[4 * i + 1] = __popcll(wide) | __clzll(wide) << 8 | __ffsll(wide) << 16;
  out[4 * i + 2] = __brev(x);
  out[4 * i + 3] = __brevll(wide) >> 16;
}

KERNEL(fields, u32, u32)
{
  const int i = GLOBAL_ID, at = in[n - 1 - i] & 31, width = in[i] & 31;
  const u32 x = in[i];
  out[5 * i] = __builtin_amdgcn_ubfe(x, at, width);
  out[5 * i + 1] = __builtin_amdgcn_sbfe(x, at, width);
  out[5 * i + 2] = __builtin_amdgcn_alignbit(x, in[n - 1 - i], at);
  out[5 * i + 3] = __builtin_amdgcn_alignbyte(x, in[n - 1 - i], at & 3);
  out[5 * i + 4] = __builtin_bitreverse32(x) ^ __builtin_bswap32(x);
}

KERNEL(permute_bytes, u32, u32)
{
  const int i = GLOBAL_ID;
  out[2 * i] = __byte_perm(in[i], in[n - 1 - i], 0x7250 ^ (i & 0x7777));
  out[2 * i + 1] = __builtin_amdgcn_perm(in[i], in[n - 1 - i], 0x0c070500);
}

KERNEL(differences, u32, u32)
{
  const int i = GLOBAL_ID;
  const u32 a = in[i], b = in[n - 1 - i];
  out[4 * i] = __builtin_amdgcn_sad_u8(a, b, 7);
  out[4 * i + 1] = __builtin_amdgcn_sad_u16(a, b, 9);
  out[4 * i + 2] = __sad((int)a >> 1, (int)b >> 1, 5u);
  out[4 * i + 3] = __builtin_amdgcn_lerp(a, b, 0x01000100);
}

// Gray codes, Morton order, parity: plain shifts, found again by compilers.
KERNEL(patterns, u32, u32)
{
  const int i = GLOBAL_ID;
  const u32 x = in[i];
  u32 morton = 0, parity = 0;
  for (int b = 0; b < 16; b++)
    morton |= (x >> b & 1) << (2 * b) | (x >> (16 + b) & 1) << (2 * b + 1);
  for (u32 y = x; y; y &= y - 1)
    parity ^= 1;
  out[3 * i] = morton;
  out[3 * i + 1] = x ^ x >> 1;
  out[3 * i + 2] = parity + (x << 7 | x >> 25);
}
