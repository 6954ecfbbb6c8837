/* sweep_file.h - a sweep file: what is to be tuned, as data.
 *
 *   return {
 *     arch = "gfx906",
 *     evals = 40,
 *     problems = {
 *       lds {}, dot {},
 *       gemm { m = { 1, 8, 512 }, n = 4096, k = 4096, layout = "nt" },
 *       shapes "llama.shapes",
 *     },
 *   }
 *
 * docs/sweeps.md says what may stand in it. The file is Lua in the sandbox of
 * families: no files, no system, limits on steps, time and memory. Its errors
 * name file:line and what to do.
 *
 * sweep_file_read -> ... -> sweep_file_free, which may be called on one that
 * could not be read. All strings live until then.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_sweep_file_h
#define tuner_sweep_file_h

#include "base/hash.h"
#include "base/keep.h"
#include "db/night.h"
#include "gen/family.h"
#include "tuner/options/options.h"

enum {
  SWEEP_PROBLEMS = 100000, /* of one file */
  SWEEP_FAMILIES = 32,
  SWEEP_ARCHS = 16,
  SWEEP_TERMS = 16, /* options that a sweep file may set */
};

struct sweep_pair {
  const char *name, *text; /* text NULL: a flag */
};

/* One problem, of all architectures, as it stands in the file. */
struct sweep_entry {
  size_t family; /* in sweep_file.families */
  const struct sweep_pair *keys, *terms; /* of the problem; options of its own */
  size_t nkeys, nterms;
  const char *file; /* where it stands */
  int line;
  double count; /* how often a program asked for it; 0: not said */
  int recorded; /* it stands in a file of shapes */
};

struct sweep_family {
  const char *name; /* as task_open() takes it: a name, or a path */
  struct family *family;
};

/* What is done with a problem that has not changed. */
enum sweep_unchanged { /* ORDER SWEEP_UNCHANGED */
  UNCHANGED_KEEP,    /* nothing */
  UNCHANGED_MEASURE, /* winner and runner-up are timed again */
  UNCHANGED_NEAR,    /* the winners of the nearest problems are timed on it */
  UNCHANGED_N
};

struct sweep_file {
  struct str path, folder;
  char name[NIGHT_STAMP]; /* of the sweep: the file's, without .lua */
  char hash[HASH_TEXT];   /* of its text, and of the files of shapes */
  const char *device;     /* NULL: not said */
  double night;           /* seconds of all of it; 0: not said */
  enum sweep_unchanged unchanged;
  int arch_line;          /* where arch is given; 0: not found */
  size_t narchs, nfamilies, nterms, n;
  const char *archs[SWEEP_ARCHS];
  struct sweep_family families[SWEEP_FAMILIES];
  struct sweep_pair terms[SWEEP_TERMS]; /* options for all problems */
  struct sweep_entry **list;            /* the problems, as the file has them */
  /* while it is read */
  const char *templates;
  struct keep *kept; /* memory that lives as long as the file */
  struct sweep_entry *made; /* by the file's calls, used or not */
  size_t nmade, room;
  struct str hashed;
};

/* templates: a folder of families, or NULL. */
int sweep_file_read(struct sweep_file *out, const char *path,
                    const char *templates, struct err *e);
void sweep_file_free(struct sweep_file *f);

/* The options of one problem: the command line's, beneath them those of the
 * entry, beneath them those of the file. `seconds` of the command line are the
 * night's, and do not count here. */
int sweep_file_options(const struct sweep_file *f, const struct sweep_entry *x,
                       const struct options *line, struct options *out,
                       struct err *e);

#endif
