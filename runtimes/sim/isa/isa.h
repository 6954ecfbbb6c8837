/* isa.h - the architectures whose code is executed, and how they differ.
 *
 * Those of one encoding follow one another: each has the instructions of the one
 * before, less what its ops_*.def calls gone, with what that adds. A row says
 * the rest by capabilities; nothing outside of isa.c asks for a name.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_isa_h
#define sim_isa_h

#include <stdint.h>

enum agprs {AGPRS_NONE, AGPRS_APART, AGPRS_UNIFIED};
/* How matrix cores add products of floats of less than 32 bits: pairwise, each
 * sum rounded, or aligned to the largest, rounded once. */
enum matrix_sums {SUMS_NONE, SUMS_PAIRWISE, SUMS_ALIGNED};

/* Which bits of its dwords are an instruction's opcode and operands. */
enum encoding_of {ENCODING_GFX9, ENCODING_GFX12};

struct isa {
  const char *name;    /* gfx90a */
  uint16_t number;     /* as HIP numbers it: for letters 10 and on, as 910 */
  uint8_t index;       /* in the table, and the last of its opcode tables */
  uint8_t base;        /* the first of them */
  uint8_t encoding;    /* enum encoding_of */
  uint8_t lanes;       /* of a wave: 64, or 32 */
  uint8_t mach;        /* of an ELF header's flags */
  uint8_t generic;     /* the same of code for several; 0: there is none */
  const char *generic_name;
  uint8_t agprs;       /* enum agprs: of a file of their own, or the end of the
                          VGPRs' where the descriptor divides it */
  uint8_t vgpr_granule; /* of a kernel descriptor */
  uint8_t even;        /* wide VGPR operands begin at an even number */
  uint8_t packed_ids;  /* a work-item's three ids are in v0, 10 bits each */
  uint8_t own_scratch; /* hardware knows a wave's private memory: no SGPRs */
  uint8_t matrix_sums; /* enum matrix_sums (run/matrix_sum.c, matrix_aligned.c) */
  uint8_t fast_matrix; /* one product of less than 32 bits, and of xf32, takes
                          half the passes */
  uint8_t late_matrix; /* its results come a wait state later; doubles take
                          twice the passes */
  uint8_t flushes_matrix; /* 16-bit floats there, and their sums, lose what is
                             subnormal */
  uint8_t row_share;   /* DPP has row_newbcast */
  uint8_t wide_dma;    /* buffer loads of 12 and 16 bytes can go to LDS */
  uint8_t ocp;         /* 8-bit floats are OCP's, not those with one zero */
  uint8_t signed_offset; /* an offset of 32 bits beside an address in SGPRs is */
  uint8_t lane_addresses; /* flat addresses of private memory name the lane */
  uint8_t no_ieee;     /* MODE has no IEEE and no DX10_CLAMP: floats are clamped
                          as with the latter, compared as without the former */
  uint8_t keeps_half;  /* 16-bit results leave the other half of a VGPR alone */
  uint8_t compares_last; /* LDS: of a compare and swap's data the second is what
                            is compared, not the first */
  uint8_t sgprs;       /* every wave has so many; 0: as the descriptor says */
  uint8_t modelled;    /* its launches go through the timing model */
  uint8_t clusters;    /* workgroups run in clusters, whose place in the grid is
                          in TTMPs */
  uint32_t lds_most;   /* bytes of a compute unit's LDS, which M0 spans */
};

enum {ISAS = 6};

const struct isa *isa_at(unsigned n); /* NULL past the last */
const struct isa *isa_find(const char *name); /* NULL: not executed */

#endif
