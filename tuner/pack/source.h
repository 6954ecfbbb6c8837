/* source.h - the winners of a table as source: a C header and HIP files. */
// SPDX-License-Identifier: MIT
#ifndef tuner_pack_source_h
#define tuner_pack_source_h

#include "arch/arch.h"
#include "gen/family.h"

struct sourced {
  size_t winners, stale, left_out, files;
  struct str header; /* its path */
};

/* Write FOLDER/FAMILY_ARCH.h, and FOLDER/FAMILY_ARCH_N.hip for each kernel.
 * The header is written last. str_free(&out->header) in any case. */
int source_write(struct family *f, const struct arch *a, const char *dir,
                 const char *folder, void (*notice)(void *, const char *),
                 void *user, struct sourced *out, struct err *e);

#endif
