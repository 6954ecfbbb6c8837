/* hipsim.h - what libhipsim exports beyond the HIP API.
 *
 * A program finds these with dlsym; a HIP runtime without them is a real one.
 * Everything that they report is modelled.
 */
// SPDX-License-Identifier: MIT
#ifndef hipsim_h
#define hipsim_h

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* HIPSIM_FULL (the default): a launch executes every workgroup, so its
 * results are complete, and is timed by the model. HIPSIM_SAMPLED: only the
 * workgroups that the model needs for the time are executed; the others'
 * outputs stay as they were. Of most kernels only the first workgroup computes its
 * results, the others what the time depends on (timing/slice.h). HIPSIM_TIMED: nobody
 * looks at the outputs, and not even that one computes them. */
enum hipsim_mode {HIPSIM_FULL, HIPSIM_SAMPLED, HIPSIM_TIMED};
int hipsimSetMode(int mode);

/* The last launch. Counters carry the names and units of the hardware's and
 * are totals of the whole grid, extrapolated from the sampled_share of its
 * waves; but SQ_WAVES, SQ_INSTS_* and TA_FLAT_* are counted, not modelled, in
 * the counted_share, which is 1 where every workgroup was executed. A quad is
 * four cycles. */
struct hipsim_report {
  uint32_t size; /* set by the caller: sizeof(struct hipsim_report) */
  uint32_t instructions; /* rows that hipsimInstruction() has */
  double time_us;
  double clock_mhz;
  uint32_t waves_per_simd;     /* occupancy reached */
  uint32_t groups_per_cu;
  char occupancy_limit[16];    /* "vgpr", "lds", "waves", "groups", "sgpr" */
  char bound[16];              /* what the time is made of: "valu", "lds",
                                  "l1", "l2", "hbm", "latency" */
  double sampled_share;        /* of all waves, how many were simulated */
  double sq_waves;
  double sq_insts_valu, sq_insts_salu, sq_insts_smem, sq_insts_lds;
  double sq_insts_vmem_rd, sq_insts_vmem_wr, sq_insts_flat;
  double sq_active_inst_valu;  /* quads */
  double sq_lds_bank_conflict; /* cycles */
  double sq_lds_idx_active;    /* cycles */
  double sq_wait_inst_lds;     /* quads */
  double tcp_line_reads, tcp_misses; /* L1: 64-byte lines */
  double tcc_line_reads, tcc_misses; /* L2: 64-byte lines */
  double counted_share;
  double sq_insts_flat_lds_only;
  double sq_inst_cycles_salu;  /* quads */
  double sq_thread_cycles_valu; /* quads times active lanes */
  double ta_flat_read_wavefronts, ta_flat_write_wavefronts;
  double tcc_hit, tcc_miss;    /* reads, writes and atomics: lines */
  double tcc_ea_rdreq, tcc_ea_wrreq; /* of 64 bytes, to and from HBM */
  char kernel[128];            /* its name, cut where longer */
  double sqc_icache_misses;    /* of the instruction cache: 64-byte lines */
  uint32_t timed;              /* 0: time_us and bound are not known */
  double static_cost;          /* cycles; of an untimed card, else 0 */
  double error_80;             /* 4 in 5 recorded kernels of its kind took time_us /
                                  (1 + this) to time_us (1 + this); 0: unknown */
  char error_kind[16];         /* that kind: the bound "valu", "lds", "l2", "hbm" or
                                  "latency"; "channels" of the L2; "reuse" through
                                  the L1 beside the LDS; "direct", through it alone;
                                  "any" */
  double l2_requests;          /* lines of 128 bytes that loads ask for, where
                                  workgroups have clusters; else 0 */
  double l2_merged;            /* of these, that multicast saves */
  double wait_insts;           /* s_wait_* */
  uint32_t vgprs, lds_bytes;   /* a lane; a workgroup, static and dynamic */
  uint32_t sgprs, scratch_bytes; /* a wave; a lane */
};
int hipsimReport(struct hipsim_report *out);

/* Report on a kernel, a hipFunction_t, that is not launched: its code, registers,
 * LDS, and the occupancy of the largest block that it is compiled for. Nothing is
 * executed: every count is 0. */
int hipsimInspect(void *function);

/* Argument i of a kernel, without those that the runtime fills in, by the code
 * object's metadata. An error: there are no more. */
struct hipsim_argument {
  uint32_t size;   /* set by the caller */
  uint32_t bytes;
  char kind[32];   /* by_value, global_buffer, dynamic_shared_pointer ... */
};
int hipsimArgument(void *function, uint32_t i, struct hipsim_argument *out);

/* Row i of the kernel that was launched last: its own code by address, then
 * what else it executed, functions that it called. */
struct hipsim_instruction {
  uint32_t size; /* set by the caller */
  uint32_t offset;        /* bytes from the kernel's entry, modulo 2^32 */
  char name[40];          /* mnemonic */
  double hits;            /* simulated executions (waves) */
  double latency, stall;  /* cycles, summed over hits */
  double lds_cycles;      /* LDS data cycles without conflicts */
  double lds_conflicts;   /* extra cycles for bank conflicts */
  char unit[8];           /* valu salu smem lds vmem branch other */
  uint32_t words[2];      /* the machine code, of so many dwords */
  uint32_t nwords;
  uint32_t target;        /* of a branch, as offset; else the next one's */
};
int hipsimInstruction(uint32_t i, struct hipsim_instruction *out);

/* What the simulated waves of each later launch do, one instruction after the
 * other: the first so many of them are kept, 0 (the default) for none. The
 * loops that the model skips once they are steady are not among them; their
 * time passes. */
int hipsimSetTrace(uint32_t events);

/* Event i of the launch that was reported last, in the order of issue. */
struct hipsim_event {
  uint32_t size;      /* set by the caller */
  uint32_t offset;    /* of the instruction, as in struct hipsim_instruction */
  uint32_t wave;      /* number, in the order in which waves began */
  uint32_t simd, slot; /* where it is on compute unit 0 */
  double at;          /* cycles from the launch on: when its turn came */
  double stall;       /* cycles from then until it issued or, of a barrier, until
                         the last wave came */
  double latency;     /* from `at` to the turn of the wave's next instruction */
};
int hipsimEvent(uint32_t i, struct hipsim_event *out);

/* The simulated device is to be a card of this architecture ("gfx90a"):
 * HIPSIM_CARD's where that is one. To be called before anything else; 0, or a
 * hipError_t, where it is too late. */
int hipsimArch(const char *arch);

/* What it is. Of a card that is not timed launches are executed and counted,
 * and events that surround them are 0 ms apart. */
struct hipsim_device {
  uint32_t size; /* set by the caller */
  uint32_t timed;
  char arch[16], card[32];
};
int hipsimDevice(struct hipsim_device *out);

/* The version of the model: equal for every build of the same sources. What
 * another version counted or modelled may differ. */
const char *hipsimVersion(void);

/* What was wrong with the last call or kernel that failed: kernel,
 * instruction, address, lane. "" where nothing was. Valid until the next. */
const char *hipsimError(void);

#ifdef __cplusplus
}
#endif

#endif
