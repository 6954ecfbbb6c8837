/* texts.h - many kernels compiled, each text once, by several workers. */
// SPDX-License-Identifier: MIT
#ifndef tuner_pack_texts_h
#define tuner_pack_texts_h

#include "tuner/device/compile_worker.h"

struct text {
  uint64_t hash; /* of what is behind the head comment */
  struct str text, code;
  struct err why; /* where it does not compile */
};

struct texts {
  size_t n, room;
  struct text *list;
  size_t cached; /* of those compiled; from the cache */
};

/* The number of this rendering: texts that differ in their head comments alone
 * are one. */
size_t texts_add(struct texts *t, const struct str *rendering);

/* The number of such a text, or t->n where there is none. */
size_t texts_find(const struct texts *t, const struct str *rendering);

/* Compile them all as `job` says (its problem is not used), by so many
 * workers, `limit` seconds each at most. What does not compile has its reason
 * in .why; an error is only what is no text's fault. */
int texts_compile(struct texts *t, struct compile_job *job, size_t workers,
                  double limit,
                  void (*done)(void *user, size_t n, size_t of), void *user,
                  struct err *e);
void texts_free(struct texts *t);

#endif
