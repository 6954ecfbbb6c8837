/* untimed.h - cards of architectures whose model was held to no measurements.
 *
 * Launches there are executed and counted as on any card. A time would be a
 * guess, so that none is given: only a static cost, by which kernels can be
 * ordered.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_untimed_h
#define sim_untimed_h

#include "arch/arch.h"
#include "runtimes/sim/hipsim.h"
#include "runtimes/sim/timing/card.h"

/* What counting needs of a card of an architecture: units, registers, LDS. The
 * other constants are those of the card `like`, and mean nothing. */
void card_of_arch(struct card *c, const struct arch *a, const struct card *like);

/* Cycles of a compute unit in which its parts would be busy one after another:
 * VALU issue on a SIMD, LDS with its bank conflicts, lines asked of the L1; of
 * all launched work, as it fills the card in whole rounds of groups. No wait is
 * in it. */
double static_cost(const struct hipsim_report *r, const struct card *c,
                   double groups);

#endif
