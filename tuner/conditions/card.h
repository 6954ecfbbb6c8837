/* card.h - what a real card says of itself: clocks, power, temperature,
 * throttling, and which driver and firmware it has.
 *
 * A card is known by its PCI bus id, "0000:63:00.0". Two sources are asked in
 * turn: the files of the driver amdgpu under /sys (card_amdgpu.c), and NVIDIA's
 * library NVML, loaded with dlopen (card_nvml.c). What a source does not say, or
 * says absurdly, is not known: nothing is made up for it.
 *
 * TUNE_SYSFS names another folder than /sys, TUNE_NVML another library than
 * libnvidia-ml.so.1: tests use them.
 *
 * To be called in workers only, since a driver may hang or crash.
 * Sequence: card_open -> { card_read } -> card_close. Errors: ERR_FAILED where
 * no source knows the card, with what each said.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_conditions_card_h
#define tuner_conditions_card_h

#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

/* What holds the clock down. A journal's `throttled` is the sum of these. */
enum throttle {
  THROTTLE_POWER = 1,
  THROTTLE_THERMAL = 2, /* the die, the memory or the regulators are hot */
  THROTTLE_CURRENT = 4,
  THROTTLE_OTHER = 8, /* or the driver does not say what */
};

enum {THROTTLES = 4}; /* kinds */

/* A card at one moment. */
struct reading {
  double sclk_mhz, mclk_mhz, power_w, temp_c; /* 0: not known */
  int throttle; /* the sum of enum throttle; -1: not known */
  /* How long it has throttled in all, by kind, where the card counts that: in a
   * unit of its own. counts: it does. */
  int counts;
  uint32_t held[THROTTLES];
};

/* What nothing is known of. */
#define READING_NONE ((struct reading){.throttle = -1})

struct card;

int card_open(struct card **out, const char *bus_id, struct err *e);
void card_close(struct card *c); /* NULL is nothing */

void card_read(struct card *c, struct reading *out);

/* "" where they are not known. */
const char *card_driver(const struct card *c);
const char *card_firmware(const struct card *c);

/* --- for the sources ------------------------------------------------------ */

struct card {
  struct str driver, firmware;
  const struct card_source *source;
  void *state; /* the source's */
};

struct card_source {
  const char *name;
  int (*open)(struct card *c, const char *bus_id, struct err *e);
  void (*read)(struct card *c, struct reading *out);
  void (*close)(struct card *c);
};

extern const struct card_source card_amdgpu, card_nvml;

/* The value, or 0 (not known) where no card can be like that. */
double card_mhz(double mhz);
double card_watts(double watts);
double card_celsius(double degrees);

#endif
