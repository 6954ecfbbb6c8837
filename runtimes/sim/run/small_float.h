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

/* A format without infinities, or with (ieee). */
struct small_format {
  uint8_t exponent, mantissa; /* bits */
  uint8_t bias;
  enum {SMALL_FINITE, SMALL_IEEE, SMALL_OCP8, SMALL_FNUZ} kind;
};
extern const struct small_format small_e4m3_ocp, small_e5m2_ocp,
    small_e4m3_fnuz, small_e5m2_fnuz, small_e2m3, small_e3m2, small_e2m1;
float small_read(const struct small_format *f, uint32_t bits);
/* Of OCP's 8-bit formats. What is too large becomes NaN or infinity, or `saturates`. */
uint32_t small_write(const struct small_format *f, float x, int saturates);

#endif
