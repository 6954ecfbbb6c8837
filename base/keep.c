/* keep.c - see keep.h. */
// SPDX-License-Identifier: MIT
#include "base/keep.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct keep {
  struct keep *next;
  max_align_t bytes[];
};

void *keep_bytes(struct keep **k, size_t size)
{
  struct keep *block = mem_alloc(sizeof *block + size);
  block->next = *k;
  *k = block;
  return block->bytes;
}

const char *keep_text(struct keep **k, const char *text)
{
  return strcpy(keep_bytes(k, strlen(text) + 1), text);
}

void keep_free(struct keep **k)
{
  for (struct keep *next; *k; *k = next) {
    next = (*k)->next;
    free(*k);
  }
}
