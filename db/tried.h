/* tried.h - the field `tried` of a row: times that configurations have on its problem, its
 * own and those of winners of near problems, each named by its hash:
 * "d34db33f:12.5,...". Where nothing is timed they are costs.
 */
// SPDX-License-Identifier: MIT
#ifndef db_tried_h
#define db_tried_h

#include "base/str.h"

enum {
  TRIED_NAME = 9,  /* of a configuration: 8 digits of its hash, and a NUL */
  TRIED_MOST = 64, /* entries of a row */
};

void tried_name(const char *config, char out[TRIED_NAME]);

/* The next entry of *text, which moves behind it; 0 at the end. Damaged ones are passed
 * over. */
int tried_next(const char **text, char name[TRIED_NAME], double *time);

/* Append an entry, where the list does not have that name and is not full. */
void tried_add(struct str *list, const char name[TRIED_NAME], double time);

/* Append the entries of `older` in the same way. */
void tried_merge(struct str *list, const char *older);

/* How many entries it has. */
size_t tried_count(const char *text);

/* Has it an entry of that name? */
int tried_has(const char *text, const char *name);

/* Has `text` every name of `other`? */
int tried_holds(const char *text, const char *other);

#endif
