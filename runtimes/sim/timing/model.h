/* model.h - the timing model: how long a launch would take on a card.
 *
 * One compute unit is simulated, instruction by instruction, with the
 * workgroups that occupancy puts there; the grid is extrapolated from it.
 * docs/model.md says how. Constants stand in one table (card_table.h), each
 * with unit and source.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_model_h
#define sim_model_h

#include "runtimes/sim/run/dispatch.h"
#include "runtimes/sim/timing/totals.h"
#include "runtimes/sim/hipsim.h"

struct card; /* card.h: constants of one card */

struct timing {
  struct hipsim_report report;
  struct counts executed; /* by the groups that were run; nothing estimated */
  size_t n; /* == object->ncode */
  size_t lo, hi; /* of the dwords, what was executed: [lo, hi) */
  struct inst_count *counts; /* by dword from code[0]; timing_free() */
};

/* Simulate the launch; executes the sampled workgroups functionally as it
 * goes, so their results are in memory afterwards. They are taken from `rest`
 * (may be NULL), of which other groups are run where these may wait for
 * them. */
int model_run(const struct dispatch *d, const struct card *card,
              struct timing *out, struct rest *rest, struct fault *fault);
void timing_free(struct timing *t);

/* The same without any sampling: all of CU 0's groups, every instruction in
 * detail. What the sampled time is judged against. */
int model_run_complete(const struct dispatch *d, const struct card *card,
                       struct timing *out, struct rest *rest,
                       struct fault *fault);

#endif
