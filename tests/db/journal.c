/* journal.c - nothing that was acknowledged is lost, whatever happens. */
// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/file.h"
#include "tests/db/numbered.h"

static void in_order(const struct seen *s, int n)
{
  assert_int_equal(s->n, n);
  for (int i = 0; i < n; i++)
    assert_int_equal(s->at[i], i);
}

static void appends_come_back(void **state)
{
  const char *path = folder_file(*state, "new/folder/journal");
  struct seen s = {0};
  assert_int_equal(read_all(path, &s), 0); /* no file yet */
  must_append(path, 0, 10);
  must_append(path, 10, 20);
  assert_int_equal(read_all(path, &s), 0);
  in_order(&s, 20);
  assert_int_equal(s.notices.len, 0);
  str_free(&s.notices);
}

static void torn_last_line(void **state)
{
  const char *path = folder_file(*state, "journal");
  struct seen s = {0};
  must_append(path, 0, 3);
  raw_append(path, "i=3 text=som", 12);
  assert_int_equal(read_all(path, &s), 0);
  in_order(&s, 3);
  assert_non_null(strstr(s.notices.at, "journal:4: the last line was cut"));

  must_append(path, 3, 5); /* on a fresh line */
  assert_int_equal(read_all(path, &s), 1);
  in_order(&s, 5);
  assert_non_null(strstr(s.notices.at, "journal:4: skipped a damaged line"));
  str_free(&s.notices);
}

/* An editor may have dropped just the last newline: the record is whole. */
static void whole_last_line_without_newline(void **state)
{
  const char *path = folder_file(*state, "journal");
  struct seen s = {0};
  struct stat now;
  must_append(path, 0, 3);
  assert_int_equal(stat(path, &now), 0);
  assert_int_equal(truncate(path, now.st_size - 1), 0);
  assert_int_equal(read_all(path, &s), 0);
  in_order(&s, 3);
  must_append(path, 3, 4);
  assert_int_equal(read_all(path, &s), 0);
  in_order(&s, 4);
  str_free(&s.notices);
}

/* Three records and the mark that belongs to them, as they are on the disk. */
static const char *three_records(struct folder *f, struct str *text)
{
  struct err e = {0};
  const char *path = folder_file(f, "journal");
  must_append(path, 0, 3);
  assert_int_equal(file_read(path, 1 << 20, text, &e), 0);
  return path;
}

/* What is left is as it was, and something is said. */
static void must_notice(const char *path, size_t at)
{
  struct seen s = {0};
  read_all(path, &s);
  if (!s.notices.len)
    fail_msg("damage at byte %zu is not noticed", at);
  assert_true(s.n <= 3);
  for (int i = 0; i < s.n; i++)
    assert_in_range(s.at[i], 0, 2);
  str_free(&s.notices);
}

static void every_cut_is_noticed(void **state)
{
  struct str text = {0};
  struct seen s = {0};
  const char *path = three_records(*state, &text);
  for (size_t n = text.len; n-- > 0;) {
    assert_int_equal(truncate(path, (off_t)n), 0);
    must_notice(path, n);
  }
  unlink(path);
  must_notice(path, 0);
  must_append(path, 0, 1); /* that counts from now on */
  assert_int_equal(read_all(path, &s), 0);
  assert_int_equal(s.notices.len, 0);
  in_order(&s, 1);
  str_free(&s.notices);
  str_free(&text);
}

static void damage_bytes(const char *path, const char *damaged,
                         const struct str *text)
{
  int fd = open(damaged, O_WRONLY);
  for (size_t n = 0; n < text->len; n++) {
    for (int bit = 0; bit < 10; bit++) {
      char c = damage(text->at[n], bit);
      assert_int_equal(pwrite(fd, &c, 1, (off_t)n), 1);
      if (c != text->at[n])
        must_notice(path, n);
    }
    assert_int_equal(pwrite(fd, text->at + n, 1, (off_t)n), 1);
  }
  close(fd);
}

static void every_damaged_byte_is_noticed(void **state)
{
  struct str text = {0}, mark = {0};
  struct seen s = {0};
  struct err e = {0};
  char at[256];
  snprintf(at, sizeof at, "%s", three_records(*state, &text));
  damage_bytes(at, at, &text);
  const char *path = folder_file(*state, "journal.mark");
  assert_int_equal(file_read(path, 1 << 20, &mark, &e), 0);
  damage_bytes(at, path, &mark);
  must_append(at, 3, 4);
  assert_int_equal(read_all(at, &s), 0);
  assert_int_equal(s.notices.len, 0);
  in_order(&s, 4);
  str_free(&s.notices);
  str_free(&text);
  str_free(&mark);
}

/* Of older versions there is no mark. */
static void a_journal_without_mark_is_read(void **state)
{
  struct seen s = {0};
  const char *path = folder_file(*state, "journal");
  must_append(path, 0, 3);
  assert_int_equal(unlink(folder_file(*state, "journal.mark")), 0);
  path = folder_file(*state, "journal");
  assert_int_equal(read_all(path, &s), 0);
  in_order(&s, 3);
  assert_int_equal(s.notices.len, 0);
  must_append(path, 3, 4);
  assert_int_equal(access(folder_file(*state, "journal.mark"), F_OK), 0);
  str_free(&s.notices);
}

static void follow(struct journal *j, struct seen *s)
{
  struct journal_reader reader = {s, take, note};
  struct err e = {0};
  s->n = 0;
  if (journal_follow(j, &reader, &e))
    fail_msg("%s", e.text);
}

/* What others append is read once, what one appends oneself not at all, unless
 * others did in between. */
static void a_journal_is_followed(void **state)
{
  const char *path = folder_file(*state, "journal");
  struct seen s = {0};
  struct err e;
  must_append(path, 0, 2);
  struct journal *j = must_open(path);
  follow(j, &s);
  in_order(&s, 2);
  follow(j, &s);
  assert_int_equal(s.n, 0);
  assert_int_equal(append(j, 2, &e), 0);
  follow(j, &s);
  assert_int_equal(s.n, 0);
  must_append(path, 3, 4);
  assert_int_equal(append(j, 4, &e), 0);
  follow(j, &s);
  assert_int_equal(s.n, 2);
  assert_int_equal(s.at[0], 3);
  assert_int_equal(s.notices.len, 0);
  raw_append(path, "torn", 4); /* its writer has died */
  follow(j, &s);
  assert_non_null(strstr(s.notices.at, "journal:6: the last line was cut"));
  str_clear(&s.notices);
  must_append(path, 6, 7);
  follow(j, &s);
  assert_int_equal(s.n, 1);
  assert_int_equal(s.at[0], 6);
  assert_int_equal(truncate(path, 10), 0);
  follow(j, &s);
  assert_non_null(strstr(s.notices.at, "ends at byte 10, and was "));
  journal_close(j);
  str_free(&s.notices);
}

static void damaged_line_in_the_middle(void **state)
{
  const char *path = folder_file(*state, "journal");
  struct seen s = {0};
  must_append(path, 0, 2);
  raw_append(path, "i=7 text=x crc=12345678\n\n\0\xff\n", 28);
  must_append(path, 2, 4);
  assert_int_equal(read_all(path, &s), 2); /* the empty line is none */
  in_order(&s, 4);
  assert_non_null(strstr(s.notices.at, "journal:3: skipped"));
  assert_non_null(strstr(s.notices.at, "journal:5: skipped"));
  str_free(&s.notices);
}

static void endless_line(void **state)
{
  const char *path = folder_file(*state, "journal");
  struct seen s = {0};
  must_append(path, 0, 1);
  char *big = malloc(1 << 20);
  assert_non_null(big);
  memset(big, 'x', 1 << 20);
  big[(1 << 20) - 1] = '\n';
  raw_append(path, big, 1 << 20);
  free(big);
  must_append(path, 1, 2);
  assert_int_equal(read_all(path, &s), 1);
  in_order(&s, 2);
  assert_non_null(strstr(s.notices.at, "journal:2:"));
  str_free(&s.notices);
}

static void oversized_record_is_refused(void **state)
{
  const char *path = folder_file(*state, "journal");
  struct journal *j = must_open(path);
  struct record *r = record_new();
  struct err e;
  record_set(r, "log", "%*d", RECORD_LINE, 1);
  assert_int_equal(journal_append(j, r, &e), ERR_FAILED);
  assert_non_null(strstr(e.text, "longer than the limit"));
  record_free(r);
  assert_int_equal(append(j, 0, &e), 0);
  journal_close(j);
  struct seen s = {0};
  assert_int_equal(read_all(path, &s), 0);
  in_order(&s, 1);
  str_free(&s.notices);
}

static void unusable_paths(void **state)
{
  struct folder *f = *state;
  struct journal *j;
  struct seen s = {0};
  struct journal_reader reader = {&s, take, note};
  struct err e;
  assert_int_equal(journal_open(&j, f->path, &e), ERR_FAILED);
  assert_null(j);
  assert_non_null(strstr(e.text, f->path));
  assert_int_equal(journal_read(f->path, &reader, &e), -1);
  assert_non_null(strstr(e.text, f->path));
  assert_int_equal(journal_open(&j, "/proc/nothing/journal", &e), ERR_FAILED);
  assert_non_null(strstr(e.text, "/proc/nothing"));
}

static void deleted_while_open(void **state)
{
  const char *path = folder_file(*state, "journal");
  struct journal *j = must_open(path);
  struct err e;
  assert_int_equal(append(j, 0, &e), 0);
  assert_int_equal(unlink(path), 0);
  assert_int_equal(append(j, 1, &e), ERR_FAILED);
  assert_non_null(strstr(e.text, "deleted"));
  journal_close(j);
}

static void only_a_file_is_a_journal(void **state)
{
  const char *const paths[] = {"/dev/full", folder_file(*state, "pipe")};
  struct journal *j;
  struct err e;
  assert_int_equal(mkfifo(paths[1], 0600), 0);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(journal_open(&j, paths[i], &e), ERR_FAILED);
    assert_non_null(strstr(e.text, "a pipe or device"));
    struct journal_reader reader = {NULL, take, note};
    assert_int_equal(journal_read(paths[i], &reader, &e), -1);
  }
}

/* In a child, because the limit on the file size stays. Exits 0 when some
 * append failed cleanly and later ones of a smaller record still go in. */
static void fill_up(const char *path)
{
  struct rlimit limit = {1000, 1000};
  struct journal *j;
  struct err e;
  struct stat before, after;
  signal(SIGXFSZ, SIG_IGN);
  if (journal_open(&j, path, &e) || setrlimit(RLIMIT_FSIZE, &limit))
    _exit(2);
  int i = 0;
  while (!append(j, i, &e))
    i++;
  if (i < 5 || !strstr(e.text, "File too large") || stat(path, &before))
    _exit(3);
  if (!append(j, i, &e) || stat(path, &after))
    _exit(4);
  journal_close(j);
  _exit(before.st_size == after.st_size ? i : 5);
}

static void full_disk_leaves_no_half_line(void **state)
{
  const char *path = folder_file(*state, "journal");
  struct seen s = {0};
  int status;
  pid_t child = fork();
  if (!child)
    fill_up(path);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  int stored = WEXITSTATUS(status);
  assert_true(stored > 5);
  assert_int_equal(read_all(path, &s), 0);
  assert_int_equal(s.notices.len, 0);
  in_order(&s, stored);
  must_append(path, stored, stored + 2); /* there is room again */
  assert_int_equal(read_all(path, &s), 0);
  in_order(&s, stored + 2);
  str_free(&s.notices);
}

/* Append for ever; every acknowledged number goes into the pipe. */
static void acknowledge(const char *path, int from, int out)
{
  struct err e;
  struct journal *j;
  if (journal_open(&j, path, &e))
    _exit(1);
  for (int i = from;; i++)
    if (append(j, i, &e) || write(out, &i, sizeof i) != sizeof i)
      _exit(1);
}

/* Kill a writer in the middle of its work; the numbers it acknowledged. */
static int kill_writer(const char *path, int from, int number)
{
  int ends[2], status, last = from - 1;
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  if (!child)
    acknowledge(path, from, ends[1]);
  close(ends[1]);
  for (int i = 0; i < number; i++)
    assert_int_equal(read(ends[0], &last, sizeof last), sizeof last);
  kill(child, SIGKILL);
  while (read(ends[0], &last, sizeof last) == sizeof last)
    ;
  close(ends[0]);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status));
  return last + 1;
}

static void killed_writer_loses_nothing(void **state)
{
  const char *path = folder_file(*state, "journal");
  struct seen s = {0};
  char told[MOST] = {0}, have[MOST] = {0};
  int next = 0;
  for (int round = 0; round < 20; round++) {
    int from = next;
    next = kill_writer(path, from, 1 + round % 7);
    assert_true(next < MOST);
    memset(told + from, 1, (size_t)(next - from));
    next++; /* this one may be stored without having been acknowledged */
  }
  int torn = read_all(path, &s), lost = 0;
  for (int i = 0; i < s.n; i++)
    have[s.at[i]]++;
  for (int i = 0; i < next; i++) {
    assert_true(have[i] == told[i] || (have[i] == 1 && !told[i]));
    lost += !have[i];
  }
  assert_true(torn <= lost); /* a write that is killed between two pages is a torn line */
  str_free(&s.notices);
}

static void many_writers(void **state)
{
  enum {WRITERS = 8, EACH = 50};
  const char *path = folder_file(*state, "journal");
  struct seen s = {0};
  char have[WRITERS * EACH] = {0};
  pid_t child[WRITERS];
  raw_append(path, "torn", 4); /* all of them see it at once */
  for (int w = 0; w < WRITERS; w++)
    if (!(child[w] = fork())) {
      struct journal *j;
      struct err e;
      int failed = journal_open(&j, path, &e);
      for (int i = 0; i < EACH && !failed; i++)
        failed = append(j, w * EACH + i, &e);
      _exit(failed != 0);
    }
  for (int w = 0; w < WRITERS; w++) {
    int status;
    assert_int_equal(waitpid(child[w], &status, 0), child[w]);
    assert_int_equal(status, 0);
  }
  assert_int_equal(read_all(path, &s), 1);
  assert_int_equal(s.n, WRITERS * EACH);
  for (int i = 0; i < s.n; i++)
    have[s.at[i]]++;
  for (int i = 0; i < WRITERS * EACH; i++)
    assert_int_equal(have[i], 1);
  str_free(&s.notices);
}

/* Every append of this one fails and is taken back. */
static void fail_often(const char *path)
{
  struct rlimit limit = {10, 10};
  struct journal *j;
  struct err e;
  signal(SIGXFSZ, SIG_IGN);
  if (journal_open(&j, path, &e) || setrlimit(RLIMIT_FSIZE, &limit))
    _exit(1);
  for (int i = 0; i < 20000; i++)
    if (!append(j, -1, &e))
      _exit(1);
  _exit(0);
}

/* Taking back one's own half line must not take another's whole one. */
static void failing_writer_harms_nobody(void **state)
{
  const char *path = folder_file(*state, "journal");
  struct seen s = {0};
  int status;
  must_append(path, 0, 1); /* past the limit */
  pid_t child = fork();
  if (!child)
    fail_often(path);
  must_append(path, 1, 300);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  assert_int_equal(read_all(path, &s), 0);
  in_order(&s, 300);
  str_free(&s.notices);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, folder_make, folder_remove)

int main(void)
{
  const struct CMUnitTest tests[] = {
    TEST(appends_come_back),
    TEST(torn_last_line),
    TEST(whole_last_line_without_newline),
    TEST(every_cut_is_noticed),
    TEST(every_damaged_byte_is_noticed),
    TEST(a_journal_without_mark_is_read),
    TEST(a_journal_is_followed),
    TEST(damaged_line_in_the_middle),
    TEST(endless_line),
    TEST(oversized_record_is_refused),
    TEST(unusable_paths),
    TEST(deleted_while_open),
    TEST(only_a_file_is_a_journal),
    TEST(full_disk_leaves_no_half_line),
    TEST(killed_writer_loses_nothing),
    TEST(many_writers),
    TEST(failing_writer_harms_nobody),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
