/* candidates.h - what the journals have of a night's problems: every candidate
 * that was timed, with its tunables, and which tunable matters.
 *
 * Taken are candidates of the same device and source as the night's winner, of
 * one configuration the last. Tunables and values are those that the journals
 * name, so that no family is needed.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_report_candidates_h
#define tuner_report_candidates_h

#include "tuner/report/nights.h"

enum {
  CANDIDATE_TUNABLES = 32,
  CANDIDATE_VALUES = 250,
  CANDIDATE_NONE = 255, /* in at[]: the tunable was not named */
};

struct candidate {
  float us;
  unsigned char at[CANDIDATE_TUNABLES]; /* value of each tunable */
};

struct tunable_seen {
  uint32_t name;
  size_t n;
  uint32_t value[CANDIDATE_VALUES]; /* in the order in which they were seen */
  double share; /* of the variation of ln(time) that it explains, 0 to 1 */
  double cost[CANDIDATE_VALUES]; /* the best time with a value over the best
                                  * time: geometric mean over problems; NAN */
};

/* One family on one arch. */
struct candidate_family {
  uint32_t arch, family;
  size_t n; /* tunables */
  struct tunable_seen tunable[CANDIDATE_TUNABLES];
  size_t problems, tried; /* that the shares are of */
};

struct candidate_list {
  size_t n, room, failed; /* failed: not counted in n */
  struct candidate *list; /* the fastest first */
  struct candidate winner; /* the night's; us 0: none */
};

struct candidates {
  size_t nfamilies;
  struct candidate_family *families;
  size_t n; /* subjects */
  struct candidate_list *of; /* by subject */
  size_t *family_of;         /* by subject */
};

/* Damaged lines are told; a journal that is not there is empty. The names of s
 * are added to. */
int candidates_read(struct candidates *out, struct nights *s,
                    const char *store, night_notice *notice, void *user,
                    struct err *e);
void candidates_free(struct candidates *c);

/* Fill in share and cost of all families. */
void candidates_weigh(struct candidates *c);

#endif
