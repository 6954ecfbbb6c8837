/* decode.c - decoders of quantised blocks against those of libggml.
 *
 *     decode LIBGGML-BASE           compare 2^20 numbers a type and kind of block
 *     decode LIBGGML-BASE golden    print tests/data/ggml_blocks.txt
 *
 * The suite `ggml` runs it by Debian sid's loader and C library, which libggml
 * needs. Kinds of blocks: what libggml's quantize_row makes of random numbers;
 * random bits with scales that are ordinary, subnormal, zero of either sign, and
 * the largest. NaN and infinite scales are left out: no file has them.
 */
// SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "tuner/reference/quant.h"

enum {VALUES = 1 << 20};

typedef void quantize(const float *x, void *blocks, int64_t n);
typedef void dequantize(const void *blocks, float *x, int64_t n);

static const char *const kinds[] = {"quantised", "ordinary", "subnormal",
                                    "zero", "largest"};
enum {KINDS = sizeof kinds / sizeof *kinds};

static void *find(void *library, const char *format, const char *type)
{
  char name[64];
  snprintf(name, sizeof name, format, type);
  void *symbol = dlsym(library, name);
  if (!symbol) {
    fprintf(stderr, "decode: libggml has no %s\n", name);
    exit(1);
  }
  return symbol;
}

/* A scale's bits. */
static uint16_t scale(int kind, uint64_t random)
{
  uint16_t sign = (uint16_t)(random & 0x8000);
  static const uint16_t largest = 0x7bff;
  switch (kind) {
  case 2:
    return sign | (uint16_t)(random & 0x3ff);
  case 3:
    return sign;
  case 4:
    return sign | largest;
  default: /* exponents from 2^-10 to 2^-3 */
    return sign | (uint16_t)(0x1400 + (random & 0x1fff));
  }
}

static void make(const struct quant *t, int kind, quantize *quantise,
                 uint64_t seed, size_t blocks, uint8_t *out)
{
  struct rng rng;
  rng_seed(&rng, seed);
  for (size_t i = 0; i < blocks; i++, out += t->block->bytes) {
    float x[QUANT_MOST];
    for (size_t e = 0; e < t->block->elements; e++)
      x[e] = (float)((2 * rng_unit(&rng) - 1) * (double)(i % 7 + 1));
    for (size_t at = 0; at < t->block->bytes; at++)
      out[at] = (uint8_t)rng_next(&rng);
    if (kind == 0) {
      quantise(x, out, (int64_t)t->block->elements);
      continue;
    }
    for (const struct block_field *f = t->block->fields;
         f < t->block->fields + BLOCK_FIELDS && f->bytes; f++)
      for (int at = 0; f->half && at < f->bytes; at += 2) {
        uint16_t bits = scale(kind, rng_next(&rng));
        memcpy(out + f->at + at, &bits, 2);
      }
  }
}

static void print_hex(const void *bytes, size_t n)
{
  for (size_t i = 0; i < n; i++)
    printf("%02x", ((const uint8_t *)bytes)[i]);
}

static void golden(const struct quant *t, quantize *q, dequantize *d)
{
  for (int kind = 0; kind < KINDS; kind++) {
    uint8_t block[QUANT_BYTES];
    float x[QUANT_MOST];
    make(t, kind, q, 30, 1, block);
    d(block, x, (int64_t)t->block->elements);
    printf("%s %s ", t->block->name, kinds[kind]);
    print_hex(block, t->block->bytes);
    printf(" ");
    print_hex(x, t->block->elements * sizeof *x);
    printf("\n");
  }
}

/* Numbers that differ in any bit. */
static size_t differences(const struct quant *t, int kind, quantize *q,
                          dequantize *d)
{
  size_t blocks = VALUES / t->block->elements, bad = 0;
  uint8_t *bytes = malloc(blocks * t->block->bytes);
  float *theirs = malloc(VALUES * sizeof *theirs), ours[QUANT_MOST];
  if (!bytes || !theirs)
    exit(1);
  make(t, kind, q, 1, blocks, bytes);
  d(bytes, theirs, VALUES);
  for (size_t i = 0; i < blocks; i++) {
    quant_decode(t, bytes + i * t->block->bytes, ours);
    for (size_t e = 0; e < t->block->elements; e++)
      bad += memcmp(&ours[e], &theirs[i * t->block->elements + e], 4) != 0;
  }
  free(bytes);
  free(theirs);
  return bad;
}

int main(int argc, char **argv)
{
  void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
  int passed = 0, failed = 0;
  if (!library) {
    fprintf(stderr, "decode: %s\n", argc > 1 ? dlerror() : "no library");
    return 1;
  }
  for (size_t i = 0; quant_at(i); i++) {
    const struct quant *t = quant_at(i);
    quantize *q = (quantize *)find(library, "quantize_row_%s_ref", t->block->name);
    dequantize *d = (dequantize *)find(library, "dequantize_row_%s", t->block->name);
    if (argc > 2) {
      golden(t, q, d);
      continue;
    }
    for (int kind = 0; kind < KINDS; kind++) {
      size_t bad = differences(t, kind, q, d);
      printf("%s, %s: %zu of %d numbers differ\n", t->block->name, kinds[kind], bad,
             VALUES);
      *(bad ? &failed : &passed) += 1;
    }
  }
  if (argc == 2)
    printf("%d passed, %d failed\n", passed, failed);
  return failed > 0;
}
