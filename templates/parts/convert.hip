@ -- convert.hip - what the text of a type other than f32 calls its elements, and
@ -- how they become numbers.
@ -- SPDX-License-Identifier: MIT
@
@ local types <const> = include "parts/types.lua"
@ local T <const> = types.text(problem, arch)
@ local upper <const> = T.name == "bf16" or T.c == "bf16"
@ -- reads: what is in C's type is read, besides C.
@ local alone <const>, reads <const> = ... -- C is: there are no A and B
@ local packs <const> = T.pack > 1 and not alone
@ local widens <const> = T.bits == 16 and T.pack == 1 and not alone or
@                        T.narrow and (beta ~= 0 or reads)

@ if alone then
@ elseif T.bits == 4 then
typedef $(T.element) element; // two elements, the lower half first
@ else
typedef $(T.element) element; // the bits of $(T.name)
@ end
@ if packs then
typedef unsigned word; // of LDS: so many elements, one k after the other
constexpr int pack = $(T.pack);
@ end
@ if T.whole then
typedef unsigned total; // a sum of integers, which wraps
@ end
@ if T.narrow then
typedef unsigned short result; // the bits of C's $(T.c)
@ end
@ if widens then

// The number that the lower 16 bits stand for.
static __device__ inline float widen(unsigned bits)
{
@   if upper then
  return __builtin_bit_cast(float, bits << 16);
@   else
#ifdef __clang__
  return __builtin_bit_cast(_Float16, (unsigned short)bits);
#else
  float x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"((unsigned short)bits));
  return x;
#endif
@   end
}
@ end
@ if T.narrow then

// To the nearest $(T.c), of two the even one.
static __device__ inline result narrow(float x)
{
@   if T.c == "bf16" then
  unsigned bits = __builtin_bit_cast(unsigned, x);
  if (x != x)
    return bits >> 16 | 0x40;
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
@   else
#ifdef __clang__
  return __builtin_bit_cast(unsigned short, (_Float16)x);
#else
  unsigned short bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return bits;
#endif
@   end
}
@ end
@ if packs then

// sum, and the products of the elements of two words.
@   if T.name == "f16" then
static __device__ inline float dot(word a, word b, float sum)
{
  typedef _Float16 halves __attribute__((ext_vector_type(2)));
  return __builtin_amdgcn_fdot2(__builtin_bit_cast(halves, a),
                                __builtin_bit_cast(halves, b), sum, false);
}
@   else
static __device__ inline total dot(word a, word b, total sum)
{
  return __builtin_amdgcn_sdot$(T.pack)(a, b, sum, false); // wraps
}
@   end
@ end
@
@ return T
