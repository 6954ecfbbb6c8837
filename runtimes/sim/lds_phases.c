/* lds_phases.c - which lanes of a wave share an LDS cycle. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/lds_banks.h"

/* clang-format off */
static const uint8_t in_order[LDS_LANES] = {
   0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15,
  16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
  32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
  48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63,
};

/* Four lanes and four lanes from the other 16 of the half wave; rows are
 * phases in the order in which the hardware walks them. */
static const uint8_t crossed[LDS_LANES] = {
   0,  1,  2,  3, 20, 21, 22, 23,
  32, 33, 34, 35, 52, 53, 54, 55,
   4,  5,  6,  7, 16, 17, 18, 19,
  36, 37, 38, 39, 48, 49, 50, 51,
   8,  9, 10, 11, 28, 29, 30, 31,
  40, 41, 42, 43, 60, 61, 62, 63,
  12, 13, 14, 15, 24, 25, 26, 27,
  44, 45, 46, 47, 56, 57, 58, 59,
};

/* Nothing is published of the wide accesses of GFX9 before CDNA3. What is:
 *
 *   banks        32 x 4 bytes on all GFX9 before gfx950 (LLVM,
 *                FeatureLDSBankCount32)
 *   4, 8 bytes   half and quarter waves: AMD's OpenCL guide for GCN, and
 *                measured on MI300X (amd-shark-ai docs/empirical-lds)
 *   16, reads    measured on MI300X (amd-shark-ai; pyhip bank-conflict) and
 *                the same on RDNA3 (W7900): two lines that split after Vega,
 *                so Vega most likely has it, too
 *   16, writes   eight neighbours: Composable Kernel, lds_bank_conflicts
 *   12           groups of the 16-byte form: measured on MI355X
 *                (HipKittens, analysis/paper_experiments/phases)
 */
const struct lds_layout lds_layout_gfx9 = {
  .banks = 32,
  /*  dwords:    1                2                3               4       */
  .read  = { {0}, {2, in_order}, {4, in_order}, {8, crossed},  {8, crossed} },
  .write = { {0}, {2, in_order}, {4, in_order}, {8, in_order}, {8, in_order} },
};
/* clang-format on */
