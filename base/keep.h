/* keep.h - memory that is freed all at once, with what it belongs to.
 *
 * Zero-initialise a pointer, keep_bytes() and keep_text() from it, keep_free() it.
 * Running out of memory ends the program with a message (mem.h).
 */
// SPDX-License-Identifier: MIT
#ifndef base_keep_h
#define base_keep_h

#include <stddef.h>

struct keep;

void *keep_bytes(struct keep **k, size_t size); /* zeroed, aligned for all */
const char *keep_text(struct keep **k, const char *text); /* a copy */
void keep_free(struct keep **k);

#endif
