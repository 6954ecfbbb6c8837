/* hostcall.h - what a kernel asks of the host while it runs: printf.
 *
 * The device library puts requests into packets of a buffer, which it finds by
 * a hidden argument, and rings a signal by s_sendmsg; then the wave waits
 * until its packet is marked as done. Here the message itself is the moment
 * to serve it. Layouts are those of the device library (ockl, hostcall) as
 * ROCm's clr serves it (rocclr/device/devhostcall.cpp).
 */
// SPDX-License-Identifier: MIT
#ifndef sim_hostcall_h
#define sim_hostcall_h

#include <stdint.h>

#include "base/str.h"
#include "runtimes/sim/load/arena.h"

struct wave;
struct hostcall;

/* The buffer of one launch. NULL: no device memory for it. */
struct hostcall *hostcall_open(struct arena *arena);
void hostcall_close(struct hostcall *h);
uint64_t hostcall_buffer(const struct hostcall *h); /* guest address */

/* Serve all packets that are ready; w sent the message, and is at fault where
 * one asks for what the host does not do. */
void hostcall_serve(struct hostcall *h, struct wave *w);

/* Where a message goes and what it says: one of printf, the `n` words that
 * came. Returns the number of characters, or -1 where it is damaged. */
int hostcall_format(const uint64_t *words, size_t n, struct str *out,
                    int *to_stderr);

#endif
