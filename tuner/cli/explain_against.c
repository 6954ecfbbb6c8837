/* explain_against.c - a configuration beside a library's kernel for the same
 * product: see explain.h. */
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tuner/cli/cli.h"
#include "tuner/cli/explain.h"

enum {MNEMONICS = 16}; /* printed */

#define AT(field) offsetof(struct hipsim_report, field)

/* Of the whole launch; scale: to the unit that is printed. */
static const struct figure {
  const char *label;
  size_t at;
  double scale;
} figures[] = {
  {"time, us", AT(time_us), 1},
  {"waves", AT(sq_waves), 1},
  {"VALU instructions", AT(sq_insts_valu), 1},
  {"SALU instructions", AT(sq_insts_salu), 1},
  {"scalar loads", AT(sq_insts_smem), 1},
  {"LDS instructions", AT(sq_insts_lds), 1},
  {"loads", AT(sq_insts_vmem_rd), 1},
  {"stores", AT(sq_insts_vmem_wr), 1},
  {"LDS cycles", AT(sq_lds_idx_active), 1},
  {"of them conflicts", AT(sq_lds_bank_conflict), 1},
  {"bytes asked of L1", AT(tcp_line_reads), 64},
  {"bytes asked of L2", AT(tcc_line_reads), 64},
  {"bytes from HBM", AT(tcc_ea_rdreq), 64},
  {"bytes to HBM", AT(tcc_ea_wrreq), 64},
};

static void row(const char *label, double ours, double theirs)
{
  printf("  %-26.26s %14.6g %14.6g", label, ours, theirs);
  if (theirs > 0)
    printf("  %6.2f", ours / theirs);
  printf("\n");
}

static double whole(const struct explained *x, double sampled)
{
  double share = x->report.sampled_share;
  return share > 0 ? sampled / share : sampled;
}

/* --- stalls, by what waited ----------------------------------------------- */

static double stalled(const struct explained *x, const char *unit)
{
  double sum = 0;
  for (size_t i = 0; i < x->nrows; i++)
    if (!strcmp(x->rows[i].unit, unit))
      sum += x->rows[i].stall;
  double waves = x->report.sq_waves;
  return waves > 0 ? whole(x, sum) / waves : 0;
}

static void print_stalls(const struct explained *ours,
                         const struct explained *theirs)
{
  static const char *const units[] = {"valu", "salu", "smem", "lds", "vmem",
                                      "branch", "other"};
  printf("\n  %-26s\n", "cycles a wave stalls, before");
  for (size_t n = 0; n < sizeof units / sizeof *units; n++) {
    double a = stalled(ours, units[n]), b = stalled(theirs, units[n]);
    if (a > 0 || b > 0)
      row(units[n], a, b);
  }
}

/* --- instructions, by name ------------------------------------------------ */

struct mnemonic {
  const char *name;
  double times[2]; /* ours, theirs */
};

static double most(const struct mnemonic *m)
{
  return m->times[0] > m->times[1] ? m->times[0] : m->times[1];
}

static int by_times(const void *a, const void *b)
{
  const struct mnemonic *x = a, *y = b;
  return most(x) != most(y) ? most(x) < most(y) ? 1 : -1
                            : strcmp(x->name, y->name);
}

static size_t add(struct mnemonic *list, size_t n, const struct explained *x,
                  int which)
{
  for (size_t i = 0; i < x->nrows; i++) {
    size_t k = 0;
    while (k < n && strcmp(list[k].name, x->rows[i].name))
      k++;
    if (k == n)
      list[n++] = (struct mnemonic){.name = x->rows[i].name};
    list[k].times[which] += whole(x, x->rows[i].hits);
  }
  return n;
}

static void print_mnemonics(const struct explained *ours,
                            const struct explained *theirs)
{
  struct mnemonic *list = mem_array(ours->nrows + theirs->nrows + 1,
                                    sizeof *list);
  size_t n = add(list, 0, ours, 0);
  n = add(list, n, theirs, 1);
  qsort(list, n, sizeof *list, by_times);
  printf("\n  %-26s\n", "times executed, by waves");
  for (size_t k = 0; k < n && k < MNEMONICS && most(&list[k]) > 0; k++)
    row(list[k].name, list[k].times[0], list[k].times[1]);
  free(list);
}

/* --- all ------------------------------------------------------------------ */

void explain_against(const struct explained *ours,
                     const struct explained *theirs)
{
  const struct hipsim_report *a = &ours->report, *b = &theirs->report;
  const char *library = record_get(theirs->record, "library");
  printf("\n");
  cli_rowf("against", "%s: %s", library, b->kernel);
  printf("\n  %-26s %14s %14.14s  %6s\n", "modelled, whole launch", "ours",
         library, "ratio");
  for (size_t n = 0; n < sizeof figures / sizeof *figures; n++) {
    const struct figure *f = &figures[n];
    row(f->label, *(const double *)((const char *)a + f->at) * f->scale,
        *(const double *)((const char *)b + f->at) * f->scale);
  }
  row("VGPRs", a->vgprs, b->vgprs);
  row("LDS bytes a workgroup", a->lds_bytes, b->lds_bytes);
  row("waves a SIMD", a->waves_per_simd, b->waves_per_simd);
  printf("  %-26s %14.14s %14.14s\n", "limited by", a->occupancy_limit,
         b->occupancy_limit);
  printf("  %-26s %14.14s %14.14s\n", "bound by", a->bound, b->bound);
  print_stalls(ours, theirs);
  print_mnemonics(ours, theirs);
}
