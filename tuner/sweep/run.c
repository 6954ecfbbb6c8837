/* run.c - sweep_run() of sweep.h: the lanes, and what comes of them. */
// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/mem.h"
#include "db/table.h"
#include "db/tried.h"
#include "tuner/device/cache.h"
#include "tuner/reference/problem.h"
#include "tuner/session/scratch.h"
#include "tuner/session/signals.h"
#include "tuner/session/warm_start.h"
#include "tuner/sweep/status.h"
#include "tuner/sweep/sweep.h"

enum {
  TROUBLE_MOST = 3,  /* problems in a row that could not be tuned */
  LANE_TRIES = 2,    /* of a problem whose lane gives no answer */
  GRACE = 120,       /* seconds over what a problem may take */
  CLOCK_JUMP = 60,   /* seconds that wall clock and monotonic one may differ */
};

#define MEMORY_SHARE 0.75 /* of this machine's, for simulated devices */
#define TICK 0.5          /* seconds between two looks at the clock */
#define STATUS 2.0        /* and of the status file */

struct run {
  struct sweep *s;
  struct pool *pool;
  struct event event;
  struct str request;
  int signals, stopping;
  double memory;    /* bytes that may be in use */
  double *bytes;    /* that each problem takes; 0: not known yet */
  double used;      /* by those that run */
  size_t next;      /* problems before it do not wait */
  double clock;     /* wall clock minus clock_now(), when it began */
  double ticked, told; /* clock_now() */
};

/* --- the night ----------------------------------------------------------- */

/* All that a result is made with: a night that was cut goes on only with the
 * same. */
static void add_makers(const struct sweep *s, struct str *out)
{
  for (size_t i = 0; i < s->file.narchs; i++)
    if (s->found[i]) {
      const struct target *t = &s->targets[i];
      str_addf(out, "%s %s %d %s %s\n", s->file.archs[i], t->device->name,
               t->device->cus, t->device->runtime, t->compiler);
    }
  for (size_t i = 0; i < s->file.nfamilies; i++)
    str_addf(out, "%s\n", family_hash(s->file.families[i].family));
}

static struct record *make_head(const struct sweep *s)
{
  struct record *r = record_new();
  struct str makers = {0}, devices = {0};
  char hash[HASH_TEXT];
  add_makers(s, &makers);
  hash_hex(makers.at, makers.len, hash);
  for (size_t i = 0; i < s->file.narchs; i++)
    if (s->found[i])
      str_addf(&devices, "%s%s: %s", devices.len ? "; " : "", s->file.archs[i],
               s->targets[i].device->name);
  record_set(r, "program", "%s", TUNE_VERSION);
  record_set(r, "file", "%s", s->file.hash);
  record_set(r, "made_with", "%s", hash);
  record_set(r, "devices", "%s", devices.at);
  record_set(r, "problems", "%zu", s->counts.all);
  str_free(&makers);
  str_free(&devices);
  return r;
}

/* The head of the last night of this shard; the caller's, NULL: none. */
static struct record *last_head(const struct sweep *s, int *cut)
{
  char (*stamps)[NIGHT_STAMP], shard[40];
  size_t n = night_list(s->store.at, s->name.sweep, &stamps);
  struct record *head = NULL;
  snprintf(shard, sizeof shard, "-%d-of-%d", s->name.shard, s->name.shards);
  while (n-- > 0 && !head) {
    const char *behind = strchr(stamps[n], 'Z') + 1;
    struct night_read night;
    if (strcmp(behind, s->name.shards > 1 ? shard : "") ||
        night_load(&night, s->store.at, s->name.sweep, stamps[n], NULL, NULL,
                   NULL))
      continue;
    head = night.head;
    *cut = !night.end;
    night.head = NULL;
    night_free(&night);
  }
  free(stamps);
  return head;
}

static int is_same(const struct record *a, const struct record *b,
                   const char *field)
{
  return !strcmp(record_text(a, field), record_text(b, field));
}

/* What is to be known before a night begins. */
static void say_before(struct sweep *s, const struct record *head)
{
  int cut = 0;
  struct record *last = last_head(s, &cut);
  struct str text = {0};
  if (last && !is_same(last, head, "devices"))
    str_addf(&text, "the devices are others than in the last night (%s; now "
             "%s): their results stand side by side, and are not compared",
             record_text(last, "devices"), record_text(head, "devices"));
  if (text.len)
    s->view.notice(s->view.user, text.at);
  str_clear(&text);
  if (last && cut && !is_same(last, head, "file"))
    str_add(&text, "the last night was cut short and does not go on, as the "
            "sweep file has changed: this is a new one");
  else if (last && cut && !is_same(last, head, "made_with"))
    str_add(&text, "the last night was cut short and does not go on, as device, "
            "compiler, runtime or templates have changed: this is a new one");
  if (text.len)
    s->view.notice(s->view.user, text.at);
  str_free(&text);
  record_free(last);
}

static int open_night(struct sweep *s, struct err *e)
{
  struct record *head = make_head(s);
  say_before(s, head);
  int code = night_open(&s->night, &s->name, head, s->view.notice, s->view.user,
                        e);
  record_free(head);
  return code;
}

/* --- what is done -------------------------------------------------------- */

static void count(struct sweep *s, const struct record *r)
{
  const char *status = record_text(r, "status");
  s->counts.done++;
  s->counts.ok += !strcmp(status, "ok");
  s->counts.failed += !strcmp(status, "failed");
  s->counts.cut += !strcmp(status, "cut");
}

static int is_kept(const struct record *r)
{
  return !strcmp(record_text(r, "why"), sweep_why(SWEEP_KEPT));
}

/* A winner that the night has goes into the table. In this order, because a run that
 * goes on can make the row of the night's record, but not the record of the row. */
static int put_winner(struct sweep *s, const struct record *record,
                      struct err *e)
{
  struct record *row = is_kept(record) ? NULL : night_winner(record);
  int code = row ? table_put(s->store.at, row, s->view.notice, s->view.user, e)
                 : 0;
  record_free(row);
  return code;
}

static int finish(struct run *r, struct sweep_problem *x,
                  const struct record *record, struct err *e)
{
  struct sweep *s = r->s;
  if (night_add(s->night, record, e) || put_winner(s, record, e))
    return e->code;
  x->state = SWEEP_DONE;
  count(s, record);
  s->view.problem(s->view.user, s, record);
  return 0;
}

/* The winner stays: the night says so. */
static int keep(struct run *r, struct sweep_problem *x, struct err *e)
{
  struct record *record = record_copy(x->row);
  record_set(record, "status", "ok");
  record_set(record, "why", "%s", sweep_why(SWEEP_KEPT));
  record_set(record, "candidates", "0");
  if (x->entry->count > 0)
    record_set(record, "count", "%.12g", x->entry->count);
  int code = finish(r, x, record, e);
  record_free(record);
  return code;
}

/* Is the winner that the night has still to be put into the table? Not where that
 * has it, or a later one. */
static int lacks(const struct sweep_problem *x, const struct record *had)
{
  const struct record *row = x->row;
  if (!row)
    return 1;
  int order = strcmp(record_text(row, "date"), record_text(had, "date"));
  return order < 0 ||
         (!order && !(is_same(row, had, "config") &&
                      is_same(row, had, "evaluated") &&
                      tried_holds(record_text(row, "tried"),
                                  record_text(had, "tried"))));
}

/* What the night has already, and what stays as it is. */
static int take_known(struct run *r, struct err *e)
{
  struct sweep *s = r->s;
  for (size_t i = 0; i < s->problems.n; i++) {
    struct sweep_problem *x = &s->problems.list[i];
    const struct record *had = night_find(
        s->night, sweep_problem_arch(&s->problems, x),
        sweep_problem_family(&s->problems, x), x->text);
    if (had) {
      x->state = SWEEP_DONE;
      s->counts.had++;
      count(s, had);
      if (lacks(x, had) && put_winner(s, had, e))
        return e->code;
    } else if (x->state == SWEEP_WAITS && x->why == SWEEP_KEPT &&
               keep(r, x, e)) {
      return e->code;
    }
  }
  return 0;
}

/* --- giving work to the lanes -------------------------------------------- */

static int is_modelled(const struct run *r, const struct sweep_problem *x)
{
  return r->s->targets[x->arch].device->modelled;
}

/* What a simulated device needs, buffers twice and what surrounds them
 * (session_slots). A real device's memory is its own. */
static double bytes_of(struct run *r, size_t i)
{
  const struct sweep_problem *x = &r->s->problems.list[i];
  const struct sweep_entry *entry = x->entry;
  struct family *f = r->s->file.families[entry->family].family;
  const char *names[FAMILY_KEYS], *texts[FAMILY_KEYS];
  struct config c = {0};
  struct problem p;
  struct plan plan;
  if (r->bytes[i] > 0 || !is_modelled(r, x))
    return r->bytes[i];
  for (size_t k = 0; k < entry->nkeys; k++) {
    names[k] = entry->keys[k].name;
    texts[k] = entry->keys[k].text;
  }
  r->bytes[i] = 64 << 20;
  if (!family_problem(f, names, texts, entry->nkeys, &p, NULL) &&
      !family_plan(f, &p, &c, &plan, NULL))
    r->bytes[i] += 2 * plan_bytes(&plan);
  return r->bytes[i];
}

static size_t running(const struct run *r)
{
  return pool_busy(r->pool);
}

/* May it begin beside those that run? On a real device one problem at a time. */
static int fits(struct run *r, size_t i)
{
  const struct sweep_problem *x = &r->s->problems.list[i];
  if (!running(r))
    return 1;
  for (size_t k = 0; k < r->s->nlanes && !is_modelled(r, x); k++)
    if (r->s->at[k] != SIZE_MAX &&
        !is_modelled(r, &r->s->problems.list[r->s->at[k]]))
      return 0;
  return r->used + bytes_of(r, i) <= r->memory;
}

/* The next problem that may begin, or SIZE_MAX. */
static size_t choose(struct run *r)
{
  const struct sweep_problems *p = &r->s->problems;
  while (r->next < p->n && p->list[r->next].state != SWEEP_WAITS)
    r->next++;
  for (size_t i = r->next; i < p->n; i++)
    if (p->list[i].state == SWEEP_WAITS && fits(r, i))
      return i;
  return SIZE_MAX;
}

/* Of a problem: a core, or more where there are fewer problems than cores. */
static size_t jobs_of(const struct run *r, const struct sweep_problem *x)
{
  const struct sweep *s = r->s;
  size_t left = s->counts.all - s->counts.done;
  if (!is_modelled(r, x) || left == 0)
    return s->cores;
  return left < s->cores ? (s->cores + left - 1) / left : 1;
}

/* No problem takes longer than all of its candidates may. */
static double limit_of(const struct run *r, const struct sweep_problem *x)
{
  struct options o;
  if (sweep_file_options(&r->s->file, x->entry, r->s->line, &o, NULL))
    return GRACE;
  double most = (double)o.evals;
  if (x->why == SWEEP_NEAR && most < WARM_START_MOST)
    most = WARM_START_MOST;
  double own = 2 * o.timeout * most;
  if (o.seconds > 0 && o.seconds < own)
    own = o.seconds;
  return clock_limit(r->s->until, own) + GRACE;
}

static int dispatch(struct run *r, struct err *e)
{
  struct sweep *s = r->s;
  for (;;) {
    int slot = r->stopping || clock_past(s->until) ? -1 : pool_idle(r->pool);
    size_t i = slot < 0 ? SIZE_MAX : choose(r);
    if (i == SIZE_MAX)
      return 0;
    struct sweep_problem *x = &s->problems.list[i];
    x->state = SWEEP_RUNS;
    s->at[slot] = i;
    s->now[slot] = (struct lane_now){0};
    r->used += bytes_of(r, i);
    lane_request(i, jobs_of(r, x), s->until, &r->request);
    if (pool_send(r->pool, slot, i, &r->request, limit_of(r, x), e))
      return e->code;
  }
}

/* --- what the lanes answer ----------------------------------------------- */

/* Each notice once: lanes read the same tables. */
static void say(struct sweep *s, const char *lines)
{
  struct str line = {0};
  for (const char *at = lines; *at;) {
    size_t n = strcspn(at, "\n");
    str_clear(&line);
    str_add(&line, "\n");
    str_add_bytes(&line, at, n);
    str_add(&line, "\n");
    if (!s->told.len || !strstr(s->told.at, line.at)) {
      str_add(&s->told, line.at);
      line.at[line.len - 1] = 0;
      s->view.notice(s->view.user, line.at + 1);
    }
    at += n + (at[n] != 0);
  }
  str_free(&line);
}

/* A problem that could not be tuned stays for another run; several in a row are
 * the fault of something that all need. */
static int trouble(struct run *r, struct sweep_problem *x, const char *why,
                   struct err *e)
{
  struct sweep *s = r->s;
  x->state = SWEEP_LEFT;
  s->counts.trouble++;
  s->view.trouble(s->view.user, s, x, why);
  if (++s->row < TROUBLE_MOST)
    return 0;
  return err_set(e, ERR_FAILED, "%d problems in a row could not be tuned, the "
                 "last as: %s; what is done is kept, and the same command goes "
                 "on", TROUBLE_MOST, why);
}

static int answered(struct run *r, struct sweep_problem *x, struct err *e)
{
  struct sweep *s = r->s;
  struct lane_reply reply;
  struct err why = {0};
  if (lane_read(&r->event.reply, &reply, &why))
    return trouble(r, x, "its lane answered rubbish", e);
  say(s, reply.notices);
  s->counts.candidates += reply.candidates;
  s->counts.known += reply.known;
  if (reply.code == ERR_INTERRUPTED) {
    x->state = SWEEP_WAITS;
    r->stopping = s->cut = 1;
    return reply.night_over ? 0 : err_set(e, ERR_INTERRUPTED, "interrupted");
  }
  if (reply.code)
    return trouble(r, x, why.text, e);
  s->row = 0;
  cost_tell(&s->costs, reply.record);
  int code = finish(r, x, reply.record, e);
  record_free(reply.record);
  return code;
}

static int lost(struct run *r, struct sweep_problem *x, struct err *e)
{
  if (++x->tries >= LANE_TRIES)
    return trouble(r, x, r->event.why, e);
  x->state = SWEEP_WAITS;
  if (r->next > (size_t)(x - r->s->problems.list))
    r->next = (size_t)(x - r->s->problems.list);
  return 0;
}

static int handle(struct run *r, struct err *e)
{
  struct sweep *s = r->s;
  if (r->event.kind == EVENT_NONE)
    return 0;
  if (r->event.kind == EVENT_SIGNAL)
    return err_set(e, ERR_INTERRUPTED, "interrupted");
  struct sweep_problem *x = &s->problems.list[r->event.tag];
  r->used -= bytes_of(r, r->event.tag);
  s->at[r->event.slot] = SIZE_MAX;
  return r->event.kind == EVENT_REPLY ? answered(r, x, e) : lost(r, x, e);
}

/* --- all of it ----------------------------------------------------------- */

static double wall_clock(void)
{
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void look_at_clock(struct run *r)
{
  double jump = wall_clock() - clock_now() - r->clock;
  char text[200];
  if (jump < CLOCK_JUMP && jump > -CLOCK_JUMP)
    return;
  r->clock += jump;
  snprintf(text, sizeof text, "the clock jumped by %.0f s: dates of results "
           "before and after it do not tell their order; limits and times do "
           "not depend on it", jump);
  r->s->view.notice(r->s->view.user, text);
}

static void tick(struct run *r)
{
  struct sweep *s = r->s;
  double now = clock_now();
  if (now < r->ticked + TICK)
    return;
  r->ticked = now;
  look_at_clock(r);
  s->view.tick(s->view.user, s);
  if (now < r->told + STATUS)
    return;
  r->told = now;
  status_write(s);
}

static int loop(struct run *r, struct err *e)
{
  int code = 0;
  while (!code) {
    if ((code = dispatch(r, e)) || !running(r))
      break;
    pool_wait(&r->pool, 1, r->signals, TICK, &r->event);
    code = handle(r, e);
    tick(r);
  }
  return code;
}

static void open_lanes(struct run *r)
{
  struct sweep *s = r->s;
  static const char tmp[] = "TMPDIR";
  s->cores = (size_t)s->line->jobs;
  s->nlanes = s->cores < SWEEP_LANES ? s->cores : SWEEP_LANES;
  s->now = mmap(NULL, s->nlanes * sizeof *s->now, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  scratch_make(&s->scratch); /* a lane that is killed leaves its files here */
  if (s->scratch.len)
    setenv(tmp, s->scratch.at, 1);
}

static int start(struct run *r, const struct lane_job *job, void **users,
                 struct err *e)
{
  struct sweep *s = r->s;
  if (s->now == MAP_FAILED)
    return err_set(e, ERR_FAILED, "no memory for the lanes: %s",
                   strerror(errno));
  for (size_t i = 0; i < s->nlanes; i++) {
    s->lanes[i] = (struct lane){job, &s->now[i]};
    s->at[i] = SIZE_MAX;
    users[i] = &s->lanes[i];
  }
  pool_open(&r->pool, s->nlanes, lane_worker, NULL);
  pool_users(r->pool, users);
  return 0;
}

static double cpu_of(int who)
{
  struct rusage u;
  getrusage(who, &u);
  return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
         1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* busy_s: processor seconds of this process, its lanes and their workers. */
static int end_night(struct sweep *s, struct err *e)
{
  struct record *r = record_new();
  record_set(r, "problems", "%zu", s->counts.done);
  record_set(r, "wall_s", "%.1f", clock_now() - s->begun);
  record_set(r, "busy_s", "%.1f", cpu_of(RUSAGE_SELF) + cpu_of(RUSAGE_CHILDREN));
  record_set(r, "cores", "%zu", s->cores);
  int code = night_end(s->night, r, e);
  record_free(r);
  return code;
}

static int conclude(struct sweep *s, struct err *e)
{
  size_t left = s->counts.all - s->counts.done;
  if (left > s->counts.trouble)
    s->cut = 1;
  if (!left && end_night(s, e))
    return e->code;
  if (s->counts.trouble)
    return err_set(e, ERR_FAILED, "%zu problems could not be tuned; the same "
                   "command tries them again", s->counts.trouble);
  if (s->counts.failed)
    return err_set(e, ERR_FAILED, "%zu problems have no winner, as none of "
                   "their candidates was right; `tune report %s` has the "
                   "reasons", s->counts.failed, s->name.sweep);
  return 0;
}

static int run(struct run *r, struct err *e)
{
  struct sweep *s = r->s;
  const struct lane_job job = {&s->problems, s->targets, s->line, s->store.at,
                               night_begun(s->night)};
  void **users = mem_array(s->nlanes, sizeof *users);
  int code = start(r, &job, users, e);
  if (!code && !(code = take_known(r, e)))
    code = loop(r, e);
  s->view.tick(s->view.user, s);
  status_write(s);
  pool_close(r->pool);
  free(users);
  return code;
}

int sweep_run(struct sweep *s, struct err *e)
{
  struct run r = {.s = s, .clock = wall_clock() - clock_now()};
  struct sysinfo info;
  sigset_t old;
  r.memory = sysinfo(&info) ? 0 : MEMORY_SHARE * (double)info.totalram *
                                  info.mem_unit;
  if (open_night(s, e))
    return e->code;
  r.bytes = mem_array(s->problems.n + 1, sizeof *r.bytes);
  r.signals = signals_watch(&old);
  open_lanes(&r);
  int code = run(&r, e);
  if (signals_take(r.signals) && !code)
    code = err_set(e, ERR_INTERRUPTED, "interrupted");
  if (!code)
    code = conclude(s, e);
  if (s->now != MAP_FAILED)
    munmap(s->now, s->nlanes * sizeof *s->now);
  scratch_remove(&s->scratch);
  cache_keep_small();
  close(r.signals);
  sigprocmask(SIG_SETMASK, &old, NULL);
  event_free(&r.event);
  str_free(&r.request);
  free(r.bytes);
  return code;
}
