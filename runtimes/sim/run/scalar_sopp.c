/* scalar_sopp.c - branches, barriers, the end, and what only costs time. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/scalar.h"

#include "runtimes/sim/run/dispatch.h"

/* Memory is in order here, so waiting, hints, caches and trace or priority
 * controls change nothing that a kernel can see. */
static void nothing(struct wave *w, const struct inst *i)
{
  (void)w, (void)i;
}

static void s_endpgm(struct wave *w, const struct inst *i)
{
  (void)i;
  w->state = WAVE_END;
  w->group->ended++;
}

static void s_barrier(struct wave *w, const struct inst *i)
{
  (void)i;
  w->state = WAVE_BARRIER;
  w->group->arrived++;
}

enum {MESSAGE_INTERRUPT = 1}; /* the host is wanted */

static void s_sendmsg(struct wave *w, const struct inst *i)
{
  struct hostcall *h = w->group->dispatch->hostcall;
  if (h && (i->imm & 15) == MESSAGE_INTERRUPT)
    hostcall_serve(h, w);
}

static void s_trap(struct wave *w, const struct inst *i)
{
  wave_fault(w, FAULT_ASSERT, "trap %d%s", i->imm,
             i->imm == 2 ? ": abort(), __builtin_trap() or a failed assert in "
                           "the kernel" : "");
}

static void halt(struct wave *w, const struct inst *i)
{
  (void)i;
  wave_fault(w, FAULT_LAUNCH, "the wave halts; nothing would wake it");
}

static void s_sethalt(struct wave *w, const struct inst *i)
{
  if (i->imm & 1)
    halt(w, i);
}

#define BRANCH(name, condition) \
  static void s_##name(struct wave *w, const struct inst *i) \
  { \
    if (condition) \
      scalar_branch(w, i->imm); \
  }
BRANCH(branch, 1)
BRANCH(cbranch_scc0, !w->scc)
BRANCH(cbranch_scc1, w->scc)
BRANCH(cbranch_vccz, !wave_vcc_any(w))
BRANCH(cbranch_vccnz, wave_vcc_any(w))
BRANCH(cbranch_execz, !WAVE_EXEC(w))
BRANCH(cbranch_execnz, WAVE_EXEC(w))

static void s_set_gpr_idx_off(struct wave *w, const struct inst *i)
{
  (void)i;
  w->mode &= ~(uint32_t)MODE_GPR_IDX;
}

static void s_set_gpr_idx_mode(struct wave *w, const struct inst *i)
{
  uint32_t *m0 = &w->s[CODE_M0];
  *m0 = (*m0 & ~0xf000u) | (i->imm & 15u) << 12;
}

exec_fn *const sopp_handlers[128] = {
    [0x00] = nothing,           /* s_nop */
    [0x01] = s_endpgm,          [0x02] = s_branch,
    [0x03] = nothing,           /* s_wakeup */
    [0x04] = s_cbranch_scc0,    [0x05] = s_cbranch_scc1,
    [0x06] = s_cbranch_vccz,    [0x07] = s_cbranch_vccnz,
    [0x08] = s_cbranch_execz,   [0x09] = s_cbranch_execnz,
    [0x0a] = s_barrier,
    [0x0c] = nothing,           /* s_waitcnt */
    [0x0d] = s_sethalt,
    [0x0e] = nothing,           /* s_sleep */
    [0x0f] = nothing,           /* s_setprio */
    [0x10] = s_sendmsg,
    [0x11] = halt,              /* s_sendmsghalt */
    [0x12] = s_trap,
    [0x13] = nothing,           /* s_icache_inv */
    [0x14] = nothing,           /* s_incperflevel */
    [0x15] = nothing,           /* s_decperflevel */
    [0x16] = nothing,           /* s_ttracedata */
    [0x17] = nothing,           /* s_cbranch_cdbgsys: no debugger */
    [0x18] = nothing,           /* s_cbranch_cdbguser */
    [0x19] = nothing,           /* s_cbranch_cdbgsys_or_user */
    [0x1a] = nothing,           /* s_cbranch_cdbgsys_and_user */
    [0x1b] = s_endpgm,          /* s_endpgm_saved */
    [0x1c] = s_set_gpr_idx_off, [0x1d] = s_set_gpr_idx_mode,
};
