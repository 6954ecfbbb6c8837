/* device.h - a device, and how it is found.
 *
 * Everything that touches a GPU library runs in a child with a deadline, one
 * child a library, so that a runtime that hangs or crashes costs a line of
 * explanation and no more.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_device_h
#define tuner_device_h

#include <limits.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"
#include "arch/arch.h"
#include "tuner/device/compiler.h"

struct device {
  char library[PATH_MAX]; /* "" for the usual names of the HIP runtime */
  int index;              /* in its runtime */
  int number;             /* as --device takes it; -1: simulated */
  int modelled;           /* simulated: no time of it is measured ... */
  int counted;            /* ... and there is none at all, but a cost */
  int fits;               /* runs code of the arch that was asked for */
  char name[128];
  char arch[32]; /* "" where the runtime does not say */
  int cus;
  double memory;                     /* bytes */
  double clock_mhz, l2_bytes;        /* 0 where the runtime does not say */
  double memory_mhz, bus_bits;       /* likewise */
  char runtime[64]; /* its version */
  char bus_id[32];  /* of a card on PCI, "0000:63:00.0"; "": not said */
};

enum {DEVICES = 32};

struct devices {
  size_t n;
  struct device list[DEVICES];
  struct str notes; /* a line for each runtime that gave none, and why */
};

/* All devices of the real runtimes, and the simulated one as a card of arch a;
 * NULL: of each that it can be. With `code`, a code object of that arch, each is
 * tried with it: device.fits. What does not
 * answer until then (clock_now(); 0: no end) is not found. */
void devices_find(struct devices *out, const struct arch *a,
                  const struct str *code, double until);
void devices_free(struct devices *d);

/* What can be read of a real device while kernels run (card.h), or why nothing:
 * a line without its end; nothing for a simulated one. In a child. */
void device_conditions(const struct device *d, struct str *out);

/* The HIP runtimes and the compilers that are here: version and file of each,
 * in the order in which they would be used, and on a line behind it what each
 * compiler compiles for. */
void runtimes_find(struct str *out);
void compilers_find(struct str *out);

/* The compiler's version, and a code object for arch a (of a trivial kernel),
 * which also shows that the compiler can make one; until then at most. */
int device_code(const struct arch *a, char version[COMPILER_VERSION],
                struct str *code, double until, struct err *e);

/* Choose by "auto", "sim", "all" (the first real one) or a number; *why gets a
 * sentence. */
int device_choose(const struct devices *d, const char *wish,
                  const struct arch *a, const struct device **out,
                  struct str *why, struct err *e);

/* The chosen device, and where wish is "all" the others that run the same
 * code. ERR_USAGE where they differ in name, units or memory. */
int device_team(const struct devices *d, const char *wish,
                const struct device *chosen,
                const struct device *team[DEVICES], size_t *n, struct err *e);

/* "measured", "modelled", or "counted": nothing is timed. */
const char *device_source(const struct device *d);

#endif
