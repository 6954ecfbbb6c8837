/* arch_check.c - does an arch obey physics and arithmetic? */
// SPDX-License-Identifier: MIT
#include <string.h>

#include "arch/arch.h"

/* Facts that may be 0: none of it, or not known. All others are positive. */
static const char *const may_be_zero[] = {
  "agprs",          "l2_channels",    "fp64_flops",     "dot4_ops",
  "dot8_ops",       "fp32_published", "fp16_published", "fp64_published",
};

static const char *const powers_of_two[] = {
  "wave",           "simds",        "lanes",   "max_threads", "lds_banks",
  "lds_bank_bytes", "vgpr_granule", "l1_line", "l2_line",     "sgpr_granule",
};

struct two {
  const char *a, *b;
};

static const struct two divides[] = {
  {"lanes", "wave"},
  {"wave", "max_threads"},
  {"vgpr_granule", "vgpr_total"},
  {"sgpr_granule", "sgpr_total"},
  {"lds_bank_bytes", "lds_granule"},
  {"lds_banks", "lds_granule"},
  {"lds_granule", "lds_bytes"},
  {"lds_granule", "lds_group"},
  {"dies", "cus"},
  {"dies", "l2_bytes"},
  {"l1_line", "l1_bytes"},
  {"l2_line", "l2_bytes"},
};

static const struct two at_most[] = {
  {"vgprs", "vgpr_total"},     {"sgprs", "sgpr_total"},
  {"lds_static", "lds_group"}, {"lds_group", "lds_bytes"},
  {"l1_line", "l2_line"},   {"l1_bytes", "l2_bytes"},
  {"l2_bytes", "llc_bytes"}, {"fp64_flops", "fp32_flops"},
  {"pk_fma_f32", "pk_fma_f16"},
};

/* Peak per clock and CU, and the figure that the vendor publishes. */
static const struct two peaks[] = {
  {"fp32_flops", "fp32_published"},
  {"fp16_flops", "fp16_published"},
  {"fp64_flops", "fp64_published"},
};

#define LENGTH(array) (sizeof array / sizeof *array)

struct facts {
  const struct pair *at;
  size_t n;
  struct err *e;
};

static const struct pair *find(const struct facts *f, const char *name)
{
  for (size_t i = 0; i < f->n; i++)
    if (!strcmp(f->at[i].name, name))
      return f->at + i;
  return NULL;
}

/* The number of a fact; that it is there was checked first. */
static long long number(const struct facts *f, const char *name)
{
  return find(f, name)->value.i;
}

static int among(const char *name, const char *const *list, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (!strcmp(list[i], name))
      return 1;
  return 0;
}

/* Every fact that the table knows is here, and is a number that can be. */
static int check_presence(const struct facts *f)
{
  const struct pair *known;
  size_t n = arch_facts(arch_at(0), &known);
  for (size_t i = 0; i < n; i++) {
    const struct pair *p = find(f, known[i].name);
    if (!p || p->value.kind != known[i].value.kind)
      return err_set(f->e, ERR_FAILED, "fact %s is missing", known[i].name);
    if (p->value.kind != VALUE_INT)
      continue;
    int flag = !strcmp(arch_unit(p->name), "0/1");
    int zero = flag || among(p->name, may_be_zero, LENGTH(may_be_zero));
    if (p->value.i < !zero || (flag && p->value.i > 1))
      return err_set(f->e, ERR_FAILED, "%s cannot be %lld", p->name,
                     p->value.i);
  }
  return 0;
}

static int check_numbers(const struct facts *f)
{
  for (size_t i = 0; i < LENGTH(powers_of_two); i++) {
    long long v = number(f, powers_of_two[i]);
    if (v & (v - 1))
      return err_set(f->e, ERR_FAILED, "%s is %lld, not a power of two",
                     powers_of_two[i], v);
  }
  for (size_t i = 0; i < LENGTH(divides); i++) {
    long long a = number(f, divides[i].a), b = number(f, divides[i].b);
    if (b % a)
      return err_set(f->e, ERR_FAILED, "%s %lld does not divide %s %lld",
                     divides[i].a, a, divides[i].b, b);
  }
  for (size_t i = 0; i < LENGTH(at_most); i++) {
    long long a = number(f, at_most[i].a), b = number(f, at_most[i].b);
    if (a > b)
      return err_set(f->e, ERR_FAILED, "%s %lld is more than %s %lld",
                     at_most[i].a, a, at_most[i].b, b);
  }
  return 0;
}

static int check_registers(const struct facts *f)
{
  long long total = number(f, "vgpr_total"), vgprs = number(f, "vgprs");
  long long agprs = number(f, "agprs_unified") ? number(f, "agprs") : 0;
  long long waves = number(f, "waves_per_simd");
  /* a wave of NVIDIA's addresses less than the file, in whole granules */
  if (number(f, "amdgcn") && total != vgprs + agprs)
    return err_set(f->e, ERR_FAILED,
                   "vgpr_total %lld is not what one wave can use (%lld)", total,
                   vgprs + agprs);
  if (waves * number(f, "vgpr_granule") > total ||
      waves * number(f, "sgpr_granule") > number(f, "sgpr_total"))
    return err_set(f->e, ERR_FAILED, "registers do not suffice for %lld waves",
                   waves);
  if (waves * number(f, "simds") * number(f, "wave") <
      number(f, "max_threads"))
    return err_set(f->e, ERR_FAILED, "a CU does not hold max_threads threads");
  return 0;
}

/* What the VALU does in a clock follows from its lanes: an FMA is two flops,
 * packed forms do two FMAs, a dot4 is four of them (NVIDIA's take two turns),
 * a dot8 eight. */
static int check_units(const struct facts *f)
{
  long long fma = 2 * number(f, "simds") * number(f, "lanes");
  const struct {
    const char *name;
    long long value;
  } rates[] = {
    {"fp32_flops", fma * (1 + number(f, "pk_fma_f32"))},
    {"fp16_flops", fma * (1 + number(f, "pk_fma_f16"))},
    {"dot4_ops", fma * (number(f, "amdgcn") ? 4 : 2) * number(f, "dot4")},
    {"dot8_ops", fma * 8 * number(f, "dot8")},
  };
  for (size_t i = 0; i < LENGTH(rates); i++)
    if (number(f, rates[i].name) != rates[i].value)
      return err_set(f->e, ERR_FAILED, "%s is %lld; lanes make it %lld",
                     rates[i].name, number(f, rates[i].name), rates[i].value);
  return 0;
}

static int check_peaks(const struct facts *f)
{
  long long clocks = number(f, "cus") * number(f, "clock_mhz");
  for (size_t i = 0; i < LENGTH(peaks); i++) {
    double said = (double)number(f, peaks[i].b);
    double peak = (double)(clocks * number(f, peaks[i].a)) / 1000;
    double apart = peak > said ? peak - said : said - peak;
    if (said > 0 && apart > said * 0.02)
      return err_set(f->e, ERR_FAILED,
                     "%s make %.0f GFLOP/s, %s is %.0f: over 2 %% apart",
                     peaks[i].a, peak, peaks[i].b, said);
  }
  return 0;
}

int arch_check_facts(const struct pair *facts, size_t n, struct err *e)
{
  static int (*const checks[])(const struct facts *) = {
    check_presence, check_numbers, check_registers, check_units, check_peaks,
  };
  struct facts f = {facts, n, e};
  for (size_t i = 0; i < LENGTH(checks); i++) {
    int code = checks[i](&f);
    if (code)
      return code;
  }
  return 0;
}

int arch_check(struct err *e)
{
  const struct arch *a;
  for (size_t i = 0; (a = arch_at(i)); i++) {
    const struct pair *facts;
    size_t n = arch_facts(a, &facts);
    if (arch_check_facts(facts, n, e))
      return err_prefix(e, "arch %s (arch/arch.c)", arch_name(a));
  }
  return 0;
}
