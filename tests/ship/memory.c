/* memory.c - libtuned where memory runs out, and unloaded again and again.
 *
 * calloc() and ZSTD_decompress() are wrapped by the linker. */
// SPDX-License-Identifier: MIT
#include "tests/ship/made.h"

#include <dlfcn.h>
#include <zstd.h>
#include <zstd_errors.h>

static int left = -1; /* allocations until one fails; negative: none does */

void *__real_calloc(size_t n, size_t size);
size_t __real_ZSTD_decompress(void *to, size_t room, const void *from,
                              size_t n);

void *__wrap_calloc(size_t n, size_t size)
{
  return left >= 0 && left-- == 0 ? NULL : __real_calloc(n, size);
}

size_t __wrap_ZSTD_decompress(void *to, size_t room, const void *from,
                              size_t n)
{
  return left >= 0 && left-- == 0 ? (size_t)-ZSTD_error_memory_allocation
                                  : __real_ZSTD_decompress(to, room, from, n);
}

static int load(void **module, const void *image)
{
  *module = (void *)(size_t)image;
  return 0;
}

static int unload(void *module)
{
  (void)module;
  return 0;
}

static int function(void **f, void *module, const char *name)
{
  (void)name;
  *f = module;
  return 0;
}

static const struct tuned_hip hip = {load, unload, function, NULL};

/* Open, find, load, close; the first code that is not 0. */
static int all(const char *path)
{
  tuned *t;
  struct tuned_found f;
  int code = tuned_open(&t, path, "gfx906", &hip, NULL);
  if (!code)
    code = tuned_find(t, "mul", NULL, 0, TUNED_FITTED, &f);
  if (!code)
    code = tuned_load(t, &f);
  tuned_close(t);
  return code;
}

/* Each allocation fails once; nothing is lost (LeakSanitizer looks on). */
static void runs_out(void **state)
{
  (void)state;
  struct str bytes = {0};
  make(&bytes);
  const char *path = write_pack(bytes.at, bytes.len);
  int failed = 0, code;
  do {
    left = failed;
    code = all(path);
    if (code)
      assert_int_equal(code, TUNED_NO_MEMORY);
    failed += code != 0;
  } while (code);
  left = -1;
  assert_int_equal(failed, 5); /* handle, two tables, kernel, decompression */
  unlink(path);
  str_free(&bytes);
}

static unsigned mappings(void)
{
  unsigned lines = 0;
  FILE *maps = fopen("/proc/self/maps", "r");
  assert_non_null(maps);
  for (int c; (c = getc(maps)) != EOF;)
    lines += c == '\n';
  fclose(maps);
  return lines;
}

/* Load the shared library, use it, unload it. */
static void load_library(const char *path)
{
  int (*open_pack)(tuned **, const char *, const char *,
                   const struct tuned_hip *, char *);
  void (*close_pack)(tuned *);
  void *library = dlopen(BUILD_DIR "/libtuned.so", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    fail_msg("%s", dlerror());
  *(void **)&open_pack = dlsym(library, "tuned_open");
  *(void **)&close_pack = dlsym(library, "tuned_close");
  tuned *t;
  assert_int_equal(open_pack(&t, path, "gfx906", NULL, NULL), 0);
  close_pack(t);
  assert_int_equal(dlclose(library), 0);
}

static void unloaded(void **state)
{
  (void)state;
  struct str bytes = {0};
  make(&bytes);
  const char *path = write_pack(bytes.at, bytes.len);
  load_library(path);
  unsigned before = mappings();
  for (int i = 0; i < 50; i++)
    load_library(path);
  assert_true(mappings() <= before + 2); /* not one a time */
  unlink(path);
  str_free(&bytes);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(runs_out),
    cmocka_unit_test(unloaded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
