/* blocks.c - see blocks.h. */
// SPDX-License-Identifier: MIT
#include "base/blocks.h"

#include <string.h>

const struct block blocks[BLOCK_TYPES] = { /* ORDER BLOCK */
  {"q8_0", 32, 34, {{2, 32, 0}, {0, 2, 1}}},
  {"q4_0", 32, 18, {{2, 16, 0}, {0, 2, 1}}},
  {"q4_1", 32, 20, {{4, 16, 0}, {0, 4, 1}}},
  {"q4_K", 256, 144, {{16, 128, 0}, {4, 12, 0}, {0, 4, 1}}},
  {"q6_K", 256, 210, {{0, 128, 0}, {128, 64, 0}, {192, 16, 0}, {208, 2, 1}}},
};

const struct block *block_find(const char *name)
{
  for (size_t i = 0; i < BLOCK_TYPES; i++)
    if (!strcmp(blocks[i].name, name))
      return &blocks[i];
  return NULL;
}
