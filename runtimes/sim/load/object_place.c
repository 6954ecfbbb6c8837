/* object_place.c - a code object's segments into device memory. */
// SPDX-License-Identifier: MIT
#include <string.h>

#include "runtimes/sim/load/object_part.h"

/* A damaged header must not ask for all of the card's memory. */
enum {IMAGE_MAX = 1 << 30};

static int damaged(struct err *e, const char *what)
{
  return err_set(e, ERR_FAILED, "the code object is damaged: %s", what);
}

struct extent {
  uint64_t begin, end; /* virtual addresses */
};

static int check_segment(const GElf_Phdr *h, size_t n, struct err *e)
{
  if (h->p_offset > n || h->p_filesz > n - h->p_offset)
    return damaged(e, "a segment lies outside the file");
  if (h->p_filesz > h->p_memsz || h->p_memsz > IMAGE_MAX ||
      h->p_vaddr > (uint64_t)1 << 40)
    return damaged(e, "a segment's size or address is out of bounds");
  return 0;
}

/* What the loaded segments cover, and the one with code. */
static int measure(Elf *elf, size_t phdrs, size_t n, struct extent *all,
                   struct extent *text, struct err *e)
{
  *all = (struct extent){UINT64_MAX, 0};
  *text = (struct extent){0, 0};
  for (size_t k = 0; k < phdrs; k++) {
    GElf_Phdr h;
    if (!gelf_getphdr(elf, (int)k, &h))
      return damaged(e, "a program header cannot be read");
    if (h.p_type != PT_LOAD)
      continue;
    if (check_segment(&h, n, e))
      return e->code;
    struct extent s = {h.p_vaddr, h.p_vaddr + h.p_memsz};
    all->begin = s.begin < all->begin ? s.begin : all->begin;
    all->end = s.end > all->end ? s.end : all->end;
    if (!(h.p_flags & PF_X))
      continue;
    if (text->end)
      return damaged(e, "more than one segment with code");
    *text = (struct extent){h.p_vaddr, h.p_vaddr + h.p_filesz};
  }
  if (all->end <= all->begin || all->end - all->begin > IMAGE_MAX)
    return damaged(e, "its segments cover nothing, or more than 1 GiB");
  if (text->begin % 4 || text->end - text->begin < 4)
    return damaged(e, "no code in it");
  return 0;
}

/* The image begins at a page of the file's address space, so that what the
 * file aligns is aligned in memory up to the arena's 256 bytes. */
int object_place(struct object *o, Elf *elf, const uint8_t *bytes, size_t n,
                 uint64_t *delta, struct err *e)
{
  size_t phdrs;
  struct extent all, text;
  if (elf_getphdrnum(elf, &phdrs))
    return damaged(e, "no program headers");
  if (measure(elf, phdrs, n, &all, &text, e))
    return e->code;
  all.begin &= ~(uint64_t)0xfff;
  o->base = all.begin;
  o->size = all.end - all.begin;
  o->image = arena_alloc(o->arena, o->size);
  if (!o->image)
    return err_set(e, ERR_FAILED,
                   "no device memory for a code object of %llu bytes",
                   (unsigned long long)o->size);
  memset(o->image, 0, o->size);
  for (size_t k = 0; k < phdrs; k++) {
    GElf_Phdr h;
    if (gelf_getphdr(elf, (int)k, &h) && h.p_type == PT_LOAD)
      memcpy(o->image + (h.p_vaddr - o->base), bytes + h.p_offset, h.p_filesz);
  }
  *delta = (uint64_t)(uintptr_t)o->image - o->base;
  o->text_base = text.begin + *delta;
  o->ncode = (text.end - text.begin) / 4;
  return 0;
}

uint8_t *object_bytes(const struct object *o, uint64_t at, uint64_t n)
{
  if (at < o->base || at - o->base > o->size || n > o->size - (at - o->base))
    return NULL;
  return o->image + (at - o->base);
}
