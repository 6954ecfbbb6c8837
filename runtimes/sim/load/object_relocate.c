/* object_relocate.c - relocations of a loaded code object. */
// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/mem.h"
#include "runtimes/sim/load/object_part.h"

/* Relocation types (LLVM: User Guide for AMDGPU Backend, "Relocation
 * Records"): S symbol, A addend, B where the image lies, P the place. */
enum {
  RELOC_ABS32_LO = 1, /* S + A, lower half */
  RELOC_ABS32_HI = 2,
  RELOC_ABS64 = 3,
  RELOC_REL32 = 4, /* S + A - P */
  RELOC_REL64 = 5,
  RELOC_ABS32 = 6,
  RELOC_REL32_LO = 10,
  RELOC_REL32_HI = 11,
  RELOC_RELATIVE64 = 13, /* B + A */
};

static int symbol_value(Elf *elf, size_t table, size_t index, uint64_t *value,
                        struct err *e)
{
  GElf_Shdr h;
  GElf_Sym s;
  Elf_Scn *scn = elf_getscn(elf, table);
  Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
  if (!data || !gelf_getshdr(scn, &h) || !gelf_getsym(data, (int)index, &s))
    return err_set(e, ERR_FAILED,
                   "the code object is damaged: a relocation's symbol");
  if (s.st_shndx == SHN_UNDEF) {
    const char *name = elf_strptr(elf, h.sh_link, s.st_name);
    return err_set(e, ERR_FAILED,
                   "the code object needs '%.200s', which it does not define; "
                   "compile and link it as a whole", name ? name : "?");
  }
  *value = s.st_value;
  return 0;
}

/* `value` is S + A or B + A as a guest address. */
static int apply(struct object *o, const GElf_Rela *r, unsigned type,
                 uint64_t value, uint64_t place, struct err *e)
{
  int relative = type == RELOC_REL32 || type == RELOC_REL64 ||
                 type == RELOC_REL32_LO || type == RELOC_REL32_HI;
  int high = type == RELOC_ABS32_HI || type == RELOC_REL32_HI;
  int wide = type == RELOC_ABS64 || type == RELOC_REL64 ||
             type == RELOC_RELATIVE64;
  uint8_t *at = object_bytes(o, r->r_offset, wide ? 8 : 4);
  if (!at)
    return err_set(e, ERR_FAILED,
                   "the code object is damaged: a relocation lies outside");
  if (relative)
    value -= place;
  if (high)
    value >>= 32;
  memcpy(at, &value, wide ? 8 : 4);
  return 0;
}

static int relocate_one(struct object *o, Elf *elf, size_t symbols,
                        const GElf_Rela *r, uint64_t delta, struct err *e)
{
  unsigned type = (unsigned)GELF_R_TYPE(r->r_info);
  uint64_t symbol = 0;
  if (type == 0)
    return 0;
  if (type > RELOC_RELATIVE64 || (type > RELOC_ABS32 && type < RELOC_REL32_LO))
    return err_set(e, ERR_FAILED,
                   "the code object has a relocation of type %u, which is "
                   "not supported", type);
  if (type != RELOC_RELATIVE64 &&
      symbol_value(elf, symbols, GELF_R_SYM(r->r_info), &symbol, e))
    return e->code;
  return apply(o, r, type, symbol + (uint64_t)r->r_addend + delta,
               r->r_offset + delta, e);
}

int object_relocate(struct object *o, Elf *elf, uint64_t delta, struct err *e)
{
  for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
    GElf_Shdr h;
    if (!gelf_getshdr(scn, &h) || h.sh_type != SHT_RELA ||
        !(h.sh_flags & SHF_ALLOC))
      continue;
    Elf_Data *data = elf_getdata(scn, NULL);
    GElf_Rela r;
    for (int n = 0; data && gelf_getrela(data, n, &r); n++)
      if (relocate_one(o, elf, h.sh_link, &r, delta, e))
        return e->code;
  }
  return 0;
}
