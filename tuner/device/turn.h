/* turn.h - real devices are used by one worker at a time.
 *
 * Two kernels that run at once take each other's memory bandwidth and clock:
 * both times would be wrong. So who times on a device has its turn, by a lock on
 * a file of the device's PCI address in /run/lock or /tmp, whichever process,
 * store and user it belongs to. The lock goes with the process that has it.
 * Programs that are not tune do not ask for it.
 *
 * Sequence: turn_open -> { turn_take -> turn_give } -> turn_close.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_turn_h
#define tuner_turn_h

#include "base/err.h"
#include "tuner/device/device.h"

struct turn {
  int file; /* -1: nobody is waited for */
};

/* A simulated device is each process's own, and has no turns; neither has one
 * where no file can be made, or whose address is not known. */
struct turn turn_open(const struct device *d);
void turn_close(struct turn *t);

/* Wait for the turn. alive(user) is called about once a second meanwhile, and
 * at the end of a wait. ERR_FAILED: another process has had the device for ten
 * minutes. */
int turn_take(struct turn *t, void (*alive)(void *user), void *user,
              struct err *e);
/* Others that wait come first: returns when one has begun, or soon. */
void turn_give(struct turn *t);

#endif
