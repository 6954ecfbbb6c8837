/* rocm.h - where ROCm's libraries are: a distribution's, or AMD's in /opt.
 *
 * A library has several names, newest first. Looked at in this order: all of
 * them in the folder of ROCM_PATH; then each of them where the loader finds it
 * (a distribution's packages, LD_LIBRARY_PATH), in /opt/rocm, and in
 * /opt/rocm-VERSION, newest first.
 */
// SPDX-License-Identifier: MIT
#ifndef base_rocm_h
#define base_rocm_h

#include <limits.h>
#include <stddef.h>

#include "base/err.h"

#define ROCM_OPT "/opt" /* the folder that AMD's packages install into */

/* What to do where a library is missing, to end a message with. */
#define ROCM_INSTALL "install the package libamdhip64-dev, or name the " \
                     "folder of AMD's ROCm by ROCM_PATH"

struct rocm_paths {
  size_t n;
  char **at; /* a path, or a name for the loader */
};

/* Every place where a library of these names may be; names ends with NULL. */
void rocm_paths(struct rocm_paths *out, const char *opt,
                const char *const *names);
void rocm_paths_free(struct rocm_paths *p);

/* dlopen() the first that loads, or NULL and what the loader said of one that
 * is there, else of the last. */
void *rocm_open(const char *const *names, struct err *e);

/* As rocm_open(), but from the folder of the library that holds `symbol`
 * where it is there too: a compiler goes with its own. */
void *rocm_open_beside(const void *symbol, const char *const *names,
                       struct err *e);

/* The file of the library that holds `symbol`, links resolved; "": unknown. */
void rocm_file(const void *symbol, char out[PATH_MAX]);

#endif
