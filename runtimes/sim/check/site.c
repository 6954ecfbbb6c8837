/* site.c - instructions that were executed, and which registers they name. */
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runtimes/sim/check/inside.h"

struct known {
  struct known *next;
  const struct object *object;
  const struct site **at; /* by dword of its code */
};

enum {PIECE = 1 << 10};

/* --- registers ------------------------------------------------------------ */

static void add(struct span *to, uint8_t *n, unsigned first, unsigned width)
{
  if (width)
    to[(*n)++] = (struct span){(uint16_t)first, (uint16_t)width};
}

static void reads(struct site *s, unsigned code, unsigned width)
{
  if (code >= CODE_VGPR)
    add(s->vread, &s->vreads, code - CODE_VGPR, width);
  else if (code < CODE_INLINE)
    add(s->sread, &s->sreads, code, width);
  else if (code == CODE_VCCZ)
    add(s->sread, &s->sreads, CODE_VCC, 2);
  else if (code == CODE_EXECZ)
    add(s->sread, &s->sreads, CODE_EXEC, 2);
}

static void writes(struct site *s, unsigned code, unsigned width)
{
  if (code >= CODE_VGPR)
    add(s->vwrite, &s->vwrites, code - CODE_VGPR, width);
  else if (code < CODE_INLINE)
    add(s->swrite, &s->swrites, code, width);
}

static unsigned width_of(const struct inst *i, const struct op *o, int n)
{
  return o->src[n] == OP_MASK ? 2 : inst_source_width(i, n) & OP_WIDTH;
}

/* What moves data, or selects some of them, does not use them. */
static enum hands hands_of(const char *name)
{
  static const struct {
    const char *prefix;
    enum hands hands;
  } rows[] = {
      {"v_mov_b", HANDS_MOVE}, {"v_accvgpr_", HANDS_MOVE},
      {"v_dual_mov_", HANDS_MOVE}, {"v_dual_cndmask_", HANDS_SELECTION},
      {"v_cndmask_", HANDS_SELECTION}, {"v_perm_", HANDS_SELECTION},
      {"v_alignb", HANDS_SELECTION}, {"v_bfi_", HANDS_SELECTION},
      {"s_mov_b", HANDS_MOVE}, {"s_cselect_", HANDS_SELECTION},
  };
  for (size_t n = 0; n < sizeof rows / sizeof *rows; n++)
    if (!strncmp(name, rows[n].prefix, strlen(rows[n].prefix)))
      return rows[n].hands;
  return HANDS_NOTHING;
}

/* Compilers leave open the high half of a sum of which they want the low one. */
static int is_low_first(const char *name)
{
  static const char *const words[] = {"v_mad_u64_u32", "v_mad_i64_i32",
                                      "v_lshlrev_b64", "v_lshl_add_u64",
                                      "s_lshl_b64"};
  for (size_t n = 0; n < sizeof words / sizeof *words; n++)
    if (!strcmp(name, words[n]))
      return 1;
  return 0;
}

/* Instructions on two numbers of 32 bits: op_sel says which half of a pair the low
 * result is made of, op_sel_hi the same of the high one; v_pk_mov_b32 takes one of each
 * source. Compilers leave open the half that is not taken. */
static void read_source(struct site *s, const struct inst *i, const struct op *o, int n)
{
  unsigned low = i->opsel >> n & 1, high = i->opselhi >> n & 1;
  if (i->format != VOP3P || o->src[n] != 2 || strncmp(o->name, "v_pk_", 5))
    reads(s, i->src[n], width_of(i, o, n));
  else if (low == high || !strcmp(o->name, "v_pk_mov_b32"))
    reads(s, i->src[n] + (i->src[n] < CODE_INLINE || i->src[n] >= CODE_VGPR ? low : 0), 1);
  else
    reads(s, i->src[n], 2);
}

static void vector(struct site *s, const struct inst *i, const struct op *o)
{
  int scalar = o->dst & OP_SCALAR || i->format == VOPC;
  unsigned mask = isa_at(i->isa)->lanes / 32; /* SGPRs of a bit a lane */
  if (scalar)
    writes(s, i->dst, i->format == VOPC ? mask : o->dst & OP_WIDTH);
  else
    writes(s, CODE_VGPR + i->dst, o->dst & OP_WIDTH);
  if (!scalar && (o->dst & OP_CARRY || (i->format == VOP2 && i->sdst)))
    writes(s, i->sdst, mask);
  for (int n = 0; n < 3; n++)
    read_source(s, i, o, n);
  if (inst_scaled(i)) {
    reads(s, i->srsrc, i->flags & INST_SCALE16 ? 2 : 1);
    reads(s, i->sdst, i->flags & INST_SCALE16 ? 2 : 1);
  }
  if (i->format == VOP2 && i->src[2] == CODE_VCC)
    reads(s, CODE_VCC, mask);
  const char *name = o->name;
  s->hands = (uint8_t)hands_of(name);
  if (!s->hands && !scalar)
    s->hands = HANDS_RESULT;
  s->compares = i->format == VOPC || !strncmp(name, "v_cmp", 5);
  s->low_first = is_low_first(name);
  s->chooses = s->hands == HANDS_SELECTION && strstr(name, "_cndmask_") != NULL;
  s->anywhere = strstr(name, "movrel") != NULL;
  s->across = i->flags & INST_DPP || !strncmp(name, "v_read", 6) ||
              !strncmp(name, "v_writelane", 11);
  s->all_lanes = i->flags & INST_DPP || !strncmp(name, "v_readlane", 10) ||
                 !strncmp(name, "v_writelane", 11) || o->matrix;
}

/* With any of n words? */
static int begins_with(const char *name, const char *const *words, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (!strncmp(name, words[i], strlen(words[i])))
      return 1;
  return 0;
}

/* Masks of lanes are put together of parts; what a part leaves open another one
 * covers. */
static int is_bitwise(const char *name)
{
  static const char *const words[] = {"s_and", "s_or", "s_xor", "s_nand", "s_nor",
                                      "s_xnor", "s_not"};
  return begins_with(name, words, sizeof words / sizeof *words);
}

/* An instruction with a constant of 16 bits reads its destination, but for these. */
static int is_write_only(const char *name)
{
  static const char *const names[] = {"s_movk_i32", "s_getreg_b32", "s_call_"};
  return begins_with(name, names, sizeof names / sizeof *names);
}

static void scalar(struct site *s, const struct inst *i, const struct op *o)
{
  unsigned width = o->dst & OP_WIDTH;
  s->hands = (uint8_t)hands_of(o->name);
  s->low_first = is_low_first(o->name);
  s->masks = is_bitwise(o->name);
  s->anywhere = strstr(o->name, "movrel") != NULL;
  if (!s->hands && width)
    s->hands = HANDS_RESULT;
  if (i->format == SOPK) {
    reads(s, i->dst, is_write_only(o->name) ? 0 : width);
    writes(s, i->dst, strncmp(o->name, "s_cmpk", 6) ? width : 0);
    return;
  }
  reads(s, i->src[0], o->src[0] & OP_WIDTH);
  reads(s, i->src[1], o->src[1] & OP_WIDTH);
  writes(s, i->dst, width);
}

static void smem(struct site *s, const struct inst *i, const struct op *o)
{
  s->store = (uint8_t)inst_writes(i);
  s->atomic = strstr(o->name, "_atomic") != NULL;
  reads(s, i->srsrc, o->src[0]);
  if (i->flags & INST_SOFFSET)
    reads(s, i->src[2], 1);
  if (s->store)
    reads(s, i->dst, o->dst);
  if (!s->store || (s->atomic && i->flags & INST_GLC))
    writes(s, i->dst, o->dst);
}

static void memory(struct site *s, const struct inst *i, const struct op *o)
{
  int buffer = i->format >= MUBUF;
  unsigned result = inst_result_width(i);
  s->atomic = strstr(o->name, "_atomic_") != NULL;
  s->store = strstr(o->name, "_store_") || !strncmp(o->name, "ds_write", 8);
  reads(s, i->src[0], inst_source_width(i, 0));
  s->data = s->vreads;
  if (!buffer || s->store || s->atomic)
    reads(s, i->src[1], inst_source_width(i, 1));
  if (i->format == DS)
    reads(s, i->src[2], inst_source_width(i, 2));
  if (s->uncounted) /* addresses in LDS */
    reads(s, CODE_VGPR + i->dst, o->dst);
  else
    writes(s, CODE_VGPR + i->dst, result);
  if (buffer && o->src[1]) {
    reads(s, i->srsrc, 4);
    reads(s, i->src[2], 1);
  }
  if (i->flags & INST_SADDR)
    reads(s, i->src[2], i->format == SCRATCH ? 1 : 2);
  s->across = i->format == DS && (strstr(o->name, "permute") ||
                                  strstr(o->name, "swizzle"));
  if (i->flags & INST_LDS || strstr(o->name, "_load_lds_")) {
    s->dma = 1;
    reads(s, CODE_M0, 1);
  }
}

/* --- kinds ---------------------------------------------------------------- */

enum {S_BARRIER = 0x0a};

static enum site_kind kind_of(const struct inst *i, const struct op *o)
{
  switch (i->format) {
  case SOPP:
    return i->op == S_WAITCNT   ? SITE_WAITCNT
           : i->op == S_BARRIER ? SITE_BARRIER
                                : SITE_OTHER;
  case SMEM:
    return o->dst ? SITE_SMEM : SITE_OTHER;
  case DS:
    return o->dst || o->src[0] ? SITE_LDS : SITE_OTHER;
  case FLAT:
    return SITE_FLAT;
  case GLOBAL:
  case SCRATCH:
    return SITE_VMEM;
  case MUBUF:
  case MTBUF:
    return o->src[1] ? SITE_VMEM : SITE_FENCE;
  }
  return SITE_OTHER;
}

static void tensor(struct site *s, const struct inst *i, const struct op *o)
{
  reads(s, i->src[0], o->src[0]);
  reads(s, i->src[1], o->src[1]);
  reads(s, i->src[2], o->src[2]);
  reads(s, i->srsrc, o->src[2]);
}

static enum exchange exchange_of(const struct inst *i, const struct op *o)
{
  static const struct {
    const char *name;
    enum exchange exchange;
  } rows[] = {
      {"ds_swizzle_b32", EXCHANGE_SWIZZLE}, {"ds_permute_b32", EXCHANGE_PERMUTE},
      {"ds_bpermute_b32", EXCHANGE_BPERMUTE},
      {"v_readfirstlane_b32", EXCHANGE_FIRST},
      {"v_readlane_b32", EXCHANGE_LANE}, {"v_writelane_b32", EXCHANGE_WRITE},
  };
  for (size_t n = 0; n < sizeof rows / sizeof *rows; n++)
    if (!strcmp(o->name, rows[n].name))
      return rows[n].exchange;
  return i->flags & INST_DPP ? EXCHANGE_DPP : EXCHANGE_NONE;
}

static void describe(struct site *s)
{
  const struct inst *i = s->inst;
  const struct op *o = inst_op(i);
  if (!i->legal || !o)
    return;
  s->kind = (uint8_t)kind_of(i, o);
  if (isa_at(i->isa)->encoding == ENCODING_GFX12)
    split_describe(s, o);
  s->glc = (i->flags & INST_GLC) != 0;
  s->cas = strstr(o->name, "_cmpswap") || !strncmp(o->name, "ds_cmpst", 8);
  if (i->format == SMEM)
    smem(s, i, o);
  else if (i->format < VOP1)
    scalar(s, i, o);
  else if (i->format == TENSOR)
    tensor(s, i, o);
  else if (i->format < DS)
    vector(s, i, o);
  else
    memory(s, i, o);
  s->exchange = (uint8_t)exchange_of(i, o);
  registers_of(s);
}

/* --- finding them --------------------------------------------------------- */

const struct site *site_of(const struct check *c, uint32_t who)
{
  uint32_t number = who >> (WHO_LANE + WHO_MASK);
  return &c->sites[number / PIECE][number % PIECE];
}

/* Number 0 is nobody's. When the numbers are used up the last one stands for
 * all further ones. */
static const struct site *learn(struct check *c, struct known *k, uint32_t pc)
{
  if (c->nsites < WHO_SITES - 1)
    c->nsites++;
  uint32_t number = c->nsites;
  size_t piece = number / PIECE;
  if (number == 1 || number % PIECE == 0) {
    c->sites = mem_resize(c->sites, (piece + 1) * sizeof *c->sites);
    c->sites[piece] = mem_array(PIECE, sizeof **c->sites);
  }
  struct site *s = &c->sites[piece][number % PIECE];
  *s = (struct site){.object = k->object, .inst = &k->object->code[pc],
                     .number = number, .pc = pc};
  describe(s);
  return k->at[pc] = s;
}

static struct known *know(struct check *c, const struct object *o)
{
  for (struct known *k = c->known; k; k = k->next)
    if (k->object == o)
      return k;
  struct known *k = mem_alloc(sizeof *k);
  *k = (struct known){c->known, o, mem_array(o->ncode, sizeof *k->at)};
  return c->known = k;
}

static inline const struct site *site_at(struct check *c,
                                         struct wave_check *s,
                                         const struct wave *w, uint32_t pc)
{
  if (!s->known || s->known->object != w->code)
    s->known = know(c, w->code);
  if (pc >= w->code->ncode)
    return NULL;
  const struct site *site = s->known->at[pc];
  return site ? site : learn(c, (struct known *)s->known, pc);
}

const struct site *site_next(struct check *c, struct wave_check *s,
                             const struct wave *w)
{
  return site_at(c, s, w, w->pc);
}

const struct site *site_last(struct check *c, struct wave_check *s,
                             const struct wave *w)
{
  return site_at(c, s, w, w->at);
}

static void keep(struct check *c, const struct known *k)
{
  for (uint32_t pc = 0; pc < k->object->ncode; pc++)
    if (k->at[pc])
      conflicts_keep(c, (struct site *)k->at[pc]);
}

void sites_keep(struct check *c)
{
  for (const struct known *k = c->known; k; k = k->next)
    keep(c, k);
}

void sites_forget(struct check *c, const struct object *o)
{
  for (struct known **at = &c->known; *at;) {
    struct known *k = *at;
    if (k->object != o) {
      at = &k->next;
      continue;
    }
    *at = k->next;
    keep(c, k);
    free(k->at);
    free(k);
  }
}

void sites_free(struct check *c)
{
  while (c->known)
    sites_forget(c, c->known->object);
  for (uint32_t n = 0; c->sites && n <= c->nsites / PIECE; n++)
    free(c->sites[n]);
  free(c->sites);
}
