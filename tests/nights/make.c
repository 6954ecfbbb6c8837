/* make.c - a store with the nights of a sweep that nobody ran.
 *
 *   make_nights STORE SWEEP NIGHTS PROBLEMS CANDIDATES SOURCE [LAST]
 *
 * Two families (gemm, and every fifth problem gload), a night a day, the last
 * on 2026-11-24 at 01:00 UTC; for each problem as many candidates in the
 * journal. SOURCE is measured (with the noise of real cards) or modelled. LAST
 * says what the last night is: `plain` (default; nothing changed), `changed`
 * (problem 1 is 6 % slower, 2 is 8 % faster, 3 has failed, 6 was cut), `clocks`
 * (slower by 4 %, with the clock), `cut` (half of it, no end), `device` (another
 * card), `mixed` (the other source). The same arguments make the same files.
 */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arch/arch.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/rng.h"
#include "db/record.h"
#include "gen/figure.h"
#include "gen/space.h"
#include "tuner/reference/problem.h"

enum {DAY = 86400, LAST_NIGHT = 1795482000 /* 2026-11-24T01:00:00Z */};

struct subject {
  struct family *family;
  struct problem problem;
  struct str text;
  struct config best; /* so far */
  struct plan plan;
  double base_us, spread;
};

struct maker {
  const char *store, *sweep, *last;
  size_t nights, problems, candidates;
  int modelled;
  struct rng rng;
  struct family *gemm, *gload;
  struct subject *list;
};

static void die(const char *why)
{
  fprintf(stderr, "make_nights: %s\n", why);
  exit(1);
}

static double normal(struct rng *r)
{
  double u = rng_unit(r), v = rng_unit(r);
  return sqrt(-2 * log(1 - u)) * cos(6.283185307179586 * v);
}

/* --- problems ------------------------------------------------------------ */

static struct family *open_family(const char *name)
{
  struct family *f;
  const struct pair *facts;
  struct err e = {0};
  size_t n = arch_facts(arch_find("gfx906"), &facts);
  if (family_open(&f, name, NULL, &e) || family_set_arch(f, facts, n, &e))
    die(e.text);
  return f;
}

/* A size of its own for each: the rows of weights, and tokens. */
static void make_problem(struct maker *m, size_t i, struct subject *s)
{
  static const char *const gemm_keys[] = {"m", "n", "k"};
  static const char *const gload_keys[] = {"n"};
  static const int rows[] = {1024, 2048, 4096, 5120, 8192, 11008, 14336};
  char text[3][24];
  const char *const texts[] = {text[0], text[1], text[2]};
  struct err e = {0};
  int gload = i % 5 == 4;
  s->family = gload ? m->gload : m->gemm;
  snprintf(text[0], sizeof *text, "%zu",
           gload ? 1048576 + 65536 * i : 16 * (1 + i % 997));
  snprintf(text[1], sizeof *text, "%d", rows[i / 997 % 7]);
  snprintf(text[2], sizeof *text, "%d", rows[(i / 6979 + i) % 7]);
  if (family_problem(s->family, gload ? gload_keys : gemm_keys, texts,
                     gload ? 1 : 3, &s->problem, &e))
    die(e.text);
  problem_format(s->family, &s->problem, &s->text);
}

static void draw(struct maker *m, const struct subject *s, struct config *c)
{
  const struct tunable *list;
  size_t n = family_tunables(s->family, &list);
  for (size_t i = 0; i < n; i++)
    c->at[i] = (uint8_t)rng_below(&m->rng, list[i].nvalues);
}

/* A configuration that its family can plan, however slow it would be. */
static void first_config(struct subject *s)
{
  struct space *space;
  struct err e = {0};
  if (space_open(&space, s->family, &s->problem, &e))
    die(e.text);
  if (!space_first(space, &s->best))
    die("there is no legal configuration");
  if (family_plan(s->family, &s->problem, &s->best, &s->plan, &e))
    die(e.text);
  space_close(space);
}

static void make_subjects(struct maker *m)
{
  m->gemm = open_family("gemm");
  m->gload = open_family("gload");
  m->list = mem_array(m->problems, sizeof *m->list);
  for (size_t i = 0; i < m->problems; i++) {
    struct subject *s = &m->list[i];
    make_problem(m, i, s);
    if (i >= 5) {
      s->best = m->list[i % 5].best;
      if (family_plan(s->family, &s->problem, &s->best, &s->plan, NULL))
        first_config(s);
    } else {
      first_config(s);
    }
    double flops = s->plan.flops / (9e6 * (0.7 + 0.5 * rng_unit(&m->rng)));
    double bytes = s->plan.bytes / (7e5 * (0.7 + 0.5 * rng_unit(&m->rng)));
    s->base_us = 5 + fmax(flops, bytes);
    s->spread = 0.007 * exp(0.6 * normal(&m->rng));
  }
}

/* --- records ------------------------------------------------------------- */

static void stamp(time_t at, const char *format, char out[32])
{
  struct tm tm;
  gmtime_r(&at, &tm);
  strftime(out, 32, format, &tm);
}

static void line(FILE *to, struct record *r)
{
  struct str text = {0};
  record_format(r, &text);
  fprintf(to, "%s\n", text.at);
  str_free(&text);
  record_free(r);
}

static void set_device(struct record *r, int modelled, int other)
{
  record_set(r, "source", modelled ? "modelled" : "measured");
  if (modelled)
    record_set(r, "device", "simulated MI50 (gfx906, 60 CUs)");
  else
    record_set(r, "device", other ? "Radeon VII" : "AMD Instinct MI50");
  record_set(r, "cus", "60");
  record_set(r, "compiler", "hiprtc-5.2.21153");
  record_set(r, "runtime", modelled ? "5.2.23000-76dd8bd7fa5e" : "5.2.23000");
}

static void set_time(struct maker *m, struct record *r, const struct subject *s,
                     double us, int modelled)
{
  const struct quantity *q = quantity_rate(&s->plan);
  unsigned n = modelled ? 1 : (unsigned)(7 + rng_below(&m->rng, 40));
  if (!modelled)
    us *= exp(1.2533 * s->spread * normal(&m->rng) / sqrt(n) +
              0.0014 * normal(&m->rng));
  record_set(r, "time_us", "%.6g", us);
  record_set(r, "mad_us", "%.4g", modelled ? 0 : us * s->spread / 1.4826 *
             (1 + 0.3 * (rng_unit(&m->rng) - 0.5)));
  record_set(r, "n", "%u", n);
  if (quantity_of(q, &s->plan, us) > 0)
    record_set(r, q->name, "%.6g", quantity_of(q, &s->plan, us));
}

static void set_config(struct record *r, const char *name,
                       const struct subject *s, const struct config *c)
{
  struct str text = {0};
  config_format(s->family, c, &text);
  record_set(r, name, "%s", text.at);
  str_free(&text);
}

static struct record *row_of(const struct subject *s, const char *date)
{
  struct record *r = record_new();
  record_set(r, "arch", "gfx906");
  record_set(r, "family", "%s", family_name(s->family));
  record_set(r, "problem", "%s", s->text.at);
  record_set(r, "template", "%s", family_hash(s->family));
  record_set(r, "status", "ok");
  record_set(r, "hot", "0");
  record_set(r, "seed", "1");
  record_set(r, "date", "%s", date);
  return r;
}

/* --- nights -------------------------------------------------------------- */

static int is(const struct maker *m, size_t night, const char *what)
{
  return night + 1 == m->nights && !strcmp(m->last, what);
}

static void costs(struct record *r)
{
  record_set(r, "candidates", "40");
  record_set(r, "known", "12");
  record_set(r, "n_ok", "36");
  record_set(r, "n_wrong", "1");
  record_set(r, "n_rule", "3");
  record_set(r, "wall_s", "21.5");
  record_set(r, "compile_s", "14.2");
  record_set(r, "device_s", "17.9");
  record_set(r, "search_s", "0.6");
}

static struct record *lost(const struct subject *s, const char *status,
                           const char *reason)
{
  struct record *r = record_new();
  record_set(r, "arch", "gfx906");
  record_set(r, "family", "%s", family_name(s->family));
  record_set(r, "problem", "%s", s->text.at);
  record_set(r, "status", "%s", status);
  record_set(r, "reason", "%s", reason);
  return r;
}

/* Conditions of a card that was told to hold its clocks. */
static void set_clocks(struct maker *m, struct record *r, int slow)
{
  record_set(r, "sclk_mhz", "%d", slow ? 1606 : 1725);
  record_set(r, "mclk_mhz", "1000");
  record_set(r, "power_w", "%.0f", 190 + 10 * rng_unit(&m->rng));
  record_set(r, "temp_c", "%.0f", 71 + 4 * rng_unit(&m->rng));
  record_set(r, "throttled", "%d", slow && rng_unit(&m->rng) < 0.1);
}

static struct record *problem_of(struct maker *m, size_t night, size_t i,
                                 const char *date)
{
  struct subject *s = &m->list[i];
  int changed = is(m, night, "changed"), slow = is(m, night, "clocks");
  int modelled = m->modelled != is(m, night, "mixed");
  double us = s->base_us * (slow ? 1.04 : 1);
  if (changed && i == 3)
    return lost(s, "failed", "c[1025] is 3.5, must be 3 within 0.1 (7 elements "
                "are wrong)");
  if (changed && i == 6)
    return lost(s, "cut", "its 20 s were up before a candidate was timed");
  us *= changed && i == 1 ? 1.06 : changed && i == 2 ? 1 / 1.08 : 1;
  struct record *r = row_of(s, date);
  set_device(r, modelled, is(m, night, "device"));
  set_time(m, r, s, us, modelled);
  set_config(r, "config", s, &s->best);
  record_set(r, "runner_up_us", "%.6g", us * 1.004);
  record_set(r, "margin", "0.0040");
  record_set(r, "bound", i % 3 ? "valu" : "hbm");
  record_set(r, "vgprs", "%d", 64 + 4 * (int)(i % 9));
  record_set(r, "lds", "12416");
  record_set(r, "why", night ? "incumbent" : "new");
  if (!modelled)
    set_clocks(m, r, slow);
  return r;
}

/* Now and then a better configuration is found: up to 4 % faster. */
static void improve(struct maker *m, size_t night)
{
  for (size_t i = 0; night && night + 1 < m->nights && i < m->problems; i++)
    if (rng_unit(&m->rng) < 0.01) {
      const struct tunable *list;
      size_t n = family_tunables(m->list[i].family, &list);
      size_t k = rng_below(&m->rng, n);
      m->list[i].best.at[k] = (uint8_t)rng_below(&m->rng, list[k].nvalues);
      m->list[i].base_us *= 1 - 0.04 * rng_unit(&m->rng);
    }
}

static FILE *create(const char *path)
{
  struct err e = {0};
  char *folder = mem_copy(path);
  *strrchr(folder, '/') = 0;
  if (file_mkdirs(folder, &e))
    die(e.text);
  free(folder);
  FILE *to = fopen(path, "w");
  if (!to)
    die(path);
  return to;
}

static void make_night(struct maker *m, size_t night)
{
  char begun[32], date[32], path[4096];
  time_t at = LAST_NIGHT - (time_t)(m->nights - 1 - night) * DAY;
  size_t n = is(m, night, "cut") ? m->problems / 2 : m->problems;
  stamp(at, "%Y%m%dT%H%M%SZ", begun);
  snprintf(path, sizeof path, "%s/nights/%s/%s.night", m->store, m->sweep,
           begun);
  FILE *to = create(path);
  struct record *head = record_new();
  stamp(at, "%Y-%m-%dT%H:%M:%SZ", date);
  record_set(head, "kind", "night");
  record_set(head, "sweep", "%s", m->sweep);
  record_set(head, "begun", "%s", date);
  record_set(head, "shard", "1/1");
  record_set(head, "program", "0.1.0");
  record_set(head, "problems", "%zu", m->problems);
  line(to, head);
  improve(m, night);
  for (size_t i = 0; i < n; i++) {
    stamp(at + 20 * (time_t)i, "%Y-%m-%dT%H:%M:%SZ", date);
    struct record *r = problem_of(m, night, i, date);
    record_set(r, "kind", "problem");
    costs(r);
    line(to, r);
  }
  if (n == m->problems) {
    struct record *end = record_new();
    record_set(end, "kind", "end");
    record_set(end, "problems", "%zu", n);
    record_set(end, "wall_s", "%.1f", 10.4 * (double)n);
    record_set(end, "busy_s", "%.1f", 19.6 * (double)n);
    record_set(end, "cores", "2");
    line(to, end);
  }
  if (fclose(to))
    die(path);
}

/* --- candidates ---------------------------------------------------------- */

/* How much slower a value is than the best of its tunable: early tunables
 * matter most. */
static double effect(size_t tunable, unsigned value)
{
  uint64_t x = rng_mix(tunable * 977 + value);
  return 1 + 0.9 * rng_fraction(x) / (double)(1 + tunable);
}

static void make_candidate(struct maker *m, struct subject *s, FILE *to)
{
  struct config c = {0};
  const struct tunable *list;
  size_t n = family_tunables(s->family, &list);
  double us = s->base_us;
  struct record *r = row_of(s, "2026-11-01T01:00:00Z");
  draw(m, s, &c);
  for (size_t i = 0; i < n; i++)
    us *= effect(i, c.at[i]);
  set_device(r, m->modelled, 0);
  set_time(m, r, s, us, m->modelled);
  set_config(r, "config", s, &c);
  if (rng_unit(&m->rng) < 0.05)
    record_set(r, "status", "wrong");
  line(to, r);
}

static void make_journal(struct maker *m, struct family *f)
{
  char path[4096];
  snprintf(path, sizeof path, "%s/gfx906/%s.journal", m->store, family_name(f));
  FILE *to = create(path);
  for (size_t i = 0; i < m->problems; i++)
    for (size_t k = 0; m->list[i].family == f && k < m->candidates; k++)
      make_candidate(m, &m->list[i], to);
  if (fclose(to))
    die(path);
}

int main(int argc, char **argv)
{
  if (argc < 7)
    die("STORE SWEEP NIGHTS PROBLEMS CANDIDATES SOURCE [LAST]");
  struct maker m = {.store = argv[1], .sweep = argv[2],
                    .nights = strtoul(argv[3], NULL, 10),
                    .problems = strtoul(argv[4], NULL, 10),
                    .candidates = strtoul(argv[5], NULL, 10),
                    .modelled = !strcmp(argv[6], "modelled"),
                    .last = argc > 7 ? argv[7] : "plain"};
  rng_seed(&m.rng, 1);
  make_subjects(&m);
  for (size_t k = 0; k < m.nights; k++)
    make_night(&m, k);
  if (m.candidates) {
    make_journal(&m, m.gemm);
    make_journal(&m, m.gload);
  }
  for (size_t i = 0; i < m.problems; i++)
    str_free(&m.list[i].text);
  free(m.list);
  family_close(m.gemm);
  family_close(m.gload);
  return 0;
}
