/* pack.h - reading MessagePack, the code object's metadata.
 *
 * A cursor over bytes that may be damaged: every call checks what it reads
 * against the end and allocates nothing, so no count in the input can ask for
 * memory. Values: map, array, string, unsigned integer, double; others are
 * skipped.
 * Format: https://github.com/msgpack/msgpack/blob/master/spec.md
 */
// SPDX-License-Identifier: MIT
#ifndef sim_pack_h
#define sim_pack_h

#include <stddef.h>
#include <stdint.h>

struct pack {
  const uint8_t *at, *end;
};

struct pack_text {
  const char *at; /* not terminated */
  size_t len;
};

/* Each reads one value: 1, or 0 where it is of another kind or damaged; then
 * the cursor has not moved. A map of n is followed by n keys with values. */
int pack_map(struct pack *p, uint32_t *n);
int pack_array(struct pack *p, uint32_t *n);
int pack_string(struct pack *p, struct pack_text *text);
int pack_uint(struct pack *p, uint64_t *value);
int pack_real(struct pack *p, double *value);

/* Go through a map: field() for each key, with the cursor on its value, which
 * it reads or passes over. 0 where it said so, or where there is no map. */
typedef int pack_field(struct pack *p, struct pack_text key, void *to);
int pack_fields(struct pack *p, pack_field *field, void *to);

/* Pass over one value with all that it holds; 0 where it is damaged. */
int pack_skip(struct pack *p);

int pack_is(struct pack_text text, const char *word);

#endif
