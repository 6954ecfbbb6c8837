/* writers.c - 8 processes append at once, look for problems, and nothing is
 * lost or torn.
 *
 * For WRITERS_SECONDS seconds (an environment variable), 1 by default; `./check
 * store` takes a minute.
 */
// SPDX-License-Identifier: MIT
#include <sys/mman.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "db/journal.h"
#include "tests/base/folder.h"

enum {WRITERS = 8, PROBLEMS = 5};

struct seen {
  long next[WRITERS], records;
  struct str notices;
};

static void take(void *user, struct record *r)
{
  struct seen *s = user;
  int w = (int)record_number(r, "writer", -1);
  assert_in_range(w, 0, WRITERS - 1);
  assert_int_equal((long)record_number(r, "i", -1), s->next[w]);
  s->next[w]++;
  s->records++;
  record_free(r);
}

static void note(void *user, const char *text)
{
  str_addf(&((struct seen *)user)->notices, "%s\n", text);
}

static void count(void *user, struct record *r)
{
  ((struct seen *)user)->records++;
  record_free(r);
}

static int append(struct journal *j, int w, long i)
{
  struct err e = {0};
  struct record *r = record_new();
  record_set(r, "writer", "%d", w);
  record_set(r, "i", "%ld", i);
  record_set(r, "problem", "m=%ld", i % PROBLEMS);
  record_set(r, "text", "%0*ld", (int)(i * 37 % 2000), i); /* all lengths */
  int code = journal_append(j, r, &e);
  record_free(r);
  return code;
}

/* Appends and follows until the time is up; now and then anew, as a run. */
static int work(const char *path, int w, double until, long *told)
{
  struct seen s = {0};
  struct journal_reader reader = {&s, count, note};
  struct err e = {0};
  struct journal *j = NULL;
  int failed = 0;
  for (; clock_now() < until && !failed; ++*told) {
    if (*told % 500 == 0) {
      journal_close(j);
      failed = journal_open(&j, path, &e);
      if (!failed)
        journal_only(j, "m=1");
    }
    failed = failed || append(j, w, *told) || journal_follow(j, &reader, &e) ||
             s.notices.len;
  }
  journal_close(j);
  if (failed)
    fprintf(stderr, "writer %d: %s%s\n", w, e.text, str_text(&s.notices));
  return failed;
}

static double seconds(void)
{
  const char *text = getenv("WRITERS_SECONDS");
  return text ? atof(text) : 1;
}

static void by_problem(const char *path, long total)
{
  struct seen s = {0};
  struct journal_reader reader = {&s, count, note};
  struct err e = {0};
  for (int i = 0; i < PROBLEMS; i++) {
    char problem[32];
    snprintf(problem, sizeof problem, "m=%d", i);
    assert_int_equal(journal_find(path, problem, &reader, &e), 0);
  }
  assert_int_equal(s.records, total);
  assert_int_equal(s.notices.len, 0);
}

static void nothing_is_lost(void **state)
{
  const char *path = folder_file(*state, "f.journal");
  struct seen s = {0};
  struct journal_reader reader = {&s, take, note};
  struct err e = {0};
  pid_t child[WRITERS];
  long *told = mmap(NULL, sizeof *told * WRITERS, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0), total = 0;
  assert_ptr_not_equal(told, MAP_FAILED);
  double until = clock_now() + seconds();
  for (int w = 0; w < WRITERS; w++)
    if (!(child[w] = fork()))
      _exit(work(path, w, until, &told[w]));
  for (int w = 0; w < WRITERS; w++) {
    int status;
    assert_int_equal(waitpid(child[w], &status, 0), child[w]);
    assert_int_equal(status, 0);
  }
  assert_int_equal(journal_read(path, &reader, &e), 0);
  assert_int_equal(s.notices.len, 0);
  for (int w = 0; w < WRITERS; w++) {
    assert_true(told[w] > 0);
    assert_int_equal(s.next[w], told[w]);
    total += told[w];
  }
  by_problem(path, total);
  munmap(told, sizeof *told * WRITERS);
  printf("%d processes appended %ld records in %g s\n", WRITERS, total,
         seconds());
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(nothing_is_lost, folder_make,
                                    folder_remove),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
