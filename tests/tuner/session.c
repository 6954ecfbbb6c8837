/* session.c - sessions over pools whose workers do as each test says.
 *
 * The pools of worker.h are replaced at link time by slots without processes.
 * A request that was sent is answered by pool_wait(), in an order that a seed
 * decides, and by the fate of its candidate.
 */
// SPDX-License-Identifier: MIT
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/rng.h"
#include "bowl.h"
#include "db/table.h"
#include "folder.h"
#include "tuner/device/compile_worker.h"
#include "tuner/device/device_worker.h"
#include "tuner/device/message.h"
#include "tuner/study/experiment.h"

enum {SLOTS = 8, CANDIDATES = 200, WAITS = 20000};

/* --- the pools ----------------------------------------------------------- */

enum fate {FINE, CRASH_ONCE, CRASHES, HANGS, KILLED_TWICE, KEEPS_DEVICE};

struct pool {
  size_t n;
  int trying; /* it is the devices' */
  struct slot {
    int busy, lost;
    uint64_t tag;
    unsigned age;
  } at[SLOTS];
};

static struct fake {
  struct rng order;
  enum fate fates[CANDIDATES];
  unsigned tries[CANDIDATES]; /* on the device */
  size_t sent, waits, interrupt; /* after so many waits; 0: never */
  double slow; /* seconds of each answer */
  size_t finals; /* candidates of the last request, where it is of finals */
  int ends; /* the budget does, before the candidates */
} fake;

void pool_open(struct pool **out, size_t n, worker_body *body, void *user)
{
  (void)user;
  assert_true(n <= SLOTS);
  *out = mem_array(1, sizeof **out);
  **out = (struct pool){.n = n, .trying = body == device_worker};
}

void pool_users(struct pool *p, void *const *users)
{
  (void)p, (void)users;
}

void pool_close(struct pool *p)
{
  free(p);
}

int pool_free(const struct pool *p, int slot)
{
  return !p->at[slot].busy && !p->at[slot].lost;
}

int pool_idle(const struct pool *p)
{
  for (size_t i = 0; i < p->n; i++)
    if (pool_free(p, (int)i))
      return (int)i;
  return -1;
}

unsigned pool_age(const struct pool *p, int slot)
{
  return p->at[slot].age;
}

static size_t number(const struct pool *p, int lost)
{
  size_t n = 0;
  for (size_t i = 0; i < p->n; i++)
    n += lost ? p->at[i].lost != 0 : p->at[i].busy != 0;
  return n;
}

size_t pool_busy(const struct pool *p)
{
  return number(p, 0);
}

int pool_lost(const struct pool *p, int slot)
{
  return p->at[slot].lost;
}

size_t pool_left(const struct pool *p)
{
  return p->n - number(p, 1);
}

double pool_seconds(const struct pool *p)
{
  (void)p;
  return 0;
}

void pool_retire(struct pool *p, int slot)
{
  assert_false(p->at[slot].busy);
  p->at[slot].age = 0;
}

void pool_drop(struct pool *p)
{
  for (size_t i = 0; i < p->n; i++)
    p->at[i].busy = 0;
}

/* How many candidates a request of finals has; 0: it is another. */
static size_t finalists(const struct str *request)
{
  struct str like = {0};
  finals_begin(&like, 0, 0);
  struct unpack in = unpack_from(request), finals = unpack_from(&like);
  int same = unpack_u64(&in) == unpack_u64(&finals);
  str_free(&like);
  (void)unpack_f64(&in);
  return same ? (size_t)unpack_u64(&in) : 0;
}

int pool_send(struct pool *p, int slot, uint64_t tag,
              const struct str *request, double seconds, struct err *e)
{
  struct slot *s = &p->at[slot];
  (void)e;
  assert_true(pool_free(p, slot) && request->len > 0);
  assert_true(seconds > 0 || fake.ends); /* it may just be over */
  assert_true(tag < CANDIDATES);
  *s = (struct slot){.busy = 1, .tag = tag, .age = s->age + 1};
  fake.sent++;
  fake.finals = p->trying ? finalists(request) : 0;
  fake.tries[tag] += p->trying != 0;
  return 0;
}

void event_free(struct event *e)
{
  str_free(&e->reply);
}

void worker_waits(int fd)
{
  (void)fd; /* only a worker says so, and here there is none */
}

int worker_ask(worker_body *body, void *user, const struct str *request,
               double seconds, struct str *reply, struct err *e)
{
  (void)body, (void)user, (void)request, (void)seconds, (void)reply;
  return err_set(e, ERR_FAILED, "no worker is asked in these tests");
}

static void answer_finals(struct str *reply)
{
  struct str line = {0};
  struct record *conditions = record_new();
  record_format(conditions, &line);
  str_clear(reply);
  pack_text(reply, "");
  for (size_t i = 0; i < fake.finals; i++) {
    pack_f64(reply, 100 + (double)i);
    pack_f64(reply, 1);
    pack_u64(reply, 5);
  }
  pack_bytes(reply, line.at, line.len);
  record_free(conditions);
  str_free(&line);
}

static void answer(const struct pool *p, uint64_t tag, struct str *reply)
{
  if (p->trying && fake.finals) {
    answer_finals(reply);
    return;
  }
  str_clear(reply);
  pack_u64(reply, 0); /* not broken */
  if (p->trying) {
    struct str line = {0};
    struct record *r = record_new();
    record_set(r, "status", "ok");
    record_set(r, "n", "5");
    record_set(r, "time_us", "%u", 100 + (unsigned)(tag * 37 % 64));
    record_format(r, &line);
    pack_bytes(reply, line.at, line.len);
    record_free(r);
    str_free(&line);
  } else {
    pack_u64(reply, 0);
    pack_u64(reply, STATUS_OK);
    pack_text(reply, "");
    pack_bytes(reply, "code", 4);
  }
}

static enum event_kind befalls(const struct slot *s)
{
  switch (fake.fates[s->tag]) {
  case CRASHES:
    return EVENT_CRASH;
  case CRASH_ONCE:
    return fake.tries[s->tag] == 1 ? EVENT_CRASH : EVENT_REPLY;
  case KILLED_TWICE:
    return fake.tries[s->tag] < 3 ? EVENT_KILLED : EVENT_REPLY;
  case HANGS:
  case KEEPS_DEVICE:
    return EVENT_TIMEOUT;
  case FINE:
    break;
  }
  return EVENT_REPLY;
}

static void happen(struct pool *p, int slot, struct event *out)
{
  struct slot *s = &p->at[slot];
  out->kind = p->trying ? befalls(s) : EVENT_REPLY;
  out->pool = p;
  out->slot = slot;
  out->tag = s->tag;
  out->age = s->age;
  out->seconds = 0.001;
  snprintf(out->why, sizeof out->why, "as the test says");
  s->busy = 0;
  if (out->kind == EVENT_REPLY)
    answer(p, s->tag, &out->reply);
  else
    s->age = 0;
  s->lost = p->trying && fake.fates[s->tag] == KEEPS_DEVICE;
}

void pool_wait(struct pool *const *pools, size_t n, int extra,
               double seconds, struct event *out)
{
  size_t busy = 0;
  (void)extra, (void)seconds;
  assert_true(++fake.waits < WAITS); /* or it hangs */
  out->kind = fake.waits == fake.interrupt ? EVENT_SIGNAL : EVENT_NONE;
  if (out->kind == EVENT_SIGNAL)
    return;
  usleep((useconds_t)(1e6 * fake.slow));
  for (size_t i = 0; i < n; i++)
    busy += pool_busy(pools[i]);
  size_t left = busy ? rng_below(&fake.order, busy) : 0;
  for (size_t i = 0; i < n && busy; i++)
    for (size_t j = 0; j < pools[i]->n; j++)
      if (pools[i]->at[j].busy && left-- == 0) {
        happen(pools[i], (int)j, out);
        return;
      }
}

/* --- a session ----------------------------------------------------------- */

struct bench {
  char folder[64];
  struct bowl bowl;
  struct device device;
  struct record *identity;
  struct history *history;
  struct session session;
  size_t told;
  struct config configs[CANDIDATES];
  enum status statuses[CANDIDATES];
  char reasons[CANDIDATES][200];
};

static void on_candidate(void *user, const struct session *s, size_t number,
                         const struct record *r, int known)
{
  struct bench *b = user;
  (void)s, (void)known;
  assert_int_equal(number, ++b->told);
  config_parse(b->bowl.family, record_text(r, "config"), 0,
               &b->configs[number - 1], NULL);
  b->statuses[number - 1]
      = (enum status)status_parse(record_text(r, "status"));
  snprintf(b->reasons[number - 1], sizeof *b->reasons, "%s",
           record_text(r, "reason"));
}

static void on_tick(void *user, const struct session *s)
{
  (void)user, (void)s;
}

static void open_bench(struct bench *b, const char *folder)
{
  struct err e = {0};
  *b = (struct bench){.bowl = bowl_open(), .identity = record_new()};
  if (folder)
    snprintf(b->folder, sizeof b->folder, "%s", folder);
  else
    folder_make(b->folder);
  b->device = (struct device){.modelled = 1, .cus = 60, .memory = 1e12,
                              .name = "a device of a test"};
  record_set(b->identity, "arch", "gfx906");
  record_set(b->identity, "family", "bowl");
  record_set(b->identity, "problem", "n=16");
  if (history_open(&b->history, b->folder, b->identity, NULL, NULL, &e))
    fail_msg("%s", e.text);
  b->session.setup = (struct session_setup){
      .family = b->bowl.family, .problem = &b->bowl.problem,
      .arch = arch_find("gfx906"), .device = &b->device, .compiler = "none",
      .history = b->history, .space = b->bowl.space, .search = &search_bayes,
      .evals = 60, .jobs = 3, .seed = 1, .precision = 0.01, .timeout = 10,
      .begun = clock_now(), .view = {b, on_candidate, on_tick}};
  fake = (struct fake){0};
  rng_seed(&fake.order, 1);
}

static void close_bench(struct bench *b, int keep)
{
  history_close(b->history);
  record_free(b->identity);
  bowl_close(&b->bowl);
  if (!keep)
    folder_remove(b->folder);
}

static int run(struct bench *b, struct err *e)
{
  *e = (struct err){0};
  return session_run(&b->session, e);
}

/* --- the tests ----------------------------------------------------------- */

/* Costs hang on the number of asking here, so that a search that was told in
 * another order would go another way. */
static void told_in_the_order_of_asking(void **state)
{
  static struct bench first, b;
  struct err e;
  (void)state;
  open_bench(&first, NULL);
  assert_int_equal(run(&first, &e), 0);
  assert_int_equal(first.told, 60);
  for (uint64_t order = 2; order < 8; order++) {
    open_bench(&b, NULL);
    rng_seed(&fake.order, order);
    b.session.setup.jobs = 1 + order % 5;
    assert_int_equal(run(&b, &e), 0);
    assert_int_equal(b.told, first.told);
    assert_memory_equal(b.configs, first.configs, sizeof b.configs);
    close_bench(&b, 0);
  }
  close_bench(&first, 0);
}

static void a_crash_is_tried_once_more(void **state)
{
  static struct bench b;
  struct err e;
  (void)state;
  open_bench(&b, NULL);
  b.session.setup.jobs = 1; /* one device, old when these come */
  fake.fates[10] = CRASH_ONCE;
  fake.fates[20] = CRASHES;
  fake.fates[30] = KILLED_TWICE;
  assert_int_equal(run(&b, &e), 0);
  assert_int_equal(b.statuses[10], STATUS_OK);
  assert_int_equal(b.statuses[20], STATUS_CRASH);
  assert_int_equal(b.statuses[30], STATUS_OK);
  assert_int_equal(fake.tries[10], 2);
  assert_int_equal(fake.tries[20], 2);
  assert_int_equal(fake.tries[30], 3);
  assert_int_equal(b.session.result.again, 2);
  assert_int_equal(b.session.result.killed, 2);
  assert_int_equal(b.session.result.counts[STATUS_OK], 59);
  close_bench(&b, 0);
}

/* In a worker that has done nothing before, it was the candidate's doing. */
static void the_first_of_a_worker_is_not(void **state)
{
  static struct bench b;
  struct err e;
  (void)state;
  open_bench(&b, NULL);
  b.session.setup.jobs = 1;
  fake.fates[0] = CRASHES;
  assert_int_equal(run(&b, &e), 0);
  assert_int_equal(b.statuses[0], STATUS_CRASH);
  assert_int_equal(fake.tries[0], 1);
  close_bench(&b, 0);
}

static void a_timeout_costs_its_candidate(void **state)
{
  static struct bench b;
  struct err e;
  (void)state;
  open_bench(&b, NULL);
  b.session.setup.jobs = 1;
  fake.fates[7] = HANGS;
  assert_int_equal(run(&b, &e), 0);
  assert_int_equal(b.told, 60);
  assert_int_equal(b.statuses[7], STATUS_TIMEOUT);
  assert_non_null(strstr(b.reasons[7], "tried again in a new worker"));
  assert_int_equal(fake.tries[7], 2);
  assert_int_equal(b.session.result.counts[STATUS_OK], 59);
  close_bench(&b, 0);
}

static void a_lost_device_leaves_the_others(void **state)
{
  static struct bench b;
  struct err e;
  (void)state;
  open_bench(&b, NULL);
  fake.fates[5] = KEEPS_DEVICE;
  assert_int_equal(run(&b, &e), 0);
  assert_int_equal(b.told, 60);
  assert_int_equal(b.session.result.lost, 1);
  assert_int_equal(fake.tries[5], 1);
  close_bench(&b, 0);

  open_bench(&b, NULL);
  b.session.setup.jobs = 1;
  fake.fates[5] = KEEPS_DEVICE;
  assert_int_equal(run(&b, &e), ERR_FAILED);
  assert_non_null(strstr(e.text, "did not end though killed"));
  assert_int_equal(b.told, 6); /* the timeout is told as well */
  assert_int_equal(history_tried(b.history), 6);
  close_bench(&b, 0);
}

static void an_interruption_keeps_what_was_done(void **state)
{
  static struct bench b;
  struct err e;
  (void)state;
  open_bench(&b, NULL);
  fake.interrupt = 40;
  assert_int_equal(run(&b, &e), ERR_INTERRUPTED);
  assert_true(b.told > 0 && b.told < 60);
  assert_true(history_tried(b.history) >= b.told);
  close_bench(&b, 0);
}

static void a_budget_ends(void **state)
{
  static struct bench b;
  struct err e;
  (void)state;
  open_bench(&b, NULL);
  fake.slow = 0.01;
  fake.ends = 1;
  b.session.setup.until = clock_now() + 0.3;
  assert_int_equal(run(&b, &e), 0);
  assert_true(b.session.result.out_of_time);
  assert_true(b.told < 60);
  assert_true(history_tried(b.history) >= b.told);
  close_bench(&b, 0);
}

/* The search ends where its best stays, with as many candidates whatever the order in
 * which workers are ready; and a run of the same journal ends there, too. */
static void patience_ends(void **state)
{
  static struct bench first, b;
  struct err e;
  (void)state;
  open_bench(&first, NULL);
  first.session.setup.patience = 12;
  assert_int_equal(run(&first, &e), 0);
  const struct session_result *r = &first.session.result;
  assert_true(r->out_of_patience && r->whole);
  assert_in_range(first.told, 12, 59);
  for (uint64_t order = 2; order < 6; order++) {
    open_bench(&b, order == 5 ? first.folder : NULL);
    rng_seed(&fake.order, order);
    b.session.setup.patience = 12;
    b.session.setup.jobs = 1 + order % 5;
    assert_int_equal(run(&b, &e), 0);
    assert_int_equal(b.told, first.told);
    assert_memory_equal(b.configs, first.configs, sizeof b.configs);
    close_bench(&b, order == 5);
  }
  close_bench(&first, 0);
}

static void the_journal_is_believed(void **state)
{
  static struct bench b, again;
  struct err e;
  (void)state;
  open_bench(&b, NULL);
  fake.fates[3] = CRASHES;
  assert_int_equal(run(&b, &e), 0);
  close_bench(&b, 1);
  open_bench(&again, b.folder);
  assert_int_equal(run(&again, &e), 0);
  assert_int_equal(fake.sent, 0);
  assert_int_equal(again.session.result.known, 60);
  assert_memory_equal(again.configs, b.configs, sizeof b.configs);
  assert_memory_equal(again.statuses, b.statuses, sizeof b.statuses);
  close_bench(&again, 1);

  open_bench(&again, b.folder); /* what crashed; all asked before any is told */
  again.session.setup.evals = SEARCH_AHEAD;
  again.session.setup.retry = 1u << STATUS_CRASH;
  assert_int_equal(run(&again, &e), 0);
  assert_int_equal(again.session.result.retried, 1);
  assert_int_equal(again.session.result.known, SEARCH_AHEAD - 1);
  assert_int_equal(again.statuses[3], STATUS_OK);
  close_bench(&again, 0);
}

/* --- what a study begins with -------------------------------------------- */

static void no_begin(void *user, const struct session *s)
{
  (void)user, (void)s;
}

static void no_candidate(void *user, const struct session *s, size_t number,
                         int known)
{
  (void)user, (void)s, (void)number, (void)known;
}

static void no_end(void *user)
{
  (void)user;
}

static void store_winner(const char *folder, const char *config)
{
  struct record *r = record_new();
  struct err e = {0};
  record_set(r, "arch", "gfx906");
  record_set(r, "family", "bowl");
  record_set(r, "problem", "n=32");
  record_set(r, "config", "%s", config);
  record_set(r, "device", "a device of a test");
  record_set(r, "cus", "60");
  record_set(r, "source", "modelled");
  record_set(r, "status", "ok");
  record_set(r, "time_us", "5");
  record_set(r, "date", "2026-01-02T00:00:00Z");
  if (table_put(folder, r, NULL, NULL, &e))
    fail_msg("%s", e.text);
  record_free(r);
}

/* As `tune FAMILY` does: with the winners of near problems. */
static void a_study_begins_with_near_winners(void **state)
{
  static const char winner[] = "t0=5,t1=3,t2=6,t3=2,t4=4,t5=1";
  static const struct device device = {.modelled = 1, .cus = 60,
                                       .memory = 1e12,
                                       .name = "a device of a test"};
  struct err e = {0};
  struct setup s;
  struct record *row = NULL;
  char folder[64];
  (void)state;
  folder_make(folder);
  store_winner(folder, winner);
  const struct options options = {.arch = "gfx906", .db = folder, .evals = 1,
                                  .jobs = 1, .seed = 1, .precision = 0.01,
                                  .timeout = 10};
  struct experiment experiment = {
      .options = &options, .arch = arch_find("gfx906"),
      .view = {NULL, NULL, no_begin, no_candidate, no_begin, no_end}};
  experiment.target.device = &device;
  fake = (struct fake){0};
  rng_seed(&fake.order, 1);
  const char *bowl = SOURCE_DIR "/tests/tuner/families/bowl.lua";
  if (experiment_problem(&experiment, bowl, NULL, NULL, 0, &s, &e) ||
      experiment_tune(&experiment, &s, 0, &row, &e))
    fail_msg("%s", e.text);
  assert_string_equal(record_text(row, "config"), winner);
  assert_string_equal(record_text(row, "final"), "1");
  record_free(row);
  setup_close(&s);
  folder_remove(folder);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(told_in_the_order_of_asking),
      cmocka_unit_test(a_crash_is_tried_once_more),
      cmocka_unit_test(the_first_of_a_worker_is_not),
      cmocka_unit_test(a_timeout_costs_its_candidate),
      cmocka_unit_test(a_lost_device_leaves_the_others),
      cmocka_unit_test(an_interruption_keeps_what_was_done),
      cmocka_unit_test(a_budget_ends),
      cmocka_unit_test(patience_ends),
      cmocka_unit_test(the_journal_is_believed),
      cmocka_unit_test(a_study_begins_with_near_winners),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
