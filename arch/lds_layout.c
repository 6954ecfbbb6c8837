/* lds_layout.c - which lanes of a wave share an LDS cycle, and how many banks
 * serve them: see lds_banks.h. */
// SPDX-License-Identifier: MIT
#include "arch/lds_banks.h"

#include <string.h>

/* Where the rows come from. */
#define A "AMD's OpenCL guide for GCN: half and quarter waves"
#define C "Composable Kernel, lds_bank_conflicts: eight neighbours"
#define H "measured on MI355X: HipKittens, paper_experiments/phases"
#define I "[inferred] as the 16-byte form"
#define N "measured on MI300X: amd-shark-ai docs/empirical-lds; pyhip"
#define Q "measured on MI355X: amd-shark-ai docs/empirical-lds/cdna4info"
#define R "measured on W7900: amd-shark-ai docs/empirical-lds/rdna3info"
#define S "measured on RDNA4: amd-shark-ai docs/empirical-lds/rdna4info"
#define V "[inferred] as on CDNA3 and RDNA3, lines that split after Vega"
#define W "[inferred] as reads of the same width"
#define X "[inferred] 128 bytes a cycle, as its 8-byte writes"

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

/* The same of a wave of 32. */
static const uint8_t crossed_32[32] = {
   0,  1,  2,  3, 20, 21, 22, 23,
   4,  5,  6,  7, 16, 17, 18, 19,
   8,  9, 10, 11, 28, 29, 30, 31,
  12, 13, 14, 15, 24, 25, 26, 27,
};

/* Twice as many banks take two groups of `crossed` at once, and not the two
 * that would follow each other. */
static const uint8_t paired[LDS_LANES] = {
   0,  1,  2,  3, 12, 13, 14, 15, 20, 21, 22, 23, 24, 25, 26, 27,
   4,  5,  6,  7,  8,  9, 10, 11, 16, 17, 18, 19, 28, 29, 30, 31,
  32, 33, 34, 35, 44, 45, 46, 47, 52, 53, 54, 55, 56, 57, 58, 59,
  36, 37, 38, 39, 40, 41, 42, 43, 48, 49, 50, 51, 60, 61, 62, 63,
};

/* Phases, banks, lanes, source. Nothing is published of the 12- and 16-byte
 * accesses of GFX9 before CDNA3. Banks: LLVM, FeatureLDSBankCount32 up to
 * gfx950; there the measurements decide, width by width. */
#define GFX9_WRITE                                                                        \
  { {0}, {2, 32, in_order, A}, {4, 32, in_order, A},                                      \
    {8, 32, in_order, I}, {8, 32, in_order, C} }
#define GFX9(name)                                                                        \
  { name, 64,                                                                             \
    { {0}, {2, 32, in_order, A}, {4, 32, in_order, A},                                    \
      {8, 32, crossed, V}, {8, 32, crossed, V} },                                         \
    GFX9_WRITE }

const struct lds_layout lds_layout_gfx906 = GFX9("gfx906");

static const struct lds_layout others[] = {
  GFX9("gfx900"),
  GFX9("gfx908"),
  GFX9("gfx90a"),
  { "gfx942", 64,
    { {0}, {2, 32, in_order, N}, {4, 32, in_order, N},
      {8, 32, crossed, I}, {8, 32, crossed, N} },
    GFX9_WRITE },
  { "gfx950", 64,
    { {0}, {1, 64, in_order, Q}, {2, 64, in_order, H},
      {8, 32, crossed, H}, {4, 64, paired, H} },
    { {0}, {2, 32, in_order, X}, {4, 32, in_order, H},
      {8, 32, in_order, X}, {8, 32, in_order, X} } },
  { "gfx1100", 32,
    { {0}, {1, 32, in_order, R}, {2, 32, in_order, R},
      {4, 32, crossed_32, I}, {4, 32, crossed_32, R} },
    { {0}, {1, 32, in_order, W}, {2, 32, in_order, W},
      {4, 32, in_order, C}, {4, 32, in_order, C} } },
  { "gfx1201", 32,
    { {0}, {1, 32, in_order, S}, {2, 32, in_order, S},
      {4, 32, in_order, I}, {4, 32, in_order, S} },
    { {0}, {1, 32, in_order, W}, {2, 32, in_order, W},
      {4, 32, in_order, W}, {4, 32, in_order, W} } },
};
/* clang-format on */

const struct lds_layout *lds_layout_at(size_t i)
{
  if (i == 0)
    return &lds_layout_gfx906;
  return i <= sizeof others / sizeof *others ? &others[i - 1] : NULL;
}

const struct lds_layout *lds_layout_find(const char *arch)
{
  const struct lds_layout *y;
  for (size_t i = 0; (y = lds_layout_at(i)); i++)
    if (!strcmp(y->arch, arch))
      return y;
  return NULL;
}
