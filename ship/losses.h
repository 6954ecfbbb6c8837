/* losses.h - what fitted answers of a pack are expected to lose; tuned.h says
 * how. Not part of libtuned. */
// SPDX-License-Identifier: MIT
#ifndef ship_losses_h
#define ship_losses_h

#include "ship/index.h"

/* Set the losses of all classes; `classes` are those of the index, to write. */
void losses_find(const struct index *v, struct pack_class *classes);

#endif
