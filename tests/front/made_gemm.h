/* made_gemm.h - a pack of the family gemm, made without a compiler: its code
 * objects are what fake_hip.c multiplies by. */
// SPDX-License-Identifier: MIT
#ifndef tests_front_made_gemm_h
#define tests_front_made_gemm_h

#include <stdio.h>
#include <string.h>

#include "ship/maker.h"

/* ORDER KEY of gemm */
enum {
  GM, GN, GK, GLAYOUT, GDTYPE, GALPHA, GBETA, GLDA, GLDB, GLDC, GTYPE_C, GEMM_KEYS
};

/* Its types: of A and B, and of C where that is no word of the first. */
static const struct {
  const char *dtype, *type_c, *code; /* code: what the fake HIP multiplies */
} made_types[] = {{"f32", "auto", "f32 f32"}, {"f16", "auto", "f16 f16"},
                  {"f16", "f32", "f16 f32"},  {"bf16", "auto", "bf16 bf16"},
                  {"bf16", "f32", "bf16 f32"}, {"i8", "auto", "i8 i32"}};

enum {MADE_TYPES = sizeof made_types / sizeof *made_types};

static const char *const made_dtypes[] = {"f32", "f16", "bf16", "i8"};
static const char *const made_type_cs[] = {"auto", "f32"};

static inline int64_t made_word(const char *const *words, const char *word)
{
  int64_t i = 0;
  while (strcmp(words[i], word) != 0)
    i++;
  return i;
}

enum {MADE_UNIT = 4}; /* k is a multiple of it */

static inline int32_t gemm_key(struct maker *m, int key)
{
  const struct formula_step s[] = {{.op = FORMULA_KEY, .value = key}};
  return maker_formula(m, s, 1);
}

static inline int32_t gemm_product(struct maker *m, int key, int other)
{
  const struct formula_step s[] = {{.op = FORMULA_KEY, .value = key},
                                   {.op = FORMULA_KEY, .value = other},
                                   {.op = FORMULA_MUL}};
  return maker_formula(m, s, 3);
}

static inline int32_t gemm_rest(struct maker *m)
{
  const struct formula_step s[] = {{.op = FORMULA_KEY, .value = GK},
                                   {.op = FORMULA_CONST, .value = MADE_UNIT},
                                   {.op = FORMULA_MOD}};
  return maker_formula(m, s, 3);
}

static inline void gemm_keys(struct maker *m)
{
  static const char *const layouts[] = {"nn", "nt", "tn", "tt"};
  const struct pack_key whole = {.kind = PACK_WHOLE, .standard = 4096,
                                 .min = 1, .max = 1 << 30};
  const struct pack_key ld = {.kind = PACK_WHOLE, .max = 1 << 30, .open = 1};
  struct pack_key alpha = {.kind = PACK_NUMBER}, beta = alpha;
  double one = 1;
  memcpy(&alpha.standard, &one, sizeof one);
  maker_family(m, "gemm", 1);
  maker_key(m, "m", whole, NULL, 0);
  maker_key(m, "n", whole, NULL, 0);
  maker_key(m, "k", whole, NULL, 0);
  maker_key(m, "layout", (struct pack_key){.kind = PACK_WORD}, layouts, 4);
  maker_key(m, "dtype", (struct pack_key){.kind = PACK_WORD}, made_dtypes, 4);
  maker_key(m, "alpha", alpha, NULL, 0);
  maker_key(m, "beta", beta, NULL, 0);
  maker_key(m, "lda", ld, NULL, 0);
  maker_key(m, "ldb", ld, NULL, 0);
  maker_key(m, "ldc", ld, NULL, 0);
  maker_key(m, "type_c", (struct pack_key){.kind = PACK_WORD}, made_type_cs, 2);
}

/* For one layout and the types of one row; that of "tt" has scratch, and a second
 * kernel. */
static inline uint32_t gemm_plan(struct maker *m, const char *layout, int type)
{
  uint32_t code = 0;
  struct err e = {0};
  char text[32];
  int two = !strcmp(layout, "tt");
  snprintf(text, sizeof text, "%s %s", layout, made_types[type].code);
  maker_code(m, text, strlen(text) + 1, &code, &e);
  const struct pack_arg args[] = {
      {PACK_BUFFER, 0, 0}, {PACK_BUFFER, 0, 1}, {PACK_BUFFER, 0, 2},
      {PACK_I32, 0, gemm_key(m, GM)}, {PACK_I32, 0, gemm_key(m, GN)},
      {PACK_I32, 0, gemm_key(m, GK)}, {PACK_I32, 0, gemm_key(m, GLDA)},
      {PACK_I32, 0, gemm_key(m, GLDB)}, {PACK_I32, 0, gemm_key(m, GLDC)},
      {PACK_F32_KEY, 0, GALPHA}, {PACK_F32_KEY, 0, GBETA}};
  const int32_t one = maker_constant(m, 1), none = maker_constant(m, 0);
  const struct maker_launch launches[] = {
      {{maker_text(m, "mul"), 0, 11, {64, 1, 1}, {one, one, one}, none}, args},
      {{maker_text(m, "add"), 0, 1, {64, 1, 1}, {one, one, one}, none}, args}};
  const struct pack_buffer buffers[] = {
      {maker_text(m, "a"), 0, 4, gemm_product(m, GM, GK)},
      {maker_text(m, "b"), 0, 4, gemm_product(m, GK, GN)},
      {maker_text(m, "c"), 1, 4, gemm_product(m, GM, GN)},
      {maker_text(m, "sums"), 3, 4, gemm_product(m, GM, GN)}};
  const int32_t needs[] = {gemm_rest(m)};
  const struct pack_plan p = {.code = code, .config = maker_text(m, layout),
                              .nlaunches = two ? 2 : 1,
                              .nbuffers = two ? 4 : 3, .nneeds = 1,
                              .cost = gemm_product(m, GM, GN)};
  return maker_plan(m, p, launches, buffers, needs);
}

/* Tight, of 16 x 16 x k, for both classes of beta. */
static inline void gemm_winner(struct maker *m, int layout, int type,
                               uint32_t plan, int64_t k, uint32_t flags)
{
  const int64_t dtype = made_word(made_dtypes, made_types[type].dtype);
  const int64_t type_c = made_word(made_type_cs, made_types[type].type_c);
  double one = 1;
  int32_t completed[GEMM_KEYS];
  for (int i = 0; i < GEMM_KEYS; i++)
    completed[i] = i < GLDA || i > GLDC ? maker_constant(m, 0)
                                        : gemm_key(m, GN);
  for (int beta = 0; beta < 2; beta++) {
    int64_t values[GEMM_KEYS] = {16, 16, k,  layout, dtype, 0,
                                 0,  16, 16, 16,     type_c};
    memcpy(&values[GALPHA], &one, sizeof one);
    if (beta)
      memcpy(&values[GBETA], &one, sizeof one);
    maker_winner(m, values, plan, flags, (double)k, completed);
  }
}

/* 60 CUs of gfx906; all four layouts and types, k of 16 to 24 by 4. */
static inline int made_gemm(struct str *out, uint32_t flags)
{
  static const char *const layouts[] = {"nn", "nt", "tn", "tt"};
  struct maker *m = maker_open();
  struct err e = {0};
  maker_arch(m, "gfx906", 60);
  gemm_keys(m);
  for (int i = 0; i < 4 * MADE_TYPES; i++) {
    uint32_t plan = gemm_plan(m, layouts[i % 4], i / 4);
    for (int64_t k = 16; k <= 24; k += MADE_UNIT)
      gemm_winner(m, i % 4, i / 4, plan, k, flags);
  }
  int code = maker_finish(m, out, &e);
  maker_close(m);
  return code;
}

#endif
