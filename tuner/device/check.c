/* check.c - see check.h. */
// SPDX-License-Identifier: MIT
#include "tuner/device/check.h"

#include <math.h>
#include <string.h>

/* How wrong an element is, in units of its bound: 0 is right. A NaN is never
 * right; an infinity is where the result may overflow. */
static double excess(const struct element_ops *ops, const struct expected *x,
                     double got)
{
  if (isinf(got) && fabs(x->want) + x->bound > ops->max)
    return signbit(got) == signbit(x->want) ? 0 : INFINITY;
  double off = fabs(got - x->want);
  if (off <= x->bound)
    return 0;
  return off < INFINITY && x->bound > 0 ? off / x->bound : INFINITY;
}

void check_elements(const struct element_ops *ops, const void *got,
                    const void *before, const struct expected *expected,
                    size_t first, size_t n, struct worst *w)
{
  double most = w->bad ? excess(ops, &(struct expected){w->want, w->bound},
                                w->got) : 0;
  for (size_t i = 0; i < n; i++) {
    const char *at = (const char *)got + i * ops->size;
    const char *old = (const char *)before + i * ops->size;
    struct expected x = expected[i];
    double value = ops->load(at), off;
    if (x.bound < 0) {
      x = (struct expected){ops->load(old), 0};
      off = memcmp(at, old, ops->size) ? INFINITY : 0;
    } else {
      off = excess(ops, &x, value);
    }
    if (off == 0)
      continue;
    if (w->bad++ == 0 || off > most) {
      most = off;
      w->index = first + i;
      w->got = value;
      w->want = x.want;
      w->bound = x.bound;
    }
  }
}

void check_describe(const struct worst *w, const char *buffer,
                    struct str *out)
{
  str_addf(out, "%s[%zu] is %.9g, must be %.9g within %.3g (%zu element%s "
           "wrong)", buffer, w->index, w->got, w->want, w->bound, w->bad,
           w->bad == 1 ? " is" : "s are");
}

int check_bytes(const void *bytes, size_t n, unsigned char byte)
{
  const unsigned char *at = bytes;
  return n == 0 || (at[0] == byte && !memcmp(at, at + 1, n - 1));
}
