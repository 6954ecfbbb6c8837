/* server.h - what serves one request after another, in the order they come:
 * a channel, a link, the address unit. */
// SPDX-License-Identifier: MIT
#ifndef sim_server_h
#define sim_server_h

static inline double later(double a, double b)
{
  return a > b ? a : b;
}

/* A request that comes at t keeps it for `cycles`; *free: when the ones before
 * are done. Returns when it begins. */
static inline double server_take(double *free, double t, double cycles)
{
  double start = later(t, *free);
  *free = start + cycles;
  return start;
}

#endif
