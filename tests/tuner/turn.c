/* turn.c - processes that time on one device do so one after the other. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "tuner/device/turn.h"

enum {PROCESSES = 3};

struct seen {
  int inside;                 /* how many have the turn; atomic */
  int together;               /* how often that was more than one */
  int turns[PROCESSES], stop;
};

static struct device card(void)
{
  struct device d = {0};
  snprintf(d.bus_id, sizeof d.bus_id, "test-%ld", (long)getppid());
  return d;
}

static void unlink_file(const char *bus_id)
{
  char path[80];
  snprintf(path, sizeof path, "/run/lock/tune-%s.lock", bus_id);
  unlink(path);
  snprintf(path, sizeof path, "/tmp/tune-%s.lock", bus_id);
  unlink(path);
}

static void alive(void *user)
{
  ++*(int *)user;
}

static _Noreturn void take_turns(struct seen *s, int me)
{
  struct device d = card();
  struct turn t = turn_open(&d);
  struct err e = {0};
  int beats = 0;
  while (!__atomic_load_n(&s->stop, __ATOMIC_SEQ_CST)) {
    if (t.file < 0 || turn_take(&t, alive, &beats, &e))
      _exit(1);
    if (__atomic_add_fetch(&s->inside, 1, __ATOMIC_SEQ_CST) > 1)
      __atomic_add_fetch(&s->together, 1, __ATOMIC_SEQ_CST);
    usleep(3000);
    s->turns[me]++;
    __atomic_sub_fetch(&s->inside, 1, __ATOMIC_SEQ_CST);
    turn_give(&t);
  }
  _exit(0);
}

/* None is left out, whoever else is quick to come again. */
static void test_one_after_the_other(void **state)
{
  (void)state;
  struct seen *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pid_t pid[PROCESSES];
  char bus_id[32];
  for (int i = 0; i < PROCESSES; i++)
    if ((pid[i] = fork()) == 0)
      take_turns(s, i);
  usleep(1500000);
  __atomic_store_n(&s->stop, 1, __ATOMIC_SEQ_CST);
  int all = 0;
  for (int i = 0; i < PROCESSES; i++) {
    int status;
    assert_int_equal(waitpid(pid[i], &status, 0), pid[i]);
    assert_int_equal(status, 0);
    all += s->turns[i];
  }
  snprintf(bus_id, sizeof bus_id, "test-%ld", (long)getpid());
  unlink_file(bus_id);
  assert_int_equal(s->together, 0);
  for (int i = 0; i < PROCESSES; i++)
    assert_true(s->turns[i] * PROCESSES * 3 >= all);
  munmap(s, sizeof *s);
}

/* The turn of one who is killed is free. */
static void test_killed(void **state)
{
  (void)state;
  struct device d = {.bus_id = "test-killed"};
  struct turn t = turn_open(&d);
  struct err e = {0};
  int beats = 0, ready[2];
  char byte;
  assert_true(t.file >= 0);
  assert_int_equal(pipe(ready), 0);
  pid_t pid = fork();
  if (pid == 0) {
    struct turn other = turn_open(&d);
    if (turn_take(&other, alive, &beats, &e) || write(ready[1], "x", 1) != 1)
      _exit(1);
    sleep(2);
    kill(getpid(), SIGKILL);
  }
  assert_int_equal(read(ready[0], &byte, 1), 1);
  double began = clock_now();
  assert_int_equal(turn_take(&t, alive, &beats, &e), 0);
  assert_true(clock_now() - began > 1);
  assert_true(beats >= 2); /* once a second, and at the end */
  turn_give(&t);
  turn_close(&t);
  waitpid(pid, NULL, 0);
  unlink_file(d.bus_id);
  close(ready[0]);
  close(ready[1]);
}

static void test_simulated(void **state)
{
  (void)state;
  struct device d = {.modelled = 1, .bus_id = "test-simulated"};
  struct turn t = turn_open(&d);
  struct err e = {0};
  assert_int_equal(t.file, -1);
  assert_int_equal(turn_take(&t, alive, NULL, &e), 0);
  turn_give(&t);
  turn_close(&t);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_after_the_other),
      cmocka_unit_test(test_killed),
      cmocka_unit_test(test_simulated),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
