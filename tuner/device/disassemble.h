/* disassemble.h - machine code as the vendor's disassembler prints it.
 *
 * amd_comgr is loaded in a child with a deadline, like everything else that
 * comes with a GPU.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_disassemble_h
#define tuner_disassemble_h

#include "base/err.h"
#include "base/str.h"
#include "arch/arch.h"
#include "runtimes/sim/hipsim.h"

struct listing {
  const char **text; /* of each row; NULL where the code is none it knows */
  size_t n;
  struct str bytes;  /* what they point into */
};

/* The text of n rows; listing_free() it. ERR_FAILED where there is no
 * amd_comgr, or it fails. */
int disassemble(const struct arch *a, const struct hipsim_instruction *rows,
                size_t n, struct listing *out, struct err *e);
void listing_free(struct listing *l);

#endif
