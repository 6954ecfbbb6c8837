/* request.c - see request.h. */
// SPDX-License-Identifier: MIT
#include "tuner/options/request.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/suggest.h"
#include "tuner/search/search.h"

enum kind { FLAG, TEXT, WHOLE, NUMBER, SET };

struct option {
  const char *name, *form, *meaning;
  enum kind kind;
  size_t offset;
  double min, max; /* WHOLE, NUMBER */
};

#define AT(field) offsetof(struct request, field)

// clang-format off
static const struct option options[] = {
  {"arch", "--arch ARCH", "architecture to tune for: `tune list archs`",
   TEXT, AT(arch), 0, 0},
  {"device", "--device auto|all|sim|N", "where to run: a real device if there is one (auto)",
   TEXT, AT(device), 0, 0},
  {"search", "--search NAME", "how to search: `tune list searches` (forest)",
   TEXT, AT(search), 0, 0},
  {"evals", "--evals N", "candidates to try at most (160)",
   WHOLE, AT(evals), 1, 1e9},
  {"seconds", "--seconds S", "stop after S seconds, whatever is left to try",
   NUMBER, AT(seconds), 0.001, 1e9},
  {"seed", "--seed N", "seed of the search and of the data (1)",
   WHOLE, AT(seed), 0, 9e15},
  {"afresh", "--afresh", "do not begin with the winners of near problems",
   FLAG, AT(afresh), 0, 0},
  {"seeds", "--seeds N", "with replay: runs of each search (100)",
   WHOLE, AT(seeds), 1, 10000},
  {"ahead", "--ahead N", "with replay: proposals in flight (8)",
   WHOLE, AT(ahead), 1, 1024},
  {"set", "--set NAME=VALUE,...", "this configuration, not a search",
   SET, AT(sets), 0, 0},
  {"solve", "--solve", "with lds: the pad or XOR for a tile, by arithmetic",
   FLAG, AT(solve), 0, 0},
  {"budget", "--budget BYTES", "with --solve: LDS that tiles may take (the arch's)",
   WHOLE, AT(budget), 1, 1e9},
  {"svg", "--svg FILE", "with explain: draw the LDS as it is hit",
   TEXT, AT(svg), 0, 0},
  {"vary", "--vary NAME", "with explain: compare the values of one tunable",
   TEXT, AT(vary), 0, 0},
  {"annotate", "--annotate", "with explain: hits and cycles, by instruction",
   FLAG, AT(annotate), 0, 0},
  {"study", "--study NAME", "with calibrate: the figures of this study only",
   TEXT, AT(study), 0, 0},
  {"out", "--out DIR", "with study: folder of the report (.)",
   TEXT, AT(out), 0, 0},
  {"jobs", "--jobs N", "compile workers (one per core)",
   WHOLE, AT(jobs), 1, 1024},
  {"timeout", "--timeout S", "seconds a candidate may take (120)",
   NUMBER, AT(timeout), 0.001, 1e6},
  {"precision", "--precision R", "wanted of a median, relative (0.005)",
   NUMBER, AT(precision), 1e-6, 1},
  {"hot", "--hot", "leave the data in the caches between launches",
   FLAG, AT(hot), 0, 0},
  {"db", "--db DIR", "folder of results (TUNE_DB, ~/.local/share/tune)",
   TEXT, AT(db), 0, 0},
  {"templates", "--templates DIR", "folder of families (TUNE_TEMPLATES)",
   TEXT, AT(templates), 0, 0},
  {"json", "--json", "one JSON object a line",
   FLAG, AT(json), 0, 0},
  {"quiet", "--quiet", "no progress on stderr",
   FLAG, AT(quiet), 0, 0},
  {"help", "--help", "this page",
   FLAG, AT(help), 0, 0},
  {"version", "--version", "the version of tune",
   FLAG, AT(version), 0, 0},
};
// clang-format on

enum { OPTIONS = sizeof options / sizeof *options };

int request_option(size_t i, const char **form, const char **meaning)
{
  if (i >= OPTIONS)
    return 0;
  *form = options[i].form;
  *meaning = options[i].meaning;
  return 1;
}

static void defaults(struct request *r)
{
  const char *templates = getenv("TUNE_TEMPLATES");
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  *r = (struct request){.device = "auto", .evals = 160,
                        .seed = 1, .seeds = 100, .ahead = SEARCH_AHEAD,
                        .timeout = 120, .precision = 0.005,
                        .jobs = cores > 0 ? cores : 1};
  if (templates && *templates)
    r->templates = templates;
}

static const struct option *find(const char *name, size_t n)
{
  for (size_t i = 0; i < OPTIONS; i++)
    if (strlen(options[i].name) == n
        && memcmp(options[i].name, name, n) == 0)
      return &options[i];
  return NULL;
}

static int take_number(const struct option *o, const char *text, void *to,
                       struct err *e)
{
  char *end;
  errno = 0;
  double d = strtod(text, &end);
  int whole = o->kind == WHOLE;
  if (end == text || *end || errno || !isfinite(d) || d < o->min
      || d > o->max || (whole && d != floor(d)))
    return err_set(e, ERR_USAGE, "--%s %s: must be a %snumber from %g to %g",
                   o->name, text, whole ? "whole " : "", o->min, o->max);
  if (whole)
    *(long long *)to = (long long)d;
  else
    *(double *)to = d;
  return 0;
}

static int take_set(struct request *r, const char *text, struct err *e)
{
  if (r->nsets == REQUEST_SETS)
    return err_set(e, ERR_USAGE, "--set: at most %d of them", REQUEST_SETS);
  r->sets[r->nsets++] = text;
  return 0;
}

static int take(struct request *r, const struct option *o, const char *text,
                struct err *e)
{
  void *to = (char *)r + o->offset;
  switch (o->kind) {
  case FLAG:
    *(int *)to = 1;
    return 0;
  case TEXT:
    *(const char **)to = text;
    return *text ? 0 : err_set(e, ERR_USAGE, "--%s: needs a value", o->name);
  case SET:
    return take_set(r, text, e);
  case WHOLE:
  case NUMBER:
    return take_number(o, text, to, e);
  }
  return 0;
}

/* A problem key: remember it by a name that ends where it does. */
static int take_key(struct request *r, char *name, size_t n,
                    const char *text, struct err *e)
{
  if (r->nkeys == FAMILY_KEYS)
    return err_set(e, ERR_USAGE, "--%s: too many options", name);
  name[n] = 0; /* cuts the = off; text lies behind it */
  r->names[r->nkeys] = name;
  r->texts[r->nkeys++] = text;
  return 0;
}

/* One --name, --name=value or --name value at argv[*i]. */
static int take_option(struct request *r, int argc, char **argv, int *i,
                       struct err *e)
{
  char *name = argv[*i] + 2;
  size_t n = strcspn(name, "=");
  const struct option *o = find(name, n);
  const char *text = name[n] ? name + n + 1 : NULL;
  if (o && o->kind == FLAG && text)
    return err_set(e, ERR_USAGE, "--%s takes no value", o->name);
  if (!(o && o->kind == FLAG) && !text) {
    if (*i + 1 >= argc || strncmp(argv[*i + 1], "--", 2) == 0)
      return err_set(e, ERR_USAGE, "--%s needs a value", name);
    text = argv[++*i];
  }
  return o ? take(r, o, text, e) : take_key(r, name, n, text, e);
}

int request_parse(struct request *r, int argc, char **argv, struct err *e)
{
  int code = 0;
  defaults(r);
  for (int i = 0; i < argc && !code; i++) {
    const char *word = argv[i];
    if (strcmp(word, "-h") == 0)
      r->help = 1;
    else if (strncmp(word, "--", 2) == 0 && word[2])
      code = take_option(r, argc, argv, &i, e);
    else if (word[0] == '-')
      code = err_set(e, ERR_USAGE, "%s: options begin with two dashes; "
                     "`tune help` lists them", word);
    else if (r->nwords == REQUEST_WORDS)
      code = err_set(e, ERR_USAGE, "'%s' is one word too many", word);
    else
      r->words[r->nwords++] = word;
  }
  return code;
}

int request_arch(const struct request *r, const char **out, struct err *e)
{
  *out = r->arch;
  return r->arch ? 0 : err_set(e, ERR_USAGE, "which architecture? Add --arch "
                               "gfx906, for example; `tune list archs` names "
                               "them all");
}

int request_keys(const struct request *r, const struct family *f,
                 struct err *e)
{
  const char *names[OPTIONS + FAMILY_KEYS];
  const struct key *keys = NULL;
  size_t nkeys = f ? family_keys(f, &keys) : 0, n = 0;
  for (size_t i = 0; i < nkeys; i++)
    names[n++] = keys[i].name;
  for (size_t i = 0; i < OPTIONS; i++)
    names[n++] = options[i].name;
  for (size_t i = 0; i < r->nkeys; i++) {
    size_t j = 0;
    while (j < nkeys && strcmp(names[j], r->names[i]) != 0)
      j++;
    if (j < nkeys)
      continue;
    const char *near = suggest(r->names[i], names, n);
    return err_set(e, ERR_USAGE, "there is no option --%s%s%s%s%s%s",
                   r->names[i], f ? " and no such key of " : "",
                   f ? family_name(f) : "", near ? "; did you mean --" : "",
                   near ? near : "", near ? "?" : "");
  }
  return 0;
}
