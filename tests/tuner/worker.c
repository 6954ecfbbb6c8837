/* worker.c - workers that crash, hang, lie: each costs one request. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <unistd.h>

#include "base/clock.h"
#include "tuner/device/message.h"
#include "tuner/device/worker.h"

/* What it is asked for decides how it behaves; it answers with its pid. */
static void body(int fd, void *user)
{
  struct str message = {0};
  (void)user;
  while (message_read(fd, &message)) {
    struct unpack in = unpack_from(&message);
    const char *word = unpack_text(&in);
    if (!strcmp(word, "crash")) {
      fprintf(stderr, "noise\nmunmap_chunk(): invalid pointer\n");
      signal(SIGABRT, SIG_DFL);
      kill(getpid(), SIGABRT);
    }
    if (!strcmp(word, "kill")) /* who sent it cannot be told */
      kill(getpid(), SIGKILL);
    if (!strcmp(word, "exit"))
      _exit(3);
    if (!strcmp(word, "traced"))
      prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
    while (!strcmp(word, "hang"))
      pause();
    for (int i = 0; i < 6 && !strcmp(word, "wait"); i++) {
      usleep(100000);
      worker_waits(fd);
    }
    if (!strcmp(word, "rubbish"))
      (void)!write(fd, "this is no message at all", 25);
    if (!strcmp(word, "half")) {
      uint32_t head[2] = {0x316d7477, 1000};
      (void)!write(fd, head, sizeof head);
      _exit(0);
    }
    if (!strcmp(word, "twice"))
      message_write(fd, &message);
    if (!strcmp(word, "quit")) {
      message_write(fd, &message);
      _exit(0);
    }
    printf("this must not reach the results\n");
    fflush(stdout);
    str_clear(&message);
    pack_u64(&message, (uint64_t)getpid());
    message_write(fd, &message);
  }
  str_free(&message);
}

static struct event one(struct pool *p, const char *word, double limit)
{
  struct str request = {0};
  struct event event = {0};
  struct err e = {0};
  int slot = pool_idle(p);
  assert_true(slot >= 0);
  pack_text(&request, word);
  if (pool_send(p, slot, 42, &request, limit, &e))
    fail_msg("%s", e.text);
  pool_wait(&p, 1, -1, 10, &event);
  str_free(&request);
  assert_int_equal(event.tag, 42);
  return event;
}

static uint64_t pid_of(struct event *event)
{
  assert_int_equal(event->kind, EVENT_REPLY);
  struct unpack in = unpack_from(&event->reply);
  uint64_t pid = unpack_u64(&in);
  event_free(event);
  return pid;
}

static void a_worker_lives_on(void **state)
{
  (void)state;
  struct pool *p;
  pool_open(&p, 1, body, NULL);
  struct event a = one(p, "hello", 5), b = one(p, "again", 5);
  uint64_t first = pid_of(&a);
  assert_int_equal(first, pid_of(&b));
  assert_int_not_equal(first, getpid());
  pool_close(p);
}

/* The age tells a worker that may carry something from one that is new. */
static void workers_age(void **state)
{
  (void)state;
  struct pool *p;
  pool_open(&p, 1, body, NULL);
  assert_int_equal(pool_age(p, 0), 0);
  for (unsigned n = 1; n <= 3; n++) {
    struct event event = one(p, "hello", 5);
    assert_int_equal(event.age, n);
    assert_int_equal(pool_age(p, 0), n);
    event_free(&event);
  }
  struct event event = one(p, "exit", 5);
  assert_int_equal(event.age, 4);
  assert_int_equal(pool_age(p, 0), 0);
  event_free(&event);
  event = one(p, "hello", 5);
  assert_int_equal(event.age, 1);
  pool_retire(p, 0);
  assert_int_equal(pool_age(p, 0), 0);
  event_free(&event);
  pool_close(p);
}

static void say_user(int fd, void *user)
{
  struct str message = {0};
  while (message_read(fd, &message)) {
    str_clear(&message);
    pack_text(&message, user);
    message_write(fd, &message);
  }
}

static void places_have_users(void **state)
{
  (void)state;
  void *const users[] = {"first", "second"};
  struct str request = {0};
  struct pool *p;
  struct err e;
  struct event event = {0};
  pool_open(&p, 2, say_user, NULL);
  pool_users(p, users);
  for (int slot = 0; slot < 2; slot++) {
    assert_true(pool_free(p, slot));
    assert_int_equal(pool_send(p, slot, 1, &request, 5, &e), 0);
    assert_false(pool_free(p, slot));
    pool_wait(&p, 1, -1, 10, &event);
    struct unpack in = unpack_from(&event.reply);
    assert_string_equal(unpack_text(&in), users[slot]);
  }
  event_free(&event);
  pool_close(p);
}

static const struct {
  const char *word;
  enum event_kind kind;
  const char *why;
} evils[] = {
    {"crash", EVENT_CRASH, "(Aborted): munmap_chunk(): invalid pointer"},
    {"exit", EVENT_CRASH, "ended with status 3"},
    {"rubbish", EVENT_CRASH, "rubbish"},
    {"half", EVENT_CRASH, "ended with status 0"},
    {"hang", EVENT_TIMEOUT, "no answer within 0.2 s"},
    {"kill", EVENT_KILLED, "signal 9 (Killed), from outside"},
};

/* It says that it waits, six times in 0.6 s: each time its own time of 0.3 s
 * begins anew. */
static void waiting_is_no_delay(void **state)
{
  (void)state;
  struct pool *p;
  struct str request = {0}, reply = {0};
  struct err e = {0};
  pool_open(&p, 1, body, NULL);
  struct event event = one(p, "wait", 0.3);
  assert_int_equal(event.kind, EVENT_REPLY);
  assert_true(event.reply.len > 0);
  assert_true(event.seconds < 0.3);
  event_free(&event);
  pool_close(p);
  pack_text(&request, "wait");
  assert_int_equal(worker_ask(body, NULL, &request, 0.3, &reply, &e), 0);
  assert_true(reply.len > 0);
  str_free(&request);
  str_free(&reply);
}

/* Each evil costs its own request, and the slot serves the next. */
static void evil_costs_one_request(void **state)
{
  (void)state;
  struct pool *p;
  pool_open(&p, 1, body, NULL);
  for (size_t i = 0; i < sizeof evils / sizeof *evils; i++) {
    double limit = evils[i].kind == EVENT_TIMEOUT ? 0.2 : 5;
    struct event bad = one(p, evils[i].word, limit);
    assert_int_equal(bad.kind, evils[i].kind);
    if (!strstr(bad.why, evils[i].why))
      fail_msg("%s: %s", evils[i].word, bad.why);
    event_free(&bad);
    struct event good = one(p, "hello", 5);
    pid_of(&good);
  }
  pool_close(p);
}

/* Answers that nobody asked for, and workers that leave between requests. */
static void idle_evil_costs_nothing(void **state)
{
  (void)state;
  struct pool *p;
  struct event event = {0};
  const char *words[] = {"twice", "quit"};
  pool_open(&p, 1, body, NULL);
  for (size_t i = 0; i < 2; i++) {
    event = one(p, words[i], 5);
    assert_int_equal(event.kind, EVENT_REPLY);
    pool_wait(&p, 1, -1, 0.1, &event);
    assert_int_equal(event.kind, EVENT_NONE);
    event_free(&event);
    event = one(p, "hello", 5);
    pid_of(&event);
  }
  pool_close(p);
}

static void killed_from_outside(void **state)
{
  (void)state;
  struct pool *p;
  pool_open(&p, 1, body, NULL);
  struct event a = one(p, "hello", 5);
  uint64_t first = pid_of(&a);
  kill((pid_t)first, SIGKILL);
  struct event b = one(p, "hello", 5);
  /* whether it died before or after the request came, one is lost at most */
  if (b.kind == EVENT_KILLED) {
    assert_non_null(strstr(b.why, "signal 9 (Killed)"));
    event_free(&b);
    b = one(p, "hello", 5);
  }
  assert_int_not_equal(first, pid_of(&b));
  pool_close(p);
}

/* Two pools side by side: a hanging worker does not hold up the other. */
static void pools_work_side_by_side(void **state)
{
  (void)state;
  struct pool *pools[2];
  struct str request = {0};
  struct event event = {0};
  struct err e = {0};
  int replies = 0, timeouts = 0;
  pool_open(&pools[0], 2, body, NULL);
  pool_open(&pools[1], 2, body, NULL);
  pack_text(&request, "hang");
  assert_int_equal(pool_send(pools[0], 0, 7, &request, 0.5, &e), 0);
  for (int i = 0; i < 20; i++) {
    str_clear(&request);
    pack_text(&request, "hello");
    int slot = pool_idle(pools[1]);
    assert_int_equal(pool_send(pools[1], slot, (uint64_t)i, &request, 5, &e),
                     0);
    pool_wait(pools, 2, -1, 5, &event);
    replies += event.kind == EVENT_REPLY && event.pool == pools[1];
  }
  assert_int_equal(pool_busy(pools[0]), 1);
  pool_wait(pools, 2, -1, 5, &event);
  timeouts += event.kind == EVENT_TIMEOUT && event.tag == 7;
  assert_int_equal(replies, 20);
  assert_int_equal(timeouts, 1);
  event_free(&event);
  str_free(&request);
  pool_close(pools[0]);
  pool_close(pools[1]);
}

/* Longer than what a socket holds, both ways. */
static void large_messages(void **state)
{
  (void)state;
  struct pool *p;
  struct str request = {0};
  struct event event = {0};
  struct err e = {0};
  static char bulk[4 << 20];
  memset(bulk, 'x', sizeof bulk);
  pool_open(&p, 1, body, NULL);
  pack_text(&request, "twice");
  pack_bytes(&request, bulk, sizeof bulk);
  assert_int_equal(pool_send(p, 0, 1, &request, 10, &e), 0);
  pool_wait(&p, 1, -1, 10, &event);
  assert_int_equal(event.kind, EVENT_REPLY);
  assert_int_equal(event.reply.len, request.len);
  assert_memory_equal(event.reply.at, request.at, request.len);
  event_free(&event);
  str_free(&request);
  pool_close(p);
}

static void an_extra_descriptor_is_watched(void **state)
{
  (void)state;
  struct pool *p;
  struct event event = {0};
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  pool_open(&p, 1, body, NULL);
  double from = clock_now();
  pool_wait(&p, 1, ends[0], 0.05, &event);
  assert_int_equal(event.kind, EVENT_NONE);
  assert_true(clock_now() - from >= 0.05);
  assert_int_equal(write(ends[1], "!", 1), 1);
  pool_wait(&p, 1, ends[0], 5, &event);
  assert_int_equal(event.kind, EVENT_SIGNAL);
  pool_close(p);
  close(ends[0]);
  close(ends[1]);
}

/* Killed as often as the byte that user points to says, in memory of both. */
static void mortal(int fd, void *user)
{
  unsigned char *lives = user;
  if (*lives && (*lives)--)
    kill(getpid(), SIGKILL);
  body(fd, NULL);
}

static void a_killed_worker_is_replaced(void **state)
{
  (void)state;
  struct str request = {0}, reply = {0};
  struct err e = {0};
  unsigned char *lives = mmap(NULL, 1, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_ptr_not_equal(lives, MAP_FAILED);
  pack_text(&request, "hello");
  *lives = WORKER_TRIES - 1;
  assert_int_equal(worker_ask(mortal, lives, &request, 5, &reply, &e), 0);
  assert_int_equal(e.code, 0);
  *lives = WORKER_TRIES;
  assert_int_equal(worker_ask(mortal, lives, &request, 5, &reply, &e),
                   ERR_FAILED);
  assert_non_null(strstr(e.text, "(Killed), from outside"));
  munmap(lives, 1);
  str_free(&request);
  str_free(&reply);
}

static void one_request_to_one_worker(void **state)
{
  (void)state;
  struct str request = {0}, reply = {0};
  struct err e = {0};
  pack_text(&request, "hello");
  assert_int_equal(worker_ask(body, NULL, &request, 5, &reply, &e), 0);
  assert_int_equal(reply.len, 8);
  str_clear(&request);
  pack_text(&request, "hang");
  assert_int_equal(worker_ask(body, NULL, &request, 0.1, &reply, &e),
                   ERR_FAILED);
  assert_non_null(strstr(e.text, "no answer within 0.1 s"));
  str_free(&request);
  str_free(&reply);
}

/* A process is not gone before its tracer, who hears of it first, has looked:
 * this one does not. */
static pid_t trace(pid_t victim)
{
  int ready[2];
  char ok = 0;
  assert_int_equal(pipe(ready), 0);
  pid_t tracer = fork();
  if (tracer == 0) {
    ok = ptrace(PTRACE_SEIZE, victim, NULL, NULL) == 0;
    (void)!write(ready[1], &ok, 1);
    sleep(60);
    _exit(0);
  }
  (void)!read(ready[0], &ok, 1);
  close(ready[0]);
  close(ready[1]);
  if (!ok)
    kill(tracer, SIGKILL);
  return ok ? tracer : 0;
}

static void one_that_does_not_end_is_given_up(void **state)
{
  (void)state;
  struct pool *p;
  struct str request = {0};
  struct event event = {0};
  struct err e = {0};
  pool_open(&p, 2, body, NULL);
  pack_text(&request, "traced");
  assert_int_equal(pool_send(p, 0, 1, &request, 5, &e), 0);
  pool_wait(&p, 1, -1, 5, &event);
  pid_t tracer = trace((pid_t)pid_of(&event));
  if (!tracer) {
    pool_close(p);
    skip();
  }
  double from = clock_now();
  pool_retire(p, 0);
  assert_true(clock_now() - from < 8);
  assert_true(pool_lost(p, 0));
  assert_false(pool_free(p, 0));
  assert_int_equal(pool_left(p), 1);
  event = one(p, "hello", 5); /* the other slot goes on */
  assert_int_equal(event.slot, 1);
  assert_int_equal(event.kind, EVENT_REPLY);
  event_free(&event);
  from = clock_now();
  pool_close(p);
  assert_true(clock_now() - from < 1);
  kill(tracer, SIGKILL);
  str_free(&request);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_worker_lives_on),
      cmocka_unit_test(workers_age),
      cmocka_unit_test(places_have_users),
      cmocka_unit_test(waiting_is_no_delay),
      cmocka_unit_test(evil_costs_one_request),
      cmocka_unit_test(idle_evil_costs_nothing),
      cmocka_unit_test(killed_from_outside),
      cmocka_unit_test(pools_work_side_by_side),
      cmocka_unit_test(large_messages),
      cmocka_unit_test(an_extra_descriptor_is_watched),
      cmocka_unit_test(one_request_to_one_worker),
      cmocka_unit_test(a_killed_worker_is_replaced),
      cmocka_unit_test(one_that_does_not_end_is_given_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
