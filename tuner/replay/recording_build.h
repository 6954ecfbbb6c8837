/* recording_build.h - how the readers fill in a recording.
 *
 * recording_new -> recording_name for each tunable -> recording_add for each
 * configuration -> recording_done, or recording_close at any time.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_recording_build_h
#define tuner_recording_build_h

#include "tuner/replay/recording.h"

struct recording *recording_new(void);
/* Errors of these are the end of a sentence that starts with the place. */
int recording_name(struct recording *r, const char *name, struct err *e);
size_t recording_tunables(const struct recording *r);
const char *recording_tunable(const struct recording *r, size_t i);
/* One text for each tunable. cost: above 0, or INFINITY: it failed. */
int recording_add(struct recording *r, const char *const *texts, double cost,
                  struct err *e);
/* Sort, make the space; refuses what holds no success or a point twice. */
int recording_done(struct recording *r, struct err *e);

/* The readers: recording_tsv.c, recording_json.c. */
int recording_tsv(struct recording *r, const char *path, const char *bytes,
                  size_t n, struct err *e);
int recording_json(struct recording *r, const char *path, const char *bytes,
                   size_t n, struct err *e);

#endif
