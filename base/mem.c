/* mem.c - see mem.h. */
// SPDX-License-Identifier: MIT
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *p, size_t n, size_t size)
{
  if (p)
    return p;
  fprintf(stderr, "out of memory: %zu times %zu bytes refused\n", n, size);
  abort();
}

void *mem_alloc(size_t size)
{
  return mem_array(1, size);
}

void *mem_array(size_t n, size_t size)
{
  return checked(calloc(n ? n : 1, size ? size : 1), n, size);
}

void *mem_resize(void *p, size_t size)
{
  return checked(realloc(p, size ? size : 1), 1, size);
}

char *mem_copy(const char *text)
{
  size_t n = strlen(text) + 1;
  return memcpy(checked(malloc(n), 1, n), text, n);
}
