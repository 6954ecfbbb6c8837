/* isa.c - see isa.h. Sources: LLVM, "User Guide for AMDGPU Backend" (machine
 * numbers, granules, initial registers) and AMDGPU.td (the rest). */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/isa/isa.h"

#include <stddef.h>
#include <string.h>

static const struct isa isas[ISAS] = {
    {.name = "gfx906", .number = 906, .index = 0, .lanes = 64, .modelled = 1, .mach = 0x2f, .generic = 0x51,
     .generic_name = "gfx9-generic", .vgpr_granule = 4,
     .lds_most = 64 << 10},
    {.name = "gfx908", .number = 908, .index = 1, .lanes = 64, .modelled = 1, .mach = 0x30,
     .agprs = AGPRS_APART, .vgpr_granule = 4, .matrix_sums = SUMS_PAIRWISE,
     .lds_most = 64 << 10},
    {.name = "gfx90a", .number = 910, .index = 2, .lanes = 64, .modelled = 1, .mach = 0x3f,
     .agprs = AGPRS_UNIFIED, .vgpr_granule = 8, .even = 1, .packed_ids = 1, .row_share = 1,
     .matrix_sums = SUMS_PAIRWISE, .flushes_matrix = 1, .lds_most = 64 << 10},
    {.name = "gfx942", .number = 942, .index = 3, .lanes = 64, .modelled = 1, .mach = 0x4c, .generic = 0x5f,
     .generic_name = "gfx9-4-generic", .agprs = AGPRS_UNIFIED,
     .vgpr_granule = 8, .even = 1, .packed_ids = 1, .own_scratch = 1,
     .row_share = 1, .matrix_sums = SUMS_ALIGNED, .fast_matrix = 1,
     .lds_most = 64 << 10},
    {.name = "gfx950", .number = 950, .index = 4, .lanes = 64, .modelled = 1, .mach = 0x4f, .generic = 0x5f,
     .generic_name = "gfx9-4-generic", .agprs = AGPRS_UNIFIED,
     .vgpr_granule = 8, .even = 1, .packed_ids = 1, .own_scratch = 1,
     .row_share = 1, .wide_dma = 1, .ocp = 1,
     .matrix_sums = SUMS_ALIGNED /* assumed */, .fast_matrix = 1,
     .late_matrix = 1, .lds_most = 160 << 10},
    {.name = "gfx1250", .number = 1250, .index = 5, .base = 5, .lanes = 32,
     .mach = 0x49, .encoding = ENCODING_GFX12, .vgpr_granule = 16, .even = 1,
     .packed_ids = 1, .own_scratch = 1, .row_share = 1, .ocp = 1,
     .signed_offset = 1, .lane_addresses = 1, .no_ieee = 1, .keeps_half = 1,
     .compares_last = 1, .sgprs = 128, .clusters = 1, .lds_most = 320 << 10},
};

const struct isa *isa_at(unsigned n)
{
  return n < ISAS ? &isas[n] : NULL;
}

const struct isa *isa_find(const char *name)
{
  for (unsigned n = 0; n < ISAS; n++)
    if (!strcmp(isas[n].name, name))
      return &isas[n];
  return NULL;
}
