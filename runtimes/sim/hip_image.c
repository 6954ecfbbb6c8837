/* hip_image.c - where in an image is this device's code object, how long?
 *
 * An image is an ELF file, or a bundle of them as clang's offload bundler
 * writes it (clang documentation: "Clang Offload Bundler").
 */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/hip_image.h"

#include <elf.h>
#include <string.h>

static const char bundle_magic[] = "__CLANG_OFFLOAD_BUNDLE__";

static uint64_t max64(uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

/* The ELF's length by its headers, for callers who were told none. */
static size_t elf_length(const uint8_t *at)
{
  Elf64_Ehdr h;
  memcpy(&h, at, sizeof h);
  uint64_t end = max64(h.e_phoff + (uint64_t)h.e_phnum * sizeof(Elf64_Phdr),
                       h.e_shoff + (uint64_t)h.e_shnum * sizeof(Elf64_Shdr));
  for (unsigned n = 0; n < h.e_phnum; n++) {
    Elf64_Phdr p;
    memcpy(&p, at + h.e_phoff + n * sizeof p, sizeof p);
    end = max64(end, p.p_offset + p.p_filesz);
  }
  return end;
}

struct entry {
  uint64_t offset, size, length; /* length of the name that follows */
};

/* The first entry whose target is gfx906. */
static int choose(const uint8_t *at, size_t n, struct code_image *out)
{
  uint64_t count, next = 32;
  memcpy(&count, at + 24, sizeof count);
  for (uint64_t k = 0; k < count; k++) {
    struct entry e;
    if (next > n || n - next < sizeof e)
      return 0;
    memcpy(&e, at + next, sizeof e);
    next += sizeof e;
    if (e.length > n - next || e.offset > n || e.size > n - e.offset)
      return 0;
    if (e.size && memmem(at + next, e.length, "gfx906", 6)) {
      *out = (struct code_image){at + e.offset, e.size};
      return 1;
    }
    next += e.length;
  }
  return 0;
}

enum image_kind image_find(const void *image, size_t n, struct code_image *out)
{
  const uint8_t *at = image;
  if (n >= 32 && !memcmp(at, bundle_magic, 24))
    return choose(at, n, out) ? IMAGE_CODE : IMAGE_OTHER;
  *out = (struct code_image){at, n};
  return n >= sizeof(Elf64_Ehdr) && !memcmp(at, ELFMAG, SELFMAG) ? IMAGE_CODE
                                                                 : IMAGE_BAD;
}

enum image_kind image_measure(const void *image, struct code_image *out)
{
  const uint8_t *at = image;
  if (!memcmp(at, ELFMAG, SELFMAG)) {
    *out = (struct code_image){at, elf_length(at)};
    return IMAGE_CODE;
  }
  if (memcmp(at, bundle_magic, 24))
    return IMAGE_BAD;
  return choose(at, SIZE_MAX / 2, out) ? IMAGE_CODE : IMAGE_OTHER;
}
