/* explain_against.c - a configuration beside a library's kernel for the same
 * product, or a kernel of a code object: see explain.h. */
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tuner/cli/cli.h"
#include "tuner/cli/explain.h"
#include "tuner/diagnose/diagnose.h"

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

/* --- stalls, by what they are for ------------------------------------------ */

/* Cycles that a wave stalls. */
static void stalls(const struct explained *x, const struct listing *l,
                   double by[CAUSES])
{
  struct att_kernel k = explain_kernel(x, l);
  struct flow *flow = flow_of(&k);
  double waves = x->report.sq_waves;
  for (size_t i = 0; i < k.nrows && waves > 0; i++)
    by[cause_of(&flow[i])] += whole(x, k.rows[i].stall) / waves;
  free(flow);
  free(k.rows);
}

static void print_stalls(const struct explained *ours,
                         const struct listing *our_list,
                         const struct explained *theirs,
                         const struct listing *their_list)
{
  double a[CAUSES] = {0}, b[CAUSES] = {0};
  stalls(ours, our_list, a);
  stalls(theirs, their_list, b);
  printf("\n  cycles a wave stalls, for\n");
  for (int c = 0; c < CAUSES; c++)
    if (a[c] > 0 || b[c] > 0)
      row(cause_words[c], a[c], b[c]);
}

static const char *const units[] = {"valu", "salu", "smem", "lds", "vmem",
                                    "branch", "other"};

enum {UNITS = sizeof units / sizeof *units};

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

/* What a row counts: how often it was executed; or of code that was not, 1. */
static double times_of(const struct explained *x, size_t i, int executed)
{
  return executed ? whole(x, x->rows[i].hits) : 1;
}

static size_t add(struct mnemonic *list, size_t n, const struct explained *x,
                  int which, int executed)
{
  for (size_t i = 0; i < x->nrows; i++) {
    size_t k = 0;
    while (k < n && strcmp(list[k].name, x->rows[i].name))
      k++;
    if (k == n)
      list[n++] = (struct mnemonic){.name = x->rows[i].name};
    list[k].times[which] += times_of(x, i, executed);
  }
  return n;
}

static void print_mnemonics(const struct explained *ours,
                            const struct explained *theirs, int executed)
{
  struct mnemonic *list = mem_array(ours->nrows + theirs->nrows + 1,
                                    sizeof *list);
  size_t n = add(list, 0, ours, 0, executed);
  n = add(list, n, theirs, 1, executed);
  qsort(list, n, sizeof *list, by_times);
  printf("\n  %-26s\n", executed ? "times executed, by waves"
                                 : "times in the code");
  for (size_t k = 0; k < n && k < MNEMONICS && most(&list[k]) > 0; k++)
    row(list[k].name, list[k].times[0], list[k].times[1]);
  free(list);
}

/* --- instructions of the code, by kind ------------------------------------- */

static double written(const struct explained *x, const char *unit)
{
  double sum = 0;
  for (size_t i = 0; i < x->nrows; i++)
    sum += !strcmp(x->rows[i].unit, unit);
  return sum;
}

static void print_units(const struct explained *ours,
                        const struct explained *theirs)
{
  row("instructions in the code", (double)ours->nrows, (double)theirs->nrows);
  for (size_t n = 0; n < UNITS; n++) {
    char label[32];
    double a = written(ours, units[n]), b = written(theirs, units[n]);
    snprintf(label, sizeof label, "of them %s", units[n]);
    if (a > 0 || b > 0)
      row(label, a, b);
  }
}

/* --- all ------------------------------------------------------------------ */

/* Of the code and the launch, without what was executed. */
static void print_needs(const struct explained *ours,
                        const struct explained *theirs)
{
  const struct hipsim_report *a = &ours->report, *b = &theirs->report;
  row("VGPRs", a->vgprs, b->vgprs);
  row("SGPRs", a->sgprs, b->sgprs);
  row("scratch bytes a lane", a->scratch_bytes, b->scratch_bytes);
  row("LDS bytes a workgroup", a->lds_bytes, b->lds_bytes);
  row("waves a SIMD", a->waves_per_simd, b->waves_per_simd);
  printf("  %-26s %14.14s %14.14s\n", "limited by", a->occupancy_limit,
         b->occupancy_limit);
}

static void print_head(const char *what, const char *library)
{
  printf("\n  %-26s %14s %14.14s  %6s\n", what, "ours", library, "ratio");
}

/* Theirs was not launched. */
static void compare_code(const struct explained *ours,
                         const struct explained *theirs, const char *library)
{
  print_head("of the code", library);
  print_needs(ours, theirs);
  print_units(ours, theirs);
  print_mnemonics(ours, theirs, 0);
  printf("  (--launch 'grid=X,Y block=X args=...' shows what it does)\n");
}

void explain_against(const struct explained *ours, const struct listing *our_list,
                     const struct explained *theirs,
                     const struct listing *their_list)
{
  const struct hipsim_report *a = &ours->report, *b = &theirs->report;
  const char *library = record_get(theirs->record, "library");
  printf("\n");
  cli_rowf("against", "%s: %s", library, b->kernel);
  if (b->sq_waves <= 0) {
    compare_code(ours, theirs, library);
    return;
  }
  print_head("modelled, whole launch", library);
  for (size_t n = 0; n < sizeof figures / sizeof *figures; n++) {
    const struct figure *f = &figures[n];
    row(f->label, *(const double *)((const char *)a + f->at) * f->scale,
        *(const double *)((const char *)b + f->at) * f->scale);
  }
  printf("  %-26s %14.14s %14.14s\n", "bound by", a->bound, b->bound);
  print_needs(ours, theirs);
  print_stalls(ours, our_list, theirs, their_list);
  print_mnemonics(ours, theirs, 1);
  if (record_get(theirs->record, "unchecked"))
    printf("  (what %.40s computes was not compared with ours)\n", library);
}
