/* scalar.c - scalar operands, and the scalar instructions' handlers.
 *
 * Not implemented: s_cbranch_g_fork, s_cbranch_i_fork and s_cbranch_join (no
 * compiler uses them since GCN2), s_rfe_b64 and s_rfe_restore_b64 (privileged),
 * s_setkill and s_endpgm_ordered_ps_done (graphics).
 */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/scalar.h"

#include "runtimes/sim/run/dispatch.h"
#include "runtimes/sim/run/exec.h"

static const uint32_t floats32[] = {
    0x3f000000, 0xbf000000, /* 0.5, -0.5 */
    0x3f800000, 0xbf800000, /* 1, -1 */
    0x40000000, 0xc0000000, /* 2, -2 */
    0x40800000, 0xc0800000, /* 4, -4 */
    0x3e22f983,             /* 1 / (2 pi) */
};

static const uint64_t floats64[] = {
    0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000,
    0xbff0000000000000, 0x4000000000000000, 0xc000000000000000,
    0x4010000000000000, 0xc010000000000000, 0x3fc45f306dc9c882,
};

/* 128..192 are 0..64, 193..208 are -1..-16. */
static int64_t integer(unsigned code)
{
  return code <= 192 ? (int64_t)code - CODE_INLINE : 192 - (int64_t)code;
}

static uint64_t special(const struct wave *w, unsigned code)
{
  switch (code) {
  case CODE_SHARED_BASE:
    return APERTURE_SHARED;
  case CODE_SHARED_LIMIT:
    return APERTURE_SHARED + APERTURE_SIZE - 1;
  case CODE_PRIVATE_BASE:
    return APERTURE_PRIVATE;
  case CODE_PRIVATE_LIMIT:
    return APERTURE_PRIVATE + APERTURE_SIZE - 1;
  case CODE_SCRATCH_BASE:
    return APERTURE_LANES;
  case CODE_SCRATCH_BASE + 1:
    return APERTURE_LANES >> 32;
  case CODE_VCCZ:
    return !wave_vcc_any(w);
  case CODE_EXECZ:
    return WAVE_EXEC(w) == 0;
  case CODE_SCC:
    return w->scc;
  default:
    return 0; /* CODE_POPS_ID: no pixel shaders here */
  }
}

uint32_t scalar_read(const struct wave *w, const struct inst *i, unsigned code)
{
  if (code < CODE_INLINE)
    return w->s[code];
  if (code <= 208)
    return (uint32_t)integer(code);
  if (code == CODE_LITERAL || code == CODE_LITERAL64)
    return i->literal;
  if (code >= CODE_FLOAT && code < CODE_FLOAT + 9)
    return floats32[code - CODE_FLOAT];
  return (uint32_t)special(w, code);
}

/* A literal has 32 bits: of a double they are the upper ones, of a signed
 * integer they are sign-extended, of anything else zero-extended. */
static uint64_t literal64(const struct inst *i)
{
  enum {ASHR_I64 = 0x21, BFE_I64 = 0x28, FLBIT_I64 = 0x15};
  int is_double = i->format == VOP1 || (i->format == VOPC && i->as < 0x80);
  int is_signed =
      (i->format == SOP2 && (i->as == ASHR_I64 || i->as == BFE_I64)) ||
      (i->format == SOP1 && i->as == FLBIT_I64) ||
      (i->format == VOPC && i->as >= 0x80 && !(i->as & 8));
  if (is_double)
    return (uint64_t)i->literal << 32;
  return is_signed ? (uint64_t)(int32_t)i->literal : i->literal;
}

uint64_t scalar_read64(const struct wave *w, const struct inst *i,
                       unsigned code)
{
  if (code < CODE_INLINE)
    return read64(w, i, code);
  if (code <= 208)
    return (uint64_t)integer(code);
  if (code == CODE_LITERAL)
    return literal64(i);
  if (code == CODE_LITERAL64)
    return i->literal | (uint64_t)i->offset << 32;
  if (code >= CODE_FLOAT && code < CODE_FLOAT + 9)
    return floats64[code - CODE_FLOAT];
  return special(w, code);
}

void scalar_write(struct wave *w, unsigned code, uint32_t value)
{
  write32(w, code, value);
}

void scalar_write64(struct wave *w, unsigned code, uint64_t value)
{
  write64(w, code, value);
}

uint64_t scalar_pc(const struct wave *w)
{
  return w->code->text_base + (uint64_t)w->pc * 4;
}

/* The object with code at address; NULL: none that is loaded. */
static const struct object *code_at(const struct wave *w, uint64_t address)
{
  const struct dispatch *d = w->group->dispatch;
  if (object_has_code(w->code, address))
    return w->code;
  if (object_has_code(d->kernel->object, address))
    return d->kernel->object;
  return d->code_at ? d->code_at(d->user, address) : NULL;
}

void scalar_goto(struct wave *w, uint64_t address)
{
  const struct object *home = w->group->dispatch->kernel->object;
  const struct object *from = w->code, *to = code_at(w, address);
  if (address & 3 || !to) {
    wave_fault(w, FAULT_ADDRESS,
               "jump to 0x%llx, which is no code of a loaded object",
               (unsigned long long)address);
    return;
  }
  w->code = to;
  w->pc = (uint32_t)((address - to->text_base) / 4);
  if (from == home && to != home)
    wave_visit(w);
}

exec_fn *scalar_handler(const struct inst *i)
{
  static const struct {
    exec_fn *const *handlers;
    unsigned n;
  } formats[] = { /* ORDER FORMAT */
      [SOP2] = {sop2_handlers, 128}, [SOPK] = {sopk_handlers, 32},
      [SOP1] = {sop1_handlers, 256}, [SOPC] = {sopc_handlers, 128},
      [SOPP] = {sopp_handlers, 128}, [SMEM] = {smem_handlers, 256},
  };
  return i->as < formats[i->format].n ? formats[i->format].handlers[i->as]
                                      : NULL;
}
