/* tried.h - what other kernels took on the problems of a pack's winners. */
// SPDX-License-Identifier: MIT
#ifndef tuner_pack_tried_h
#define tuner_pack_tried_h

#include "gen/family.h"
#include "ship/maker.h"
#include "tuner/pack/texts.h"
#include "tuner/pack/winners.h"

/* Rows have in `tried` the times that configurations of other winners took on
 * their problem. text[i] is the number of winner i's text: a time belongs to the
 * kernels whose text is the one that this configuration has for this problem. */
int pack_tried(struct maker *m, struct family *f, const struct winners *w,
               const struct texts *texts, const size_t *text, struct err *e);

#endif
