/* rocm.c - where the libraries of a distribution's ROCm and of AMD's are. */
// SPDX-License-Identifier: MIT
#include "base/rocm.h"
#include "tests/base/folder.h"

#include <dlfcn.h>
#include <sys/stat.h>

static const char *const two[] = {"libx.so.7", "libx.so.6", NULL};

static void make(const char *opt, const char *name)
{
  char path[200];
  snprintf(path, sizeof path, "%s/%s", opt, name);
  assert_int_equal(mkdir(path, 0700), 0);
}

static void expect(const struct rocm_paths *p, size_t i, const char *opt,
                   const char *end)
{
  char want[200];
  snprintf(want, sizeof want, "%s%s", opt, end);
  assert_true(i < p->n);
  assert_string_equal(p->at[i], want);
}

/* 6.10 is newer than 6.9; a newer library comes before an older one that the
 * loader finds; ROCM_PATH before all. */
static void order(void **state)
{
  const char *opt = ((struct folder *)*state)->path;
  struct rocm_paths p;
  make(opt, "rocm-6.9.3");
  make(opt, "rocm-6.10.0");
  make(opt, "rocm-smi"); /* is no version */
  unsetenv("ROCM_PATH");
  rocm_paths(&p, opt, two);
  assert_int_equal(p.n, 8);
  expect(&p, 0, "", "libx.so.7");
  expect(&p, 1, opt, "/rocm/lib/libx.so.7");
  expect(&p, 2, opt, "/rocm-6.10.0/lib/libx.so.7");
  expect(&p, 3, opt, "/rocm-6.9.3/lib/libx.so.7");
  expect(&p, 4, "", "libx.so.6");
  rocm_paths_free(&p);
  setenv("ROCM_PATH", "/home/me/rocm", 1);
  rocm_paths(&p, opt, two);
  assert_int_equal(p.n, 10);
  expect(&p, 0, "", "/home/me/rocm/lib/libx.so.7");
  expect(&p, 1, "", "/home/me/rocm/lib/libx.so.6");
  expect(&p, 2, "", "libx.so.7");
  rocm_paths_free(&p);
  unsetenv("ROCM_PATH");
}

/* A library that is there and cannot be loaded is what the message is about,
 * not the others that are not there; and the search goes on after it. */
static void a_broken_one_is_named(void **state)
{
  struct folder *f = *state;
  char path[200];
  struct err e = {0};
  const char *const found[] = {"libx.so.7", "libm.so.6", NULL};
  make(f->path, "lib");
  snprintf(path, sizeof path, "%s/lib/libx.so.7", f->path);
  write_file(path, "rubbish", 7);
  setenv("ROCM_PATH", f->path, 1);
  assert_null(rocm_open(two, &e));
  assert_non_null(strstr(e.text, path));
  assert_non_null(rocm_open(found, NULL));
  unsetenv("ROCM_PATH");
  assert_null(rocm_open(two, &e));
  assert_non_null(strstr(e.text, "cannot open shared object file"));
}

static void beside(void **state)
{
  (void)state;
  char path[PATH_MAX], *slash;
  const char *const names[] = {"libm.so.6", NULL};
  const void *in_libc = dlsym(RTLD_DEFAULT, "getenv");
  rocm_file(in_libc, path);
  assert_non_null(slash = strrchr(path, '/'));
  assert_non_null(strstr(slash, "libc.so"));
  void *library = rocm_open_beside(in_libc, names, NULL);
  assert_non_null(library);
  rocm_file(dlsym(library, "cos"), path);
  assert_non_null(strstr(path, "/libm.so"));
  rocm_file(&path, path); /* on the stack: of no library */
  assert_string_equal(path, "");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(order, folder_make, folder_remove),
      cmocka_unit_test_setup_teardown(a_broken_one_is_named, folder_make,
                                      folder_remove),
      cmocka_unit_test(beside),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
