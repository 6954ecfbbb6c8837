/* maker.h - makes a pack.
 *
 * Sequence: maker_open -> { maker_arch -> { maker_family -> { maker_text,
 * maker_formula, maker_code, maker_plan, maker_winner } } } -> maker_finish ->
 * maker_close. What is given twice is stored once; a family without winners
 * is left out, and an arch without families. Not part of libtuned.
 */
// SPDX-License-Identifier: MIT
#ifndef ship_maker_h
#define ship_maker_h

#include "base/err.h"
#include "base/str.h"
#include "ship/format.h"

struct maker;

struct maker *maker_open(void);
void maker_close(struct maker *m);

/* The name must live until the first family of the arch. */
void maker_arch(struct maker *m, const char *name, uint32_t cus);

/* A family of that arch: keys get their text and words by maker_key(). */
void maker_family(struct maker *m, const char *name, int serves);
void maker_key(struct maker *m, const char *name, struct pack_key key,
               const char *const *words, size_t nwords);

uint32_t maker_text(struct maker *m, const char *text);
int32_t maker_formula(struct maker *m, const struct formula_step *step,
                      size_t n);
int32_t maker_constant(struct maker *m, int64_t value);
int maker_code(struct maker *m, const void *bytes, size_t n, uint32_t *code,
               struct err *e);

/* What a plan refers to stands in these; .launch, .buffer and .need of `plan`
 * and .arg of the launches are set here. */
struct maker_launch {
  struct pack_launch launch;
  const struct pack_arg *args;
};
uint32_t maker_plan(struct maker *m, struct pack_plan plan,
                    const struct maker_launch *launches,
                    const struct pack_buffer *buffers, const int32_t *needs);

/* A winner of the family: a value for each key, as struct query has them, and a
 * formula for each that `open` keys are completed with (NULL: none are). The
 * first of two with the same problem is kept; returns 0 for the second. */
int maker_winner(struct maker *m, const int64_t *values, uint32_t plan,
                 uint32_t flags, double us, const int32_t *completed);

/* The kernel of a plan of the family was timed on this problem, which has a
 * winner; where the pack has no such problem nothing is kept. */
void maker_tried(struct maker *m, const int64_t *values, uint32_t plan,
                 double us);

/* The bytes of the pack. */
int maker_finish(struct maker *m, struct str *out, struct err *e);

#endif
