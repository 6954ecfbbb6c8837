/* warnings.h - what to know before any comparison (inside of report only). */
// SPDX-License-Identifier: MIT
#ifndef tuner_report_warnings_h
#define tuner_report_warnings_h

#include "tuner/report/report.h"

/* Fills r->warnings, a sentence each, the weightiest first. */
void warnings_find(struct report *r);

#endif
