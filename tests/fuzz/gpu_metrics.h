/* gpu_metrics.h - what must hold of any bytes in amdgpu's file. */
// SPDX-License-Identifier: MIT
#ifndef tests_fuzz_gpu_metrics_h
#define tests_fuzz_gpu_metrics_h

#include <stdlib.h>
#include <string.h>

#include "tuner/conditions/gpu_metrics.h"

static inline void must(int holds)
{
  if (!holds)
    abort();
}

/* What is taken is possible; what is not taken leaves the reading alone. */
static inline void gpu_metrics_any(const void *bytes, size_t n)
{
  struct reading was = {.sclk_mhz = 1, .throttle = 7}, r = was;
  if (gpu_metrics_parse(bytes, n, &r)) {
    must(!memcmp(&r, &was, sizeof r));
    return;
  }
  must(n >= 80);
  must(r.sclk_mhz >= 0 && r.sclk_mhz <= 10000);
  must(r.mclk_mhz >= 0 && r.mclk_mhz <= 10000);
  must(r.power_w >= 0 && r.power_w <= 3000);
  must(r.temp_c >= 0 && r.temp_c <= 150);
  must(r.throttle >= -1 && r.throttle < 1 << THROTTLES);
}

#endif
