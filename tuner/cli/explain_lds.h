/* explain_lds.h - the part of `tune explain` that shows the LDS. */
// SPDX-License-Identifier: MIT
#ifndef tuner_explain_lds_h
#define tuner_explain_lds_h

#include "tuner/session/task.h"

/* Print how c's accesses fall on the banks, and what would cure conflicts;
 * draw it into the file `svg` where that is given. It is arithmetic: no
 * compiler and no device takes part. *shown is 0 where the family does not say
 * how it accesses LDS, or the arch's lane groups are not known; to ask for a
 * picture is an error then. */
int explain_lds(const struct task *k, const struct config *c, const char *svg,
                int *shown, struct err *e);

#endif
