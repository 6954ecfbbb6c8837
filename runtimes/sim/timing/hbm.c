/* hbm.c - see hbm.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/timing/hbm.h"

#include <assert.h>

#include "base/mem.h"
#include "runtimes/sim/timing/server.h"

enum {CHANNELS = 64, QUEUE = 256}; /* at most */

struct queued {
  uint64_t row;  /* plus 1; 0: none */
  double starts; /* when it is open and its data begin */
};

struct channel {
  double data_free, row_free;
  struct queued queue[QUEUE]; /* by row */
};

struct hbm {
  uint64_t nchannels, queue;
  uint64_t row; /* blocks of all channels that lie in one row of each */
  double line, row_data, row_opens; /* cycles */
  struct channel channels[CHANNELS];
};

struct hbm *hbm_new(const struct card *c)
{
  assert(c->hbm_channels >= 1 && c->hbm_channels <= CHANNELS);
  assert(c->hbm_queue >= 1 && c->hbm_queue <= QUEUE);
  struct hbm *h = mem_alloc(sizeof *h);
  h->nchannels = (uint64_t)c->hbm_channels;
  h->queue = (uint64_t)c->hbm_queue;
  h->row = h->nchannels * (uint64_t)(c->hbm_row / c->l2_interleave);
  h->line = card_line_cycles(c, c->hbm_channels, c->hbm_read_gbs);
  h->row_data = card_cycles(c, c->hbm_row_ns);
  h->row_opens = card_cycles(c, c->hbm_open_ns);
  return h;
}

/* Requests for other rows need not wait until this one is open. */
static double open_row(const struct hbm *h, struct channel *ch,
                       struct queued *q, uint64_t row, unsigned lines,
                       double weight, double t)
{
  double data = server_take(&ch->data_free, t,
                            (h->line + h->row_data / lines) * weight);
  double opens = server_take(&ch->row_free, t, h->row_opens * weight / lines);
  *q = (struct queued){row + 1, later(data, opens)};
  return q->starts;
}

double hbm_serve(struct hbm *h, uint64_t block, unsigned lines, double weight,
                 double t)
{
  struct channel *ch = &h->channels[block % h->nchannels];
  uint64_t row = block / h->row; /* neighbouring blocks share it */
  struct queued *q = &ch->queue[row % h->queue]; /* its place there */
  if (q->row != row + 1 || t > q->starts)
    return open_row(h, ch, q, row, lines, weight, t);
  double data = server_take(&ch->data_free, t, h->line * weight);
  return later(data, q->starts);
}
