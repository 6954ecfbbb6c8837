/* flow.c - see flow.h. */
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tuner/diagnose/flow.h"

/* The first that a mnemonic begins with. */
static const struct {
  const char *begin;
  enum flow_kind kind;
} kinds[] = {
  {"ds_bpermute", FLOW_LDS_EXCHANGE},
  {"ds_permute", FLOW_LDS_EXCHANGE},
  {"ds_swizzle", FLOW_LDS_EXCHANGE},
  {"ds_read", FLOW_LDS_READ},
  {"ds_load", FLOW_LDS_READ}, /* as gfx11 and later call it */
  {"ds_", FLOW_LDS_WRITE},
  {"s_load", FLOW_SCALAR_LOAD},
  {"s_buffer_load", FLOW_SCALAR_LOAD},
  {"s_scratch_load", FLOW_SCALAR_LOAD},
  {"s_memtime", FLOW_SCALAR_LOAD},
  {"s_memrealtime", FLOW_SCALAR_LOAD},
  {"global_", FLOW_MEMORY},
  {"buffer_", FLOW_MEMORY},
  {"tbuffer_", FLOW_MEMORY},
  {"flat_", FLOW_MEMORY},
  {"scratch_", FLOW_MEMORY},
  {"image_", FLOW_MEMORY},
  {"s_waitcnt", FLOW_WAIT},
  {"s_wait_", FLOW_WAIT},
  {"s_barrier", FLOW_BARRIER},
  {"s_cbranch", FLOW_BRANCH},
  {"s_branch", FLOW_BRANCH},
  {"v_mfma", FLOW_MATRIX},
  {"v_smfmac", FLOW_MATRIX},
  {"v_wmma", FLOW_MATRIX},
  {"v_swmmac", FLOW_MATRIX},
  {"v_", FLOW_VECTOR},
};

enum {
  KINDS = sizeof kinds / sizeof *kinds,
  PASSES = 64, /* no kernel nests its loops so deep; a damaged trace may */
};

enum flow_kind flow_kind(const char *text)
{
  for (size_t i = 0; i < KINDS; i++)
    if (!strncmp(text, kinds[i].begin, strlen(kinds[i].begin)))
      return kinds[i].kind;
  return FLOW_OTHER;
}

int flow_width(const char *text)
{
  static const struct {
    const char *in;
    int words;
  } widths[] = {{"b128", 4}, {"b96", 3}, {"b64", 2}, {"f64", 2}, {"u64", 2}};
  for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
    if (strstr(text, widths[i].in))
      return widths[i].words;
  return 1;
}

/* --- waits --------------------------------------------------------------- */

/* "lgkmcnt(0)": the count, or -1 where the wait does not name it. */
static long counted(const char *text, const char *name)
{
  const char *at = strstr(text, name);
  return at ? strtol(at + strlen(name), NULL, 10) : -1;
}

static void read_wait(const char *text, struct flow *f)
{
  /* gfx12 has a counter for each: s_wait_dscnt 0x0 */
  long lds = counted(text, "lgkmcnt(");
  if (lds < 0 && strstr(text, "dscnt"))
    lds = strtol(text + strcspn(text, " "), NULL, 0);
  f->all = lds == 0;
  f->waits = (lds >= 0 ? FLOW_WAITS_LDS : 0)
             | (strstr(text, "vmcnt") || strstr(text, "loadcnt") ?
                FLOW_WAITS_MEMORY : 0);
}

/* --- the kernel's ways --------------------------------------------------- */

/* What leaves an instruction, for those behind it. */
struct state {
  unsigned pending;
  size_t from_write;
};

static const unsigned lds_counted = 1 << FLOW_LDS_READ | 1 << FLOW_LDS_WRITE
                                    | 1 << FLOW_LDS_EXCHANGE
                                    | 1 << FLOW_SCALAR_LOAD;

static struct state behind(const struct flow *f)
{
  struct state s = {f->pending, f->from_write};
  if (f->kind == FLOW_WAIT && f->all)
    s.pending &= ~lds_counted;
  else if (f->kind >= FLOW_LDS_READ && f->kind <= FLOW_SCALAR_LOAD)
    s.pending |= 1u << f->kind;
  if (f->kind == FLOW_LDS_WRITE)
    s.from_write = 0;
  else if (s.from_write < SIZE_MAX)
    s.from_write++;
  return s;
}

/* 1 where that changed it. */
static int join(struct flow *f, struct state s)
{
  unsigned pending = f->pending | s.pending;
  size_t from_write = s.from_write < f->from_write ? s.from_write
                                                   : f->from_write;
  int changed = pending != f->pending || from_write != f->from_write;
  f->pending = pending;
  f->from_write = from_write;
  return changed;
}

/* "s_cbranch_scc1 65520": dwords from the next instruction on, 16 bits with a
 * sign. Where the disassembler wrote a label, the way is not known. */
size_t flow_target(const struct att_kernel *k, size_t i)
{
  const char *number = k->rows[i].text + strcspn(k->rows[i].text, " ");
  char *end;
  long dwords = strtol(number, &end, 0);
  if (end == number)
    return k->nrows;
  return att_row_at(k, k->rows[i].address + 4
                       + (uint64_t)((int64_t)(int16_t)dwords * 4));
}

/* One pass in the order of addresses; 1 where something changed. The first
 * tells most, each further one follows branches back one loop further out. */
static int pass(const struct att_kernel *k, struct flow *f)
{
  int changed = 0;
  for (size_t i = 0; i < k->nrows; i++) {
    struct state s = behind(&f[i]);
    const char *text = k->rows[i].text;
    if (f[i].kind == FLOW_BRANCH) {
      size_t to = flow_target(k, i);
      if (to < k->nrows)
        changed |= join(&f[to], s);
    }
    int falls = strncmp(text, "s_branch", 8) && strncmp(text, "s_endpgm", 8);
    if (falls && i + 1 < k->nrows)
      changed |= join(&f[i + 1], s);
  }
  return changed;
}

struct flow *flow_of(const struct att_kernel *k)
{
  struct flow *f = mem_array(k->nrows + 1, sizeof *f);
  for (size_t i = 0; i < k->nrows; i++) {
    f[i] = (struct flow){.kind = flow_kind(k->rows[i].text),
                         .from_write = SIZE_MAX};
    if (f[i].kind == FLOW_WAIT)
      read_wait(k->rows[i].text, &f[i]);
  }
  for (int i = 0; i < PASSES && pass(k, f); i++)
    ;
  return f;
}
