/* source.h - the files of a family and where they come from.
 *
 * A family is NAME.lua and NAME.hip, and the parts that these include by
 * `include "FILE"`: FILE is looked for beside the family's own files, then
 * among those in the program. Each is read once, when the family is opened:
 * the name must stand there in quotes.
 */
// SPDX-License-Identifier: MIT
#ifndef gen_source_h
#define gen_source_h

#include <stddef.h>

#include "base/err.h"
#include "base/str.h"

/* The files of templates/ at build time, by their path in it; ends with a
 * NULL name. */
struct embedded {
  const char *name;
  size_t size;
  const char *bytes;
};
extern const struct embedded embedded_files[];

const struct embedded *embedded_find(const char *name); /* NULL: none */

struct file {
  struct str name; /* of a part: what its include says */
  struct str path; /* as errors name it: templates/gemm.lua */
  struct str text;
};

/* The family's own files; parts follow. */
enum {SOURCE_LUA, SOURCE_HIP, SOURCE_PARTS, SOURCE_FILES = 48};

struct source {
  struct str name; /* gemm */
  int on_disk;     /* its own files are; else they are the program's */
  size_t n;
  struct file file[SOURCE_FILES];
};

/* By name, from folder (may be NULL) or the program; or by path, which holds
 * a '/' or ends in ".lua". On error s is left empty. */
int source_open(struct source *s, const char *name, const char *folder,
                struct err *e);
void source_free(struct source *s);

/* The number of the part of that name; s->n if there is none. */
size_t source_part(const struct source *s, const char *name);
int source_is_text(const struct file *f); /* a .hip, not a .lua */

/* Names of the embedded families and those of folder (may be NULL), sorted;
 * *out is one allocation to free(). */
size_t source_list(const char *folder, char ***out);

#endif
