/* health.h - device health: is the device well, and how fast is it now?
 *
 * A health check runs one small kernel that a device in order always computes
 * right: each thread goes through a chain of dependent multiplications whose
 * last value is known. The kernel touches no memory but its result, so its time
 * is that of a known number of clocks: where the time changes, the clock did.
 *
 * Sequence: health_text is compiled once (device_code()); health_once() while
 * devices are looked for; health_time() in each new worker of a real device
 * and once at the end of a run; health_add() and health_format() for the report.
 * Nothing is owned. Errors: ERR_FAILED with a sentence.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_health_h
#define tuner_health_h

#include "base/str.h"
#include "tuner/device/hip.h"

extern const char health_text[]; /* HIP, to be compiled for the target */

struct health_check {
  double us;      /* the kernel's time: a median */
  double wall_us; /* a train of launches, by our clock */
  double event_us; /* the same train, by the device's events */
};

/* The health checks of a run that gave the right result. */
struct health {
  unsigned n;
  struct health_check first, last;
};

/* `later` was seen after what `all` has. */
void health_add(struct health *all, const struct health *later);
/* Append how fast the device was before and after, and whether its clock is
 * ours; nothing where no check was made. */
void health_format(const struct health *h, struct str *out);

/* Run the kernel once in one workgroup. ERR_FAILED: the device is not well, or
 * does not run the code. */
int health_once(const struct hip *h, const struct str *code, struct err *e);

/* Run the kernel on all of cus, check its result and time it. */
int health_time(const struct hip *h, const struct str *code, int cus,
                struct health_check *out, struct err *e);

#endif
