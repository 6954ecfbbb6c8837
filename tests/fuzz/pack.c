/* pack.c - libFuzzer entry for packs; `./check fuzz` builds and runs it.
 *
 * The checksum is made right, or nothing behind it would be reached. */
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ship/index.h"

/* Ask for all problems that the bytes themselves name. */
static void ask(const char *path, const struct index *v)
{
  char arch[64];
  tuned *t;
  strncpy(arch, v->text + v->archs->name, sizeof arch - 1);
  arch[sizeof arch - 1] = 0;
  if (tuned_open(&t, path, arch, NULL, NULL))
    return;
  for (uint64_t i = 0; i < v->head->part[PART_FAMILIES].n && i < 8; i++)
    for (long long m = 1; m < 1 << 20; m *= 3) {
      struct tuned_found f;
      const struct pack_family *family = &v->families[i];
      const struct tuned_key key =
          TUNED_WHOLE(v->text + v->keys[family->key].name, m);
      if (tuned_find(t, v->text + family->name, &key, 1, TUNED_FITTED, &f))
        continue;
      for (unsigned b = 0; tuned_buffer(t, &f, b, NULL); b++)
        ;
    }
  tuned_close(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
  static int fd = -1;
  char path[64], why[INDEX_WHY];
  struct index v;
  struct pack_head *h = malloc(n + 1); /* as aligned as a mapping */
  memcpy(h, bytes, n);
  if (n >= sizeof *h) {
    h->size = n;
    if (h->index >= sizeof *h && h->index <= n)
      h->sum = index_sum(h, h->index);
  }
  if (index_open(&v, h, n, why) == 0 && v.head->part[PART_ARCHS].n) {
    if (fd < 0)
      fd = memfd_create("pack", 0);
    if (ftruncate(fd, 0) || pwrite(fd, h, n, 0) != (ssize_t)n)
      abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    ask(path, &v);
  }
  free(h);
  return 0;
}
