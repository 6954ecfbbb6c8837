/* file.c - files are there whole, old or new, whoever is killed. */
// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/file.h"
#include "tests/base/folder.h"

enum {SIZE = 300000};

static void read_and_replace(void **state)
{
  const char *path = folder_file(*state, "file");
  struct str text = {0};
  struct err e;
  assert_int_equal(file_exists(path), 0);
  assert_int_equal(file_read(path, 100, &text, &e), ERR_FAILED);
  assert_non_null(strstr(e.text, path));
  assert_int_equal(file_replace(path, "old", 3, &e), 0);
  assert_int_equal(file_replace(path, "a\0b\n", 4, &e), 0);
  assert_int_equal(file_exists(path), 1);
  str_add(&text, ">");
  assert_int_equal(file_read(path, 4, &text, &e), 0);
  assert_int_equal(text.len, 5);
  assert_memory_equal(text.at, ">a\0b\n", 6);
  assert_int_equal(file_read(path, 3, &text, &e), ERR_FAILED);
  assert_non_null(strstr(e.text, "larger than 3 bytes"));
  str_free(&text);
}

static void only_files_are_read(void **state)
{
  const char *pipe = folder_file(*state, "pipe");
  struct str text = {0};
  struct err e;
  assert_int_equal(mkfifo(pipe, 0600), 0);
  assert_int_equal(file_read(pipe, 100, &text, &e), ERR_FAILED);
  assert_non_null(strstr(e.text, "a pipe or device"));
  assert_int_equal(file_read("/dev/zero", 100, &text, &e), ERR_FAILED);
  assert_int_equal(file_read("/", 100, &text, &e), ERR_FAILED);
  assert_non_null(strstr(e.text, "a folder"));
  str_free(&text);
}

static void folders(void **state)
{
  struct folder *f = *state;
  struct err e;
  char path[128];
  snprintf(path, sizeof path, "%s/a/b//c/", f->path);
  assert_int_equal(file_mkdirs(path, &e), 0);
  assert_int_equal(file_mkdirs(path, &e), 0);
  assert_int_equal(file_mkdirs("/", &e), 0);
  assert_int_equal(file_mkdirs("", &e), 0);
  assert_int_equal(file_replace(folder_file(f, "a/file"), "", 0, &e), 0);
  assert_int_equal(file_mkdirs(folder_file(f, "a/file"), &e), ERR_FAILED);
  assert_non_null(strstr(e.text, "a/file: cannot make this folder"));
  assert_int_equal(file_mkdirs(folder_file(f, "a/file/b"), &e), ERR_FAILED);
  assert_int_equal(file_mkdirs("/proc/none", &e), ERR_FAILED);
}

static void removes_all(void **state)
{
  struct folder *f = *state;
  struct err e;
  char folder[128];
  snprintf(folder, sizeof folder, "%s/all", f->path);
  assert_int_equal(file_mkdirs(folder_file(f, "all/a/b"), &e), 0);
  assert_int_equal(file_replace(folder_file(f, "all/a/file"), "x", 1, &e), 0);
  assert_int_equal(symlink("..", folder_file(f, "all/link")), 0);
  assert_int_equal(file_replace(folder_file(f, "beside"), "x", 1, &e), 0);
  file_remove_all(folder);
  assert_false(file_exists(folder));
  assert_true(file_exists(folder_file(f, "beside")));
  file_remove_all(folder); /* nothing is there */
}

static void cannot_write(void **state)
{
  struct folder *f = *state;
  struct err e;
  const char *path = folder_file(f, "none/file");
  assert_int_equal(file_replace(path, "x", 1, &e), ERR_FAILED);
  assert_non_null(strstr(e.text, path));
  assert_int_equal(file_replace(f->path, "x", 1, &e), ERR_FAILED);
}

/* Contents of file: SIZE times one letter, whichever. */
static void must_be_whole(const char *path)
{
  struct str text = {0};
  struct err e;
  assert_int_equal(file_read(path, SIZE, &text, &e), 0);
  assert_int_equal(text.len, SIZE);
  for (size_t i = 1; i < SIZE; i++)
    if (text.at[i] != text.at[0])
      fail_msg("byte %zu is of another file", i);
  str_free(&text);
}

static void replace_for_ever(const char *path)
{
  static char text[SIZE];
  struct err e;
  for (int c = 'a';; c = c == 'z' ? 'a' : c + 1) {
    memset(text, c, SIZE);
    if (file_replace(path, text, SIZE, &e))
      _exit(1);
  }
}

static void killed_while_replacing(void **state)
{
  struct folder *f = *state;
  struct err e;
  static char first[SIZE];
  const char *path = folder_file(f, "file");
  assert_int_equal(file_replace(path, first, SIZE, &e), 0);
  for (int round = 0; round < 40; round++) {
    pid_t child = fork();
    if (!child)
      replace_for_ever(path);
    usleep((useconds_t)(500 + 137 * round));
    must_be_whole(path);
    kill(child, SIGKILL);
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status));
    must_be_whole(path);
  }
}

static void full_disk_keeps_the_old(void **state)
{
  struct folder *f = *state;
  struct str text = {0};
  struct err e;
  const char *path = folder_file(f, "file");
  assert_int_equal(file_replace(path, "old", 3, &e), 0);
  pid_t child = fork();
  if (!child) {
    static char big[10000];
    struct rlimit limit = {5000, 5000};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    _exit(file_replace(path, big, sizeof big, &e) != ERR_FAILED ||
          !strstr(e.text, "File too large"));
  }
  int status;
  waitpid(child, &status, 0);
  assert_int_equal(status, 0);
  assert_int_equal(file_read(path, 100, &text, &e), 0);
  assert_string_equal(text.at, "old");
  str_free(&text);
  struct stat is;
  assert_int_equal(stat(f->path, &is), 0);
  assert_int_equal(unlink(path), 0);
  assert_int_equal(rmdir(f->path), 0); /* nothing else was left there */
  assert_int_equal(mkdir(f->path, 0700), 0);
}

/* A lock is waited for, and freed by the death of its holder. */
static void locks(void **state)
{
  const char *path = folder_file(*state, "lock");
  struct err e;
  int ends[2], fd = open(path, O_RDWR | O_CREAT, 0644);
  char c = 0;
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  if (!child) {
    int failed = file_lock(fd, path, &e);
    c = (char)('0' + failed);
    failed |= write(ends[1], &c, 1) != 1;
    pause();
    _exit(failed);
  }
  assert_int_equal(read(ends[0], &c, 1), 1);
  assert_int_equal(c, '0');
  struct flock probe = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  assert_int_equal(fcntl(fd, F_GETLK, &probe), 0);
  assert_int_equal(probe.l_pid, child);
  kill(child, SIGKILL);
  assert_int_equal(file_lock(fd, path, &e), 0);
  file_unlock(fd);
  waitpid(child, NULL, 0);
  close(fd);
  assert_int_equal(file_lock(fd, path, &e), ERR_FAILED);
  assert_non_null(strstr(e.text, path));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, folder_make, folder_remove)

int main(void)
{
  const struct CMUnitTest tests[] = {
    TEST(read_and_replace),
    TEST(only_files_are_read),
    TEST(folders),
    TEST(removes_all),
    TEST(cannot_write),
    TEST(killed_while_replacing),
    TEST(full_disk_keeps_the_old),
    TEST(locks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
