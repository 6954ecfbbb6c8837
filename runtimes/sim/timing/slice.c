/* slice.c - see slice.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/timing/slice.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runtimes/sim/run/memory.h"
#include "runtimes/sim/timing/exec_mask.h"

struct slice {
  struct idle *idle; /* of each dword */
  struct dispatch dispatch;
  struct kernel kernel;
  struct object object;
};

enum {BUFFER_SGPRS = 4};

struct search {
  const struct kernel *kernel;
  const struct object *o;
  struct dataflow flow;
  unsigned char *reached; /* of each dword: an instruction that may be executed */
  uint32_t first, end;    /* those lie in [first, end) */
  int one_buffer;         /* MUBUF's instructions all name the same */
};

/* --- which instructions there are ----------------------------------------- */

/* They lead to other code, change which registers are meant, or write two. */
static const char *const unclear[] = {
    "s_setpc", "s_swappc", "s_call", "s_cbranch_g_fork", "s_cbranch_i_fork",
    "s_cbranch_join", "s_rfe", "s_movrel", "s_setvskip", "s_set_gpr_idx", "v_movrel",
    "v_swap", "v_permlane16_swap", "v_permlane32_swap",
};

/* A plain store can be left out (INST_ADDRESS); atomics, stores of another format and
 * those of the scalar unit can't. */
static int writes_unclear(const struct inst *i)
{
  if (!inst_writes(i) || i->unit == UNIT_LDS)
    return 0;
  return i->unit != UNIT_VMEM || i->format == MTBUF ||
         memory_op_find(i->as)->kind != MEMORY_STORE;
}

static int names(const struct inst *i, unsigned code)
{
  return i->src[0] == code || i->src[1] == code || i->src[2] == code;
}

static int is_clear(const struct inst *i)
{
  return i->exec && i->format != FLAT && !(i->flags & INST_GDS) &&
         !names(i, CODE_VCCZ) && !writes_unclear(i) && !DATAFLOW_BEGINS(i, unclear);
}

/* Mark what may be executed from pc on, as far as it goes on; put the places to which
 * branches lead into branches[]. 0: something is not clear. */
static int reach_from(struct search *s, uint32_t pc, uint32_t *branches, uint32_t *n)
{
  const struct inst *code = s->o->code;
  for (; pc < s->o->ncode && !s->reached[pc]; pc += code[pc].words) {
    const struct inst *i = &code[pc];
    if (!is_clear(i))
      return 0;
    s->reached[pc] = 1;
    s->first = pc < s->first ? pc : s->first;
    s->end = pc < s->end ? s->end : pc + 1;
    if (i->unit == UNIT_BRANCH)
      branches[(*n)++] = dataflow_target(code, pc);
    if (!dataflow_goes_on(i))
      return 1;
  }
  return pc < s->o->ncode;
}

static int reach(struct search *s, uint32_t entry)
{
  uint32_t *branches = mem_array(s->o->ncode + 1, sizeof *branches), n = 1;
  int clear = 1;
  branches[0] = entry;
  while (clear && n) {
    uint32_t pc = branches[--n];
    clear = reach_from(s, pc, branches, &n);
  }
  free(branches);
  return clear;
}

/* --- which of them run ---------------------------------------------------- */

/* Of the VALU: what writes an SGPR or EXEC. Other masks may be for values alone. */
static int always_runs(const struct dataflow_step *p)
{
  return p->scalar.width == 1 || dataflow_writes_exec(p->i, p->scalar);
}

static void need_address(struct dataflow *f, uint32_t at)
{
  const struct inst *i = f->steps[at].i;
  dataflow_need(f, at, i->src[0], inst_source_width(i, 0));
}

static int is_store(const struct inst *i)
{
  return i->unit == UNIT_VMEM && inst_writes(i);
}

/* What runs in any case, and addresses, but those of stores. */
static void begin(struct dataflow *f, uint32_t at)
{
  const struct inst *i = f->steps[at].i;
  if (is_store(i))
    return;
  if (!strncmp(inst_name(i), "ds_swizzle", 10))
    return; /* it has no address */
  if (i->unit == UNIT_LDS || i->unit == UNIT_VMEM)
    need_address(f, at);
  else if (i->unit != UNIT_VALU || always_runs(&f->steps[at]))
    dataflow_run(f, at);
  if (i->format == SMEM)
    dataflow_need(f, at, i->srsrc, BUFFER_SGPRS);
  dataflow_need_scalars(f, at);
}

/* Two memories that nobody else writes to: the LDS, and private memory, which a buffer
 * is where the kernel has some and names no other. */
static int uses_lds(const struct search *s, const struct inst *i)
{
  (void)s;
  return i->unit == UNIT_LDS || (i->unit == UNIT_VMEM && i->flags & INST_LDS) ||
         strstr(inst_name(i), "_load_lds_");
}

static int is_private(const struct search *s, const struct inst *i)
{
  return i->format == SCRATCH ||
         (i->format == MUBUF && s->kernel->scratch && s->one_buffer &&
          !s->o->isa->own_scratch);
}

/* Where one value out of such a memory matters, all that goes in may. 1: something
 * has changed by that. */
static int run_all(struct search *s, int is_one(const struct search *, const struct inst *))
{
  struct dataflow *f = &s->flow;
  uint32_t run = 0, all = 0;
  for (uint32_t n = 0; n < f->n; n++)
    if (is_one(s, f->steps[n].i)) {
      all++;
      run += f->steps[n].runs != 0;
    }
  if (!run || run == all)
    return 0;
  for (uint32_t n = 0; n < f->n; n++)
    if (is_one(s, f->steps[n].i))
      dataflow_run(f, n);
  dataflow_trace(f);
  return 1;
}

static void trace(struct search *s)
{
  dataflow_trace(&s->flow);
  while (run_all(s, uses_lds) || run_all(s, is_private))
    ;
}

/* Does a value of memory matter that the kernel itself may have written? */
static int reads_own(const struct search *s)
{
  int loads = 0, stores = 0;
  for (uint32_t n = 0; n < s->flow.n; n++) {
    const struct inst *i = s->flow.steps[n].i;
    if (i->unit != UNIT_VMEM || is_private(s, i))
      continue;
    stores |= is_store(i);
    loads |= s->flow.steps[n].runs;
  }
  return loads && stores;
}

static int has_one_buffer(const struct dataflow *f)
{
  unsigned first = SGPR_CODES;
  for (uint32_t n = 0; n < f->n; n++) {
    const struct inst *i = f->steps[n].i;
    if (i->format != MUBUF)
      continue;
    if (first != SGPR_CODES && i->srsrc != first)
      return 0;
    first = i->srsrc;
  }
  return 1;
}

static int find(struct search *s)
{
  struct dataflow *f = &s->flow;
  f->code = s->o->code;
  f->makers = 1u << UNIT_VALU | 1u << UNIT_LDS | 1u << UNIT_VMEM;
  dataflow_open(f, s->end - s->first);
  for (uint32_t pc = s->first; pc < s->end; pc++)
    if (s->reached[pc])
      dataflow_add(f, pc);
  dataflow_link(f);
  exec_mask_find(f, s->kernel->entry);
  s->one_buffer = has_one_buffer(f);
  for (uint32_t n = 0; n < f->n; n++)
    begin(f, n);
  trace(s);
  if (reads_own(s))
    return 0;
  /* Stores' addresses may seem to come from loads where a register had another value
   * before, in lanes that are off. Where they do, and from what the kernel itself
   * wrote, the slice may ask for memory that is not there: model.c. */
  for (uint32_t n = 0; n < f->n; n++)
    if (is_store(f->steps[n].i)) {
      need_address(f, n);
      dataflow_need_scalars(f, n);
    }
  trace(s);
  return 1;
}

/* --- the code of the slice ------------------------------------------------ */

static void nothing(struct wave *w, const struct inst *i)
{
  (void)w;
  (void)i;
}

static struct inst *write_code(const struct search *s)
{
  struct inst *code = mem_array(s->o->ncode, sizeof *code);
  for (uint32_t n = 0; n < s->flow.n; n++) {
    const struct dataflow_step *p = &s->flow.steps[n];
    struct inst *i = &code[p->pc];
    *i = *p->i;
    if (p->runs)
      continue;
    if (i->unit == UNIT_VALU)
      i->exec = nothing;
    else
      i->flags |= INST_ADDRESS;
  }
  return code;
}

/* From the end on, as each counts what is behind it. */
static struct idle *count_idle(const struct search *s)
{
  enum {MOST = UINT16_MAX / 8};
  struct idle *idle = mem_array(s->o->ncode, sizeof *idle);
  for (uint32_t n = s->flow.n; n-- > 0;) {
    const struct dataflow_step *p = &s->flow.steps[n];
    struct idle next = {0, 0};
    if (n + 1 < s->flow.n && dataflow_follows(&s->flow, n + 1))
      next = idle[s->flow.steps[n + 1].pc];
    if (!p->runs && next.insts < MOST)
      idle[p->pc] = (struct idle){(uint16_t)(next.insts + 1),
                                  (uint16_t)(next.dwords + p->i->words)};
  }
  return idle;
}

static struct slice *make(const struct dispatch *d, const struct search *s)
{
  struct slice *out = mem_alloc(sizeof *out);
  out->object = *s->o;
  out->object.code = write_code(s);
  out->kernel = *d->kernel;
  out->kernel.object = &out->object;
  out->dispatch = *d;
  out->dispatch.kernel = &out->kernel;
  out->dispatch.idle = out->idle = count_idle(s);
  return out;
}

struct slice *slice_open(const struct dispatch *d)
{
  if (d->watch || d->hostcall)
    return NULL;
  struct search s = {.kernel = d->kernel, .o = d->kernel->object};
  s.first = (uint32_t)s.o->ncode;
  s.reached = mem_array(s.o->ncode, 1);
  struct slice *out = NULL;
  if (reach(&s, d->kernel->entry) && find(&s))
    out = make(d, &s);
  dataflow_close(&s.flow);
  free(s.reached);
  return out;
}

const struct dispatch *slice_dispatch(const struct slice *s)
{
  return &s->dispatch;
}

void slice_close(struct slice *s)
{
  if (!s)
    return;
  free(s->object.code);
  free(s->idle);
  free(s);
}
