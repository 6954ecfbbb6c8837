/* status.h - what happened to a candidate: the eight words.
 *
 * The same words stand in C, Lua, journal, table, JSON and reports.
 */
// SPDX-License-Identifier: MIT
#ifndef base_status_h
#define base_status_h

enum status { /* ORDER STATUS */
  STATUS_OK,       /* compiled, ran, right result, timed */
  STATUS_RULE,     /* a rule of the family excludes it */
  STATUS_COMPILE,  /* the compiler refused it */
  STATUS_RESOURCE, /* compiled, but exceeds what the device can launch */
  STATUS_LAUNCH,   /* the runtime refused to launch it */
  STATUS_WRONG,    /* ran, result differs from the reference */
  STATUS_TIMEOUT,  /* overran its deadline */
  STATUS_CRASH,    /* the worker died */
  STATUS_N
};

const char *status_name(enum status s);
int status_parse(const char *name); /* a status, or -1 */

#endif
