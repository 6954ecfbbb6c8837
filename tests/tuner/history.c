/* history.c - what counts as measured before. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folder.h"
#include "tuner/session/history.h"

static struct record *identity(const char *template, const char *seed)
{
  struct record *r = record_new();
  record_set(r, "arch", "gfx906");
  record_set(r, "family", "gemm");
  record_set(r, "problem", "m=1");
  record_set(r, "template", "%s", template);
  record_set(r, "seed", "%s", seed);
  return r;
}

static struct history *open(const char *folder, const char *template,
                            const char *seed)
{
  struct history *h;
  struct err e = {0};
  struct record *id = identity(template, seed);
  if (history_open(&h, folder, id, NULL, NULL, &e))
    fail_msg("%s", e.text);
  record_free(id);
  return h;
}

static void add(struct history *h, const char *config, const char *status,
                double us)
{
  struct record *r = record_new();
  struct err e = {0};
  record_set(r, "config", "%s", config);
  record_set(r, "status", "%s", status);
  if (us > 0)
    record_set(r, "time_us", "%g", us);
  if (history_add(h, r, &e))
    fail_msg("%s", e.text);
  record_free(r);
}

static void it_is_found_again(void **state)
{
  (void)state;
  char folder[64];
  folder_make(folder);
  struct history *h = open(folder, "abc", "1");
  assert_null(history_find(h, "t=1"));
  add(h, "t=1", "ok", 5);
  add(h, "t=2", "wrong", 0);
  add(h, "t=1", "ok", 6);
  history_close(h);
  h = open(folder, "abc", "1");
  assert_string_equal(record_get(history_find(h, "t=1"), "time_us"), "6");
  assert_string_equal(record_get(history_find(h, "t=2"), "status"), "wrong");
  assert_non_null(record_get(history_find(h, "t=2"), "date"));
  assert_null(history_find(h, "t=3"));
  history_close(h);
  folder_remove(folder);
}

static void other_templates_and_seeds_do_not_count(void **state)
{
  (void)state;
  char folder[64];
  const struct record **best;
  folder_make(folder);
  struct history *h = open(folder, "abc", "1");
  add(h, "t=1", "ok", 5);
  history_close(h);
  h = open(folder, "other", "1");
  assert_null(history_find(h, "t=1"));
  assert_int_equal(history_best(h, &best), 0);
  free(best);
  history_close(h);
  h = open(folder, "abc", "2"); /* comparable, but measured again */
  assert_null(history_find(h, "t=1"));
  assert_int_equal(history_best(h, &best), 1);
  free(best);
  history_close(h);
  folder_remove(folder);
}

static void what_changed_is_said(void **state)
{
  (void)state;
  char folder[64];
  struct str why = {0};
  folder_make(folder);
  struct history *h = open(folder, "abc", "1");
  assert_false(history_outdated(h, "t=1", &why));
  add(h, "t=1", "ok", 5);
  assert_false(history_outdated(h, "t=2", &why));
  history_close(h);

  h = open(folder, "other", "1");
  assert_true(history_outdated(h, "t=1", &why));
  assert_string_equal(why.at, "the templates have changed (abc, now other)");
  str_clear(&why); /* a changed template may have other tunables */
  assert_true(history_outdated(h, "u=1", &why));
  assert_string_equal(why.at, "the templates have changed (abc, now other)");
  add(h, "t=2", "ok", 5);
  assert_false(history_outdated(h, "u=1", &why));
  assert_true(history_outdated(h, "t=1", &why));
  history_close(h);

  h = open(folder, "other", "2"); /* never measured with this seed */
  assert_false(history_outdated(h, "t=1", &why));
  history_close(h);
  str_free(&why);
  folder_remove(folder);
}

static void the_best_come_first(void **state)
{
  (void)state;
  char folder[64];
  const struct record **best;
  folder_make(folder);
  struct history *h = open(folder, "abc", "1");
  add(h, "t=1", "ok", 5);
  add(h, "t=2", "ok", 3);
  add(h, "t=3", "crash", 0);
  add(h, "t=4", "ok", 4);
  add(h, "t=2", "ok", 4.5); /* replaces the 3 */
  assert_int_equal(history_best(h, &best), 3);
  assert_string_equal(record_get(best[0], "config"), "t=4");
  assert_string_equal(record_get(best[1], "config"), "t=2");
  assert_string_equal(record_get(best[2], "config"), "t=1");
  free(best);
  history_close(h);
  folder_remove(folder);
}

/* Claim something in a process that then waits to be killed. */
static pid_t claim_elsewhere(const char *folder, const char *what)
{
  int ready[2];
  char ok = 0;
  assert_int_equal(pipe(ready), 0);
  pid_t child = fork();
  if (!child) {
    struct history *h = open(folder, "abc", "1");
    ok = (char)history_claim(h, what);
    add(h, "t=9", "ok", 9);
    (void)!write(ready[1], &ok, 1);
    for (;;)
      pause();
  }
  assert_int_equal(read(ready[0], &ok, 1), 1);
  assert_int_equal(ok, 1);
  close(ready[0]);
  close(ready[1]);
  return child;
}

static void processes_share(void **state)
{
  (void)state;
  char folder[64];
  struct err e = {0};
  folder_make(folder);
  struct history *h = open(folder, "abc", "1");
  struct history *other = open(folder, "abc", "2");
  assert_null(history_find(h, "t=9"));
  pid_t child = claim_elsewhere(folder, "t=1");
  assert_int_equal(history_claim(h, "t=1"), 0);
  assert_int_equal(history_claim(h, "t=2"), 1);
  assert_int_equal(history_claim(h, "t=2"), 1); /* still */
  assert_int_equal(history_claim(other, "t=1"), 1); /* another data seed */
  assert_null(history_find(h, "t=9"));
  assert_int_equal(history_refresh(h, &e), 0);
  assert_non_null(history_find(h, "t=9"));
  assert_false(history_was_there(h, history_find(h, "t=9")));
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  assert_int_equal(history_claim(h, "t=1"), 1); /* nothing is left of it */

  history_unclaim(h, "t=2");
  child = claim_elsewhere(folder, "t=2");
  assert_int_equal(history_claim(h, "t=2"), 0);
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  history_close(h);
  history_close(other);
  folder_remove(folder);
}

static void no_store_is_an_error(void **state)
{
  (void)state;
  struct history *h;
  struct err e = {0};
  struct record *id = identity("abc", "1");
  assert_int_equal(history_open(&h, "/dev/null/x", id, NULL, NULL, &e),
                   ERR_FAILED);
  assert_null(h);
  record_free(id);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_is_found_again),
      cmocka_unit_test(other_templates_and_seeds_do_not_count),
      cmocka_unit_test(what_changed_is_said),
      cmocka_unit_test(the_best_come_first),
      cmocka_unit_test(processes_share),
      cmocka_unit_test(no_store_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
