/* reference.h - what the result must be, in double precision.
 *
 * A family names its reference. The reference computes one element of an output
 * buffer, or all, from the same random inputs that the device got, and gives a
 * bound on how far a correct kernel in the element's type can be off.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_reference_h
#define tuner_reference_h

#include "base/err.h"
#include "gen/family.h"

struct reference_job {
  const struct family *family;
  const struct problem *problem;
  const struct plan *plan; /* its buffers, found by name */
  uint64_t seed;           /* of the inputs */
};

/* An element; bound < 0: not of the result, must stay as it was. */
struct expected {
  double want, bound;
};

struct reference {
  const char *name;
  int (*check)(const struct reference_job *job, struct err *e);
  /* All elements of output buffer b; NULL where one() is as good. */
  int (*all)(const struct reference_job *job, size_t b, struct expected *out,
             struct err *e);
  struct expected (*one)(const struct reference_job *job, size_t b, size_t i);
};

extern const struct reference reference_dot;
extern const struct reference reference_gemm;
extern const struct reference reference_gload;
extern const struct reference reference_int4;
extern const struct reference reference_kv;
extern const struct reference reference_lane;
extern const struct reference reference_lds;
extern const struct reference reference_qdq;
extern const struct reference reference_quant;

/* Find the family's reference and let it check that it can do this job. */
int reference_find(const struct reference_job *job,
                   const struct reference **out, struct err *e);

/* All elements of output buffer b. */
int reference_all(const struct reference *r, const struct reference_job *job,
                  size_t b, struct expected *out, struct err *e);

/* A word of 32 bits that is right or wrong: no bound. */
struct expected reference_exactly(uint32_t word);

/* The buffer of that name, or -1. */
int reference_buffer(const struct plan *plan, const char *name);

/* Is there that buffer (not -1), of elements with that name, and so many? */
int reference_holds(const struct plan *plan, int buffer, const char *type,
                    size_t elements);

/* gamma_n = n u / (1 - n u), the factor of the rounding error of n operations
 * with unit roundoff u (Higham, Accuracy and Stability, 2002, section 3.1). */
double reference_gamma(double n, double unit);

#endif
