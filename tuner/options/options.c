/* options.c - see options.h. */
// SPDX-License-Identifier: MIT
#include "tuner/options/options.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "base/suggest.h"
#include "tuner/search/search.h"

enum kind {FLAG, TEXT, WHOLE, NUMBER, SET, STATUSES};

struct option {
  const char *name, *form, *meaning;
  const char *verbs; /* that use it, or "*"; solve: `tune lds --solve` */
  enum kind kind;
  size_t offset;
  double min, max; /* WHOLE, NUMBER */
};

#define AT(field) offsetof(struct options, field)
#define RUNS "tune explain calibrate study" /* candidates on a device */
#define STORE RUNS " show emit pack"

static const struct option options[] = {
  {"arch", "--arch ARCH", "architecture to tune for: `tune list archs`",
   STORE " solve diagnose db", TEXT, AT(arch), 0, 0},
  {"device", "--device auto|all|sim|N", "where to run: a real device if there is one (auto)",
   RUNS " sweep", TEXT, AT(device), 0, 0},
  {"search", "--search NAME", "how to search: `tune list searches` (bayes)",
   "tune study replay", TEXT, AT(search), 0, 0},
  {"evals", "--evals N", "candidates to try (160; fewer where 60 bring nothing)",
   "tune study sweep", WHOLE, AT(evals), 1, 1e9},
  {"seconds", "--seconds S", "stop after S seconds, whatever is left to try",
   "tune calibrate study sweep", NUMBER, AT(seconds), 0.001, 1e9},
  {"seed", "--seed N", "seed of the search and of the data (1)",
   RUNS " emit replay", WHOLE, AT(seed), 0, 9e15},
  {"afresh", "--afresh", "do not begin with the winners of near problems",
   "tune", FLAG, AT(afresh), 0, 0},
  {"against", "--against WHAT", "rocblas, FILE:KERNEL; report: a night, shipped",
   "tune explain report", TEXT, AT(against), 0, 0},
  {"launch", "--launch TEXT", "of FILE:KERNEL: 'grid=8,8 block=256 args=a,b,c,m'",
   "explain", TEXT, AT(launch), 0, 0},
  {"shard", "--shard I/N", "this part of the sweep's problems, from 1/N to N/N",
   "sweep", TEXT, AT(shard), 0, 0},
  {"status", "--status", "how far the sweep is, from another terminal",
   "sweep", FLAG, AT(status), 0, 0},
  {"slurm", "--slurm N", "give the sweep to Slurm, as N tasks of an array",
   "sweep", WHOLE, AT(slurm), 1, 10000},
  {"cpus", "--cpus N", "with --slurm: processors of a task (1)",
   "sweep", WHOLE, AT(cpus), 1, 1024},
  {"gpus", "--gpus N", "with --slurm: GPUs of a task (none)",
   "sweep", WHOLE, AT(gpus), 0, 64},
  {"partition", "--partition NAME", "with --slurm: where its jobs run",
   "sweep", TEXT, AT(partition), 0, 0},
  {"dry-run", "--dry-run", "what would be done, and how long it should take",
   "sweep db", FLAG, AT(dry_run), 0, 0},
  {"days", "--days N", "prune: how long results of other compilers stay (7)",
   "db", WHOLE, AT(days), 0, 36500},
  {"kernels", "--kernels N", "fit: how many to choose (8)",
   "db", WHOLE, AT(kernels), 1, 1e6},
  {"gate", "--gate PERCENT", "exit status 3 where a problem got slower by that",
   "report", NUMBER, AT(gate), 0, 1e6},
  {"format", "--format NAME", "of a report, or of db export and import",
   "report db", TEXT, AT(format), 0, 0},
  {"seeds", "--seeds N", "runs of each search (100)",
   "replay", WHOLE, AT(seeds), 1, 10000},
  {"ahead", "--ahead N", "proposals in flight (8)",
   "replay", WHOLE, AT(ahead), 1, 1024},
  {"set", "--set NAME=VALUE,...", "this configuration, not a search",
   "tune emit explain solve", SET, AT(sets), 0, 0},
  {"solve", "--solve", "with lds: the pad or XOR for a tile, by arithmetic",
   "solve tune", FLAG, AT(solve), 0, 0},
  {"budget", "--budget BYTES", "LDS that tiles may take (the arch's)",
   "solve", WHOLE, AT(budget), 1, 1e9},
  {"best", "--best N", "the N best results of one problem",
   "show", WHOLE, AT(best), 1, 1e9},
  {"svg", "--svg FILE", "draw the LDS as it is hit",
   "explain", TEXT, AT(svg), 0, 0},
  {"vary", "--vary NAME", "compare the values of one tunable",
   "explain", TEXT, AT(vary), 0, 0},
  {"annotate", "--annotate", "hits and cycles, by instruction",
   "explain", FLAG, AT(annotate), 0, 0},
  {"trace", "--trace DIR", "write what the waves did, for viewers of traces",
   "explain", TEXT, AT(trace), 0, 0},
  {"study", "--study NAME", "the figures of this study only",
   "calibrate", TEXT, AT(study), 0, 0},
  {"out", "--out PATH", "study, emit: a folder; pack, report, db: a file",
   "study pack emit report db", TEXT, AT(out), 0, 0},
  {"header", "--header FILE", "all kernels as one header of HIP",
   "emit", TEXT, AT(header), 0, 0},
  {"jobs", "--jobs N", "compile workers (one per core)",
   "tune calibrate study pack sweep", WHOLE, AT(jobs), 1, 1024},
  {"timeout", "--timeout S", "seconds a candidate may take (120)",
   RUNS " pack sweep", NUMBER, AT(timeout), 0.001, 1e6},
  {"retry", "--retry STATUS,...", "try such results again, as timeout,crash",
   "tune calibrate study sweep", STATUSES, AT(retry), 0, 0},
  {"precision", "--precision R", "wanted of a median, relative (0.005)",
   RUNS " sweep", NUMBER, AT(precision), 1e-6, 1},
  {"hot", "--hot", "leave the data in the caches between launches",
   RUNS, FLAG, AT(hot), 0, 0},
  {"db", "--db DIR", "folder of results (TUNE_DB, ~/.local/share/tune)",
   STORE " report sweep db", TEXT, AT(db), 0, 0},
  {"templates", "--templates DIR", "folder of families (TUNE_TEMPLATES)",
   STORE " solve list help report sweep db", TEXT, AT(templates), 0, 0},
  {"json", "--json", "one JSON object a line",
   "tune solve show emit explain replay calibrate pack report diagnose sweep db", FLAG,
   AT(json), 0, 0},
  {"quiet", "--quiet", "no progress on stderr",
   "tune calibrate study pack sweep", FLAG, AT(quiet), 0, 0},
  {"help", "--help", "this page", "*", FLAG, AT(help), 0, 0},
  {"version", "--version", "the version of tune", "*", FLAG, AT(version), 0, 0},
};

enum {OPTIONS = sizeof options / sizeof *options};

static_assert(OPTIONS <= 64, "options.given has a bit for each");

/* Is the verb among these words? */
static int used_by(const struct option *o, const char *verb)
{
  size_t n = strlen(verb);
  for (const char *at = o->verbs; *at; at += strspn(at, " ")) {
    size_t word = strcspn(at, " ");
    if ((word == n && !memcmp(at, verb, n)) || *at == '*')
      return 1;
    at += word;
  }
  return 0;
}

int options_help(size_t i, const char *verb, const char **form,
                 const char **meaning)
{
  if (i >= OPTIONS)
    return 0;
  *form = used_by(&options[i], verb) ? options[i].form : NULL;
  *meaning = options[i].meaning;
  return 1;
}

/* "`tune show`, `tune emit`": the verbs that use an option. */
static void add_users(const struct option *o, struct str *to)
{
  const char *next;
  for (const char *at = o->verbs; *at; at = next + strspn(next, " ")) {
    next = at + strcspn(at, " ");
    int n = (int)(next - at);
    str_add(to, at > o->verbs ? ", " : "");
    if (!strncmp(at, "tune", 4))
      str_add(to, "`tune FAMILY`");
    else if (!strncmp(at, "solve", 5))
      str_add(to, "`tune lds --solve`");
    else
      str_addf(to, "`tune %.*s`", n, at);
  }
}

int options_uses(const struct options *r, const char *verb, struct err *e)
{
  for (size_t i = 0; i < OPTIONS; i++) {
    const struct option *o = &options[i];
    if (!(r->given >> i & 1) || used_by(o, verb))
      continue;
    struct str users = {0};
    add_users(o, &users);
    err_set(e, ERR_USAGE, "--%s has no effect here; it is an option of %s",
            o->name, users.at);
    str_free(&users);
    return e->code;
  }
  return 0;
}

static void defaults(struct options *r)
{
  const char *templates = getenv("TUNE_TEMPLATES");
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  *r = (struct options){.device = "auto", .evals = 160,
                        .seed = 1, .seeds = 100, .ahead = SEARCH_AHEAD,
                        .timeout = 120, .cpus = 1, .precision = 0.005,
                        .gate = -1, .days = 7, .kernels = 8,
                        .jobs = cores > 0 ? cores : 1};
  if (templates && *templates)
    r->templates = templates;
}

static const struct option *find(const char *name, size_t n)
{
  for (size_t i = 0; i < OPTIONS; i++)
    if (strlen(options[i].name) == n &&
        !memcmp(options[i].name, name, n))
      return &options[i];
  return NULL;
}

static int take_whole(const struct option *o, const char *text, long long *to,
                      struct err *e)
{
  if (value_whole(text, to) || (double)*to < o->min || (double)*to > o->max)
    return err_set(e, ERR_USAGE, "--%s %s: must be a whole number from %g to "
                   "%g", o->name, text, o->min, o->max);
  return 0;
}

static int take_number(const struct option *o, const char *text, double *to,
                       struct err *e)
{
  char *end;
  errno = 0;
  *to = strtod(text, &end);
  if (end == text || *end || errno || !isfinite(*to) || *to < o->min ||
      *to > o->max)
    return err_set(e, ERR_USAGE, "--%s %s: must be a number from %g to %g",
                   o->name, text, o->min, o->max);
  return 0;
}

static int take_set(struct options *r, const char *text, struct err *e)
{
  if (r->nsets == OPTIONS_SETS)
    return err_set(e, ERR_USAGE, "--set: at most %d of them", OPTIONS_SETS);
  r->sets[r->nsets++] = text;
  return 0;
}

/* Words of enum status for what goes wrong with a candidate. */
static int take_statuses(struct options *r, const char *text, struct err *e)
{
  for (size_t n; *text; text += n + (text[n] == ',')) {
    char word[16];
    n = strcspn(text, ",");
    snprintf(word, sizeof word, "%.*s", n < sizeof word ? (int)n : 0, text);
    int status = status_parse(word);
    if (status < 0 || status == STATUS_OK || status == STATUS_RULE)
      return err_set(e, ERR_USAGE, "--retry %s: must be words of compile, "
                     "resource, launch, wrong, timeout and crash, with commas "
                     "between", text);
    r->retry |= 1u << status;
  }
  return r->retry ? 0 : err_set(e, ERR_USAGE, "--retry: needs a value");
}

static int given_twice(const char *name, struct err *e)
{
  return err_set(e, ERR_USAGE, "--%s is given twice; which is meant?", name);
}

/* A flag says the same twice, and several --set add up. */
static int take(struct options *r, const struct option *o, const char *text,
                struct err *e)
{
  void *to = (char *)r + o->offset;
  uint64_t bit = UINT64_C(1) << (o - options);
  if (r->given & bit && o->kind != FLAG && o->kind != SET)
    return given_twice(o->name, e);
  r->given |= bit;
  switch (o->kind) {
  case FLAG:
    *(int *)to = 1;
    return 0;
  case TEXT:
    *(const char **)to = text;
    return *text ? 0 : err_set(e, ERR_USAGE, "--%s: needs a value", o->name);
  case SET:
    return take_set(r, text, e);
  case STATUSES:
    return take_statuses(r, text, e);
  case WHOLE:
    return take_whole(o, text, to, e);
  case NUMBER:
    return take_number(o, text, to, e);
  }
  return 0;
}

int options_set(struct options *r, const char *name, const char *text,
                struct err *e)
{
  const struct option *o = find(name, strlen(name));
  assert(o);
  if ((o->kind == FLAG) != !text)
    return err_set(e, ERR_USAGE, o->kind == FLAG
                   ? "--%s takes no value" : "--%s needs a value", name);
  return take(r, o, text, e);
}

static uint64_t bit_of(const char *name)
{
  const struct option *o = find(name, strlen(name));
  assert(o);
  return UINT64_C(1) << (o - options);
}

int options_given(const struct options *r, const char *name)
{
  return (r->given & bit_of(name)) != 0;
}

void options_forget(struct options *r, const char *name)
{
  static const size_t sizes[] = {
      [FLAG] = sizeof(int), [TEXT] = sizeof(char *),
      [WHOLE] = sizeof(long long), [NUMBER] = sizeof(double),
      [STATUSES] = sizeof(unsigned)};
  const struct option *o = find(name, strlen(name));
  struct options fresh;
  assert(o && o->kind != SET);
  defaults(&fresh);
  memcpy((char *)r + o->offset, (char *)&fresh + o->offset, sizes[o->kind]);
  r->given &= ~bit_of(name);
}

/* A problem key: remember it by a name that ends where it does. */
static int take_key(struct options *r, char *name, size_t n,
                    const char *text, struct err *e)
{
  name[n] = 0; /* cuts the = off; text lies behind it */
  for (size_t i = 0; i < r->nkeys; i++)
    if (!strcmp(r->names[i], name))
      return given_twice(name, e);
  if (r->nkeys == FAMILY_KEYS)
    return err_set(e, ERR_USAGE, "--%s: too many options", name);
  r->names[r->nkeys] = name;
  r->texts[r->nkeys++] = text;
  return 0;
}

/* One --name, --name=value or --name value at argv[*i]. */
static int take_option(struct options *r, int argc, char **argv, int *i,
                       struct err *e)
{
  char *name = argv[*i] + 2;
  size_t n = strcspn(name, "=");
  const struct option *o = find(name, n);
  const char *text = name[n] ? name + n + 1 : NULL;
  if (o && o->kind == FLAG && text)
    return err_set(e, ERR_USAGE, "--%s takes no value", o->name);
  if (!(o && o->kind == FLAG) && !text) {
    if (*i + 1 >= argc || !strncmp(argv[*i + 1], "--", 2))
      return err_set(e, ERR_USAGE, "--%s needs a value", name);
    text = argv[++*i];
  }
  return o ? take(r, o, text, e) : take_key(r, name, n, text, e);
}

int options_parse(struct options *r, int argc, char **argv, struct err *e)
{
  int code = 0;
  defaults(r);
  for (int i = 0; i < argc && !code; i++) {
    const char *word = argv[i];
    if (!strcmp(word, "-h"))
      r->help = 1;
    else if (!strncmp(word, "--", 2) && word[2])
      code = take_option(r, argc, argv, &i, e);
    else if (word[0] == '-')
      code = err_set(e, ERR_USAGE, "%s: options begin with two dashes; "
                     "`tune help` lists them", word);
    else if (r->nwords == OPTIONS_WORDS)
      code = err_set(e, ERR_USAGE, "'%s' is one word too many", word);
    else
      r->words[r->nwords++] = word;
  }
  return code;
}

int options_arch(const struct options *r, const char **out, struct err *e)
{
  *out = r->arch;
  return r->arch ? 0 : err_set(e, ERR_USAGE, "which architecture? Add --arch "
                               "gfx906, for example; `tune list archs` names "
                               "them all");
}

int options_keys(const struct options *r, const struct family *f,
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
