/* image_compressed.c - bundles that clang 18 and later compress
 * (--offload-compress). The header is LLVM's, llvm/Object/OffloadBundle.h:
 *
 *   version 1: "CCOB" u16 version  u16 method  u32 plain  u64 hash
 *   version 2: "CCOB" u16 version  u16 method  u32 whole  u32 plain  u64 hash
 *   version 3: "CCOB" u16 version  u16 method  u64 whole  u64 plain  u64 hash
 *
 * where `whole` is the bytes from "CCOB" on, `plain` those that come out.
 *
 * libzstd is loaded when it is wanted: every Debian has it (dpkg needs it), no
 * other part of the simulator does.
 */
// SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "runtimes/sim/load/image.h"

enum {METHOD_ZSTD = 1, PLAIN_MAX = 2000 << 20};

struct header {
  unsigned version, method;
  uint64_t whole, plain; /* whole: 0 where version 1 does not say */
  size_t bytes;
};

struct zstd {
  void *library;
  size_t (*measure)(const void *from, size_t n); /* of one frame */
  size_t (*decompress)(void *to, size_t room, const void *from, size_t n);
  unsigned (*is_error)(size_t result);
};

static int damaged(struct err *e, const char *what)
{
  return err_set(e, ERR_FAILED, "the compressed bundle is damaged: %s", what);
}

static uint64_t number(const uint8_t *at, size_t bytes)
{
  uint64_t value = 0;
  memcpy(&value, at, bytes);
  return value;
}

static int read_header(const uint8_t *at, size_t n, struct header *h,
                       struct err *e)
{
  if (n < 32)
    return damaged(e, "its header is cut off");
  h->version = (unsigned)number(at + 4, 2);
  h->method = (unsigned)number(at + 6, 2);
  size_t width = h->version == 3 ? 8 : 4;
  if (h->version < 1 || h->version > 3)
    return err_set(e, ERR_FAILED,
                   "a compressed bundle of version %u, known are 1 to 3; "
                   "compile with --no-offload-compress", h->version);
  size_t plain = h->version == 1 ? 8 : 8 + width;
  h->whole = h->version == 1 ? 0 : number(at + 8, width);
  h->plain = number(at + plain, width);
  h->bytes = plain + width + 8;
  if (h->version > 1 && (h->whole < h->bytes || h->whole > n))
    return damaged(e, "it is not as long as it says");
  if (h->plain > PLAIN_MAX)
    return damaged(e, "it says that it holds over 2000 MiB");
  if (h->method != METHOD_ZSTD)
    return err_set(e, ERR_FAILED,
                   "a compressed bundle whose method is not zstd; compile "
                   "with --no-offload-compress");
  return 0;
}

static int open_zstd(struct zstd *z, struct err *e)
{
  z->library = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
  const struct {
    const char *name;
    void *at;
  } functions[] = {{"ZSTD_findFrameCompressedSize", &z->measure},
                   {"ZSTD_decompress", &z->decompress},
                   {"ZSTD_isError", &z->is_error}};
  for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
    void *f = z->library ? dlsym(z->library, functions[k].name) : NULL;
    if (!f)
      return err_set(e, ERR_FAILED,
                     "a compressed bundle, and no libzstd.so.1 to expand it; "
                     "install libzstd1");
    memcpy(functions[k].at, &f, sizeof f);
  }
  return 0;
}

static int expand(const struct zstd *z, const struct header *h,
                  const uint8_t *at, size_t n, uint8_t *to, struct err *e)
{
  size_t from = (h->whole ? h->whole : n) - h->bytes;
  if (!h->whole)
    from = z->measure(at + h->bytes, from);
  if (z->is_error(from))
    return damaged(e, "no zstd frame in it");
  size_t made = z->decompress(to, h->plain, at + h->bytes, from);
  if (z->is_error(made) || made != h->plain)
    return damaged(e, "zstd cannot expand it");
  return 0;
}

int image_compressed(const uint8_t *at, size_t n)
{
  return n >= 4 && !memcmp(at, "CCOB", 4);
}

int image_expand(const uint8_t *at, size_t n, uint8_t **out, size_t *length,
                 struct err *e)
{
  struct header h = {0};
  struct zstd z = {0};
  if (read_header(at, n, &h, e))
    return e->code;
  uint8_t *to = malloc(h.plain + 1);
  int code = !to ? err_set(e, ERR_FAILED, "no memory for a bundle of %llu bytes",
                           (unsigned long long)h.plain)
                 : open_zstd(&z, e);
  if (!code)
    code = expand(&z, &h, at, n, to, e);
  if (z.library)
    dlclose(z.library);
  if (code) {
    free(to);
    return code;
  }
  *out = to;
  *length = h.plain;
  return 0;
}
