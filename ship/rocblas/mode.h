/* mode.h - what TUNED_BLAS asks for: words, separated by commas.
 *
 *   off            forward every call
 *   stats          print at exit how many calls were served, and why others
 *                  were not
 *   verify         make each product twice, compare, keep rocBLAS's
 *   trust          serve without checking the first product of a device
 *   any-cus        serve on cards with another number of compute units
 *   record:FILE    write the products that are asked for to FILE; the rest of
 *                  TUNED_BLAS is the file's name
 *
 * TUNED_PACK is the pack's path.
 */
// SPDX-License-Identifier: MIT
#ifndef ship_rocblas_mode_h
#define ship_rocblas_mode_h

struct mode {
  int off, stats, verify, trust, any_cus;
  const char *record; /* a path, or NULL */
  const char *pack;
  int layer; /* ROCBLAS_LAYER is set */
};

/* From the environment, once; its strings are the environment's. */
const struct mode *mode_get(void);

/* A line to stderr: "tuned_rocblas: ...". */
void mode_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
