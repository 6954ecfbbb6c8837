/* valu.c - vector instructions a second, for each of the usual ones.
 *
 *   bench_valu [NAME...]
 *
 * Columns: millions of wave64 instructions a second on this host, with all
 * lanes on (src0 a VGPR, an SGPR) and with half of them on.
 */
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "runtimes/sim/run/exec.h"
#include "runtimes/sim/isa/inst.h"
#include "runtimes/sim/run/wave.h"
#include "tests/bench/about.h"

enum {VGPRS = 32, ROUNDS = 1 << 16};

struct opcode {
  const char *name;
  int format, op;
};

static const struct opcode opcodes[] = {
#define OP(format, code, name, ...) {#name, format, code},
#include "runtimes/sim/isa/ops.def"
#undef OP
};
enum {OPCODES = sizeof opcodes / sizeof *opcodes};

static const char *const usual[] = {
  "v_fmac_f32", "v_fma_f32", "v_add_f32", "v_mul_f32", "v_max_f32",
  "v_mac_f32", "v_mov_b32", "v_add_u32", "v_lshlrev_b32", "v_and_b32",
  "v_cndmask_b32", "v_cmp_gt_u32", "v_cmp_lt_f32", "v_add_co_u32",
  "v_addc_co_u32", "v_mul_lo_u32", "v_mad_u32_u24", "v_lshl_add_u32",
  "v_add3_u32", "v_bfe_u32", "v_perm_b32", "v_lshlrev_b64", "v_mad_u64_u32",
  "v_cvt_f32_u32", "v_cvt_f16_f32", "v_pk_fma_f16", "v_fma_mix_f32",
  "v_dot4_i32_i8", "v_dot2_f32_f16", "v_fma_f64", "v_exp_f32", "v_rcp_f32",
  "v_readfirstlane_b32",
};

static uint32_t registers[VGPRS][LANES] __attribute__((aligned(64)));

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The best of three. */
static double rate(struct wave *w, const struct inst *i)
{
  double best = 0;
  exec_fn *exec = vector_handler(i);
  for (int pass = 0; exec && pass < 3; pass++) {
    const double start = now();
    for (int n = 0; n < ROUNDS; n++)
      exec(w, i);
    const double millions = ROUNDS / (now() - start) * 1e-6;
    best = millions > best ? millions : best;
  }
  return best;
}

static void measure(const struct opcode *o)
{
  struct wave w = {.v = registers, .nv = VGPRS, .mode = 0x3f0};
  struct inst i = { .format = (uint8_t)o->format, .op = (uint16_t)o->op,
                    .sdst = CODE_VCC,
                    .src = {CODE_VGPR + 2, CODE_VGPR + 4, CODE_VGPR + 6} };
  if (o->format == VOP3P)
    i.opselhi = 7;
  if (strstr(o->name, "cndmask") || strstr(o->name, "addc_co"))
    i.src[2] = CODE_VCC;
  for (int n = 0; n < VGPRS; n++)
    for (int l = 0; l < LANES; l++)
      registers[n][l] = 0x3f800000;
  WAVE_EXEC(&w) = ~(uint64_t)0;
  const double full = rate(&w, &i);
  i.src[0] = 4;
  const double scalar = rate(&w, &i);
  i.src[0] = CODE_VGPR + 2;
  WAVE_EXEC(&w) = 0xffffffff;
  printf("%-22s %8.1f %8.1f %8.1f\n", o->name, full, scalar, rate(&w, &i));
}

static void measure_named(const char *name)
{
  for (size_t n = 0; n < OPCODES; n++)
    if (!strcmp(opcodes[n].name, name)) {
      measure(&opcodes[n]);
      return;
    }
  fprintf(stderr, "bench_valu: no opcode is named %s\n", name);
}

int main(int argc, char **argv)
{
  about(argc, argv);
  printf("%-22s %8s %8s %8s  M/s\n", "", "vgpr", "sgpr", "half");
  for (int n = 1; n < argc; n++)
    measure_named(argv[n]);
  for (size_t n = 0; argc < 2 && n < sizeof usual / sizeof *usual; n++)
    measure_named(usual[n]);
  return 0;
}
