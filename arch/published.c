/* published.c - see published.h. */
// SPDX-License-Identifier: MIT
#include "arch/published.h"

#include <string.h>

#include "arch/lds_banks.h"

enum {ARCHS = 4};
static const char *const archs[ARCHS] = {"gfx908", "gfx90a", "gfx942", "gfx950"};

/* What is counted: nothing; a fact of the name; an LDS read of so many bytes a lane,
 * one lane after the other, or all lanes in one bank. */
enum count {NONE, FACT, IN_A_ROW, ONE_BANK};

#define MT4G "MT4G, sample results"
#define PYHIP "pyhip, MI308X"
#define AZURE "Azure, ND MI300X v5"
#define ISPASS "ISPASS 2024, MI250"
#define KITTENS "HipKittens, MI355X"

static const struct row {
  const char *what, *unit, *source;
  double value[ARCHS]; /* 0: none is published */
  enum count count;
  unsigned bytes;
  const char *fact;
} rows[] = {
    {"vector L1, latency", "cycles", MT4G, {136, 124, 116, 0}, NONE, 0, NULL},
    {"L2, latency", "cycles", MT4G, {344, 302, 288, 0}, NONE, 0, NULL},
    {"HBM, latency", "cycles", MT4G, {703, 741, 900, 0}, NONE, 0, NULL},
    {"scalar L1, latency", "cycles", MT4G, {50, 53, 48, 0}, NONE, 0, NULL},
    {"LDS, latency", "cycles", MT4G, {50.0, 49.9, 51.3, 0}, NONE, 0, NULL},
    {"L2, read", "GiB/s", MT4G, {2485, 4014, 14365, 0}, NONE, 0, NULL},
    {"L2, written", "GiB/s", MT4G, {0, 2404, 6562, 0}, NONE, 0, NULL},
    {"last level, read", "GiB/s", MT4G, {0, 0, 5400, 0}, NONE, 0, NULL},
    {"last level, written", "GiB/s", MT4G, {0, 0, 5090, 0}, NONE, 0, NULL},
    {"HBM, read", "GiB/s", MT4G, {684, 1085, 3690, 0}, NONE, 0, NULL},
    {"HBM, written", "GiB/s", MT4G, {665, 967, 4117, 0}, NONE, 0, NULL},
    {"line of the vector L1", "bytes", MT4G, {64, 64, 128, 0}, FACT, 0, "l1_line"},
    {"line of the L2", "bytes", MT4G, {0, 128, 128, 0}, FACT, 0, "l2_line"},
    {"ds_read_b32, latency", "cycles", PYHIP, {0, 0, 52, 0}, NONE, 0, NULL},
    {"ds_read_b128, latency", "cycles", PYHIP, {0, 0, 64, 0}, NONE, 0, NULL},
    {"ds_read_b128, one wave", "cycles", PYHIP, {0, 0, 16, 0}, NONE, 0, NULL},
    {"ds_read_b128 of a CU", "cycles", PYHIP, {0, 0, 8, 0}, IN_A_ROW, 16, NULL},
    {"ds_read_b32, one bank", "cycles", PYHIP, {0, 0, 64, 0}, ONE_BANK, 4, NULL},
    {"ds_read_b64", "phases", KITTENS, {0, 0, 0, 2}, IN_A_ROW, 8, NULL},
    {"ds_read_b128", "phases", KITTENS, {0, 0, 0, 4}, IN_A_ROW, 16, NULL},
    {"v_mfma 16x16x16 bf16", "cycles", PYHIP, {0, 0, 16.03, 0}, NONE, 0, NULL},
    {"v_mfma 32x32x8 bf16", "cycles", PYHIP, {0, 0, 32, 0}, NONE, 0, NULL},
    {"VALU beside a product", "instr.", PYHIP, {0, 0, 3, 0}, NONE, 0, NULL},
    {"x4 load, HBM, least", "cycles", PYHIP, {0, 0, 500, 0}, NONE, 0, NULL},
    {"x4 load, HBM, most", "cycles", PYHIP, {0, 0, 800, 0}, NONE, 0, NULL},
    {"loads of a CU from HBM", "B/clk", PYHIP, {0, 0, 32, 0}, NONE, 0, NULL},
    {"loads of a CU to LDS", "B/clk", PYHIP, {0, 0, 23, 0}, NONE, 0, NULL},
    {"copy (BabelStream)", "TB/s", AZURE, {0, 0, 4.11, 0}, NONE, 0, NULL},
    {"triad (BabelStream)", "TB/s", AZURE, {0, 0, 4.09, 0}, NONE, 0, NULL},
    {"GEMM, fp8, 4096", "TFLOP/s", AZURE, {0, 0, 955, 0}, NONE, 0, NULL},
    {"GEMM, fp8, 8192", "TFLOP/s", AZURE, {0, 0, 1159, 0}, NONE, 0, NULL},
    {"GEMM, f16, mixed", "TFLOP/s", ISPASS, {0, 350, 0, 0}, NONE, 0, NULL},
    {"GEMM, f32", "TFLOP/s", ISPASS, {0, 88, 0, 0}, NONE, 0, NULL},
    {"GEMM, f64", "TFLOP/s", ISPASS, {0, 69, 0, 0}, NONE, 0, NULL},
    {"GEMM, bf16, 1024", "TFLOP/s", KITTENS, {0, 0, 0, 139}, NONE, 0, NULL},
    {"GEMM, bf16, 2048", "TFLOP/s", KITTENS, {0, 0, 0, 665}, NONE, 0, NULL},
    {"GEMM, bf16, 4096", "TFLOP/s", KITTENS, {0, 0, 0, 1413}, NONE, 0, NULL},
    {"GEMM, bf16, 8192", "TFLOP/s", KITTENS, {0, 0, 0, 1610}, NONE, 0, NULL},
    {"GEMM, bf16, 16384", "TFLOP/s", KITTENS, {0, 0, 0, 1571}, NONE, 0, NULL},
};

static double lds(const struct arch *a, unsigned bytes, unsigned stride)
{
  const struct lds_layout *y = lds_layout_find(arch_name(a));
  uint64_t address[LDS_LANES];
  unsigned phases;
  if (!y)
    return 0;
  for (unsigned l = 0; l < y->wave; l++)
    address[l] = (uint64_t)stride * l;
  return lds_cycles(y, LDS_READ, bytes, lds_wave(y), address, &phases);
}

static double ours(const struct arch *a, const struct row *r)
{
  switch (r->count) {
  case FACT:
    return (double)arch_fact(a, r->fact);
  case IN_A_ROW:
    return lds(a, r->bytes, r->bytes);
  case ONE_BANK:
    return lds(a, r->bytes, 4 * LDS_BANKS);
  default:
    return 0;
  }
}

int published_at(const struct arch *a, size_t n, struct published *out)
{
  size_t of = 0;
  while (of < ARCHS && strcmp(archs[of], arch_name(a)))
    of++;
  for (size_t i = 0; of < ARCHS && i < sizeof rows / sizeof *rows; i++) {
    const struct row *r = &rows[i];
    if (!(r->value[of] > 0) || n--)
      continue;
    *out = (struct published){r->what, r->unit, r->source, r->value[of],
                              ours(a, r)};
    return 1;
  }
  return 0;
}
