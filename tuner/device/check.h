/* check.h - comparing what the device made with what it must be. */
// SPDX-License-Identifier: MIT
#ifndef tuner_check_h
#define tuner_check_h

#include "tuner/reference/inputs.h"
#include "tuner/reference/reference.h"

/* What a memory that nobody wrote holds: bytes of 0xff are a NaN in every
 * floating type, and not the one that arithmetic makes. */
enum {POISON = 0xff, CANARY = 0xc5, GUARD = 4096 /* bytes, each side */};

struct worst {
  size_t bad;   /* elements that are wrong */
  size_t index; /* of the one that is furthest off, in units of its bound */
  double got, want, bound;
};

/* Compare n elements from `first` on; `before` is what the buffer held (for
 * elements that must stay). Adds to *w. */
void check_elements(const struct element_ops *ops, const void *got,
                    const void *before, const struct expected *expected,
                    size_t first, size_t n, struct worst *w);

/* "c[12] is 3.5, must be 4 within 1e-05 (7 elements are wrong)" */
void check_describe(const struct worst *w, const char *buffer,
                    struct str *out);

/* 1 where all n bytes are `byte`. */
int check_bytes(const void *bytes, size_t n, unsigned char byte);

#endif
