/* jindex.c - the index of a journal: right, or made anew; never believed where
 * it is of another state. */
// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/file.h"
#include "base/rng.h"
#include "db/jindex.h"
#include "tests/db/numbered.h"
#include "tests/fuzz/index.h"

/* As a session does. */
static void pick(const char *path, int m, struct seen *s)
{
  struct journal_reader reader = {s, take, note};
  struct journal *j = must_open(path);
  struct err e = {0};
  char problem[64];
  snprintf(problem, sizeof problem, "m=%d,k=a b", m);
  s->n = 0;
  str_clear(&s->notices);
  journal_only(j, problem);
  if (journal_follow(j, &reader, &e))
    fail_msg("%s", e.text);
  journal_close(j);
}

static void must_have(const struct seen *s, int m, int to)
{
  int n = 0;
  for (int i = m; i < to; i += 3)
    assert_int_equal(s->at[n++], i);
  assert_int_equal(s->n, n);
}

/* All that one of the problem sees, and nothing to complain of. */
static void must_pick(const char *path, int to)
{
  struct seen s = {0};
  for (int m = 0; m < 3; m++) {
    pick(path, m, &s);
    must_have(&s, m, to);
    if (s.notices.len)
      fail_msg("%s", s.notices.at);
  }
  str_free(&s.notices);
}

/* Is the index, as it is on the disk, of the journal as it is? */
static int is_current(const char *path, size_t lines)
{
  struct stat now;
  struct jindex x;
  struct jindex_head told;
  assert_int_equal(stat(path, &now), 0);
  int found = jindex_load(path, &now, &x, &told);
  int right = found && x.n == lines && (off_t)x.bytes <= now.st_size;
  jindex_free(&x);
  return right;
}

static const char *journal_of(void **state)
{
  static char path[256]; /* folder_file() has room for one */
  snprintf(path, sizeof path, "%s", folder_file(*state, "f.journal"));
  return path;
}

static void of_one_problem(void **state)
{
  const char *path = journal_of(state);
  must_append(path, 0, 10);
  assert_int_not_equal(access(folder_file(*state, "f.index"), F_OK), 0);
  must_pick(path, 10);
  assert_int_equal(access(folder_file(*state, "f.index"), F_OK), 0);
  assert_true(is_current(path, 10));
  must_append(path, 10, 20); /* extends it */
  assert_true(is_current(path, 20));
  must_pick(path, 20);
  assert_int_equal(unlink(folder_file(*state, "f.index")), 0);
  must_append(path, 20, 21);
  must_pick(path, 21);
  assert_true(is_current(path, 21));
}

/* What others append of a problem is seen, and of other problems is not. */
static void it_is_followed(void **state)
{
  const char *path = journal_of(state);
  struct seen s = {0};
  struct journal_reader reader = {&s, take, note};
  struct err e = {0};
  struct journal *j = must_open(path);
  journal_only(j, "m=1,k=a b");
  for (int i = 0; i < 12; i++) {
    must_append(path, i, i + 1);
    assert_int_equal(journal_follow(j, &reader, &e), 0);
  }
  must_have(&s, 1, 12);
  journal_close(j);
  str_free(&s.notices);
}

/* It serves those who only read, and is not made by them. */
static void reading_writes_nothing(void **state)
{
  const char *path = journal_of(state);
  struct seen s = {0};
  struct journal_reader reader = {&s, take, note};
  struct err e = {0};
  assert_int_equal(journal_find(path, "m=2,k=a b", &reader, &e), 0);
  assert_int_equal(s.n, 0);
  must_append(path, 0, 10);
  for (int made = 0; made < 2; made++) {
    s.n = 0;
    assert_int_equal(journal_find(path, "m=2,k=a b", &reader, &e), 0);
    must_have(&s, 2, 10);
    assert_int_equal(!access(folder_file(*state, "f.index"), F_OK), made);
    must_pick(path, 10);
  }
  str_free(&s.notices);
}

static void read_file(const char *path, struct str *out)
{
  struct err e = {0};
  if (file_read(path, 1 << 20, out, &e))
    fail_msg("%s", e.text);
}

/* By a cut, and by each single bit, of the index: all is found, and the index
 * is right again. */
static void every_damage_is_mended(void **state)
{
  const char *path = journal_of(state);
  struct str text = {0};
  char index[256];
  snprintf(index, sizeof index, "%s", folder_file(*state, "f.index"));
  must_append(path, 0, 6);
  must_pick(path, 6);
  read_file(index, &text);
  for (size_t n = 0; n < text.len; n++) {
    write_file(index, text.at, n);
    must_pick(path, 6);
    assert_true(is_current(path, 6));
    for (int bit = 0; bit < 8; bit++) {
      int fd = open(index, O_WRONLY);
      char c = damage(text.at[n], bit);
      assert_int_equal(pwrite(fd, &c, 1, (off_t)n), 1);
      close(fd);
      assert_false(is_current(path, 6));
      if (bit == 0)
        must_pick(path, 6);
      else
        write_file(index, text.at, text.len);
    }
  }
  str_free(&text);
}

/* The file system's clock goes on, so that a change shows. */
static void let_tick(void)
{
  usleep(20000);
}

static void of_another_state(void **state)
{
  const char *path = journal_of(state);
  struct str old = {0}, index = {0};
  struct seen s = {0};
  char at[256];
  snprintf(at, sizeof at, "%s", folder_file(*state, "f.index"));
  must_append(path, 0, 6);
  must_pick(path, 6);
  read_file(at, &index);
  read_file(path, &old);
  must_append(path, 6, 9);
  write_file(at, index.at, index.len); /* behind: its writer was killed */
  must_pick(path, 9);
  assert_true(is_current(path, 9));
  must_append(path, 9, 10);
  let_tick();
  write_file(path, old.at, old.len); /* ahead: an older journal is put back */
  pick(path, 0, &s);
  must_have(&s, 0, 6);
  assert_non_null(strstr(s.notices.at, "results at its end are lost"));
  assert_true(is_current(path, 6));
  str_free(&old);
  str_free(&index);
  str_free(&s.notices);
}

/* Of the same length, every line sound: only the index knows. */
static void lines_are_changed_by_others(void **state)
{
  const char *path = journal_of(state);
  char other[256];
  struct str text = {0};
  struct seen s = {0};
  snprintf(other, sizeof other, "%s", folder_file(*state, "other"));
  must_append(path, 0, 6);
  must_pick(path, 6);
  must_append(other, 3, 9);
  read_file(other, &text);
  let_tick();
  write_file(path, text.at, text.len);
  pick(path, 0, &s);
  assert_int_equal(s.n, 2);
  assert_int_equal(s.at[1], 6);
  assert_non_null(strstr(s.notices.at, "its first 6 lines are not those"));
  pick(path, 0, &s); /* said once */
  assert_int_equal(s.notices.len, 0);
  str_free(&s.notices);
  str_free(&text);
}

/* A cut between lines is noticed by the index, where the mark is gone. */
static void a_cut_without_a_mark_is_noticed(void **state)
{
  const char *path = journal_of(state);
  struct str text = {0};
  struct seen s = {0};
  must_append(path, 0, 6);
  must_pick(path, 6);
  read_file(path, &text);
  size_t cut = text.len - 1;
  while (text.at[cut - 1] != '\n')
    cut--;
  assert_int_equal(truncate(path, (off_t)cut), 0);
  assert_int_equal(unlink(folder_file(*state, "f.journal.mark")), 0);
  pick(path, 0, &s);
  must_have(&s, 0, 5);
  assert_non_null(strstr(s.notices.at, "results at its end are lost"));
  str_free(&s.notices);
  str_free(&text);
}

/* Damaged and torn lines are complained of by their numbers, with an index as
 * without. */
static void damage_is_told_each_time(void **state)
{
  const char *path = journal_of(state);
  struct seen s = {0};
  must_append(path, 0, 2);
  raw_append(path, "problem=m=9 crc=12345678\n\n", 26);
  must_append(path, 2, 4);
  raw_append(path, "torn", 4);
  for (int i = 0; i < 2; i++) {
    pick(path, 0, &s);
    must_have(&s, 0, 4);
    assert_non_null(strstr(s.notices.at, "f.journal:3: skipped a damaged"));
    assert_non_null(strstr(s.notices.at, "f.journal:7: the last line was cut"));
    assert_true(is_current(path, 6));
  }
  must_append(path, 4, 7);
  for (int i = 0; i < 2; i++) {
    pick(path, 0, &s);
    must_have(&s, 0, 7);
    assert_non_null(strstr(s.notices.at, "f.journal:7: skipped a damaged"));
  }
  str_free(&s.notices);
}

static int even(void *user, const struct record *r)
{
  (void)user;
  return (int)record_number(r, "i", 1) % 2 == 0;
}

static void a_rewrite_leaves_it_right(void **state)
{
  const char *path = journal_of(state);
  const struct journal_editor editor = {.keep = even};
  struct journal_edit edit;
  struct seen s = {0};
  struct err e = {0};
  must_append(path, 0, 12);
  must_pick(path, 12);
  assert_int_equal(journal_rewrite(path, &editor, &edit, &e), 0);
  assert_true(is_current(path, 6));
  pick(path, 0, &s);
  assert_int_equal(s.n, 2);
  assert_int_equal(s.at[0], 0);
  assert_int_equal(s.at[1], 6);
  assert_int_equal(s.notices.len, 0);
  str_free(&s.notices);
}

/* Who wrote the first line knows it, and yet has to read it where the index is
 * behind: the sum over all lines is compared with that of the index. */
static void the_first_writer_reads_all(void **state)
{
  const char *path = journal_of(state);
  struct seen s = {0};
  struct journal_reader reader = {&s, take, note};
  struct str text = {0};
  struct err e = {0};
  struct journal *first = must_open(path);
  journal_only(first, "m=0,k=a b");
  assert_int_equal(append(first, 0, &e), 0);
  pick(path, 0, &s); /* another makes the index, of one line */
  must_append(path, 1, 3);
  s.n = 0;
  assert_int_equal(file_read(path, 1 << 20, &text, &e), 0);
  raw_append(path, text.at, text.len); /* no index knows of these */
  assert_int_equal(journal_follow(first, &reader, &e), 0);
  if (s.notices.len)
    fail_msg("%s", s.notices.at);
  assert_int_equal(s.n, 2);
  assert_true(is_current(path, 6));
  journal_close(first);
  str_free(&s.notices);
  str_free(&text);
}

/* 8 processes find it missing, stale and right, and extend it at once. */
static void many_use_it_at_once(void **state)
{
  enum {WRITERS = 8, EACH = 30};
  const char *path = journal_of(state);
  char index[256];
  struct seen s = {0};
  pid_t child[WRITERS];
  int total = 0;
  snprintf(index, sizeof index, "%s", folder_file(*state, "f.index"));
  for (int w = 0; w < WRITERS; w++)
    if (!(child[w] = fork())) {
      struct journal_reader reader = {&s, take, note};
      struct err e = {0};
      struct journal *j = must_open(path);
      journal_only(j, w & 1 ? "m=0,k=a b" : "m=1,k=a b");
      int failed = 0;
      for (int i = 0; i < EACH && !failed; i++) {
        if (i == EACH / 2 && w % 3 == 0)
          unlink(index);
        failed = append(j, w * EACH + i, &e) ||
                 journal_follow(j, &reader, &e) || s.notices.len;
      }
      _exit(failed);
    }
  for (int w = 0; w < WRITERS; w++) {
    int status;
    assert_int_equal(waitpid(child[w], &status, 0), child[w]);
    assert_int_equal(status, 0);
  }
  for (int round = 0; round < 2; round++, total = 0) {
    for (int m = 0; m < 3; m++) {
      pick(path, m, &s);
      assert_int_equal(s.notices.len, 0);
      total += s.n;
    }
    assert_int_equal(total, WRITERS * EACH);
    assert_true(is_current(path, WRITERS * EACH));
  }
  str_free(&s.notices);
}

/* Where it cannot be made, the journal is read whole. */
static void without_one(void **state)
{
  const char *path = journal_of(state);
  must_append(path, 0, 6);
  assert_int_equal(mkdir(folder_file(*state, "f.index"), 0777), 0);
  must_pick(path, 6);
  must_append(path, 6, 7);
  must_pick(path, 7);
}

/* A few words of the file changed, or its end cut off. */
static size_t mutate(struct rng *r, char *bytes, size_t n)
{
  for (uint64_t times = rng_below(r, 4); times && n >= 8; times--) {
    size_t at = rng_below(r, n / 4 - 1) * 4;
    uint32_t word, some = (uint32_t)rng_next(r) >> rng_below(r, 32);
    memcpy(&word, bytes + at, 4);
    word = rng_below(r, 2) ? word + some % 64 : some;
    memcpy(bytes + at, &word, 4);
  }
  return rng_below(r, 4) ? n : rng_below(r, n + 1);
}

static void damaged_indexes(void **state)
{
  struct folder *f = *state;
  enum {HEAD = sizeof(struct jindex_head)};
  const char *path = folder_file(f, "g.journal");
  char *bytes;
  struct str text = {0};
  struct rng r;
  int good = 0, taken = 0, times = 3000;
  index_journal(path);
  pick(path, 0, &(struct seen){0}); /* makes the index */
  read_file(folder_file(f, "g.index"), &text);
  assert_true(index_bytes(text.at, text.len));
  rng_seed(&r, 3);
  for (int i = 0; i < times; i++) {
    bytes = malloc(text.len); /* so that ASan sees the end */
    assert_non_null(bytes);
    memcpy(bytes, text.at, text.len);
    taken += index_bytes(bytes, mutate(&r, bytes, text.len));
    memcpy(bytes, text.at, text.len);
    good += index_entries(f->path, bytes + HEAD,
                          mutate(&r, bytes + HEAD, text.len - HEAD));
    free(bytes);
  }
  assert_in_range(taken, times / 20, times / 2); /* unchanged ones */
  assert_in_range(good, times / 20, times / 20 * 19);
  str_free(&text);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, folder_make, folder_remove)

int main(void)
{
  const struct CMUnitTest tests[] = {
    TEST(of_one_problem),
    TEST(it_is_followed),
    TEST(reading_writes_nothing),
    TEST(every_damage_is_mended),
    TEST(of_another_state),
    TEST(lines_are_changed_by_others),
    TEST(a_cut_without_a_mark_is_noticed),
    TEST(damage_is_told_each_time),
    TEST(a_rewrite_leaves_it_right),
    TEST(the_first_writer_reads_all),
    TEST(many_use_it_at_once),
    TEST(without_one),
    TEST(damaged_indexes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
