/* advice.h - what to change, in sentences. */
// SPDX-License-Identifier: MIT
#ifndef tuner_diagnose_advice_h
#define tuner_diagnose_advice_h

#include "base/str.h"
#include "tuner/diagnose/diagnose.h"

/* Append the sentences about a finding in k; arch: its name, or NULL. */
void advice(const struct finding *f, const struct att_kernel *k,
            const char *arch, struct str *out);

/* Append the thresholds that a finding crosses, in sentences. */
void advice_limits(int banks, struct str *out);

#endif
