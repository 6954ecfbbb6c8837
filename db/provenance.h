/* provenance.h - what a stored result is the answer to, and how it was made.
 *
 * The question: architecture, family, problem; device and CUs; measured,
 * modelled or imported; caches cold or hot. A table has one row for each.
 *
 * The provenance: the question, and what made the result: templates, compiler,
 * runtime, driver, firmware, and the file that it was imported from. Two results
 * of one provenance are two runs of one experiment, so the newer stands for
 * both. Of two provenances neither is the better answer by its date alone. What
 * the search did (seed, candidates tried) is no part of it.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_store_provenance_h
#define tuner_store_provenance_h

#include "db/record.h"

/* An order of records, by the one and then by the other; 0: the same. */
int question_compare(const struct record *a, const struct record *b);
int provenance_compare(const struct record *a, const struct record *b);

/* Hashes of both; of the second, with the question. */
uint64_t question_hash(const struct record *r);
uint64_t provenance_hash(const struct record *r);

/* What differs in how two results were made: "compiler hiprtc-5.2 and
 * hiprtc-6.4"; hashes are cut. */
void provenance_differs(const struct record *a, const struct record *b,
                        struct str *out);

#endif
