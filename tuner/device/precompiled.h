/* precompiled.h - hiprtc's own header, read once and not for every candidate.
 *
 * hiprtc has clang include hiprtc_runtime.h before each program: 9,000 lines, which
 * take 0.1 s. Like GCC, clang takes FILE.pch for an included FILE where the folder that
 * the process is in has one. hiprtc itself makes that file, by options that stop clang
 * behind its front end; it is kept in the cache of compiled code, for each compiler and
 * its options. The code that comes out is the same, byte for byte. Nothing here
 * fails: where the file cannot be made, or clang does not like it, programs are
 * compiled as they would be without.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_precompiled_h
#define tuner_precompiled_h

#include "tuner/device/compiler.h"

struct precompiled {
  const struct arch *arch;
  struct str folder; /* of the cache, with the file; "": there is no cache */
  int tried;         /* to make it: a process does so once, before it compiles */
  int sound;         /* it is as it was made, which is looked at once */
};

/* cache: cache_folder(); compiler: compiler_version(). */
void precompiled_open(struct precompiled *p, const struct arch *a, const char *cache,
                      const char *compiler);
void precompiled_close(struct precompiled *p);

/* As compiler_run(). */
int precompiled_run(struct precompiled *p, const struct rtc *r, const char *file,
                    const char *text, struct str *code, struct str *log, struct err *e);

/* Where the file is, or would be. */
void precompiled_path(const struct precompiled *p, struct str *out);

#endif
