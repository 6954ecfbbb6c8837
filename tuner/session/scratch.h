/* scratch.h - a temporary folder that goes with the session.
 *
 * hiprtc keeps its files in $TMPDIR while it compiles, and leaves them there
 * when its process is killed in the middle.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_scratch_h
#define tuner_scratch_h

#include "base/str.h"

/* Make a folder in $TMPDIR or /tmp; "" where that cannot be done. */
void scratch_make(struct str *folder);

/* Remove it with all that is in it, and free its name. */
void scratch_remove(struct str *folder);

#endif
