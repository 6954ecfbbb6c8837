/* cache.c - see cache.h. */
// SPDX-License-Identifier: MIT
#include "tuner/device/cache.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

enum {ENTRY_MAX = 256 << 20};

void cache_folder(struct str *out)
{
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  str_add(out, "");
  if (cache && *cache == '/') /* the XDG standard ignores others */
    str_addf(out, "%s/tune", cache);
  else if (home && *home)
    str_addf(out, "%s/.cache/tune", home);
}

void cache_key(const char *text, const char *options, const char *compiler,
               char key[HASH_TEXT])
{
  struct str all = {0};
  str_addf(&all, "%s\n%s\n", compiler, options);
  str_add(&all, text);
  hash_hex(all.at, all.len, key);
  str_free(&all);
}

static void entry_path(const char *folder, const char *key, struct str *out)
{
  str_addf(out, "%s/%.2s/%s", folder, key, key + 2);
}

/* An entry is the hash of the code, a newline, the code. */
int cache_take(const char *folder, const char *key, struct str *code)
{
  struct str path = {0}, all = {0};
  char hash[HASH_TEXT];
  enum {HEAD = HASH_TEXT}; /* 32 digits and the newline */
  entry_path(folder, key, &path);
  int found = *folder && file_read(path.at, ENTRY_MAX, &all, NULL) == 0 &&
              all.len > HEAD;
  if (found) {
    hash_hex(all.at + HEAD, all.len - HEAD, hash);
    found = !memcmp(hash, all.at, HEAD - 1);
  }
  if (found) {
    str_clear(code);
    str_add_bytes(code, all.at + HEAD, all.len - HEAD);
  }
  str_free(&path);
  str_free(&all);
  return found;
}

void cache_put(const char *folder, const char *key, const struct str *code)
{
  struct str path = {0}, all = {0};
  char hash[HASH_TEXT];
  hash_hex(code->at, code->len, hash);
  str_addf(&all, "%s\n", hash);
  str_add_bytes(&all, code->at, code->len);
  str_addf(&path, "%s/%.2s", folder, key);
  if (*folder && file_mkdirs(path.at, NULL) == 0) {
    str_addf(&path, "/%s", key + 2);
    file_replace(path.at, all.at, all.len, NULL);
  }
  str_free(&path);
  str_free(&all);
}

/* --- trimming ------------------------------------------------------------ */

struct entry {
  struct timespec used;
  size_t bytes;
  char *path;
};

struct entries {
  struct entry *at;
  size_t n, room, bytes;
};

/* nftw() has no argument for its caller; only one trim runs at a time. */
static _Thread_local struct entries *walked;

static int visit(const char *path, const struct stat *st, int type,
                 struct FTW *ftw)
{
  (void)ftw;
  struct entries *all = walked;
  if (type != FTW_F)
    return 0;
  if (all->n == all->room) {
    all->room = all->room ? 2 * all->room : 256;
    all->at = mem_resize(all->at, all->room * sizeof *all->at);
  }
  all->at[all->n++] = (struct entry){st->st_mtim, (size_t)st->st_size,
                                     mem_copy(path)};
  all->bytes += (size_t)st->st_size;
  return 0;
}

static int oldest_first(const void *a, const void *b)
{
  const struct entry *x = a, *y = b;
  if (x->used.tv_sec != y->used.tv_sec)
    return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
  return (x->used.tv_nsec > y->used.tv_nsec)
         - (x->used.tv_nsec < y->used.tv_nsec);
}

void cache_trim(const char *folder, size_t bytes)
{
  struct entries all = {0};
  walked = &all;
  nftw(folder, visit, 16, FTW_PHYS);
  walked = NULL;
  if (all.bytes > bytes)
    qsort(all.at, all.n, sizeof *all.at, oldest_first);
  for (size_t i = 0; i < all.n; i++) {
    if (all.bytes > bytes && unlink(all.at[i].path) == 0)
      all.bytes -= all.at[i].bytes;
    free(all.at[i].path);
  }
  free(all.at);
}

void cache_keep_small(void)
{
  enum {MOST = 1 << 30};
  struct str folder = {0};
  cache_folder(&folder);
  cache_trim(folder.at, MOST);
  str_free(&folder);
}
