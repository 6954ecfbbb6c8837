/* db.h - the verbs of `tune db`. */
// SPDX-License-Identifier: MIT
#ifndef tuner_cli_db_h
#define tuner_cli_db_h

#include "base/err.h"
#include "tuner/options/options.h"
#include "tuner/store/files.h"

/* words[0] is db, words[1] the verb. */
int db_check(const struct options *r, struct err *e);
int db_merge(const struct options *r, struct err *e);
int db_prune(const struct options *r, struct err *e);
int db_export(const struct options *r, struct err *e);
int db_fit(const struct options *r, struct err *e);
int db_import(const struct options *r, struct err *e);

/* The files that the words after the verb name; without any, the store's. */
int db_files(const struct options *r, struct store_files *out, struct err *e);

#endif
