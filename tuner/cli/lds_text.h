/* lds_text.h - one LDS access as its banks see it, in words. */
// SPDX-License-Identifier: MIT
#ifndef tuner_lds_text_h
#define tuner_lds_text_h

#include "base/str.h"
#include "arch/lds_banks.h"
#include "gen/lds_access.h"

/* All cycles of the access, and those of them that are conflicts. */
unsigned lds_access_cycles(const struct lds_layout *y,
                           const struct lds_access *a, unsigned *conflicts);

/* Append a paragraph of at most 80 columns: the instruction and its cycles,
 * then each phase with the lanes that land in each bank:
 *
 *   phase 0, lanes 0-3 20-23: 4 cycles
 *     banks  0-3: 0 1 20 21   4-7: 2=3 22 23
 *
 * Lanes with a blank between them want different words of these banks, one
 * cycle each; lanes with = between them, or a dash for all from one to the
 * other, want the same. */
void lds_text(const struct lds_layout *y, const struct lds_access *a,
              struct str *out);

#endif
