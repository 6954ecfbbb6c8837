// half.hip - f16, packed maths and dot products
// SPDX-License-Identifier: MIT

KERNEL(half_basic, u16, _Float16)
{
  const int i = GLOBAL_ID;
  const _Float16 a = in[i], b = in[2 * n - 1 - i];
  const _Float16 all[] = {a + b, a - b, a * b, a / b, (_Float16)sqrtf(a * a)};
  for (int k = 0; k < 5; k++)
    __builtin_memcpy(out + 5 * i + k, all + k, 2);
}

KERNEL(half_packed, f16x2, f16x2)
{
  const int i = GLOBAL_ID;
  const f16x2 a = in[i], b = in[n - 1 - i];
  out[3 * i] = a * b;
  out[3 * i + 1] = a + b.yx;
  out[3 * i + 2] = __builtin_elementwise_max(a, -b);
}

KERNEL(half_axpy, f16x2, f16x2)
{
  f16x2 sum = 0;
  for (int k = 0; k < 8; k++)
    sum = __builtin_elementwise_max(sum, in[(GLOBAL_ID + k) % n] * (_Float16)2 +
                                             (_Float16)k);
  out[GLOBAL_ID] = sum;
}

// By the functions of hip_fp16.h.
KERNEL(half_header, __half2, __half2)
{
  const int i = GLOBAL_ID;
  const __half2 a = in[i], b = in[n - 1 - i];
  out[4 * i] = __hfma2(a, b, a);
  out[4 * i + 1] = __hsub2(__lowhigh2highlow(a), b);
  out[4 * i + 2] = __hlt2(a, b);
  out[4 * i + 3] = __floats2half2_rn(__low2float(a) / 3, __high2float(b) * 7);
}

KERNEL(half_convert, u32, u32)
{
  const int i = GLOBAL_ID;
  const float x = (float)(int)in[i] * 1e-6f * (i % 7 ? 1 : 1e-8f);
  const _Float16 h = (_Float16)x;
  u16 bits;
  __builtin_memcpy(&bits, &h, 2);
  out[i] = bits | (u32)__float_as_uint((float)h) >> 13 << 16;
}

// Not every arch has a dot product of each kind, nor all by one name.
#ifdef __GFX12__
static __device__ float fdot2(f16x2 a, f16x2 b, float sum)
{
  return sum + (float)a.x * (float)b.x + (float)a.y * (float)b.y;
}
#define SDOT4(a, b, sum, clamp) \
  __builtin_amdgcn_sudot4(true, a, true, b, sum, clamp)
#define SDOT8(a, b, sum, clamp) \
  __builtin_amdgcn_sudot8(true, a, true, b, sum, clamp)
static __device__ u32 sdot2(i16x2 a, i16x2 b, int sum)
{
  return (u32)a.x * b.x + (u32)a.y * b.y + sum;
}
static __device__ u32 udot2_clamp(u16x2 a, u16x2 b, u32 sum)
{
  const u64 x = (u64)a.x * b.x + (u64)a.y * b.y + sum;
  return x >> 32 ? ~0u : (u32)x;
}
#else
#define SDOT4 __builtin_amdgcn_sdot4
#define SDOT8 __builtin_amdgcn_sdot8
#define fdot2(a, b, sum) __builtin_amdgcn_fdot2(a, b, sum, false)
#define sdot2(a, b, sum) __builtin_amdgcn_sdot2(a, b, sum, false)
#define udot2_clamp(a, b, sum) __builtin_amdgcn_udot2(a, b, sum, true)
#endif

KERNEL(dot_half, float, f16x2)
{
  float sum = 0.5f;
  for (int k = 0; k < 4; k++)
    sum = fdot2(in[4 * GLOBAL_ID + k], in[n - 1 - k], sum);
  out[GLOBAL_ID] = sum;
}

KERNEL(dot_bytes, u32, u32)
{
  const int i = GLOBAL_ID;
  const u32 a = in[i], b = in[n - 1 - i];
  out[2 * i] = SDOT4(a, b, a, false);
  out[2 * i + 1] = __builtin_amdgcn_udot4(a, b, b, true);
}

KERNEL(dot_nibbles, u32, u32)
{
  const int i = GLOBAL_ID;
  const u32 a = in[i], b = in[n - 1 - i];
  out[2 * i] = SDOT8(a, b, 0x7fffff80 ^ i, true);
  out[2 * i + 1] = __builtin_amdgcn_udot8(a, b, b, false);
}

KERNEL(dot_shorts, u32, u32)
{
  const int i = GLOBAL_ID;
  const i16x2 *sx = (const i16x2 *)in;
  const u16x2 *ux = (const u16x2 *)in;
  out[2 * i] = sdot2(sx[i], sx[n - 1 - i], -5);
  out[2 * i + 1] = udot2_clamp(ux[i], ux[n - 1 - i], 5);
}

KERNEL(short_packed, i16x2, i16x2)
{
  const int i = GLOBAL_ID;
  const i16x2 a = in[i], b = in[n - 1 - i];
  out[5 * i] = a + b * b;
  out[5 * i + 1] = a - b.yx;
  out[5 * i + 2] = __builtin_elementwise_min(a, b);
  out[5 * i + 3] = a >> (b & (short)15);
  out[5 * i + 4] = __builtin_elementwise_max(a << (short)3, b);
}
