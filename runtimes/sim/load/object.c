/* object.c - see object.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/load/object.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runtimes/sim/load/object_part.h"

/* ELF header values of AMDGPU code objects (LLVM: User Guide for AMDGPU
 * Backend, "ELF Code Object"). */
enum {
  ABI_HSA = 64,
  ABI_V3 = 1, /* EI_ABIVERSION of code object version 3 */
  ABI_V6 = 4, /* as version 5, with generic targets beside the known */
  MACHINE_AMDGPU = 224,
  FLAGS_MACH = 0xff, /* EF_AMDGPU_MACH, LLVM AMDGPUUsage */
};

/* As a real card's, this loader refuses code for a relative: what runs on
 * gfx900 is not what the card would be given. */
static int check_target(const struct isa *isa, unsigned mach, struct err *e)
{
  if (mach == isa->mach || (isa->generic && mach == isa->generic))
    return 0;
  return err_set(e, ERR_USAGE,
                 "the code object is for another target (mach 0x%x); the "
                 "simulated device executes %s: compile with "
                 "--offload-arch=%s", mach, isa->name, isa->name);
}

static int check_header(const struct isa *isa, Elf *elf, struct err *e)
{
  GElf_Ehdr h;
  if (elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &h))
    return err_set(e, ERR_FAILED, "not an ELF file: no code object");
  if (h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_ident[EI_DATA] != ELFDATA2LSB ||
      h.e_machine != MACHINE_AMDGPU || h.e_ident[EI_OSABI] != ABI_HSA)
    return err_set(e, ERR_FAILED,
                   "an ELF file, but no code object of the amdhsa ABI");
  if (h.e_ident[EI_ABIVERSION] < ABI_V3 || h.e_ident[EI_ABIVERSION] > ABI_V6)
    return err_set(e, ERR_USAGE,
                   "code object ABI version %u is not supported; compile with "
                   "-mcode-object-version=3, 4, 5 or 6",
                   h.e_ident[EI_ABIVERSION]);
  return check_target(isa, h.e_flags & FLAGS_MACH, e);
}

static int reads(const struct inst *i, const struct inst *other)
{
  unsigned first = CODE_VGPR + other->dst;
  unsigned end = first + (inst_op(other)->dst & OP_WIDTH);
  for (int n = 0; n < 3; n++) {
    unsigned width = inst_source_width(i, n);
    if (width && i->src[n] < end && i->src[n] + width > first)
      return 1;
  }
  return 0;
}

/* Halves of a dual instruction become two, of its dwords, in an order in which
 * neither reads what the other has written. -1: there is none. */
static int split(struct inst *a, struct inst *b)
{
  unsigned words = a->words;
  struct inst first = *a;
  if (reads(b, a)) {
    if (reads(a, b))
      return a->legal = 0, -1;
    *a = *b;
    *b = first;
  }
  a->words = 1;
  b->words = (uint8_t)(words - 1);
  return 0;
}

/* The dual instruction at dword n. Dwords that are no instruction's first may look
 * like one, and what is behind them must stay: whoever jumps there finds none. */
static void decode_dual(struct object *o, size_t n, int is_first,
                        const struct inst *second)
{
  struct inst *i = &o->code[n];
  struct inst other = *second;
  if (!is_first)
    i->legal = 0;
  if (i->legal && !split(i, &other))
    i[1] = other;
}

/* Each dword as if an instruction began there, so that any can be jumped to. */
static void decode_text(struct object *o, bind_fn *bind)
{
  const uint32_t *text = (const uint32_t *)(uintptr_t)o->text_base;
  size_t next = 0; /* where the one behind the last begins */
  size_t half = SIZE_MAX; /* which is decoded already */
  o->code = mem_array(o->ncode, sizeof *o->code);
  for (size_t n = 0; n < o->ncode; n++) {
    struct inst second;
    if (n != half)
      decode(o->isa, text + n, o->ncode - n, &o->code[n]);
    int words = n == half ? 0 : decode_second(o->isa, text + n, o->ncode - n,
                                              &second);
    if (words)
      decode_dual(o, n, n == next, &second);
    if (n == next) {
      half = words && o->code[n].legal ? n + 1 : SIZE_MAX;
      next += o->code[n].words ? o->code[n].words : 1;
    }
  }
  bind(o->code, o->ncode);
}

static int build(struct object *o, Elf *elf, const uint8_t *bytes, size_t n,
                 bind_fn *bind, struct err *e)
{
  uint64_t delta;
  if (check_header(o->isa, elf, e) || object_place(o, elf, bytes, n, &delta, e) ||
      object_relocate(o, elf, delta, e) || object_symbols(o, elf, delta, e) ||
      object_metadata(o, elf, e))
    return e->code;
  object_lines(o, elf);
  decode_text(o, bind);
  return 0;
}

int object_load(struct object **out, struct arena *arena,
                const struct isa *isa, const void *bytes, size_t n,
                bind_fn *bind, struct err *e)
{
  struct err own;
  e = e ? e : &own;
  *out = NULL;
  uint8_t *copy = malloc(n ? n : 1); /* libelf wants it aligned and writable */
  if (!copy)
    return err_set(e, ERR_FAILED, "no memory for a code object of %zu bytes",
                   n);
  memcpy(copy, bytes, n);
  elf_version(EV_CURRENT);
  Elf *elf = elf_memory((char *)copy, n);
  struct object *o = mem_alloc(sizeof *o);
  o->arena = arena;
  o->isa = isa;
  int code = elf ? build(o, elf, copy, n, bind, e)
                 : err_set(e, ERR_FAILED, "not an ELF file: no code object");
  elf_end(elf);
  free(copy);
  if (code)
    object_free(o);
  else
    *out = o;
  return code;
}

static void free_symbols(struct symbol *symbols, size_t n)
{
  while (n--)
    free(symbols[n].name);
  free(symbols);
}

void object_free(struct object *o)
{
  if (!o)
    return;
  for (size_t n = 0; n < o->nkernels; n++) {
    free(o->kernels[n].name);
    free(o->kernels[n].args);
  }
  if (o->image)
    arena_free(o->arena, o->image);
  free(o->kernels);
  free_symbols(o->symbols, o->nsymbols);
  free_symbols(o->functions, o->nfunctions);
  free(o->code);
  free(o->lines.line.at);
  free(o->lines.line_str.at);
  free(o->lines.str.at);
  free(o);
}

const struct kernel *object_kernel(const struct object *o, const char *name)
{
  for (size_t n = 0; n < o->nkernels; n++)
    if (!strcmp(o->kernels[n].name, name))
      return &o->kernels[n];
  return NULL;
}

uint64_t object_symbol(const struct object *o, const char *name, size_t *size)
{
  for (size_t n = 0; n < o->nsymbols; n++)
    if (!strcmp(o->symbols[n].name, name)) {
      *size = o->symbols[n].size;
      return o->symbols[n].address;
    }
  return 0;
}

const struct symbol *object_function(const struct object *o, uint64_t address)
{
  for (size_t n = 0; n < o->nfunctions; n++)
    if (address - o->functions[n].address < o->functions[n].size)
      return &o->functions[n];
  return NULL;
}
