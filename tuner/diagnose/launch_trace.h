/* launch_trace.h - a modelled launch, as files that other people's tools read.
 *
 * The simulated device tells what the first waves of a compute unit did, one
 * instruction after the other. Two forms of that:
 *
 *   launch_att     the folder of rocprofv3's advanced thread trace, for
 *                  rocprof-compute-viewer and `tune diagnose`
 *   launch_chrome  Chrome's trace events, for Perfetto and speedscope: a process
 *                  for each SIMD, a thread for each slot of it
 *
 * Every file says that it is modelled.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_diagnose_launch_trace_h
#define tuner_diagnose_launch_trace_h

#include "base/err.h"
#include "base/str.h"
#include "runtimes/sim/hipsim.h"
#include "tuner/diagnose/att.h"

struct launch_trace {
  const char *device;   /* "simulated MI50 (gfx906, 60 CUs), modelled" */
  double clock_mhz;
  struct att_kernel kernel; /* rows by address: bytes from `base` on */
  long base;                /* of the first row: its offset from the entry */
  const struct hipsim_instruction **counted; /* the same rows' counters */
  const struct hipsim_event *events; /* in the order of issue */
  size_t nevents;
};

/* Write into a folder, which is made where it is not there. Each file is there
 * whole or not at all. */
int launch_att(const struct launch_trace *t, const char *folder,
               struct err *e);
int launch_chrome(const struct launch_trace *t, const char *path,
                  struct err *e);

/* The row that an event is of; kernel.nrows where it is of none. */
size_t launch_row(const struct launch_trace *t, const struct hipsim_event *v);

/* Append text as a string of JSON. */
void launch_quote(const char *text, struct str *out);

#endif
