/* vmem.c - see vmem.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/timing/vmem.h"

#include "runtimes/sim/timing/server.h"
#include "runtimes/sim/timing/channel_camping.h"

enum {DWORD = 4}; /* bytes */

static double least(double a, double b)
{
  return a < b ? a : b;
}

/* Bytes a cycle from GB/s: 1e9 / (MHz * 1e6). */
static double per_cycle(const struct card *c, double gbs)
{
  return gbs * 1e3 / c->clock_mhz;
}

void vmem_init(struct vmem *v, const struct card *c, double cus,
               struct totals *t)
{
  *v = (struct vmem){.card = c, .totals = t, .cus = cus};
  l1_init(&v->l1, c, 1);
  cache_init(&v->stored, CACHE_LRU, c->l2 / cus, c->line, c->l2_ways);
  v->l2_line = c->line / least(c->l2_rate / cus, c->l2_port);
  v->port_line = c->line / c->l2_port;
  v->atomic_line = card_cycles(c, c->l2_atomic_ns) * cus / c->l2_channels;
  v->read_line = c->line * cus / per_cycle(c, c->hbm_read_gbs);
  v->write_line = c->line * cus / per_cycle(c, c->hbm_write_gbs);
  v->held = v->write_line * c->l2 / cus / c->line;
  v->partial_line = c->line * cus / per_cycle(c, c->hbm_partial_gbs);
  vmem_skew(v, 1, 1);
}

void vmem_skew(struct vmem *v, double l2, double hbm)
{
  const struct card *c = v->card;
  double bytes = c->line * v->cus * l2;
  v->load_line = later(v->l2_line, bytes / c->l2_rate);
  v->camping_line = later(v->l2_line, bytes / per_cycle(c, c->l2_narrow_gbs));
  v->read_line *= hbm;
}

void vmem_line_cycles(struct vmem *v, double cycles)
{
  v->load_line = later(v->load_line, cycles);
  v->camping_line = later(v->camping_line, cycles);
}

void vmem_free(struct vmem *v)
{
  l1_free(&v->l1);
  cache_free(&v->stored);
}

double vmem_ready(const struct vmem *v)
{
  return v->address - v->card->ta_queue;
}

static unsigned add_line(uint64_t line, uint64_t *out, unsigned first,
                         unsigned n)
{
  for (unsigned i = n; i-- > first;)
    if (out[i] == line)
      return n;
  out[n] = line;
  return n + 1;
}

static unsigned lanes_a_cycle(unsigned bytes, unsigned line_bytes)
{
  unsigned n = 16; /* addresses a cycle: CLRX, MGPUSim */
  while (n > 1 && n * bytes > line_bytes)
    n /= 2;
  return n;
}

unsigned vmem_lines(const struct access *a, unsigned line_bytes,
                    uint64_t out[VMEM_LINES])
{
  unsigned step = lanes_a_cycle(a->bytes, line_bytes), n = 0;
  unsigned shift = (unsigned)__builtin_ctz(line_bytes); /* a power of two */
  for (unsigned l0 = 0; l0 < LANES; l0 += step) {
    unsigned first = n;
    for (unsigned l = l0; l < l0 + step; l++) {
      if (!(a->lanes >> l & 1))
        continue;
      uint64_t line = a->addr[0][l] >> shift;
      n = add_line(line, out, first, n);
      uint64_t end = (a->addr[0][l] + a->bytes - 1) >> shift;
      if (end != line)
        n = add_line(end, out, first, n);
    }
  }
  return n;
}

static int waits_for_hbm(struct vmem *v, struct miss_rate s)
{
  v->late += s.late;
  if (v->late < 1)
    return 0;
  v->late -= 1;
  return 1;
}

/* When a line has its way to the L2 and `cycles` of this CU's share of it. CUs
 * do not ask in step: what one left lately it may take in a burst, as fast as
 * its port goes. */
static double take_share(struct vmem *v, double t, double cycles)
{
  v->l2 = later(v->l2, t - v->card->l2_burst);
  double start = later(v->l2, t);
  v->l2 += cycles;
  return server_take(&v->port, start, v->port_line);
}

/* What HBM reads for a line that missed the L1. Where the rates were counted, waves ran
 * one after the other, so that a line which two of them share was gone from the L1 when
 * the second came, and was found in the L2. Here they share it in the L1: it must
 * not be found in both, or HBM would read less than there is. */
static double read_by_hbm(struct vmem *v, struct miss_rate s)
{
  if (s.missed_l1 <= 0)
    return s.miss;
  v->unread -= s.miss;
  double more = least(later(v->unread, 0), 1 - s.miss);
  v->unread -= more;
  return s.miss + more;
}

/* A line that missed the L1, asked for at t and `cycles` of this CU's share of
 * the L2: when it arrives. */
static double fetch(struct vmem *v, double t, struct miss_rate s, double cycles)
{
  const struct card *c = v->card;
  double l2 = take_share(v, t, cycles);
  v->totals->l2_busy += cycles;
  v->totals->l2_reads++;
  double read = read_by_hbm(v, s);
  v->totals->l2_misses += read;
  double hbm = later(l2, v->hbm);
  if (read > 0) {
    v->hbm = hbm + read * v->read_line;
    v->totals->hbm_busy += read * v->read_line;
  }
  return waits_for_hbm(v, s) ? hbm + c->hbm_latency : l2 + c->l2_latency;
}

static double load_line(struct vmem *v, double t, uint16_t group, uint64_t line,
                        struct miss_rate s, double cycles)
{
  int hit;
  struct cache_line *at = l1_touch(&v->l1, line, group, t, &hit);
  v->totals->l1_reads++;
  v->unread += s.missed_l1 * s.miss;
  if (!hit) {
    v->totals->l1_misses++;
    at->ready = fetch(v, t, s, cycles);
  }
  return later(at->ready, t + v->card->l1_latency);
}

/* Lines that HBM writes for one that was stored. Where the stores of other
 * CUs are not known: the first of this one to a line in a while. */
static struct miss_rate written(struct vmem *v, uint64_t line, struct miss_rate s)
{
  int hit;
  if (s.known)
    return s;
  cache_touch(&v->stored, line, &hit);
  return (struct miss_rate){.miss = (float)!hit};
}

/* Write-through to the L2, which takes no more than it can hold until HBM has
 * written it. An atomic is done at the L2 the same way, and keeps the line's
 * channel for longer; `cycles` of this CU's share. */
static double store_line(struct vmem *v, double t, uint64_t line,
                         struct miss_rate s, double cycles)
{
  double l2 = take_share(v, t, cycles);
  v->totals->l2_busy += cycles;
  v->totals->l2_writes++;
  struct miss_rate w = written(v, line, s);
  if (w.miss > 0) {
    double busy = (w.miss - w.late) * v->write_line + w.late * v->partial_line;
    v->totals->l2_write_misses += w.miss;
    v->totals->hbm_busy += busy;
    l2 = server_take(&v->hbm, l2, busy);
    v->address = later(v->address, v->hbm - v->held);
  }
  return l2 + v->card->l2_latency;
}

static double cycles_of(const struct vmem *v, const struct access *a,
                        const uint64_t *lines, unsigned n)
{
  const struct card *c = v->card;
  unsigned channels = (unsigned)c->l2_channels;
  struct camping camping = {0};
  if (a->atomic)
    return later(v->atomic_line, v->l2_line);
  if (a->store)
    return v->l2_line;
  for (unsigned i = 0; i < n; i++)
    camping_add(&camping, card_block(c, lines[i]), channels);
  return camping_found(&camping, channels) ? v->camping_line : v->load_line;
}

static unsigned active(uint64_t lanes)
{
  return (unsigned)__builtin_popcountll(lanes);
}

/* A lane's dwords that do not begin at a multiple of 4 lie in one more than it
 * moves. */
static int straddles_dwords(const struct access *a)
{
  uint64_t low = 0;
  for (unsigned l = 0; l < LANES; l++)
    low |= a->addr[0][l] & -(a->lanes >> l & 1);
  return a->bytes >= DWORD && low % DWORD;
}

/* Groups of so many neighbouring lanes that load anything. */
static unsigned groups_of(uint64_t lanes, unsigned size)
{
  unsigned n = 0;
  for (unsigned l = 0; l < LANES; l += size)
    n += (lanes >> l & (((uint64_t)1 << size) - 1)) != 0;
  return n;
}

/* Dwords of 16 lanes go together where they lie in one line, else by four lanes a
 * cycle, as all wider ones do (cost.c). Dwords that straddle take twice as long,
 * which fits the one kernel that was measured. docs/model.md: "Four lanes a
 * cycle", "llama.cpp's kernels". */
static double address_cycles(const struct access *a, const struct price *p,
                             unsigned lines)
{
  enum {QUAD = 4, LOOKED_AT = 16};
  double cycles = later(p->busy, lines);
  if (!a->n || !a->load)
    return cycles;
  if (a->bytes <= DWORD && lines > groups_of(a->lanes, LOOKED_AT))
    cycles = later(cycles, groups_of(a->lanes, QUAD));
  return straddles_dwords(a) ? 2 * cycles : cycles;
}

double vmem_take(struct vmem *v, double t, uint16_t group,
                 const struct access *a, const struct price *p,
                 struct miss_rate s)
{
  uint64_t lines[VMEM_LINES];
  unsigned n = a->n ? vmem_lines(a, (unsigned)v->card->line, lines) : 0;
  double taken = address_cycles(a, p, n);
  double start = server_take(&v->address, t, taken), done = start;
  v->totals->address_busy += taken;
  double cycles = cycles_of(v, a, lines, n);
  if (a->atomic) /* what it says is of loads */
    s = (struct miss_rate){0};
  for (unsigned i = 0; i < n; i++) {
    double d = a->store || a->atomic
                   ? store_line(v, start + i, lines[i], s, cycles)
                   : load_line(v, start + i, group, lines[i], s, cycles);
    done = later(done, d);
  }
  if (!a->load)
    return done;
  double bytes = (double)active(a->lanes) * a->bytes;
  v->back = later(done, v->back) + bytes / v->card->l1_rate;
  return v->back;
}
