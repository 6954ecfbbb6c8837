/* progress.c - see progress.h. */
// SPDX-License-Identifier: MIT
#include "tuner/cli/progress.h"

#include <math.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "tuner/session/cost.h"
#include "tuner/cli/cli.h"

enum {WIDTH = 80, BAR = 24, EVERY = 10 /* candidates, in plain lines */};

#define REDRAW 0.1 /* seconds */

struct progress progress_begin(int quiet)
{
  return (struct progress){.to = quiet ? NULL : stderr,
                           .terminal = isatty(STDERR_FILENO)};
}

void progress_clock(double seconds, char *out, size_t room)
{
  if (seconds < 100)
    snprintf(out, room, "%.0f s", seconds);
  else if (seconds < 6000)
    snprintf(out, room, "%d:%02d min", (int)seconds / 60, (int)seconds % 60);
  else
    snprintf(out, room, "%.1f h", seconds / 3600);
}

/* Candidates from the journal cost nothing, so only the others tell how long
 * one takes. The budget may end it sooner. */
static double remaining(const struct session *s, double now, size_t worked)
{
  double each = worked ? (now - s->setup.begun) / (double)worked : 0;
  double left = each * (double)(s->setup.evals - s->result.done);
  return s->setup.until > 0 && (!worked || s->setup.until - now < left)
             ? fmax(s->setup.until - now, 0)
             : left;
}

void progress_line(const struct session *s, double now, size_t worked,
                   size_t width, char *out, size_t room)
{
  char best[32] = "-", eta[32] = "-", bar[BAR + 1];
  size_t full = s->setup.evals ? s->result.done * BAR / s->setup.evals : 0;
  memset(bar, '.', BAR);
  memset(bar, '#', full < BAR ? full : BAR);
  bar[BAR] = 0;
  if (s->result.best_number)
    cost_format(s->result.best_cost, !s->setup.device->counted, best, sizeof best);
  double left = remaining(s, now, worked);
  if (worked || s->setup.until > 0)
    progress_clock(left, eta, sizeof eta);
  snprintf(out, room < width + 1 ? room : width + 1,
           "[%s] %zu/%zu  best %s  eta %s", bar, s->result.done, s->setup.evals, best,
           eta);
}

static size_t columns(void)
{
  struct winsize size;
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 20)
    return WIDTH - 1;
  return size.ws_col - 1u;
}

void progress_tick(struct progress *p, const struct session *s)
{
  double now = clock_now();
  char line[256];
  if (!p->to || !p->terminal || now < p->drawn + REDRAW)
    return;
  p->drawn = now;
  progress_line(s, now, p->worked, columns(), line, sizeof line);
  fprintf(p->to, "\r\033[K%s", line);
  fflush(p->to);
}

void progress_candidate(struct progress *p, const struct session *s,
                        size_t number, int known)
{
  char best[32] = "-", eta[32];
  p->worked += !known;
  if (!p->to || p->terminal || known)
    return;
  if (number % EVERY != 0 && s->result.best_number != number)
    return;
  if (s->result.best_number)
    cost_format(s->result.best_cost, !s->setup.device->counted, best, sizeof best);
  progress_clock(remaining(s, clock_now(), p->worked), eta, sizeof eta);
  fprintf(p->to, "%zu of %zu, best %s, %s to go\n", number, s->setup.evals, best,
          eta);
}

void progress_end(struct progress *p)
{
  if (p->to && p->terminal)
    fprintf(p->to, "\r\033[K");
}

/* --- the sessions of an experiment ------------------------------------------------ */

/* Lists are short: only a bar is worth its line. */
static void lab_begin(void *user, const struct session *s)
{
  struct progress *p = user;
  int quiet = p->quiet, brief = s->setup.given && !isatty(STDERR_FILENO);
  *p = progress_begin(quiet || brief);
  p->quiet = quiet;
}

static void lab_candidate(void *user, const struct session *s, size_t number,
                          int known)
{
  progress_candidate(user, s, number, known);
}

static void lab_tick(void *user, const struct session *s)
{
  progress_tick(user, s);
}

static void lab_end(void *user)
{
  progress_end(user);
}

struct experiment_view progress_of_experiment(struct progress *p, int quiet)
{
  *p = (struct progress){.quiet = quiet};
  return (struct experiment_view){p, cli_notice, lab_begin, lab_candidate, lab_tick,
                           lab_end};
}
