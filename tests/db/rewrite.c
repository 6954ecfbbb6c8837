/* rewrite.c - a journal loses the records that it should, and no others. */
// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/file.h"
#include "tests/db/numbered.h"

/* Odd ones stay, and those from 10^6 on. */
static int odd(void *user, const struct record *r)
{
  (void)user;
  int i = (int)record_number(r, "i", -1);
  return i & 1 || i >= 1000000;
}

static int all(void *user, const struct record *r)
{
  (void)user, (void)r;
  return 1;
}

static struct journal_edit must_rewrite(const char *path,
                                        const struct journal_editor *editor)
{
  struct journal_edit edit;
  struct err e = {0};
  if (journal_rewrite(path, editor, &edit, &e))
    fail_msg("%s", e.text);
  return edit;
}

static void records_are_taken_out(void **state)
{
  const char *path = folder_file(*state, "journal");
  const struct journal_editor editor = {.keep = odd};
  struct seen s = {0};
  struct stat before, after;
  must_append(path, 0, 10);
  assert_int_equal(chmod(path, 0640), 0);
  struct journal_edit edit = must_rewrite(path, &editor);
  assert_int_equal(edit.kept, 5);
  assert_int_equal(edit.dropped, 5);
  assert_int_equal(edit.damaged, 0);
  assert_int_equal(stat(path, &before), 0);
  assert_int_equal(before.st_mode & 0777, 0640);
  assert_int_equal(read_all(path, &s), 0);
  assert_int_equal(s.notices.len, 0); /* the mark is right */
  assert_int_equal(s.n, 5);
  for (int i = 0; i < 5; i++)
    assert_int_equal(s.at[i], 2 * i + 1);

  edit = must_rewrite(path, &editor); /* again: nothing to do */
  assert_int_equal(edit.dropped, 0);
  assert_int_equal(stat(path, &after), 0);
  assert_int_equal(before.st_ino, after.st_ino);
  assert_int_equal(truncate(path, before.st_size - 1), 0); /* its newline */
  edit = must_rewrite(path, &editor);
  assert_int_equal(edit.kept, 5);
  assert_int_equal(stat(path, &after), 0);
  assert_int_equal(before.st_size, after.st_size);
  str_free(&s.notices);
}

static int last_of_it(void *user, const struct record *r)
{
  return record_number(r, "i", -1) == *(double *)user;
}

static void largest(void *user, const struct record *r)
{
  double i = record_number(r, "i", -1);
  if (i > *(double *)user)
    *(double *)user = i;
}

static void what_stays_can_depend_on_the_whole(void **state)
{
  const char *path = folder_file(*state, "journal");
  double most = -1;
  const struct journal_editor editor = {&most, largest, last_of_it, NULL, NULL};
  struct seen s = {0};
  must_append(path, 0, 7);
  assert_int_equal(must_rewrite(path, &editor).dropped, 6);
  assert_int_equal(read_all(path, &s), 0);
  assert_int_equal(s.n, 1);
  assert_int_equal(s.at[0], 6);
}

static void damaged_lines_are_kept_beside_it(void **state)
{
  char path[256];
  struct seen s = {0}, old = {0};
  const struct journal_editor editor = {&s, NULL, all, NULL, note};
  snprintf(path, sizeof path, "%s", folder_file(*state, "journal"));
  must_append(path, 0, 2);
  raw_append(path, "i=2 crc=12345678\n", 17);
  must_append(path, 3, 4);
  raw_append(path, "torn", 4);
  assert_int_equal(must_rewrite(path, &editor).damaged, 2);
  assert_non_null(strstr(s.notices.at, "journal:3: is taken out"));
  assert_non_null(strstr(s.notices.at, "journal:5: is taken out"));
  assert_non_null(strstr(s.notices.at, "journal.damaged-1"));
  assert_int_equal(read_all(path, &s), 0);
  assert_int_equal(s.notices.len, 0);
  assert_int_equal(s.n, 3);
  assert_int_equal(
      read_all(folder_file(*state, "journal.damaged-1"), &old), 1);
  assert_int_equal(old.n, 3);
  str_free(&s.notices);
  str_free(&old.notices);
}

static void follow(struct journal *j, struct seen *s)
{
  struct journal_reader reader = {s, take, note};
  struct err e = {0};
  s->n = 0;
  if (journal_follow(j, &reader, &e))
    fail_msg("%s", e.text);
}

static void who_has_it_open_goes_over_to_the_new_one(void **state)
{
  const char *path = folder_file(*state, "journal");
  const struct journal_editor editor = {.keep = odd};
  struct seen s = {0};
  struct err e;
  int status;
  must_append(path, 0, 10);
  struct journal *writer = must_open(path);
  pid_t child = fork(); /* locks are a process's: another rewrites it */
  if (!child) {
    must_rewrite(path, &editor);
    _exit(0);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(append(writer, 10, &e), 0);
  follow(writer, &s); /* what it has read of the old file it reads again */
  assert_int_equal(s.n, 6);
  assert_int_equal(s.at[5], 10);
  assert_int_equal(s.notices.len, 0);
  journal_close(writer);
  assert_int_equal(read_all(path, &s), 0);
  assert_int_equal(s.notices.len, 0);
  assert_int_equal(s.n, 6);
}

/* Appends numbers from 10^6 * (1 + w) on until the pipe is closed. */
static int append_until(const char *path, int w, int stop, int *told)
{
  struct journal *j = must_open(path);
  struct err e;
  char byte;
  while (read(stop, &byte, 1) < 0 && errno == EAGAIN && *told < MOST / 5)
    if (append(j, 1000000 * (1 + w) + *told, &e))
      return 1;
    else
      ++*told;
  return 0;
}

/* 4 append, one rewrites again and again, one is killed while it does. */
static void nothing_appended_is_lost(void **state)
{
  enum {WRITERS = 4};
  const char *path = folder_file(*state, "journal");
  const struct journal_editor editor = {.keep = odd};
  struct seen s = {0};
  int stop[2], status, from[WRITERS] = {0};
  pid_t child[WRITERS];
  int *told = mmap(NULL, sizeof *told * WRITERS, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_ptr_not_equal(told, MAP_FAILED);
  must_append(path, 0, 100);
  assert_int_equal(pipe2(stop, O_NONBLOCK), 0);
  for (int w = 0; w < WRITERS; w++)
    if (!(child[w] = fork())) {
      close(stop[1]);
      _exit(append_until(path, w, stop[0], told + w));
    }
  for (int round = 0; round < 20; round++) {
    pid_t killed = fork();
    if (!killed) {
      must_append(path, 2 * round, 2 * round + 2);
      must_rewrite(path, &editor);
      _exit(0);
    }
    if (round & 1) {
      usleep(100 * (unsigned)round);
      kill(killed, SIGKILL);
    }
    waitpid(killed, &status, 0);
  }
  close(stop[1]);
  for (int w = 0; w < WRITERS; w++) {
    assert_int_equal(waitpid(child[w], &status, 0), child[w]);
    assert_int_equal(status, 0);
  }
  close(stop[0]);
  assert_int_equal(read_all(path, &s), 0);
  for (int i = 0; i < s.n; i++)
    if (s.at[i] >= 1000000) {
      int w = s.at[i] / 1000000 - 1;
      assert_int_equal(s.at[i] % 1000000, from[w]++); /* in order, each once */
    }
  for (int w = 0; w < WRITERS; w++)
    assert_int_equal(from[w], told[w]);
  munmap(told, sizeof *told * WRITERS);
  str_free(&s.notices);
}

/* In a child, because the limit on the file size stays. */
static void rewrite_without_room(const char *path)
{
  const struct journal_editor editor = {.keep = odd};
  struct journal_edit edit;
  struct rlimit limit = {100, 100};
  struct err e = {0};
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &limit);
  _exit(!journal_rewrite(path, &editor, &edit, &e) ||
        !strstr(e.text, "the journal is as it was"));
}

static void a_full_disk_changes_nothing(void **state)
{
  const char *path = folder_file(*state, "journal");
  struct seen s = {0};
  int status;
  must_append(path, 0, 10);
  pid_t child = fork();
  if (!child)
    rewrite_without_room(path);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  assert_int_equal(read_all(path, &s), 0);
  assert_int_equal(s.n, 10);
  assert_int_equal(s.notices.len, 0);
  assert_int_not_equal(access(folder_file(*state, "journal.new"), F_OK), 0);
}

static void what_is_no_journal(void **state)
{
  const struct journal_editor editor = {.keep = odd};
  struct journal_edit edit;
  struct folder *f = *state;
  struct err e;
  assert_int_equal(must_rewrite(folder_file(f, "none"), &editor).kept, 0);
  assert_int_not_equal(access(folder_file(f, "none"), F_OK), 0);
  assert_int_equal(journal_rewrite(f->path, &editor, &edit, &e), ERR_FAILED);
  assert_non_null(strstr(e.text, f->path));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, folder_make, folder_remove)

int main(void)
{
  const struct CMUnitTest tests[] = {
    TEST(records_are_taken_out),
    TEST(what_stays_can_depend_on_the_whole),
    TEST(damaged_lines_are_kept_beside_it),
    TEST(who_has_it_open_goes_over_to_the_new_one),
    TEST(nothing_appended_is_lost),
    TEST(a_full_disk_changes_nothing),
    TEST(what_is_no_journal),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
