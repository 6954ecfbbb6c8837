/* check.c - weights and offsets, before they go to the device: tuned.h.
 *
 * Kernels get addresses without sizes, and never wait to tell what they found. So
 * what an application has read from a file is looked at where it lies on the host.
 */
// SPDX-License-Identifier: MIT
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/blocks.h"
#include "ship/index.h"
#include "ship/tuned.h"

static const int word_bytes = 2; /* of f16 */

/* Plain numbers, as scales of GPTQ and AWQ are. */
static const struct block f16 = {"f16", 1, 2, {{0, 2, 1}}};

/* A sentence for the caller. Returns the code. */
static int refuse(int code, char *why, const char *format, ...)
{
  va_list args;
  if (!why)
    return code;
  va_start(args, format);
  vsnprintf(why, INDEX_WHY, format, args);
  va_end(args);
  return code;
}

/* Infinity or no number: all bits of the exponent are set. */
static int finite_half(const unsigned char *at)
{
  enum {EXPONENT = 0x7c};
  return (at[1] & EXPONENT) != EXPONENT; /* little endian */
}

/* Where in a block the first scale is that is not finite, or -1. */
static int bad_scale(const struct block *t, const unsigned char *block)
{
  for (const struct block_field *f = t->fields;
       f < t->fields + BLOCK_FIELDS && f->bytes; f++)
    for (int at = f->at; f->half && at < f->at + f->bytes; at += word_bytes)
      if (!finite_half(block + at))
        return at;
  return -1;
}

static int check_size(const struct block *t, unsigned long long rows,
                      unsigned long long row, size_t size, char *why)
{
  if (rows > ULLONG_MAX / t->bytes / row)
    return refuse(TUNED_BAD_WEIGHTS, why, "%llu rows of %llu numbers are more bytes "
                  "than can be counted: look at rows and k", rows,
                  row * t->elements);
  unsigned long long need = rows * row * t->bytes;
  if (size < need)
    return refuse(TUNED_BAD_WEIGHTS, why, "the weights are cut off in row %llu: %llu "
                  "rows of %llu numbers in %s are %llu bytes, and there are %zu; get "
                  "the file anew", size / (row * t->bytes), rows, row * t->elements,
                  t->name, need, size);
  if (size > need)
    return refuse(TUNED_BAD_WEIGHTS, why, "%llu rows of %llu numbers in %s are %llu "
                  "bytes, but there are %zu: rows, k or the type are others", rows,
                  row * t->elements, t->name, need, size);
  return TUNED_OK;
}

static int check_scales(const struct block *t, unsigned long long rows,
                        unsigned long long row, const unsigned char *bytes,
                        char *why)
{
  for (unsigned long long i = 0; i < rows * row; i++) {
    int at = bad_scale(t, bytes + i * t->bytes);
    if (at >= 0)
      return refuse(TUNED_BAD_WEIGHTS, why, "row %llu, block %llu of %s: the f16 in "
                    "its byte %d is not finite, nor would results of the row be; the "
                    "file is damaged, or whatever made it failed", i / row, i % row,
                    t->name, at);
  }
  return TUNED_OK;
}

int tuned_check_weights(const char *type, long long rows, long long k,
                        const void *bytes, size_t size, char *why)
{
  const struct block *t = !strcmp(type, f16.name) ? &f16 : block_find(type);
  if (!t)
    return refuse(TUNED_BAD_WEIGHTS, why, "weights of type '%.32s' are not known: it "
                  "can be q8_0, q4_0, q4_1, q4_K, q6_K or f16", type);
  if (rows < 1 || k < 1)
    return refuse(TUNED_BAD_WEIGHTS, why, "there are %lld rows of %lld numbers: both "
                  "must be at least 1", rows, k);
  if (k % (long long)t->elements)
    return refuse(TUNED_BAD_WEIGHTS, why, "k is %lld, but a block of %s has %zu "
                  "numbers of a row: k must be a multiple of it", k, t->name,
                  t->elements);
  unsigned long long row = (unsigned long long)k / t->elements; /* blocks */
  int code = check_size(t, (unsigned long long)rows, row, size, why);
  return code ? code
              : check_scales(t, (unsigned long long)rows, row, bytes, why);
}

int tuned_check_offsets(const int *offsets, size_t groups, long long rows,
                        char *why)
{
  for (size_t i = 0; i <= groups; i++) {
    if (offsets[i] < 0 || offsets[i] > rows)
      return refuse(TUNED_BAD_OFFSETS, why, "offsets[%zu] is %d, but there are %lld "
                    "rows of activations: it must be from 0 to %lld", i, offsets[i],
                    rows, rows);
    if (i > 0 && offsets[i] < offsets[i - 1])
      return refuse(TUNED_BAD_OFFSETS, why, "offsets[%zu] is %d, but offsets[%zu] is "
                    "%d: group %zu would end before it begins; each must be at least "
                    "the one before it", i, offsets[i], i - 1, offsets[i - 1], i - 1);
  }
  return TUNED_OK;
}
