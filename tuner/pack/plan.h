/* plan.h - a traced plan as a pack has it. */
// SPDX-License-Identifier: MIT
#ifndef tuner_pack_plan_h
#define tuner_pack_plan_h

#include "arch/arch.h"
#include "gen/trace.h"
#include "ship/maker.h"
#include "tuner/pack/winners.h"

/* The keys of a family, for maker_key(). */
void pack_keys(struct maker *m, const struct family *f);

/* A winner with its code object. Without a trace (a family without the field
 * `serves`) it answers for its own problem alone. *is_new is 0 where the pack
 * has the problem already. */
int pack_add(struct maker *m, const struct arch *a, struct family *f,
             struct winner *w, const struct str *code, int *is_new,
             struct err *e);

/* The problem as maker_winner() and maker_tried() take it. */
void pack_values(const struct family *f, const struct problem *p,
                 int64_t values[FAMILY_KEYS]);

#endif
