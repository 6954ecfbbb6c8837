/* hbm.c - see hbm.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/hbm.h"

#include <assert.h>

#include "base/mem.h"
#include "runtimes/sim/server.h"

enum { CHANNELS = 64, BANKS = 64, QUEUE = 256 }; /* at most */

struct queued {
  uint64_t row;  /* plus 1; 0: none */
  double starts; /* when it is open and its data begin */
};

struct channel {
  double data_free, row_free;
  uint64_t open[BANKS]; /* row of a bank, plus 1 */
  struct queued queue[QUEUE]; /* by row */
};

struct hbm {
  const struct card *card;
  struct channel channels[CHANNELS];
};

struct hbm *hbm_new(const struct card *c)
{
  assert(c->hbm_channels >= 1 && c->hbm_channels <= CHANNELS);
  assert(c->hbm_banks >= 1 && c->hbm_banks <= BANKS);
  assert(c->hbm_queue >= 1 && c->hbm_queue <= QUEUE);
  struct hbm *h = mem_alloc(sizeof *h);
  h->card = c;
  return h;
}

/* The row that a block is in: neighbouring blocks of its channel share it. */
static uint64_t row_of(const struct card *c, uint64_t block)
{
  uint64_t blocks = (uint64_t)(c->hbm_row / c->l2_interleave);
  return block / (uint64_t)c->hbm_channels / blocks;
}

/* Banks take turns by rows. Is another one open in its bank? The order of
 * requests stands for that in which rows are opened. */
static int switches(struct channel *ch, const struct card *c, uint64_t row)
{
  uint64_t *open = &ch->open[row % (uint64_t)c->hbm_banks];
  int other = *open != row + 1;
  *open = row + 1;
  return other;
}

/* A row has one place in what the channel's controller looks over. */
static struct queued *queued(struct channel *ch, const struct card *c,
                             uint64_t row)
{
  return &ch->queue[row % (uint64_t)c->hbm_queue];
}

/* Requests for other rows need not wait until this one is open. */
static double open_row(struct channel *ch, struct queued *q, uint64_t row,
                       double cycles, double data, double t)
{
  double opens = server_take(&ch->row_free, t, cycles);
  *q = (struct queued){row + 1, data > opens ? data : opens};
  return q->starts;
}

double hbm_serve(struct hbm *h, uint64_t block, unsigned lines, double weight,
                 double t)
{
  const struct card *c = h->card;
  struct channel *ch = &h->channels[block % (uint64_t)c->hbm_channels];
  uint64_t row = row_of(c, block);
  struct queued *q = queued(ch, c, row);
  int waits = q->row == row + 1 && t <= q->starts;
  int opens = !waits && switches(ch, c, row);
  double cycles = card_line_cycles(c, c->hbm_channels, c->hbm_read_gbs);
  cycles += opens ? card_cycles(c, c->hbm_row_ns) / lines : 0;
  double data = server_take(&ch->data_free, t, cycles * weight);
  if (opens)
    return open_row(ch, q, row,
                    card_cycles(c, c->hbm_open_ns) * weight / lines, data, t);
  return waits && data < q->starts ? q->starts : data;
}
