/* open.c - packs that are damaged, cut, empty, foreign or newer; any bytes. */
// SPDX-License-Identifier: MIT
#include "tests/ship/made.h"

#include <sys/stat.h>

#include "base/rng.h"
#include "ship/index.h"

enum {DAMAGED = 3000, ROUNDS = 6000};

static int open_bytes(const void *bytes, size_t n, char *why)
{
  tuned *t;
  const char *path = write_pack(bytes, n);
  int code = tuned_open(&t, path, "gfx906", NULL, why);
  assert_true((code == 0) == (t != NULL));
  tuned_close(t);
  unlink(path);
  return code;
}

static void refused(const void *bytes, size_t n, int code, const char *says)
{
  char why[256] = "";
  int is = open_bytes(bytes, n, why);
  if (is != code || !strstr(why, says))
    fail_msg("%d: '%s', not %d: '%s'", is, why, code, says);
}

static void kinds(void **state)
{
  (void)state;
  struct str p = {0};
  make(&p);
  refused(p.at, 0, TUNED_FOREIGN, "it is empty");
  refused("arch=gfx906 family=gemm\n", 24, TUNED_FOREIGN, "does not begin");
  refused(p.at, 4, TUNED_FOREIGN, "does not begin");
  refused(p.at, 20, TUNED_CUT, "ends in its head");
  refused(p.at, p.len - 1, TUNED_CUT, "was written with");
  str_add_bytes(&p, "", 1);
  refused(p.at, p.len, TUNED_CUT, "was written with");
  p.len--;
  struct pack_head *h = (void *)p.at;
  h->version = PACK_VERSION + 1;
  refused(p.at, p.len, TUNED_NEWER, "take a newer library");
  h->version = PACK_VERSION - 1;
  refused(p.at, p.len, TUNED_OLDER, "make the pack again");
  str_free(&p);
}

static void places(void **state)
{
  (void)state;
  struct str p = {0};
  tuned *t;
  char why[256];
  make(&p);
  assert_int_equal(tuned_open(&t, "/no/such", "gfx906", NULL, why),
                   TUNED_NO_FILE);
  assert_non_null(strstr(why, "/no/such: No such file"));
  assert_int_equal(tuned_open(&t, "/tmp", "gfx906", NULL, why), TUNED_NO_FILE);
  assert_int_equal(tuned_open(&t, "/dev/null", "gfx906", NULL, why),
                   TUNED_NO_FILE);
  const char *path = write_pack(p.at, p.len);
  assert_int_equal(tuned_open(&t, path, "gfx908", NULL, why), TUNED_NO_ARCH);
  assert_non_null(strstr(why, "it has gfx906, gfx90a, not gfx908"));
  assert_int_equal(tuned_open(&t, path, "gfx90", NULL, NULL), TUNED_NO_ARCH);
  unlink(path);
  assert_int_equal(mkfifo(path, 0600), 0); /* which nobody ever writes */
  assert_int_equal(tuned_open(&t, path, "gfx906", NULL, why), TUNED_NO_FILE);
  unlink(path);
  str_free(&p);
}

/* Ask all that can be asked of a pack that was taken, whatever is in it. */
static void use(const struct str *p)
{
  static const char *const words[] = {"nn", "nt"};
  struct tuned_hip none = {0};
  tuned *t;
  const char *path = write_pack(p->at, p->len);
  if (tuned_open(&t, path, "gfx906", &none, NULL) == 0) {
    for (int i = 0; i < 8; i++) {
      struct tuned_found f;
      const struct tuned_key keys[] = {
        TUNED_WHOLE("m", 100 << i), TUNED_WHOLE("k", 800 >> i),
        TUNED_WORD("layout", words[i % 2]),
      };
      if (tuned_find(t, "mul", keys, 3, TUNED_FITTED, &f) == 0)
        for (unsigned b = 0; tuned_buffer(t, &f, b, NULL); b++)
          ;
    }
    tuned_close(t);
  }
  unlink(path);
}

/* Every byte counts: in the index by its checksum, in the code by its own. */
static void one_byte(void **state)
{
  (void)state;
  struct str p = {0};
  make(&p);
  size_t index = ((struct pack_head *)(void *)p.at)->index;
  struct rng r;
  rng_seed(&r, 1);
  for (int i = 0; i < 400; i++) {
    size_t at = rng_below(&r, index);
    p.at[at] ^= (char)(1 + rng_below(&r, 255));
    struct index v;
    char why[INDEX_WHY];
    assert_int_not_equal(index_open(&v, p.at, p.len, why), 0);
    make((str_clear(&p), &p));
  }
  str_free(&p);
}

/* Damage whose checksum is right, as by hand: taken or refused, nothing worse
 * (ASan and UBSan look on in the debug build). */
static void signed_damage(void **state)
{
  (void)state;
  struct str good = {0}, p = {0};
  unsigned taken = 0;
  make(&good);
  size_t index = ((struct pack_head *)(void *)good.at)->index;
  struct rng r;
  rng_seed(&r, 2);
  for (int i = 0; i < DAMAGED; i++) {
    str_clear(&p);
    str_add_bytes(&p, good.at, good.len);
    for (uint64_t n = 1 + rng_below(&r, 3); n > 0; n--) {
      size_t at = rng_below(&r, index / 4) * 4;
      uint32_t word = (uint32_t)rng_next(&r) >> rng_below(&r, 32);
      memcpy(p.at + at, &word, sizeof word);
    }
    struct pack_head *h = (void *)p.at;
    if (h->index >= sizeof *h && h->index <= p.len)
      h->sum = index_sum(p.at, h->index);
    struct index v;
    char why[INDEX_WHY];
    if (index_open(&v, p.at, p.len, why) == 0) {
      taken++;
      use(&p);
    }
  }
  assert_true(taken > 0); /* or nothing of the rest was tried */
  str_free(&good);
  str_free(&p);
}

static void any_bytes(void **state)
{
  (void)state;
  struct str p = {0};
  struct rng r;
  rng_seed(&r, 3);
  for (int i = 0; i < ROUNDS; i++) {
    struct index v;
    char why[INDEX_WHY];
    str_clear(&p);
    if (i % 2)
      str_add(&p, PACK_MAGIC);
    for (uint64_t n = rng_below(&r, 600); n > 0; n--)
      str_add_bytes(&p, &(char){(char)rng_next(&r)}, 1);
    if (p.len)
      assert_int_not_equal(index_open(&v, p.at, p.len, why), 0);
  }
  str_free(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(kinds),         cmocka_unit_test(places),
    cmocka_unit_test(one_byte),      cmocka_unit_test(signed_damage),
    cmocka_unit_test(any_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
