/* complete.h - a configuration of which only some tunables are given. */
// SPDX-License-Identifier: MIT
#ifndef tuner_complete_h
#define tuner_complete_h

#include "tuner/session/task.h"

/* The configuration with the values of `sets` ("path=dpp,ilp=4"), all of them
 * together. Tunables left out are as in `base` or, where that is NULL, as in
 * the space's first legal configuration. Where a rule excludes that, they are
 * as in the first legal configuration that has the given values. Where there is
 * none, *out stays illegal: space_rule() says why. */
int complete(const struct task *k, const struct config *base,
             const char *const *sets, size_t n, struct config *out,
             struct err *e);

#endif
