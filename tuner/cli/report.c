/* report.c - see report.h. */
// SPDX-License-Identifier: MIT
#include "base/duration.h"
#include "tuner/cli/report.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "gen/figure.h"
#include "tuner/cli/cli.h"
#include "tuner/conditions/conditions.h"
#include "tuner/reference/problem.h"
#include "tuner/cli/progress.h"
#include "tuner/session/cost.h"
#include "tuner/session/shipped.h"
#include "tuner/session/winner.h"

static const char *text(const struct record *r, const char *name)
{
  const char *value = record_get(r, name);
  return value ? value : "-";
}

static void print_time(const struct record *r)
{
  char us[64], error[32];
  double median = cost_of(r, 0);
  cost_text(r, us, sizeof us);
  cost_error_text(r, error, sizeof error);
  if (!cost_is_time(r))
    cli_rowf("time", "not timed; %s", us);
  else if (!strcmp(text(r, "source"), "modelled"))
    cli_rowf("time", "%s%s%s, modelled", us, *error ? " " : "", error);
  else
    cli_rowf("time", "%s, measured: median of %s, MAD %.2g %%", us,
          text(r, "n"), 100 * record_number(r, "mad_us", 0) / median);
}

static void print_rate(const struct session *s, const struct record *row)
{
  struct config c = {0};
  struct plan plan;
  const char *unit;
  struct str what = {0};
  if (config_parse(s->setup.family, record_get(row, "config"), 0, &c, NULL) ||
      family_plan(s->setup.family, s->setup.problem, &c, &plan, NULL))
    return;
  double rate = winner_rate(&plan, record_number(row, "time_us", 0), &unit);
  double peak = winner_peak(s->setup.arch, s->setup.device, &plan, &what);
  const char *shown = quantity_find(unit)->unit;
  if (rate > 0 && peak > 0)
    cli_rowf("rate", "%.0f %s, %.1f %% of the %s (%.0f)", rate, shown,
          100 * rate / peak, what.at, peak);
  else if (rate > 0)
    cli_rowf("rate", "%.0f %s", rate, shown);
  str_free(&what);
}

static void print_runner_up(const struct record *r)
{
  const char *config = record_get(r, "runner_up");
  char us[64];
  int timed = cost_is_time(r);
  double margin = 100 * record_number(r, "margin", 0);
  if (!config)
    return;
  cost_format(record_number(r, timed ? "runner_up_us" : "runner_up_cost", 0),
              timed, us, sizeof us);
  if (!(record_number(r, "tie", 0) != 0))
    cli_rowf("runner-up", "%s, %.2g %% %s", us, margin,
             timed ? "slower" : "more");
  else if (margin >= 0.1)
    cli_rowf("runner-up", "%s, %.2g %% %s: a tie", us, margin,
             timed ? "slower" : "more");
  else
    cli_rowf("runner-up", "%s: a tie", us);
}

enum {KERNEL = 40};

static void print_against(const struct record *row, const struct record *r)
{
  double ratio = record_number(r, "ratio", 0);
  char us[32];
  if (record_get(r, "reason")) {
    cli_rowf("against", "%s: %s: %s", text(r, "library"), text(r, "status"),
          text(r, "reason"));
    return;
  }
  struct str line = {0};
  duration_format(record_number(r, "time_us", 0), us, sizeof us);
  str_addf(&line, "%s: %s", text(r, "library"), us);
  if (record_get(r, "gflops"))
    str_addf(&line, ", %.0f GFLOP/s", record_number(r, "gflops", 0));
  if (ratio > 0)
    str_addf(&line, "; this is %.2f times as fast%s", ratio,
             cost_error(r) > 0 && cost_tie(row, r) ? ": a tie" : "");
  if (strlen(text(r, "kernel")) > KERNEL) /* rocBLAS's can fill a page */
    str_addf(&line, "; its kernel %.*s...", KERNEL, text(r, "kernel"));
  else if (record_get(r, "kernel"))
    str_addf(&line, "; its kernel %s", text(r, "kernel"));
  cli_row("against", line.at);
  str_free(&line);
}

/* Where the shown row is not the winner: what is. */
static void print_fastest(const struct record *r, const struct record *winner)
{
  char us[64];
  if (!strcmp(text(r, "config"), text(winner, "config")))
    return;
  cost_text(winner, us, sizeof us);
  cli_rowf(cost_is_time(winner) ? "fastest" : "least", "%s so far, with %s", us, text(winner, "config"));
}

static void print_kernel(const struct record *r)
{
  static const struct {
    const char *name, *before, *after, *after_one;
  } facts[] = {{"vgprs", "", " VGPRs", " VGPR"},
               {"lds", "", " bytes of LDS", " byte of LDS"},
               {"spills", "", " bytes spilled", " byte spilled"},
               {"waves", "", " waves a SIMD", " wave a SIMD"},
               {"bound", "bound by ", "", ""}};
  struct str line = {0};
  for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
    const char *value = record_get(r, facts[i].name);
    if (value)
      str_addf(&line, "%s%s%s%s", line.len ? ", " : "", facts[i].before,
               value, strcmp(value, "1") ? facts[i].after : facts[i].after_one);
  }
  if (line.len)
    cli_row("kernel", line.at);
  str_free(&line);
}

static void print_requests(const struct record *r)
{
  double all = record_number(r, "l2_requests", 0);
  double saved = record_number(r, "l2_merged", 0);
  if (all > 0)
    cli_rowf("requests", "%.0f lines of 128 bytes asked of the L2, %.0f less by "
             "multicast: %.3g %%", all - saved, saved, 100 * saved / all);
}

static void print_conditions(const struct record *r)
{
  struct str line = {0};
  conditions_format(r, &line);
  if (line.len)
    cli_row("conditions", line.at);
  str_clear(&line);
  str_addf(&line, "%s%s%s", record_text(r, "driver"),
           record_get(r, "driver") && record_get(r, "firmware") ? "; " : "",
           record_text(r, "firmware"));
  if (line.len)
    cli_row("driver", line.at);
  str_free(&line);
}

static void print_counts(const struct session *s)
{
  struct str line = {0};
  str_addf(&line, "%zu: %zu of %zu from the journal;", s->result.done, s->result.known,
           s->result.done);
  for (int i = 0; i < STATUS_N; i++)
    if (s->result.counts[i])
      str_addf(&line, " %zu %s", s->result.counts[i], status_name(i));
  cli_row("candidates", line.at);
  if (s->result.out_of_patience)
    cli_rowf("ended", "%d in a row made the best less than %g %% faster; --evals N "
             "tries N", SESSION_PATIENCE, 100 * SESSION_GAIN);
  str_free(&line);
}

static void print_anew(const struct session *s)
{
  if (s->result.anew)
    cli_rowf("anew", "%zu of %zu: %s", s->result.anew, s->result.done,
             s->result.why_anew);
}

/* What other circumstances may have been the reason of. */
static void print_known(const struct session *s)
{
  size_t timeouts = s->result.known_counts[STATUS_TIMEOUT];
  size_t crashes = s->result.known_counts[STATUS_CRASH];
  if (timeouts)
    cli_rowf("not again",
             "%zu timeout of the journal; a --timeout above %g s, or "
          "--retry timeout, tries them again", timeouts, s->setup.timeout);
  if (crashes)
    cli_rowf("not again", "%zu crash of the journal; --retry crash tries them "
          "again", crashes);
  if (s->result.retried)
    cli_rowf("again", "%zu that the journal had as timeout, crash or the like",
          s->result.retried);
  if (s->result.killed)
    cli_rowf("killed", "%zu worker%s, from outside or for want of memory; what "
          "they had to do was done by others", s->result.killed,
          PLURAL(s->result.killed));
}

static void print_starts(const struct session *s)
{
  if (s->setup.nstarts)
    cli_rowf("begun with", "%zu winner%s of near problems", s->setup.nstarts,
          PLURAL(s->setup.nstarts));
}

static void print_wall(const struct session *s, double wall)
{
  double idle = (double)s->result.devices * wall - s->result.device_s;
  cli_rowf("wall",
           "%.1f s; %zu compilers busy %.1f s, %zu device%s busy %.1f s, "
        "idle %.1f s; search %.1f s", wall, s->setup.jobs, s->result.compile_s, s->result.devices,
        PLURAL(s->result.devices), s->result.device_s, idle > 0 ? idle : 0,
        s->result.search_s);
}

static void print_clock(const struct session *s)
{
  struct str line = {0};
  health_format(&s->result.health, &line);
  if (line.len)
    cli_row("clock", line.at);
  str_free(&line);
}

static void print_lost(const struct session *s)
{
  if (s->result.lost)
    cli_rowf("lost", "%zu of %zu devices: a worker did not end though it was "
          "killed; look after them before the next run", s->result.lost, s->result.devices);
}

/* What the time went to, once there was something to run. */
static void print_split(const struct session *s)
{
  const struct utilization *p = &s->result.utilization;
  double all = p->device + p->compilers + p->some + p->nobody;
  if (all > 0)
    cli_rowf("busy",
             "%.1f s from the first compiled candidate to the last tried: "
          "device%s busy %.1f %%; waiting for compilers %.1f %%, for results "
          "that the search needs %.1f %%, for the coordinator %.1f %%", all,
          PLURAL(s->result.devices), 100 * p->device / all,
          100 * p->compilers / all, 100 * p->some / all,
          100 * p->nobody / all);
}

void report_session(const struct session *s, const struct record *row,
                    const struct record *winner,
                    const struct record *against, const char *why,
                    const char *stored, double wall)
{
  printf("%s on %s\n", family_name(s->setup.family), arch_name(s->setup.arch));
  cli_row("problem", text(row, "problem"));
  cli_row("config", text(row, "config"));
  print_time(row);
  print_rate(s, row);
  print_runner_up(row);
  if (against)
    print_against(row, against);
  print_fastest(row, winner);
  print_kernel(row);
  print_requests(row);
  cli_rowf("device", "%s: %s", s->setup.device->name, why);
  cli_rowf("made with", "%s, runtime %s, templates %.8s, data seed %s",
        s->setup.compiler, s->setup.device->runtime,
        family_hash(s->setup.family),
        text(row, "seed"));
  print_conditions(row);
  print_clock(s);
  print_starts(s);
  print_counts(s);
  print_anew(s);
  print_known(s);
  print_wall(s, wall);
  print_split(s);
  print_lost(s);
  if (stored)
    cli_row("stored in", stored);
}

void report_device(const struct record *r, struct str *out)
{
  str_add(out, text(r, "device"));
  if (!strstr(text(r, "device"), " CUs"))
    str_addf(out, ", %s CUs", text(r, "cus"));
}

void report_row(const struct record *r, int stale)
{
  printf("%s on %s%s%s\n", text(r, "family"), text(r, "arch"),
         shipped_row(r) ? ", came with the program" : "",
         stale ? ", stale: the templates have changed since" : "");
  cli_row("problem", text(r, "problem"));
  cli_row("config", text(r, "config"));
  print_time(r);
  const struct quantity *q;
  for (size_t i = 0; (q = quantity_at(i)); i++)
    if (*quantity_cost(q) && record_get(r, q->name))
      cli_rowf("rate", "%.0f %s", record_number(r, q->name, 0), q->unit);
  print_runner_up(r);
  print_kernel(r);
  print_requests(r);
  struct str device = {0};
  report_device(r, &device);
  cli_row("device", device.at);
  str_free(&device);
  cli_rowf("made with", "%s, runtime %s, templates %.8s, data seed %s, %s",
        text(r, "compiler"), text(r, "runtime"), text(r, "template"),
        text(r, "seed"), text(r, "date"));
  print_conditions(r);
}
