/* verb_explain.c - tune explain FAMILY: why a configuration is as it is. */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/duration.h"
#include "base/suggest.h"
#include "tuner/cli/cli.h"
#include "tuner/cli/explain.h"
#include "tuner/cli/explain_lds.h"
#include "tuner/device/rival.h"
#include "tuner/session/task.h"
#include "tuner/cli/json.h"
#include "tuner/cli/progress.h"
#include "tuner/session/cost.h"
#include "tuner/session/single.h"
#include "tuner/session/target.h"
#include "tuner/session/winner.h"

enum {TRACE_EVENTS = 1 << 16}; /* some 40 MB as files */

struct explain {
  const struct options *options;
  struct task task;
  struct target target;
  struct single single;
};

/* --- the space ----------------------------------------------------------- */

static void print_space(const struct task *k)
{
  const char *reason;
  uint64_t excluded;
  double all = (double)space_product(k->space);
  double legal = (double)space_count(k->space);
  char text[160];
  snprintf(text, sizeof text, "%.4g points, of which %.4g are legal (%.2g %%)",
           all, legal, 100 * legal / all);
  printf("\n");
  cli_row("space", text);
  printf("\n  %9s  %s\n", "excludes", "rule");
  for (size_t i = 0; (reason = space_reason(k->space, i, &excluded)); i++) {
    snprintf(text, sizeof text, "  %7.3g %%", 100 * (double)excluded / all);
    cli_entry(text, 13, reason);
  }
}

/* --- one configuration --------------------------------------------------- */

static double per(double x, double n)
{
  return n > 0 ? x / n : 0;
}

/* Instructions that cost alike: unrolled loops have the same one many times. */
struct alike {
  const struct hipsim_instruction *first;
  size_t n;
  double hits;
};

static double each(double x, const struct hipsim_instruction *row)
{
  return per(x, row->hits);
}

static int same_cost(const struct hipsim_instruction *a,
                     const struct hipsim_instruction *b)
{
  return !strcmp(a->name, b->name) &&
         fabs(each(a->lds_cycles, a) - each(b->lds_cycles, b)) < 0.01 &&
         fabs(each(a->lds_conflicts, a) - each(b->lds_conflicts, b)) < 0.01;
}

enum {KINDS = 32};

static size_t group(const struct explained *x, struct alike kinds[KINDS])
{
  size_t n = 0;
  for (size_t i = 0; i < x->nrows; i++) {
    const struct hipsim_instruction *row = &x->rows[i];
    size_t k = 0;
    while (k < n && !same_cost(kinds[k].first, row))
      k++;
    if (row->hits <= 0 || strcmp(row->unit, "lds") || k == KINDS)
      continue;
    if (k == n)
      kinds[n++] = (struct alike){.first = row};
    kinds[k].n++;
    kinds[k].hits += row->hits;
  }
  return n;
}

static void print_lds(const struct explained *x)
{
  const struct hipsim_report *r = &x->report;
  struct alike kinds[KINDS];
  size_t n = group(x, kinds);
  cli_rowf("LDS", "%.4g conflict cycles in all, %.2f an instruction, %.1f %% "
           "of the %.4g cycles it works", r->sq_lds_bank_conflict,
           per(r->sq_lds_bank_conflict, r->sq_insts_lds),
           100 * per(r->sq_lds_bank_conflict, r->sq_lds_idx_active),
           r->sq_lds_idx_active);
  if (n)
    printf("\n  %-18s %6s %12s %10s %10s %8s\n", "LDS instruction", "times",
           "simulated", "cycles", "conflicts", "first at");
  for (size_t i = 0; i < n; i++) {
    const struct hipsim_instruction *row = kinds[i].first;
    printf("  %-18.40s %6zu %12.0f %10.2f %10.2f %#8x\n", row->name,
           kinds[i].n, kinds[i].hits, each(row->lds_cycles, row),
           each(row->lds_conflicts, row), row->offset);
  }
  if (n)
    printf("  (cycles without conflicts and for them, of one execution)\n");
}

static void print_counters(const struct explained *x)
{
  const struct hipsim_report *r = &x->report;
  double seconds = 1e-6 * r->time_us;
  cli_rowf("occupancy", "%u wave%s a SIMD, %u workgroup%s a CU, limited by "
           "%.16s", r->waves_per_simd, PLURAL(r->waves_per_simd), r->groups_per_cu,
           PLURAL(r->groups_per_cu), r->occupancy_limit);
  cli_rowf("bound by", "%.16s (%.3g %% of the waves were simulated)",
           r->bound, 100 * r->sampled_share);
  cli_rowf("issued", "%.4g VALU, %.4g SALU, %.4g LDS, %.4g loads, %.4g "
           "stores", r->sq_insts_valu, r->sq_insts_salu, r->sq_insts_lds,
           r->sq_insts_vmem_rd, r->sq_insts_vmem_wr);
  cli_rowf("caches", "L1 hits %.1f %%, L2 hits %.1f %%, %.0f GB/s from HBM",
           100 - 100 * per(r->tcp_misses, r->tcp_line_reads),
           100 - 100 * per(r->tcc_misses, r->tcc_line_reads),
           1e-9 * per(64 * r->tcc_misses, seconds));
  print_lds(x);
  explain_counters(r);
}

static void print_result(const struct explained *x)
{
  const struct record *r = x->record;
  const char *reason = record_get(r, "reason");
  char us[64], error[32];
  cost_text(r, us, sizeof us);
  cost_error_text(r, error, sizeof error);
  cli_rowf("registers", "%.0f VGPRs, %.0f bytes spilled",
           record_number(r, "vgprs", 0), record_number(r, "spills", 0));
  cli_rowf("LDS bytes", "%.0f a workgroup", record_number(r, "lds", 0));
  if (reason)
    cli_rowf("status", "%s: %s", record_get(r, "status"), reason);
  else if (!cost_is_time(r))
    cli_rowf("time", "not timed; %s", us);
  else
    cli_rowf("time", "%s%s%s, %s", us, *error ? " " : "", error,
             x->modelled ? "modelled" : "measured");
  if (!reason && x->modelled)
    print_counters(x);
}

/* The least time that arithmetic and memory of the whole device allow. */
static void print_limits(const struct explain *x, const struct config *c)
{
  const struct task *k = &x->task;
  struct plan plan;
  struct str what = {0};
  char compute[32], memory[32];
  if (family_plan(k->family, &k->problem, c, &plan, NULL) || !plan.flops)
    return;
  double peak = winner_peak(k->arch, x->target.device, &plan, &what);
  if (!(peak > 0))
    return;
  duration_format(per(1e-3 * plan.flops, peak), compute, sizeof compute);
  duration_format(per(1e-3 * plan.bytes,
                      (double)arch_fact(k->arch, "hbm_gbps")), memory,
                  sizeof memory);
  cli_rowf("limits", "%s at the %s, %s for its data at the HBM peak", compute,
           what.at, memory);
  str_free(&what);
}

/* Its lines for programs: what was explained, counters, instructions. */
static void print_json(const struct explain *x, const struct config *c,
                       struct record *r, const struct explained *found,
                       const struct listing *l)
{
  const struct task *k = &x->task;
  struct str text = {0};
  config_format(k->family, c, &text);
  record_set(r, "family", "%s", family_name(k->family));
  record_set(r, "arch", "%s", arch_name(k->arch));
  record_set(r, "problem", "%s", k->problem_text.at);
  record_set(r, "config", "%s", text.at);
  if (x->target.device) {
    record_set(r, "device", "%s", x->target.device->name);
    record_set(r, "source", "%s", device_source(x->target.device));
  }
  json_record(stdout, "explained", r, NULL, 0);
  if (found && found->modelled && !record_get(r, "reason"))
    explain_json(found, l, x->options->annotate);
  str_free(&text);
}

/* The instructions' text; without the disassembler, their names will do. */
static int list_code(const struct explain *x, const struct explained *found,
                     struct listing *l, struct err *e)
{
  const char *trace = x->options->trace;
  struct err why = {0};
  if ((!x->options->annotate && !trace) || record_get(found->record, "reason"))
    return 0;
  if (!found->modelled)
    return err_set(e, ERR_USAGE, "--%s: only the simulated device counts "
                   "cycles of instructions; add --device sim",
                   trace ? "trace" : "annotate");
  if (disassemble(x->task.arch, found->rows, found->nrows, l, &why))
    cli_notice(NULL, why.text);
  return 0;
}

static int write_trace(const struct explain *x, const struct explained *found,
                       const struct listing *l, struct err *e)
{
  struct str device = {0};
  str_addf(&device, "%s, modelled", x->target.device->name);
  int failed = explain_trace(found, l, device.at, x->options->trace, e);
  str_free(&device);
  if (!failed && !x->options->json)
    cli_rowf("trace", "%zu instructions of the first waves, modelled, in %s: "
             "`tune diagnose` and rocprof-compute-viewer read the folder, "
             "Perfetto its chrome.json", found->nevents, x->options->trace);
  return failed;
}

/* Both with the text of their instructions, where that can be had. */
static void compare(const struct explain *x, const struct explained *ours,
                    const struct explained *theirs)
{
  struct listing our_list = {0}, their_list = {0};
  struct err why = {0};
  const struct arch *arch = x->task.arch;
  if (disassemble(arch, ours->rows, ours->nrows, &our_list, &why) ||
      disassemble(arch, theirs->rows, theirs->nrows, &their_list, &why))
    cli_notice(NULL, why.text);
  explain_against(ours, &our_list, theirs, &their_list);
  listing_free(&our_list);
  listing_free(&their_list);
}

/* What the library's kernel does for the same product. */
static int print_against(struct explain *x, const struct config *c,
                         const struct explained *ours, struct err *e)
{
  struct explained theirs = {0};
  if (record_get(ours->record, "reason"))
    return 0;
  if (!ours->modelled)
    return err_set(e, ERR_USAGE, "--against: only the simulated device says "
                   "what another's kernel does; add --device sim");
  int code = single_explain_against(&x->single, c, &theirs, e);
  const char *reason = code ? NULL : record_get(theirs.record, "reason");
  if (reason)
    code = err_set(e, ERR_FAILED, "--against %s: %s", x->options->against,
                   reason);
  else if (!code)
    compare(x, ours, &theirs);
  explained_free(&theirs);
  return code;
}

static int explain_one(struct explain *x, const struct config *c,
                       struct err *e)
{
  struct explained found;
  struct listing l = {0};
  int code = single_explain(&x->single, c, &found, e);
  if (!code)
    code = list_code(x, &found, &l, e);
  if (!code && x->options->trace && !record_get(found.record, "reason"))
    code = write_trace(x, &found, &l, e);
  if (!code && x->options->json) {
    print_json(x, c, found.record, &found, &l);
  } else if (!code) {
    print_limits(x, c);
    print_result(&found);
    if (x->options->annotate && found.nrows)
      explain_annotate(&found, &l);
  }
  if (!code && x->options->against)
    code = print_against(x, c, &found, e);
  listing_free(&l);
  explained_free(&found);
  return code;
}

/* --- the values of one tunable ------------------------------------------- */

static int find_tunable(const struct task *k, const char *name, size_t *at,
                        const struct tunable **out, struct err *e)
{
  const struct tunable *list;
  const char *names[FAMILY_TUNABLES];
  size_t n = family_tunables(k->family, &list);
  for (*at = 0; *at < n; ++*at) {
    names[*at] = list[*at].name;
    *out = &list[*at];
    if (!strcmp(name, names[*at]))
      return 0;
  }
  const char *near = suggest(name, names, n);
  return err_set(e, ERR_USAGE, "%s has no tunable '%s'%s%s%s `tune help %s` "
                 "names them all", family_name(k->family), name,
                 near ? "; did you mean '" : "", near ? near : "",
                 near ? "'?" : ";", family_name(k->family));
}

static void print_value(const char *value, const struct explained *x)
{
  const struct hipsim_report *r = &x->report;
  const char *reason = record_get(x->record, "reason");
  char us[64], error[32];
  cost_text(x->record, us, sizeof us);
  cost_error_text(x->record, error, sizeof error);
  if (reason)
    printf("  %8s  %s: %s\n", value, record_get(x->record, "status"), reason);
  else
    printf("  %8s %10s %10.2f %12.4g %8.0f %6u  %-8.16s %s\n", value, us,
           per(r->sq_lds_bank_conflict, r->sq_insts_lds),
           r->sq_lds_bank_conflict, record_number(x->record, "vgprs", 0),
           r->waves_per_simd, r->bound, error);
}

static void print_excluded(const struct explain *x, const struct config *c,
                           const char *value, const char *why)
{
  if (!x->options->json) {
    char label[24];
    snprintf(label, sizeof label, "  %8s  excluded:", value);
    cli_entry(label, 22, why);
    return;
  }
  struct record *r = record_new();
  record_set(r, "status", "%s", status_name(STATUS_RULE));
  record_set(r, "reason", "%s", why);
  print_json(x, c, r, NULL, NULL);
  record_free(r);
}

static int vary(struct explain *x, struct config c, struct err *e)
{
  const struct tunable *t = NULL;
  struct explained found;
  size_t at;
  char value[64];
  if (find_tunable(&x->task, x->options->vary, &at, &t, e))
    return e->code;
  if (!x->options->json)
    printf("\n  %8s %10s %10s %12s %8s %6s  %s\n", t->name, "time",
           "LDS confl.", "in all", "VGPRs", "waves", "bound by");
  for (size_t i = 0; i < t->nvalues; i++) {
    c.at[at] = (uint8_t)i;
    value_format(&t->values[i], value, sizeof value);
    const char *why = space_rule(x->task.space, &c);
    if (why) {
      print_excluded(x, &c, value, why);
      continue;
    }
    int code = single_explain(&x->single, &c, &found, e);
    if (!code && x->options->json)
      print_json(x, &c, found.record, &found, &(struct listing){0});
    else if (!code)
      print_value(value, &found);
    explained_free(&found);
    if (code)
      return code;
  }
  if (!x->options->json)
    printf("  (LDS confl.: conflict cycles of one LDS instruction)\n");
  return 0;
}

/* --- the verb ------------------------------------------------------------ */

static int open_target(struct explain *x, struct err *e)
{
  struct task *k = &x->task;
  if (target_open(&x->target, k->arch, x->options->device, 0, e) ||
      target_fits(&x->target, k, e))
    return e->code;
  if (single_open(&x->single, k, &x->target, x->options->against, e))
    return e->code;
  x->single.device.launch = x->options->launch;
  x->single.device.trace = x->options->trace ? TRACE_EVENTS : 0;
  return 0;
}

static int check_against(const struct explain *x, struct err *e)
{
  const struct task *k = &x->task;
  const char *against = x->options->against;
  struct rival_code code;
  return rival_code_is(against)
             ? rival_code_parse(&code, against, x->options->launch, e)
             : rival_can(against, k->family, &k->problem, k->arch, e);
}

/* Do the words of --launch mean something of this plan? */
static int check_launch(const struct explain *x, const struct config *c,
                        struct err *e)
{
  const struct task *k = &x->task;
  struct rival_code code;
  struct plan plan;
  if (!x->options->launch ||
      family_plan(k->family, &k->problem, c, &plan, NULL))
    return 0;
  if (rival_code_parse(&code, x->options->against, x->options->launch, e))
    return e->code;
  return rival_code_names(&code, k->family, &k->problem, &plan, e);
}

/* What was asked for is checked before anything is printed. */
static int check(struct explain *x, struct config *c, struct err *e)
{
  const struct tunable *t;
  struct task *k = &x->task;
  size_t at;
  if (x->options->vary && find_tunable(k, x->options->vary, &at, &t, e))
    return e->code;
  if (x->options->against && check_against(x, e))
    return e->code;
  if (x->options->launch &&
      !(x->options->against && rival_code_is(x->options->against)))
    return err_set(e, ERR_USAGE, "--launch says how --against FILE:KERNEL is "
                   "launched: give both");
  if (x->options->against && (x->options->vary || x->options->json))
    return err_set(e, ERR_USAGE, "--against goes with neither --vary nor "
                   "--json");
  if (x->options->svg && (x->options->vary || x->options->json))
    return err_set(e, ERR_USAGE, "--svg goes with neither --vary nor --json");
  if (x->options->trace && x->options->vary)
    return err_set(e, ERR_USAGE, "--trace is of one configuration, --vary "
                   "compares several: give one of the two");
  if (x->options->nsets)
    return task_config(k, c, e);
  return k->stored ? task_winner(k, c, e) : 0;
}

static void print_config(const struct task *k, const struct config *c)
{
  struct str text = {0};
  config_format(k->family, c, &text);
  printf("\n");
  cli_row("config", text.at);
  str_free(&text);
}

static int explain_config(struct explain *x, struct config c, struct err *e)
{
  const char *why = space_rule(x->task.space, &c);
  if (!x->options->json)
    print_config(&x->task, &c);
  if (why && !x->options->vary) {
    if (x->options->json)
      print_excluded(x, &c, "", why);
    else
      cli_row("excluded", why);
    return 0;
  }
  int shown = 0, alone = !x->options->json && !x->options->vary;
  if (alone && explain_lds(&x->task, &c, x->options->svg, &shown, e))
    return e->code;
  if (open_target(x, e)) {
    if (!shown || x->options->annotate || x->options->trace)
      return e->code;
    cli_row("device", e->text); /* the LDS was shown, which needs none */
    return 0;
  }
  if (!x->options->json)
    cli_rowf("device", "%s: %s", x->target.device->name, x->target.why.at);
  return x->options->vary ? vary(x, c, e) : explain_one(x, &c, e);
}

static int explain(struct explain *x, struct err *e)
{
  struct task *k = &x->task;
  struct config c = {0};
  if (check(x, &c, e))
    return e->code;
  int given = x->options->nsets || k->stored;
  if (given && check_launch(x, &c, e))
    return e->code;
  if (!given &&
      (x->options->json || x->options->annotate || x->options->trace ||
       x->options->against))
    return err_set(e, ERR_FAILED, "no winner is stored for this problem; tune "
                   "it first, or name a configuration with --set");
  if (!x->options->json) {
    printf("%s on %s\n", family_name(k->family), arch_name(k->arch));
    cli_row("problem", k->problem_text.at);
  }
  if (given && explain_config(x, c, e))
    return e->code;
  if (!x->options->json && !x->options->vary && !x->options->annotate)
    print_space(k);
  if (!given)
    printf("\nNo winner is stored for this problem: tune it first, or name a\n"
           "configuration with --set to see it explained.\n");
  return 0;
}

static int run(const struct options *r, struct err *e)
{
  struct explain x = {.options = r};
  const char *family;
  int code = cli_word(r, 1, "family", &family, e);
  if (!code)
    code = task_open(&x.task, r, family, cli_notice, NULL, e);
  if (!code)
    code = explain(&x, e);
  single_close(&x.single);
  target_close(&x.target);
  task_close(&x.task);
  return code;
}

const struct verb verb_explain = {
    "explain", "explain FAMILY --arch ARCH [...]",
    "why: rules, registers, LDS, limits", run,
    "Prints, of the stored winner or of --set name=value,..., which lanes meet\n"
    "in which LDS bank (no device is needed; --svg FILE draws it), registers,\n"
    "occupancy, and on the simulated device what the time is made of, with bank\n"
    "conflicts of each LDS instruction and the hardware's counters; last, the\n"
    "size of the space and what each rule excludes. Instead of the rules\n"
    "--annotate prints the kernel's disassembly with hits and cycles of each\n"
    "instruction. --vary NAME compares all values of a tunable. --trace DIR\n"
    "writes what the first waves did, in the forms of rocprofv3's thread trace\n"
    "and of Chrome, for viewers and `tune diagnose`. --against rocblas puts what\n"
    "the library launches for the same product beside it: time, instructions,\n"
    "stalls, conflicts, bytes, registers, all modelled. --against FILE:KERNEL\n"
    "does so with a kernel of any code object: what its code is made of, and\n"
    "with --launch what it does.\n"};
