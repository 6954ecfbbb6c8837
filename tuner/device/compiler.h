/* compiler.h - text to code object, by hiprtc, or by clang for what hiprtc does
 * not know.
 *
 * To be called in worker processes only: hiprtc can end the process. For a
 * target that is not AMD's, hiprtc is that of libhipcuda: NVRTC.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_compiler_h
#define tuner_compiler_h

#include "base/str.h"
#include "arch/arch.h"
#include "tuner/device/hip.h"

enum {COMPILER_VERSION = 64};

/* The compiler for a: hiprtc where it knows a, else clang (offline.h), which
 * leaves r->library NULL. ERR_FAILED where neither is, with the fix; hiprtc 5.2
 * kills the process on targets that it does not know, and is not asked. */
int compiler_open(struct rtc *r, const struct arch *a, struct err *e);

/* "hiprtc-5.2.21153", from the library's file name where it says so, or
 * "nvrtc-13.0". */
void compiler_version(const struct rtc *r, char out[COMPILER_VERSION]);

/* What the code is compiled with, and so part of what it is cached by. */
void compiler_options(const struct arch *a, struct str *out);

/* The targets that it knows, "gfx900 gfx902 ..."; nothing where it does not
 * say. */
void compiler_targets(const struct rtc *r, struct str *out);

/* 0 and the code, or ERR_FAILED; `log` is the compiler's own either way.
 * Positions in it name `file`. */
int compiler_run(const struct rtc *r, const struct arch *a, const char *file,
                 const char *text, struct str *code, struct str *log,
                 struct err *e);

/* Does r read a header of its own before each program, which compiler_precompile() can
 * spare it (precompiled.h)? */
int compiler_precompiles(const struct rtc *r);
/* Have clang write that header, precompiled, where it puts its output; all that would
 * follow fails, and is not looked at. */
void compiler_precompile(const struct rtc *r, const struct arch *a);

#endif
