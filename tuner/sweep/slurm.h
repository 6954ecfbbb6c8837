/* slurm.h - a sweep on many machines, by Slurm: two scripts for sbatch.
 *
 * The first is an array with a task for each shard. A task has a store of its
 * own, STORE-slurm/SWEEP/shard-I-of-N, which begins as a copy of STORE, so that
 * no two machines write one journal. A task whose program is killed asks Slurm to
 * be put back into the queue, SLURM_REQUEUES times at most; what Slurm ends and
 * requeues itself (a failed node, a preemption) begins in the same store. Either
 * way it goes on where it was. The second job begins when all tasks have ended:
 * it merges their stores into STORE, and reports.
 *
 * All machines see the program, the sweep file and the stores under the same
 * paths. Nothing is scheduled here: what Slurm does with the jobs is its own.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_sweep_slurm_h
#define tuner_sweep_slurm_h

#include "tuner/options/options.h"

enum {SLURM_REQUEUES = 5};

struct slurm_plan {
  struct str folder; /* STORE-slurm/SWEEP: scripts, outputs, shards' stores */
  struct str task, merge; /* texts of the scripts */
};

/* What --slurm N, --cpus, --gpus, --partition and the options of the sweep ask
 * for. file, store: as they were given. ERR_USAGE where a path cannot stand in a
 * script of Slurm's. */
int slurm_plan(struct slurm_plan *out, const char *file, const char *store,
               const struct options *line, struct err *e);
void slurm_free(struct slurm_plan *p);

/* Write the scripts and give them to sbatch. The numbers of both jobs, as texts;
 * ERR_FAILED with what sbatch said, and nothing is left in the queue. */
int slurm_submit(const struct slurm_plan *p, struct str *array,
                 struct str *merge, struct err *e);

#endif
