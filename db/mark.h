/* mark.h - how long a journal was: JOURNAL.mark (inside db only).
 *
 * A file that is only ever appended to does not show that its end was cut off
 * between two lines. The mark does: after each append its length is written
 * here, as one record in place. It may be behind, where a writer died between
 * the two, but never ahead. Without it nothing is lost but this knowledge.
 */
// SPDX-License-Identifier: MIT
#ifndef db_mark_h
#define db_mark_h

#include <sys/types.h>

#include "base/str.h"

/* For mark_set(); -1 where it cannot be made. */
int mark_open(const char *journal);
/* Under the journal's lock. */
void mark_set(int fd, off_t bytes);

/* The length that was written last; 0 where there is no mark. *bad: it is
 * damaged. Read it before the journal. */
off_t mark_get(const char *journal, int *bad);

#endif
