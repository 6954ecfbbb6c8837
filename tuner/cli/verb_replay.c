/* verb_replay.c - tune replay RECORDING: searches on a measured space. */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "tuner/cli/cli.h"
#include "tuner/replay/replay.h"
#include "tuner/replay/rivals.h"

/* ORDER REPLAY */
static void print_head(const char *path, const struct recording *r,
                       const struct replay_target *t, const struct options *q)
{
  const double *times;
  size_t n = recording_times(r, &times), all = recording_size(r);
  printf("%s\n", path);
  printf("%zu configurations, %zu failed; optimum %.6g ms, median %.6g ms\n",
         all, all - n, t->optimum, t->median);
  printf("%lld seeds, %lld in flight; P from %zu to %zu evaluations\n\n",
         q->seeds, q->ahead, t->from, t->to);
  printf("%-12s %-31s %-15s\n", "", "fraction of the optimum after",
         "expected within");
  printf("%-12s %7zu %7zu %7zu %7zu %7.0f%% %7.0f%% %8s %8s\n", "search",
         replay_after[0], replay_after[1], replay_after[2], replay_after[3],
         100 * replay_within[0], 100 * replay_within[1], "P", "s");
}

static void print_expected(double evaluations)
{
  if (isfinite(evaluations))
    printf(" %8.1f", evaluations);
  else
    printf(" %8s", "never");
}

static void print_row(const char *name, const struct replay_score *s)
{
  printf("%-12s", name);
  for (size_t i = 0; i < REPLAY_AFTER; i++)
    printf(" %7.4f", s->fraction[i]);
  for (size_t i = 0; i < REPLAY_WITHIN; i++)
    print_expected(s->expected[i]);
  printf(" %8.3f %8.2f\n", s->p, s->seconds);
  fflush(stdout);
}

static void print_json(const char *name, const struct options *q,
                       const struct replay_target *t,
                       const struct replay_score *s)
{
  printf("{\"type\":\"replay\",\"search\":\"%s\",\"seeds\":%lld,"
         "\"ahead\":%lld,\"optimum_ms\":%.9g,\"fraction\":{", name, q->seeds,
         q->ahead, t->optimum);
  for (size_t i = 0; i < REPLAY_AFTER; i++)
    printf("%s\"%zu\":%.6f", i ? "," : "", replay_after[i], s->fraction[i]);
  printf("},\"expected\":{");
  for (size_t i = 0; i < REPLAY_WITHIN; i++) {
    printf("%s\"%g\":", i ? "," : "", replay_within[i]);
    printf(isfinite(s->expected[i]) ? "%.3f" : "null", s->expected[i]);
  }
  printf("},\"reached\":{");
  for (size_t i = 0; i < REPLAY_WITHIN; i++)
    printf("%s\"%g\":%zu", i ? "," : "", replay_within[i], s->reached[i]);
  printf("},\"p\":%.6f,\"p_from\":%zu,\"p_to\":%zu,\"seconds\":%.3f}\n", s->p,
         t->from, t->to, s->seconds);
  fflush(stdout);
}

static void play(struct recording *r, const char *path,
                 const struct search_ops *only, const struct options *q)
{
  struct replay_target target;
  const struct search_ops *ops;
  replay_target(r, &target);
  if (!q->json)
    print_head(path, r, &target, q);
  for (size_t i = 0; (ops = replay_list[i]); i++) {
    struct replay_score score;
    if (only && ops != only)
      continue;
    replay_score(r, &target, ops, (uint64_t)q->seed, (size_t)q->seeds,
                 (size_t)q->ahead, &score);
    if (q->json)
      print_json(ops->name, q, &target, &score);
    else
      print_row(ops->name, &score);
  }
}

static int run(const struct options *q, struct err *e)
{
  struct recording *r;
  const struct search_ops *only = NULL;
  const char *path;
  if (cli_word(q, 1, "recording (a TSV, T4 or Kernel Tuner file)", &path, e) ||
      options_keys(q, NULL, e) ||
      (q->search && search_find(replay_list, q->search, &only, e)) ||
      recording_read(&r, path, e))
    return e->code;
  play(r, path, only, q);
  recording_close(r);
  return 0;
}

const struct verb verb_replay = {
    "replay", "replay RECORDING", "compare searches on a measured space", run,
    "Plays every search, or that of --search, on a recorded space instead of\n"
    "a device, with --seeds seeds from --seed on and --ahead proposals in\n"
    "flight, as in a real run. A recording is tab-separated text (tunables,\n"
    "then status and mean_ms), T4 results, or a cache of Kernel Tuner.\n"
    "Printed are the mean fraction of the optimum after so many evaluations,\n"
    "the evaluations expected until within 5 and 1 % of it, and the score P\n"
    "of the published comparisons: 1 is the optimum at once, 0 what random\n"
    "search does.\n"};
