/* night.c - what a sweep found, and what is left of it whatever happens. */
// SPDX-License-Identifier: MIT
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "base/file.h"
#include "db/night.h"
#include "tests/base/folder.h"

static char notices[2000];

static void note(void *user, const char *text)
{
  (void)user;
  snprintf(notices, sizeof notices, "%s", text);
}

static struct night *begin(const struct night_name *name, const char *file)
{
  struct night *n;
  struct err e = {0};
  struct record *head = record_new();
  record_set(head, "file", "%s", file);
  record_set(head, "problems", "3");
  if (night_open(&n, name, head, note, NULL, &e))
    fail_msg("%s", e.text);
  record_free(head);
  return n;
}

static void add(struct night *n, const char *problem, const char *status)
{
  struct err e = {0};
  struct record *r = record_new();
  record_set(r, "arch", "gfx906");
  record_set(r, "family", "gemm");
  record_set(r, "problem", "%s", problem);
  record_set(r, "status", "%s", status);
  assert_int_equal(night_add(n, r, &e), 0);
  record_free(r);
}

static void finish(struct night *n)
{
  struct err e = {0};
  struct record *r = record_new();
  record_set(r, "problems", "3");
  assert_int_equal(night_end(n, r, &e), 0);
  record_free(r);
}

static struct night_read load(const struct night_name *name, size_t nth)
{
  char (*stamps)[NIGHT_STAMP];
  struct night_read r;
  struct err e = {0};
  size_t n = night_list(name->store, name->sweep, &stamps);
  assert_true(nth < n);
  assert_int_equal(night_load(&r, name->store, name->sweep, stamps[nth], note,
                              NULL, &e), 0);
  free(stamps);
  return r;
}

static size_t nights(const struct night_name *name)
{
  char (*stamps)[NIGHT_STAMP];
  size_t n = night_list(name->store, name->sweep, &stamps);
  free(stamps);
  return n;
}

static struct night_name named(void **state)
{
  const struct folder *f = *state;
  return (struct night_name){f->path, "some", 1, 1};
}

/* A night that was cut goes on, one that ended does not. */
static void goes_on(void **state)
{
  struct night_name name = named(state);
  struct night *n = begin(&name, "a");
  add(n, "m=1", "ok");
  assert_null(night_find(n, "gfx906", "gemm", "m=1"));
  night_close(n);
  n = begin(&name, "a");
  assert_int_equal(nights(&name), 1);
  assert_non_null(night_find(n, "gfx906", "gemm", "m=1"));
  assert_null(night_find(n, "gfx908", "gemm", "m=1"));
  assert_null(night_find(n, "gfx906", "gemm", "m=2"));
  add(n, "m=2", "failed");
  add(n, "m=2", "ok");
  finish(n);
  night_close(n);
  struct night_read r = load(&name, 0);
  assert_int_equal(r.n, 2);
  assert_non_null(r.end);
  assert_string_equal(record_text(r.head, "shard"), "1/1");
  assert_string_equal(record_text(r.problems[1], "problem"), "m=2");
  assert_string_equal(record_text(r.problems[1], "status"), "ok");
  night_free(&r);
  night_close(begin(&name, "a"));
  assert_int_equal(nights(&name), 2);
  night_close(begin(&name, "b")); /* another file: another night */
  assert_int_equal(nights(&name), 3);
}

/* Names sort as nights begin, also where many begin in a second, or the clock
 * is set back. */
static void clocks(void **state)
{
  struct night_name name = named(state);
  struct err e = {0};
  char later[200];
  for (int i = 0; i < 3; i++) {
    struct night *n = begin(&name, "a");
    finish(n);
    night_close(n);
  }
  assert_int_equal(nights(&name), 3);
  snprintf(later, sizeof later, "%s/nights/some/29990101T000000Z.night",
           name.store);
  assert_int_equal(file_replace(later, "", 0, &e), 0);
  *notices = 0;
  struct night *n = begin(&name, "a");
  assert_non_null(strstr(notices, "the clock is behind the last night"));
  assert_non_null(strstr(night_path(n), "29990101T000001Z.night"));
  night_close(n);
}

/* One process at a time, but for shards; a lock goes with its process. */
static void locks(void **state)
{
  struct night_name name = named(state), shard = name;
  struct err e = {0};
  int ready[2], status;
  char byte;
  assert_int_equal(pipe(ready), 0);
  assert_int_equal(night_runs(&name), 0);
  pid_t child = fork();
  if (!child) {
    begin(&name, "a");
    if (write(ready[1], "x", 1) != 1)
      _exit(1);
    pause();
  }
  assert_int_equal(read(ready[0], &byte, 1), 1);
  assert_int_equal(night_runs(&name), 1);
  struct night *n;
  struct record *head = record_new();
  assert_int_equal(night_open(&n, &name, head, NULL, NULL, &e), ERR_FAILED);
  assert_non_null(strstr(e.text, "is running the sweep some"));
  shard.shard = 2;
  shard.shards = 4;
  n = begin(&shard, "a");
  assert_non_null(strstr(night_path(n), "Z-2-of-4.night"));
  night_close(n);
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  assert_int_equal(night_runs(&name), 0);
  night_close(begin(&name, "a"));
  record_free(head);
  close(ready[0]);
  close(ready[1]);
}

/* A byte that is damaged costs the line it is in, and that is said. */
static void damaged(void **state)
{
  struct night_name name = named(state);
  struct err e = {0};
  struct night *n = begin(&name, "a");
  struct str text = {0};
  for (int i = 0; i < 5; i++) {
    char problem[16];
    snprintf(problem, sizeof problem, "m=%d", i);
    add(n, problem, "ok");
  }
  finish(n);
  char *path = strdup(night_path(n));
  night_close(n);
  assert_int_equal(file_read(path, 1 << 20, &text, &e), 0);
  for (size_t at = 0; at < text.len; at += 7) {
    char was = text.at[at];
    text.at[at] ^= 0x15;
    assert_int_equal(file_replace(path, text.at, text.len, &e), 0);
    text.at[at] = was;
    struct night_read r = load(&name, 0);
    size_t whole = r.n + (r.head != NULL) + (r.end != NULL);
    assert_in_range(whole, 5, 6);
    assert_true(r.damaged > 0);
    night_free(&r);
  }
  str_free(&text);
  free(path);
}

/* What is no night is passed over; a sweep without any has none. */
static void strangers(void **state)
{
  struct night_name name = named(state);
  struct err e = {0};
  char path[200], (*names)[NIGHT_STAMP];
  assert_int_equal(nights(&name), 0);
  assert_int_equal(night_sweeps(name.store, &names), 0);
  free(names);
  night_close(begin(&name, "a"));
  snprintf(path, sizeof path, "%s/nights/some/notes.night", name.store);
  assert_int_equal(file_replace(path, "x", 1, &e), 0);
  assert_int_equal(nights(&name), 1);
  assert_int_equal(night_sweeps(name.store, &names), 1);
  assert_string_equal(names[0], "some");
  free(names);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, folder_make, folder_remove)
  const struct CMUnitTest tests[] = {TEST(goes_on), TEST(clocks), TEST(locks),
                                     TEST(damaged), TEST(strangers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
