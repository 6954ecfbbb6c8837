/* recording.h - a measured space, to be searched again without its device.
 *
 * Three kinds of files are read, told apart by what they contain:
 *
 *   TSV   tab-separated: a head line of tunables, then `status` and a time
 *         (mean_ms, time_ms, time or median_ms), one configuration a line;
 *         lines that begin with # are comments
 *   T4    JSON results in the schema of the T4 benchmarking community
 *   Kernel Tuner's JSON cache, also one whose run was cut short
 *
 * Configurations that failed are points like others, of infinite cost. What
 * the file does not have is not in the space. Values of a tunable are ordered
 * by size where all of them are numbers, as they come otherwise.
 *
 * A damaged file is refused: ERR_FAILED with file and line (for the entries
 * of T4, with their number).
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_recording_h
#define tuner_recording_h

#include "base/str.h"
#include "gen/space.h"

enum {RECORDING_BYTES = 1 << 30, RECORDING_VALUES = 255};

struct recording;

int recording_read(struct recording **out, const char *path, struct err *e);
/* The same of bytes already read; path is for messages. */
int recording_parse(struct recording **out, const char *path,
                    const char *bytes, size_t n, struct err *e);
void recording_close(struct recording *r);

struct space *recording_space(struct recording *r); /* its own */
size_t recording_size(const struct recording *r);
/* Of a point of the space: milliseconds, or INFINITY where it failed. */
double recording_cost(const struct recording *r, const struct config *c);
/* The times of those that did not fail, the worst first. */
size_t recording_times(const struct recording *r, const double **times);
/* name=value,name=value */
void recording_format(const struct recording *r, const struct config *c,
                      struct str *out);

#endif
