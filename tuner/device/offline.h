/* offline.h - clang as a compiler of its own, for targets that hiprtc does not
 * know.
 *
 * It is asked for as a program, in Debian clang-22 with lld-22, and compiles text
 * that brings what HIP's headers would (gen/prelude.hip).
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_offline_h
#define tuner_offline_h

#include "arch/arch.h"
#include "base/err.h"
#include "base/str.h"

/* What to do where there is none: the end of a sentence. */
#define OFFLINE_INSTALL "install clang-22 and lld-22 (Debian 12 has both: " \
                        "apt-get install clang-22 lld-22)"

/* "clang-22.1.8"; ERR_FAILED where there is no such program. */
int offline_version(char *out, size_t room, struct err *e);

/* As compiler_run() of compiler.h. */
int offline_run(const struct arch *a, const char *text, struct str *code,
                struct str *log, struct err *e);

#endif
