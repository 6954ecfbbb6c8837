/* arena.h - the simulated device's memory.
 *
 * One reserved range of host addresses at a fixed place, so that a guest
 * address is a host address and the same program meets the same addresses
 * (banks, channels, cache sets) in every run. Allocations are aligned as the
 * driver does, to 256 bytes up to 2 MiB by their size, and have an unmapped gap
 * between them: a stray access is found.
 * One arena a process; calls are serialised inside.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_arena_h
#define sim_arena_h

#include <stddef.h>
#include <stdint.h>

struct arena;

/* capacity: bytes of the card's memory (hipMalloc fails beyond). NULL where
 * the host refuses the address range. */
struct arena *arena_open(uint64_t capacity);
void arena_close(struct arena *a);

void *arena_alloc(struct arena *a, size_t bytes); /* NULL: out of memory */
int arena_free(struct arena *a, void *p); /* 0, or -1: not one of ours */
/* Make p, one of ours and `bytes` long, all zeros, as it was when new. Of
 * large ones only what was touched costs time. */
void arena_clear(void *p, size_t bytes);
/* Let the program's own memory count as an allocation, or no longer. -1 where
 * some of it is one already; the program frees it. */
int arena_adopt(struct arena *a, void *p, size_t bytes);
void arena_disown(struct arena *a, void *p);
void arena_space(const struct arena *a, uint64_t *available, uint64_t *total);

/* Is [address, address + bytes) inside one allocation? Fast: remembers the
 * last hit in *hint (start with 0; one hint a thread). */
int arena_valid(const struct arena *a, uint64_t address, size_t bytes,
                size_t *hint);

/* Does the address lie in the reserved range, allocated or not? */
int arena_own(const struct arena *a, uint64_t address);

/* The allocation that holds address: its first byte and the one after its
 * last. 0 where there is none. */
int arena_block(const struct arena *a, uint64_t address, uint64_t *begin,
                uint64_t *end, size_t *hint);

/* The allocation that is nearest to the address. 0: there is none. */
int arena_near(const struct arena *a, uint64_t address, uint64_t *begin,
               uint64_t *end);

#endif
