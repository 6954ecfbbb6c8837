/* problem.h - a problem's values by name, and its text form. */
// SPDX-License-Identifier: MIT
#ifndef tuner_problem_h
#define tuner_problem_h

#include "gen/family.h"

/* The value of a key, or NULL where the family has no such key. */
const struct value *problem_value(const struct family *f,
                                  const struct problem *p, const char *name);
/* For references, which name keys that their families must have. */
long long problem_int(const struct family *f, const struct problem *p,
                      const char *name);
double problem_num(const struct family *f, const struct problem *p,
                   const char *name);
const char *problem_text(const struct family *f, const struct problem *p,
                         const char *name);

/* m=4096,n=4096,layout=nn: how a problem is written everywhere. Quiet keys are
 * left out where they have their default. */
void problem_format(const struct family *f, const struct problem *p,
                    struct str *out);

/* The problem that is written so, where empty pairs do not count: 0, or a code with e,
 * which may be NULL. The family's arch must be set: family_set_arch(). */
int problem_parse(struct family *f, const char *text, struct problem *out,
                  struct err *e);

/* Of one family: are all values the same? */
int problem_equal(const struct problem *a, const struct problem *b);

/* The bytes that a plan's buffers take. */
double plan_bytes(const struct plan *plan);

#endif
