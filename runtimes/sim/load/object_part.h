/* object_part.h - the parts of object_load(), in the order of their use. */
// SPDX-License-Identifier: MIT
#ifndef sim_object_part_h
#define sim_object_part_h

#include <gelf.h>

#include "runtimes/sim/load/object.h"

/* The ELF's segments into the arena: image and text_base, ncode. *delta is
 * what to add to a virtual address of the file. */
int object_place(struct object *o, Elf *elf, const uint8_t *bytes, size_t n,
                 uint64_t *delta, struct err *e);

/* Apply the relocations to the image; object_place() first. */
int object_relocate(struct object *o, Elf *elf, uint64_t delta,
                    struct err *e);

/* Kernels (from their descriptors) and variables of the dynamic symbols;
 * functions of the others, which a stripped file lacks. */
int object_symbols(struct object *o, Elf *elf, uint64_t delta,
                   struct err *e);

/* What the metadata note says of the kernels; a damaged one is an error, none
 * at all is not. */
int object_metadata(struct object *o, Elf *elf, struct err *e);

/* The sections that say which line an instruction came from, if there are. */
void object_lines(struct object *o, Elf *elf);

/* The first n bytes at virtual address `at` of the file, or NULL where they
 * are not all inside the image. */
uint8_t *object_bytes(const struct object *o, uint64_t at, uint64_t n);

#endif
