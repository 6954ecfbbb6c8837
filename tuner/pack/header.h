/* header.h - the kernels of a table as one header of HIP, for other programs.
 *
 * The header needs nothing but HIP: the text of each winner in a namespace of its
 * own, and beside it C++ that says which problems the kernel serves, how much
 * scratch it takes there and how it is launched. These are the formulas of
 * gen/trace.h, written out; so the family must have the field `serves`.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_pack_header_h
#define tuner_pack_header_h

#include "arch/arch.h"
#include "gen/family.h"

struct headed {
  size_t winners, kernels, stale;
};

/* Write the winners of DIR/ARCH/FAMILY.table to the file `path`. */
int header_write(struct family *f, const struct arch *a, const char *dir,
                 const char *path, void (*notice)(void *, const char *),
                 void *user, struct headed *out, struct err *e);

#endif
