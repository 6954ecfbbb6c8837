/* options.h - a command line, taken apart.
 *
 * Options stand in one table (options.c), from which `tune help` is printed
 * as well. A `--name value` that is no option is a key of the family's
 * problem, and is judged when the family is known.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_options_h
#define tuner_options_h

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "gen/family.h"

enum {OPTIONS_WORDS = 512, OPTIONS_SETS = 32};

struct options {
  size_t nwords;
  const char *words[OPTIONS_WORDS]; /* what is no option: verb, family */
  const char *arch, *device, *search, *db, *templates, *vary, *svg, *trace;
  const char *study, *out, *header, *against, *launch, *format, *shard, *partition;
  size_t nsets;
  const char *sets[OPTIONS_SETS]; /* --set, all of them together */
  long long evals, jobs, seed, seeds, ahead, budget, best, days, kernels;
  long long slurm, cpus, gpus;
  double seconds, timeout, precision;
  double gate; /* percent; negative: none */
  unsigned retry; /* bits of enum status */
  uint64_t given; /* options, by their place in the table */
  int json, quiet, hot, afresh, annotate, solve, status, dry_run, help, version;
  size_t nkeys;
  const char *names[FAMILY_KEYS], *texts[FAMILY_KEYS]; /* problem keys */
};

/* argv without the program's name. Strings point into argv. */
int options_parse(struct options *r, int argc, char **argv, struct err *e);

/* Set an option by its name, as the command line does; text NULL: a flag.
 * options_forget() lets it have its default again. */
int options_set(struct options *r, const char *name, const char *text,
                struct err *e);
int options_given(const struct options *r, const char *name);
void options_forget(struct options *r, const char *name);

/* Option i for the help page of a verb: "--evals N" (NULL where the verb does
 * not use it) and its meaning; returns 0 past the last. */
int options_help(size_t i, const char *verb, const char **form,
                 const char **meaning);

/* ERR_USAGE where an option was given that the verb does not use, naming those
 * that do. */
int options_uses(const struct options *r, const char *verb, struct err *e);

/* The --arch, which must be given: a name that may be unknown. */
int options_arch(const struct options *r, const char **out, struct err *e);

/* ERR_USAGE where a --name is neither an option nor a key of f, with the
 * nearest of both. f may be NULL: a verb that has no problem. */
int options_keys(const struct options *r, const struct family *f,
                 struct err *e);

#endif
