/* lds_solve.c - see lds_solve.h. */
// SPDX-License-Identifier: MIT
#include "arch/lds_solve.h"

enum {UNITS = 3 /* chunks of 1, 2 and 4 widest accesses */};

struct position {
  unsigned row, column; /* bytes */
};

uint64_t lds_tile_bytes(const struct lds_tile *t, const struct lds_way *w)
{
  return (uint64_t)t->rows * (t->row_bytes + w->pad);
}

uint64_t lds_address(const struct lds_tile *t, const struct lds_way *w,
                     unsigned row, unsigned column)
{
  unsigned moved = column ^ (w->mask ? (row & w->mask) * w->unit : 0);
  return (uint64_t)row * (t->row_bytes + w->pad) + moved;
}

/* --- walks --------------------------------------------------------------- */

/* What a lane moves with instruction n. */
static struct position position_of(const struct lds_layout *y,
                                   const struct lds_tile *t,
                                   const struct lds_use *u, unsigned n,
                                   unsigned lane)
{
  unsigned across = y->wave / u->down;
  if (u->walk == LDS_COLUMNS) {
    unsigned blocks = t->rows / u->down;
    return (struct position){n % blocks * u->down + lane % u->down,
                          (n / blocks * across + lane / u->down) * u->bytes};
  }
  if (u->walk == LDS_TURNED) {
    unsigned vector = n / u->run * y->wave + lane, high = t->rows / u->run;
    return (struct position){vector % high * u->run + n % u->run,
                          vector / high * u->bytes};
  }
  unsigned at = (n * across + lane / u->down) * u->bytes;
  return (struct position){at / t->row_bytes, at % t->row_bytes};
}

uint64_t lds_lane_address(const struct lds_layout *y, const struct lds_tile *t,
                          const struct lds_use *u, const struct lds_way *w,
                          unsigned n, unsigned lane)
{
  struct position at = position_of(y, t, u, n, lane);
  return lds_address(t, w, at.row, at.column);
}

static unsigned instructions(const struct lds_layout *y,
                             const struct lds_tile *t,
                             const struct lds_use *u)
{
  return t->rows * t->row_bytes / (u->bytes * y->wave);
}

int lds_use_fits(const struct lds_layout *y, const struct lds_tile *t,
                 const struct lds_use *u, const char **why)
{
  unsigned down = u->walk == LDS_TURNED ? 1 : u->down;
  unsigned high = u->walk == LDS_TURNED ? u->run
                  : u->walk == LDS_COLUMNS ? u->down : 1;
  *why = NULL;
  if (t->row_bytes % u->bytes)
    *why = "an access does not end with its row";
  else if (!down || y->wave % down)
    *why = "the lanes that go down or share are no part of a wave";
  else if (t->rows % high)
    *why = "lanes go down past the last row";
  else if (u->walk == LDS_COLUMNS &&
           t->row_bytes % (y->wave / down * u->bytes))
    *why = "lanes go across past the end of a row";
  else if (t->rows * (uint64_t)t->row_bytes % (u->bytes * y->wave))
    *why = "the tile is no whole number of a wave's accesses";
  return !*why;
}

struct lds_price lds_price(const struct lds_layout *y,
                           const struct lds_tile *t, const struct lds_use *u,
                           const struct lds_way *w)
{
  struct lds_price p = {instructions(y, t, u), 0, 0};
  for (unsigned n = 0; n < p.instructions; n++) {
    uint64_t address[LDS_LANES];
    unsigned phases;
    for (unsigned l = 0; l < y->wave; l++)
      address[l] = lds_lane_address(y, t, u, w, n, l);
    unsigned cycles = lds_cycles(y, u->kind, u->bytes, lds_wave(y), address,
                                 &phases);
    p.cycles += cycles;
    p.conflicts += cycles - phases;
  }
  return p;
}

/* --- ways ---------------------------------------------------------------- */

/* Bytes of the widest access: pads keep it aligned, chunks whole. */
static unsigned widest(const struct lds_use *uses, size_t n)
{
  unsigned most = 4;
  for (size_t i = 0; i < n; i++)
    most = uses[i].bytes > most ? uses[i].bytes : most;
  return most;
}

/* Pads repeat themselves after one turn around the banks. */
static unsigned turn(const struct lds_layout *y, const struct lds_use *uses,
                     size_t n)
{
  unsigned banks = 1;
  for (size_t i = 0; i < n; i++) {
    unsigned b = lds_phases_find(y, uses[i].kind, uses[i].bytes)->banks;
    banks = b > banks ? b : banks;
  }
  return 4 * banks;
}

struct list {
  struct lds_way *at;
  size_t n;
};

static void add(struct list *l, unsigned pad, unsigned mask, unsigned unit)
{
  if (l->n < LDS_WAYS)
    l->at[l->n++] = (struct lds_way){pad, mask, unit};
}

/* Pads of which as many tiles fit into the budget as of none (`free`), or of
 * which fewer, but one, do. */
static void add_pads(struct list *l, const struct lds_tile *t, unsigned step,
                     unsigned end, uint64_t budget, int free)
{
  uint64_t most = budget / lds_tile_bytes(t, &(struct lds_way){0, 0, 0});
  for (unsigned pad = step; pad < end; pad += step) {
    struct lds_way w = {pad, 0, 0};
    uint64_t fit = budget / lds_tile_bytes(t, &w);
    if (fit && (fit == most) == free)
      add(l, pad, 0, 0);
  }
}

/* The mask must leave columns inside of the row, and has no use beyond the
 * rows that there are. */
static void add_masks(struct list *l, const struct lds_tile *t, unsigned step)
{
  for (unsigned phases = 2; phases <= t->rows; phases *= 2)
    for (unsigned k = 0; k < UNITS; k++)
      if (t->row_bytes % (phases * (step << k)) == 0)
        add(l, 0, phases - 1, step << k);
}

size_t lds_ways(const struct lds_layout *y, const struct lds_tile *t,
                const struct lds_use *uses, size_t n, uint64_t budget,
                struct lds_way out[LDS_WAYS])
{
  struct list l = {out, 0};
  unsigned step = widest(uses, n), end = turn(y, uses, n);
  if (lds_tile_bytes(t, &(struct lds_way){0, 0, 0}) > budget)
    return 0;
  add(&l, 0, 0, 0);
  add_pads(&l, t, step, end, budget, 1);
  add_masks(&l, t, step);
  add_pads(&l, t, step, end, budget, 0);
  return l.n;
}

int lds_solve(const struct lds_layout *y, const struct lds_tile *t,
              const struct lds_use *uses, size_t n, uint64_t budget,
              struct lds_solution *out)
{
  struct lds_way ways[LDS_WAYS];
  size_t nways = lds_ways(y, t, uses, n, budget, ways);
  *out = (struct lds_solution){.tight = nways > 1 && ways[1].pad == 0};
  for (size_t i = 0; i < nways; i++) {
    uint64_t cycles = 0, conflicts = 0;
    for (size_t k = 0; k < n; k++) {
      struct lds_price p = lds_price(y, t, &uses[k], &ways[i]);
      cycles += p.cycles;
      conflicts += p.conflicts;
    }
    if (i && conflicts >= out->conflicts)
      continue;
    out->way = ways[i];
    out->cycles = cycles;
    out->conflicts = conflicts;
    if (conflicts == 0)
      break;
  }
  return nways != 0;
}
