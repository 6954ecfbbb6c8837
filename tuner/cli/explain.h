/* explain.h - the parts of `tune explain` that print what a simulated device
 * counted: a table of counters, the kernel's instructions, the same as JSON.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_explain_h
#define tuner_explain_h

#include "tuner/device/device_worker.h"
#include "tuner/device/disassemble.h"
#include "tuner/diagnose/att.h"

/* Counter i under the hardware's name, and whether it counts instructions or
 * waves (report.counted_share), not cycles or lines (report.sampled_share).
 * 0 past the last. */
int explain_counter(size_t i, const struct hipsim_report *r,
                    const char **name, double *value, int *counted);

/* All of them, for people. */
void explain_counters(const struct hipsim_report *r);

/* The kernel's instructions by address with hits, latency and stall. The
 * listing may be empty: then mnemonics stand alone. */
void explain_annotate(const struct explained *x, const struct listing *l);

/* Write what the first waves did into a folder, in the forms of
 * launch_trace.h. The listing should hold every row. */
int explain_trace(const struct explained *x, const struct listing *l,
                  const char *device, const char *folder, struct err *e);

/* The kernel as a thread trace has it, its rows by address; free() k.rows. Its text
 * is that of x and of the listing. */
struct att_kernel explain_kernel(const struct explained *x,
                                 const struct listing *l);

/* What both launches took and did, side by side; both are modelled. The listings
 * may be empty: then nobody knows what a wait waits for. */
void explain_against(const struct explained *ours, const struct listing *our_list,
                     const struct explained *theirs,
                     const struct listing *their_list);

/* A line of counters and, where wanted, one for each instruction. */
void explain_json(const struct explained *x, const struct listing *l,
                  int annotate);

/* The rows in the order of their addresses; free() it. */
size_t *explain_order(const struct explained *x);

/* A row's offset from the kernel's entry; functions may stand before it. */
static inline long explain_offset(const struct hipsim_instruction *row)
{
  return (int32_t)row->offset;
}

#endif
