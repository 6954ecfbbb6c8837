/* lds_solve.h - how to lay out a tile in LDS so that its accesses do not meet.
 *
 * A tile has rows that lie one behind the other. Two cures for bank conflicts:
 *
 *   pad   bytes after each row
 *   XOR   chunk c of row r lies where chunk c ^ (r & mask) would; a chunk is
 *         `unit` bytes, mask + 1 is what AMD's note calls the max phase
 *
 * lds_solve() takes the cheapest that is free of conflicts over all accesses
 * to the tile, or else has the fewest, in this order: the tile as it is; a pad
 * that lets as many tiles into the budget as none, smallest first (it costs
 * no instruction); an XOR (it costs no LDS), smallest first; larger pads.
 */
// SPDX-License-Identifier: MIT
#ifndef arch_lds_solve_h
#define arch_lds_solve_h

#include "arch/lds_banks.h"

struct lds_tile {
  unsigned rows, row_bytes; /* a multiple of 4 */
};

/* How a wave goes over the tile with one kind of instruction. */
enum lds_walk {
  LDS_ALONG,  /* lanes along the rows; `down` lanes each share an access */
  LDS_COLUMNS, /* `down` lanes down, the rest across */
  LDS_TURNED, /* vectors of `run` elements of `bytes` go down the columns,
                 an instruction each element */
};

struct lds_use {
  enum lds_kind kind;
  enum lds_walk walk;
  unsigned bytes; /* a lane: 4, 8 or 16 */
  unsigned down;  /* LDS_ALONG, LDS_COLUMNS: at least 1 */
  unsigned run;   /* LDS_TURNED: at least 1 */
};

struct lds_way {
  unsigned pad;        /* bytes */
  unsigned mask, unit; /* mask 0: no XOR; unit in bytes */
};

struct lds_price {
  uint64_t instructions, cycles, conflicts; /* of all over the tile */
};

/* What all accesses of a use cost: each part of the tile once. */
struct lds_price lds_price(const struct lds_layout *y,
                           const struct lds_tile *t, const struct lds_use *u,
                           const struct lds_way *w);

/* 0 and a reason where the lanes do not fit the tile evenly. */
int lds_use_fits(const struct lds_layout *y, const struct lds_tile *t,
                 const struct lds_use *u, const char **why);

/* Where in LDS the byte at row, column lies. */
uint64_t lds_address(const struct lds_tile *t, const struct lds_way *w,
                     unsigned row, unsigned column);
/* Where a lane's part of instruction n of a use lies. */
uint64_t lds_lane_address(const struct lds_layout *y, const struct lds_tile *t,
                          const struct lds_use *u, const struct lds_way *w,
                          unsigned n, unsigned lane);
uint64_t lds_tile_bytes(const struct lds_tile *t, const struct lds_way *w);

enum {LDS_WAYS = 256};

/* All ways that keep the accesses whole and aligned, the cheapest first, for
 * a budget of so many bytes; those that do not fit into it are left out. */
size_t lds_ways(const struct lds_layout *y, const struct lds_tile *t,
                const struct lds_use *uses, size_t n, uint64_t budget,
                struct lds_way out[LDS_WAYS]);

struct lds_solution {
  struct lds_way way;
  uint64_t cycles, conflicts; /* of all uses */
  int tight; /* with any pad fewer tiles fit into the budget */
};

/* 0 where not even the tile as it is fits into the budget. */
int lds_solve(const struct lds_layout *y, const struct lds_tile *t,
              const struct lds_use *uses, size_t n, uint64_t budget,
              struct lds_solution *out);

#endif
