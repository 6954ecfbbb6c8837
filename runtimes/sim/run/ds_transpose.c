/* ds_transpose.c - LDS reads that hand rows out as columns.
 *
 * Sixteen lanes work together. What their addresses give, in the order of the
 * lanes, is a tile of E rows with 16 elements each; lane i of the sixteen gets
 * column i, from the top. E is 4 for elements of 16 bits, 8 of 8, 16 of 6 and
 * of 4. (The expectations of rocRoller's TransposeInstructionsTest, which ran
 * on cards.)
 */
// SPDX-License-Identifier: MIT
#include <string.h>

#include "runtimes/sim/run/ds.h"
#include "runtimes/sim/run/gfx1250/transpose.h"

enum {COLUMNS = 16, WORDS = 3};

/* Bits of an element, by the opcode: b4, b6, b8, b16. */
static unsigned element_bits(const struct inst *i)
{
  static const uint8_t bits[4] = {4, 6, 8, 16};
  return bits[i->as & 3];
}

/* Lane l's column of the tile that `rows` holds, one lane's bytes a row. */
static void column(const uint32_t rows[COLUMNS][WORDS], unsigned l,
                   unsigned each, unsigned bits, uint32_t out[WORDS])
{
  memset(out, 0, WORDS * sizeof *out);
  for (unsigned n = 0; n < each; n++) {
    unsigned at = n * COLUMNS + l;
    element_put(out, n, bits, element_get(rows[at / each], at % each, bits));
  }
}

static void move(struct wave *w, const struct inst *i, unsigned bytes)
{
  unsigned bits = element_bits(i), each = bytes * 8 / bits;
  for (unsigned first = 0; first < LANES; first += COLUMNS) {
    uint32_t rows[COLUMNS][WORDS] = {{0}}, out[WORDS];
    for (unsigned l = 0; l < COLUMNS; l++)
      memcpy(rows[l], w->group->lds + w->access.addr[0][first + l], bytes);
    for (unsigned l = 0; l < COLUMNS; l++) {
      column(rows, l, each, bits, out);
      for (unsigned k = 0; k < bytes / 4; k++)
        w->v[i->dst + k][first + l] = out[k];
    }
  }
}

static int aligned(struct wave *w, unsigned to)
{
  for (unsigned l = 0; l < LANES; l++)
    if (w->access.addr[0][l] % to) {
      wave_fault(w, FAULT_ADDRESS,
                 "lane %u: LDS address 0x%llx of a transposing read, which is "
                 "not a multiple of %u", l,
                 (unsigned long long)w->access.addr[0][l], to);
      return 0;
    }
  return 1;
}

void ds_transposed(struct wave *w, const struct inst *i)
{
  const struct memory_op *op = &ds_op_find(i->as)->move;
  memory_begin(w, op, 1, 1);
  if (w->access.lanes != ~(uint64_t)0) {
    wave_fault(w, FAULT_LAUNCH,
               "a transposing read needs all 64 lanes, EXEC is 0x%llx",
               (unsigned long long)w->access.lanes);
    return;
  }
  if (ds_addresses(w, vgpr(i->src[0]), i->offset & 0xffff, op->bytes, 0) &&
      aligned(w, op->bytes == 12 ? 16 : 8))
    move(w, i, op->bytes);
}
