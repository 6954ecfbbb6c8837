/* verb_db_fit.c - tune db fit FAMILY --arch ARCH: few kernels for many problems. */
// SPDX-License-Identifier: MIT
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tuner/cli/cli.h"
#include "tuner/cli/db.h"
#include "tuner/session/history.h"
#include "tuner/store/few.h"
#include "tuner/store/import.h"

static int ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* --- which results ------------------------------------------------------- */

static int equal(const struct record *a, const struct record *b,
                 const char *name)
{
  return !strcmp(record_text(a, name), record_text(b, name));
}

/* Of those of the first measured record, or where there is none of the first
 * modelled one: device, source and caches. */
static void same_device(struct results *r)
{
  const struct record *like = NULL;
  size_t kept = 0;
  for (size_t i = 0; i < r->n; i++) {
    const char *source = record_text(r->list[i], "source");
    if (!strcmp(source, "measured") || (!like && !strcmp(source, "modelled"))) {
      like = r->list[i];
      if (*source == 'm' && source[1] == 'e')
        break;
    }
  }
  for (size_t i = 0; i < r->n; i++) {
    struct record *one = r->list[i];
    if (like && equal(one, like, "device") && equal(one, like, "source") &&
        equal(one, like, "cus") && equal(one, like, "hot"))
      r->list[kept++] = one;
    else if (one != like)
      record_free(one);
  }
  r->n = kept;
}

/* --- what comes out ------------------------------------------------------ */

static void print_json(const struct few *f, const struct record *like)
{
  for (size_t i = 0; i < f->nchosen; i++)
    printf("{\"type\":\"kernel\",\"number\":%zu,\"config\":\"%s\"}\n", i + 1,
           f->kernels[f->chosen[i]]);
  for (size_t p = 0; p < f->nproblems; p++) {
    const struct few_problem *x = &f->problems[p];
    json_t *o = json_pack(
        "{ss ss ss sf so sI}", "type", "fitted", "source",
        record_text(like, "source"), "problem", x->text, "best_us", x->best_us,
        "loss", x->loss < 0 ? json_null() : json_real(x->loss), "kernel",
        x->loss < 0 ? (json_int_t)0 : (json_int_t)x->kernel + 1);
    json_dumpf(o, stdout, JSON_COMPACT);
    putchar('\n');
    json_decref(o);
  }
}

static void print_problems(const struct few *f)
{
  printf("     loss  kernel  problem\n");
  for (size_t p = 0; p < f->nproblems; p++) {
    const struct few_problem *x = &f->problems[p];
    if (x->loss < 0)
      printf("        -       -  %s\n", x->text);
    else
      printf("  %5.1f %%  %6zu  %s\n", 100 * x->loss, x->kernel + 1, x->text);
  }
}

static void print_sum(const struct few *f, const char *source)
{
  double *loss = mem_array(f->nproblems + 1, sizeof *loss), sum = 0;
  size_t n = 0;
  for (size_t p = 0; p < f->nproblems; p++)
    if (f->problems[p].loss >= 0) {
      loss[n++] = f->problems[p].loss;
      sum += log1p(f->problems[p].loss);
    }
  qsort(loss, n, sizeof *loss, ascending);
  if (n)
    cli_rowf("loss", "%s: %.1f %% in the geometric mean of %zu problems, median "
             "%.1f %%, 95th percentile %.1f %%, most %.1f %%", source,
             100 * expm1(sum / (double)n), n, 100 * loss[(n - 1) / 2],
             100 * loss[(n * 95 + 99) / 100 - 1], 100 * loss[n - 1]);
  if (n < f->nproblems)
    cli_rowf("not known", "%zu problems, on which none of the %zu kernels was "
             "timed: `tune FAMILY --set` times one", f->nproblems - n,
             f->nchosen);
  free(loss);
}

static int show(const struct options *r, const struct results *all,
                struct err *e)
{
  struct few f;
  few_open(&f, all);
  if (!f.nproblems) {
    few_free(&f);
    return err_set(e, ERR_FAILED, "there is no result of %s on %s; `tune %s "
                   "--arch %s` finds one", r->words[2], r->arch, r->words[2],
                   r->arch);
  }
  few_choose(&f, (size_t)r->kernels);
  if (r->json) {
    print_json(&f, all->list[0]);
    few_free(&f);
    return 0;
  }
  printf("%zu of %zu kernels for %zu problems of %s on %s, %s on %s\n",
         f.nchosen, f.nkernels, f.nproblems, r->words[2], r->arch,
         record_text(all->list[0], "source"),
         record_text(all->list[0], "device"));
  for (size_t i = 0; i < f.nchosen; i++) {
    char label[24];
    snprintf(label, sizeof label, "%zu", i + 1);
    cli_row(label, f.kernels[f.chosen[i]]);
  }
  print_problems(&f);
  print_sum(&f, record_text(all->list[0], "source"));
  few_free(&f);
  return 0;
}

int db_fit(const struct options *r, struct err *e)
{
  struct options files_of = *r;
  struct store_files files = {0};
  struct results all = {0};
  const char *arch;
  int code = options_keys(r, NULL, e);
  if (!code && r->nwords < 3)
    code = err_set(e, ERR_USAGE, "which family? `tune db fit gemm --arch "
                   "gfx906 --kernels 8`");
  if (!code)
    code = options_arch(r, &arch, e);
  if (code)
    return code;
  memmove(files_of.words + 2, files_of.words + 3,
          (files_of.nwords - 3) * sizeof *files_of.words);
  files_of.nwords--;
  code = db_files(&files_of, &files, e);
  if (!code)
    code = export_read(&files, arch, r->words[2], cli_notice, NULL, &all, e);
  same_device(&all);
  if (!code)
    code = show(r, &all, e);
  results_free(&all);
  files_free(&files);
  return code;
}
