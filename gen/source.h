/* source.h - where the two files of a family come from. */
// SPDX-License-Identifier: MIT
#ifndef gen_source_h
#define gen_source_h

#include <stddef.h>

#include "base/err.h"
#include "base/str.h"

/* The files of templates/ at build time; ends with a NULL name. */
struct embedded {
  const char *name;
  size_t size;
  const char *bytes;
};
extern const struct embedded embedded_files[];

struct source {
  struct str name;     /* gemm */
  struct str file[2];  /* as errors name them: templates/gemm.lua, .hip */
  struct str text[2];
};

enum { SOURCE_LUA, SOURCE_HIP };

/* By name, from folder (may be NULL) or the program; or by path, which holds
 * a '/' or ends in ".lua". On error s is left empty. */
int source_open(struct source *s, const char *name, const char *folder,
                struct err *e);
void source_free(struct source *s);

#endif
