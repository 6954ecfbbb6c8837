/* card_table.h - every constant of the timing model that is not the cost of
 * one instruction (those stand in cost.c).
 *
 * CARD(name, MI50, MI60, Radeon VII, Radeon Pro VII, unit, source), or
 * ALL(name, value, unit, source) where the cards have it alike. Included by
 * card.h and card.c with CARD defined as they need it; no include guard on
 * purpose. "unverified": no publication was found; "fitted": no publication
 * gives the value, which was chosen so that measured figures come out. Behind
 * a # is the section of docs/model.md that has the whole source.
 */
// SPDX-License-Identifier: MIT
#define ALL(name, value, unit, source) \
  CARD(name, value, value, value, value, unit, source)

/* the chip; f64: cycles of a double, times those of cost.c */
CARD(cus,       60,    64,    60,    60,    "",            "ROCm gpu-arch-specs")
CARD(clock_mhz, 1725,  1800,  1801,  1700,  "MHz",         "rocminfo, AMD: docs/model.md#clock_mhz")
CARD(f64,       1,     1,     2,     1,     "",            "clpeak: docs/model.md#f64")
ALL(simds,           4,       "per CU",      "AMD GCN whitepaper 2012")

/* occupancy; groups of one wave need no barrier */
ALL(waves,           10,      "per SIMD",    "LLVM D65010")
ALL(vgprs,           256,     "per lane",    "LLVM D65010")
ALL(vgpr_granule,    4,       "VGPRs",       "LLVM AMDGPUBaseInfo")
ALL(sgprs,           800,     "per SIMD",    "LLVM D29741")
ALL(sgpr_granule,    16,      "SGPRs",       "LLVM D29741")
ALL(lds,             65536,   "B per CU",    "ROCm gpu-arch-specs")
ALL(lds_granule,     512,     "B",           "LLVM AMDGPUUsage, D99122")
ALL(barriers,        16,      "per CU",      "gem5 num_barrier_slots")

/* issue; taken: a taken branch; barrier: from its issue to its release */
ALL(taken,           20,      "cycles",      "CLRX GcnTimings: docs/model.md#taken")
ALL(barrier,         8,       "cycles",      "unverified: docs/model.md#barrier")
ALL(vmcnt,           63,      "",            "LLVM AMDGPUBaseInfo: 6 bits")
ALL(lgkmcnt,         15,      "",            "LLVM AMDGPUBaseInfo: 4 bits")

/* LDS; cycles of each instruction in cost.c */
ALL(lds_latency,     48,      "cycles",      "pyhip, mt4g: docs/model.md#lds_latency")

/* vector memory; ta_queue: work that the address unit holds before issue
 * stalls */
ALL(ta_queue,        64,      "cycles",      "unverified: docs/model.md#ta_queue")
ALL(line,            64,      "B",           "ROCm gpu-arch-specs, L1 and L2")
ALL(l1,              16384,   "B per CU",    "ROCm gpu-arch-specs")
ALL(l1_ways,         4,       "",            "AMD GCN whitepaper 2012")
ALL(l1_plain,        32,      "lines",       "fitted: docs/model.md#l1_plain")
ALL(l1_rate,         64,      "B/clk",       "AMD GCN whitepaper 2012")
ALL(l1_latency,      104,     "cycles",      "gpu-benches, MI210: docs/model.md#l1_latency")

/* L2; l2_kept: the part of a set's ways that loads of a loop can have; l2_rate:
 * of streams; l2_narrow_gbs: of loads with many lines on few channels; l2_lone:
 * how many times as long these take for 64 bytes of 128 alone; l2_ports: links
 * of a channel, each to some of the CUs; l2_link_gbs: of one link;
 * l2_interleave: bytes for which it is a channel's turn; l2_atomic_ns: of a
 * channel, for a line; l2_port: from a CU's L1; l2_burst: for how long a CU may
 * take later what it left of its share */
ALL(l2,              4194304, "B",           "ROCm gpu-arch-specs")
ALL(l2_ways,         16,      "",            "AMD GCN whitepaper 2012")
ALL(l2_kept,         0.75,    "",            "fitted: docs/model.md#l2_kept")
ALL(l2_rate,         907,     "B/clk",       "MI100; unverified here: docs/model.md#l2_rate")
ALL(l2_narrow_gbs,   880,     "GB/s",        "fitted: docs/model.md#l2_narrow_gbs")
ALL(l2_lone,         1.5,     "",            "fitted: docs/model.md#l2_lone")
ALL(l2_ports,        16,      "",            "fitted: docs/model.md#l2_ports")
ALL(l2_link_gbs,     28,      "GB/s",        "fitted: docs/model.md#l2_link_gbs")
ALL(l2_channels,     16,      "",            "rocprofiler: docs/model.md#l2_channels")
ALL(l2_interleave,   256,     "B",           "Tensile: docs/model.md#l2_interleave")
ALL(l2_atomic_ns,    5.2,     "ns",          "fitted: docs/model.md#l2_atomic_ns")
ALL(l2_port,         64,      "B/clk per CU","AMD GCN whitepaper 2012")
ALL(l2_burst,        300,     "cycles",      "fitted: docs/model.md#l2_burst")
ALL(l2_latency,      228,     "cycles",      "gpu-benches, MI210: docs/model.md#l2_latency")

/* pages; tlb_pages: whose place a CU keeps; tlb_rate: looked up for all CUs */
ALL(tlb_page,        65536,   "B",           "unverified: docs/model.md#tlb_page")
ALL(tlb_pages,       192,     "per CU",      "fitted: docs/model.md#tlb_pages")
ALL(tlb_rate,        3.4,     "pages/clk",   "fitted: docs/model.md#tlb_rate")

/* HBM; hbm_queue: rows that the controller looks over; hbm_row_ns:
 * what another row costs a channel; hbm_open_ns: between two rows that it opens
 * while it sends others; hbm_partial_gbs: of lines that are written in part */
ALL(hbm_read_gbs,    870,     "GB/s",        "wiki-gfx906: docs/model.md#hbm_read_gbs")
ALL(hbm_channels,    32,      "",            "JEDEC; turns unverified: docs/model.md#hbm_channels")
ALL(hbm_row,         2048,    "B",           "JEDEC; unverified: docs/model.md#hbm_row")
ALL(hbm_queue,       64,      "per channel", "unverified: docs/model.md#hbm_queue")
ALL(hbm_row_ns,      1.0,     "ns",          "fitted: docs/model.md#hbm_row_ns")
ALL(hbm_open_ns,     5.5,     "ns",          "fitted: docs/model.md#hbm_open_ns")
ALL(hbm_write_gbs,   600,     "GB/s",        "fitted: docs/model.md#hbm_write_gbs")
ALL(hbm_partial_gbs, 230,     "GB/s",        "fitted: docs/model.md#hbm_partial_gbs")
ALL(hbm_latency,     558,     "cycles",      "gpu-benches, MI210: docs/model.md#hbm_latency")

/* scalar memory; scalar_miss: of instructions, too */
ALL(scalar,          16384,   "B per 3 CUs", "ROCm gpu-arch-specs")
ALL(scalar_ways,     4,       "",            "AMD GCN whitepaper 2012")
ALL(scalar_hit,      44,      "cycles",      "mt4g: docs/model.md#scalar_hit")
ALL(scalar_miss,     200,     "cycles",      "mt4g, ACO: docs/model.md#scalar_miss")

/* instructions */
ALL(icache,          32768,   "B per 3 CUs", "AMD GCN whitepaper 2012: docs/model.md#icache")
ALL(icache_ways,     4,       "",            "AMD GCN whitepaper 2012")

/* launch; group_start: from a free slot to a new group's first instruction */
ALL(launch_us,       4,       "us",          "exabit: floor of one dispatch, back to back")
ALL(group_start,     64,      "cycles",      "unverified: docs/model.md#group_start")

/* the replay of a loop's loads; replay_margin: a turn that is so much longer
 * than its arithmetic is bound by memory; replay_unfair: groups wait 1 - this
 * to 1 + this of the mean; replay_drift: times the root of a loop's turns, how
 * far apart groups are that began together */
ALL(replay_margin,   0.25,    "",            "convention: docs/model.md#replay_margin")
ALL(replay_unfair,   1,       "",            "fitted: docs/model.md#replay_unfair")
ALL(replay_drift,    4,       "turns",       "fitted: docs/model.md#replay_drift")

/* the report; bound_share: where all resources are used less, the bound is
 * latency */
ALL(bound_share,     0.6,     "",            "convention")

#undef ALL
