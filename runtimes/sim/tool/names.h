/* names.h - under which names the simulator must stand in for HIP's library.
 *
 * Where the loader finds the real library, the simulator goes before it
 * (LD_PRELOAD), and what it lacks, hiprtc above all, stays the real one's.
 * Where it finds none, a link to the simulator has the library's name.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_tool_names_h
#define sim_tool_names_h

#include "base/err.h"

/* Make the links to `library` that the program needs in the folder. Returns
 * how many; -1: an error. */
int names_link(const char *program, const char *library, const char *folder,
               struct err *e);

#endif
