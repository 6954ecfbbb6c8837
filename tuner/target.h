/* target.h - what a request's candidates are compiled and run with. */
// SPDX-License-Identifier: MIT
#ifndef tuner_target_h
#define tuner_target_h

#include "tuner/device.h"
#include "tuner/job.h"

struct target {
  struct devices devices;
  const struct device *device; /* the chosen one */
  struct str why;              /* it was chosen: a sentence */
  char compiler[COMPILER_VERSION];
};

/* Find compiler and device for the job, and refuse a problem that does not
 * fit into the device's memory. target_close() in any case. */
int target_open(struct target *t, const struct job *j, struct err *e);
void target_close(struct target *t);

#endif
