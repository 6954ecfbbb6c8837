/* image.h - the code object for this device in what a program loads.
 *
 * An image is an ELF file, a bundle of them as clang's offload bundler writes
 * it, or a compressed bundle. It comes from outside: nothing of it is believed
 * beyond the n bytes that are there.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_image_h
#define sim_image_h

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "runtimes/sim/isa/isa.h"

struct code_image {
  const uint8_t *at; /* inside the caller's image, or inside `own` */
  size_t n;
  uint8_t *own; /* what a compressed bundle came to; image_free() it */
};

/* Of a bundle, the entry that suits the device, gfx906:sramecc+:xnack- for
 * example, best. A good image without code for it is ERR_USAGE, anything else
 * ERR_FAILED. */
int image_find(const struct isa *isa, const void *image, size_t n,
               struct code_image *out, struct err *e);
void image_free(struct code_image *image);

/* Where no length is given: the bytes from p on that the process may read. */
size_t image_readable(const void *p);

/* How well code for `target`, as "gfx906:xnack-", suits the device: -1 not at
 * all, else the more the better: with the features that it was made for, and
 * better for this processor alone than for several ("gfx9-generic"). */
int image_suits(const struct isa *isa, const char *target, size_t n);

/* image_compressed.c: the bundle inside of a compressed one, malloc'd. */
int image_compressed(const uint8_t *at, size_t n);
int image_expand(const uint8_t *at, size_t n, uint8_t **out, size_t *length,
                 struct err *e);

#endif
