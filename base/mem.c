/* mem.c - see mem.h. */
// SPDX-License-Identifier: MIT
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *p, size_t size)
{
  if (p || !size)
    return p;
  fprintf(stderr, "out of memory: %zu bytes refused\n", size);
  abort();
}

void *mem_alloc(size_t size)
{
  return mem_array(1, size ? size : 1);
}

void *mem_array(size_t n, size_t size)
{
  return checked(calloc(n ? n : 1, size), n * size);
}

void *mem_resize(void *p, size_t size)
{
  return checked(realloc(p, size ? size : 1), size);
}

char *mem_copy(const char *text)
{
  size_t n = strlen(text) + 1;
  return memcpy(checked(malloc(n), n), text, n);
}
