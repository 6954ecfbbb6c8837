/* night_text.h - the report of a night for people, in at most 80 columns. */
// SPDX-License-Identifier: MIT
#ifndef tuner_night_text_h
#define tuner_night_text_h

#include <stdio.h>

#include "tuner/report/report.h"

void night_text(const struct report *r, FILE *to);

#endif
