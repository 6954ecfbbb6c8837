/* shapes.h - a file of shapes: a problem a line.
 *
 *     # products that a program asked rocBLAS for, by how often
 *     gemm m=4096 n=512 k=4096 layout=nt dtype=f32 count=12
 *
 * A family, then its keys; `count` is how often it was asked for. What
 * TUNED_BLAS=record:FILE of libtuned_rocblas writes is one. Blank lines and
 * lines that begin with # are passed over.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_shapes_h
#define tuner_shapes_h

#include <stddef.h>

#include "base/err.h"
#include "gen/family.h"

struct shape {
  char *family;
  size_t n;
  char *names[FAMILY_KEYS], *texts[FAMILY_KEYS]; /* without count */
  double count; /* 0: not said */
  int line;
};

/* text is taken apart in place, and is n bytes with a NUL behind them. take()
 * gets each line (0, or its code ends the reading). Errors begin with
 * "path:line: ". */
int shapes_parse(char *text, size_t n, const char *path,
                 int (*take)(void *user, const struct shape *s, struct err *e),
                 void *user, struct err *e);

#endif
