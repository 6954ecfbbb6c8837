/* kernel.c - what a kernel's name says. */
// SPDX-License-Identifier: MIT
#include "tests/rocblas/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text after "_KEY" where a digit follows; NULL where there is none. */
static const char *after(const char *name, const char *key)
{
  size_t n = strlen(key);
  for (const char *p = name; (p = strchr(p, '_')); p++)
    if (!strncmp(p + 1, key, n) && p[n + 1] >= '0' && p[n + 1] <= '9')
      return p + n + 1;
  return NULL;
}

static struct stride_rule stride_rule(const char *name, const char *key)
{
  const char *at = after(name, key);
  struct stride_rule none = {-1, 1};
  return at ? (struct stride_rule){at[0] - '0', (unsigned)(at[1] - '0')}
            : none;
}

/* Threads beside a workgroup's sum count, too: x * y * parts. */
static unsigned product(const char *text)
{
  unsigned x, y, z;
  return text && sscanf(text, "%u_%u_%u", &x, &y, &z) == 3 ? x * y * z : 0;
}

static unsigned log2_up(double x)
{
  unsigned n = 0;
  while ((double)(1u << n) < x)
    n++;
  return n;
}

/* The field behind the three index lists: Cijk_Ailk_Bljk_SB. */
static char type(const char *name)
{
  for (int n = 0; n < 3 && name; n++) {
    name = strchr(name, '_');
    name = name ? name + 1 : NULL;
  }
  return name && (*name == 'S' || *name == 'H') ? *name : 0;
}

static int incomplete(const struct gemm_kernel *k, const char *part,
                      struct err *e)
{
  return err_set(e, ERR_FAILED, "kernel %s: its name has no %s", k->name,
                 part);
}

int kernel_parse(struct gemm_kernel *k, struct err *e)
{
  const struct { const char *key; unsigned *to; } numbers[] = {
      {"GSU", &k->split},          {"WGM", &k->mapping},
      {"SU", &k->stagger},         {"GLVWA", &k->vector},
      {"AF0EM", &k->multiple[0]},  {"AF1EM", &k->multiple[1]},
      {"ASEM", &k->multiple[2]},
  };
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    const char *at = after(k->name, numbers[i].key);
    if (!at)
      return incomplete(k, numbers[i].key, e);
    *numbers[i].to = (unsigned)strtoul(at, NULL, 10);
  }
  const char *tile = after(k->name, "MT"), *stride = after(k->name, "SUS");
  k->type = type(k->name);
  if (!k->type)
    return incomplete(k, "type that is known (S, H)", e);
  k->general = strstr(k->name, "_GB_") != NULL;
  if (!tile || sscanf(tile, "%ux%ux%u", &k->tile[0], &k->tile[1],
                      &k->depth) != 3 || !k->depth)
    return incomplete(k, "MT", e);
  k->threads = product(after(k->name, "WG"));
  if (!k->threads || !stride)
    return incomplete(k, k->threads ? "SUS" : "WG", e);
  double bytes = k->type == 'H' ? 2 : 4;
  k->stagger_shift = log2_up(strtod(stride, NULL) / (k->depth * bytes));
  k->a = stride_rule(k->name, "ASAE");
  k->c = stride_rule(k->name, "ASCE");
  return 0;
}

void kernels_free(struct kernel_list *list)
{
  for (size_t n = 0; n < list->n; n++)
    free(list->at[n].name);
  free(list->at);
  *list = (struct kernel_list){0};
}

struct gemm_kernel *kernels_find(const struct kernel_list *list,
                                 const char *name)
{
  for (size_t n = 0; n < list->n; n++)
    if (!strcmp(list->at[n].name, name))
      return &list->at[n];
  return NULL;
}
