/* routing.h - which rows belong to which group, as a mixture of experts has it.
 *
 * Each token goes to `used` groups, its experts, and has a row of each; rows lie
 * group by group. The last token may have fewer. By ROUTING_ZIPF the groups are
 * ranked in a random order, and the one of rank r is drawn with a probability
 * proportional to 1 / r, again where the token has it already. By ROUTING_SAME all
 * tokens go to the same groups: these have all rows, the others none.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_routing_h
#define tuner_routing_h

#include <stddef.h>
#include <stdint.h>

#include "gen/family.h"

/* Where the rows of group i begin: out[i], for the buffer's elements; the last is
 * the number of all rows. A pure function of the seed and the buffer. */
void routing_offsets(uint64_t seed, const struct buffer *buffer,
                     int32_t *out);

/* The group of a row, or `groups` where the offsets leave it out. */
size_t routing_group(const int32_t *offsets, size_t groups, size_t row);

#endif
