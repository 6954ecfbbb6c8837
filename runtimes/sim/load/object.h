/* object.h - a loaded code object: ELF, kernels, decoded instructions. */
// SPDX-License-Identifier: MIT
#ifndef sim_object_h
#define sim_object_h

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "runtimes/sim/load/arena.h"
#include "runtimes/sim/load/lines.h"
#include "runtimes/sim/isa/inst.h"

struct kernel_arg { /* from the metadata note */
  uint32_t offset, size;
  char kind[32]; /* by_value, global_buffer, hidden_... */
};

struct object;

struct kernel {
  char *name;            /* Tensile's are over 300 characters long */
  const struct object *object;
  uint32_t entry;        /* dword index of its first instruction */
  uint32_t vgprs, sgprs; /* allocated, in the descriptor's granules */
  uint32_t agprs;        /* of the vgprs, the last ones; or beside them, where
                            they are a file of their own */
  uint32_t lds;          /* static bytes */
  uint32_t scratch;      /* private bytes a lane */
  uint32_t kernarg_size;
  uint32_t max_threads;  /* .max_flat_workgroup_size */
  uint32_t rsrc1, rsrc2; /* compute_pgm_rsrc1/2 */
  uint16_t properties;   /* kernel_code_properties */
  uint32_t cluster[3];   /* .cluster_dims: workgroups, that it is compiled for;
                            0: any */
  uint32_t spilled_vgprs, spilled_sgprs; /* from the metadata */
  size_t nargs;
  struct kernel_arg *args;
};

struct symbol { /* a global variable, or a function */
  char *name;
  uint64_t address;
  size_t size;
};

struct object {
  struct arena *arena;
  const struct isa *isa;
  uint8_t *image;     /* the loaded segments, in the arena */
  uint64_t base;      /* the file's virtual address of image[0] */
  uint64_t size;      /* bytes of image */
  uint64_t text_base; /* guest address of code[0] */
  size_t ncode;       /* dwords of text */
  struct inst *code;  /* one entry a dword; inside a longer instruction they
                         are decoded from there, as hardware would */
  size_t nkernels;
  struct kernel *kernels;
  size_t nsymbols;
  struct symbol *symbols;
  size_t nfunctions; /* kernels too, where the file says how long they are */
  struct symbol *functions;
  struct line_table lines; /* of the source; see object_line() */
};

/* Make n dwords of code that were decoded ready to execute. */
typedef void bind_fn(struct inst *code, size_t n);

/* Load a code object of n bytes, and bind its instructions. Only for the
 * architecture that the device is: e_machine AMDGPU, its mach (or that of its
 * generic target), code object version 3 to 6; a good one for another target is
 * ERR_USAGE, a damaged one ERR_FAILED. */
int object_load(struct object **out, struct arena *arena,
                const struct isa *isa, const void *bytes, size_t n,
                bind_fn *bind, struct err *e);
void object_free(struct object *o);
const struct kernel *object_kernel(const struct object *o, const char *name);
/* Does an instruction begin, or a literal of one lie, at the guest address? */
static inline int object_has_code(const struct object *o, uint64_t address)
{
  return (address - o->text_base) / 4 < o->ncode;
}

/* Guest address and size of a global variable; 0 where there is none. */
uint64_t object_symbol(const struct object *o, const char *name, size_t *size);
/* The line of the source of the instruction at a guest address; 0: the file does
 * not say. */
int object_line(const struct object *o, uint64_t address, struct source_line *out);
/* The function with the instruction at a guest address; NULL: not known. */
const struct symbol *object_function(const struct object *o, uint64_t address);

#endif
