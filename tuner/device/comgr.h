/* comgr.h - amd_comgr: the LLVM inside hiprtc, which also disassembles.
 *
 * To be loaded in a child with a deadline only, like everything that comes
 * with a GPU.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_comgr_h
#define tuner_comgr_h

/* ROCm 6 deprecates the header that ROCm 5.2 has only. */
#if __has_include(<amd_comgr/amd_comgr.h>)
#include <amd_comgr/amd_comgr.h>
#else
#include <amd_comgr.h>
#endif

#include "base/err.h"
#include "base/str.h"

struct comgr {
  __typeof__(&amd_comgr_get_isa_count) isa_count;
  __typeof__(&amd_comgr_get_isa_name) isa_name;
  __typeof__(&amd_comgr_create_disassembly_info) create;
  __typeof__(&amd_comgr_disassemble_instruction) disassemble;
};

/* The one beside the library that holds the symbol `beside`, if there is one;
 * NULL: the newest. */
int comgr_open(struct comgr *c, const void *beside, struct err *e);

/* The targets that it knows: "gfx900 gfx902 ...". */
void comgr_targets(const struct comgr *c, struct str *out);

#endif
