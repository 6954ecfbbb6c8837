/* mem.h - allocation that does not return NULL.
 *
 * For the small things a program needs to go on at all: running out ends the
 * process with a message. Sizes that come from outside (a device buffer, a
 * file) are allocated with malloc and their failure is an error.
 */
// SPDX-License-Identifier: MIT
#ifndef base_mem_h
#define base_mem_h

#include <stddef.h>

void *mem_alloc(size_t size);              /* zeroed */
void *mem_array(size_t n, size_t size);    /* zeroed, n * size checked */
void *mem_resize(void *p, size_t size);    /* new bytes are not zeroed */
char *mem_copy(const char *text);          /* strdup */

#endif
