/* search.h - what to try next.
 *
 * A search proposes legal configurations one by one and is told what each
 * cost. Calls come in an order that does not depend on how fast workers are:
 * the session asks until SEARCH_AHEAD proposals (SEARCH_AHEAD_REAL for each real
 * device, but for several no more than a quarter of all) are open or the search wants
 * to wait, then tells the oldest one, and so on. So a seeded search proposes the same configurations
 * on any machine with as many devices and any number of jobs.
 *
 * Sequence: search_open -> search_advise, where there is a guess of what things
 * cost -> { search_ask, search_tell } -> search_close. A configuration is proposed
 * at most once.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_search_h
#define tuner_search_h

#include <stdint.h>

#include "gen/space.h"

/* What a configuration may cost, by a guess that is cheap to ask for: of some
 * unit, and good for comparing two. Always the same for the same one; INFINITY
 * where there is none. */
struct prior {
  double (*guess)(void *user, const struct config *c); /* NULL: no guess */
  void *user;
};

enum {
  SEARCH_AHEAD = 8,
  SEARCH_AHEAD_REAL = 48, /* a real device, which many compilers feed */
};

enum search_answer {
  SEARCH_END,    /* nothing is left to propose */
  SEARCH_CONFIG, /* *c is the next */
  SEARCH_WAIT,   /* tell me what an open proposal cost first */
};

/* One way to search: search_NAME.c has one of these. */
struct search_ops {
  const char *name, *meaning;
  void *(*open)(struct space *s, uint64_t seed);
  enum search_answer (*ask)(void *state, struct config *c);
  void (*tell)(void *state, const struct config *c, double cost);
  void (*close)(void *state);
  void (*advise)(void *state, struct prior p); /* NULL: it takes no advice */
};

extern const struct search_ops search_bayes, search_random,
    search_exhaustive;

enum {SEARCH_MOST = 16}; /* in one list */

/* The searches that tune a kernel, the default first; ends with NULL. */
extern const struct search_ops *const search_list[];

/* One of a list by its name; NULL is the list's first. ERR_USAGE with the
 * nearest name where there is no such search. */
int search_find(const struct search_ops *const *list, const char *name,
                const struct search_ops **out, struct err *e);

struct search {
  const struct search_ops *ops;
  void *state;
};

struct search search_open(const struct search_ops *ops, struct space *s,
                          uint64_t seed);
void search_advise(struct search *s, struct prior p);
enum search_answer search_ask(struct search *s, struct config *c);
/* cost: the time, or INFINITY where the candidate is of no use. */
void search_tell(struct search *s, const struct config *c, double cost);
void search_close(struct search *s);

#endif
