/* hip_check.c - HIPSIM_CHECK=race,...: launches are checked (check/check.h).
 *
 * What is found goes to stderr, or behind what stands in HIPSIM_CHECK_FILE. A
 * line at the end of the process says how much that was.
 */
// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtimes/sim/api/hip.h"

hipError_t hip_check_open(struct runtime *r)
{
  const char *words = getenv("HIPSIM_CHECK");
  const char *path = getenv("HIPSIM_CHECK_FILE");
  struct err e = {0};
  unsigned kinds;
  if (!words || !*words)
    return hipSuccess;
  if (check_words(words, &kinds, &e))
    return hip_fail(r, hipErrorNoDevice, "HIPSIM_CHECK: %s", e.text);
  if (!r->isa->modelled && kinds & CHECK_CONFLICTS)
    return hip_fail(r, hipErrorNoDevice, "HIPSIM_CHECK: bank conflicts of %s are "
                    "not counted, nobody published its lane groups; leave out "
                    "conflicts", r->isa->name);
  FILE *out = path && *path ? fopen(path, "ae") : stderr;
  if (!out)
    return hip_fail(r, hipErrorNoDevice, "HIPSIM_CHECK_FILE=%s: %s", path,
                    strerror(errno));
  r->check = check_open(kinds, out);
  return hipSuccess;
}

/* A child that was forked says what it found itself. */
__attribute__((destructor)) static void say_total(void)
{
  struct runtime *r = hip_lock();
  if (r->check && check_launches(r->check))
    check_total(r->check);
  hip_unlock();
}
