/* target.h - what a task's candidates are compiled and run with. */
// SPDX-License-Identifier: MIT
#ifndef tuner_target_h
#define tuner_target_h

#include "tuner/device/device.h"
#include "tuner/session/task.h"

struct target {
  struct devices devices;
  const struct device *device; /* the chosen one */
  const struct device *team[DEVICES]; /* all that were chosen, it the first */
  size_t nteam;
  struct str health_code;      /* health_text, compiled */
  struct str why;              /* it was chosen: a sentence */
  char compiler[COMPILER_VERSION];
};

/* Find compiler and device: wish is "auto", "all", "sim" or a number.
 * Not later than `until` (clock_now(); 0: no end). target_close() in any
 * case. */
int target_open(struct target *t, const struct arch *a, const char *wish,
                double until, struct err *e);
void target_close(struct target *t);

/* Refuse a problem that does not fit into the device's memory, or that has no
 * legal configuration. */
int target_fits(const struct target *t, const struct task *k, struct err *e);

/* What a measurement of the task on this target is known by in the journal;
 * the caller owns it. */
struct record *target_identity(const struct target *t, const struct task *k);

#endif
