/* format.h - the bytes of a pack (inside ship only).
 *
 * All numbers are little-endian, every part starts at a multiple of 8 bytes.
 * Behind the head come the parts of the index in the order of enum pack_part,
 * then the compressed code objects. Parts refer to each other by number, to
 * text by its offset in PART_TEXT.
 *
 *   archs      families      keys            words
 *   "gfx906" > "gemm"      > "m"..."beta"  > "nn", "nt"...
 *                          > winners       > one value a key, in PART_VALUES
 *                          > slots         a hash table of the winners
 *                            winner > tried
 *                            winner > plan > launches > args
 *                                          > buffers, needs > formulas > steps
 *                                          > code
 *
 * A class is what a kernel never crosses: the arch, the family, the words,
 * listed values, and which numbers are 0. Its winners are side by side.
 */
// SPDX-License-Identifier: MIT
#ifndef ship_format_h
#define ship_format_h

#include <stdint.h>

#include "base/formula.h"

#define PACK_MAGIC "\x89wtpack\n"

enum {
  /* Of the format, and of the rule by which kernels are found for other problems: a pack
   * holds quotients by the constants of estimate.c, and losses by what fit.c chose and by
   * its bands. A change of any of these is a new version. */
  PACK_VERSION = 3,
  PACK_NONE = -1, /* no formula, no text */
  PACK_BANDS = 4, /* of distance, of which a class knows its losses */
};

enum pack_part { /* ORDER PART */
  PART_ARCHS,
  PART_FAMILIES,
  PART_KEYS,
  PART_WORDS,    /* uint32_t: offsets of text */
  PART_CLASSES,
  PART_WINNERS,
  PART_TRIED,    /* kernels that were timed on the problems of winners */
  PART_VALUES,   /* int64_t: the keys of winners and classes (query.h) */
  PART_SLOTS,    /* uint32_t: winners, and classes, of a family by hash, from
                    1; 0: free */
  PART_PLANS,
  PART_LAUNCHES,
  PART_ARGS,
  PART_BUFFERS,
  PART_NEEDS,    /* int32_t: formulas that must be 0 */
  PART_FORMULAS,
  PART_STEPS,    /* struct formula_step */
  PART_CODES,
  PART_TEXT,     /* bytes, each text ends in a NUL */
  PARTS
};

struct pack_head {
  char magic[8];
  uint32_t version, parts;
  uint64_t size;  /* of the file */
  uint64_t index; /* bytes of head and index */
  uint64_t sum;   /* XXH3, 64 bits, of these, this field being 0 */
  struct {
    uint64_t at, n; /* n: entries */
  } part[PARTS];
};

struct pack_arch {
  uint32_t name, cus; /* of the card that was tuned for */
  uint32_t family, nfamilies;
};

struct pack_family {
  uint32_t name, key, nkeys, serves;
  uint32_t class_, nclasses;
  uint32_t slot, nslots; /* a power of two, as is the next */
  uint32_t class_slot, nclass_slots;
};

enum pack_kind {PACK_WHOLE, PACK_NUMBER, PACK_WORD};

struct pack_key {
  uint32_t name, kind;
  uint32_t word, nwords; /* legal words */
  int64_t standard;      /* a number as its bits, a word as its place */
  int64_t min, max;      /* of a whole number */
  uint32_t open;         /* 0 stands for what the class's `completed` gives */
  uint32_t listed;       /* one of few values: part of the class */
};

struct pack_class {
  uint64_t value; /* its first, in PART_VALUES: what its winners share */
  uint32_t winner, nwinners;
  int32_t completed; /* a formula for each key, from this one on, or PACK_NONE */
  uint32_t zero;
  float loss[PACK_BANDS]; /* to expect; negative: not known */
};

enum { /* of a winner */
  WINNER_MODELLED = 1,
  WINNER_STALE = 2, /* found with other templates than those compiled */
};

struct pack_winner {
  uint32_t plan, flags;
  uint64_t value; /* its first, in PART_VALUES */
  double us;
  uint32_t tried, ntried; /* its own kernel the first */
};

struct pack_tried {
  uint32_t plan;
  float us;
  float quotient; /* of us and of what estimate.h says; 0: that says nothing */
  uint32_t zero;
};

struct pack_plan {
  uint32_t code, config; /* text */
  uint32_t launch, nlaunches, buffer, nbuffers, need, nneeds;
  int32_t cost; /* a formula: flops, or where there are none bytes */
  /* For estimates. Of a workgroup of the first launch: its steps, what each does
   * and loads, its results and what each writes; PACK_NONE: not known. */
  int32_t steps, step_flops, step_bytes, results, result_bytes;
  int32_t bytes;     /* that the problem moves at least, or PACK_NONE */
  uint32_t resident; /* such workgroups on a compute unit at a time; 0: unknown */
  uint32_t rate;     /* flops of a compute unit in a microsecond; 0: unknown */
};

struct pack_launch {
  uint32_t kernel; /* text */
  uint32_t arg, nargs;
  uint32_t block[3];
  int32_t grid[3], lds; /* formulas */
};

enum pack_arg_kind {PACK_BUFFER, PACK_I32, PACK_I64, PACK_F32, PACK_F32_KEY};

/* value: a buffer's place among those of the plan, a formula, the bits of a
 * double, or the place of a key. */
struct pack_arg {
  uint32_t kind, zero;
  int64_t value;
};

enum {BUFFER_SCRATCHED = 3}; /* role: in, out, inout, scratch */

struct pack_buffer {
  uint32_t name, role;
  uint32_t size; /* bytes of an element */
  int32_t elements; /* a formula */
};

struct pack_formula {
  uint32_t step, nsteps;
};

struct pack_code {
  uint64_t at, packed, plain; /* bytes */
  uint64_t sum;               /* of the packed ones */
};

#endif
