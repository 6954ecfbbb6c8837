/* object_symbols.c - kernels, variables and functions of a code object. */
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runtimes/sim/load/object_part.h"

/* A kernel descriptor (LLVM: User Guide for AMDGPU Backend, "Kernel
 * Descriptor"): 64 bytes, little-endian. */
struct descriptor {
  uint32_t group_bytes, private_bytes, kernarg_bytes;
  uint8_t reserved1[4];
  int64_t entry; /* from the descriptor */
  uint8_t reserved2[20];
  uint32_t rsrc3, rsrc1, rsrc2;
  uint16_t properties;
  uint8_t reserved3[6];
};
_Static_assert(sizeof(struct descriptor) == 64, "descriptor layout");

enum {
  USES_DYNAMIC_STACK = 1 << 11,
  DYNAMIC_STACK = 1024, /* bytes a lane: the HIP runtime's default limit */
  MAX_THREADS = 1024,
};

static int damaged(struct err *e, const char *name, const char *what)
{
  return err_set(e, ERR_FAILED, "the code object is damaged: kernel %.200s %s",
                 name, what);
}

/* SGPRs come by 16, counted in eights. In a unified file rsrc3 says at which
 * VGPR the AGPRs begin, counted in fours; else there are as many of them as of
 * VGPRs, which is what hardware hands out. */
static void fill_registers(struct kernel *k, uint32_t rsrc3)
{
  const struct isa *isa = k->object->isa;
  uint32_t first = ((rsrc3 & 63) + 1) * 4;
  k->vgprs = ((k->rsrc1 & 63) + 1) * isa->vgpr_granule;
  k->sgprs = isa->sgprs ? isa->sgprs : ((k->rsrc1 >> 6 & 15) / 2 + 1) * 16;
  if (isa->agprs == AGPRS_APART)
    k->agprs = k->vgprs;
  else if (isa->agprs == AGPRS_UNIFIED && first < k->vgprs)
    k->agprs = k->vgprs - first;
}

static int add_kernel(struct object *o, const char *name, uint64_t at,
                      uint64_t delta, struct err *e)
{
  struct descriptor d;
  const uint8_t *bytes = object_bytes(o, at, sizeof d);
  if (!bytes)
    return damaged(e, name, "has its descriptor outside the file");
  memcpy(&d, bytes, sizeof d);
  uint64_t code = at + (uint64_t)d.entry + delta - o->text_base;
  if (code % 4 || code / 4 >= o->ncode)
    return damaged(e, name, "begins outside the code");
  o->kernels = mem_resize(o->kernels, (o->nkernels + 1) * sizeof *o->kernels);
  struct kernel *k = &o->kernels[o->nkernels++];
  *k = (struct kernel){
      .name = mem_copy(name), .object = o, .entry = (uint32_t)(code / 4),
      .lds = d.group_bytes, .scratch = d.private_bytes,
      .kernarg_size = d.kernarg_bytes, .max_threads = MAX_THREADS,
      .rsrc1 = d.rsrc1, .rsrc2 = d.rsrc2, .properties = d.properties};
  k->name[strlen(name) - 3] = 0; /* without ".kd" */
  if (d.properties & USES_DYNAMIC_STACK && k->scratch < DYNAMIC_STACK)
    k->scratch = DYNAMIC_STACK;
  fill_registers(k, d.rsrc3);
  return 0;
}

static void add_named(struct object *o, struct symbol **all, size_t *n,
                      const char *name, const GElf_Sym *s, uint64_t delta)
{
  if (!object_bytes(o, s->st_value, s->st_size))
    return;
  *all = mem_resize(*all, (*n + 1) * sizeof **all);
  (*all)[(*n)++] =
      (struct symbol){mem_copy(name), s->st_value + delta, s->st_size};
}

static int is_descriptor(const char *name, const GElf_Sym *s)
{
  size_t n = strlen(name);
  return n > 3 && !strcmp(name + n - 3, ".kd") &&
         s->st_size == sizeof(struct descriptor);
}

static int add_symbol(struct object *o, const char *name, const GElf_Sym *s,
                      uint64_t delta, struct err *e)
{
  if (!name || s->st_shndx == SHN_UNDEF ||
      GELF_ST_TYPE(s->st_info) != STT_OBJECT)
    return 0;
  if (is_descriptor(name, s))
    return add_kernel(o, name, s->st_value, delta, e);
  add_named(o, &o->symbols, &o->nsymbols, name, s, delta);
  return 0;
}

static Elf_Data *symbol_table(Elf *elf, unsigned type, GElf_Shdr *h)
{
  for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));)
    if (gelf_getshdr(scn, h) && h->sh_type == type)
      return elf_getdata(scn, NULL);
  return NULL;
}

/* Tensile's kernels have no size, and beside them 100000 symbols that are no
 * functions. */
static int is_function(const GElf_Sym *s)
{
  return s->st_size && s->st_shndx != SHN_UNDEF &&
         GELF_ST_TYPE(s->st_info) == STT_FUNC;
}

static void add_functions(struct object *o, Elf *elf, uint64_t delta)
{
  GElf_Shdr h;
  GElf_Sym s;
  Elf_Data *data = symbol_table(elf, SHT_SYMTAB, &h);
  for (int n = 1; data && gelf_getsym(data, n, &s); n++) {
    const char *name =
        is_function(&s) ? elf_strptr(elf, h.sh_link, s.st_name) : NULL;
    if (name)
      add_named(o, &o->functions, &o->nfunctions, name, &s, delta);
  }
}

int object_symbols(struct object *o, Elf *elf, uint64_t delta, struct err *e)
{
  GElf_Shdr h;
  GElf_Sym s;
  Elf_Data *data = symbol_table(elf, SHT_DYNSYM, &h);
  if (!data)
    return err_set(e, ERR_FAILED,
                   "the code object is damaged: no dynamic symbols");
  for (int n = 1; gelf_getsym(data, n, &s); n++)
    if (add_symbol(o, elf_strptr(elf, h.sh_link, s.st_name), &s, delta, e))
      return e->code;
  add_functions(o, elf, delta);
  return 0;
}
