/* init.c - what nobody wrote, and who uses it.
 *
 * Of memory that hipMalloc gave it is known, byte by byte, whether a copy, a
 * fill or a kernel wrote there since; of LDS since its workgroup began. Loads of
 * such bytes are legal: of what lies between rows, or behind the last element of
 * a vector. So a load is no finding. It makes the register unknown, lane by
 * lane, if none of the bytes that a register gets from it was written. What is
 * calculated of it is unknown as well: tiles are multiplied to their full size, and
 * what nobody wants is thrown away. A finding is where it matters: in an address,
 * in a comparison, in an atomic, or as a result that is stored to memory. What was
 * only moved may be stored, too.
 */
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runtimes/sim/check/inside.h"
#include "runtimes/sim/run/ds.h"
#include "runtimes/sim/run/memory.h"
#include "runtimes/sim/run/vector/vector.h"

/* --- memory --------------------------------------------------------------- */

enum {PIECE_BITS = 18, PIECE = 1 << PIECE_BITS, WORDS = PIECE / 64};
enum {WRITTEN, MIXED, UNWRITTEN};

struct piece {
  int state;
  uint32_t left;  /* MIXED: bytes that nobody wrote */
  uint64_t *bits; /* MIXED: a bit for each of them */
};

static void gone(void *at)
{
  free(((struct piece *)at)->bits);
}

static void become(struct piece *p, int state)
{
  free(p->bits);
  *p = (struct piece){.state = state};
}

static void mix(struct piece *p)
{
  int before = p->state;
  if (before == MIXED)
    return;
  *p = (struct piece){MIXED, before == UNWRITTEN ? PIECE : 0,
                      mem_array(WORDS, sizeof *p->bits)};
  if (before == UNWRITTEN)
    memset(p->bits, 0xff, WORDS * sizeof *p->bits);
}

/* Bytes [first, end) of a piece. */
static void set_bits(struct piece *p, unsigned first, unsigned end, int state)
{
  mix(p);
  while (first < end) {
    unsigned n = 64 - first % 64;
    n = n < end - first ? n : end - first;
    uint64_t *word = &p->bits[first / 64];
    uint64_t mask = ~(uint64_t)0 >> (64 - n) << first % 64;
    p->left -= (uint32_t)__builtin_popcountll(*word & mask);
    *word = state == UNWRITTEN ? *word | mask : *word & ~mask;
    p->left += (uint32_t)__builtin_popcountll(*word & mask);
    first += n;
  }
  if (!p->left)
    become(p, WRITTEN);
}

static void set(struct check *c, uint64_t at, uint64_t end, int state)
{
  c->written.bytes = sizeof(struct piece);
  while (at < end) {
    uint64_t next = (at | (PIECE - 1)) + 1;
    unsigned first = at & (PIECE - 1);
    unsigned n = (unsigned)((next < end ? next : end) - at);
    struct piece *p = state == UNWRITTEN
                          ? shadow_at(&c->written, at >> PIECE_BITS)
                          : shadow_known(&c->written, at >> PIECE_BITS);
    if (p && n == PIECE)
      become(p, state);
    else if (p && p->state != state)
      set_bits(p, first, first + n, state);
    at += n;
  }
}

void init_allocated(struct check *c, uint64_t at, uint64_t bytes)
{
  if (c->kinds & CHECK_INIT)
    set(c, at, at + bytes, UNWRITTEN);
}

void init_unwritten(struct check *c, uint64_t at, uint64_t bytes)
{
  set(c, at, at + bytes, UNWRITTEN);
}

void init_written(struct check *c, uint64_t at, uint64_t bytes)
{
  if (c->written.n)
    set(c, at, at + bytes, WRITTEN);
}

/* How many of up to 16 bytes nobody wrote. */
static unsigned unwritten(struct check *c, uint64_t at, unsigned bytes)
{
  unsigned n = 0;
  for (uint64_t end = at + bytes; at < end; at++) {
    const struct piece *p = shadow_known(&c->written, at >> PIECE_BITS);
    unsigned byte = at & (PIECE - 1);
    n += p && (p->state == UNWRITTEN ||
               (p->state == MIXED && p->bits[byte / 64] >> byte % 64 & 1));
  }
  return n;
}

void init_free(struct check *c)
{
  shadow_empty(&c->written, gone);
}

/* --- registers ------------------------------------------------------------ */

static struct unknown *unknown_of(struct group_check *g, const struct wave *w)
{
  struct unknown **u = &g->unknown[w->index];
  if (!*u)
    *u = mem_array(UNKNOWN_ROOM, sizeof **u);
  return g->waves[w->index].entries = *u;
}

/* The register has something unknown, or nothing any more. */
static void mark(struct wave_check *s, const struct unknown *u)
{
  size_t n = (size_t)(u - s->entries);
  uint64_t bit = (uint64_t)1 << n % 64;
  s->maybe[n / 64] = u->lanes ? s->maybe[n / 64] | bit
                              : s->maybe[n / 64] & ~bit;
}

static void forget(struct wave_check *s, struct unknown *u, uint64_t lanes)
{
  if (!u->lanes)
    return;
  u->lanes &= ~lanes;
  s->unknown -= !u->lanes;
  mark(s, u);
}

static void learn(struct wave_check *s, struct unknown *to, uint64_t lanes,
                  struct unknown from)
{
  uint64_t all = to->lanes | lanes;
  s->unknown += !to->lanes && all;
  *to = from;
  to->lanes = all;
  mark(s, to);
}

static void put_register(char *out, size_t size, unsigned n)
{
  unsigned s = n - REGISTERS;
  if (n >= REGISTERS && (s == CODE_VCC || s == CODE_VCC + 1))
    snprintf(out, size, "%s", s == CODE_VCC ? "vcc_lo" : "vcc_hi");
  else
    snprintf(out, size, "%c%u", n >= REGISTERS ? 's' : n < 256 ? 'v' : 'a',
             n >= REGISTERS ? s : n & 255);
}

/* *u is what is known of the register in these lanes. */
static void tell(struct check *c, struct group_check *g, const struct wave *w,
                 const struct site *site, const struct unknown *u, uint64_t lanes)
{
  unsigned n = (unsigned)(u - g->unknown[w->index]);
  int lane = n >= REGISTERS ? -1 : __builtin_ctzll(lanes);
  struct side use = {site, "used by", w->index, lane, g->index};
  struct side load = {u->site, "loads it in", w->index, lane, g->index};
  const char *where = u->lds ? "LDS" : "memory";
  char name[16];
  put_register(name, sizeof name, n);
  if (!u->lds && u->site && wave_owns(w, u->at))
    where = "private memory";
  if (!u->site)
    report(c, CHECK_INIT, g, use, load, u->result
               ? "%s comes of a register that the kernel never wrote"
               : "the kernel never wrote %s", name);
  else
    report(c, CHECK_INIT, g, use, load, "%s comes of %s 0x%llx, which nobody "
           "wrote", name, where, (unsigned long long)u->at);
}

static void use(struct check *c, struct group_check *g, const struct wave *w,
                const struct site *site, struct span r, unsigned base,
                uint64_t lanes)
{
  struct wave_check *s = &g->waves[w->index];
  struct unknown *u = g->unknown[w->index] + base;
  for (unsigned n = r.first; n < r.first + r.n; n++) {
    uint64_t hit = u[n].lanes & lanes;
    if (!hit || (site->compares && !u[n].site))
      continue;
    tell(c, g, w, site, &u[n], hit);
    forget(s, &u[n], hit); /* what comes of it is not told as well */
  }
}

/* Registers that the instruction reads, as far as init.c keeps them. */
struct sources {
  const struct unknown *u; /* of the file */
  const struct span *r;
  unsigned n;
  const struct unknown *moved; /* of the first span, what other lanes have */
};

static struct unknown source(struct sources s, unsigned k, unsigned n)
{
  return k == 0 && s.moved ? s.moved[n] : s.u[s.r[k].first + n];
}

/* What is unknown of any in these lanes; low: of the first register of each. A
 * load is named rather than a register that nobody wrote. */
static struct unknown of_any(struct sources s, int low, uint64_t lanes)
{
  struct unknown of = {0};
  for (unsigned k = 0; k < s.n; k++)
    for (unsigned n = 0; n < (low && s.r[k].n ? 1u : s.r[k].n); n++) {
      struct unknown one = source(s, k, n);
      if (one.lanes & lanes) {
        uint64_t all = of.lanes | (one.lanes & lanes);
        of = of.site ? of : one;
        of.lanes = all;
      }
    }
  of.result = 1;
  return of;
}

/* What the instruction hands on to register n of its result: of a move what is
 * unknown of its source; of a selection what is of both. */
static struct unknown handed_on(const struct site *site, struct sources s,
                                unsigned n, uint64_t lanes)
{
  struct unknown of = {0};
  unsigned wanted = site->hands == HANDS_SELECTION ? 2 : 1;
  if (site->hands == HANDS_RESULT)
    return of_any(s, site->low_first && !n, lanes);
  if (!site->hands || s.n < wanted || n >= s.r[0].n || n >= s.r[wanted - 1].n)
    return of;
  of = source(s, 0, n);
  of.lanes &= source(s, wanted - 1, n).lanes;
  return of;
}

static void overwrite(struct wave_check *s, const struct site *site,
                      struct unknown *u, const struct span *to,
                      struct sources from, uint64_t lanes)
{
  struct unknown all = handed_on(site, from, 1, lanes);
  struct unknown low = handed_on(site, from, 0, lanes);
  for (unsigned n = 0; n < to->n; n++) {
    struct unknown of = site->hands != HANDS_RESULT
                            ? handed_on(site, from, n, lanes)
                        : n ? all
                            : low;
    forget(s, &u[to->first + n], lanes);
    if (of.lanes & lanes)
      learn(s, &u[to->first + n], of.lanes & lanes, of);
  }
}

/* Of a mask of lanes that nobody wrote every bit may be covered. */
static void know_masks(struct wave_check *s, struct unknown *u,
                       const struct site *site)
{
  for (unsigned k = 0; k < site->sreads; k++)
    for (unsigned n = 0; n < site->sread[k].n; n++)
      if (!u[site->sread[k].first + n].site)
        forget(s, &u[site->sread[k].first + n], 1);
}

/* --- what lanes get of each other ------------------------------------------- */

enum {DPP_WIDE = 2}; /* registers of source 0 */

/* Source 0 as DPP hands it to other lanes. Returns the lanes that are written. */
static uint64_t move_by_dpp(const struct wave *w, const struct site *site,
                            const struct unknown *u, struct unknown *moved)
{
  uint64_t written = 0;
  for (unsigned n = 0; n < DPP_WIDE; n++) {
    uint32_t from[LANES], to[LANES];
    moved[n] = n < site->vread[0].n ? u[site->vread[0].first + n]
                                    : (struct unknown){0};
    for (unsigned l = 0; l < LANES; l++)
      from[l] = moved[n].lanes >> l & 1;
    written = vector_dpp(w, site->inst, from, to);
    moved[n].lanes = 0;
    for (unsigned l = 0; l < LANES; l++)
      moved[n].lanes |= (uint64_t)(to[l] & 1) << l;
  }
  return written;
}

static void permute(struct wave_check *s, const struct wave *w,
                    const struct site *site, ds_sources_fn *sources_of,
                    const struct span *data)
{
  uint8_t from[LANES];
  struct unknown of = s->entries[data->first];
  struct unknown *to = &s->entries[site->vwrite[0].first];
  uint64_t lanes = WAVE_EXEC(w), unknown = of.lanes & lanes;
  sources_of(w, site->inst, from);
  of.lanes = 0;
  for (unsigned l = 0; l < LANES; l++)
    of.lanes |= (from[l] < LANES ? unknown >> from[l] & 1 : 0) << l;
  forget(s, to, lanes);
  if (of.lanes & lanes)
    learn(s, to, of.lanes & lanes, of);
}

/* A scalar register gets what one lane has. A register that nobody wrote is left
 * alone there: compilers keep scalar registers in lanes of such. */
static void read_lane(struct wave_check *s, const struct wave *w,
                      const struct site *site)
{
  const struct inst *i = site->inst;
  uint64_t on = WAVE_EXEC(w);
  unsigned lane = on ? (unsigned)__builtin_ctzll(on) : 0;
  if (site->exchange == EXCHANGE_LANE)
    lane = scalar_read(w, i, i->src[1]) & (LANES - 1);
  struct unknown of = site->vreads ? s->entries[site->vread[0].first]
                                   : (struct unknown){0};
  struct unknown *to = &s->entries[REGISTERS + site->swrite[0].first];
  forget(s, to, 1);
  if (of.lanes >> lane & 1 && of.site)
    learn(s, to, 1, of);
}

static void write_lane(struct wave_check *s, const struct wave *w,
                       const struct site *site)
{
  const struct inst *i = site->inst;
  uint64_t lane = 1ull << (scalar_read(w, i, i->src[1]) & (LANES - 1));
  struct unknown of = i->src[0] < CODE_INLINE ? s->entries[REGISTERS + i->src[0]]
                                              : (struct unknown){0};
  struct unknown *to = &s->entries[site->vwrite[0].first];
  forget(s, to, lane);
  if (of.lanes)
    learn(s, to, lane, of);
}

/* Returns 0 where the instruction goes on as others do. */
static int exchanged(struct check *c, struct group_check *g,
                     const struct wave *w, const struct site *site)
{
  struct wave_check *s = &g->waves[w->index];
  switch (site->exchange) {
  case EXCHANGE_SWIZZLE:
    permute(s, w, site, ds_swizzle_sources, &site->vread[0]);
    return 1;
  case EXCHANGE_PERMUTE:
  case EXCHANGE_BPERMUTE:
    use(c, g, w, site, site->vread[0], 0, WAVE_EXEC(w));
    permute(s, w, site, site->exchange == EXCHANGE_PERMUTE ? ds_permute_sources
                                                           : ds_bpermute_sources,
            &site->vread[1]);
    return 1;
  case EXCHANGE_FIRST:
  case EXCHANGE_LANE:
    read_lane(s, w, site);
    return 1;
  case EXCHANGE_WRITE:
    write_lane(s, w, site);
    return 1;
  }
  return 0;
}

/* Registers have other numbers than an instruction says. */
static int renumbers(const struct wave *w)
{
  return (w->mode & (MODE_GPR_IDX | MODE_MSB)) != 0;
}

/* --- an instruction --------------------------------------------------------- */

/* What a vector instruction's result gets of scalar registers, alike in all lanes:
 * operands, or the mask that v_cndmask chooses by. */
static struct unknown scalar_part(const struct site *site, struct sources s)
{
  struct sources mask = {s.u, s.r + s.n - 1, 1, NULL};
  if (site->hands == HANDS_RESULT)
    return of_any(s, 0, 1);
  return site->chooses && s.n ? of_any(mask, 0, 1) : (struct unknown){0};
}

void init_before(struct check *c, struct group_check *g, const struct wave *w,
                 const struct site *site)
{
  struct wave_check *s = &g->waves[w->index];
  registers_reveal(g, w, site);
  struct unknown *u = s->entries, moved[DPP_WIDE];
  uint64_t lanes = WAVE_EXEC(w);
  int dpp = site->exchange == EXCHANGE_DPP && site->vreads;
  struct sources v = {u, site->vread, site->across && !dpp ? 0 : site->vreads,
                      dpp ? moved : NULL};
  struct sources scalars = {u + REGISTERS, site->sread, site->sreads, NULL};
  if (renumbers(w) || !u || exchanged(c, g, w, site))
    return;
  if (dpp)
    lanes &= move_by_dpp(w, site, u, moved);
  if (site->masks)
    know_masks(s, u + REGISTERS, site);
  for (unsigned k = dpp; k < v.n && lanes && !site->hands; k++)
    if (!(site->store && k >= site->data))
      use(c, g, w, site, site->vread[k], 0, lanes);
  for (unsigned k = 0; k < site->sreads && !site->hands; k++)
    use(c, g, w, site, site->sread[k], REGISTERS, 1);
  struct unknown scalar = scalar_part(site, scalars);
  for (unsigned k = 0; k < site->vwrites; k++) {
    overwrite(s, site, u, &site->vwrite[k], v, lanes);
    if (scalar.lanes && lanes) /* one for all lanes */
      learn(s, &u[site->vwrite[k].first], lanes, scalar);
  }
  for (unsigned k = 0; k < site->swrites; k++)
    overwrite(s, site, u + REGISTERS, &site->swrite[k], scalars, 1);
}

/* --- loads and stores ----------------------------------------------------- */

/* Register k of those that a lane loads or stores. */
static unsigned register_of(const struct span *r, unsigned spans, unsigned k)
{
  for (unsigned n = 0; n < spans; n++) {
    if (k < r[n].n)
      return r[n].first + k;
    k -= r[n].n;
  }
  return REGISTERS;
}

/* Bytes of `at` that register k gets. */
static unsigned part(unsigned bytes, unsigned k)
{
  return bytes - 4 * k < 4 ? bytes - 4 * k : 4;
}

/* Where dword k of a lane's is: in private memory those of all lanes stand side by
 * side. */
static uint64_t dword_at(const struct wave *w, const struct site *site,
                         unsigned lane, unsigned k)
{
  uint64_t at = w->access.addr[0][lane];
  return at + k * (unsigned)(site->kind != SITE_SMEM && wave_owns(w, at) ? PRIVATE_STEP : 4);
}

static void load_lane(struct check *c, struct group_check *g,
                      const struct wave *w, const struct site *site,
                      unsigned lane)
{
  const struct access *a = &w->access;
  int scalar = site->kind == SITE_SMEM;
  const struct span *r = scalar ? site->swrite : site->vwrite;
  unsigned spans = scalar ? site->swrites : site->vwrites;
  struct unknown *u = unknown_of(g, w) + (scalar ? REGISTERS : 0);
  uint64_t bit = (uint64_t)1 << (scalar ? 0 : lane);
  for (unsigned k = 0; 4 * k < a->bytes; k++) {
    uint64_t at = dword_at(w, site, lane, k);
    unsigned n = part(a->bytes, k), to = register_of(r, spans, k);
    if (to < REGISTERS && unwritten(c, at, n) == n)
      learn(&g->waves[w->index], &u[to], bit, (struct unknown){0, site, at, 0, 0});
  }
}

static void tell_atomic(struct check *c, struct group_check *g,
                        const struct wave *w, const struct site *site,
                        const char *where, uint64_t at, unsigned lane)
{
  struct side side = {site, "changed by", w->index, (int)lane, g->index};
  report(c, CHECK_INIT, g, side, (struct side){0},
         "an atomic on %s 0x%llx, which nobody wrote", where,
         (unsigned long long)at);
}

static void store_lane(struct check *c, struct group_check *g,
                       const struct wave *w, const struct site *site,
                       unsigned lane)
{
  const struct access *a = &w->access;
  const struct unknown *u = g->unknown[w->index];
  uint64_t at = a->addr[0][lane], bit = (uint64_t)1 << lane;
  if (a->atomic && unwritten(c, at, a->bytes) == a->bytes)
    tell_atomic(c, g, w, site, "memory", at, lane);
  for (unsigned k = 0; 4 * k < a->bytes; k++) {
    unsigned from = register_of(site->vread + site->data,
                                site->vreads - site->data, k);
    int known = a->atomic || site->kind == SITE_SMEM || !u ||
                from >= REGISTERS || !(u[from].lanes & bit);
    int own = wave_owns(w, at);
    uint64_t to = dword_at(w, site, lane, k);
    if (!known && own)
      init_unwritten(c, to, part(a->bytes, k));
    if (!known && !own && u[from].result)
      tell(c, g, w, site, &u[from], bit);
    if (known || (u[from].result && !own))
      init_written(c, to, part(a->bytes, k));
  }
}

/* All of it written, or of memory that nobody looks at; *last is where that was
 * known for the lane before. */
static inline int is_written(struct check *c, uint64_t at, unsigned bytes,
                             uint64_t *last)
{
  uint64_t number = at >> PIECE_BITS;
  if (number != (at + bytes - 1) >> PIECE_BITS)
    return 0;
  if (number == *last)
    return 1;
  const struct piece *p = shadow_known(&c->written, number);
  if (p && p->state != WRITTEN)
    return 0;
  *last = number;
  return 1;
}

/* Lanes one behind the other, all of whose bytes have one state: 1 if what is
 * to be done was done. */
static int whole_line(struct check *c, const struct access *a, unsigned first,
                      unsigned lanes)
{
  uint64_t at = a->addr[0][first];
  struct piece *p = shadow_known(&c->written, at >> PIECE_BITS);
  unsigned word = (at & (PIECE - 1)) / 64, words = lanes * a->bytes / 64;
  if (p->state != MIXED || a->atomic)
    return 0;
  uint64_t any = 0;
  for (unsigned n = 0; n < words; n++)
    any |= p->bits[word + n];
  if (any && a->store)
    set_bits(p, word * 64, (word + words) * 64, WRITTEN);
  return !any || a->store;
}

void init_memory(struct check *c, struct group_check *g, const struct wave *w,
                 const struct site *site)
{
  const struct access *a = &w->access;
  int stores = a->store && g->waves[w->index].unknown;
  uint64_t last = UINT64_MAX;
  unsigned lanes, l;
  for (unsigned first = 0; first < LANES; first += lanes) {
    uint64_t all = line_lanes(a, first, &lanes);
    if (all && !stores && is_written(c, a->addr[0][first], 1, &last))
      continue;
    if (all && !stores && whole_line(c, a, first, lanes))
      continue;
    all = ~(uint64_t)0 >> (LANES - lanes) << first;
    FOR_LANES(l, a->lanes & all) {
      if (!stores && is_written(c, a->addr[0][l], a->bytes, &last))
        continue;
      if (a->load && !site->dma && !a->atomic && !renumbers(w))
        load_lane(c, g, w, site, l);
      if (a->store || a->atomic)
        store_lane(c, g, w, site, l);
    }
  }
}

/* --- LDS ------------------------------------------------------------------ */

/* From now on the group's LDS is known byte by byte. */
static void note_bytes(struct group_check *g)
{
  if (g->by_bytes)
    return;
  g->by_bytes = 1;
  for (size_t at = 0; at < g->nlds; at++)
    g->bytes[at] = shared_is_written(g, at) ? 15 : 0;
}

void init_lds_bytes(struct group_check *g, size_t at, unsigned mask)
{
  note_bytes(g);
  g->bytes[at] |= mask;
}

static unsigned lds_unwritten(const struct group_check *g, uint64_t at,
                              unsigned bytes)
{
  unsigned n = 0;
  for (uint64_t end = at + bytes; at < end && at / 4 < g->nlds; at++)
    n += g->by_bytes ? !(g->bytes[at / 4] >> at % 4 & 1)
                     : !shared_is_written(g, at / 4);
  return n;
}

static void load_lds(struct group_check *g, const struct wave *w,
                     const struct site *site, unsigned k, unsigned lane)
{
  const struct access *a = &w->access;
  struct unknown *u = unknown_of(g, w);
  for (unsigned n = 0; 4 * n < a->bytes; n++) {
    uint64_t at = a->addr[k][lane] + 4 * n;
    unsigned bytes = part(a->bytes, n);
    unsigned to = register_of(site->vwrite, site->vwrites,
                              k * ((a->bytes + 3u) / 4) + n);
    if (to < REGISTERS && lds_unwritten(g, at, bytes) == bytes)
      learn(&g->waves[w->index], &u[to], (uint64_t)1 << lane,
            (struct unknown){0, site, at, 1, 0});
  }
}

void init_lds_load(struct group_check *g, const struct wave *w,
                   const struct site *site)
{
  const struct access *a = &w->access;
  unsigned l;
  for (unsigned k = 0; k < a->n && !renumbers(w); k++)
    FOR_LANES(l, a->lanes)
      load_lds(g, w, site, k, l);
}

void init_lds_atomic(struct check *c, struct group_check *g,
                     const struct wave *w, const struct site *site)
{
  const struct access *a = &w->access;
  unsigned l;
  FOR_LANES(l, a->lanes)
    if (lds_unwritten(g, a->addr[0][l], a->bytes) == a->bytes)
      tell_atomic(c, g, w, site, "LDS", a->addr[0][l], l);
}

/* What is unknown stays so in LDS. */
void init_lds_store(struct group_check *g, const struct wave *w,
                    const struct site *site)
{
  const struct access *a = &w->access;
  const struct unknown *u = g->unknown[w->index];
  unsigned l, words = (a->bytes + 3u) / 4;
  for (unsigned k = 0; k < a->n; k++)
    FOR_LANES(l, a->lanes)
      for (unsigned n = 0; n < words; n++) {
        unsigned from = register_of(site->vread + site->data,
                                    site->vreads - site->data, k * words + n);
        uint64_t at = a->addr[k][l] + 4 * n, end = at + part(a->bytes, n);
        if (from >= REGISTERS || !(u[from].lanes >> l & 1))
          continue;
        note_bytes(g);
        for (; at < end && at / 4 < g->nlds; at++)
          g->bytes[at / 4] &= (uint8_t)~(1 << at % 4);
      }
}
