/* kernels.h - for tests: a device with the kernels of some files, and two buffers. */
// SPDX-License-Identifier: MIT
#ifndef tests_sim_kernels_h
#define tests_sim_kernels_h

#include "base/file.h"
#include "tests/sim/launch.h"

#define KERNELS_BUFFER ((size_t)32 << 20)

struct kernels {
  struct rtc rtc;
  struct device dev;
  uint8_t *x, *y;
};

/* files: of tests/sim, one behind the other. 0, or -1. */
static inline int kernels_open(struct kernels *k, const char *const *files, size_t n)
{
  struct str text = {0};
  struct err e;
  int bad = rtc_open(&k->rtc);
  for (size_t i = 0; i < n && !bad; i++) {
    char path[256];
    snprintf(path, sizeof path, SOURCE_DIR "/tests/sim/%s", files[i]);
    bad = file_read(path, 1 << 20, &text, &e); /* behind what is there */
  }
  bad = bad || device_open(&k->dev, &k->rtc, str_text(&text));
  str_free(&text);
  if (bad)
    return -1;
  k->x = arena_alloc(k->dev.arena, KERNELS_BUFFER);
  k->y = arena_alloc(k->dev.arena, KERNELS_BUFFER);
  return 0;
}

#endif
