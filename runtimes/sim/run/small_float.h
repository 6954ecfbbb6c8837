/* small_float.h - floats of 16 bits and less as f32 and back, one at a time.
 *
 * The way back rounds to nearest even. Layouts: IEEE 754 binary16; bfloat16;
 * OCP 8-bit Floating Point Specification; OCP Microscaling Formats; the 8-bit
 * formats with one zero and one NaN (FNUZ) of Noune et al., "8-bit Numerical
 * Formats for Deep Neural Networks".
 */
// SPDX-License-Identifier: MIT
#ifndef sim_small_float_h
#define sim_small_float_h

#include <stdint.h>

float float_of_f16(uint32_t bits);
uint32_t f16_of_float(float x);
float float_of_bf16(uint32_t bits);
uint32_t bf16_of_float(float x);

/* Below the largest exponent all formats are alike; beyond that: */
enum small_kind {
  SMALL_FINITE, /* numbers */
  SMALL_IEEE,   /* infinity, NaNs */
  SMALL_OCP8,   /* numbers, and the last code is a NaN */
  SMALL_FNUZ,   /* numbers; the code of -0 is the one NaN */
};
struct small_format {
  uint8_t exponent, mantissa; /* bits */
  uint8_t bias;
  uint8_t kind; /* enum small_kind */
};

enum small_type { /* ORDER SMALL_TYPE */
  SMALL_F16, SMALL_BF16, SMALL_FP8, SMALL_BF8, SMALL_FP6, SMALL_BF6, SMALL_FP4,
  SMALL_TYPES
};
/* ocp: 8 bits as OCP has them, else FNUZ. */
const struct small_format *small_of(enum small_type type, int ocp);
unsigned small_bits(const struct small_format *f);

float small_read(const struct small_format *f, uint32_t bits);

/* The code of x. Beyond the largest number there is infinity or a NaN, but the
 * largest one where the format has neither, or where `saturate` says so, which
 * bounds infinity, too. A NaN has no sign (as in gem5's mxfp_convert.hh); where
 * there is none it becomes the largest number. */
uint32_t small_write(const struct small_format *f, double x, int saturate);

/* The same, rounded up or down by chance: away from 0 where the part that is lost,
 * in 2^-32 of the last place, and `chance` have a sum of 2^32 or more. */
uint32_t small_write_by_chance(const struct small_format *f, double x,
                               uint32_t chance, int saturate);

#endif
