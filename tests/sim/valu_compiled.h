/* valu_compiled.h - functions that the host's compiler and hiprtc both
 * understand: valu_compiled.c runs them on both.
 *
 * X(name, expression of the dwords a and b, giving a dword)
 */
// SPDX-License-Identifier: MIT
typedef unsigned u32;
typedef unsigned long long u64;
typedef long long i64;

static FN float as_float(u32 x) { float f; __builtin_memcpy(&f, &x, 4); return f; }
static FN u32 float_bits(float f) { u32 x; __builtin_memcpy(&x, &f, 4); return x; }
static FN double as_double(u64 x) { double f; __builtin_memcpy(&f, &x, 8); return f; }
static FN u64 double_bits(double f) { u64 x; __builtin_memcpy(&x, &f, 8); return x; }
static FN u64 fold(u64 x) { return (x >> 32) ^ x; }
static FN u64 fold_double(double f)
{
  return f != f ? 0x7fc00000 : fold(double_bits(f));
}

/* Not every host's compiler has the type: clang only from 15 on. */
#ifdef __FLT16_MAX__
static FN u32 half_bits(_Float16 f)
{
  unsigned short x;
  __builtin_memcpy(&x, &f, 2);
  return x;
}
static FN _Float16 as_half(u32 x)
{
  unsigned short y = (unsigned short)x;
  _Float16 f;
  __builtin_memcpy(&f, &y, 2);
  return f;
}
#define HALF(x) as_half(x)
#define HALF_BITS(x) half_bits((_Float16)(x))
#define HALVES(X) \
  X(to_half, HALF_BITS(F(a))) X(from_half, BITS((float)HALF(a))) \
  X(hadd, HALF_BITS(HALF(a) + HALF(b))) X(hsub, HALF_BITS(HALF(a) - HALF(b))) \
  X(hmul, HALF_BITS(HALF(a) * HALF(b))) X(hdiv, HALF_BITS(HALF(a) / HALF(b))) \
  X(hless, HALF(a) < HALF(b)) X(hfrom_i, HALF_BITS((float)(short)a))
#else
#define HALVES(X)
#endif

#define I(x) ((int)(x))
#define F(x) as_float(x)
#define BITS(x) float_bits(x)
#define WIDE ((u64)a << 32 | b)
#define EDIW ((u64)b << 32 | a)
#define D as_double(WIDE)
#define E as_double(EDIW)
#define FOLD(x) ((u32)fold(x))
#define FOLDD(x) ((u32)fold_double(x))

#define INTEGER(X) \
  X(add, a + b) X(sub, a - b) X(mul, a * b) \
  X(mulhi_u, (u32)((u64)a * b >> 32)) \
  X(mulhi_i, (u32)((u64)((i64)I(a) * I(b)) >> 32)) \
  X(div_u, a / (b | 1)) X(rem_u, a % (b | 1)) \
  X(div_i, (u32)(I(a >> 1) / I(b | 1))) X(rem_i, (u32)(I(a >> 1) % I(b | 1))) \
  X(shl, a << (b & 31)) X(shr, a >> (b & 31)) X(sar, (u32)(I(a) >> (b & 31))) \
  X(rotate, a << (b & 31) | a >> (-b & 31)) X(mask, (a & b) | (~a & (b + 1))) \
  X(clz, (u32)__builtin_clz(a | 1)) X(ctz, (u32)__builtin_ctz(a | 1u << 31)) \
  X(ones, (u32)__builtin_popcount(a)) X(swap, __builtin_bswap32(a)) \
  X(min_i, I(a) < I(b) ? a : b) X(max_u, a > b ? a : b) \
  X(med, I(a) < -5 ? (u32)-5 : I(a) > 7 ? 7u : a) \
  X(sum3, a + b + 77) X(shl_add, (a << 3) + b) X(add_shl, (a + b) << 5) \
  X(or3, a | b | 64) X(xad, (a ^ b) + 9) X(field, a >> 5 & 0x7f) \
  X(sfield, (u32)(I(a << 9) >> 22)) X(byte2, a >> 16 & 0xff) \
  X(mul24, (a & 0xffffff) * (b & 0xffffff) + 5) \
  X(bytes, (a & 0xff) + (b >> 8 & 0xff) * (a >> 24)) \
  X(short_add, (u32)(short)((short)a + (short)b)) \
  X(short_mul, (u32)(unsigned short)((u32)(unsigned short)a * (unsigned short)b)) \
  X(add64, FOLD(WIDE + EDIW)) X(sub64, FOLD(WIDE - EDIW)) \
  X(mul64, FOLD(WIDE * EDIW)) X(shl64, FOLD(WIDE << (b & 63))) \
  X(shr64, FOLD(WIDE >> (b & 63))) X(sar64, FOLD((u64)((i64)WIDE >> (b & 63)))) \
  X(div64, FOLD(WIDE / (EDIW >> 20 | 1))) X(rem64, FOLD(WIDE % (EDIW >> 9 | 1))) \
  X(sdiv64, FOLD((u64)((i64)(WIDE >> 1) / (i64)(EDIW | 1)))) \
  X(less64, (i64)WIDE < (i64)EDIW ? 3 : 4) X(mad64, FOLD((u64)a * b + WIDE))

#define FLOATING(X) \
  X(fadd, BITS(F(a) + F(b))) X(fsub, BITS(F(a) - F(b))) \
  X(fmul, BITS(F(a) * F(b))) X(fdiv, BITS(F(a) / F(b))) \
  X(ffma, BITS(__builtin_fmaf(F(a), F(b), F(a ^ b)))) \
  X(fsqrt, BITS(__builtin_sqrtf(F(a & 0x7fffffff)))) \
  X(fmin, BITS(__builtin_fminf(F(a), F(b)))) \
  X(fmax, BITS(__builtin_fmaxf(F(a), F(b)))) \
  X(ffloor, BITS(__builtin_floorf(F(a)))) X(fceil, BITS(__builtin_ceilf(F(a)))) \
  X(ftrunc, BITS(__builtin_truncf(F(a)))) X(frint, BITS(__builtin_rintf(F(a)))) \
  X(fless, F(a) < F(b)) X(fequal, F(a) == F(b)) X(fother, F(a) != F(b)) \
  X(fabs, BITS(__builtin_fabsf(F(a)) - F(b))) X(fneg, BITS(-F(a) * F(b))) \
  X(from_i, BITS((float)I(a))) X(from_u, BITS((float)a)) \
  X(to_i, (u32)(int)(F((a & 0x807fffff) | 0x4a000000))) \
  X(to_u, (u32)F((a & 0x7fffff) | 0x4e000000)) \
  X(from_byte, BITS((float)(a >> 8 & 0xff))) \
  X(from_64, BITS((float)WIDE)) X(from_i64, BITS((float)(i64)WIDE)) \
  X(dadd, FOLDD(D + E)) X(dsub, FOLDD(D - E)) X(dmul, FOLDD(D * E)) \
  X(ddiv, FOLDD(D / E)) X(dfma, FOLDD(__builtin_fma(D, E, D))) \
  X(dsqrt, FOLDD(__builtin_sqrt(__builtin_fabs(D)))) \
  X(dfloor, FOLDD(__builtin_floor(D))) X(drint, FOLDD(__builtin_rint(D))) \
  X(dless, D < E) X(dmin, FOLDD(__builtin_fmin(D, E))) \
  X(narrow, BITS((float)D)) X(widen, FOLDD((double)F(a))) \
  X(dfrom_i, FOLDD((double)I(a))) X(dfrom_u, FOLDD((double)a)) \
  X(dfrom_64, FOLDD((double)WIDE)) \
  X(dto_i, (u32)(int)(I(a) * 0.37)) X(dto_u, (u32)(a * 0.37))

/* Of the device's mathematical library: near the host's, not the same. x is
 * in [1, 2), or wide for those that reduce their argument. */
#define NEAR(X) \
  X(sin, sinf(x)) X(cos, cosf(x)) X(tan, tanf(x)) X(exp, expf(x)) \
  X(exp2, exp2f(x)) X(log, logf(x)) X(log2, log2f(x)) X(log10, log10f(x)) \
  X(pow, powf(x, 2.5f)) X(tanh, tanhf(x)) X(atan, atanf(x)) X(rcp, 1 / x) \
  X(rsqrt, 1 / sqrtf(x)) X(cbrt, cbrtf(x)) X(erf, erff(x)) X(asin, asinf(x - 1)) \
  X(sin_far, sinf(x * 1e6f)) X(cos_far, cosf(x * 1e20f)) \
  X(sin_double, (float)sin(x * 1.0)) X(sin_double_far, (float)sin(x * 1e30)) \
  X(exp_double, (float)exp(x * 1.0)) X(log_double, (float)log(x * 1.0)) \
  X(fmod, fmodf(x * 1000, 3.7f)) X(hypot, hypotf(x, 3))
