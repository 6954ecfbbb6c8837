/* probe.h - is the device well, and how fast does it run just now?
 *
 * The probe is a kernel that every device runs right, whatever became of the
 * last candidate: each thread counts through a chain of dependent
 * multiplications whose end is known. It touches no memory but its result, so
 * that its time is that of a known number of clocks.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_probe_h
#define tuner_probe_h

#include "base/str.h"
#include "tuner/device/hip.h"

extern const char probe_text[]; /* HIP, to be compiled for the target */

struct probe {
  double us;      /* the kernel's time: a median */
  double wall_us; /* a train of launches, by our clock */
  double event_us; /* the same train, by the device's events */
};

/* The probes of a run that were right. */
struct drift {
  unsigned n;
  struct probe first, last;
};

/* `later` was seen after what `all` has. */
void drift_add(struct drift *all, const struct drift *later);
/* Append how fast the device was before and after, and whether its clock is
 * ours; nothing where there was no probe. */
void drift_format(const struct drift *d, struct str *out);

/* Run it once in one workgroup. ERR_FAILED: the device is not well, or does
 * not run the code. */
int probe_once(const struct hip *h, const struct str *code, struct err *e);

/* Run it on all of cus, right and timed. */
int probe_time(const struct hip *h, const struct str *code, int cus,
               struct probe *out, struct err *e);

#endif
