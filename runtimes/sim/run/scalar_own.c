/* scalar_own.c - masks of 32 lanes, integers of 64 bits, narrow scalar loads. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/dispatch.h"
#include "runtimes/sim/run/own.h"
#include "runtimes/sim/run/scalar.h"

/* --- EXEC of 32 lanes: its upper half stays 0 ----------------------------- */

/* D = EXEC; EXEC = f(source, EXEC); SCC = EXEC != 0. */
#define SAVEEXEC(name, result) \
  void own_s_##name##_saveexec_b32(struct wave *w, const struct inst *i) \
  { \
    uint32_t a = read32(w, i, i->src[0]), e = w->s[CODE_EXEC]; \
    write32(w, i->dst, e); \
    w->s[CODE_EXEC] = (result); \
    w->scc = w->s[CODE_EXEC] != 0; \
  }
SAVEEXEC(and, a & e)
SAVEEXEC(or, a | e)
SAVEEXEC(xor, a ^ e)
SAVEEXEC(nand, ~(a & e))
SAVEEXEC(nor, ~(a | e))
SAVEEXEC(xnor, ~(a ^ e))
SAVEEXEC(and_not0, ~a & e)
SAVEEXEC(or_not0, ~a | e)
SAVEEXEC(and_not1, a & ~e)
SAVEEXEC(or_not1, a | ~e)

static void write_exec(struct wave *w, const struct inst *i, uint32_t exec)
{
  w->s[CODE_EXEC] = exec;
  w->scc = exec != 0;
  write32(w, i->dst, exec);
}

void own_s_and_not0_wrexec_b32(struct wave *w, const struct inst *i)
{
  write_exec(w, i, ~read32(w, i, i->src[0]) & w->s[CODE_EXEC]);
}

void own_s_and_not1_wrexec_b32(struct wave *w, const struct inst *i)
{
  write_exec(w, i, read32(w, i, i->src[0]) & ~w->s[CODE_EXEC]);
}

/* --- integers ------------------------------------------------------------- */

#define WIDE(name, expr) \
  void own_s_##name(struct wave *w, const struct inst *i) \
  { \
    uint64_t a = read64(w, i, i->src[0]), b = read64(w, i, i->src[1]); \
    write64(w, i->dst, (expr)); \
  }
WIDE(add_nc_u64, a + b)
WIDE(sub_nc_u64, a - b)
WIDE(mul_u64, a * b)

void own_s_pack_hl_b32_b16(struct wave *w, const struct inst *i)
{
  uint32_t a = read32(w, i, i->src[0]), b = read32(w, i, i->src[1]);
  write32(w, i->dst, a >> 16 | b << 16);
}

/* --- loads of 8 and 16 bits ----------------------------------------------- */

static void narrow(struct wave *w, const struct inst *i, unsigned bytes,
                   int is_signed)
{
  uint64_t at = smem_address(w, i, bytes);
  unsigned unused = 32 - 8 * bytes;
  uint32_t value = 0;
  if (!smem_mapped(w, at, bytes))
    return;
  memcpy(&value, (void *)(uintptr_t)at, bytes); /* little-endian */
  if (is_signed)
    value = (uint32_t)((int32_t)(value << unused) >> unused);
  write32(w, i->dst, value);
  smem_note(w, i, at, bytes);
}

#define NARROW(name, bytes, is_signed) \
  void own_s_load_##name(struct wave *w, const struct inst *i) \
  { \
    narrow(w, i, bytes, is_signed); \
  }
NARROW(u8, 1, 0)
NARROW(i8, 1, 1)
NARROW(u16, 2, 0)
NARROW(i16, 2, 1)

/* --- clocks, and what changes nothing ------------------------------------- */

void own_s_get_shader_cycles_u64(struct wave *w, const struct inst *i)
{
  write64(w, i->dst, smem_cycles(w));
}

enum {MESSAGE_TIME = 0x83};

/* The reference clock of 100 MHz, where the shader has 2400. */
void own_s_sendmsg_rtn_b64(struct wave *w, const struct inst *i)
{
  if (i->src[0] == MESSAGE_TIME)
    write64(w, i->dst, smem_cycles(w) / (2400 / 100));
  else
    wave_fault(w, FAULT_LAUNCH, "message 0x%x is not simulated", i->src[0]);
}

void own_s_sendmsg_rtn_b32(struct wave *w, const struct inst *i)
{
  if (i->src[0] == MESSAGE_TIME)
    write32(w, i->dst, (uint32_t)(smem_cycles(w) / (2400 / 100)));
  else
    wave_fault(w, FAULT_LAUNCH, "message 0x%x is not simulated", i->src[0]);
}

#define NOTHING(name) \
  void own_##name(struct wave *w, const struct inst *i) \
  { \
    (void)w, (void)i; \
  }
NOTHING(s_clause)
NOTHING(s_version)
NOTHING(s_dcache_inv)
NOTHING(s_delay_alu)
NOTHING(s_code_end)
NOTHING(s_setprio_inc_wg)
NOTHING(s_monitor_sleep)
NOTHING(s_sleep_var)
NOTHING(s_prefetch_inst)
NOTHING(s_prefetch_inst_pc_rel)
NOTHING(s_prefetch_data)
NOTHING(s_prefetch_data_pc_rel)
NOTHING(s_buffer_prefetch_data)

/* --- MODE ----------------------------------------------------------------- */

void own_s_round_mode(struct wave *w, const struct inst *i)
{
  w->mode = (w->mode & ~15u) | (i->imm & 15u);
}

void own_s_denorm_mode(struct wave *w, const struct inst *i)
{
  w->mode = (w->mode & ~0xf0u) | (i->imm & 15u) << 4;
}
