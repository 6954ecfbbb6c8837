/* hip_image.h - the code object for this device in what a program loads. */
// SPDX-License-Identifier: MIT
#ifndef sim_hip_image_h
#define sim_hip_image_h

#include <stddef.h>
#include <stdint.h>

struct code_image {
  const uint8_t *at; /* inside the caller's image */
  size_t n;
};

enum image_kind {
  IMAGE_CODE,
  IMAGE_OTHER, /* a bundle, but nothing for this device in it */
  IMAGE_BAD,   /* neither an ELF file nor a bundle */
};

enum image_kind image_find(const void *image, size_t n,
                           struct code_image *out);

/* The same where hipModuleLoadData() gives no length: what the image's own
 * headers say is believed. */
enum image_kind image_measure(const void *image, struct code_image *out);

#endif
