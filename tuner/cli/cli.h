/* cli.h - the program's verbs. Only these print, and only main exits. */
// SPDX-License-Identifier: MIT
#ifndef tuner_cli_h
#define tuner_cli_h

#include "base/err.h"
#include "tuner/options/options.h"

struct verb {
  const char *name, *form, *meaning;
  int (*run)(const struct options *r, struct err *e);
  const char *more; /* for `tune help NAME` */
};

extern const struct verb verb_tune, verb_list, verb_show, verb_emit,
    verb_explain, verb_replay, verb_calibrate, verb_study, verb_pack,
    verb_report, verb_sweep, verb_diagnose, verb_db, verb_help;

const struct verb *cli_verb(size_t i); /* NULL past the last */

/* The whole program: returns its exit status. */
int cli_main(int argc, char **argv);

/* The word after the verb, or ERR_USAGE saying what is missing. */
int cli_word(const struct options *r, size_t i, const char *what,
             const char **out, struct err *e);
/* A notice to stderr; as the stores' callbacks want it. */
void cli_notice(void *user, const char *text);

/* Print "  label        text", in 80 columns or a narrower terminal's. */
void cli_row(const char *label, const char *text);
void cli_rowf(const char *label, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Print a label and, from column `at`, a text that is continued there; where
 * that leaves a narrow terminal too little, on lines of its own. */
void cli_entry(const char *label, size_t at, const char *text);

/* Print lines; one that is too long is continued under its beginning. */
void cli_lines(const char *text);

#endif
