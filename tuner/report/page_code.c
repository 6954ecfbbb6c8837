/* page_code.c - numbers as the page has them: see page.h. */
// SPDX-License-Identifier: MIT
#include <math.h>

#include "tuner/report/page.h"

/* ORDER STEP: tuner/report/page/data.js turns it back. */
#define LEAST_US 0.01
#define LOG_RANGE 23.02585092994046 /* ln(1e10): up to 1e8 us */

unsigned page_step(double us)
{
  if (!(us > 0))
    return 0;
  double at = log(us / LEAST_US) / LOG_RANGE;
  return 1 + (unsigned)lround(65534 * fmin(1, fmax(0, at)));
}

void page_base64(const void *bytes, size_t n, struct str *out)
{
  static const char digits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const unsigned char *b = bytes;
  for (size_t i = 0; i < n; i += 3) {
    unsigned long v = (unsigned long)b[i] << 16;
    v |= i + 1 < n ? (unsigned long)b[i + 1] << 8 : 0;
    v |= i + 2 < n ? b[i + 2] : 0;
    char four[4] = {digits[v >> 18], digits[v >> 12 & 63],
                    i + 1 < n ? digits[v >> 6 & 63] : '=',
                    i + 2 < n ? digits[v & 63] : '='};
    str_add_bytes(out, four, 4);
  }
}
