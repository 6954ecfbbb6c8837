/* db.h - the verbs of `tune db`. */
// SPDX-License-Identifier: MIT
#ifndef tuner_cli_db_h
#define tuner_cli_db_h

#include "base/err.h"
#include "tuner/options/options.h"

/* words[0] is db, words[1] the verb. */
int db_merge(const struct options *r, struct err *e);

#endif
