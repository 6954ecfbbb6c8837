/* image.c - see image.h. The bundle's layout is clang's documentation, "Clang
 * Offload Bundler"; target names are LLVM's, "User Guide for AMDGPU Backend",
 * "Target ID".
 */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/load/image.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

static const char magic[] = "__CLANG_OFFLOAD_BUNDLE__";
enum {MAGIC = sizeof magic - 1, NAMED = 20};
enum {GENERIC_RANKS = 3}; /* none, one or both of the features */

/* --- targets -------------------------------------------------------------- */

static const char *const features[] = {"sramecc+", "xnack-"};

static int is_feature(const char *text, size_t n)
{
  for (size_t k = 0; k < sizeof features / sizeof *features; k++)
    if (n == strlen(features[k]) && !memcmp(text, features[k], n))
      return 1;
  return 0;
}

/* How many features the code was made for; -1: the device has one of them
 * not. A feature that is not named is one it works with either way. */
static int count_features(const char *target, size_t n, size_t at)
{
  int found = 0;
  for (; at < n; found++) {
    const char *end = memchr(target + at + 1, ':', n - at - 1);
    size_t next = end ? (size_t)(end - target) : n;
    if (target[at] != ':' || !is_feature(target + at + 1, next - at - 1))
      return -1;
    at = next;
  }
  return found;
}

/* How well code for a processor suits, -1 where it is another's. */
static int suits(const char *target, size_t n, const char *processor)
{
  size_t name = processor ? strlen(processor) : 0;
  if (!name || n < name || memcmp(target, processor, name) != 0)
    return -1;
  return count_features(target, n, name);
}

/* What is made for this processor alone is better than what is made for
 * several. */
int image_suits(const struct isa *isa, const char *target, size_t n)
{
  int own = suits(target, n, isa->name);
  return own < 0 ? suits(target, n, isa->generic_name) : own + GENERIC_RANKS;
}

/* An entry is named KIND-TRIPLE-TARGET; of the triple's four parts the last
 * is often empty, hence two dashes, and was left out by old compilers. */
static size_t target_of(const char *name, size_t n)
{
  for (size_t at = n; at >= 4; at--)
    if (!memcmp(name + at - 4, "-gfx", 4))
      return at - 3;
  return n;
}

/* --- bundles -------------------------------------------------------------- */

struct entry {
  uint64_t offset, size, length; /* length of the name that follows */
};

static int damaged(struct err *e, const char *what)
{
  return err_set(e, ERR_FAILED, "the bundle of code objects is damaged: %s",
                 what);
}

/* Read the entry at *next; *name is its name. */
static int read_entry(const uint8_t *at, size_t n, size_t *next,
                      struct entry *out, const char **name, struct err *e)
{
  if (*next > n || n - *next < sizeof *out)
    return damaged(e, "its list of entries is cut off");
  memcpy(out, at + *next, sizeof *out);
  *next += sizeof *out;
  if (out->length > n - *next)
    return damaged(e, "the name of an entry is cut off");
  if (out->offset > n || out->size > n - out->offset)
    return damaged(e, "an entry lies outside");
  *name = (const char *)at + *next;
  *next += out->length;
  return 0;
}

/* Targets that the bundle is for, to tell the user. */
static void list(struct str *names, uint64_t k, const char *name, size_t n)
{
  size_t at = target_of(name, n);
  if (k == NAMED)
    str_add(names, " ...");
  if (k >= NAMED || at == n)
    return;
  str_add(names, " ");
  str_add_bytes(names, name + at, n - at < 40 ? n - at : 40);
}

static int choose(const struct isa *isa, const uint8_t *at, size_t n,
                  struct code_image *out, struct str *names, struct err *e)
{
  uint64_t count;
  size_t next = MAGIC + sizeof count;
  int best = -1;
  memcpy(&count, at + MAGIC, sizeof count);
  for (uint64_t k = 0; k < count; k++) {
    struct entry entry = {0};
    const char *name = NULL;
    if (read_entry(at, n, &next, &entry, &name, e))
      return e->code;
    size_t target = target_of(name, entry.length);
    int fit = image_suits(isa, name + target, entry.length - target);
    list(names, k, name, entry.length);
    if (entry.size && fit > best) {
      best = fit;
      out->at = at + entry.offset;
      out->n = entry.size;
    }
  }
  if (best >= 0)
    return 0;
  return err_set(e, ERR_USAGE,
                 "no code object for %s:sramecc+:xnack- in it, only for:%s;"
                 " compile with --offload-arch=%s", isa->name,
                 names->len ? str_text(names) : " nothing", isa->name);
}

static int find_bundled(const struct isa *isa, const uint8_t *at, size_t n,
                        struct code_image *out, struct err *e)
{
  struct str names = {0};
  int code = choose(isa, at, n, out, &names, e);
  str_free(&names);
  return code;
}

static int is_bundle(const uint8_t *at, size_t n)
{
  return n >= MAGIC + 8 && !memcmp(at, magic, MAGIC);
}

/* --- images --------------------------------------------------------------- */

/* What the ELF's headers cover of the n bytes; of a damaged file all. */
static size_t elf_length(const uint8_t *at, size_t n)
{
  Elf64_Ehdr h;
  memcpy(&h, at, sizeof h);
  uint64_t segments = (uint64_t)h.e_phnum * sizeof(Elf64_Phdr);
  uint64_t sections = (uint64_t)h.e_shnum * sizeof(Elf64_Shdr);
  if (h.e_phoff > n || segments > n - h.e_phoff || h.e_shoff > n ||
      sections > n - h.e_shoff)
    return n;
  uint64_t end = h.e_phoff + segments;
  end = h.e_shoff + sections > end ? h.e_shoff + sections : end;
  for (unsigned k = 0; k < h.e_phnum; k++) {
    Elf64_Phdr p;
    memcpy(&p, at + h.e_phoff + k * sizeof p, sizeof p);
    if (p.p_offset > n || p.p_filesz > n - p.p_offset)
      return n;
    end = p.p_offset + p.p_filesz > end ? p.p_offset + p.p_filesz : end;
  }
  return end;
}

static int find_elf(const uint8_t *at, size_t n, struct code_image *out,
                    struct err *e)
{
  if (n < sizeof(Elf64_Ehdr) || memcmp(at, ELFMAG, SELFMAG))
    return err_set(e, ERR_FAILED,
                   "neither a code object nor a bundle of them");
  out->at = at;
  out->n = elf_length(at, n);
  return 0;
}

int image_find(const struct isa *isa, const void *image, size_t n,
               struct code_image *out, struct err *e)
{
  const uint8_t *at = image;
  *out = (struct code_image){0};
  if (image_compressed(at, n)) {
    if (image_expand(at, n, &out->own, &n, e))
      return e->code;
    at = out->own;
  }
  int code = is_bundle(at, n) ? find_bundled(isa, at, n, out, e)
                              : find_elf(at, n, out, e);
  if (code)
    image_free(out);
  return code;
}

void image_free(struct code_image *image)
{
  free(image->own);
  *image = (struct code_image){0};
}
