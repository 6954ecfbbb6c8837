// control.hip - divergence: loops, branches, tables, early exits
// SPDX-License-Identifier: MIT

KERNEL(collatz, u32, u32)
{
  u64 x = in[GLOBAL_ID] % 5000 + 1;
  u32 steps = 0;
  while (x != 1) {
    x = x & 1 ? 3 * x + 1 : x / 2;
    steps++;
  }
  out[GLOBAL_ID] = steps;
}

KERNEL(nested, u32, u32)
{
  const u32 x = in[GLOBAL_ID];
  u32 y = x;
  if (x & 1) {
    y += 3;
    if (x & 2)
      y *= 5;
    else if (x & 4) {
      for (u32 i = 0; i < (x >> 8 & 15); i++) {
        if (y & 8)
          continue;
        y += i * 7;
        if (y % 11 == 3)
          break;
      }
    } else
      y ^= 0x55;
  } else if (x & 16) {
    do
      y = y * 3 + 1;
    while (y & 0x30);
  }
  out[GLOBAL_ID] = y;
}

KERNEL(table, u32, u32)
{
  u32 x = in[GLOBAL_ID];
  for (int i = 0; i < 6; i++)
    switch (x >> 5 * i & 15) {
    case 0: x += 0x12345; break;
    case 1: x ^= x << 3; break;
    case 2: x = ~x;
    case 3: x *= 9; break;
    case 4: x -= x >> 4; break;
    case 5: x = x << 13 | x >> 19; break;
    case 6: x |= 0x101010; break;
    case 7: x &= 0xfffefdfc; break;
    case 9: x += in[i]; break;
    case 12: x = -x; break;
    default: x++;
    }
  out[GLOBAL_ID] = x;
}

KERNEL(early_exit, u32, u32)
{
  const u32 x = in[GLOBAL_ID];
  if (x % 3 == 0)
    return;
  for (u32 i = 0;; i++) {
    if ((x ^ i) % 17 == 5) {
      out[GLOBAL_ID] = i;
      return;
    }
    if (i > 12)
      break;
  }
  out[GLOBAL_ID] = x;
}

// A small machine that each lane drives through its own states.
KERNEL(states, u32, u32)
{
  u32 x = in[GLOBAL_ID], count = 0;
even:
  if (++count > 40)
    goto end;
  x = x * 1664525 + 1013904223;
  if (x >> 31)
    goto odd;
  if (x >> 30 & 1)
    goto end;
  goto even;
odd:
  count += 3;
  x ^= x >> 15;
  if (x & 6)
    goto even;
end:
  out[GLOBAL_ID] = x + count;
}

KERNEL(gcd, u32, u32)
{
  u32 a = in[GLOBAL_ID], b = in[n - 1 - GLOBAL_ID] | 1;
  while (b) {
    const u32 rest = a % b;
    a = b;
    b = rest;
  }
  out[GLOBAL_ID] = a;
}

// The trip count is the same in all lanes, and comes from memory.
KERNEL(uniform_barriers, u32, u32)
{
  __shared__ u32 x[128];
  const int t = threadIdx.x, rounds = in[0] % 20 + 5;
  x[t] = in[t];
  for (int i = 0; i < rounds; i++) {
    __syncthreads();
    const u32 next = x[(t + i + 1) % 128];
    __syncthreads();
    if (next & 1 << i % 8)
      x[t] += next;
  }
  out[t] = x[t];
}
