/* image.c - finding the device's code object in what programs load: bundles
 * that are written here by clang's documentation, and damaged ones.
 */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/mem.h"
#include "base/rng.h"
#include "runtimes/sim/load/image.h"

enum {ELF_BYTES = 100, MAX = 8};

struct bundle {
  uint8_t bytes[4096];
  size_t n;
};

/* An ELF header alone; its last byte tells which it is. */
static void write_elf(uint8_t *at, unsigned which)
{
  const Elf64_Ehdr h = {.e_ident = ELFMAG, .e_phoff = ELF_BYTES};
  memset(at, 0, ELF_BYTES);
  memcpy(at, &h, sizeof h);
  at[ELF_BYTES - 1] = (uint8_t)which;
}

static struct bundle make(const char *const *names, uint64_t n)
{
  struct bundle b = {.n = 32};
  uint64_t at = 1024;
  memcpy(b.bytes, "__CLANG_OFFLOAD_BUNDLE__", 24);
  memcpy(b.bytes + 24, &n, 8);
  for (unsigned k = 0; k < n; k++, at += 128) {
    int host = !strncmp(names[k], "host", 4);
    const uint64_t entry[3] = {at, host ? 0 : ELF_BYTES, strlen(names[k])};
    memcpy(b.bytes + b.n, entry, sizeof entry);
    memcpy(b.bytes + b.n + 24, names[k], entry[2]);
    b.n += 24 + entry[2];
    write_elf(b.bytes + at, k + 1);
  }
  b.n = at;
  return b;
}

/* Which entry is taken (from 1), or minus the error's code. */
static int taken(const void *bytes, size_t n, struct err *e)
{
  struct code_image image;
  if (image_find(isa_at(0), bytes, n, &image, e))
    return -e->code;
  assert_int_equal(image.n, ELF_BYTES);
  int which = image.at[ELF_BYTES - 1];
  image_free(&image);
  return which;
}

/* --- which entry ----------------------------------------------------------- */

static const struct {
  const char *names[MAX];
  int taken;
} choices[] = {
    {{"host-x86_64-unknown-linux--", "hipv4-amdgcn-amd-amdhsa--gfx906"}, 2},
    {{"host-x86_64-unknown-linux", "hip-amdgcn-amd-amdhsa-gfx906"}, 2},
    {{"hipv4-amdgcn-amd-amdhsa--gfx900", "hipv4-amdgcn-amd-amdhsa--gfx906"}, 2},
    {{"hipv4-amdgcn-amd-amdhsa--gfx906:sramecc-",
      "hipv4-amdgcn-amd-amdhsa--gfx906:xnack+",
      "hipv4-amdgcn-amd-amdhsa--gfx906:sramecc+"}, 3},
    {{"hipv4-amdgcn-amd-amdhsa--gfx906",
      "hipv4-amdgcn-amd-amdhsa--gfx906:xnack-",
      "hipv4-amdgcn-amd-amdhsa--gfx906:sramecc+:xnack-"}, 3},
    {{"hipv4-amdgcn-amd-amdhsa--gfx906:sramecc+:xnack-",
      "hipv4-amdgcn-amd-amdhsa--gfx906"}, 1},
    {{"hipv4-amdgcn-amd-amdhsa--gfx9-generic:xnack-",
      "hipv4-amdgcn-amd-amdhsa--gfx906"}, 2},
    {{"hipv4-amdgcn-amd-amdhsa--gfx906",
      "hipv4-amdgcn-amd-amdhsa--gfx9-generic"}, 1},
    {{"hipv4-amdgcn-amd-amdhsa--gfx906:xnack+",
      "hipv4-amdgcn-amd-amdhsa--gfx9-generic"}, 2},
    {{"hipv4-amdgcn-amd-amdhsa--gfx9-4-generic",
      "hipv4-amdgcn-amd-amdhsa--gfx9-generic:xnack+"}, -ERR_USAGE},
    {{"hipv4-amdgcn-amd-amdhsa--gfx9060",
      "hipv4-amdgcn-amd-amdhsa--gfx906:xnack+"}, -ERR_USAGE},
    {{"host-x86_64-unknown-linux--"}, -ERR_USAGE},
    {{NULL}, -ERR_USAGE},
};

static void test_choice(void **state)
{
  (void)state;
  for (size_t n = 0; n < sizeof choices / sizeof *choices; n++) {
    struct err e = {0};
    uint64_t count = 0;
    while (choices[n].names[count])
      count++;
    struct bundle b = make(choices[n].names, count);
    assert_int_equal(taken(b.bytes, b.n, &e), choices[n].taken);
  }
}

static void test_says_what_is_there(void **state)
{
  const char *const names[] = {"host-x86_64-unknown-linux--",
                               "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-",
                               "hipv4-amdgcn-amd-amdhsa--gfx1030"};
  struct bundle b = make(names, 3);
  struct err e = {0};
  (void)state;
  assert_int_equal(taken(b.bytes, b.n, &e), -ERR_USAGE);
  assert_non_null(strstr(e.text, "only for: gfx90a:xnack- gfx1030;"));
}

static void test_neither(void **state)
{
  struct err e = {0};
  const char text[100] = "neither";
  (void)state;
  assert_int_equal(taken(text, sizeof text, &e), -ERR_FAILED);
  assert_int_equal(taken(ELFMAG, 4, &e), -ERR_FAILED);
  assert_int_equal(taken("__CLANG_OFFLOAD_BUNDLE__", 24, &e), -ERR_FAILED);
}

/* --- without a length ------------------------------------------------------ */

static void test_readable(void **state)
{
  const size_t page = 4096;
  char *p = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  (void)state;
  assert_ptr_not_equal(p, MAP_FAILED);
  assert_int_equal(mprotect(p + 2 * page, page, PROT_NONE), 0);
  assert_int_equal(mprotect(p + page, page, PROT_READ), 0);
  assert_int_equal(image_readable(p + 10), 2 * page - 10);
  assert_int_equal(image_readable(p + 2 * page + 10), 0);
  munmap(p, 3 * page);
  assert_int_equal(image_readable(NULL), 0);
}

/* --- compressed ------------------------------------------------------------ */

typedef size_t compress_fn(void *to, size_t room, const void *from, size_t n,
                           int level);

static compress_fn *find_zstd(void)
{
  void *library = dlopen("libzstd.so.1", RTLD_NOW);
  void *f = library ? dlsym(library, "ZSTD_compress") : NULL;
  compress_fn *result = NULL;
  memcpy(&result, &f, sizeof f);
  return result;
}

static void put(uint8_t *out, size_t *n, uint64_t value, size_t bytes)
{
  memcpy(out + *n, &value, bytes);
  *n += bytes;
}

/* The header of image_compressed.c's comment, then the frame. */
static size_t pack(uint8_t *out, size_t room, const struct bundle *b,
                   unsigned version)
{
  compress_fn *compress = find_zstd();
  uint8_t frame[sizeof b->bytes];
  size_t n = 0, width = version == 3 ? 8 : 4;
  assert_non_null(compress);
  size_t bytes = compress(frame, sizeof frame, b->bytes, b->n, 3);
  size_t header = version == 1 ? 20 : 16 + 2 * width;
  assert_true(bytes && header + bytes <= room);
  memcpy(out, "CCOB", n = 4);
  put(out, &n, version, 2);
  put(out, &n, 1, 2);
  if (version > 1)
    put(out, &n, header + bytes, width);
  put(out, &n, b->n, width);
  put(out, &n, 0x1234567890, 8);
  assert_int_equal(n, header);
  memcpy(out + n, frame, bytes);
  return n + bytes;
}

static void test_compressed(void **state)
{
  const char *const names[] = {"host-x86_64-unknown-linux--",
                               "hipv4-amdgcn-amd-amdhsa--gfx906"};
  struct bundle b = make(names, 2);
  struct err e = {0};
  uint8_t packed[5000] = {0}; /* zeros behind it, as where a section goes on */
  (void)state;
  for (unsigned version = 1; version <= 3; version++) {
    size_t n = pack(packed, sizeof packed, &b, version);
    assert_int_equal(taken(packed, n, &e), 2);
    assert_int_equal(taken(packed, sizeof packed, &e), 2);
    assert_int_equal(taken(packed, n - 1, &e), -ERR_FAILED);
  }
  packed[4] = 9;
  assert_int_equal(taken(packed, sizeof packed, &e), -ERR_FAILED);
  assert_non_null(strstr(e.text, "version 9"));
  packed[4] = 3;
  packed[6] = 0;
  assert_int_equal(taken(packed, sizeof packed, &e), -ERR_FAILED);
  assert_non_null(strstr(e.text, "--no-offload-compress"));
}

/* --- damaged: an error, or something inside of the bytes -------------------- */

static void damage(struct rng *rng, uint8_t *bytes, size_t n)
{
  for (size_t k = 1 + rng_below(rng, 4); k; k--) {
    uint8_t *at = bytes + rng_below(rng, n < 200 ? n : 200);
    *at = rng_below(rng, 2) ? (uint8_t)rng_next(rng)
                            : *at ^ (uint8_t)(1 << rng_below(rng, 8));
  }
}

static void check_inside(const uint8_t *bytes, size_t n)
{
  struct code_image image;
  struct err e = {0};
  if (image_find(isa_at(0), bytes, n, &image, &e)) {
    assert_true(e.text[0]);
    assert_null(image.own);
    return;
  }
  if (!image.own) {
    assert_true(image.at >= bytes && image.at <= bytes + n);
    assert_true(image.n <= n - (size_t)(image.at - bytes));
  }
  volatile uint8_t sum = 0; /* a sanitizer sees what is not there */
  for (size_t k = 0; k < image.n; k++)
    sum += image.at[k];
  (void)sum;
  image_free(&image);
}

static void test_damaged(void **state)
{
  const char *const names[] = {"host-x86_64-unknown-linux--",
                               "hipv4-amdgcn-amd-amdhsa--gfx900",
                               "hipv4-amdgcn-amd-amdhsa--gfx906:xnack-",
                               "hipv4-amdgcn-amd-amdhsa--gfx906"};
  struct bundle b = make(names, 4);
  uint8_t packed[5000];
  struct rng rng;
  (void)state;
  rng_seed(&rng, 20260101);
  for (int round = 0; round < 20000; round++) {
    unsigned version = (unsigned)rng_below(&rng, 40);
    size_t whole = version >= 1 && version <= 3
                       ? pack(packed, sizeof packed, &b, version) : b.n;
    size_t n = rng_below(&rng, 4) ? whole : rng_below(&rng, whole + 1);
    uint8_t *copy = malloc(n ? n : 1); /* exact, for the sanitizer */
    memcpy(copy, whole == b.n ? b.bytes : packed, n);
    if (n)
      damage(&rng, copy, n);
    check_inside(copy, n);
    free(copy);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_choice),
      cmocka_unit_test(test_says_what_is_there),
      cmocka_unit_test(test_neither),
      cmocka_unit_test(test_readable),
      cmocka_unit_test(test_compressed),
      cmocka_unit_test(test_damaged),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
