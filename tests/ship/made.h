/* made.h - a small pack, made without a compiler: a product whose kernel takes
 * tiles of 64 x 64, tuned for some squares. Its code objects are bytes. */
// SPDX-License-Identifier: MIT
#ifndef tests_ship_made_h
#define tests_ship_made_h

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "ship/maker.h"
#include "ship/tuned.h"

/* ORDER KEY of the family "mul" */
enum {M, N, K, LDC, LAYOUT, ALPHA, BETA, MADE_KEYS};

#define STEP(what, x) {.op = FORMULA_##what, .value = x}
#define COUNT(list) (sizeof(list) / sizeof *(list))

/* (key + tile - 1) // tile */
static inline int32_t made_tiles(struct maker *m, int key, int tile)
{
  const struct formula_step s[] = { STEP(KEY, key), STEP(CONST, tile - 1),
                                    STEP(ADD, 0), STEP(CONST, tile),
                                    STEP(DIV, 0) };
  return maker_formula(m, s, COUNT(s));
}

static inline int32_t made_key(struct maker *m, int key)
{
  const struct formula_step s[] = {STEP(KEY, key)};
  return maker_formula(m, s, 1);
}

static inline int32_t made_rest(struct maker *m, int key, int unit)
{
  const struct formula_step s[] = { STEP(KEY, key), STEP(CONST, unit),
                                    STEP(MOD, 0) };
  return maker_formula(m, s, COUNT(s));
}

static inline int32_t made_flops(struct maker *m)
{
  const struct formula_step s[] = { STEP(CONST, 2), STEP(KEY, M), STEP(MUL, 0),
                                    STEP(KEY, N), STEP(MUL, 0), STEP(KEY, K),
                                    STEP(MUL, 0) };
  return maker_formula(m, s, COUNT(s));
}

/* A plan of tiles of that size, for k that are multiples of `unit`; two
 * kernels, the second of one workgroup, with scratch of n * 4 bytes. */
static inline uint32_t made_plan(struct maker *m, int tile, int unit,
                                 uint32_t code)
{
  char config[64];
  double two = 2;
  int64_t bits;
  memcpy(&bits, &two, sizeof bits);
  const struct pack_arg first[] = {
    {PACK_BUFFER, 0, 0},           {PACK_BUFFER, 0, 3},
    {PACK_I32, 0, made_key(m, M)}, {PACK_I64, 0, made_key(m, LDC)},
    {PACK_F32_KEY, 0, ALPHA},      {PACK_F32, 0, bits},
  };
  const struct pack_arg second[] = { {PACK_BUFFER, 0, 3},
                                     {PACK_BUFFER, 0, 2} };
  const struct maker_launch launches[] = {
    { { maker_text(m, "mul"), 0, COUNT(first), {256, 1, 1},
        { made_tiles(m, M, tile), made_tiles(m, N, tile),
          maker_constant(m, 1) }, maker_constant(m, 32) }, first },
    { { maker_text(m, "add"), 0, COUNT(second), {64, 1, 1},
        {maker_constant(m, 1), maker_constant(m, 1), maker_constant(m, 1)},
        maker_constant(m, 0) }, second },
  };
  const struct pack_buffer buffers[] = {
    {maker_text(m, "a"), 0, 4, made_key(m, M)},
    {maker_text(m, "b"), 0, 4, made_key(m, K)},
    {maker_text(m, "c"), 1, 4, made_key(m, N)},
    {maker_text(m, "sums"), 3, 4, made_key(m, N)},
  };
  const int32_t needs[] = {made_rest(m, K, unit)};
  snprintf(config, sizeof config, "tile=%d,unit=%d", tile, unit);
  const struct pack_plan p = { .code = code, .config = maker_text(m, config),
                               .nlaunches = 2, .nbuffers = 4, .nneeds = 1,
                               .cost = made_flops(m), .steps = PACK_NONE,
                               .step_flops = PACK_NONE,
                               .step_bytes = PACK_NONE,
                               .results = PACK_NONE,
                               .result_bytes = PACK_NONE,
                               .bytes = PACK_NONE };
  return maker_plan(m, p, launches, buffers, needs);
}

static inline void made_family(struct maker *m, const char *name, int serves)
{
  static const char *const words[] = {"nn", "nt"};
  const struct pack_key whole = { .kind = PACK_WHOLE, .standard = 4096,
                                  .min = 1, .max = 1 << 30 };
  struct pack_key number = {.kind = PACK_NUMBER}, open = whole;
  double one = 1;
  open.min = open.standard = 0;
  open.open = 1;
  maker_family(m, name, serves);
  maker_key(m, "m", whole, NULL, 0);
  maker_key(m, "n", whole, NULL, 0);
  maker_key(m, "k", whole, NULL, 0);
  maker_key(m, "ldc", open, NULL, 0);
  maker_key(m, "layout", (struct pack_key){.kind = PACK_WORD}, words, 2);
  memcpy(&number.standard, &one, sizeof one);
  maker_key(m, "alpha", number, NULL, 0);
  number.standard = 0;
  maker_key(m, "beta", number, NULL, 0);
}

static inline uint32_t made_code(struct maker *m, const char *bytes)
{
  uint32_t code;
  struct err e = {0};
  assert_int_equal(maker_code(m, bytes, strlen(bytes) + 1, &code, &e), 0);
  return code;
}

/* Of layout nn, alpha 1, beta 0, ldc as n. */
static inline void made_values(int64_t rows, int64_t columns, int64_t k,
                               int64_t values[MADE_KEYS])
{
  const int64_t all[MADE_KEYS] = {rows, columns, k, columns, 0, 0, 0};
  double one = 1;
  memcpy(values, all, sizeof all);
  memcpy(&values[ALPHA], &one, sizeof one);
}

static inline int made_winner(struct maker *m, int64_t rows, int64_t columns,
                              int64_t k, uint32_t plan, double us)
{
  int64_t values[MADE_KEYS];
  int32_t completed[MADE_KEYS];
  made_values(rows, columns, k, values);
  for (int i = 0; i < MADE_KEYS; i++)
    completed[i] = i == LDC ? made_key(m, N) : maker_constant(m, 0);
  return maker_winner(m, values, plan, WINNER_MODELLED, us, completed);
}

/* The kernel took so long on that winner's problem. */
static inline void made_tried(struct maker *m, int64_t rows, int64_t columns,
                              int64_t k, uint32_t plan, double us)
{
  int64_t values[MADE_KEYS];
  made_values(rows, columns, k, values);
  maker_tried(m, values, plan, us);
}

/* gfx906 with 60 CUs: squares of 256 to 4096 by tiles of 64, which take k by
 * 8, and 4096 x 4096 x 100 by tiles of 128, for any k. gfx90a: one. */
static inline void make(struct str *out)
{
  struct maker *m = maker_open();
  struct err e = {0};
  maker_arch(m, "gfx906", 60);
  made_family(m, "mul", 1);
  uint32_t small = made_plan(m, 64, 8, made_code(m, "code of tile 64"));
  uint32_t large = made_plan(m, 128, 1, made_code(m, "code of tile 128"));
  for (int64_t n = 256; n <= 4096; n *= 2)
    assert_int_equal(
        made_winner(m, n, n, n, small, 1e-4 * (double)(n * n * n)), 1);
  assert_int_equal(made_winner(m, 4096, 4096, 100, large, 167772), 1);
  assert_int_equal(made_winner(m, 256, 256, 256, large, 1), 0);
  maker_arch(m, "gfx90a", 104);
  made_family(m, "mul", 0);
  made_winner(m, 512, 512, 512, small, 10);
  if (maker_finish(m, out, &e))
    fail_msg("%s", e.text);
  maker_close(m);
}

/* The path of a file of this test with these bytes. */
static inline const char *write_pack(const void *bytes, size_t n)
{
  static char path[200];
  snprintf(path, sizeof path, BUILD_DIR "/%d.pack", (int)getpid());
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, n, file), n);
  assert_int_equal(fclose(file), 0);
  return path;
}

#endif
