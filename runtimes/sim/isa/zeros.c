/* zeros.c - what LLVM refuses because of bits that mean nothing.
 *
 * Fields that an opcode does not use must be zero, as an assembler leaves them: a
 * word with others is data that somebody jumped into, or an instruction of another
 * architecture. The rows are sorted, so that finding one takes ten steps at most.
 */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/isa/decode.h"

enum form {PLAIN, SDWA, DPP, DPP8};

struct zeros {
  uint8_t format, form; /* enum form */
  uint16_t first, last; /* opcodes */
  uint8_t from, to;     /* isa.index */
  uint8_t low;          /* no VGPR above 127 as a first source */
  uint32_t bits[3];
};

static const struct zeros rows9[] = {
#define ZEROS(format, form, first, last, from, to, a, b) \
  {format, form, first, last, from, to, 0, {a, b, 0}},
#include "runtimes/sim/isa/zeros.def"
};

static const struct zeros rows12[] = {
#define ZEROS12(format, form, first, last, a, b, c, low) \
  {format, form, first, last, 0, ISAS, low, {a, b, c}},
#include "runtimes/sim/isa/zeros_gfx12.def"
};

static enum form form_of(const struct inst *i)
{
  return i->flags & INST_SDWA   ? SDWA
         : i->flags & INST_DPP8 ? DPP8
         : i->flags & INST_DPP  ? DPP
                                : PLAIN;
}

static uint32_t key(unsigned format, enum form form, unsigned op)
{
  return format << 20 | (unsigned)form << 16 | op;
}

/* The first of the rows that does not end before i. */
static const struct zeros *find(const struct zeros *rows, size_t n,
                                const struct inst *i)
{
  uint32_t at = key(i->format, form_of(i), i->op);
  size_t low = 0, high = n;
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
 * another meaning, must not be set beside all of some of the first: loads to LDS have
 * no data, and where the bit has no meaning it is none beside an atomic's result. */
enum {HIGH = 1 << 23, TO_LDS = 1 << 13, BUFFER_TO_LDS = 1 << 16, RETURNS = 1 << 16,
      SYSTEM = 1 << 25 /* sc1 */};
static const struct {
  uint8_t format, first, last; /* opcodes */
  uint8_t from, to;            /* isa.index */
  uint32_t low;
} apart[] = {
    {GLOBAL, 0x00, 0x7f, 0, 2, TO_LDS},        {SCRATCH, 0x00, 0x7f, 0, 2, TO_LDS},
    {GLOBAL, 0x40, 0x7f, 0, 1, RETURNS},       {GLOBAL, 0x4d, 0x4e, 3, 4, RETURNS},
    {GLOBAL, 0x4f, 0x51, 3, 4, RETURNS | SYSTEM},
    {FLAT, 0x4f, 0x51, 3, 4, RETURNS | SYSTEM},
    {MUBUF, 0x00, 0x7f, 0, 4, BUFFER_TO_LDS},
};

static int both(const struct inst *i, const uint32_t *text)
{
  if (!(text[1] & HIGH))
    return 0;
  for (size_t n = 0; n < sizeof apart / sizeof *apart; n++)
    if (i->format == apart[n].format && i->op >= apart[n].first &&
        i->op <= apart[n].last && i->isa >= apart[n].from &&
        i->isa <= apart[n].to && (text[0] & apart[n].low) == apart[n].low)
      return 1;
  return 0;
}

static int keeps(const struct zeros *z, const uint32_t *text)
{
  int no_form = z->form != PLAIN && z->bits[1] == UINT32_MAX;
  int high = z->low && (text[0] & 0x180) == 0x180;
  return !no_form && !high && !(text[0] & z->bits[0]) && !(text[1] & z->bits[1]) &&
         !(text[2] & z->bits[2]);
}

static int look_up(const struct zeros *rows, size_t n, const struct inst *i,
                   const uint32_t *text)
{
  for (const struct zeros *z = find(rows, n, i); z < rows + n; z++) {
    if (z->format != i->format || z->form != form_of(i) || z->first > i->op)
      return 1;
    if (i->isa >= z->from && i->isa <= z->to)
      return keeps(z, text);
  }
  return 1;
}

int decode_zeros(const struct inst *i, const uint32_t *text)
{
  if (isa_at(i->isa)->encoding == ENCODING_GFX12)
    return look_up(rows12, sizeof rows12 / sizeof *rows12, i, text);
  if (i->format >= DS && both(i, text))
    return 0;
  return look_up(rows9, sizeof rows9 / sizeof *rows9, i, text);
}
