/* card_table.h - every constant of the timing model that is not the cost of
 * one instruction (those stand in cost.c).
 *
 * CARD(name, MI50, MI60, Radeon VII, Radeon Pro VII, unit, source), or
 * ALL(name, value, unit, source) where the cards have it alike. Included by
 * card.h and card.c with CARD defined as they need it; no include guard on
 * purpose. "unverified": no publication was found; "fitted": to the figures
 * named. "clpeak": what clpeak 1.1.2 printed on these two cards, issues 103
 * and 109 of krrishnarraj/clpeak.
 */
// SPDX-License-Identifier: MIT
// clang-format off
#define ALL(name, value, unit, source) \
  CARD(name, value, value, value, value, unit, source)

/* the chip */
CARD(cus,       60,    64,    60,    60,    "",            "ROCm gpu-arch-specs")
CARD(clock_mhz, 1725,  1800,  1801,  1700,  "MHz",         "rocminfo of an MI50 (wiki-gfx906); MI60 by AMD's release of 2018-11-06; the Radeons as clpeak reports them")
CARD(f64,       1,     1,     2,     1,     "",            "times the cycles of cost.c, of doubles: 3.43 TFLOP/s of a Radeon VII beside 6.46 of a Pro VII (clpeak)")
ALL(simds,           4,       "per CU",      "AMD GCN whitepaper 2012")

/* occupancy */
ALL(waves,           10,      "per SIMD",    "LLVM D65010")
ALL(vgprs,           256,     "per lane",    "LLVM D65010")
ALL(vgpr_granule,    4,       "VGPRs",       "LLVM AMDGPUBaseInfo")
ALL(sgprs,           800,     "per SIMD",    "LLVM D29741")
ALL(sgpr_granule,    16,      "SGPRs",       "LLVM D29741")
ALL(lds,             65536,   "B per CU",    "ROCm gpu-arch-specs")
ALL(lds_granule,     512,     "B",           "LLVM AMDGPUUsage, D99122")
ALL(barriers,        16,      "per CU",      "gem5 num_barrier_slots; groups of one wave need none")

/* issue */
ALL(cadence,         4,       "cycles",      "rocprofiler-compute docs, scheduler: a SIMD's turn comes every 4 cycles")
ALL(taken,           20,      "cycles",      "CLRX GcnTimings: taken branch, marked doubtful there")
ALL(barrier,         8,       "cycles",      "unverified: SOPP issue plus release; LLVM's 500 is marked guessed")
ALL(vmcnt,           63,      "",            "LLVM AMDGPUBaseInfo: 6 bits")
ALL(lgkmcnt,         15,      "",            "LLVM AMDGPUBaseInfo: 4 bits")

/* LDS; cycles of each instruction in cost.c */
ALL(lds_latency,     48,      "cycles",      "pyhip mem_latency: b32 52, b128 64 = 48 + port cycles (MI308X); MI100 and MI210 48 for b32 (mt4g)")

/* vector memory */
ALL(ta_queue,        64,      "cycles",      "unverified: work the address unit holds before issue stalls")
ALL(line,            64,      "B",           "ROCm gpu-arch-specs: L1 and L2 line")
ALL(l1,              16384,   "B per CU",    "ROCm gpu-arch-specs")
ALL(l1_ways,         4,       "",            "AMD GCN whitepaper 2012")
ALL(l1_rate,         64,      "B/clk",       "AMD GCN whitepaper 2012")
ALL(l1_latency,      104,     "cycles",      "a chain of loads then takes 125, as on an MI210 (gpu-benches, gpu-latency/mi210.txt); MI100 136, MI210 124 (mt4g, sample_results)")
ALL(l2,              4194304, "B",           "ROCm gpu-arch-specs")
ALL(l2_ways,         16,      "",            "AMD GCN whitepaper 2012")
ALL(l2_kept,         0.75,    "",            "of the ways of a set, those in which the loads of a loop stay until by chance another takes their place: fitted on every third kernel of the vega20 suite with WGM above 1, and on every second of sgemm nt and tn of ./check lines: with 1 and 0.5 the 90th errors of the former were 28 and 21 % at K = 4096, not 22, with 85 and 92 over all, not 86. Why is not known")
ALL(l2_rate,         907,     "B/clk",       "88.6 % of 64 for each channel, as an MI100 streams from its L2 (gpu-benches, gpu-l2-cache/mi100.txt: 2720 GB/s at 1.5 GHz, 32 channels); unverified for Vega 20, whose kv hsd reads are 650 or more")
ALL(l2_narrow_gbs,   880,     "GB/s",        "of loads with many lines on few channels, 55 for each: fitted, 870 on the small tiles of the vega20 suite that nothing else slows (a card at 1400 MHz), 883 on kv's hds reads (one at 1725): so not by the clock. GSU that leaves B on half or a quarter of the channels takes 1.5 or 2.5 times as long")
ALL(l2_lone,         1.5,     "",            "times the half of 128 bytes for 64 of which such a load does not want the others, nor soon goes on to them: fitted on the vega20 suite, where A's pieces of 16-row tiles take a channel as long as those of 32 rows; with 1 and 1.75 its 90th error was 53 and 43 %, of lines that are sound 26.6 and 27.3, not 48 and 26.0. Why is not known: lines have 64 bytes (Mesa, tcc_cache_line_size), and some of 32 sums a turn are not slowed")
ALL(l2_ports,        16,      "",            "links from each channel to the CUs; those whose number is the same modulo this share them: fitted as l2_link_gbs; 128-row tiles, where 8 CUs ask a channel, are not slowed, and 32-row ones neither")
ALL(l2_link_gbs,     28,      "GB/s",        "of a channel to the CUs that share a link: fitted on the vega20 suite's kernels with 64-row tiles by columns, where 4 CUs ask one channel; of 25 such, with 4 to 16 columns, sums of 8 to 64 a turn and GSU 1 to 32, 23 get A at 24 to 31")
ALL(l2_channels,     16,      "",            "rocprofiler's derived_counters.xml: gfx906 sums 16 TCCs")
ALL(l2_interleave,   256,     "B",           "Tensile's StaggerUStride default, which exists to spread work over channels")
ALL(l2_atomic_ns,    5.2,     "ns",          "of a channel for a line; fitted on the K = 0 time of rocBLAS's GSU 16 and 32 kernels: 2.8..3.2 Glines/s, 4 to 16 lanes a line alike")
ALL(l2_port,         64,      "B/clk per CU","AMD GCN whitepaper 2012: L1 to crossbar")
ALL(l2_burst,        300,     "cycles",      "for which a CU may take later what it left of its share of the L2: fitted on the vega20 suite, where kernels of one group on a CU that ask for 320 lines a turn took 1.3 times the measured time; 300, 1000 and 2000 alike")
ALL(l2_latency,      228,     "cycles",      "a chain of loads then takes 241, as on an MI210 (gpu-benches: 234..252); MI100 336, MI210 292 (mt4g)")
ALL(tlb_page,        65536,   "B",           "amdgpu's fragments of page tables may be larger; unverified, but kernels of rocBLAS whose columns are 64 KiB apart lose what those with 32 KiB do not")
ALL(tlb_pages,       192,     "per CU",      "whose place a CU keeps: fitted on sgemm nn (vega20 suite) and tn (./check lines) at K = 16384, where columns are a page apart, and nn with WGM 1 loses where a CU's groups have more than 250: with 144 tn of 64 x 128 x 16 was 1.3 times too slow, with 256 of 128 x 128 x 8 1.7 times too fast. 32 x 32 x 16 with 14 groups wants fewer")
ALL(tlb_rate,        3.4,     "pages/clk",   "of all CUs together: fitted as tlb_pages; tn of 128 x 128 x 8, 128 x 32 x 16 and 64 x 64 x 8 asks for 4.2 to 5.0 G pages a second at 1400 MHz, nn for 4.1 to 5.4; unverified that it goes with the clock")
ALL(hbm_read_gbs,    870,     "GB/s",        "wiki-gfx906: 867..873 read by dwordx4; 1024 peak")
ALL(hbm_channels,    32,      "",            "JEDEC JESD235: 4 stacks of 8; two EAs a TCC on gfx906 (rocprofiler); unverified that they take turns as the L2's do")
ALL(hbm_row,         2048,    "B",           "JEDEC JESD235: page of a channel; unverified for pseudo channels, which have 1024")
ALL(hbm_queue,       64,      "per channel", "rows that the controller looks over, unverified: with 256 tiles of sgemm tn that lose half of their speed at K = 16384 lose too little; before it, and with 5 ns a row, the 90th error there was 47 % instead of 32")
ALL(hbm_row_ns,      1.0,     "ns",          "of a channel, to open another row: fitted on the vega20 suite's kernels whose tiles of A are 16 to 128 bytes wide, at K = 16384: with 0, 1 and 2 the 90th error there was 40, 36 and 35 %, the median 7.1, 7.0 and 8.4. JESD235's tRRD, 4 at 1 GHz, overlaps with data")
ALL(hbm_open_ns,     5.5,     "ns",          "between two rows that a channel opens, while it sends data of others: fitted on rocBLAS's sgemm tn at K = 16384 (./check lines), where rows of A and B are 64 KiB apart and tiles of 64 x 64 to 128 x 128 get 5.2 G pieces a second, of 32 to 128 bytes alike; with 7 the median error there was 14 % instead of 11, with plain sets of the L2 and before pages were looked up, which explain part of it. JESD235's tRRD is 4 at 1 GHz")
ALL(hbm_write_gbs,   600,     "GB/s",        "fitted on copy 713..718 beside read 880..892 (Vega II, exabit)")
ALL(hbm_partial_gbs, 230,     "GB/s",        "of lines written in part, which ECC has read, merged and written (Intel's HBM2 guide, 683189, 6.5.7); fitted on kv_write hds 54.4 and 14.0 (wiki-gfx906): 234 and 229. Reading at 870 and writing at 600 alone would be 355; unverified for the Radeon VII, which may have no ECC")
ALL(hbm_latency,     558,     "cycles",      "a chain of loads then takes 571, as on an MI210 (gpu-benches: 570 at 32 MiB, 586 at 74 MiB); MI100 664, MI210 684 (mt4g, medians)")

/* scalar memory */
ALL(scalar,          16384,   "B per 3 CUs", "ROCm gpu-arch-specs")
ALL(scalar_ways,     4,       "",            "AMD GCN whitepaper 2012")
ALL(scalar_hit,      44,      "cycles",      "MI100 and MI210: 48 with the wait (mt4g, sample_results)")
ALL(scalar_miss,     200,     "cycles",      "MI100: 48 and 156 more (mt4g); Mesa ACO has 200 too; an MI210 trace shows 114 for kernargs")

/* instructions */
ALL(icache,          32768,   "B per 3 CUs", "AMD GCN whitepaper 2012; for 3 CUs: rocprofiler-compute docs, as the scalar cache")
ALL(icache_ways,     4,       "",            "AMD GCN whitepaper 2012")
ALL(icache_miss,     200,     "cycles",      "unverified: as scalar_miss, the L2 is behind both; that waves ask only when they run out of a line too")

/* launch */
ALL(launch_us,       4,       "us",          "exabit: floor of one dispatch, back to back")
ALL(group_start,     64,      "cycles",      "unverified: from a free slot to a new group's first issue")

/* the replay of a loop's loads */
ALL(replay_margin,   0.25,    "",            "convention: so much longer than its arithmetic, a turn counts as bound by memory")
ALL(replay_unfair,   1,       "",            "what a group waits for queues is 1 - this to 1 + this of the mean, by chance, on CUs that hold several: fitted on the vega20 suite at K = 16384, where kernels that memory bounds lose what their groups share and those that arithmetic bounds do not")
ALL(replay_drift,    4,       "turns",       "times the root of its turns, by which groups that began together are apart in the middle of a launch, at most: fitted as l2_kept, at K = 1024 to 16384: with 1 small tiles with WGM above 1 took 0.7 to 0.8 of the measured time at 16384")

/* the report */
ALL(bound_share,     0.6,     "",            "convention: below this use of every resource the bound is latency")

#undef ALL
// clang-format on
