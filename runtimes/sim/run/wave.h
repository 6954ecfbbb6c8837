/* wave.h - the state of a wave and of its workgroup.
 *
 * Instructions execute on a struct wave and change nothing else than the wave,
 * its group's LDS and device memory. What goes wrong (an unmapped address, an
 * unknown instruction) is put into w->fault by wave_fault() and stops the
 * launch; nothing is printed and nothing aborts.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_wave_h
#define sim_wave_h

#include <stddef.h>
#include <stdint.h>

#include "runtimes/sim/isa/inst.h"

/* MODE register fields. */
enum {
  MODE_ROUND_32 = 0x3,      /* 0 nearest even, 1 +inf, 2 -inf, 3 zero */
  MODE_ROUND_64 = 0xc,      /* and f16 */
  MODE_DENORM_32 = 0x30,    /* bit 4: keep inputs, bit 5: keep outputs */
  MODE_DENORM_64 = 0xc0,    /* and f16 */
  MODE_DX10_CLAMP = 0x100,
  MODE_IEEE = 0x200,
  MODE_FP16_OVFL = 1 << 23,
  MODE_GPR_IDX = 1 << 27, /* wave_run() resolves the indexing: handlers see
                             the VGPR numbers that result */
  MODE_VSKIP = 1 << 28,   /* wave_run() skips vector instructions */
};
/* Not the hardware's: VGPRs above 255 are named, by the wave's `msb`. */
#define MODE_MSB ((uint32_t)1 << 31)

/* Flat addresses of LDS and of private memory: windows of 4 GiB, where Linux
 * puts them for GFX9 (kfd_flat_memory.c). SH_MEM_BASES is what s_getreg_b32
 * reads of them: bits 63:48, private low, shared high. */
#define APERTURE_SHARED ((uint64_t)1 << 48)
#define APERTURE_PRIVATE ((uint64_t)2 << 48)
#define APERTURE_SIZE ((uint64_t)1 << 32)
#define SH_MEM_BASES 0x00010002u

/* Where a flat address names the lane whose private memory it means, in bits
 * 56:52 of 32 lanes, those begin here (LLVM 22, SIISelLowering: private to flat,
 * and its test of the 6 bits above 57). */
#define APERTURE_LANES ((uint64_t)1 << 58)
enum {APERTURE_LANE = 52};

/* Code objects of version 5 find the heap of malloc by a hidden argument. There
 * is none: this address, where no memory is either, tells its use from
 * others. */
#define NO_HEAP ((uint64_t)4 << 48)

enum wave_state {WAVE_RUN, WAVE_BARRIER, WAVE_END, WAVE_FAULT};

/* What the last memory instruction touched, for the timing model. */
struct access {
  uint64_t lanes;  /* that took part */
  uint8_t bytes;   /* each lane moves at each address: 1 2 4 8 12 16 */
  uint8_t n;       /* addresses a lane: 1, or 2 (read2/write2), 0: none */
  uint8_t load, store, atomic; /* 1 or 0; an atomic that returns is a load */
  uint8_t lds;     /* addresses are LDS byte offsets, else guest addresses */
  uint64_t addr[2][LANES];
};

enum {LDS_NOTHING = 16}; /* bytes: the widest load */

/* hipError_t values (hip_runtime_api.h), so that the simulator's inside does
 * not depend on HIP. */
enum {
  FAULT_ADDRESS = 700, /* hipErrorIllegalAddress */
  FAULT_TIMEOUT = 702, /* hipErrorLaunchTimeOut */
  FAULT_ASSERT = 710,  /* hipErrorAssert */
  FAULT_LAUNCH = 719,  /* hipErrorLaunchFailure */
};

struct fault {
  int code; /* 0: none, else a hipError_t value */
  char text[480]; /* kernel, instruction, address, lane, what to do */
};

struct group;
struct cluster; /* cluster.h */
struct async;   /* async.h */

/* A barrier at which to arrive and for which to wait are two instructions: each
 * phase ends when all have arrived. Of a group's waves, or a cluster's groups. */
enum barrier_of {BARRIER_GROUP, BARRIER_CLUSTER, BARRIERS};
struct barrier {
  uint32_t arrived, phase;
  uint64_t who; /* a bit each that has arrived */
};

enum {SGPR_CODES = 128, SGPR_NULL = 16}; /* dwords of the widest result, which
                                            a destination CODE_NULL drops */

struct wave {
  /* Scalar registers under their operand codes, 0..127. */
  union {
    uint32_t s[SGPR_CODES + SGPR_NULL];
    uint64_t d[SGPR_CODES / 2]; /* pairs: VCC is d[53], EXEC d[63] */
  };
  uint32_t (*v)[LANES]; /* VGPRs, 64-byte aligned; nv of them. An
                           instruction that names others never gets to run */
  uint32_t nv, ns;
  uint32_t na; /* AGPRs: v[nv] and on */
  uint32_t scc, mode, status, trapsts;
  uint32_t pc;    /* dword index into its object's code; while an
                     instruction executes, that of the next one */
  uint32_t at;    /* the instruction that is executing */
  uint32_t state; /* enum wave_state */
  uint32_t index; /* in its group */
  uint32_t simd;  /* 0..3, by the dispatcher */
  uint32_t half;  /* 1: it has 32 lanes. The others are never on */
  struct group *group;
  const struct object *code; /* that it is in: the kernel's, but in functions
                                of other objects (wave_visit()) */
  struct access access;
  uint64_t executed; /* instructions so far */
  uint64_t counts[CLASS_N]; /* the same by kind */
  uint64_t changes;  /* by atomics that left another value than they found */
  uint64_t clock;    /* cycles, for s_memtime; set by the timing model */
  uint64_t scratch;  /* guest address of this wave's private memory, 0: none;
                        dword d of lane l is at scratch + (d * 64 + l) * 4 */
  uint32_t scratch_lane; /* private bytes a lane, a multiple of 4 */
  size_t hint; /* arena_block()'s, start with 0 */
  uint32_t msb; /* of the numbers of VGPRs, 2 bits each: those of src0, src1,
                   src2, destination (s_set_vgpr_msb) */
  uint32_t passed[BARRIERS]; /* phases for whose end it has waited */
  uint32_t awaits; /* enum barrier_of, in WAVE_BARRIER */
  uint64_t waits;  /* for counters: instructions s_wait_* */
  uint64_t lines, merged; /* of memory that it asked for, a load's lanes at once;
                             of these, that another group had asked for (cluster.h) */
  uint32_t multicasts; /* cluster loads so far */
  struct fault fault;
};

#define WAVE_VCC(w) ((w)->d[53])
#define WAVE_EXEC(w) ((w)->d[63]) /* of 32 lanes the upper half is always 0 */

struct kernel;   /* object.h */
struct object;
struct dispatch; /* dispatch.h */

struct group {
  const struct dispatch *dispatch;
  uint32_t id[3];
  uint8_t *lds;
  uint32_t lds_bytes;
  int lds_open; /* see struct dispatch; then LDS_NOTHING zeros lie behind it */
  uint32_t nwaves, arrived, ended; /* at the barrier, at s_endpgm */
  int waits; /* for other groups, when it ran last (group_run()) */
  struct barrier barrier;
  struct cluster *cluster; /* NULL: the launch has none */
  uint32_t rank;           /* in it */
  struct async *async;     /* NULL until something asynchronous is begun */
  struct wave *waves;
  void *watched; /* the watch's own (dispatch.h) */
};

/* Private memory: bytes of a wave's, and of a group's, whose waves have theirs
 * one behind the other; does the address lie in this wave's? */
static inline size_t wave_private_bytes(const struct wave *w)
{
  return (size_t)w->scratch_lane * LANES;
}

/* Its VGPRs, and the AGPRs behind them. */
static inline size_t wave_register_bytes(const struct wave *w)
{
  return ((size_t)w->nv + w->na) * sizeof *w->v;
}

static inline size_t group_private_bytes(const struct group *g)
{
  return g->nwaves * wave_private_bytes(g->waves);
}

static inline int wave_owns(const struct wave *w, uint64_t at)
{
  return at - w->scratch < wave_private_bytes(w);
}

/* Stop w with a hipError_t and a sentence; the text gets the kernel's name,
 * the instruction and its place in front. The first fault of a wave stays. */
void wave_fault(struct wave *w, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "global_load_b32 at +0x40: ", of another instruction of w's code. */
void wave_place(const struct wave *w, uint32_t at, char *to, size_t room);

/* The value of a scalar operand code (not VGPR): 32 bits, and 64 bits with
 * inline constants widened as the type of the instruction asks. */
uint32_t scalar_read(const struct wave *w, const struct inst *i,
                     unsigned code);
uint64_t scalar_read64(const struct wave *w, const struct inst *i,
                       unsigned code);
void scalar_write(struct wave *w, unsigned code, uint32_t value);
void scalar_write64(struct wave *w, unsigned code, uint64_t value);

/* Has VCC a bit? Of 32 lanes its upper half is an SGPR like others. */
static inline int wave_vcc_any(const struct wave *w)
{
  return w->half ? w->s[CODE_VCC] != 0 : WAVE_VCC(w) != 0;
}

/* A bit a lane, into an SGPR pair, or of a wave of 32 lanes one SGPR. */
static inline void scalar_write_mask(struct wave *w, unsigned code,
                                     uint64_t bits)
{
  if (w->half)
    scalar_write(w, code, (uint32_t)bits);
  else
    scalar_write64(w, code, bits);
}

#endif
