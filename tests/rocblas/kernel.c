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

static const struct {
  char type;
  unsigned bytes, parts;
} types[] = {{'H', 2, 1}, {'S', 4, 1}, {'D', 8, 1}, {'C', 8, 2}, {'Z', 16, 2},
             {'B', 2, 1}, {'8', 1, 1}, {'I', 4, 1}};

static size_t find_type(char type)
{
  size_t n = 0, end = sizeof types / sizeof *types;
  while (n < end && types[n].type != type)
    n++;
  return n;
}

unsigned type_bytes(char type)
{
  return types[find_type(type)].bytes;
}

unsigned type_parts(char type)
{
  return types[find_type(type)].parts;
}

static int known(char type)
{
  return find_type(type) < sizeof types / sizeof *types;
}

/* Cijk_Ailk_BjlkC_HSS_BH: index lists of C, A and B, a C behind them where the
 * matrix is conjugated; the type, or those of A, of C and of the sums. */
static int read_kind(struct gemm_kernel *k)
{
  char a[8], b[8], kind[8];
  if (sscanf(k->name, "Cijk_A%7[^_]_B%7[^_]_%7[^_]_", a, b, kind) != 3)
    return 0;
  k->transposed[0] = !strncmp(a, "lik", 3);
  k->transposed[1] = !strncmp(b, "jlk", 3);
  k->conjugate[0] = a[3] == 'C';
  k->conjugate[1] = b[3] == 'C';
  const char *at = strncmp(kind, "I8", 2) ? kind : kind + 1;
  k->type = k->out = k->sum = at[0];
  if (strlen(at) == 3) {
    k->out = at[1];
    k->sum = at[2];
  }
  return known(k->type) && known(k->out) && known(k->sum);
}

/* Kernels from source give their arguments no names; these are they, in their
 * order (Tensile, KernelWriterSource.py). Sizes of 0 are the sums' type's. */
static const struct {
  const char *name;
  uint32_t bytes;
  int general; /* only where pointers are arrays */
} sourced[] = {
    {"AddressD", 8, 0}, {"AddressC", 8, 0}, {"AddressA", 8, 0},
    {"AddressB", 8, 0}, {"OffsetD", 8, 1},  {"OffsetC", 8, 1},
    {"OffsetA", 8, 1},  {"OffsetB", 8, 1},  {"Alpha", 0, 0},
    {"Beta", 0, 0},     {"StridesD", 8, 0}, {"StridesC", 8, 0},
    {"StridesA", 8, 0}, {"StridesB", 8, 0}, {"SizesFree", 12, 0},
    {"SizesSum", 4, 0}, {"OrigStaggerUIter", 4, 0},
    {"NumWorkGroups0", 4, 0}, {"NumWorkGroups1", 4, 0},
};

static void name_arguments(struct gemm_kernel *k)
{
  uint32_t at = 0, align;
  k->nargs = 0;
  for (size_t n = 0; n < sizeof sourced / sizeof *sourced; n++) {
    struct argument *a = &k->args[k->nargs];
    if (sourced[n].general && !k->general)
      continue;
    snprintf(a->name, sizeof a->name, "%s", sourced[n].name);
    a->size = sourced[n].bytes ? sourced[n].bytes : type_bytes(k->sum);
    align = sourced[n].bytes ? (n < 8 ? 8 : 4)
                             : a->size / type_parts(k->sum);
    at = (at + align - 1) / align * align;
    a->offset = at;
    at += a->size;
    k->nargs++;
  }
}

static int incomplete(const struct gemm_kernel *k, const char *part,
                      struct err *e)
{
  return err_set(e, ERR_FAILED, "kernel %s: its name has no %s", k->name,
                 part);
}

/* GSUAMB names the algorithm of several buffers, and KLS what was compiled from
 * source. Kernels in assembly (KLA) with GSUAMB add to D by atomics: rocBLAS's
 * index, TensileLibrary_*.dat, says globalAccumulation 0 of them. */
static int leaves_parts(const char *name)
{
  return strstr(name, "_GSUAMB_") && strstr(name, "_KLS_");
}

int kernel_parse(struct gemm_kernel *k, struct err *e)
{
  const struct { const char *key; unsigned *to; } numbers[] = {
      {"GSU", &k->split},          {"WGM", &k->mapping},
      {"SU", &k->stagger},         {"GLVWA", &k->vector},
      {"PK", &k->persistent},
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
  if (!read_kind(k))
    return incomplete(k, "type that is known", e);
  k->general = strstr(k->name, "_GB_") != NULL;
  k->parts = leaves_parts(k->name);
  if (!tile || sscanf(tile, "%ux%ux%u", &k->tile[0], &k->tile[1],
                      &k->depth) != 3 || !k->depth)
    return incomplete(k, "MT", e);
  k->threads = product(after(k->name, "WG"));
  if (!k->threads || !stride)
    return incomplete(k, k->threads ? "SUS" : "WG", e);
  k->stagger_shift =
      log2_up(strtod(stride, NULL) / (k->depth * type_bytes(k->type)));
  if (!k->args[0].name[0])
    name_arguments(k);
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
