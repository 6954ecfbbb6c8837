/* table.c - winners: one row a key, many writers, nothing dropped silently. */
// SPDX-License-Identifier: MIT
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/file.h"
#include "db/table.h"
#include "tests/base/folder.h"

static void note(void *user, const char *text)
{
  str_addf(user, "%s\n", text);
}

static struct record *row(const char *problem, const char *device, int cus,
                          const char *source, double time)
{
  struct record *r = record_new();
  record_set(r, "arch", "gfx906");
  record_set(r, "family", "gemm");
  record_set(r, "problem", "%s", problem);
  record_set(r, "device", "%s", device);
  record_set(r, "cus", "%d", cus);
  record_set(r, "source", "%s", source);
  record_set(r, "time_us", "%g", time);
  return r;
}

/* Stores r and frees it. */
static int put(const char *dir, struct record *r, struct str *said,
               struct err *e)
{
  int code = table_put(dir, r, note, said, e);
  record_free(r);
  return code;
}

static void must_put(const char *dir, struct record *r)
{
  struct str said = {0};
  struct err e = {0};
  if (put(dir, r, &said, &e))
    fail_msg("%s", e.text);
  if (said.len)
    fail_msg("%s", said.at);
}

static struct table *load(const char *dir, struct str *said)
{
  struct table *t;
  struct err e = {0};
  if (table_load(&t, dir, "gfx906", "gemm", note, said, &e))
    fail_msg("%s", e.text);
  return t;
}

static double time_of(const struct table *t, const char *problem,
                      const char *device)
{
  const struct record *r = table_find(t, problem, device);
  return r ? record_number(r, "time_us", -2) : -1;
}

#define SAME(a, b) assert_true((a) == (b))

static void rows_side_by_side(void **state)
{
  const char *dir = ((struct folder *)*state)->path;
  struct str said = {0};
  struct table *t = load(dir, &said); /* there is none */
  assert_int_equal(table_size(t), 0);
  assert_null(table_find(t, "m=1", NULL));
  table_free(t);

  must_put(dir, row("m=1024", "MI50", 60, "modelled", 10));
  t = load(dir, &said);
  SAME(time_of(t, "m=1024", NULL), 10);
  table_free(t);

  must_put(dir, row("m=512", "MI50", 60, "measured", 1));
  must_put(dir, row("m=1024", "MI50", 60, "measured", 11));
  must_put(dir, row("m=1024", "MI60", 64, "measured", 12));
  must_put(dir, row("m=1024", "MI50", 56, "modelled", 13));
  must_put(dir, row("m=1024", "MI50", 60, "modelled", 14));
  must_put(dir, row("m=1024", "MI60", 64, "measured", 15)); /* replaces 12 */
  t = load(dir, &said);
  assert_int_equal(table_size(t), 5);
  /* 512 stands before 1024, measured rows before modelled ones */
  static const double order[] = {1, 13, 11, 14, 15};
  for (size_t i = 0; i < 5; i++)
    SAME(record_number(table_row(t, i), "time_us", 0), order[i]);
  SAME(time_of(t, "m=512", NULL), 1);
  SAME(time_of(t, "m=1024", "MI50"), 11);
  SAME(time_of(t, "m=1024", "MI60"), 15);
  SAME(time_of(t, "m=1024", "MI100"), -1);
  SAME(time_of(t, "m=10", NULL), -1);
  table_free(t);
  assert_int_equal(said.len, 0);
  str_free(&said);
}

static void newest_of_equals(void **state)
{
  const char *dir = ((struct folder *)*state)->path;
  struct str said = {0};
  static const char *const dates[] = {"2026-01-02", "2026-03-01",
                                      "2026-02-28"};
  for (int i = 0; i < 3; i++) {
    struct record *r = row("m=1", "MI50", 60 + i, "measured", i);
    record_set(r, "date", "%s", dates[i]);
    must_put(dir, r);
  }
  struct table *t = load(dir, &said);
  SAME(time_of(t, "m=1", "MI50"), 1);
  table_free(t);
}

/* A time with warm caches says less than one without. */
static void hot_beside_cold(void **state)
{
  const char *dir = ((struct folder *)*state)->path;
  struct str said = {0};
  static const char *const dates[] = {"2026-01-02", "2026-03-01"};
  for (int hot = 0; hot < 2; hot++) {
    struct record *r = row("m=1", "MI50", 60, "measured", hot ? 3 : 4);
    record_set(r, "date", "%s", dates[hot]);
    record_set(r, "hot", "%d", hot);
    must_put(dir, r);
  }
  struct table *t = load(dir, &said);
  assert_int_equal(table_size(t), 2);
  SAME(time_of(t, "m=1", NULL), 4);
  table_free(t);
}

/* A table that does not depend on the order of its rows diffs well. */
static void same_bytes_in_any_order(void **state)
{
  struct folder *f = *state;
  struct str texts[2] = {0};
  for (int way = 0; way < 2; way++) {
    char dir[128], path[256], problem[32];
    struct err e = {0};
    snprintf(dir, sizeof dir, "%s/%d", f->path, way);
    for (int i = 0; i < 12; i++) {
      int k = way ? 11 - i : i;
      snprintf(problem, sizeof problem, "m=%d", 1 << k);
      must_put(dir, row(problem, "MI50", 60, "measured", k));
    }
    snprintf(path, sizeof path, "%s/gfx906/gemm.table", dir);
    assert_int_equal(file_read(path, 1 << 20, texts + way, &e), 0);
  }
  assert_string_equal(texts[0].at, texts[1].at);
  str_free(texts);
  str_free(texts + 1);
}

static void unfit_rows_are_refused(void **state)
{
  const char *dir = ((struct folder *)*state)->path;
  struct str said = {0};
  struct err e;
  static const struct {
    const char *name, *value, *why;
  } wrong[] = {
    {"source", "guessed", "neither measured, modelled nor counted"},
    {"arch", "../gfx906", "do not name a table"},
    {"family", "", "do not name a table"},
    {"family", ".gemm", "do not name a table"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    struct record *r = row("m=1", "MI50", 60, "measured", 1);
    record_set(r, wrong[i].name, "%s", wrong[i].value);
    assert_int_equal(put(dir, r, &said, &e), ERR_FAILED);
    assert_non_null(strstr(e.text, wrong[i].why));
  }
  assert_int_equal(put(dir, record_new(), &said, &e), ERR_FAILED);
}

/* Text of the table after a change by hand: i-th line replaced. */
static void vandalise(const char *path, size_t line, const char *text)
{
  struct str old = {0}, now = {0};
  struct err e = {0};
  assert_int_equal(file_read(path, 1 << 20, &old, &e), 0);
  const char *at = old.at;
  for (size_t i = 1; *at; i++) {
    size_t n = strcspn(at, "\n") + 1;
    if (i == line)
      str_addf(&now, "%s\n", text);
    else
      str_add_bytes(&now, at, n);
    at += n;
  }
  write_file(path, now.at, now.len);
  str_free(&old);
  str_free(&now);
}

static void damage_is_kept_aside(void **state)
{
  struct folder *f = *state;
  struct str said = {0}, before = {0}, kept = {0};
  struct err e = {0};
  must_put(f->path, row("m=1", "MI50", 60, "measured", 1));
  must_put(f->path, row("m=2", "MI50", 60, "measured", 2));
  must_put(f->path, row("m=3", "MI50", 60, "measured", 3));
  const char *path = folder_file(f, "gfx906/gemm.table");
  vandalise(path, 2, "<<<<<<< HEAD");
  assert_int_equal(file_read(path, 1 << 20, &before, &e), 0);

  struct table *t = load(f->path, &said);
  assert_int_equal(table_size(t), 2);
  assert_non_null(strstr(said.at, "gemm.table:2: not used: "));
  table_free(t);

  for (int round = 1; round <= 2; round++) {
    char name[64];
    snprintf(name, sizeof name, "gfx906/gemm.table.damaged-%d", round);
    str_clear(&said);
    struct record *r = row("m=4", "MI50", 60, "measured", round);
    assert_int_equal(put(f->path, r, &said, &e), 0);
    assert_non_null(strstr(said.at, name));
    str_clear(&kept);
    path = folder_file(f, name);
    assert_int_equal(file_read(path, 1 << 20, &kept, &e), 0);
    if (round == 1)
      assert_string_equal(kept.at, before.at);
    vandalise(folder_file(f, "gfx906/gemm.table"), 9, "");
    vandalise(folder_file(f, "gfx906/gemm.table"), 1, "m=1");
  }
  str_clear(&said);
  t = load(f->path, &said);
  assert_int_equal(table_size(t), 1); /* m=4: the others were vandalised */
  SAME(time_of(t, "m=4", NULL), 2);
  table_free(t);
  str_free(&said);
  str_free(&before);
  str_free(&kept);
}

/* A table of three rows, in *text; the rows' problems are m=1, m=2, m=3. */
static const char *three_rows(struct folder *f, struct str *text)
{
  struct err e = {0};
  for (int i = 1; i <= 3; i++) {
    char problem[32];
    snprintf(problem, sizeof problem, "m=%d", i);
    must_put(f->path, row(problem, "MI50", 60, "measured", i));
  }
  const char *path = folder_file(f, "gfx906/gemm.table");
  assert_int_equal(file_read(path, 1 << 20, text, &e), 0);
  return path;
}

/* Whatever is left is as it was, and something is said. */
static void must_notice(const char *dir, size_t at)
{
  struct str said = {0};
  struct table *t = load(dir, &said);
  if (!said.len)
    fail_msg("damage at byte %zu is not noticed", at);
  assert_true(table_size(t) <= 3);
  for (size_t i = 0; i < table_size(t); i++) {
    char problem[32];
    double m = record_number(table_row(t, i), "time_us", -1);
    snprintf(problem, sizeof problem, "m=%g", m);
    assert_string_equal(record_text(table_row(t, i), "problem"), problem);
  }
  table_free(t);
  str_free(&said);
}

static void every_cut_is_noticed(void **state)
{
  struct folder *f = *state;
  struct str text = {0};
  const char *path = three_rows(f, &text);
  for (size_t n = text.len; n-- > 0;) {
    assert_int_equal(truncate(path, (off_t)n), 0);
    must_notice(f->path, n);
  }
  str_free(&text);
}

static void every_damaged_byte_is_noticed(void **state)
{
  struct folder *f = *state;
  struct str text = {0};
  const char *path = three_rows(f, &text);
  int fd = open(path, O_WRONLY);
  for (size_t n = 0; n < text.len; n++) {
    for (int bit = 0; bit < 10; bit++) {
      char c = damage(text.at[n], bit);
      assert_int_equal(pwrite(fd, &c, 1, (off_t)n), 1);
      if (c != text.at[n])
        must_notice(f->path, n);
    }
    assert_int_equal(pwrite(fd, text.at + n, 1, (off_t)n), 1);
  }
  close(fd);
  str_free(&text);
}

/* Lines taken out, doubled or moved. */
static void every_lost_line_is_noticed(void **state)
{
  struct folder *f = *state;
  struct str text = {0}, line[4] = {0}, some = {0};
  const char *path = three_rows(f, &text), *at = text.at;
  for (int i = 0; i < 4; i++, at += strcspn(at, "\n") + 1)
    str_add_bytes(&line[i], at, strcspn(at, "\n") + 1);
  static const char *const orders[] = {"013", "023", "123", "012", "3", "0",
                                       "1023", "00123", "01233", "0132"};
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
    str_clear(&some);
    for (const char *c = orders[i]; *c; c++)
      str_add(&some, line[*c - '0'].at);
    write_file(path, some.at, some.len);
    struct str said = {0};
    struct table *t = load(f->path, &said);
    if (!said.len)
      fail_msg("lines %s are not noticed", orders[i]);
    table_free(t);
    str_free(&said);
  }
  struct str said = {0};
  struct err e = {0};
  put(f->path, row("m=4", "MI50", 60, "measured", 4), &said, &e);
  must_put(f->path, row("m=5", "MI50", 60, "measured", 5)); /* all is well */
  str_free(&said);
  str_free(&some);
  str_free(&text);
  for (int i = 0; i < 4; i++)
    str_free(&line[i]);
}

static void rows_of_another_arch_are_not_used(void **state)
{
  struct folder *f = *state;
  struct str said = {0}, text = {0};
  struct record *r = row("m=1", "MI100", 120, "measured", 1);
  record_set(r, "arch", "gfx908");
  record_format(r, &text);
  record_free(r);
  str_add(&text, "\n");
  must_put(f->path, row("m=2", "MI50", 60, "measured", 2));
  const char *path = folder_file(f, "gfx906/gemm.table");
  write_file(path, text.at, text.len);
  struct table *t = load(f->path, &said);
  assert_int_equal(table_size(t), 0);
  assert_non_null(strstr(said.at, "gemm.table:1: not used: its arch"));
  table_free(t);
  str_free(&said);
  str_free(&text);
}

static void put_one(const char *dir, int writer, int i)
{
  char problem[32];
  struct str said = {0};
  struct err e;
  snprintf(problem, sizeof problem, "m=%d", writer * 1000 + i);
  if (put(dir, row(problem, "MI50", 60, "measured", i), &said, &e))
    _exit(1);
}

static void wait_all(const pid_t *child, int n)
{
  for (int i = 0; i < n; i++) {
    int status;
    assert_int_equal(waitpid(child[i], &status, 0), child[i]);
    assert_int_equal(status, 0);
  }
}

/* Files that no table ever was: nothing is used, it is said, and a winner that is
 * stored next keeps the file aside. */
static void foreign_files_are_not_used(void **state)
{
  static const struct {
    const char *bytes, *says;
    size_t n;
  } foreign[] = {
      {"", "its last line, which counts the rows, is not there", 0},
      {"<html>\n<p>404</p>\n", "gemm.table:1: not used: does not end", 19},
      {"\x7f" "ELF\0\1\2\n\0", "gemm.table:1: not used: does not end", 9},
  };
  struct folder *f = *state;
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
    struct str said = {0};
    struct err e = {0};
    must_put(f->path, row("m=2", "MI50", 60, "measured", 2));
    write_file(folder_file(f, "gfx906/gemm.table"), foreign[i].bytes,
               foreign[i].n);
    struct table *t = load(f->path, &said);
    assert_int_equal(table_size(t), 0);
    assert_non_null(strstr(said.at, foreign[i].says));
    table_free(t);
    assert_int_equal(put(f->path, row("m=1", "MI50", 60, "measured", 1), &said,
                         &e), 0);
    assert_true(!foreign[i].n ||
                file_exists(folder_file(f, i == 1
                                ? "gfx906/gemm.table.damaged-1"
                                : "gfx906/gemm.table.damaged-2")));
    str_free(&said);
    t = load(f->path, &said);
    SAME(time_of(t, "m=1", NULL), 1);
    assert_int_equal(said.len, 0);
    table_free(t);
    assert_int_equal(remove(folder_file(f, "gfx906/gemm.table")), 0);
  }
}

/* A later version has fields that this one does not know: they are kept. */
static void rows_of_a_newer_version_stay_whole(void **state)
{
  struct folder *f = *state;
  struct str said = {0};
  struct record *r = row("m=1", "MI50", 60, "measured", 1);
  record_set(r, "zz_of_later", "a b");
  must_put(f->path, r);
  must_put(f->path, row("m=2", "MI50", 60, "measured", 2));
  struct table *t = load(f->path, &said);
  assert_string_equal(record_text(table_find(t, "m=1", NULL), "zz_of_later"),
                      "a b");
  assert_int_equal(said.len, 0);
  table_free(t);
}

static void many_writers(void **state)
{
  enum {WRITERS = 8, EACH = 50};
  const char *dir = ((struct folder *)*state)->path;
  struct str said = {0};
  pid_t child[WRITERS];
  for (int w = 0; w < WRITERS; w++)
    if (!(child[w] = fork())) {
      for (int i = 0; i < EACH; i++)
        put_one(dir, w, i);
      _exit(0);
    }
  size_t most = 0; /* a reader sees whole tables that only grow */
  for (int reads = 0; reads < 200; reads++) {
    struct table *t = load(dir, &said);
    assert_true(table_size(t) >= most);
    most = table_size(t);
    table_free(t);
    usleep(1000);
  }
  wait_all(child, WRITERS);
  struct table *t = load(dir, &said);
  assert_int_equal(table_size(t), WRITERS * EACH);
  assert_int_equal(said.len, 0);
  table_free(t);
}

static int count_files(const char *path)
{
  int n = 0;
  DIR *folder = opendir(path);
  assert_non_null(folder);
  for (struct dirent *entry; (entry = readdir(folder));)
    n += entry->d_name[0] != '.';
  closedir(folder);
  return n;
}

/* Whoever is killed holding the lock does not keep others out, and leaves an
 * old or a new table; only the table and the lock remain. */
static void killed_writers(void **state)
{
  const char *dir = ((struct folder *)*state)->path;
  struct str said = {0};
  for (int round = 0; round < 20; round++) {
    pid_t child = fork();
    if (!child)
      for (int i = 0;; i++)
        put_one(dir, round, i);
    usleep((useconds_t)(3000 + 700 * round));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    must_put(dir, row("m=99999", "MI50", 60, "measured", round));
    struct table *t = load(dir, &said);
    SAME(time_of(t, "m=99999", NULL), round);
    table_free(t);
  }
  assert_int_equal(said.len, 0);
  assert_int_equal(count_files(folder_file(*state, "gfx906")), 2);
}

static void unusable_folder(void **state)
{
  struct folder *f = *state;
  struct str said = {0};
  struct err e;
  const char *path = folder_file(f, "file");
  write_file(path, "x", 1);
  struct record *r = row("m=1", "MI50", 60, "measured", 1);
  assert_int_equal(put(path, r, &said, &e), ERR_FAILED);
  assert_non_null(strstr(e.text, path));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, folder_make, folder_remove)

int main(void)
{
  const struct CMUnitTest tests[] = {
    TEST(rows_side_by_side),
    TEST(newest_of_equals),
    TEST(hot_beside_cold),
    TEST(same_bytes_in_any_order),
    TEST(unfit_rows_are_refused),
    TEST(damage_is_kept_aside),
    TEST(every_cut_is_noticed),
    TEST(every_damaged_byte_is_noticed),
    TEST(every_lost_line_is_noticed),
    TEST(rows_of_another_arch_are_not_used),
    TEST(foreign_files_are_not_used),
    TEST(rows_of_a_newer_version_stay_whole),
    TEST(many_writers),
    TEST(killed_writers),
    TEST(unusable_folder),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
