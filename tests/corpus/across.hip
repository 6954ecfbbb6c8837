// across.hip - values from other lanes of a wave
// SPDX-License-Identifier: MIT

KERNEL(bpermute, u32, u32)
{
  const int t = threadIdx.x;
  out[2 * t] = __builtin_amdgcn_ds_bpermute(4 * (in[t] % WAVE), t * t);
  out[2 * t + 1] = __builtin_amdgcn_ds_permute(4 * ((t * 37) % WAVE), in[t]);
}

KERNEL(dpp, u32, u32)
{
  const int t = threadIdx.x;
  const int x = in[t];
  int *to = (int *)out + 9 * t;
  to[0] = __builtin_amdgcn_mov_dpp(x, 0x1b, 0xf, 0xf, true);  // quad 3 2 1 0
  to[1] = __builtin_amdgcn_mov_dpp(x, 0x103, 0xf, 0xf, true); // row_shl:3
  to[2] = __builtin_amdgcn_update_dpp(t, x, 0x115, 0xf, 0xf, 0); // row_shr:5
  to[3] = __builtin_amdgcn_mov_dpp(x, 0x127, 0xf, 0xf, true); // row_ror:7
#if WAVE == 64
  to[4] = __builtin_amdgcn_mov_dpp(x, 0x130, 0xf, 0xf, true); // wave_shl:1
  to[5] = __builtin_amdgcn_mov_dpp(x, 0x13c, 0xf, 0xf, true); // wave_ror:1
#else
  to[4] = __builtin_amdgcn_mov_dpp(x, 0x153, 0xf, 0xf, true); // row_share:3
  to[5] = __builtin_amdgcn_mov_dpp(x, 0x165, 0xf, 0xf, true); // row_xmask:5
#endif
  to[6] = __builtin_amdgcn_mov_dpp(x, 0x140, 0xf, 0xf, true); // row_mirror
  to[7] = __builtin_amdgcn_mov_dpp(x, 0x141, 0xf, 0xf, true); // half_mirror
  to[8] = __builtin_amdgcn_update_dpp(t, x, 0xb1, 0x5, 0x9, false); // masked
}

KERNEL(swizzle, u32, u32)
{
  const int t = threadIdx.x;
  out[3 * t] = __builtin_amdgcn_ds_swizzle(in[t], 0x041f);     // xor 1
  out[3 * t + 1] = __builtin_amdgcn_ds_swizzle(in[t], 0x801b); // quad 3 2 1 0
  out[3 * t + 2] = __builtin_amdgcn_ds_swizzle(in[t], 0x00b5); // and, or
}

KERNEL(lanes, u32, u32)
{
  const int t = threadIdx.x;
  const u32 first = __builtin_amdgcn_readfirstlane(in[t]);
  u32 sum = first;
  for (int lane = 1; lane < 64; lane += 9)
    sum += __builtin_amdgcn_readlane(in[t], (lane + first) % WAVE);
  if (t % 5 == 2)
    sum ^= __builtin_amdgcn_readfirstlane(in[t] + 1);
  out[t] = sum;
}

KERNEL(ballots, u64, u32)
{
  const int t = threadIdx.x;
  const u64 odd = __ballot(in[t] & 1);
  u64 third = 0;
  if (t % 3 == 0)
    third = __ballot(in[t] & 2);
  out[t] = odd ^ third ^ (u64)__any(in[t] == 7) << 9 ^
           (u64)!!__all(in[t] < 256) << 11;
}

KERNEL(shuffles, double, double)
{
  const int t = threadIdx.x;
  out[t] = __shfl(in[t], t * 7 % WAVE) + __shfl_xor(in[t], WAVE / 2 + 1) +
           __shfl_up(in[t], 3, 16) + __shfl_down(in[t], 2, 8);
}

// Until no lane has work left, the first that has it serves all that match.
KERNEL(match, u32, u32)
{
  const u32 key = in[threadIdx.x] % 10;
  bool done = false;
  u32 same = 0;
  while (!done) {
    const u32 leader = __builtin_amdgcn_readfirstlane(key);
    if (key == leader) {
      same = __popcll(__ballot(1));
      done = true;
    }
  }
  out[threadIdx.x] = same;
}
