/* arch.c - the table of architectures; see arch.h. */
// SPDX-License-Identifier: MIT
#include "arch/arch.h"

#include <assert.h>
#include <string.h>

#include "base/str.h"
#include "base/suggest.h"

/* Where the numbers come from: a letter each in the table below. */
#define A "taken or refused by the assemblers of LLVM 15.0.6 and clang 22.1.8"
#define B "LLVM, llvm/lib/Target/AMDGPU/Utils/AMDGPUBaseInfo.cpp"
#define C "LLVM's IsaInfo as amd_comgr reports it (comgr-isa-metadata.def)"
#define D "[derived] from other facts of this table"
#define E "AMD, announcement of Radeon Instinct MI60 and MI50, 2018-11-06"
#define G "[from memory] NVIDIA, CUDA C++ Programming Guide, capability 9.0"
#define H "HipKittens, analysis/paper_experiments/phases; pyhip, bank-conflict"
#define J "AMD, rocm-systems, emulation/rocjitsu/configs/gfx1250_mi455x.json"
#define N "[from memory, unverified] AMD data sheets and white papers"
#define O "Occupancy that clang 22.1.8 prints, over the number of VGPRs"
#define P "AMD, ROCm Compute Profiler documentation, performance model"
#define Q "[from memory] NVIDIA, CUDA occupancy calculator, capability 9.0"
#define S "AMD, ROCm documentation, GPU hardware specifications"
#define T "NVIDIA, H100 Tensor Core GPU Architecture, whitepaper, H100 SXM5"
#define U "LLVM, AMDGPUUsage.rst and AMDGPU.td"
#define V "what ptxas of CUDA 13.0 makes, or has no instruction for"
#define W "skyne98/wiki-gfx906: rocminfo and measurements of MI50 cards"
#define X "[unknown] no public figure found"
#define Y "NVIDIA, H100 data sheet, SXM"
#define Z "nvidia-smi on H100 80GB HBM3: highest clock of the SMs"

enum {K = 1024, M = 1024 * 1024};

/* Every fact of every architecture: name, unit, then value and source of each.
 *
 * cus, caches and bandwidth are those of what HIP shows as one device, which
 * for gfx90a is one of the two dies of a card; each of `dies` has its own L2.
 * vgprs is what the VALU addresses; unified AGPRs share vgpr_total with them.
 * llc is the last-level cache, which timing must overflow to measure memory.
 * *_flops and *_ops count an FMA as two, packed and dual forms included.
 * dot4 and dot8 are the signed forms (v_dot4_i32_i8), dotc those that add to
 * their destination (v_dot4c_i32_i8, v_dot8c_i32_i4), dot_iu those that are told
 * which operand has signs (v_dot4_i32_iu8) and are in place of the former, lds_dma is
 * global_load_lds_*, lds_dma_wide that of 12 and 16 bytes a lane, cp_async a
 * copy to LDS of that name, each lane's to an address of its own, ds_tr a
 * transposing LDS load. mfma_N_bytes: matrix instructions that take N bytes of
 * A a lane, of bf16 and i8 (4), of i8 and 8-bit floats (8), of all of up to 16
 * bits (16); mfma_bf16_1k: of four bf16. f8_fnuz: 8-bit floats have one zero,
 * without a sign, and no infinity; elsewhere, where there are any, they are
 * OCP's. 0 in a *_published or l2_channels: not published.
 *
 * lds_group is what one workgroup can have, lds_static what its kernel can
 * declare itself (the rest is dynamic). amdgcn: LLVM's builtins of that name
 * and its inline assembly work; elsewhere gen/vocabulary.h has some of them.
 * On sm_90 CUs are SMs, SIMDs their four parts, SGPRs the uniform registers,
 * and l1_bytes has the LDS in it. */
#define FACTS(F)                                                                                    \
/*                             gfx900  gfx906  gfx908  gfx90a  gfx942   gfx950   gfx1250  sm_90 */  \
/* waves and workgroups of a CU */                                                                  \
F(wave,              lanes,    64,U,   64,U,   64,U,   64,U,   64,U,    64,U,    32,U,    32,G)     \
F(simds,             SIMDs/CU, 4,C,    4,C,    4,C,    4,C,    4,C,     4,C,     4,C,     4,G)      \
F(lanes,             /SIMD,    16,P,   16,P,   16,P,   16,P,   16,P,    16,P,    32,U,    32,G)     \
F(waves_per_simd,    waves,    10,O,   10,O,   10,O,   8,O,    8,O,     8,O,     16,O,    16,G)     \
F(max_threads,       threads,  1024,C, 1024,C, 1024,C, 1024,C, 1024,C,  1024,C,  1024,C,  1024,G)   \
F(max_groups_per_cu, groups,   16,B,   16,B,   16,B,   16,B,   16,B,    16,B,    16,B,    32,G)     \
/* registers: for a lane (VGPRs, AGPRs) or a wave (SGPRs); totals of a SIMD */                      \
F(vgprs,             VGPRs,    256,C,  256,C,  256,C,  256,U,  256,U,   256,U,   1024,C,  255,G)    \
F(vgpr_total,        /SIMD,    256,O,  256,O,  256,O,  512,O,  512,O,   512,O,   1024,O,  512,G)    \
F(vgpr_granule,      VGPRs,    4,O,    4,O,    4,O,    8,O,    8,O,     8,O,     16,O,    8,Q)      \
F(agprs,             AGPRs,    0,U,    0,U,    256,U,  256,U,  256,U,   256,U,   0,U,     0,G)      \
F(agprs_unified,     0/1,      0,U,    0,U,    0,U,    1,U,    1,U,     1,U,     0,U,     0,G)      \
F(sgprs,             SGPRs,    102,C,  102,C,  102,C,  102,C,  102,B,   102,B,   106,C,   63,Q)     \
F(sgpr_total,        /SIMD,    800,C,  800,C,  800,C,  800,C,  800,B,   800,B,   2048,D,  1024,D)   \
F(sgpr_granule,      SGPRs,    16,C,   16,C,   16,C,   16,C,   16,B,    16,B,    128,J,   64,D)     \
/* LDS */                                                                                           \
F(lds_bytes,         bytes/CU, 64*K,C, 64*K,C, 64*K,C, 64*K,C, 64*K,S,  160*K,S, 320*K,C, 228*K,G)  \
F(lds_group,         bytes,    64*K,C, 64*K,C, 64*K,C, 64*K,C, 64*K,S,  160*K,S, 320*K,C, 227*K,G)  \
F(lds_static,        bytes,    64*K,C, 64*K,C, 64*K,C, 64*K,C, 64*K,S,  160*K,S, 320*K,C, 48*K,G)   \
F(lds_granule,       bytes,    512,U,  512,U,  512,U,  512,U,  512,U,   1280,U,  2048,U,  128,Q)    \
F(lds_banks,         banks,    32,C,   32,C,   32,C,   32,C,   32,H,    64,H,    64,C,    32,G)     \
F(lds_bank_bytes,    bytes,    4,P,    4,P,    4,P,    4,P,    4,P,     4,P,     4,N,     4,G)      \
/* the card named above, and another one of its arch */                                             \
F(cus,               CUs,      64,S,   60,S,   120,S,  110,S,  304,S,   256,S,   256,J,   132,T)    \
F(cus_other,         CUs,      56,N,   64,S,   120,S,  104,S,  228,S,   256,S,   256,J,   114,T)    \
F(dies,              dies,     1,S,    1,S,    1,S,    1,S,    8,S,     8,S,     8,J,     1,T)      \
F(clock_mhz,         MHz,      1500,N, 1725,W, 1502,N, 1700,N, 2100,N,  2400,N,  2400,N,  1980,Z)   \
F(l1_bytes,          bytes/CU, 16*K,S, 16*K,S, 16*K,S, 16*K,S, 32*K,S,  32*K,S,  64*K,J,  256*K,G)  \
F(l1_line,           bytes,    64,N,   64,W,   64,N,   64,N,   128,N,   128,N,   128,U,   128,G)    \
F(l2_bytes,          bytes,    4*M,S,  4*M,S,  8*M,S,  8*M,S,  32*M,S,  32*M,S,  192*M,J, 50*M,T)   \
F(l2_line,           bytes,    64,N,   64,W,   128,N,  128,N,  128,N,   128,N,   128,U,   128,G)    \
F(l2_channels,       channels, 16,N,   16,N,   32,P,   32,P,   128,N,   128,N,   0,X,     0,X)      \
F(llc_bytes,         bytes,    4*M,D,  4*M,D,  8*M,D,  8*M,D,  256*M,S, 256*M,S, 192*M,D, 50*M,D)   \
F(hbm_gbps,          GB/s,     484,N,  1024,W, 1228,N, 1638,N, 5300,N,  8000,N,  19660,D, 3350,Y)   \
/* peak of the VALU, and what the vendor publishes for the card */                                  \
F(fp32_flops,        1/clk/CU, 128,D,  128,D,  128,D,  256,D,  256,D,   256,D,   512,D,   256,D)    \
F(fp16_flops,        1/clk/CU, 256,D,  256,D,  256,D,  256,D,  256,D,   256,D,   512,D,   512,G)    \
F(fp64_flops,        1/clk/CU, 8,D,    64,D,   64,D,   128,D,  128,D,   128,D,   0,X,     128,D)    \
F(dot4_ops,          1/clk/CU, 0,A,    512,W,  512,D,  512,D,  512,D,   512,D,   1024,D,  512,G)    \
F(dot8_ops,          1/clk/CU, 0,A,    1024,W, 1024,D, 1024,D, 1024,D,  1024,D,  2048,D,  0,V)      \
F(fp32_published,    GFLOP/s,  12290,N,13400,E,23100,N,47850,N,163400,N,157300,N,315000,N,67000,Y)  \
F(fp16_published,    GFLOP/s,  24600,N,26800,E,0,X,    0,X,    0,X,     0,X,     0,X,     133800,T) \
F(fp64_published,    GFLOP/s,  768,N,  6700,E, 11500,N,23950,N,81700,N, 78600,N, 0,X,     34000,Y)  \
/* capabilities: what the assembler of the target takes */                                          \
F(dot2,              0/1,      0,A,    1,A,    1,A,    1,A,    1,A,     1,A,     0,A,     0,V)      \
F(dot4,              0/1,      0,A,    1,A,    1,A,    1,A,    1,A,     1,A,     1,A,     1,V)      \
F(dot8,              0/1,      0,A,    1,A,    1,A,    1,A,    1,A,     1,A,     1,A,     0,V)      \
F(dotc,              0/1,      0,A,    0,A,    1,A,    1,A,    1,A,     1,A,     0,A,     0,V)      \
F(dot_iu,            0/1,      0,A,    0,A,    0,A,    0,A,    0,A,     0,A,     1,A,     0,V)      \
F(fmac,              0/1,      0,A,    1,A,    1,A,    1,A,    1,A,     1,A,     1,A,     1,V)      \
F(fma_mix,           0/1,      0,A,    1,A,    1,A,    1,A,    1,A,     1,A,     1,A,     0,V)      \
F(pk_fma_f16,        0/1,      1,A,    1,A,    1,A,    1,A,    1,A,     1,A,     1,A,     1,V)      \
F(pk_fma_f32,        0/1,      0,A,    0,A,    0,A,    1,A,    1,A,     1,A,     1,A,     0,V)      \
F(mfma,              0/1,      0,A,    0,A,    1,A,    1,A,    1,A,     1,A,     0,A,     0,V)      \
F(mfma_bf16_1k,      0/1,      0,A,    0,A,    0,A,    1,A,    1,A,     1,A,     0,A,     0,V)      \
F(mfma_f64,          0/1,      0,A,    0,A,    0,A,    1,A,    1,A,     1,A,     0,A,     0,V)      \
F(mfma_4_bytes,      0/1,      0,A,    0,A,    1,A,    1,A,    0,A,     0,A,     0,A,     0,V)      \
F(mfma_8_bytes,      0/1,      0,A,    0,A,    0,A,    0,A,    1,A,     1,A,     0,A,     0,V)      \
F(mfma_16_bytes,     0/1,      0,A,    0,A,    0,A,    0,A,    0,A,     1,A,     0,A,     0,V)      \
F(f8_fnuz,           0/1,      0,U,    0,U,    0,U,    0,U,    1,U,     0,U,     0,U,     0,G)      \
F(wmma,              0/1,      0,A,    0,A,    0,A,    0,A,    0,A,     0,A,     1,A,     0,V)      \
F(dpp,               0/1,      1,A,    1,A,    1,A,    1,A,    1,A,     1,A,     1,A,     0,V)      \
F(sdwa,              0/1,      1,A,    1,A,    1,A,    1,A,    1,A,     1,A,     0,A,     0,V)      \
F(ds_swizzle,        0/1,      1,A,    1,A,    1,A,    1,A,    1,A,     1,A,     1,A,     0,V)      \
F(ds_b128,           0/1,      1,A,    1,A,    1,A,    1,A,    1,A,     1,A,     1,A,     1,V)      \
F(ds_tr,             0/1,      0,A,    0,A,    0,A,    0,A,    0,A,     1,A,     1,A,     0,V)      \
F(lds_dma,           0/1,      0,A,    0,A,    0,A,    0,A,    1,A,     1,A,     0,A,     0,V)      \
F(lds_dma_wide,      0/1,      0,A,    0,A,    0,A,    0,A,    0,A,     1,A,     0,A,     0,V)      \
F(cp_async,          0/1,      0,A,    0,A,    0,A,    0,A,    0,A,     0,A,     0,A,     1,V)      \
F(s_clause,          0/1,      0,A,    0,A,    0,A,    0,A,    0,A,     0,A,     1,A,     0,V)      \
F(cluster_load,      0/1,      0,A,    0,A,    0,A,    0,A,    0,A,     0,A,     1,A,     0,V)      \
F(xnack,             0/1,      1,U,    1,U,    1,U,    1,U,    1,U,     1,U,     1,U,     0,V)      \
F(amdgcn,            0/1,      1,U,    1,U,    1,U,    1,U,    1,U,     1,U,     1,U,     0,V)      \
/* compilers that know the target */                                                                \
F(clang_22,          0/1,      1,A,    1,A,    1,A,    1,A,    1,A,     1,A,     1,A,     0,D)


/* V3(...) is the pair of column 3, S3(...) its source: each step drops the
 * first column. */
#define V0(f, u, v, ...) {#f, {.kind = VALUE_INT, .i = v}},
#define V1(f, u, v, s, ...) V0(f, u, __VA_ARGS__)
#define V2(f, u, v, s, ...) V1(f, u, __VA_ARGS__)
#define V3(f, u, v, s, ...) V2(f, u, __VA_ARGS__)
#define V4(f, u, v, s, ...) V3(f, u, __VA_ARGS__)
#define V5(f, u, v, s, ...) V4(f, u, __VA_ARGS__)
#define V6(f, u, v, s, ...) V5(f, u, __VA_ARGS__)
#define V7(f, u, v, s, ...) V6(f, u, __VA_ARGS__)
#define S0(f, u, v, s, ...) s,
#define S1(f, u, v, s, ...) S0(f, u, __VA_ARGS__)
#define S2(f, u, v, s, ...) S1(f, u, __VA_ARGS__)
#define S3(f, u, v, s, ...) S2(f, u, __VA_ARGS__)
#define S4(f, u, v, s, ...) S3(f, u, __VA_ARGS__)
#define S5(f, u, v, s, ...) S4(f, u, __VA_ARGS__)
#define S6(f, u, v, s, ...) S5(f, u, __VA_ARGS__)
#define S7(f, u, v, s, ...) S6(f, u, __VA_ARGS__)
#define UNIT(f, u, ...) #u,
#define COUNT(...) +1
#define TEXT(f, v) {f, {.kind = VALUE_STR, .s = v}}
#define NAMES(arch, card) TEXT("name", arch), TEXT("card", card)

enum {TEXTS = 2, NFACTS = TEXTS FACTS(COUNT)};

static const char *const units[] = {"text", "text", FACTS(UNIT)};

struct arch {
  struct pair facts[NFACTS];
  const char *sources[NFACTS];
};

static const struct arch archs[] = {
  {{NAMES("gfx900", "MI25"), FACTS(V0)}, {U, S, FACTS(S0)}},
  {{NAMES("gfx906", "MI50"), FACTS(V1)}, {U, S, FACTS(S1)}},
  {{NAMES("gfx908", "MI100"), FACTS(V2)}, {U, S, FACTS(S2)}},
  {{NAMES("gfx90a", "MI250X"), FACTS(V3)}, {U, S, FACTS(S3)}},
  {{NAMES("gfx942", "MI300X"), FACTS(V4)}, {U, S, FACTS(S4)}},
  {{NAMES("gfx950", "MI355X"), FACTS(V5)}, {U, S, FACTS(S5)}},
  {{NAMES("gfx1250", "MI455X"), FACTS(V6)}, {U, J, FACTS(S6)}},
  {{NAMES("sm_90", "H100"), FACTS(V7)}, {G, T, FACTS(S7)}},
};

enum {NARCHS = sizeof archs / sizeof *archs};

const struct arch *arch_at(size_t i)
{
  return i < NARCHS ? archs + i : NULL;
}

const char *arch_name(const struct arch *a)
{
  return a->facts[0].value.s;
}

const char *arch_card(const struct arch *a)
{
  return a->facts[1].value.s;
}

const struct arch *arch_find(const char *name)
{
  for (size_t i = 0; i < NARCHS; i++)
    if (!strcmp(arch_name(archs + i), name))
      return archs + i;
  return NULL;
}

/* Does the name differ by its number only? A number is another chip's, and no
 * slip of the pen: gfx1100 is not gfx900. */
static int another_number(const char *a, const char *b)
{
  static const char digits[] = "0123456789abcdef";
  size_t m = strlen(a), n = strlen(b);
  while (m > 0 && strchr(digits, a[m - 1]))
    m--;
  while (n > 0 && strchr(digits, b[n - 1]))
    n--;
  return m == n && !memcmp(a, b, m);
}

int arch_need(const char *name, const struct arch **out, struct err *e)
{
  *out = arch_find(name);
  if (*out)
    return 0;
  const char *names[NARCHS];
  struct str known = {0};
  for (size_t i = 0; i < NARCHS; i++) {
    names[i] = arch_name(archs + i);
    str_addf(&known, "%s%s (%s)", i ? ", " : "", names[i],
             arch_card(&archs[i]));
  }
  const char *near = suggest(name, names, NARCHS);
  if (near && another_number(name, near))
    near = NULL;
  int code = err_set(e, ERR_USAGE, "'%s' is not a known arch%s%s%s; known: %s",
                     name, near ? "; did you mean '" : "", near ? near : "",
                     near ? "'?" : "", known.at);
  str_free(&known);
  return code;
}

size_t arch_facts(const struct arch *a, const struct pair **facts)
{
  *facts = a->facts;
  return NFACTS;
}

/* The index of a fact, or NFACTS. */
static size_t find(const char *fact)
{
  size_t i = 0;
  while (i < NFACTS && strcmp(archs->facts[i].name, fact))
    i++;
  return i;
}

long long arch_fact(const struct arch *a, const char *name)
{
  size_t i = find(name);
  assert(i >= TEXTS && i < NFACTS);
  return a->facts[i].value.i;
}

const char *arch_source(const struct arch *a, const char *fact)
{
  size_t i = find(fact);
  return i < NFACTS ? a->sources[i] : NULL;
}

const char *arch_unit(const char *fact)
{
  size_t i = find(fact);
  return i < NFACTS ? units[i] : NULL;
}

long long arch_waves(const struct arch *a, long long vgprs)
{
  long long granule = arch_fact(a, "vgpr_granule");
  long long taken = (vgprs + granule - 1) / granule * granule;
  long long most = arch_fact(a, "waves_per_simd");
  long long fit = arch_fact(a, "vgpr_total") / (taken ? taken : granule);
  return fit < most ? fit : most;
}
