/* bad_input.c - kernels of a pack with input that no check has seen: offsets that
 * fall, scales that are not finite. Tests are in bad_input.sh.
 *
 *     bad_input PACK
 *
 * W is q8_0 with scales of 1, the activations are q8_1 with scales of 1: results are
 * sums of integers. C lies between guards; all else is as long as it must be, so that
 * a simulated device ends a kernel that reads past it.
 */
/* SPDX-License-Identifier: MIT */
#include <hip/hip_runtime_api.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tuned.h"

enum {M = 100, K = 256, GROUPS = 5, COLUMNS = 70, FEW = 3, BLOCK = 34, GUARD = 4096};
enum {POISON = 0x7fc0beef}; /* a NaN that no kernel makes */

struct run {
  tuned *t;
  const char *family;
  int n, groups; /* columns; matrices of weights */
  int *offsets;  /* NULL: there is one matrix */
  uint8_t *w;
  uint32_t *c;   /* what the kernel left, guards and all */
};

static int failures;

static void expect(int right, const char *family, const char *what, int a, int b)
{
  if (!right && failures++ < 10)
    printf("%s: %s (%d, %d)\n", family, what, a, b);
}

static void must(int code, const char *what)
{
  if (!code)
    return;
  printf("%s: code %d\n", what, code);
  exit(1);
}

static int weight(int group, int row, int k)
{
  return (group * 3 + row * 7 + k * 5) % 15 - 7;
}

static int activation(int column, int k)
{
  return (column * 3 + k) % 5 - 2;
}

static void *upload(const void *from, size_t bytes)
{
  void *to = NULL;
  must(hipMalloc(&to, bytes), "hipMalloc");
  must(hipMemcpy(to, from, bytes, hipMemcpyHostToDevice), "hipMemcpy");
  return to;
}

static void set_half(uint8_t *at, int bits)
{
  at[0] = (uint8_t)bits;
  at[1] = (uint8_t)(bits >> 8);
}

static void make_weights(struct run *r)
{
  enum {ONE = 0x3c00};
  for (int i = 0; i < r->groups * M * (K / 32); i++) {
    uint8_t *block = r->w + (size_t)i * BLOCK;
    int row = i / (K / 32), first = i % (K / 32) * 32;
    set_half(block, ONE);
    for (int k = 0; k < 32; k++)
      block[2 + k] = (uint8_t)weight(row / M, row % M, first + k);
  }
}

static void *activations(int n)
{
  int8_t *xq = malloc((size_t)n * K);
  for (int b = 0; b < K / 32; b++)
    for (int col = 0; col < n; col++)
      for (int k = 0; k < 32; k++)
        xq[(b * n + col) * 32 + k] = (int8_t)activation(col, b * 32 + k);
  void *to = upload(xq, (size_t)n * K);
  free(xq);
  return to;
}

/* Scales of 1, and sums that q8_0 has no use for. */
static void *scales(int n)
{
  size_t bytes = (size_t)n * K / 32 * 4;
  uint8_t *xs = calloc(1, bytes);
  for (size_t i = 0; i < bytes; i += 4)
    set_half(xs + i, 0x3c00);
  void *to = upload(xs, bytes);
  free(xs);
  return to;
}

static size_t words(const struct run *r)
{
  return (size_t)r->n * M + 2 * GUARD;
}

static void launch(struct run *r)
{
  const struct tuned_key keys[] = {
    TUNED_WHOLE("m", M), TUNED_WHOLE("n", r->n), TUNED_WHOLE("k", K),
    TUNED_WORD("dtype", "q8_0"), TUNED_WORD("x", "q8_1"),
    TUNED_WHOLE("groups", GROUPS), TUNED_WHOLE("used", 1)};
  struct tuned_found f;
  must(tuned_find(r->t, r->family, keys, r->offsets ? 7 : 5, TUNED_EXACT, &f),
       "tuned_find");
  must(tuned_load(r->t, &f), "tuned_load");
  for (size_t i = 0; i < words(r); i++)
    r->c[i] = POISON;
  uint32_t *c = upload(r->c, 4 * words(r));
  void *buffers[] = {upload(r->w, (size_t)r->groups * M * (K / 32) * BLOCK), c + GUARD,
                     activations(r->n), scales(r->n),
                     r->offsets ? upload(r->offsets, 4 * (GROUPS + 1)) : NULL};
  must(tuned_launch(r->t, &f, buffers, f.nbuffers, NULL, NULL), "tuned_launch");
  must(hipDeviceSynchronize(), "the kernel");
  must(hipMemcpy(r->c, c, 4 * words(r), hipMemcpyDeviceToHost), "hipMemcpy");
  must(hipFree(c), "hipFree");
  for (int i = 0; i < 5; i++)
    if (i != 1)
      must(hipFree(buffers[i]), "hipFree");
}

static float product(int group, int row, int column)
{
  int sum = 0;
  for (int k = 0; k < K; k++)
    sum += weight(group, row, k) * activation(column, k);
  return (float)sum;
}

static uint32_t result(const struct run *r, int row, int column)
{
  return r->c[GUARD + column * M + row];
}

static int is_product(uint32_t bits, int group, int row, int column)
{
  float x;
  memcpy(&x, &bits, sizeof x);
  return x == product(group, row, column);
}

static void guards_are_whole(const struct run *r)
{
  for (int i = 0; i < GUARD; i++)
    expect(r->c[i] == POISON && r->c[words(r) - 1 - (size_t)i] == POISON, r->family,
           "written outside of C", i, 0);
}

/* Does some group claim the column? Then its product, or that of another that does,
 * is there; else nothing is. */
static void columns_are_of_groups(const struct run *r)
{
  for (int col = 0; col < r->n; col++)
    for (int row = 0; row < M; row++) {
      uint32_t got = result(r, row, col);
      int claimed = 0, right = 0;
      for (int g = 0; g < r->groups; g++) {
        if (r->offsets && (col < r->offsets[g] || col >= r->offsets[g + 1]))
          continue;
        claimed = 1;
        right |= is_product(got, g, row, col);
      }
      expect(claimed ? right : got == POISON, r->family, "a wrong result", row, col);
    }
}

static void offsets_may_be_any(struct run *r)
{
  static const int cases[][GROUPS + 1] = {
    {0, 10, 10, 33, 60, 70},          /* as they must be */
    {0, 40, 20, 50, 60, 70},          /* falls */
    {70, 60, 40, 20, 10, 0},          /* always */
    {-2000000000, 5, 2000000000, 30, -7, 1 << 30}, /* outside */
    {0, 0, 0, 0, 0, 0}, {0, 70, 0, 70, 0, 70}};
  char why[256];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    memcpy(r->offsets, cases[i], sizeof cases[i]);
    int code = tuned_check_offsets(r->offsets, GROUPS, r->n, why);
    expect((code == TUNED_OK) == (i == 0 || i == 4), r->family, "the check", (int)i,
           code);
    launch(r);
    guards_are_whole(r);
    columns_are_of_groups(r);
  }
  memcpy(r->offsets, cases[0], sizeof cases[0]);
}

/* One scale of one row: that row has no results, all others have theirs. */
static void rows_are_alone(struct run *r, int bits)
{
  enum {ROW = 37, AT = 5};
  uint8_t *block = r->w + (size_t)(ROW * (K / 32) + AT) * BLOCK;
  char why[256];
  set_half(block, bits);
  int code = tuned_check_weights("q8_0", r->groups * M, K, r->w,
                                 (size_t)r->groups * M * (K / 32) * BLOCK, why);
  expect(code == TUNED_BAD_WEIGHTS && strstr(why, "row 37, block 5 of q8_0"),
         r->family, "the check", code, 0);
  launch(r);
  guards_are_whole(r);
  for (int col = 0; col < r->n; col++)
    for (int row = 0; row < M; row++) {
      int g = 0;
      while (r->offsets && col >= r->offsets[g + 1])
        g++;
      uint32_t got = result(r, row, col);
      float x;
      memcpy(&x, &got, sizeof x);
      expect(g == 0 && row == ROW ? !isfinite(x) : is_product(got, g, row, col),
             r->family, "a wrong result beside a bad scale", row, col);
    }
  set_half(block, 0x3c00);
}

static void try_family(tuned *t, const char *family, int n, int groups)
{
  struct run r = {.t = t, .family = family, .n = n, .groups = groups};
  int offsets[GROUPS + 1];
  r.w = malloc((size_t)groups * M * (K / 32) * BLOCK);
  r.c = malloc(4 * words(&r));
  make_weights(&r);
  if (groups > 1) {
    r.offsets = offsets;
    offsets_may_be_any(&r);
  }
  rows_are_alone(&r, 0x7c00); /* infinity */
  rows_are_alone(&r, 0xfe00); /* no number */
  free(r.w);
  free(r.c);
}

int main(int argc, char **argv)
{
  const struct tuned_hip hip = TUNED_HIP;
  char why[256];
  tuned *t;
  if (argc != 2)
    return 2;
  must(hipSetDevice(0), "hipSetDevice");
  if (tuned_open(&t, argv[1], "gfx906", &hip, why)) {
    printf("%s\n", why);
    return 1;
  }
  try_family(t, "mmvq", FEW, 1);
  try_family(t, "mmq", COLUMNS, GROUPS);
  tuned_close(t);
  printf("%d failures\n", failures);
  return failures != 0;
}
