/* zeros.c - what LLVM refuses because of bits that mean nothing.
 *
 * Fields that an opcode does not use must be zero, as an assembler leaves them: a
 * word with others is data that somebody jumped into, or an instruction of another
 * architecture. The rows are sorted, so that finding one takes eight steps.
 */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/isa/decode.h"

enum form {PLAIN, SDWA, DPP};

struct zeros {
  uint8_t format, form; /* enum form */
  uint16_t first, last; /* opcodes */
  uint8_t from, to;     /* isa.index */
  uint32_t bits[2];
};

static const struct zeros rows[] = {
#define ZEROS(format, form, first, last, from, to, low, high) \
  {format, form, first, last, from, to, {low, high}},
#include "runtimes/sim/isa/zeros.def"
};

enum {ROWS = sizeof rows / sizeof *rows};

static enum form form_of(const struct inst *i)
{
  return i->flags & INST_SDWA ? SDWA : i->flags & INST_DPP ? DPP : PLAIN;
}

static uint32_t key(unsigned format, enum form form, unsigned op)
{
  return format << 20 | (unsigned)form << 16 | op;
}

/* The first row that does not end before i. */
static const struct zeros *find(const struct inst *i)
{
  uint32_t at = key(i->format, form_of(i), i->op);
  size_t low = 0, high = ROWS;
  while (low < high) {
    size_t mid = (low + high) / 2;
    const struct zeros *z = &rows[mid];
    if (key(z->format, z->form, z->last) < at)
      low = mid + 1;
    else
      high = mid;
  }
  return &rows[low];
}

/* A bit of the second dword of an access to memory, which marks AGPRs or once had
 * another meaning, and one of the first must not both be set: loads to LDS have no
 * data, and where the bit has no meaning it is none beside an atomic's result. */
enum {HIGH = 1 << 23, TO_LDS = 1 << 13, BUFFER_TO_LDS = 1 << 16, RETURNS = 1 << 16};
static const struct {
  uint8_t format, first, last; /* opcodes */
  uint8_t from, to;            /* isa.index */
  uint32_t low;
} apart[] = {
    {GLOBAL, 0x00, 0x7f, 0, 2, TO_LDS},        {SCRATCH, 0x00, 0x7f, 0, 2, TO_LDS},
    {GLOBAL, 0x40, 0x7f, 0, 1, RETURNS},       {GLOBAL, 0x4d, 0x4e, 3, 4, RETURNS},
    {MUBUF, 0x00, 0x7f, 0, 4, BUFFER_TO_LDS},
};

static int both(const struct inst *i, const uint32_t *text)
{
  if (!(text[1] & HIGH))
    return 0;
  for (size_t n = 0; n < sizeof apart / sizeof *apart; n++)
    if (i->format == apart[n].format && i->op >= apart[n].first &&
        i->op <= apart[n].last && i->isa >= apart[n].from &&
        i->isa <= apart[n].to && text[0] & apart[n].low)
      return 1;
  return 0;
}

int decode_zeros(const struct inst *i, const uint32_t *text)
{
  if (i->format >= DS && both(i, text))
    return 0;
  for (const struct zeros *z = find(i); z < rows + ROWS; z++) {
    if (z->format != i->format || z->form != form_of(i) || z->first > i->op)
      return 1;
    if (i->isa >= z->from && i->isa <= z->to)
      return z->bits[1] != UINT32_MAX && !(text[0] & z->bits[0]) &&
             !(text[1] & z->bits[1]);
  }
  return 1;
}
