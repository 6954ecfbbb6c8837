/* stored.h - a row of the store in the words of its family.
 *
 * Rows outlive the files that they were made from: where problem or
 * configuration are none of the family's any more, the row does not fit, and
 * nothing but its own fields can be told of it.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_session_stored_h
#define tuner_session_stored_h

#include "arch/arch.h"
#include "db/record.h"
#include "gen/figure.h"

struct stored {
  const struct record *row; /* the caller's */
  int stale; /* its kernels have changed since: kernel_hash.h */
  int fits;  /* if so, what follows is known */
  struct problem problem;
  struct config config;
  struct plan plan;
};

/* The family's arch must be set: family_set_arch(). */
void stored_read(struct family *f, const struct record *row,
                 struct stored *out);

/* Its rate, and the share of the peak of so many CUs of the arch; 0 where
 * they are not known. */
double stored_rate(const struct stored *s, const struct quantity **unit);
double stored_share(const struct stored *s, const struct arch *a);

/* The keys that it takes to name the problem, as "m=64,layout=nt"; "" for the
 * family's default problem. */
void stored_brief(struct family *f, const struct stored *s, struct str *out);

#endif
