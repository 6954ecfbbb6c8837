/* fuzz.c - the store's parsers on some 10^5 damaged inputs, the same on every
 * run. tests/fuzz/store.c runs the same checks under libFuzzer. */
// SPDX-License-Identifier: MIT
#include "base/rng.h"
#include "tests/base/folder.h"
#include "tests/fuzz/store.h"

enum {LINES = 200000, FILES = 3000, ROOM = 4096};

struct text {
  size_t n;
  char at[ROOM];
};

/* CRC-32 by its definition, a bit at a time. */
static uint32_t crc(const char *bytes, size_t n)
{
  uint32_t c = 0xffffffff;
  for (size_t i = 0; i < n; i++) {
    c ^= (unsigned char)bytes[i];
    for (int k = 0; k < 8; k++)
      c = c >> 1 ^ (c & 1 ? 0xedb88320 : 0);
  }
  return ~c;
}

static void add_line(struct text *t, const char *line)
{
  int n = snprintf(t->at + t->n, ROOM - t->n, "%s crc=%08x\n", line,
                   crc(line, strlen(line)));
  assert_true(n > 0 && t->n + (size_t)n < ROOM);
  t->n += (size_t)n;
}

static void some_lines(struct text *t)
{
  static const char *const lines[] = {
    "",
    "a=1",
    ("arch=a config=tile_m=128,pad=1 cus=60 date=2026-11-21 device=AMD%20MI50 "
     "family=f problem=m=4096,n=4096,k=4096 source=measured time_us=12.5"),
    "arch=a family=f problem=m=1 source=modelled",
    "arch=b family=f problem=m=1 source=modelled",
    "log=error:%0A%09%25%7F~ status=compile",
  };
  t->n = 0;
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    add_line(t, lines[i]);
}

/* Change, drop, double or insert a few bytes, preferring those that matter. */
static void mutate(struct rng *r, struct text *t)
{
  static const char spice[] = "=% \n\t\0a0_F~\x7f\xff\r0123456789abcdef crc=";
  for (uint64_t times = 1 + rng_below(r, 4); times; times--) {
    size_t at = rng_below(r, t->n + 1), left = t->n - at;
    size_t n = 1 + rng_below(r, 1 + rng_below(r, 40));
    char c = rng_below(r, 2) ? spice[rng_below(r, sizeof spice - 1)]
                             : (char)rng_below(r, 256);
    switch (rng_below(r, 4)) {
    case 0: /* change */
      if (left)
        t->at[at] = c;
      break;
    case 1: /* cut out */
      n = n < left ? n : left;
      memmove(t->at + at, t->at + at + n, left - n);
      t->n -= n;
      break;
    case 2: /* insert a byte, or double what is there */
      n = rng_below(r, 2) || n > left ? 1 : n;
      if (t->n + n <= ROOM) {
        memmove(t->at + at + n, t->at + at, left);
        if (n == 1)
          t->at[at] = c;
        t->n += n;
      }
      break;
    case 3: /* cut the end off */
      if (!rng_below(r, 8))
        t->n = at;
    }
  }
}

/* One line out of t, most often with a checksum that is right again. */
static void one_line(struct rng *r, struct text *t)
{
  some_lines(t);
  char *end = t->at;
  for (uint64_t skip = rng_below(r, 6); skip; skip--)
    end = strchr(end, '\n') + 1;
  t->n = strcspn(end, "\n");
  memmove(t->at, end, t->n);
  if (rng_below(r, 4) && t->n >= 13) {
    t->n -= 13;
    mutate(r, t);
    if (t->n + 13 < ROOM)
      t->n += (size_t)snprintf(t->at + t->n, ROOM - t->n, " crc=%08x",
                               crc(t->at, t->n));
  } else {
    mutate(r, t);
  }
}

static void damaged_lines(void **state)
{
  (void)state;
  struct rng r;
  struct text t;
  int good = 0;
  rng_seed(&r, 1);
  for (int i = 0; i < LINES; i++) {
    one_line(&r, &t);
    char *exact = malloc(t.n ? t.n : 1); /* so that ASan sees the end */
    assert_non_null(exact);
    memcpy(exact, t.at, t.n);
    good += store_line(exact, t.n);
    free(exact);
  }
  assert_in_range(good, LINES / 20, LINES / 10 * 9); /* both paths are run */
}

static void damaged_files(void **state)
{
  struct folder *f = *state;
  struct rng r;
  struct text t;
  rng_seed(&r, 2);
  for (int i = 0; i < FILES; i++) {
    some_lines(&t);
    mutate(&r, &t);
    store_file(f->path, t.at, t.n);
  }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, folder_make, folder_remove)

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(damaged_lines),
    TEST(damaged_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
