/* arena.c - see arena.h.
 *
 * Blocks stand sorted by address in an array that is reserved once and never
 * moves; what lies between two blocks is free, so neighbours coalesce by
 * themselves. Readers take no lock: a version number, odd while a block is
 * entered or taken out, tells them to look again.
 */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/load/arena.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/mem.h"

/* Far from where Linux puts programs, heaps and libraries, and in the part of
 * the address space that AddressSanitizer leaves to programs. (For
 * ThreadSanitizer the build defines another: CMakePresets.json.) */
#ifndef ARENA_BASE
#define ARENA_BASE ((uint64_t)0x200000000000)
#endif

enum {
  ALIGN = 256,     /* as hipMalloc, at least */
  LARGE = 2 << 20, /* at most */
  GAP = 64 << 10,  /* un-owned bytes between two blocks, at least: more than a
                      page, so that no two blocks share one */
  PAGE = 4096,
  STEP = 64 << 20, /* the readable range grows by this */
  BLOCKS_MAX = 1 << 20,
};

struct block {
  uint64_t begin, end; /* end as asked for, not rounded */
};

struct arena {
  pthread_mutex_t lock;
  uint64_t capacity, used; /* bytes of the card */
  uint64_t reserved;       /* bytes of address space */
  uint64_t top;            /* below it pages are readable and writable */
  uint32_t version;
  size_t n;
  struct block *blocks; /* [BLOCKS_MAX], pages on demand */
};

static uint64_t round_up(uint64_t n, uint64_t to)
{
  return (n + to - 1) / to * to;
}

static void *reserve(uint64_t at, uint64_t bytes, int access)
{
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  if (at)
    flags |= MAP_FIXED_NOREPLACE;
  void *p = mmap((void *)at, bytes, access, flags, -1, 0);
  if (p == MAP_FAILED)
    return NULL;
  if (!at || (uint64_t)p == at)
    return p;
  munmap(p, bytes); /* a kernel before 4.17 took the address as a hint */
  return NULL;
}

struct arena *arena_open(uint64_t capacity)
{
  /* Twice the card, so that free space in pieces is not a lack of space. */
  uint64_t bytes = round_up(capacity, STEP) * 2 + (uint64_t)STEP * 64;
  if (!reserve(ARENA_BASE, bytes, PROT_NONE))
    return NULL;
  void *blocks = reserve(0, BLOCKS_MAX * sizeof(struct block),
                         PROT_READ | PROT_WRITE);
  if (!blocks) {
    munmap((void *)ARENA_BASE, bytes);
    return NULL;
  }
  struct arena *a = mem_alloc(sizeof *a);
  pthread_mutex_init(&a->lock, NULL);
  a->capacity = capacity;
  a->reserved = bytes;
  a->top = ARENA_BASE;
  a->blocks = blocks;
  return a;
}

void arena_close(struct arena *a)
{
  if (!a)
    return;
  munmap((void *)ARENA_BASE, a->reserved);
  munmap(a->blocks, BLOCKS_MAX * sizeof(struct block));
  pthread_mutex_destroy(&a->lock);
  free(a);
}

/* The largest power of two that it fills, as libhsakmt (fmm.c) aligns for the
 * sake of large pages. Two matrices then lie alike to sets and channels. */
static uint64_t alignment(uint64_t bytes)
{
  uint64_t align = ALIGN;
  while (align < LARGE && bytes >= 2 * align)
    align *= 2;
  return align;
}

/* The first gap that holds `bytes` with room around them: its address, and
 * in *at the index that the block would have. 0: none. */
static uint64_t find_free(const struct arena *a, uint64_t bytes, size_t *at)
{
  uint64_t align = alignment(bytes), top = ARENA_BASE + a->reserved;
  uint64_t start = round_up(ARENA_BASE + GAP, align);
  for (size_t k = 0; k <= a->n; k++) {
    uint64_t limit = k < a->n ? a->blocks[k].begin : top;
    *at = k;
    if (start + bytes + GAP <= (limit < top ? limit : top))
      return start;
    /* Else it lies below: adopted, or aligning start went past it. */
    if (k < a->n && a->blocks[k].end + GAP > start)
      start = round_up(a->blocks[k].end + GAP, align);
  }
  return 0;
}

static int grow(struct arena *a, uint64_t end)
{
  if (end <= a->top)
    return 0;
  uint64_t top = round_up(end - ARENA_BASE, STEP) + ARENA_BASE;
  if (mprotect((void *)a->top, top - a->top, PROT_READ | PROT_WRITE))
    return -1;
  a->top = top;
  return 0;
}

/* Put n blocks' worth of tail one place to the right or left. */
static void shift(struct arena *a, size_t to, size_t from)
{
  memmove(a->blocks + to, a->blocks + from,
          (a->n - from) * sizeof *a->blocks);
}

static void turn_version(struct arena *a)
{
  __atomic_add_fetch(&a->version, 1, __ATOMIC_SEQ_CST);
}

static uint64_t charge(uint64_t bytes)
{
  return round_up(bytes, PAGE);
}

static void enter(struct arena *a, size_t at, uint64_t begin, uint64_t end)
{
  turn_version(a);
  shift(a, at + 1, at);
  a->blocks[at] = (struct block){begin, end};
  a->n++;
  turn_version(a);
}

static void take_out(struct arena *a, size_t k)
{
  turn_version(a);
  shift(a, k, k + 1);
  a->n--;
  turn_version(a);
}

static void *alloc(struct arena *a, uint64_t bytes)
{
  size_t at;
  if (bytes > a->capacity || charge(bytes) > a->capacity - a->used ||
      a->n == BLOCKS_MAX)
    return NULL;
  uint64_t begin = find_free(a, bytes, &at);
  if (!begin || grow(a, begin + bytes))
    return NULL;
  enter(a, at, begin, begin + bytes);
  a->used += charge(bytes);
  return (void *)begin;
}

void *arena_alloc(struct arena *a, size_t bytes)
{
  pthread_mutex_lock(&a->lock);
  void *p = alloc(a, bytes ? bytes : 1);
  pthread_mutex_unlock(&a->lock);
  return p;
}

/* Index of the last block that begins at or below the address; n: none. */
static size_t find(const struct arena *a, uint64_t address)
{
  size_t low = 0, n = a->n;
  for (size_t high = n; low < high;) {
    size_t middle = (low + high) / 2;
    if (a->blocks[middle].begin <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low ? low - 1 : n;
}

/* The pages go back to the host; who touches them again finds zeros. */
static void let_go(uint64_t begin, uint64_t end)
{
  uint64_t first = begin / PAGE * PAGE, last = round_up(end, PAGE);
  madvise((void *)first, last - first, MADV_DONTNEED);
}

void arena_clear(void *p, size_t bytes)
{
  let_go((uint64_t)p, (uint64_t)p + bytes);
}

int arena_own(const struct arena *a, uint64_t address)
{
  return address - ARENA_BASE < a->reserved;
}

static int give_back(struct arena *a, uint64_t begin)
{
  size_t k = find(a, begin);
  if (k == a->n || a->blocks[k].begin != begin || !arena_own(a, begin))
    return -1;
  uint64_t end = a->blocks[k].end;
  let_go(begin, end);
  take_out(a, k);
  a->used -= charge(end - begin);
  return 0;
}

int arena_free(struct arena *a, void *p)
{
  pthread_mutex_lock(&a->lock);
  int result = give_back(a, (uint64_t)p);
  pthread_mutex_unlock(&a->lock);
  return result;
}

static int adopt(struct arena *a, uint64_t begin, uint64_t end)
{
  size_t k = find(a, begin), at = k == a->n ? 0 : k + 1;
  if ((k < a->n && a->blocks[k].end > begin) ||
      (at < a->n && a->blocks[at].begin < end) || a->n == BLOCKS_MAX)
    return -1;
  enter(a, at, begin, end);
  return 0;
}

int arena_adopt(struct arena *a, void *p, size_t bytes)
{
  pthread_mutex_lock(&a->lock);
  int result = adopt(a, (uint64_t)p, (uint64_t)p + bytes);
  pthread_mutex_unlock(&a->lock);
  return result;
}

void arena_disown(struct arena *a, void *p)
{
  pthread_mutex_lock(&a->lock);
  size_t k = find(a, (uint64_t)p);
  if (k < a->n && a->blocks[k].begin == (uint64_t)p)
    take_out(a, k);
  pthread_mutex_unlock(&a->lock);
}

void arena_space(const struct arena *a, uint64_t *available, uint64_t *total)
{
  pthread_mutex_t *lock = (pthread_mutex_t *)&a->lock;
  pthread_mutex_lock(lock);
  *available = a->capacity - a->used;
  *total = a->capacity;
  pthread_mutex_unlock(lock);
}

static int holds(const struct arena *a, size_t k, uint64_t address)
{
  return k < a->n && address - a->blocks[k].begin <
                         a->blocks[k].end - a->blocks[k].begin;
}

int arena_block(const struct arena *a, uint64_t address, uint64_t *begin,
                uint64_t *end, size_t *hint)
{
  uint32_t before, after;
  int found;
  do {
    before = __atomic_load_n(&a->version, __ATOMIC_ACQUIRE);
    size_t k = *hint;
    if (!holds(a, k, address))
      k = find(a, address);
    found = holds(a, k, address);
    if (found) {
      *begin = a->blocks[k].begin;
      *end = a->blocks[k].end;
      *hint = k;
    }
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    after = __atomic_load_n(&a->version, __ATOMIC_RELAXED);
  } while (before != after || before & 1);
  return found;
}

int arena_valid(const struct arena *a, uint64_t address, size_t bytes,
                size_t *hint)
{
  uint64_t begin, end;
  return arena_block(a, address, &begin, &end, hint) &&
         bytes <= end - address;
}

static uint64_t distance(const struct block *b, uint64_t address)
{
  return address < b->begin   ? b->begin - address
         : address >= b->end ? address - b->end
                             : 0;
}

int arena_near(const struct arena *a, uint64_t address, uint64_t *begin,
               uint64_t *end)
{
  pthread_mutex_t *lock = (pthread_mutex_t *)&a->lock;
  pthread_mutex_lock(lock);
  size_t n = a->n, k = find(a, address), next = k == n ? 0 : k + 1;
  if (k == n || (next < n && distance(&a->blocks[next], address) <
                                 distance(&a->blocks[k], address)))
    k = next;
  if (k < n) {
    *begin = a->blocks[k].begin;
    *end = a->blocks[k].end;
  }
  pthread_mutex_unlock(lock);
  return k < n;
}
